"""What each end of a round would give a patron who insures: worked out by the functions that take and settle."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from punto.cards import RANKS, card
from punto.game import commands as c
from punto.game import insurance_offers
from punto.game.coup import Coup, next_side
from punto.game.evolve import evolve_all
from punto.game.outcome import Outcome, outcome_of
from punto.game.refusals import Refusal
from punto.game.settlement import Wager, line, pay_table
from punto.game.settling import insurance_lines
from punto.game.table import Offered, Table
from punto.money import Cents
from punto.rulebook.model import Bet, Rulebook, Side

COUNTED = (Bet.PLAYER, Bet.BANKER, Bet.TIE)
"""Bets that who wins decides. What other side bets come to hangs on the cards too."""
_DRAWN = tuple(card(f"{rank}S") for rank in RANKS)


class Net(msgspec.Struct, frozen=True, kw_only=True):
    """What a patron is ahead by. It is a span where the pay table of a bet has several rows."""

    low_cents: Cents = msgspec.field(name="low")
    high_cents: Cents = msgspec.field(name="high")


class Insuring(msgspec.Struct, frozen=True, kw_only=True):
    """A stake that a patron may add at an offer, and what each winner that is still possible would give."""

    stake_cents: Cents = msgspec.field(name="stake")
    ends: dict[str, Net]


def insuring(rules: Rulebook, table: Table, name: str, offer: Offered) -> tuple[Insuring, ...]:
    """Nothing more, a quarter, a half and the whole of what the patron may stake."""
    most = min(insurance_offers.open_most_cents(rules, table, name, offer), table.patrons[name].balance_cents)
    found = []
    for stake in dict.fromkeys((0, _part(most, 1), _part(most, 2), most)):
        after = table
        if stake:
            command = c.TakeInsurance(patron=name, bet=offer.bet, after=offer.after, stake_cents=Cents(stake))
            taken = insurance_offers.take(rules, table, command)
            if isinstance(taken, Refusal):
                continue
            after = evolve_all(table, taken)
        found.append(Insuring(stake_cents=Cents(stake), ends=_ends(rules, after, name)))
    return tuple(found)


def _part(most_cents: int, quarters: int) -> int:
    """In whole units where that leaves anything."""
    exact = most_cents * quarters // 4
    return exact - exact % 100 or exact


def _ends(rules: Rulebook, table: Table, name: str) -> dict[str, Net]:
    current = table.current
    mine = [one for one in current.wagers.values() if one.patron == name and one.bet in COUNTED]
    insured = [one for one in current.insurance if one.patron == name]
    nets: dict[str, list[int]] = {}
    for winner, outcome in _reachable(rules, current.coup):
        verdicts = pay_table(rules)[outcome]
        lines = (line(Wager(one.bet, one.in_play_cents), verdicts[one.bet]) for one in mine)
        net = sum(one.handed_back_cents - one.stake_cents for one in lines)
        for taken in insured:
            net += sum(one.handed_back_cents - one.stake_cents for one in insurance_lines(rules, taken, winner))
        nets.setdefault(winner, []).append(net)
    ways = (Side.PLAYER.value, Side.BANKER.value, "tie")
    return {one: Net(low_cents=Cents(min(nets[one])), high_cents=Cents(max(nets[one]))) for one in ways if one in nets}


@lru_cache(maxsize=256)
def _reachable(rules: Rulebook, coup: Coup) -> tuple[tuple[str, Outcome], ...]:
    """The outcomes to which the cards that are still to come can lead, with their winners."""
    side = next_side(rules.table_of_play, coup.player, coup.banker)
    if side is None:
        return ((coup.winner, outcome_of(coup)),)
    further = (
        Coup((*coup.player, one), coup.banker) if side is Side.PLAYER else Coup(coup.player, (*coup.banker, one))
        for one in _DRAWN
    )
    return tuple(dict.fromkeys(found for one in further for found in _reachable(rules, one)))
