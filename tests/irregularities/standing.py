"""A table brought to every phase, the same way in every edition, with two rounds behind it.

Every round is Player KH 7D (7, stands) against Banker 2S 3C (5, draws 4H: 9). ann has Player and lets insurance pass;
bob has Player too, and the Dealer puts bob's insurance on the wrong side. Round 1 is past, round 2 is the last settled.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from punto.game import commands as c
from punto.game.refusals import Refusal
from punto.game.table import Phase, TableLimits
from punto.money import Cents
from punto.rulebook.model import Insurance, Rank
from tests.irregularities.laws import BOOKS, Ruled

STAFF: Final = {
    Rank.DEALER: "dora",
    Rank.PIT_SUPERVISOR: "sam",
    Rank.PIT_MANAGER: "mia",
    Rank.SHIFT_MANAGER: "tess",
}
CARDS: Final = ("KH", "2S", "7D", "3C", "4H")


def opened(
    edition: str,
    *,
    facing: str = "up",
    high_limit: bool = True,
    private: bool = False,
    differential: int = 100_000,
    device: str = "shoe",
    decks: int = 8,
) -> Ruled:
    """A table with staff and patrons, before its first shoe."""
    rules = BOOKS[edition]
    ruled = Ruled(rules, closely=True)
    layout = next(iter(rules.layouts.values()))
    do(
        ruled,
        c.OpenTable(
            by="sam",
            table="T1",
            edition=edition,
            layout=layout.id,
            positions=layout.positions[1],
            limits=TableLimits(minimum_cents=Cents(1_000), maximum_differential_cents=Cents(differential)),
            high_limit=high_limit,
            facing=facing,
            private=private,
            device=device,
            decks=decks,
        ),
    )
    for rank, name in STAFF.items():
        if name != "sam":
            do(ruled, c.StartDuty(name=name, rank=rank))
    for box, name in enumerate(("ann", "bob"), 1):
        do(ruled, c.Join(patron=name, chips_cents=Cents(100_000)), c.Sit(patron=name, box=box))
    return ruled


def do(ruled: Ruled, *commands: c.AnyCommand) -> None:
    """Commands that must be carried out."""
    for command in commands:
        answer = ruled.send(command)
        assert not isinstance(answer, Refusal), f"{command}: {answer}"


def load(ruled: Ruled) -> None:
    do(ruled, c.LoadShoe(by="dora", count=52 * ruled.table.opened.decks, shuffled=True))


def commence(ruled: Ruled) -> None:
    load(ruled)
    if ruled.table.phase is Phase.COMMENCING:
        do(ruled, c.Burn(by="dora", card="AS"))


def bet(ruled: Ruled) -> None:
    do(ruled, c.OpenBetting(by="dora"))
    for box, name in enumerate(("ann", "bob"), 1):
        do(ruled, c.PlaceWager(patron=name, box=box, bet="player", stake_cents=Cents(10_000)))


def deal(ruled: Ruled, number: int) -> None:
    """Close betting and draw this many cards; where they lie face down the first four are turned."""
    do(ruled, c.CloseBetting(by="dora"))
    for face in CARDS[:number]:
        do(ruled, c.DrawCard(by="dora", card=face if ruled.table.opened.facing == "up" else None))
        if ruled.table.opened.facing == "down" and len(ruled.table.current.cards) == 4:
            turn(ruled)
        if ruled.table.phase is Phase.OFFER:
            insure(ruled)


def turn(ruled: Ruled) -> None:
    for at, card in enumerate(ruled.table.current.cards):
        if not card.exposed:
            do(ruled, c.ExposeCard(by="dora", place=card.place, card=CARDS[at]))


def insure(ruled: Ruled) -> None:
    """bob insures Player, and the Dealer puts the chips on the Banker's side."""
    take = c.TakeInsurance(
        patron="bob", bet=Insurance.PLAYER, stake_cents=Cents(1_000), area=Insurance.BANKER, by="dora"
    )
    do(ruled, take)


def whole_round(ruled: Ruled) -> None:
    bet(ruled)
    deal(ruled, 5)
    if ruled.table.opened.facing == "down":
        turn(ruled)
    do(ruled, c.Settle(by="dora"))


def standing(edition: str, phase: Phase, *, facing: str = "up") -> Ruled | None:
    """A table in that phase; None where the edition has no such phase."""
    kept = _standing(edition, phase, facing)
    return None if kept is None else kept.fork()


@cache
def _standing(edition: str, phase: Phase, facing: str) -> Ruled | None:
    ruled = opened(edition, facing=facing)
    live = ruled.opened_under.procedure.burn != "none"
    if phase is Phase.COMMENCING and not live:
        return None
    if phase is Phase.CUT_CARD and not ruled.opened_under.procedure.cut_card_withdraw:
        return None
    commence(ruled)
    whole_round(ruled)
    whole_round(ruled)
    match phase:
        case Phase.CLOSED:
            do(ruled, c.CloseTable(by="dora"))
        case Phase.NO_SHOE | Phase.COMMENCING | Phase.READY:
            do(ruled, c.EndShoe(by="dora"))
            if phase is Phase.COMMENCING:
                load(ruled)
            elif phase is Phase.READY:
                commence(ruled)
        case Phase.SETTLED:
            pass
        case _:
            bet(ruled)
            _in_play(ruled, phase)
    assert ruled.table.phase is phase
    return ruled


def _in_play(ruled: Ruled, phase: Phase) -> None:
    match phase:
        case Phase.BETTING:
            pass
        case Phase.CUT_CARD:
            deal(ruled, 0)
            do(ruled, c.DrawCutCard(by="dora"))
        case Phase.DEALING:
            deal(ruled, 2)
        case Phase.OFFER:
            deal(ruled, 4)
        case Phase.COMPLETE:
            deal(ruled, 5)
            if ruled.table.opened.facing == "down":
                turn(ruled)
        case _:
            deal(ruled, 2)
            do(ruled, c.ReportIrregularity(by="dora", kind="discretion"))
            if phase is Phase.OPTIONS:
                do(ruled, c.DecideIrregularity(by="tess", reason="fair", action="options"))
