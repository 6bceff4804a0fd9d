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
from punto.game.settle_round import insurance_lines, insurance_verdict
from punto.game.settlement import Line, Verdict, Wager, line, pay_table
from punto.game.table import Offered, Round, SettledLine, Table
from punto.money import Cents
from punto.rulebook.model import Bet, Rulebook, Side

COUNTED = (Bet.PLAYER, Bet.BANKER, Bet.TIE)
"""Bets that the winner alone decides. Other side bets depend on the cards too."""
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
    """The ends for nothing more, a quarter, a half and the whole of what the patron may stake."""
    most = min(insurance_offers.open_most_cents(rules, table, name, offer), table.patrons[name].balance_cents)
    command = c.TakeInsurance(patron=name, bet=offer.bet, after=offer.after, stake_cents=Cents(most))
    answer = insurance_offers.take(rules, table, command)
    ends = _ends(rules, table.current, name)
    if isinstance(answer, Refusal):
        return (Insuring(stake_cents=Cents(0), ends=ends),)
    taken = evolve_all(table, answer).current.insurance[-1]
    verdicts = {winner: insurance_verdict(rules, taken, winner) for winner in ends}
    stakes = dict.fromkeys((0, _part(most, 1), _part(most, 2), most))
    return tuple(Insuring(stake_cents=Cents(stake), ends=_with(ends, stake, verdicts)) for stake in stakes)


def _part(most_cents: int, quarters: int) -> int:
    """In whole units where that leaves anything."""
    exact = most_cents * quarters // 4
    return exact - exact % 100 or exact


def _with(ends: dict[str, Net], stake_cents: int, verdicts: dict[str, Verdict]) -> dict[str, Net]:
    """The ends if the patron stakes this much on insurance as well."""
    added = {winner: _gain(line(Wager("", stake_cents), verdict)) for winner, verdict in verdicts.items()}
    return {
        winner: _net(ending.low_cents + added[winner], ending.high_cents + added[winner])
        for winner, ending in ends.items()
    }


def _net(low: int, high: int) -> Net:
    return Net(low_cents=Cents(low), high_cents=Cents(high))


def _gain(settled: Line | SettledLine) -> int:
    return settled.handed_back_cents - settled.stake_cents


def _ends(rules: Rulebook, current: Round, name: str) -> dict[str, Net]:
    """What each end would give with the wagers and the insurance that a patron has now."""
    mine = [wager for wager in current.wagers.values() if wager.patron == name and wager.bet in COUNTED]
    insured = [taken for taken in current.insurance if taken.patron == name]
    nets: dict[str, list[int]] = {}
    for winner, verdicts in _verdicts(rules, current.coup):
        net = sum(
            _gain(line(Wager(taken.bet, taken.in_play_cents), verdicts[COUNTED.index(taken.bet)])) for taken in mine
        )
        nets.setdefault(winner, []).append(net)
    ways = [winner for winner in (Side.PLAYER.value, Side.BANKER.value, "tie") if winner in nets]
    kept = {way: sum(_gain(line) for taken in insured for line in insurance_lines(rules, taken, way)) for way in ways}
    return {way: _net(min(nets[way]) + kept[way], max(nets[way]) + kept[way]) for way in ways}


@lru_cache(maxsize=256)
def _verdicts(rules: Rulebook, coup: Coup) -> tuple[tuple[str, tuple[Verdict, ...]], ...]:
    """Every combination of verdicts on the counted bets, with its winner: far fewer cases than outcomes."""
    paid = pay_table(rules)
    verdicts = ((winner, tuple(paid[outcome][bet] for bet in COUNTED)) for winner, outcome in _reachable(rules, coup))
    return tuple(dict.fromkeys(verdicts))


@lru_cache(maxsize=256)
def _reachable(rules: Rulebook, coup: Coup) -> tuple[tuple[str, Outcome], ...]:
    """The outcomes to which the cards that are still to come can lead, with their winners."""
    side = next_side(rules.table_of_play, coup.player, coup.banker)
    if side is None:
        return ((coup.winner, outcome_of(coup)),)
    further = (
        Coup((*coup.player, card), coup.banker) if side is Side.PLAYER else Coup(coup.player, (*coup.banker, card))
        for card in _DRAWN
    )
    return tuple(dict.fromkeys(ending for coup in further for ending in _reachable(rules, coup)))
