"""Rounds of each kind as scripts: transcripts whose balances were worked out by hand, and one for what they leave out.

A script can be cut anywhere. If an interruption voided some of its rounds, the decider alone, without house or store,
plays the rest of the script and so works out the balances at the end.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any, Final

import msgspec

from punto.cards import DECK
from punto.game import commands as c
from punto.game import notation
from punto.game.decide import apply
from punto.game.irregularities.ruling import needs_second_person
from punto.game.refusals import Refusal
from punto.game.table import NEW, Table
from punto.house.store.approval import subject
from punto.house.table.governing_edition import governing
from punto.rulebook.model import Rulebook
from tests.house.table.playing import actor_of
from tests.transcripts import reading

PEOPLE: Final = ("ann", "ben", "bob", "poor")
ASKER: Final = "mia"
"""Requests the approval of what needs two persons, and then gives it to the table."""
SECOND: Final = "pit-manager"
"""Approves it."""
RICH_CENTS: Final = 10**11
POOR_CENTS: Final = 50_000
_OUTSIDE: Final = (c.Join, c.BuyChips, c.CashChips)


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A command, and whether it was accepted when the script ran unbroken. `round` is the round under way, `opens` the
    round that the command opens, `about` a past round that it corrects; 0 is none."""

    number: int
    command: c.AnyCommand
    top: tuple[str, ...]
    accepted: bool
    round: int
    opens: int
    about: int
    lacks: bool
    """The wallet does not hold that much, which the decider can't know."""
    details: dict[str, Any] | None = None
    """The subject of a ruling that needs two persons."""
    approval: str = ""
    """The id of its approval, at a table."""

    @property
    def key(self) -> str:
        return f"approval-{self.approval}" if self.approval else f"s{self.number}"

    @property
    def actor(self) -> str:
        return actor_of(self.command)


