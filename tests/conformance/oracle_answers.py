"""Expected answers of deal, outcome, settle and insurance, by the second implementation, without Punto's code."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Any, Final

from tests.conformance.oracle_coups import Hands
from tests.oracle import plain

JsonObject = dict[str, Any]
MAIN: Final = ("player", "banker", "tie")
PAIRS: Final = ("player_pair", "banker_pair")


def split(edition: str) -> tuple[str, str]:
    game, _, day = edition.partition("/")
    return game, day


def groups(edition: str) -> list[tuple[str, ...]]:
    """The bets of an edition: those that every library has, the pairs, and the rest."""
    bets = plain.bets_of(*split(edition))
    rest = tuple(bet for bet in bets if bet not in MAIN and bet not in PAIRS)
    return [MAIN, PAIRS, rest]


def layouts(edition: str) -> list[str]:
    """Layouts that together have every bet of the edition: each adds the most new bets, the earlier letter first."""
    game, day = split(edition)
    missing = set(plain.bets_of(game, day))
    chosen = []
    while missing:
        best = max(plain.layouts(game, day), key=lambda layout: len(missing & set(plain.bets_on(game, day, layout))))
        chosen.append(best)
        missing -= set(plain.bets_on(game, day, best))
    return chosen


def outcome(edition: str, hands: Hands, bets: tuple[str, ...]) -> JsonObject:
    results = {bet: plain.settle_bet(*split(edition), bet, hands.player, hands.banker)[0] for bet in bets}
    return {
        "winner": plain.winner(hands.player, hands.banker),
        "player_points": plain.points(hands.player),
        "banker_points": plain.points(hands.banker),
        "bets": results,
    }


def settled(edition: str, hands: Hands, wagers: list[JsonObject], insurance: list[JsonObject]) -> JsonObject:
    slip = _slip(edition, hands, wagers, insurance)
    lines = {line["id"]: {"result": line["result"], "handed_back": line["handed_back"]} for line in slip["lines"]}
    return {"refused": False, "lines": lines, "handed_back": slip["handed_back"]}


def paragraphs(edition: str, hands: Hands, wagers: list[JsonObject], insurance: list[JsonObject]) -> tuple[str, ...]:
    """The paragraphs of the lines, each once."""
    slip = _slip(edition, hands, wagers, insurance)
    return tuple(dict.fromkeys(line["paragraph"] for line in slip["lines"]))


def _slip(edition: str, hands: Hands, wagers: list[JsonObject], insurance: list[JsonObject]) -> JsonObject:
    game, day = split(edition)
    record = {"player": hands.player, "banker": hands.banker, "wagers": wagers, "insurance": insurance}
    return plain.settle_record({"game": game, "edition": day, **record})


def roundings(stake: str, odds: Fraction) -> tuple[str, tuple[str, ...]]:
    """What a won stake hands back in whole cents: as Punto rounds it, and the other ways (M1)."""
    exact = plain.cents(stake) * (1 + odds)
    here = plain.cents(stake) + plain.winnings_in_cents(plain.cents(stake), odds)
    others = sorted({floor(exact), ceil(exact)} - {here})
    return plain.amount(here), tuple(plain.amount(cents) for cents in others)


def offer(edition: str, after: str, hands: Hands) -> JsonObject:
    open_offer = plain.offer(*split(edition), after, hands.player, hands.banker)
    return {"offer": None if open_offer is None else {"bet": open_offer[0], "odds": str(open_offer[1])}}


def most_cents(edition: str, bet: str, after: str, hands: Hands, question: JsonObject) -> int:
    """P2 to P6 by hand: the largest further stake, 0 where there is no offer or no right to it."""
    open_offer = plain.offer(*split(edition), after, hands.player, hands.banker)
    side = bet.removesuffix("_insurance")
    staked = {wager["bet"]: 0 for wager in question["wagers"]}
    for wager in question["wagers"]:
        staked[wager["bet"]] += plain.cents(wager["stake"])
    if open_offer is None or open_offer[0] != bet or not staked.get(side):
        return 0
    live = edition.startswith("live-")
    if live and staked.get("player") and staked.get("banker"):
        return 0
    mine = [wager for wager in question.get("insurance", []) if wager["bet"] == bet]
    if live:
        could_win = Fraction(0)
        for wager in mine:
            earlier = plain.offer(*split(edition), wager["after"], hands.player, hands.banker)
            assert earlier is not None
            could_win += plain.cents(wager["stake"]) * earlier[1]
        return max(0, floor((staked[side] - could_win) / open_offer[1]))
    if after == "player-third" and _let_pass(edition, hands, staked, question):
        return 0
    room = staked[side]
    if open_offer[1] == 10:
        figures = question.get("limits", {})
        highest = figures.get("maximum", figures.get("maximum_differential"))
        if highest is not None:
            room = min(room, plain.cents(highest) // 4)
    return max(0, room - sum(plain.cents(wager["stake"]) for wager in mine if wager["after"] == after))


def _let_pass(edition: str, hands: Hands, staked: dict[str, int], question: JsonObject) -> bool:
    """5.3: an offer after four cards on a wager of theirs was open, and they took none."""
    earlier = plain.offer(*split(edition), "four-cards", hands.player, hands.banker)
    took = any(wager["after"] == "four-cards" for wager in question.get("insurance", []))
    return earlier is not None and bool(staked.get(earlier[0].removesuffix("_insurance"))) and not took
