"""Random records of `punto settle` with insurance at both moments: settled as the oracle does, or refused (P2–P6)."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, event, given
from hypothesis import strategies as st

from tests.oracle import plain
from tests.properties.settling import answer, faults
from tests.properties.strategies import LAW, MOMENTS, Lawful, insured_records, lawful_records


def refusal(record: dict[str, Any], insurance: list[dict[str, Any]]) -> tuple[str, str]:
    """Code and paragraph of the refusal when the record has this insurance instead."""
    reply = answer({**record, "insurance": insurance})
    assert "error" in reply, insurance
    return reply["error"]["code"], reply["error"]["paragraph"]


@LAW
@given(lawful_records())
def test_whoever_keeps_to_the_rules_is_settled(lawful: Lawful) -> None:
    """All patrons take what is offered to them, up to the limit."""
    assert faults(lawful.record) == set()
    assert answer(lawful.record) == plain.settle_record(lawful.record)


@LAW
@given(lawful_records(), st.data())
def test_a_cent_above_the_limit_is_refused(lawful: Lawful, data: st.DataObject) -> None:
    """P4, W6: in one stake, in two or in three, wherever they stand in the list."""
    assume(lawful.full)
    taken = data.draw(st.sampled_from(lawful.full))
    insurance = lawful.record["insurance"]
    more = {**taken, "stake": plain.amount(plain.cents(taken["stake"]) + 1)}
    expected = ("insurance-over-limit", "5.4" if lawful.live else "3.12.2")
    assert refusal(lawful.record, [more if cover is taken else cover for cover in insurance]) == expected
    at = data.draw(st.integers(0, len(insurance)))
    cent = {**taken, "stake": "0.01"}
    assert refusal(lawful.record, [*insurance[:at], cent, *insurance[at:]]) == expected
    if taken["stake"] != "0.01":
        less = {**taken, "stake": plain.amount(plain.cents(taken["stake"]) - 1)}
        split = {**lawful.record, "insurance": [cent, *(less if cover is taken else cover for cover in insurance)]}
        assert answer(split) == plain.settle_record(split)
        assert refusal(split, [*split["insurance"], cent]) == expected


@LAW
@given(lawful_records(twice=True), st.data())
def test_an_offer_let_pass(lawful: Lawful, data: st.DataObject) -> None:
    """P6: a patron who took no insurance after four cards has none after the third card, except on the Live page."""
    insurance = lawful.record["insurance"]
    early, late = ({cover["patron"] for cover in insurance if cover["after"] == after} for after in MOMENTS)
    assume(early & late)
    patron = data.draw(st.sampled_from(sorted(early & late)))
    left = [cover for cover in insurance if (cover["patron"], cover["after"]) != (patron, "four-cards")]
    if lawful.live:
        changed = {**lawful.record, "insurance": left}
        assert answer(changed) == plain.settle_record(changed)
    else:
        assert refusal(lawful.record, left) == ("insurance-forgone", "5.3")


@LAW
@given(lawful_records(), st.data())
def test_insurance_without_an_original_bet(lawful: Lawful, data: st.DataObject) -> None:
    """P2 (c): another patron's wager, or a wager on anything but that hand, is no Original Bet."""
    insurance = lawful.record["insurance"]
    taken = data.draw(st.sampled_from(insurance))
    expected = ("no-original-bet", "5.2" if lawful.live else "3.11")
    assert refusal(lawful.record, [*insurance, {**taken, "patron": "dan", "stake": "0.01"}]) == expected
    hand = taken["bet"].removesuffix("_insurance")
    wagers = [
        {**wager, "bet": "tie"} if (wager["patron"], wager["bet"]) == (taken["patron"], hand) else wager
        for wager in lawful.record["wagers"]
    ]
    assert refusal({**lawful.record, "wagers": wagers}, [taken]) == expected


@LAW
@given(lawful_records(), st.data())
def test_wagers_on_both_hands(lawful: Lawful, data: st.DataObject) -> None:
    """P3: a wager on the second hand takes the right to insurance away on the Live page, and nowhere else."""
    insurance = lawful.record["insurance"]
    taken = data.draw(st.sampled_from(insurance))
    other = "banker" if taken["bet"] == "player_insurance" else "player"
    wagers = [*lawful.record["wagers"], {"patron": taken["patron"], "bet": other, "stake": "1.00"}]
    changed = {**lawful.record, "wagers": wagers}
    if lawful.live:
        assert refusal(changed, insurance) == ("no-such-offer", "5.2")
    elif not faults(changed):
        assert answer(changed) == plain.settle_record(changed)
    else:  # the other hand had an offer of its own, which the patron let pass
        assert refusal(changed, insurance) == ("insurance-forgone", "5.3")


@LAW
@given(lawful_records(any_coup=True), st.data())
def test_insurance_that_was_not_on_offer(lawful: Lawful, data: st.DataObject) -> None:
    """P2 (a), (b): insurance of the other hand, or at a moment that has no offer."""
    record = lawful.record
    open_now = [
        (offer[0], after)
        for after in MOMENTS
        if (offer := plain.offer(record["game"], record["edition"], after, record["player"], record["banker"]))
    ]
    closed = [(f"{hand}_insurance", after) for hand in ("player", "banker") for after in MOMENTS]
    bet, after = data.draw(st.sampled_from([pair for pair in closed if pair not in open_now]))
    owner = {"patron": "dan", "bet": bet.removesuffix("_insurance"), "stake": "1.00"}
    changed = {**record, "wagers": [*record["wagers"], owner]}
    extra = {"patron": "dan", "bet": bet, "after": after, "stake": "0.01"}
    paragraph = plain.INSURANCE[record["game"], record["edition"]][1]
    assert refusal(changed, [*record["insurance"], extra]) == ("no-such-offer", paragraph)


def judged(record: dict[str, Any]) -> None:
    codes = faults(record)
    reply = answer(record)
    moments = "+".join(sorted({cover["after"] for cover in record["insurance"]}))
    game = "live" if plain.is_live(record["game"]) else "tiger buffalo"
    event(f"{game}, {moments or 'no insurance'}: {'/'.join(sorted(codes)) or 'settled'}")
    if codes:
        assert "error" in reply, (codes, reply)
        assert reply["error"]["code"] in codes
        assert reply["error"]["paragraph"]
        assert reply["id"] == record["id"]
    else:
        assert reply == plain.settle_record(record)


@LAW
@given(insured_records(least=1, only_offers=True))
def test_insurance_that_was_on_offer(record: dict[str, Any]) -> None:
    """It may be refused for lack of a right, for its limit or as forgone; else it is settled as by the oracle."""
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
    first, other = answer(record), answer(shuffled)
    assert ("error" in first) == ("error" in other)
    if "error" not in first:
        assert (first["staked"], first["handed_back"]) == (other["staked"], other["handed_back"])
        assert sorted(map(repr, first["lines"])) == sorted(map(repr, other["lines"]))
