"""`punto settle` for one record, and what is wrong with its insurance by a plain reading of P2 to P6 and W6."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from typing import Any

from punto.game.record import settle_line
from punto.rulebook import in_force
from punto.rulebook.model import Rulebook
from tests.oracle import plain
from tests.properties.rounds import Edition, book
from tests.properties.strategies import MOMENTS

NOBODY = "patron"


def governing(game: str, edition: str | None, on: str | None) -> tuple[Rulebook, str | None]:
    if edition is not None:
        return book((game, edition)), None
    assert on is not None
    return in_force.governing(game, in_force.instant(on)), None


def answer(record: dict[str, Any]) -> dict[str, Any]:
    """The answer to a record, as a script would read it."""
    line, good = settle_line(json.dumps(record).encode(), governing)
    reply = json.loads(line)
    assert isinstance(reply, dict)
    assert good == ("error" not in reply)
    return reply


def faults(record: dict[str, Any]) -> set[str]:
    """Every code that applies to some insurance wager of the record. With no code, the record is settled."""
    edition: Edition = (record["game"], record["edition"])
    live = plain.is_live(edition[0])
    original: Counter[tuple[str, str]] = Counter()
    for wager in record["wagers"]:
        original[wager.get("patron", NOBODY), wager["bet"]] += plain.cents(wager["stake"])
    offers = {after: plain.offer(*edition, after, record["player"], record["banker"]) for after in MOMENTS}
    taken = record["insurance"]
    took_after_four = {insured.get("patron", NOBODY) for insured in taken if insured["after"] == "four-cards"}
    codes = set()
    staked: Counter[tuple[str, str, str]] = Counter()
    could_win: dict[tuple[str, str], Fraction] = {}
    for cover in taken:
        patron, bet, after = cover.get("patron", NOBODY), cover["bet"], cover["after"]
        hand = bet.removesuffix("_insurance")
        if not original[patron, hand]:
            codes.add("no-original-bet")  # P2 (c)
        elif live and original[patron, "player"] and original[patron, "banker"]:
            codes.add("no-such-offer")  # P3, L9
        offered, first = offers[after], offers["four-cards"]
        if offered is None or offered[0] != bet:
            codes.add("no-such-offer")  # P2 (a), (b)
            continue
        had_one = first is not None and original[patron, first[0].removesuffix("_insurance")]
        if not live and after == "player-third" and had_one and patron not in took_after_four:
            codes.add("insurance-forgone")  # P6
        staked[patron, bet, after] += plain.cents(cover["stake"])
        earlier = could_win.get((patron, bet), Fraction(0))
        could_win[patron, bet] = earlier + plain.cents(cover["stake"]) * offered[1]
    if live:  # P4, W6: over the whole round, on the exact product
        for (patron, bet), winnings in could_win.items():
            if winnings > original[patron, bet.removesuffix("_insurance")]:
                codes.add("insurance-over-limit")
        return codes
    limits = record.get("limits", {})
    maximum = limits.get("maximum", limits.get("maximum_differential"))
    for (patron, bet, after), total in staked.items():  # P4: at each offer
        offered = offers[after]
        quarter_binds = maximum is not None and offered is not None and offered[1] == 10
        if total > original[patron, bet.removesuffix("_insurance")]:
            codes.add("insurance-over-limit")
        if quarter_binds and total > plain.cents(maximum) * 25 // 100:
            codes.add("insurance-over-limit")
    return codes
