"""Every kind of question, answered by the game, the odds and the rulebooks. Plain values in, plain values out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from punto import money
from punto.cards import card, cards
from punto.conformance.engine.limits import box
from punto.conformance.engine.play import play
from punto.game import coup as coups
from punto.game import insurance, outcome, roads, settlement
from punto.game.refusals import Refusal
from punto.house.table import edition as editions
from punto.odds.sheet import sheet
from punto.odds.value import Value
from punto.rulebook import in_force
from punto.rulebook.load import catalogue
from punto.rulebook.model import Bet, Insurance, Moment, Rulebook

Input = Mapping[str, Any]
Answer = dict[str, Any]

REFUSED: Final[Answer] = {"refused": True}


def answer(ask: str, edition: str, asked: Input) -> Answer | None:
    """The answer, or None for a kind of question that is not known here."""
    if ask in OF_AN_EDITION:
        return OF_AN_EDITION[ask](editions.named(edition), asked)
    return OF_NONE[ask](asked) if ask in OF_NONE else None


def _deal(rules: Rulebook, asked: Input) -> Answer:
    coup, _ = coups.deal(rules.table_of_play, tuple(map(card, asked["cards"])))
    return {"player": [str(one) for one in coup.player], "banker": [str(one) for one in coup.banker]}


def _coup(asked: Input) -> coups.Coup:
    return coups.Coup(tuple(map(card, asked["player"])), tuple(map(card, asked["banker"])))


def _outcome(rules: Rulebook, asked: Input) -> Answer:
    coup = _coup(asked)
    verdicts = settlement.pay_table(rules)[outcome.outcome_of(coup)]
    return {
        "winner": coup.winner,
        "player_points": coup.player_points,
        "banker_points": coup.banker_points,
        "bets": {bet: verdicts[bet].result for bet in asked["bets"]},
    }


def _wagers(asked: Input) -> tuple[settlement.Wager, ...]:
    return tuple(
        settlement.Wager(one["bet"], money.stake_cents(one["stake"]), id=one["id"]) for one in asked.get("wagers", ())
    )


def _insured(asked: Input) -> tuple[settlement.Insured, ...]:
    return tuple(
        settlement.Insured(one["bet"], Moment(one["after"]), money.stake_cents(one["stake"]), id=one["id"])
        for one in asked.get("insurance", ())
    )


def _limits(asked: Input) -> settlement.Limits:
    figures = asked.get("limits", {})
    return settlement.Limits(
        maximum_cents=_cents(figures.get("maximum")),
        maximum_differential_cents=_cents(figures.get("maximum_differential")),
    )


def _cents(amount: str | None) -> int | None:
    return None if amount is None else money.stake_cents(amount)


def _settle(rules: Rulebook, asked: Input) -> Answer:
    coup = _coup(asked)
    layout = rules.layouts.get(asked["layout"])
    if layout is None or coups.check(rules, coup) is not None:
        return REFUSED
    slip = settlement.settle(rules, layout, coup, _wagers(asked), _insured(asked), _limits(asked))
    if isinstance(slip, Refusal):
        return REFUSED
    lines = {
        str(one.id): {"result": one.result, "handed_back": money.amount(one.handed_back_cents)} for one in slip.lines
    }
    return {"refused": False, "lines": lines, "handed_back": money.amount(slip.handed_back_cents)}


def _offer(rules: Rulebook, asked: Input) -> Answer:
    found = insurance.offer(rules, Moment(asked["after"]), _coup(asked))
    return {"offer": None if found is None else {"bet": found.bet.value, "odds": str(found.odds)}}


def _most(rules: Rulebook, asked: Input) -> Answer:
    """The largest insurance stake that settlement takes beside what was taken before: found by halving."""
    coup, wagers, taken = _coup(asked), _wagers(asked), _insured(asked)
    limits, after = _limits(asked), Moment(asked["after"])
    bet = Insurance(asked["bet"]).value

    def taken_too(stake: int) -> bool:
        more = settlement.Insured(bet, after, stake, id="more")
        return settlement.check_insurance(rules, coup, wagers, (*taken, more), limits) is None

    low, high = 0, sum(one.stake_cents for one in wagers) + 1
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if taken_too(middle) else (low, middle)
    return {"most": money.amount(low)}


def _odds(rules: Rulebook, asked: Input) -> Answer:
    found = sheet(rules, asked["decks"], cards(" ".join(asked["removed"])))
    return {"bets": {bet: _worth(found.bets[Bet(bet)]) for bet in asked["bets"]}}


def _worth(value: Value) -> Answer:
    shares = {result: Fraction(0) for result in ("won", "returned", "lost")}
    for way in value.ways:
        shares[way.result] += value.probability(way)
    return {name: str(share) for name, share in shares.items()} | {"expectation": str(value.expectation)}


def _box(rules: Rulebook, asked: Input) -> Answer:
    return box(rules, asked)


def _play(rules: Rulebook, asked: Input) -> Answer:
    return play(asked["commands"])


@lru_cache(maxsize=8)
def _boards(results: str) -> dict[str, Any]:
    return roads.to_json(roads.roads(results))


def _derived(asked: Input) -> Answer:
    found = _boards(asked["results"])
    return {name: found[name]["sequence"] for name in ("big_eye", "small", "cockroach")}


def _next(asked: Input) -> Answer:
    found = _boards(asked["results"])["ask"]
    return {"banker": found["B"], "player": found["P"]}


def _rows(board: str) -> Callable[[Input], Answer]:
    return lambda asked: {"rows": _boards(asked["results"])[board]}


def _in_force(asked: Input) -> Answer:
    if asked["game"] not in {source.game for source in catalogue()}:
        return {"edition": None}
    try:
        return {"edition": in_force.in_force(asked["game"], in_force.instant(asked["on"])).edition}
    except ValueError:
        return {"edition": None}


OF_AN_EDITION: Final[dict[str, Callable[[Rulebook, Input], Answer]]] = {
    "deal": _deal,
    "outcome": _outcome,
    "settle": _settle,
    "offer": _offer,
    "most": _most,
    "box": _box,
    "play": _play,
    "odds": _odds,
}

OF_NONE: Final[dict[str, Callable[[Input], Answer]]] = {
    "derived": _derived,
    "next": _next,
    "bead": _rows("bead"),
    "big-road": _rows("big_road"),
    "in-force": _in_force,
}
