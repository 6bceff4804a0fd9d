"""Vectors of insurance: what is offered, how much of it may be taken, what it comes to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from punto.conformance.vectors import Level, Vector, vector
from punto.rulebook import load
from tests.conformance import oracle_answers as oracle
from tests.conformance.oracle_coups import RANK_OF, Hands, dealt, with_suits
from tests.oracle import plain

JsonObject = dict[str, Any]
FOUR: Final = "four-cards"
THIRD: Final = "player-third"
LARGE: Final = {"maximum": "10000.00"}


def _rules(edition: str) -> Any:
    return load.edition(*oracle.split(edition)).insurance


def offers(edition: str) -> Iterator[Vector]:
    """Every total of both hands at the first moment, and every third card at the second."""
    for player in range(10):
        for banker in range(10):
            hands = Hands(("KS", RANK_OF[player] + "H"), ("QD", RANK_OF[banker] + "C"))
            yield _offer(edition, FOUR, hands, f"Player {player}, Banker {banker}, after four cards")
            if plain.player_draws(player, banker):
                for third in range(10):
                    more = Hands((*hands.player, RANK_OF[third] + "D"), hands.banker)
                    total = plain.points(more.player)
                    yield _offer(edition, THIRD, more, f"Player {total} by {third}, Banker {banker}, after his third")


def _offer(edition: str, after: str, hands: Hands, why: str) -> Vector:
    return vector(
        edition=edition,
        level=Level.INSURANCE,
        ask="offer",
        paragraphs=(_rules(edition).cite,),
        input={"after": after, "player": list(hands.player), "banker": list(hands.banker)},
        expected=oracle.offer(edition, after, hands),
        why=why.replace(" his third", " the third card"),
    )


def settlements(edition: str) -> Iterator[Vector]:
    """Every offer that can be taken, with every way in which the round can end."""
    layout = plain.layouts(*oracle.split(edition))[0]
    done: set[tuple[Any, ...]] = set()
    for player in range(10):
        for banker in range(10):
            for third in range(10):
                for last in range(10):
                    six = f"K{'Q'}{RANK_OF[player]}{RANK_OF[banker]}{RANK_OF[third]}{RANK_OF[last]}"
                    hands = dealt(six)
                    for after in (FOUR, THIRD):
                        offer = plain.offer(*oracle.split(edition), after, hands.player, hands.banker)
                        if offer is None:
                            continue
                        seen = plain.points(hands.player[: 2 if after == FOUR else 3]), banker
                        key = (after, *seen, plain.winner(hands.player, hands.banker))
                        if key not in done:
                            done.add(key)
                            yield insured(edition, hands, layout, offer[0], after)


def insured(edition: str, hands: Hands, layout: str, bet: str, after: str) -> Vector:
    """An Original Bet of 1000.00 and insurance of 40.00 at one moment, and 20.00 at the first if 5.3 asks for it."""
    side = bet.removesuffix("_insurance")
    wagers = [{"id": "w1", "bet": side, "stake": "1000.00"}]
    insurance = [{"id": "i1", "bet": bet, "after": after, "stake": "40.00"}]
    earlier = plain.offer(*oracle.split(edition), FOUR, hands.player, hands.banker)
    if after == THIRD and earlier is not None and earlier[0] == bet:
        insurance.insert(0, {"id": "i0", "bet": bet, "after": FOUR, "stake": "20.00"})
    return _settle(edition, hands, layout, wagers, insurance, f"{bet} after {after}: {hands.text}")


def _settle(
    edition: str,
    hands: Hands,
    layout: str,
    wagers: list[JsonObject],
    insurance: list[JsonObject],
    why: str,
    refused_by: str | None = None,
    limits: JsonObject | None = None,
) -> Vector:
    question: JsonObject = {"layout": layout, "player": list(hands.player), "banker": list(hands.banker)}
    question |= {"wagers": wagers, "insurance": insurance, "limits": limits or LARGE}
    if refused_by is not None:
        expected: JsonObject = {"refused": True}
        paragraphs: tuple[str, ...] = (refused_by,)
    else:
        expected = oracle.settled(edition, hands, wagers, insurance)
        paragraphs = oracle.paragraphs(edition, hands, wagers, insurance)
    return vector(
        edition=edition,
        level=Level.INSURANCE,
        ask="settle",
        paragraphs=paragraphs,
        input=question,
        expected=expected,
        why=why,
    )


# What a patron has no right to, and the caps


def rights(edition: str) -> Iterator[Vector]:
    """In every default pack: refusals of insurance, wagers on both hands, stakes at a cap and a cent over it."""
    layout = plain.layouts(*oracle.split(edition))[0]
    rules = _rules(edition)
    seven, nothing = dealt("K27334"), dealt("K2AK89")

    def wager(bet: str, stake: str = "100.00") -> list[JsonObject]:
        return [{"id": "w1", "bet": bet, "stake": stake}]

    def insurance(bet: str, after: str, stake: str = "10.00") -> list[JsonObject]:
        return [{"id": "i1", "bet": bet, "after": after, "stake": stake}]

    for bet in ("banker", "tie"):
        taken = insurance("player_insurance", FOUR)
        why = f"insurance on Player with a wager on {bet} alone"
        yield _settle(edition, seven, layout, wager(bet), taken, why, rules.right_cite)
    for bet, after in (("banker_insurance", FOUR), ("player_insurance", THIRD)):
        side = bet.removesuffix("_insurance")
        why = f"no offer of {bet} after {after} in {seven.text}"
        yield _settle(edition, seven, layout, wager(side), insurance(bet, after), why, rules.cite)
    for bet in ("player_insurance", "banker_insurance"):
        side = bet.removesuffix("_insurance")
        why = "no row of the pay table for these points"
        yield _settle(edition, nothing, layout, wager(side), insurance(bet, FOUR), why, rules.cite)
    both = [{"id": "w1", "bet": "player", "stake": "100.00"}, {"id": "w2", "bet": "banker", "stake": "60.00"}]
    live = edition.startswith("live-")
    why = "a patron with wagers on both hands insures one of them"
    refused = rules.both_hands_cite if live else None
    yield _settle(edition, seven, layout, both, insurance("player_insurance", FOUR, "20.00"), why, refused)
    yield from _passed(edition, layout)
    for question, hands, why in caps():
        yield _most(edition, hands, question, why)
        yield from _around(edition, layout, hands, question)


def _passed(edition: str, layout: str) -> Iterator[Vector]:
    """An offer after four cards that was let pass: in Tiger Buffalo the right is gone for the round (5.3)."""
    hands = Hands(with_suits("K26"), with_suits("235"))
    wagers = [{"id": "w1", "bet": "player", "stake": "400.00"}, {"id": "w2", "bet": "banker", "stake": "400.00"}]
    rules = _rules(edition)
    later = [{"id": "i2", "bet": "player_insurance", "after": THIRD, "stake": "10.00"}]
    first = [{"id": "i1", "bet": "banker_insurance", "after": FOUR, "stake": "10.00"}]
    if edition.startswith("live-"):
        # Wagers on both hands get no offer here. On one hand alone, only the offer that was let pass is gone (P6).
        for taken in (first, later, [*first, *later]):
            why = "wagers on both hands: no insurance at either moment"
            yield _settle(edition, hands, layout, wagers, taken, why, rules.both_hands_cite)
        return
    why = "an offer after four cards was let pass, and the next one is asked for"
    yield _settle(edition, hands, layout, wagers, later, why, rules.forgone_cite)
    yield _settle(edition, hands, layout, wagers, [*first, *later], "both offers are taken")
    yield _settle(edition, hands, layout, wagers[:1], later, "the first offer was on the other hand: nothing passed")


def caps() -> Iterator[tuple[JsonObject, Hands, str]]:
    """Points at each of the odds, with limits that bind in turn: the Original Bet, the maximum, the Differential."""
    tables = (
        ("player_insurance", FOUR, "K2", "27", "3 to 2 does not lie here"),
        ("player_insurance", FOUR, "K5", "K4", "3 to 2"),
        ("player_insurance", FOUR, "K6", "K3", "5 to 2"),
        ("player_insurance", FOUR, "K7", "K5", "4 to 1"),
        ("player_insurance", THIRD, "K26", "K3", "10 to 1 on Player 8"),
        ("player_insurance", THIRD, "K27", "K3", "10 to 1 on Player 9"),
        ("banker_insurance", THIRD, "K28", "K2", "10 to 1 against Player 0"),
        ("banker_insurance", THIRD, "K29", "KA", "6 to 1"),
        ("banker_insurance", THIRD, "K57", "K5", "4 to 1 after the third card"),
    )
    for bet, after, player, banker, odds in tables:
        hands = Hands(with_suits(player), with_suits(banker))
        side = bet.removesuffix("_insurance")
        for stake in ("100.00", "1000.00"):
            for limits in (
                # Both limits are equal: 25 % of which one is a reading (P4), and no engine fails for it.
                {"maximum": "1000.00", "maximum_differential": "1000.00"},
                {"maximum_differential": "600.00"},
            ):
                wagers = [{"id": "w1", "bet": side, "stake": stake}]
                question: JsonObject = {"bet": bet, "after": after, "wagers": wagers, "insurance": [], "limits": limits}
                yield question, hands, f"most insurance at {odds} on an Original Bet of {stake}"
                part = {"id": "i1", "bet": bet, "after": after, "stake": "4.00"}
                yield {**question, "insurance": [part]}, hands, f"the same at {odds}, with 4.00 taken already"
    two = [{"id": "w1", "bet": "banker", "stake": "60.00"}, {"id": "w2", "bet": "banker", "stake": "40.00"}]
    hands = Hands(with_suits("K46"), with_suits("K5"))
    earlier = {"id": "i1", "bet": "banker_insurance", "after": FOUR, "stake": "30.00"}
    question = {"bet": "banker_insurance", "after": THIRD, "wagers": two, "insurance": [earlier], "limits": LARGE}
    yield question, hands, "wagers of two boxes count together, and insurance was taken after four cards"
    other = {"bet": "player_insurance", "after": FOUR, "wagers": two, "insurance": [], "limits": LARGE}
    yield other, Hands(with_suits("K7"), with_suits("K5")), "insurance on Player with wagers on Banker alone"


def _most(edition: str, hands: Hands, question: JsonObject, why: str) -> Vector:
    most = oracle.most_cents(edition, question["bet"], question["after"], hands, question)
    return vector(
        edition=edition,
        level=Level.INSURANCE,
        ask="most",
        paragraphs=(_rules(edition).limit.cite,),
        input={**question, "player": list(hands.player), "banker": list(hands.banker)},
        expected={"most": plain.amount(most)},
        why=why,
    )


def _around(edition: str, layout: str, hands: Hands, question: JsonObject) -> Iterator[Vector]:
    """The largest stake is taken, and a cent more is refused."""
    most = oracle.most_cents(edition, question["bet"], question["after"], hands, question)
    if not most or question["insurance"] or len(question["wagers"]) > 1:
        return
    six = Hands(*(tuple(hand) for hand in plain.deal(_in_order(hands))))
    for stake, refused in ((most, None), (most + 1, _rules(edition).limit.cite)):
        taken = [{"id": "i1", "bet": question["bet"], "after": question["after"], "stake": plain.amount(stake)}]
        why = f"insurance of {plain.amount(stake)}, where {plain.amount(most)} is the most"
        yield _settle(edition, six, layout, question["wagers"], taken, why, refused, question["limits"])


def _in_order(hands: Hands) -> tuple[str, ...]:
    """The cards as they leave the shoe, and two more that end the round."""
    return (*hands.in_deal_order, "4C", "9D")
