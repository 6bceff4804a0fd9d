"""Translate a counterexample into a script for `punto replay`: the model's steps as commands, with people and cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from models import inputs, tlc
from models.inputs import Course, TableInput
from punto.game.dealing import PLACES
from punto.rulebook.model import Rulebook

STAFF: Final = {1: "dora", 2: "sam", 3: "max", 4: "nora"}
PATRONS: Final = {"ann": (1, "player"), "bob": (2, "banker")}
UNIT: Final = "100.00"
FACTS: Final[dict[str, dict[str, Any]]] = {
    "void": {"cause": "too-few-cards"},
    "excess-card": {"cards": ["2C"]},
    "simultaneous": {"cards": ["2C", "3C"]},
    "wrong-hand": {"cause": "area", "cards": ["2C"]},
    "insurance-missed": {"after": "four-cards"},
}
"""The facts that a report of a kind needs at least. Other kinds are reported without facts; a table that needs some
refuses the report."""

Step = dict[str, str]
Command = dict[str, Any]


def script(rules: Rulebook, table_input: TableInput, steps: Sequence[Step], broken: str) -> str:
    """JSON lines for `punto replay`. A step that is no command is a comment."""
    writer = _Writer(rules, table_input, steps)
    lines = [f"# {rules.id}: {broken}"]
    for number, state in enumerate(steps[1:], 1):
        did = tlc.value(state["did"])
        assert isinstance(did, list)
        lines += writer.lines(number, str(did[0]), did[1:])
    return "\n".join(lines) + "\n"


class _Writer:
    def __init__(self, rules: Rulebook, table_input: TableInput, steps: Sequence[Step]) -> None:
        self.rules, self.given, self.steps = rules, table_input, steps
        self.down = steps[0]["facing"] == '"down"'
        self.cards = iter(_cards(rules, steps))
        self.on_duty: set[int] = set()
        self.exposed = 0

    def lines(self, number: int, name: str, said: list[Any]) -> list[str]:
        make = getattr(self, "_" + name.replace("-", "_"), None)
        made = make(number, *said) if make is not None else [{"do": name, "by": self.by}]
        return [entry if isinstance(entry, str) else msgspec.json.encode(entry).decode() for entry in made]

    @property
    def by(self) -> str:
        return STAFF[max(self.on_duty)] if self.on_duty else "nobody"

    def _open_table(self, _: int, rank: int) -> list[Command]:
        self.on_duty = {rank}
        layout = next(iter(self.rules.layouts.values()))
        opened: Command = {"do": "open-table", "by": self.by, "rank": self.given.ranks[rank - 1], "table": "T1"}
        opened |= {"edition": self.rules.id, "layout": layout.id, "positions": layout.positions[1]}
        opened |= {"limits": {"minimum": "10.00", "maximum_differential": "1000.00"}, "high_limit": True}
        opened |= {"facing": "down"} if self.down else {}
        joined = [{"do": "join", "patron": name, "chips": "300.00"} for name in PATRONS]
        seats = min(layout.positions[1], len(PATRONS))
        return [
            opened,
            *joined,
            *({"do": "sit", "patron": name, "box": PATRONS[name][0]} for name in list(PATRONS)[:seats]),
        ]

    def _start_duty(self, _: int, rank: int) -> list[Command]:
        self.on_duty.add(rank)
        return [{"do": "start-duty", "name": STAFF[rank], "rank": self.given.ranks[rank - 1]}]

    def _end_duty(self, number: int, top: int, left: int) -> list[Command]:
        """The model keeps only the highest rank on duty: whoever remains may have to start here."""
        came = self._start_duty(number, left) if left and left not in self.on_duty else []
        gone = sorted(rank for rank in self.on_duty if rank > left)
        self.on_duty -= set(gone)
        return [*came, *({"do": "end-duty", "name": STAFF[rank]} for rank in gone)]

    def _load_shoe(self, _: int) -> list[Command]:
        return [{"do": "load-shoe", "by": self.by, "count": 52 * self.rules.procedure.decks_default, "shuffled": True}]

    def _burn(self, _: int) -> list[Command]:
        return [{"do": "burn", "by": self.by, "card": "AS"}]

    def _wager(self, name: str, patron: str, **more: str) -> list[Command]:
        box, bet = PATRONS[patron]
        return [{"do": name, "patron": patron, "box": box, "bet": bet, **more}]

    def _place_wager(self, _: int, patron: str) -> list[Command]:
        return self._wager("place-wager", patron, stake=UNIT)

    def _raise_wager(self, _: int, patron: str) -> list[Command]:
        return self._wager("raise-wager", patron, stake=UNIT)

    def _lower_wager(self, _: int, patron: str) -> list[Command]:
        return self._wager("lower-wager", patron, stake=UNIT)

    def _withdraw_wager(self, _: int, patron: str) -> list[Command]:
        return self._wager("withdraw-wager", patron)

    def _report_chips(self, _: int, patron: str) -> list[Command]:
        return self._wager("report-chips", patron, stake=UNIT, by=self.by)

    def _draw_card(self, _: int) -> list[Command]:
        drawn: Command = {"do": "draw-card", "by": self.by}
        return [drawn if self.down else drawn | {"card": next(self.cards)}]

    def _expose_card(self, number: int, by: str) -> list[Command]:
        place = _places(self.steps, self.rules)[self.exposed]
        self.exposed += 1
        who = self.by if by == "staff" else by
        return [{"do": "expose-card", "by": who, "place": place, "card": next(self.cards)}]

    def _grant_squeeze(self, number: int, patron: str) -> list[Command]:
        left = list(PLACES[int(self.steps[number]["cards"]) :])
        return [{"do": "ask-squeeze", "patron": patron, "places": left}, {"do": "grant-squeeze", "by": self.by}]

    def _leave(self, _: int, patron: str) -> list[Command]:
        return [{"do": "leave", "patron": patron}]

    def _take_insurance(self, _: int, patron: str) -> list[Command]:
        return [{"do": "take-insurance", "patron": patron, "bet": "player_insurance", "stake": "10.00"}]

    def _report_irregularity(self, _: int, kind: str, *__: str) -> list[Command]:
        return [{"do": "report-irregularity", "by": self.by, "kind": kind, **FACTS.get(kind, {})}]

    def _decide_irregularity(self, _: int, kind: str, remedy: str) -> list[Command]:
        marks = next(ruling.marks for ruling in self.given.kinds[kind].rulings if ruling.remedy == remedy)
        return [{"do": "decide-irregularity", "by": self.by, "reason": "as the model has it", **marks}]

    def _choose_option(self, _: int, patron: str, option: str) -> list[Command]:
        return [{"do": "choose-option", "patron": patron, "option": option}]

    def _shoe_is_empty(self, _: int) -> list[str]:
        return ["# the shoe is empty now"]


def _places(steps: Sequence[Step], rules: Rulebook) -> tuple[str, ...]:
    """The places of the cards in the order in which they are turned."""
    third = next((state["due"] for state in steps if state["cards"] == "4" and state["due"] != '"none"'), '"player"')
    return PLACES if third == '"player"' else (*PLACES[:4], "B3")


def _cards(rules: Rulebook, steps: Sequence[Step]) -> tuple[str, ...]:
    """Cards that lead to the courses of the counterexample."""
    courses = [Course(str(tlc.value(state["due"])), str(tlc.value(state["offer"]))) for state in steps]
    lying = [int(state["cards"]) - int(state["down"]) for state in steps]
    four = next((course for course, open_ in zip(courses, lying, strict=True) if open_ == 4), None)
    five = next((course for course, open_ in zip(courses, lying, strict=True) if open_ == 5), None)
    if four not in inputs.of(rules).courses:  # no four cards yet, or a planted course
        return inputs.example(Course("none", "none"), None, rules)
    assert four is not None
    return inputs.example(four, five if four.due == "player" else None, rules)
