"""The decider goes by the `remedies` of an edition: where one is taken out, its ruling is refused."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

import msgspec
import pytest

from punto.game import commands as c
from punto.game.irregularities.rows import ROWS, rulings
from punto.game.refusals import Refusal
from punto.money import Cents
from punto.rulebook.model import Insurance, Moment
from tests.irregularities.given import BANKER_WINS, FOUR, NATURAL, WHY, init_round, insure, report, settle
from tests.irregularities.laws import BOOKS, Ruled
from tests.irregularities.standing import commence, do, opened

replace = msgspec.structs.replace

MISREAD: Final[dict[str, Any]] = {"player": ("KH", "7D"), "banker": ("2S", "3C", "5H")}
TOO_MANY: Final[dict[str, Any]] = {"player": ("KH", "7D", "4H"), "banker": ("2S", "3C", "9H")}
ACTIONS: Final[dict[str, dict[str, Any]]] = {
    "stand": {"action": "stand"},
    "void": {"action": "void"},
    "options": {"action": "options"},
    "pay": {"action": "pay", "pay_cents": {"ann": Cents(100)}},
    "determine-value": {"action": "determine", "card": "KH"},
    "reposition": {"action": "reposition"},
    "resettle": {"action": "resettle"},
}
"""For a ruling by discretion: the fields of each remedy."""

Example = tuple[str, dict[str, Any], dict[str, Any]]
"""Cards drawn, with S if the round is settled and B if the next betting is open; facts of the report; the ruling."""

EXAMPLES: Final[dict[tuple[str, str], Example]] = {
    ("interruption", "conclude"): (FOUR, {}, {}),
    ("interruption", "void"): ("KH", {}, {}),
    ("reset", "conclude"): (FOUR, {}, {}),
    ("reset", "void"): ("KH", {}, {}),
    ("reset", "options"): ("KH", {}, {}),
    ("void", "void"): ("KH", {"cause": "unshuffled"}, {}),
    ("void", "replace-cards"): (f"{BANKER_WINS} S", {"cause": "unshuffled"}, {}),
    ("cut-card", "options"): ("KH", {}, {}),
    ("excess-card", "reconstruct"): ("KH", {"cards": ("2S",)}, {}),
    ("excess-card", "use-next-round"): (f"{NATURAL} S", {"cards": ("9C",)}, {}),
    ("excess-card", "as-dealt"): (BANKER_WINS, MISREAD, {"reconstruct": False}),
    ("excess-card", "void"): ("KH", {"cards": ("2S",)}, {"reconstruct": False}),
    ("wrong-hand", "reconstruct"): (FOUR, {}, {}),
    ("wrong-hand", "as-dealt"): (FOUR, {}, {"reconstruct": False}),
    ("wrong-hand", "void"): ("KH", {"cards": ("2S",)}, {"reconstruct": False}),
    ("face-up", "stand"): ("KH", {"place": "P1"}, {}),
    ("simultaneous", "decide"): ("KH", {"cards": ("2S", "7D")}, {"order": ("2S", "7D")}),
    ("simultaneous", "replace-cards"): (
        "KH",
        {"cards": ("2S", "7D")},
        {"order": ("2S", "7D"), "replace_cards": True},
    ),
    ("damaged-card", "determine-value"): ("KH", {"place": "P1"}, {"card": "KH"}),
    ("damaged-card", "void"): ("KH", {"place": "P1"}, {}),
    ("late-discovery", "stand"): (f"{NATURAL} S B", {"round": 1}, {}),
    ("late-table-of-play", "void"): (f"{BANKER_WINS} S B", {"round": 1, **TOO_MANY}, {"reconstruct": False}),
    ("late-table-of-play", "resettle"): (f"{BANKER_WINS} S B", {"round": 1, **TOO_MANY}, {}),
    ("other-dealing-error", "reconstruct"): (BANKER_WINS, MISREAD, {}),
    ("other-dealing-error", "as-dealt"): (BANKER_WINS, MISREAD, {"reconstruct": False}),
    ("other-dealing-error", "options"): (FOUR, {}, {}),
    ("other-dealing-error", "void"): (BANKER_WINS, TOO_MANY, {"reconstruct": False}),
    ("insurance-missed", "late-offer"): ("2H KS 3D 4C 2C", {"after": Moment.FOUR_CARDS}, {}),
    ("insurance-missed", "return"): (BANKER_WINS, {"after": Moment.FOUR_CARDS}, {"patrons": ("ann",)}),
    ("insurance-misplaced", "reposition"): (FOUR, {}, {}),
    ("displays", "correct"): (f"{NATURAL} S", {"shown": "Banker wins"}, {}),
    ("discretion", "resettle"): (f"{BANKER_WINS} S B", {"round": 1, **MISREAD}, {}),
    ("commencement", "correct"): ("", {}, {"skip": 1}),
    ("commencement", "replace-cards"): (f"{NATURAL} S", {}, {}),
    ("commencement", "void"): (f"{NATURAL} S", {}, {"void_rounds": (1,)}),
    ("blue-card", "void"): ("KH", {}, {}),
    ("exposed-while-betting", "void"): ("B", {"cards": ("9C",)}, {}),
    ("unneeded-card", "burn"): (NATURAL, {"cards": ("9C",)}, {}),
    ("unneeded-card", "end-shoe"): (NATURAL, {"cards": ("9C",)}, {"end_shoe": True}),
    ("exposed-while-shuffling", "decide"): ("no shoe", {}, {}),
    ("exposed-at-commencement", "stand"): ("new shoe", {}, {}),
    ("wrong-dealing", "reconstruct"): ("KH 2S 9D", {"cards": ("3C",)}, {}),
    ("wrong-dealing", "correct"): (BANKER_WINS, MISREAD, {}),
    ("wrong-dealing", "void"): ("KH 2S 9D", {"cards": ("3C",)}, {"reconstruct": False}),
    ("wrong-dealing", "end-shoe"): ("KH 2S 9D", {"cards": ("3C",)}, {"end_shoe": True}),
    ("dropped-card", "stand"): ("KH", {"exposed": True}, {}),
    ("dropped-card", "void"): ("KH", {"exposed": False}, {}),
    ("options", "continue"): (FOUR, {}, {"option": "continue"}),
    ("options", "continue-reconstructed"): ("KH", {"cards": ("2S",)}, {"option": "continue"}),
    ("options", "return"): (FOUR, {}, {"option": "returned"}),
}

ALL: Final = [
    (edition, kind, remedy)
    for edition, book in BOOKS.items()
    for kind, row in book.irregularities.items()
    for remedy in row.remedies or ()
]


def standing(edition: str, kind: str, cards: str) -> Ruled:
    """A table in the situation where the example begins."""
    if cards in ("no shoe", "new shoe"):
        table = opened(edition)
        if cards == "new shoe":
            commence(table)
        return table
    facing = "down" if kind == "face-up" else "up"
    words = cards.split()
    if words == ["B"]:
        table = init_round(edition, NATURAL)
        settle(table)
        do(table, c.OpenBetting(by="dora"))
        return table
    table = init_round(
        edition, " ".join(word for word in words if len(word) > 1), high_limit=kind == "cut-card", facing=facing
    )
    if "S" in words:
        settle(table)
    if "B" in words:
        do(table, c.OpenBetting(by="dora"))
    return table


def example(edition: str, kind: str, remedy: str) -> tuple[Ruled, c.AnyCommand]:
    """A table, and the command that orders the remedy at it."""
    row = BOOKS[edition].irregularities[kind]
    free = kind == "discretion" or row.goes_by == "discretion"
    cards, facts, said = EXAMPLES.get((kind, remedy), (FOUR, {}, {}))
    if free:
        late = kind == "late-table-of-play"
        cards, facts, _ = EXAMPLES.get((kind, remedy if kind == "discretion" else _OWN[kind]), (FOUR, {}, {}))
        cards, said = f"{BANKER_WINS} S B" if late else cards, ACTIONS[remedy]
    table = standing(edition, kind, cards)
    if kind == "options":
        reconstructed = remedy == "continue-reconstructed"
        report(table, "excess-card" if reconstructed else "discretion", **facts)
        ordered: dict[str, Any] = {} if reconstructed else {"action": "options"}
        do(table, c.DecideIrregularity(by="tess", reason=WHY, **ordered))
        return table, c.ChooseOption(patron="ann", **said)
    if kind == "insurance-misplaced":
        insure(table, 1_000, area=Insurance.BANKER)
        facts = {"insurance": table.table.current.insurance[0].id}
    command = c.ReportIrregularity(by="dora", kind=kind, **facts)
    if row.decided_by == "nobody":
        return table, command
    do(table, command)
    return table, c.DecideIrregularity(by="tess", reason=WHY, **said)


_OWN: Final = {
    "damaged-card": "determine-value",
    "late-table-of-play": "resettle",
    "insurance-misplaced": "reposition",
    "insurance-missed": "return",
}


@pytest.mark.parametrize(("edition", "kind", "remedy"), ALL)
def test_a_remedy_that_an_edition_lacks_is_refused(edition: str, kind: str, remedy: str) -> None:
    table, command = example(edition, kind, remedy)
    whole = table.fork().send(command)
    assert not isinstance(whole, Refusal), f"{command}: {whole}"
    rules, row = BOOKS[edition], BOOKS[edition].irregularities[kind]
    less = replace(row, remedies={name: entry for name, entry in (row.remedies or {}).items() if name != remedy})
    rows = MappingProxyType({**rules.irregularities, kind: less})
    answer = table.send(command, replace(rules, irregularities=rows))
    assert isinstance(answer, Refusal), f"{kind} is put right without {remedy!r}"
    assert answer.code == ("no-option" if kind == "options" else "no-such-remedy")
    assert answer.paragraph == row.cite
    if answer.code == "no-such-remedy":
        assert answer.facts == {"kind": kind, "remedy": remedy}


@pytest.mark.parametrize("edition", BOOKS)
def test_the_data_name_no_remedy_that_no_ruling_carries_out_and_no_kind_that_has_no_row(edition: str) -> None:
    for kind, row in BOOKS[edition].irregularities.items():
        known = {ruling.remedy for ruling in rulings(row)} | {
            name for ruling in rulings(row) for name in ruling.also.values()
        }
        known |= {"continue", "continue-reconstructed", "return"} if kind == "options" else set()
        assert set(row.remedies or ()) <= known, kind
        assert bool(row.remedies) == ((bool(ROWS[kind].phases) and row.goes_by != "late-wagers") or kind == "options")
