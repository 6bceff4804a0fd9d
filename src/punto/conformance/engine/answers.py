"""Answer every kind of question with the game, the odds and the rulebooks. Input and output are plain values."""

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
from punto.house.table import governing_edition as editions
from punto.odds.sheet import sheet
from punto.odds.value import Value
from punto.rulebook import in_force
from punto.rulebook.load import catalogue
from punto.rulebook.model import Bet, Insurance, Moment, Rulebook

Input = Mapping[str, Any]
Answer = dict[str, Any]

REFUSED: Final[Answer] = {"refused": True}


def answer(ask: str, edition: str, question: Input) -> Answer | None:
    """The answer, or None for an unknown kind of question."""
    if ask in OF_AN_EDITION:
        return OF_AN_EDITION[ask](editions.named(edition), question)
    return OF_NONE[ask](question) if ask in OF_NONE else None


def _deal(rules: Rulebook, question: Input) -> Answer:
    coup, _ = coups.deal(rules.table_of_play, tuple(map(card, question["cards"])))
    return {"player": [str(card) for card in coup.player], "banker": [str(card) for card in coup.banker]}


def _coup(question: Input) -> coups.Coup:
    return coups.Coup(tuple(map(card, question["player"])), tuple(map(card, question["banker"])))


def _outcome(rules: Rulebook, question: Input) -> Answer:
    coup = _coup(question)
    verdicts = settlement.pay_table(rules)[outcome.outcome_of(coup)]
    return {
        "winner": coup.winner,
        "player_points": coup.player_points,
        "banker_points": coup.banker_points,
        "bets": {bet: verdicts[bet].result for bet in question["bets"]},
    }


def _wagers(question: Input) -> tuple[settlement.Wager, ...]:
    return tuple(
        settlement.Wager(wager["bet"], money.stake_cents(wager["stake"]), id=wager["id"])
        for wager in question.get("wagers", ())
    )


def _insured(question: Input) -> tuple[settlement.Insured, ...]:
    return tuple(
        settlement.Insured(taken["bet"], Moment(taken["after"]), money.stake_cents(taken["stake"]), id=taken["id"])
        for taken in question.get("insurance", ())
    )


def _limits(question: Input) -> settlement.Limits:
    figures = question.get("limits", {})
    return settlement.Limits(
        maximum_cents=_cents(figures.get("maximum")),
        maximum_differential_cents=_cents(figures.get("maximum_differential")),
    )


def _cents(amount: str | None) -> int | None:
    return None if amount is None else money.stake_cents(amount)


def _settle(rules: Rulebook, question: Input) -> Answer:
    coup = _coup(question)
    layout = rules.layouts.get(question["layout"])
    if layout is None or coups.check(rules, coup) is not None:
        return REFUSED
    slip = settlement.settle(rules, layout, coup, _wagers(question), _insured(question), _limits(question))
    if isinstance(slip, Refusal):
        return REFUSED
    lines = {
        str(line.id): {"result": line.result, "handed_back": money.amount(line.handed_back_cents)}
        for line in slip.lines
    }
    return {"refused": False, "lines": lines, "handed_back": money.amount(slip.handed_back_cents)}


def _offer(rules: Rulebook, question: Input) -> Answer:
    offer = insurance.offer(rules, Moment(question["after"]), _coup(question))
    return {"offer": None if offer is None else {"bet": offer.bet.value, "odds": str(offer.odds)}}


def _most(rules: Rulebook, question: Input) -> Answer:
    """The largest further insurance stake that settlement accepts, found by binary search."""
    coup, wagers, taken = _coup(question), _wagers(question), _insured(question)
    limits, after = _limits(question), Moment(question["after"])
    bet = Insurance(question["bet"]).value

    def taken_too(stake: int) -> bool:
        more = settlement.Insured(bet, after, stake, id="more")
        return settlement.check_insurance(rules, coup, wagers, (*taken, more), limits) is None

    low, high = 0, sum(wager.stake_cents for wager in wagers) + 1
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if taken_too(middle) else (low, middle)
    return {"most": money.amount(low)}


def _odds(rules: Rulebook, question: Input) -> Answer:
    worth = sheet(rules, question["decks"], cards(" ".join(question["removed"])))
    return {"bets": {bet: _worth(worth.bets[Bet(bet)]) for bet in question["bets"]}}


def _worth(value: Value) -> Answer:
    shares = {result: Fraction(0) for result in ("won", "returned", "lost")}
    for way in value.ways:
        shares[way.result] += value.probability(way)
    return {name: str(share) for name, share in shares.items()} | {"expectation": str(value.expectation)}


def _box(rules: Rulebook, question: Input) -> Answer:
    return box(rules, question)


def _play(rules: Rulebook, question: Input) -> Answer:
    return play(question["commands"])


@lru_cache(maxsize=8)
def _boards(results: str) -> dict[str, Any]:
    return roads.to_json(roads.roads(results))


def _derived(question: Input) -> Answer:
    boards = _boards(question["results"])
    return {name: boards[name]["sequence"] for name in ("big_eye", "small", "cockroach")}


def _next(question: Input) -> Answer:
    next_marks = _boards(question["results"])["ask"]
    return {"banker": next_marks["B"], "player": next_marks["P"]}


def _rows(board: str) -> Callable[[Input], Answer]:
    return lambda question: {"rows": _boards(question["results"])[board]}


def _in_force(question: Input) -> Answer:
    if question["game"] not in {source.game for source in catalogue()}:
        return {"edition": None}
    try:
        return {"edition": in_force.in_force(question["game"], in_force.instant(question["on"])).edition}
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
