"""Vectors of deal, outcome and settle: every candidate, of which the default pack takes as many as it needs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from punto.conformance.vectors import Acceptable, Level, Vector, vector
from punto.rulebook import load
from tests.conformance import oracle_answers as oracle
from tests.conformance.oracle_coups import RANK_OF, ZEROS, Hands, dealt, every_outcome, traps, with_suits
from tests.oracle import plain

EDITIONS: Final = tuple(f"{game}/{day}" for game, day in plain.EDITIONS)
STAKE_STEP: Final = 20
"""Stakes of a slip differ, so that no two lines can be taken for each other; all of them divide without a remainder."""

JsonObject = dict[str, Any]


def _topic(edition: str, topic: str) -> str:
    return load.edition(*oracle.split(edition)).paragraph(topic)


# Deal


def deals(edition: str) -> Iterator[Vector]:
    """Every pair of two-card totals with every third card; the ranks that count 0 take turns."""
    turn = 0
    for player in range(10):
        for banker in range(10):
            for third in range(10):
                turn += 1
                zeros = [ZEROS[(turn + at) % 4] for at in range(4)]
                six = "".join(
                    zeros[at] if rank == "K" else rank
                    for at, rank in enumerate(("K", "K", RANK_OF[player], RANK_OF[banker]))
                )
                yield _deal(edition, six + RANK_OF[third] + "4", f"Player {player}, Banker {banker}, then {third}")
    for rank in "A23456789TJQK":
        yield _deal(edition, f"{rank}{rank}KK{rank}{rank}", f"every card that counts is of rank {rank}")
        yield _deal(edition, f"A9{rank}92{rank}", f"a hand of an ace and rank {rank}")
        yield _deal(edition, f"8{rank}9A52", f"the first card of Banker is of rank {rank}")
    for hands, why in traps():
        yield _deal(edition, "".join(card[0] for card in hands.in_deal_order).ljust(6, "A"), why)


def _deal(edition: str, six: str, why: str) -> Vector:
    cards = with_suits(six)
    player, banker = plain.deal(cards)
    rules = load.edition(*oracle.split(edition)).table_of_play
    cites = (rules.player_cite, rules.banker_cite if len(player) == 3 else rules.alone_cite)
    return vector(
        edition=edition,
        level=Level.DEAL,
        ask="deal",
        paragraphs=tuple(dict.fromkeys(cites)),
        input={"cards": list(cards)},
        expected={"player": list(player), "banker": list(banker)},
        why=why,
    )


# Outcome


def outcomes(edition: str) -> Iterator[Vector]:
    """Every outcome, asked separately for the main bets, the pairs and the rest; then the traps."""
    coups = [(hands, "") for hands in every_outcome()] + list(traps())
    for hands, why in coups:
        for bets in oracle.groups(edition):
            yield outcome(edition, hands, bets, why)


def whole_outcomes(edition: str) -> Iterator[Vector]:
    """Every outcome with all bets at once."""
    for hands in every_outcome():
        yield outcome(edition, hands, plain.bets_of(*oracle.split(edition)), "")


def outcome(edition: str, hands: Hands, bets: tuple[str, ...], why: str) -> Vector:
    game, day = oracle.split(edition)
    cites = [plain.settle_bet(game, day, bet, hands.player, hands.banker)[2] for bet in bets]
    return vector(
        edition=edition,
        level=Level.OUTCOME,
        ask="outcome",
        paragraphs=tuple(dict.fromkeys(cites)),
        input={"player": list(hands.player), "banker": list(hands.banker), "bets": list(bets)},
        expected=oracle.outcome(edition, hands, bets),
        why=why or _describe(hands),
    )


def _describe(hands: Hands) -> str:
    return f"{hands.text}: Player {plain.points(hands.player)}, Banker {plain.points(hands.banker)}"


# Settle


def settlements(edition: str) -> Iterator[Vector]:
    """Every outcome on every bet, with a slip of all bets of a layout."""
    for hands, why in [(hands, "") for hands in every_outcome()] + list(traps()):
        for layout in oracle.layouts(edition):
            yield settlement(edition, hands, layout, why)


def settlement(edition: str, hands: Hands, layout: str, why: str = "") -> Vector:
    bets = plain.bets_on(*oracle.split(edition), layout)
    wagers = [
        {"id": f"w{at}", "bet": bet, "stake": f"{STAKE_STEP * (at + 4)}.00"} for at, bet in enumerate(bets, start=1)
    ]
    return _settle(edition, hands, layout, wagers, why or _describe(hands), _equal_value(edition, hands, wagers))


def _equal_value(edition: str, hands: Hands, wagers: list[JsonObject]) -> tuple[Acceptable, ...]:
    """W2: two pairs that count alike and differ in rank, such as kings and queens, may be read as a twin."""
    paired = [wager for wager in wagers if wager["bet"] == "tiger_pair"]
    if not paired or not (plain.is_pair(hands.player) and plain.is_pair(hands.banker)):
        return ()
    player, banker = hands.player[0], hands.banker[0]
    if plain.rank(player) == plain.rank(banker) or plain.value(player) != plain.value(banker):
        return ()
    answer = oracle.settled(edition, hands, wagers, [])
    twin = plain.PAYS[oracle.split(edition)]["tiger_pair, twin"][0]
    back = plain.cents(paired[0]["stake"]) * (1 + twin)
    before = plain.cents(answer["lines"][paired[0]["id"]]["handed_back"])
    answer["lines"][paired[0]["id"]]["handed_back"] = plain.amount(int(back))
    answer["handed_back"] = plain.amount(plain.cents(answer["handed_back"]) - before + int(back))
    return (Acceptable(ruling="W2", answer=answer),)


def _settle(
    edition: str, hands: Hands, layout: str, wagers: list[JsonObject], why: str, acceptable: tuple[Acceptable, ...] = ()
) -> Vector:
    return vector(
        edition=edition,
        level=Level.SETTLE,
        ask="settle",
        paragraphs=oracle.paragraphs(edition, hands, wagers, []),
        input={"layout": layout, "player": list(hands.player), "banker": list(hands.banker), "wagers": wagers},
        expected=oracle.settled(edition, hands, wagers, []),
        acceptable=acceptable,
        why=why,
    )


def slips(edition: str) -> Iterator[Vector]:
    """What is in every default pack: each layout with its bets, each bet off its layout, wrong hands, odd cents."""
    game, day = oracle.split(edition)
    banker_wins = dealt("K27334")
    for layout in plain.layouts(game, day):
        yield settlement(edition, banker_wins, layout, f"all bets of layout {layout}")
        here = plain.bets_on(game, day, layout)
        for bet in plain.ALL_BETS:
            if bet not in here and (bet in plain.bets_of(game, day) or layout in ("A", "live")):
                why = f"{bet} is not among the bets of layout {layout}"
                yield _refused(edition, banker_wins, layout, bet, _topic(edition, "bets.which"), why)
    for layout in plain.layouts(game, day):
        if "tiger_pair" in plain.bets_on(game, day, layout):
            yield settlement(edition, dealt("QKQKA8"), layout, "queens and kings count alike and differ in rank")
    first = plain.layouts(game, day)[0]
    for layout in ("R", "Z"):
        yield _refused(edition, banker_wins, layout, "player", _topic(edition, "layout.which"), f"no layout {layout}")
    for player, banker, why in WRONG_HANDS:
        hands = Hands(with_suits(player), with_suits(banker))
        yield _refused(edition, hands, first, "player", _topic(edition, "table-of-play"), why)
    yield from _odd_cents(edition, first)


WRONG_HANDS: Final = (
    ("K7A", "23", "Player has 7 and drew"),
    ("K5", "K7", "Player has 5 and did not draw"),
    ("K9A", "23", "Player drew on a natural"),
    ("K2A", "K8", "Player drew against a natural of Banker"),
    ("K2", "K8A", "Banker drew on a natural"),
    ("K7", "K5", "Player stood and Banker did not draw on 5"),
    ("K7", "K6A", "Player stood and Banker drew on 6"),
    ("K28", "K3A", "Banker drew on 3 against a third card of 8"),
    ("K26", "K6", "Banker did not draw on 6 against a third card of 6"),
    ("K", "K8", "Player has one card"),
    ("K2AA", "K8", "Player has four cards"),
)


def _refused(edition: str, hands: Hands, layout: str, bet: str, cite: str, why: str) -> Vector:
    question = {"layout": layout, "player": list(hands.player), "banker": list(hands.banker)}
    wagers = [{"id": "w1", "bet": bet, "stake": "100.00"}]
    return vector(
        edition=edition,
        level=Level.SETTLE,
        ask="settle",
        paragraphs=(cite,),
        input={**question, "wagers": wagers},
        expected={"refused": True},
        why=why,
    )


ODD_STAKES: Final = ("0.01", "0.03", "0.05", "0.07", "0.11", "33.33", "99.99", "12345.67")


def _odd_cents(edition: str, layout: str) -> Iterator[Vector]:
    """M1: no document says what becomes of a part of a cent."""
    for hands in (dealt("K27334"), dealt("K35359"), dealt("K29334")):
        for bet in plain.bets_on(*oracle.split(edition), layout):
            result, odds, _ = plain.settle_bet(*oracle.split(edition), bet, hands.player, hands.banker)
            if result != "won" or odds is None or Fraction(odds).denominator == 1:
                continue
            for stake in ODD_STAKES:
                wagers = [{"id": "w1", "bet": bet, "stake": stake}]
                here, others = oracle.roundings(stake, odds)
                lawful = tuple(
                    Acceptable(
                        ruling="M1",
                        answer={
                            "refused": False,
                            "lines": {"w1": {"result": "won", "handed_back": back}},
                            "handed_back": back,
                        },
                    )
                    for back in others
                )
                why = f"{stake} on {bet} at {odds} comes to {here}; a part of a cent may be treated otherwise"
                yield _settle(edition, hands, layout, wagers, why, lawful)