class Script(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    name: str
    steps: tuple[Step, ...]
    expected_cents: dict[str, int]
    """Everybody's chips at the end, if nothing was interrupted."""

    def at(self, table: str) -> tuple[Step, ...]:
        """The script for a table of this name."""
        first = self.steps[0]
        assert isinstance(first.command, c.OpenTable)
        opening = msgspec.structs.replace(first.command, table=table)
        rest = (
            step if step.details is None else msgspec.structs.replace(step, approval=f"{table}-s{step.number}")
            for step in self.steps[1:]
        )
        return (msgspec.structs.replace(first, command=opening), *rest)


def due(step: Step, void: frozenset[int]) -> bool:
    """Whether a step is still played after an interruption voided these rounds."""
    if void and not step.accepted:
        return False
    return isinstance(step.command, _OUTSIDE) or not {step.round, step.about} & void


@cache
def ends(script: Script, void: frozenset[int]) -> dict[str, int]:
    """Everybody's chips at the end, as if these rounds had never been played."""
    table: Table = NEW
    rules: Rulebook | None = None
    for step in script.steps:
        if due(step, void) and step.opens not in void and not step.lacks:
            table, rules, _ = _applied(table, rules, step.command, step.top)
    return {name: patron.balance_cents for name, patron in table.patrons.items()}


def _applied(
    table: Table, rules: Rulebook | None, command: c.AnyCommand, top: tuple[str, ...]
) -> tuple[Table, Rulebook, bool]:
    if top:
        assert isinstance(command, c.LoadShoe)
        command = msgspec.structs.replace(command, order=topped(top, table.opened.decks))
    governs = governing(table, command, rules)
    after, answer = apply(governs, table, command)
    return after, governs, not isinstance(answer, Refusal)


@cache
def topped(top: tuple[str, ...], decks: int) -> tuple[str, ...]:
    rest = Counter(str(card) for card in DECK * decks)
    rest.subtract(top)
    return (*top, *rest.elements())


def made(name: str, lines: list[dict[str, Any]], expected_cents: dict[str, int] | None = None) -> Script:
    steps: list[Step] = []
    table: Table = NEW
    rules: Rulebook | None = None
    for number, line in enumerate(lines):
        fields = dict(line)
        top, lacks = tuple(fields.pop("top", ())), fields.pop("lacks", False)
        command = notation.command(json.dumps(fields).encode())
        past = getattr(command, "round", None) or (table.irregularity.round if table.irregularity else None)
        under_way = table.round is not None and not table.round.ended
        before = table
        two_persons = isinstance(command, c.DecideIrregularity) and needs_second_person(table, command)
        accepted = False
        if not lacks:
            table, rules, accepted = _applied(table, rules, command, top)
        opens = table.rounds if table.rounds > before.rounds else 0
        steps.append(
            Step(
                number=number,
                command=command,
                top=top,
                accepted=accepted,
                round=before.rounds if under_way else 0,
                opens=opens,
                about=past or 0,
                lacks=lacks,
                details=subject(before) if two_persons else None,
            )
        )
    held = {patron_name: patron.balance_cents for patron_name, patron in table.patrons.items()}
    assert expected_cents is None or expected_cents.items() <= held.items(), f"{name}: {held}"
    return Script(name=name, steps=tuple(steps), expected_cents=held)


def transcript(name: str, also: tuple[dict[str, Any], ...] = (), *, virtual: bool = False) -> Script:
    """A transcript's script. `virtual`: its cards come from a shoe of the house instead."""
    source = reading.transcript(name)
    lines = [step.command for step in source.steps]
    if virtual:
        lines = _virtual(lines)
    expected = {patron: round(float(chips) * 100) for patron, chips in source.expected.items()}
    return made(name.rpartition("/")[2], [*lines, *also], None if also else expected)


def _virtual(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    top = [line["card"] for line in lines if line["do"] == "draw-card"]
    extra_fields: dict[str, dict[str, Any]] = {"open-table": {"source": "virtual"}, "load-shoe": {"top": top}}
    kept = [{name: value for name, value in line.items() if name != "card"} for line in lines]
    return [{**line, **extra_fields.get(line["do"], {})} for line in kept]


_OPEN: Final = {
    "do": "open-table",
    "by": "sam",
    "table": "T1",
    "edition": "tiger-buffalo-non-commission/2025-11-21",
    "layout": "A",
    "positions": 6,
    "limits": {"minimum": "10.00", "maximum_differential": "1000.00"},
}
_WALLETS: Final[tuple[dict[str, Any], ...]] = (
    _OPEN,
    {"do": "join", "patron": "poor", "chips": "1.00"},
    {"do": "join", "patron": "ann", "chips": "500.00"},
    {"do": "buy-chips", "patron": "ann", "chips": "250.00"},
    {"do": "cash-chips", "patron": "ann", "chips": "0.01"},
    {"do": "cash-chips", "patron": "ann", "chips": "900.00"},
    {"do": "buy-chips", "patron": "poor", "chips": "500.00", "lacks": True},
    {"do": "cash-chips", "patron": "poor", "chips": "1.00"},
    {"do": "buy-chips", "patron": "ann", "chips": "0.02"},
    {"do": "cash-chips", "patron": "ann", "chips": "750.01"},
    {"do": "leave", "patron": "ann"},
)
"""Chips from the wallet to the table and back. Nobody keeps chips at these tables, so `poor` can always come again."""

_CASHED: Final[tuple[dict[str, Any], ...]] = (
    {"do": "end-shoe", "by": "dora"},
    {"do": "cash-chips", "patron": "ann", "chips": "1060.00"},
    {"do": "leave", "patron": "ann"},
)


@cache
def every() -> tuple[Script, ...]:
    """Insurance at both moments without an error (from a committed shoe), cards face down with a squeeze, a misdeal put
    right with options, a void round, a past round settled anew, a change of shoes, and chips moved to and from the
    wallet."""
    return (
        transcript("insurance-on-both-hands", _CASHED, virtual=True),
        transcript("squeeze-anyone-2025"),
        transcript("irregularities/wrong-hand-options-2025"),
        transcript("irregularities/void-foreign-card-2025"),
        transcript("irregularities/late-extra-card-2025"),
        transcript("cut-card-last-round"),
        made("wallets", list(_WALLETS), {"ann": 0, "poor": 0}),
    )
