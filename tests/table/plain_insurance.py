"""P4 a second time, plainly: how much a patron may still stake at an open offer."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from punto.game.table import Offered, Table
from punto.rulebook.model import Rulebook


def most(rules: Rulebook, table: Table, patron: str, offer: Offered) -> int:
    """Live: what the round's insurance could win is at most the Original Bet. Tiger Buffalo: the
    stakes at an offer are at most that, and at 10 to 1 at most a quarter of the maximum (else of the Differential)."""
    current, limits = table.current, table.opened.limits
    hand = offer.bet.value.removesuffix("_insurance")
    original = sum(
        wager.in_play_cents for wager in current.wagers.values() if (wager.patron, wager.bet) == (patron, hand)
    )
    mine = [taken for taken in current.insurance if (taken.patron, taken.bet) == (patron, offer.bet)]
    if rules.source.game.startswith("live-"):
        could_win = sum((taken.stake_cents * taken.odds for taken in mine), Fraction(0))
        return max(0, floor((original - could_win) / offer.odds))
    room = original
    if offer.odds == 10:
        own = next((figures.maximum_cents for bet, figures in limits.bets.items() if bet == hand), None)
        known = [cents for cents in (own, limits.maximum_cents, limits.maximum_differential_cents) if cents is not None]
        highest = known[0]
        room = min(room, highest // 4)
    return max(0, room - sum(taken.stake_cents for taken in mine if taken.after == offer.after))
