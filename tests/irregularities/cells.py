"""Every combination of phase, irregularity, edition and rank: what follows from it. `make docs` writes the page."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game.decide import Answer
from punto.game.irregularities.rows import REPORTED
from punto.game.refusals import Refusal
from punto.game.table import Phase
from punto.rulebook.model import Moment, Rank
from tests.irregularities.laws import BOOKS, Ruled
from tests.irregularities.standing import CARDS, STAFF, standing

PAGE: Final = Path(__file__).parents[2] / "docs" / "generated" / "irregularities.md"
KINDS: Final = (*(kind.value for kind in REPORTED), "options", "limit-passed", "rain")
HANDS: Final[dict[str, Any]] = {"player": ("KH", "7D"), "banker": ("2S", "3C")}
SHORT: Final = {Rank.DEALER: "D", Rank.PIT_SUPERVISOR: "PS", Rank.PIT_MANAGER: "PM", Rank.SHIFT_MANAGER: "SM"}

FACTS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "void": ({"cause": "not-reconstructible"}, {"cause": "not-reconstructible", "round": 2}),
    "displays": ({"shown": "Player wins"}, {"shown": "Player wins", "round": 1}),
    "excess-card": ({"cards": ("9C",)},),
    "face-up": ({"place": "P1", "card": "KH"},),
    "simultaneous": ({"cards": ("9C", "8C")}, {}),
    "damaged-card": ({"place": "P1"}, {"count": 1}),
    "late-discovery": ({"round": 1},),
    "late-table-of-play": ({"round": 1, **HANDS},),
    "other-dealing-error": ({}, HANDS),
    "wrong-dealing": ({}, HANDS, {"round": 1, "player": ("KH", "7D"), "banker": ("2S", "3C", "9H")}),
    "insurance-missed": ({"after": Moment.FOUR_CARDS}, {"after": Moment.FOUR_CARDS, "round": 1}),
    "insurance-misplaced": ({"insurance": "i9"}, {"insurance": "i6"}, {"insurance": "i3", "round": 1}),
    "exposed-while-betting": ({"cards": ("9C",)},),
    "unneeded-card": ({"cards": ("9C",)},),
}
"""Facts to report a kind with: the first set that is accepted counts. A kind not listed here is reported without."""

_BY_CARDS: Final = ("other-dealing-error", "wrong-dealing")
_COMPLETE: Final = (Phase.COMPLETE, Phase.SETTLED)
_AFTER_SHOE: Final = (Phase.NO_SHOE, Phase.COMMENCING, Phase.READY)
"""Phases in which the shoe of the last round has ended: the ruling is made without reconstruction."""


class Cell:
    """One kind in one phase: the answers to the report, and to its decision by every rank."""

    def __init__(self, edition: str, phase: Phase, kind: str) -> None:
        self.edition, self.phase, self.kind = edition, phase, kind
        self.reported: Answer | None = None
        """None: the edition has no such phase."""
        self.decided: dict[Rank, Answer] = {}
        self.begun = False
        """Whether a hand of this shoe has been dealt."""
        for facts in FACTS.get(kind, ({},)):
            ruled = _table(edition, phase, kind)
            if ruled is None:
                return
            self.begun = ruled.table.shoe is not None and bool(ruled.table.shoe.hands)
            self.reported = ruled.send(c.ReportIrregularity(by="dora", kind=kind, **facts))
            if not isinstance(self.reported, Refusal):
                if ruled.table.phase is Phase.IRREGULARITY:
                    self.decided = {rank: _ruling(edition, phase, kind, facts, rank) for rank in STAFF}
                return

    @property
    def text(self) -> str:
        if isinstance(self.reported, Refusal):
            return f"*{self.reported.code}*"
        if self.reported is None:
            return "·"
        if not self.decided:
            return f"at once: {_did(self.reported[1:])}"
        least = next(rank for rank, answer in self.decided.items() if not isinstance(answer, Refusal))
        answer = self.decided[least]
        assert not isinstance(answer, Refusal)
        return f"{SHORT[least]}: {_did(answer[1:])}"


def _did(events: tuple[e.AnyEvent, ...]) -> str:
    tags = dict.fromkeys(str(type(event).__struct_config__.tag) for event in events)
    shown = [tag for tag in tags if tag not in ("play-resumed", "coup-completed", "insurance-closed")]
    return ", ".join(shown) or "play-resumed"


def _table(edition: str, phase: Phase, kind: str) -> Ruled | None:
    down = kind == "face-up" and kind in BOOKS[edition].irregularities
    return standing(edition, phase, facing="down" if down else "up")


def _ruling(edition: str, phase: Phase, kind: str, facts: dict[str, Any], rank: Rank) -> Answer:
    ruled = _table(edition, phase, kind)
    assert ruled is not None
    ruled.send(c.ReportIrregularity(by="dora", kind=kind, **facts))
    row = ruled.governing(c.Settle(by="dora")).irregularities[kind]
    said: dict[str, Any] = {
        "order": ("8C", "9C") if kind == "simultaneous" and phase not in (*_COMPLETE, *_AFTER_SHOE) else None,
        "card": "KH",
        "patrons": ("ann",),
    }
    if kind in _BY_CARDS and phase in _AFTER_SHOE:
        said = {"reconstruct": False}
    elif row.goes_by == "discretion" or kind == "discretion":
        said = {"action": "stand"}
    answer: Answer = Refusal(Code.BAD_RULING, "nothing was ruled", None)
    for names in (said, {"card": "KH"}, {"patrons": ("ann",)}, {"order": said.get("order")}, {}):
        command = c.DecideIrregularity(by=STAFF[rank], reason="as the camera shows", **names)
        answer = ruled.fork().send(command)
        if not isinstance(answer, Refusal) or answer.code not in ("wrong-field", "bad-ruling"):
            break
    return answer


@cache
def cells(edition: str) -> dict[tuple[str, Phase], Cell]:
    return {(kind, phase): Cell(edition, phase, kind) for kind in KINDS for phase in Phase}


PARTS: Final = {
    "2024 (both Tiger Buffalo games)": "tiger-buffalo-commission/2024-05-14",
    "2025 (both Tiger Buffalo games)": "tiger-buffalo-commission/2025-11-21",
    "Live Baccarat Insurance (both games)": "live-baccarat-insurance-commission/undated",
}


TEXT: Final = f"""\
# Every irregularity in every phase

