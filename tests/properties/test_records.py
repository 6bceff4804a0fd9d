"""Random records of `punto settle`, insurance included, against the oracle and a plain reading of P2 to P6 and W6."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from fractions import Fraction
from typing import Any

from hypothesis import event, given
from hypothesis import strategies as st

from punto.game.record import settle_line
from punto.rulebook import in_force
from punto.rulebook.model import Rulebook
from tests.oracle import plain
from tests.properties.rounds import Edition, book
from tests.properties.strategies import (
    LAW,
    MOMENTS,
    PATRONS,
    editions,
    hands,
    insured_records,
    offering,
    stakes,
    tables,
)

NOBODY = "patron"


def governing(game: str, edition: str | None, on: str | None) -> tuple[Rulebook, str | None]:
    if edition is not None:
        return book((game, edition)), None
    assert on is not None
    return in_force.governing(game, in_force.instant(on)), None


def answer(record: dict[str, Any]) -> dict[str, Any]:
    line, good = settle_line(json.dumps(record).encode(), governing)
    found = json.loads(line)
    assert isinstance(found, dict)
    assert good == ("error" not in found)
    return found


@LAW
@given(st.data())
def test_any_wagers(data: st.DataObject) -> None:
    """All bets of all layouts of all editions, cards in every spelling, stakes up to the largest."""
    edition, layout = data.draw(tables())
    player, banker = data.draw(hands())
    bets = st.sampled_from(plain.bets_on(*edition, layout))
    amounts = (stakes | st.integers(1, 10**15 - 1)).map(plain.amount)
    shape = {"bet": bets, "stake": amounts | st.integers(1, 99).map(str) | st.integers(1, 9).map(lambda d: f"7.{d}")}
    more = {"patron": st.sampled_from(PATRONS), "id": st.none() | st.text(max_size=5) | st.integers(-9, 9)}
    record: dict[str, Any] = {
        "id": data.draw(st.none() | st.text(max_size=5) | st.integers(-9, 9)),
        "game": edition[0],
        "edition": edition[1],
        "layout": layout,
        "player": [data.draw(st.sampled_from((one, one.lower(), one.replace("T", "10")))) for one in player],
        "banker": [data.draw(st.sampled_from((one, one.lower(), one.replace("T", "10")))) for one in banker],
        "wagers": data.draw(st.lists(st.fixed_dictionaries(shape, optional=more), max_size=12)),
    }
    assert answer(record) == plain.settle_record(record)


@LAW
@given(st.data())
def test_the_edition_in_force_on_a_date(data: st.DataObject) -> None:
    """E1, E5: the same round under the edition that its date calls for."""
    game = data.draw(st.sampled_from((plain.TB_COMMISSION, plain.TB_NON_COMMISSION, plain.LIVE_COMMISSION)))
    day = data.draw(st.dates(dt.date(2024, 5, 14), dt.date(2027, 1, 1)) | st.just(dt.date(2025, 11, 21)))
    suffix = "" if day == dt.date(2024, 5, 14) else data.draw(st.sampled_from(("", "T07:59", "T08:00", "T23:00:00Z")))
    player, banker = data.draw(hands())
    record = {
        "game": game,
        "on": f"{day}{suffix}",
        "layout": "live" if plain.is_live(game) else "K",
        "player": player,
        "banker": banker,
        "wagers": [{"bet": bet, "stake": "10.00"} for bet in ("player", "banker", "tie", "player_pair")],
    }
    assert answer(record) == plain.settle_record(record)


# ----------------------------------------------------------------------------------------------------------
# Insurance: what speaks against a record, in plain words and without order


def faults(record: dict[str, Any]) -> set[str]:
    """Every code that some insurance wager of the record earns; none at all: the record is settled."""
    edition: Edition = (record["game"], record["edition"])
    live = plain.is_live(edition[0])
    original: Counter[tuple[str, str]] = Counter()
    for wager in record["wagers"]:
        original[wager.get("patron", NOBODY), wager["bet"]] += plain.cents(wager["stake"])
    offers = {after: plain.offer(*edition, after, record["player"], record["banker"]) for after in MOMENTS}
    taken = record["insurance"]
    took_after_four = {one.get("patron", NOBODY) for one in taken if one["after"] == "four-cards"}
    codes = set()
    staked: Counter[tuple[str, str, str]] = Counter()
    could_win: dict[tuple[str, str], Fraction] = {}
    for one in taken:
        patron, bet, after = one.get("patron", NOBODY), one["bet"], one["after"]
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
        staked[patron, bet, after] += plain.cents(one["stake"])
        earlier = could_win.get((patron, bet), Fraction(0))
        could_win[patron, bet] = earlier + plain.cents(one["stake"]) * offered[1]
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


def judged(record: dict[str, Any]) -> None:
    codes = faults(record)
    found = answer(record)
    moments = "+".join(sorted({one["after"] for one in record["insurance"]}))
    game = "live" if plain.is_live(record["game"]) else "tiger buffalo"
    event(f"{game}, {moments or 'no insurance'}: {'/'.join(sorted(codes)) or 'settled'}")
    if codes:
        assert "error" in found, (codes, found)
        assert found["error"]["code"] in codes
        assert found["error"]["paragraph"]
        assert found["id"] == record["id"]
    else:
        assert found == plain.settle_record(record)


@LAW
@given(st.data())
def test_patrons_who_keep_to_the_rules(data: st.DataObject) -> None:
    """Whoever takes what is offered to him, up to the limit, is settled; a cent above the limit is refused."""
    edition = data.draw(editions)
    live = plain.is_live(edition[0])
    player, banker = data.draw(st.sampled_from(offering()))
    maximum = data.draw(st.none() | st.integers(4, 5_000))
    wagers: list[dict[str, Any]] = []
    insurance: list[dict[str, Any]] = []
    full: list[dict[str, Any]] = []
    for patron in PATRONS:
        sides = data.draw(st.sampled_from([("player",), ("banker",)] if live else [("player",), ("banker", "player")]))
        original = {side: data.draw(st.integers(20, 3_000)) for side in sides}
        wagers += [{"patron": patron, "bet": side, "stake": plain.amount(cents)} for side, cents in original.items()]
        could_win = Fraction(0)
        for after in MOMENTS:
            offered = plain.offer(*edition, after, player, banker)
            if offered is None or offered[0].removesuffix("_insurance") not in original:
                continue
            bet, odds, _ = offered
            bound = original[bet.removesuffix("_insurance")]
            most = int((bound - could_win) / odds) if live else bound
            if not live and odds == 10 and maximum is not None:
                most = min(most, maximum // 4)
            if most < 1:
                continue
            stake = data.draw(st.just(most) | st.integers(1, most))
            could_win += stake * odds
            taken = {"patron": patron, "bet": bet, "after": after, "stake": plain.amount(stake)}
            insurance.append(taken)
            if stake == most:
                full.append(taken)
    record: dict[str, Any] = {
        "id": "r",
        "game": edition[0],
        "edition": edition[1],
        "layout": data.draw(st.sampled_from(plain.layouts(*edition))),
        "player": player,
        "banker": banker,
        "wagers": wagers,
        "insurance": insurance,
    }
    if maximum is not None:
        record["limits"] = {data.draw(st.sampled_from(["maximum", "maximum_differential"])): plain.amount(maximum)}
    assert faults(record) == set()
    assert answer(record) == plain.settle_record(record)
    for taken in full:
        over = [{**one, "stake": plain.amount(plain.cents(one["stake"]) + (one is taken))} for one in insurance]
        refused = answer({**record, "insurance": over})
        assert refused["error"]["code"] == "insurance-over-limit", taken
        assert refused["error"]["paragraph"] == ("5.4" if live else "3.12.2")


@LAW
@given(insured_records(least=1, only_offers=True))
def test_insurance_that_was_on_offer(record: dict[str, Any]) -> None:
    """Right, limit and forfeit decide; whoever passes them is settled as the oracle settles."""
    judged(record)


@LAW
@given(insured_records(least=0, only_offers=False))
def test_any_insurance(record: dict[str, Any]) -> None:
    judged(record)


@LAW
@given(insured_records(least=2, only_offers=True), st.randoms(use_true_random=False))
def test_the_order_of_insurance_never_decides_whether_it_is_taken(record: dict[str, Any], chance: Any) -> None:
    shuffled = {**record, "insurance": list(record["insurance"]), "wagers": list(record["wagers"])}
    chance.shuffle(shuffled["insurance"])
    chance.shuffle(shuffled["wagers"])
    one, other = answer(record), answer(shuffled)
    assert ("error" in one) == ("error" in other)
    if "error" not in one:
        assert (one["staked"], one["handed_back"]) == (other["staked"], other["handed_back"])
        assert sorted(map(repr, one["lines"])) == sorted(map(repr, other["lines"]))
