"""7.3, 8.2, 9.3 and 10.4 of the Live page: bets that are open only for the first hands of a shoe (L4)."""

from __future__ import annotations

from punto.game import commands as c
from punto.game import wagers
from punto.rulebook.model import Rulebook
from tests.rules.breaking_tables import (
    hands,
    step,
)
from tests.rules.proving import proves
from tests.rules.seating import Seating, place

INTERRUPTED = c.ReportIrregularity(by="dora", kind="interruption")


def at_hand(table: Seating, number: int) -> None:
    """Betting is open in that hand of the shoe. The hands before it were interrupted and void, and count (L4)."""
    while table.table.in_use.hands < number - 1:
        table.do(
            c.OpenBetting(by="dora"), c.CloseBetting(by="dora"), c.ReportIrregularity(by="dora", kind="interruption")
        )
    table.do(c.OpenBetting(by="dora"))


def open_until(rules: Rulebook, last: int, paragraph: str, *bets: str) -> None:
    """These bets are open up to that hand and not in the next; at a virtual table they stay open."""
    live, virtual = Seating(rules), Seating(rules, order="AS")
    for table in (live, virtual):
        at_hand(table, last)
        table.do(*(place("ann", bet, 10_00) for bet in bets))
        table.do(c.CloseBetting(by="dora"), INTERRUPTED)
        at_hand(table, last + 1)
    for bet in bets:
        assert live.refused(place("ann", bet, 10_00)) == ("bet-closed-for-hand", paragraph), bet
    live.do(place("ann", "player", 10_00), place("ann", "tie", 10_00))
    virtual.do(*(place("ann", bet, 10_00) for bet in bets))


ALSO_VIRTUAL = step(wagers, "open_in_hand", lambda rule, table, hand: rule.hands is None or hand <= rule.hands)
PAIRS = ("player_pair", "banker_pair")
NATURALS = ("player_natural_8", "player_natural_9", "banker_natural_8", "banker_natural_9")


@proves("hands.big-small", broken_by=(hands(29, "small"), hands(31, "big"), hands(None, "small"), ALSO_VIRTUAL))
def big_and_small(rules: Rulebook) -> None:
    open_until(rules, 30, "7.3", "big", "small")


@proves("hands.pairs", broken_by=(hands(59, "player_pair"), hands(61, "banker_pair"), ALSO_VIRTUAL))
def pairs(rules: Rulebook) -> None:
    open_until(rules, 60, "8.2", *PAIRS)


@proves("hands.naturals", broken_by=(*(hands(61, bet) for bet in NATURALS), hands(59, *NATURALS), ALSO_VIRTUAL))
def naturals(rules: Rulebook) -> None:
    open_until(rules, 60, "9.3", *NATURALS)


@proves("hands.super_6_plus", broken_by=(hands(59, "super_6_plus"), hands(None, "super_6_plus"), ALSO_VIRTUAL))
def super_6_plus(rules: Rulebook) -> None:
    open_until(rules, 60, "10.4", "super_6_plus")
