"""Expected answers of deal, outcome, settle and insurance, by the second implementation and nothing of Punto's."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Any, Final

from tests.conformance.oracle_coups import Hands
from tests.oracle import plain

Asked = dict[str, Any]
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
    """As few layouts as have every bet of the edition between them, the earlier letter first."""
    game, day = split(edition)
    missing = set(plain.bets_of(game, day))
    chosen = []
    while missing:
        best = max(plain.layouts(game, day), key=lambda one: len(missing & set(plain.bets_on(game, day, one))))
        chosen.append(best)
        missing -= set(plain.bets_on(game, day, best))
    return chosen


def outcome(edition: str, hands: Hands, bets: tuple[str, ...]) -> Asked:
    results = {bet: plain.settle_bet(*split(edition), bet, hands.player, hands.banker)[0] for bet in bets}
    return {
        "winner": plain.winner(hands.player, hands.banker),
        "player_points": plain.points(hands.player),
        "banker_points": plain.points(hands.banker),
        "bets": results,
    }


def settled(edition: str, hands: Hands, wagers: list[Asked], insurance: list[Asked]) -> Asked:
    found = _slip(edition, hands, wagers, insurance)
    lines = {one["id"]: {"result": one["result"], "handed_back": one["handed_back"]} for one in found["lines"]}
    return {"refused": False, "lines": lines, "handed_back": found["handed_back"]}


def paragraphs(edition: str, hands: Hands, wagers: list[Asked], insurance: list[Asked]) -> tuple[str, ...]:
    """Of the lines, each once."""
    found = _slip(edition, hands, wagers, insurance)
    return tuple(dict.fromkeys(one["paragraph"] for one in found["lines"]))


def _slip(edition: str, hands: Hands, wagers: list[Asked], insurance: list[Asked]) -> Asked:
    game, day = split(edition)
    record = {"player": hands.player, "banker": hands.banker, "wagers": wagers, "insurance": insurance}
    return plain.settle_record({"game": game, "edition": day, **record})


def roundings(stake: str, odds: Fraction) -> tuple[str, tuple[str, ...]]:
    """What a won stake hands back in whole cents: as Punto rounds it, and the other ways (M1)."""
    exact = plain.cents(stake) * (1 + odds)
    here = plain.cents(stake) + plain.winnings_in_cents(plain.cents(stake), odds)
    others = sorted({floor(exact), ceil(exact)} - {here})
    return plain.amount(here), tuple(plain.amount(one) for one in others)


def offer(edition: str, after: str, hands: Hands) -> Asked:
    found = plain.offer(*split(edition), after, hands.player, hands.banker)
    return {"offer": None if found is None else {"bet": found[0], "odds": str(found[1])}}


def most_cents(edition: str, bet: str, after: str, hands: Hands, asked: Asked) -> int:
    """P2 to P6 by hand: the largest further stake, nothing where there is no offer or no right to it."""
    found = plain.offer(*split(edition), after, hands.player, hands.banker)
    side = bet.removesuffix("_insurance")
    staked = {one["bet"]: 0 for one in asked["wagers"]}
    for one in asked["wagers"]:
        staked[one["bet"]] += plain.cents(one["stake"])
    if found is None or found[0] != bet or not staked.get(side):
        return 0
    live = edition.startswith("live-")
    if live and staked.get("player") and staked.get("banker"):
        return 0
    mine = [one for one in asked.get("insurance", []) if one["bet"] == bet]
    if live:
        could_win = Fraction(0)
        for one in mine:
            earlier = plain.offer(*split(edition), one["after"], hands.player, hands.banker)
            assert earlier is not None
            could_win += plain.cents(one["stake"]) * earlier[1]
        return max(0, floor((staked[side] - could_win) / found[1]))
    if after == "player-third" and _let_pass(edition, hands, staked, asked):
        return 0
    room = staked[side]
    if found[1] == 10:
        figures = asked.get("limits", {})
        highest = figures.get("maximum", figures.get("maximum_differential"))
        if highest is not None:
            room = min(room, plain.cents(highest) // 4)
    return max(0, room - sum(plain.cents(one["stake"]) for one in mine if one["after"] == after))


def _let_pass(edition: str, hands: Hands, staked: dict[str, int], asked: Asked) -> bool:
    """5.3: an offer after four cards on a wager of theirs was open, and they took none."""
    earlier = plain.offer(*split(edition), "four-cards", hands.player, hands.banker)
    took = any(one["after"] == "four-cards" for one in asked.get("insurance", []))
    return earlier is not None and bool(staked.get(earlier[0].removesuffix("_insurance"))) and not took
