"""Given, when, then: commands that were accepted, one more command, and what follows from it.

What follows is the events, or a refusal's code.
"""

from __future__ import annotations

from typing import Any, Final

from punto.cards import DECK
from punto.game import commands as c
from punto.game import events as e
from punto.game.decide import apply, decide
from punto.game.evolve import evolve_all
from punto.game.refusals import Refusal
from punto.game.table import NEW, BetLimits, Table, TableLimits
from punto.money import Cents
from punto.rulebook import load
from punto.rulebook.model import Bet, Rank, Rulebook

TIGER: Final = load.edition("tiger-buffalo-commission", "2025-11-21")
TIGER_2024: Final = load.edition("tiger-buffalo-commission", "2024-05-14")
LIVE: Final = load.edition("live-baccarat-insurance-commission", "undated")


def limits(
    minimum: int,
    differential: int,
    maximum: int | None = None,
    scope: str = "box",
    **bets: tuple[int | None, int | None],
) -> TableLimits:
    """Figures in cents; a bet's own as `tie=(minimum, maximum)`."""
    return TableLimits(
        minimum_cents=Cents(minimum),
        maximum_differential_cents=Cents(differential),
        maximum_cents=None if maximum is None else Cents(maximum),
        bets={
            Bet(bet): BetLimits(
                minimum_cents=None if low is None else Cents(low), maximum_cents=None if high is None else Cents(high)
            )
            for bet, (low, high) in bets.items()
        },
        scope=scope,
    )


def opened(rules: Rulebook, **settings: Any) -> c.OpenTable:
    """A table with a Pit Supervisor, sue; by default with five positions and simple limits."""
    plain: dict[str, Any] = {
        "by": "sue",
        "table": "T1",
        "edition": rules.id,
        "layout": next(iter(rules.layouts)),
        "positions": 5,
        "limits": limits(1000, 100_000),
        "source": "virtual",
    }
    return c.OpenTable(**(plain | settings))


def shoe(rules: Rulebook, top: str, decks: int | None = None) -> c.LoadShoe:
    """A virtual shoe with these cards on top, the rest as new decks come."""
    decks = decks or rules.procedure.decks_default
    rest = [str(card) for card in DECK * decks]
    faces = top.split()
    for face in faces:
        rest.remove(face)
    order = (*faces, *rest)
    return c.LoadShoe(by="sue", count=len(order), shuffled=True, order=order)


def seated(name: str, box: int, chips: int = 1_000_000) -> tuple[c.AnyCommand, ...]:
    return (c.Join(patron=name, chips_cents=Cents(chips)), c.Sit(patron=name, box=box))


def standing(name: str, chips: int = 1_000_000) -> c.Join:
    return c.Join(patron=name, chips_cents=Cents(chips))


def wager(name: str, box: int, bet: str, stake: int) -> c.PlaceWager:
    return c.PlaceWager(patron=name, box=box, bet=bet, stake_cents=Cents(stake))


OPEN: Final = c.OpenBetting(by="sue")
CLOSE: Final = c.CloseBetting(by="sue")
DRAW: Final = c.DrawCard(by="sue")
SETTLE: Final = c.Settle(by="sue")
FOUR: Final = (DRAW, DRAW, DRAW, DRAW)
DEALER: Final = c.StartDuty(name="dan", rank=Rank.DEALER)


def given(rules: Rulebook, *commands: c.AnyCommand, table: Table = NEW) -> Table:
    """A table at which all these commands were accepted."""
    for command in commands:
        table, answer = apply(rules, table, command)
        assert not isinstance(answer, Refusal), f"{command}: {answer}"
    return table


def when(rules: Rulebook, table: Table, command: c.AnyCommand) -> tuple[e.AnyEvent, ...]:
    """The events that a command leads to."""
    answer = decide(rules, table, command)
    assert not isinstance(answer, Refusal), answer
    assert evolve_all(table, answer).version == table.version + len(answer)
    return answer


def refused(rules: Rulebook, table: Table, command: c.AnyCommand) -> str:
    """The code of a refusal, whose paragraph the edition knows."""
    answer = decide(rules, table, command)
    assert isinstance(answer, Refusal), answer
    assert rules.knows(answer.paragraph or ""), answer
    return answer.code


def kinds(events: tuple[e.AnyEvent, ...]) -> list[str]:
    return [type(event).__name__ for event in events]