Made by `make docs` from the table itself: each cell is a table brought to that phase, the report, and the ruling of
every rank. D Dealer, PS Pit Supervisor, PM Pit Manager, SM Table Game Shift Manager: the lowest rank whose ruling is
carried out (a lower one is refused with `wrong-rank`), and what it led to. *Italics*: the code of the refusal. `·`: the
edition has no such phase. Where the kind goes by discretion the cell shows the ruling `stand`. What each remedy does
is in [irregularities](../irregularities.md).

In every cell the cards are Player {CARDS[0]} {CARDS[2]}, Banker {CARDS[1]} {CARDS[3]} {CARDS[4]}, as far as they are
dealt; two rounds of the same cards lie behind.
"""


def page() -> str:
    lines = [*TEXT.splitlines()]
    for title, edition in PARTS.items():
        lines += ["", f"## {title}", "", *_part(edition)]
    return "\n".join(lines) + "\n"


def _part(edition: str) -> Iterator[str]:
    grid = cells(edition)
    kinds = [kind for kind in KINDS if kind in BOOKS[edition].irregularities]
    yield "| | " + " | ".join(kinds) + " |"
    yield "|---" * (len(kinds) + 1) + "|"
    for phase in Phase:
        yield f"| {phase.value} | " + " | ".join(grid[kind, phase].text for kind in kinds) + " |"
