"""What is conclusively won or lost (W4, W5), for every set of exposed places, against the oracle's completions.

Won, lost or returned is the same in every edition for a bet that it has (proved in test_every_outcome), so the oracle
is asked once for all 27 bets. Two editions together have all of these and are tested exhaustively; the others are
tested exhaustively under `soak` and sampled otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, islice, product

import pytest

from punto.game.established import POSITIONS, conclusive, established
from punto.rulebook.model import Bet
from tests.oracle import plain
from tests.properties.rounds import EDITIONS, PLACES, TIGER_BUFFALO, Edition, book, families

BIT = {bet: 1 << at for at, bet in enumerate(plain.ALL_BETS)}
EVERY = (1 << len(BIT)) - 1
ALL_BETS_BETWEEN_THEM = (plain.EDITIONS[2], plain.EDITIONS[4])
THIN = 41

Exposed = dict[str, str]
Ranks = tuple[str | None, str | None]
Starts = tuple[tuple[str, str], ...]


@cache
def results(player: tuple[str, ...], banker: tuple[str, ...]) -> tuple[int, int]:
    """The bets that these final hands win and lose, as bits."""
    won = lost = 0
    for bet, bit in BIT.items():
        holder = next(edition for edition in plain.EDITIONS if bet in plain.bets_of(*edition))
        result = plain.settle_bet(*holder, bet, player, banker)[0]
        won |= bit * (result == "won")
        lost |= bit * (result == "lost")
    return won, lost


@cache
def starts(first: str | None, second: str | None) -> Starts:
    return tuple(sorted(plain.first_two(first, second)))


@cache
def certain_on(player: tuple[str, str], banker: tuple[str, str], third: str, last: str) -> tuple[int, int]:
    """The bets won and lost in all completions of first two cards of both hands; "" is a hidden third card.

    Every bit is set where there is no completion: such cards can't have been dealt.
    """
    exposed = {"P1": player[0], "P2": player[1], "B1": banker[0], "B2": banker[1], "P3": third, "B3": last}
    won = lost = EVERY
    for hands in plain.completions({place: rank for place, rank in exposed.items() if rank}):
        wins, losses = results(*hands)
        won, lost = won & wins, lost & losses
    return won, lost


def certain(exposed: Exposed) -> tuple[int, int]:
    """The oracle's answer: the bets won and the bets lost in all completions, as bits."""
    third, last = (plain.third(exposed[place]) if place in exposed else "" for place in PLACES[4:])
    won = lost = EVERY
    for player in starts(exposed.get("P1"), exposed.get("P2")):
        for banker in starts(exposed.get("B1"), exposed.get("B2")):
            wins, losses = certain_on(player, banker, third, last)
            won, lost = won & wins, lost & losses
            if not won | lost:
                return 0, 0
    # No bet is both won and lost in a round, so a bit in both means that no round is possible.
    return (0, 0) if won & lost else (won, lost)


@cache
def named(won: int, lost: int, bets: tuple[str, ...]) -> dict[str, str]:
    return {bet: "won" if BIT[bet] & won else "lost" for bet in bets if BIT[bet] & (won | lost)}


def compare(editions: Iterable[Edition], many: Iterable[Exposed]) -> int:
    """Compare punto with the oracle on all bets of these editions; returns the number of sets of cards."""
    books = [(book(edition), plain.bets_of(*edition)) for edition in editions]
    held = [(rules, bets, tuple(Bet(bet) for bet in bets)) for rules, bets in books]
    count = 0
    for exposed in many:
        won, lost = certain(exposed)
        for rules, bets, available in held:
            expected = named(won, lost, bets)
            assert conclusive(rules, available, exposed) == expected, (rules.id, exposed)
            assert established(rules, available, exposed) == bool(expected), (rules.id, exposed)
        count += 1
    return count


def every_rank(exposed_places: int) -> Iterator[Exposed]:
    """All ranks in all sets of this many places."""
    for places in combinations(PLACES, exposed_places):
        for ranks in product(plain.RANKS, repeat=exposed_places):
            yield dict(zip(places, ranks, strict=True))


def every_class(least: int) -> Iterator[Exposed]:
    """At least this many exposed cards, one example of each class that some bet could tell apart.

    First two cards: all points, with and without a pair, pairs of one rank and of two. A single first card, and a
    third one: all values. First and second place take turns, and so do the four ranks that count 0.
    """
    hidden: Ranks = (None, None)
    singles: list[Ranks] = [(rank, None) for rank in "A23456789T"]
    kinds: list[Ranks] = [*plain.first_two(None, None), ("K", "K"), ("J", "Q")]
    turn = 0
    for player, banker in product((hidden, *singles, *kinds), repeat=2):
        for third, last in product((None, *"A23456789T"), repeat=2):
            turn += 1
            player_cards = player[::-1] if turn % 3 == 0 else player
            banker_cards = banker[::-1] if turn % 5 < 2 else banker
            thirds = ("TJQK"[turn % 4] if rank == "T" else rank for rank in (third, last))
            shown = zip(
                PLACES, (player_cards[0], banker_cards[0], player_cards[1], banker_cards[1], *thirds), strict=True
            )
            exposed = {place: rank for place, rank in shown if rank is not None}
            if len(exposed) >= least:
                yield exposed


def test_the_places_are_in_the_order_of_the_deal() -> None:
    assert POSITIONS == PLACES


def test_every_set_of_exposed_cards() -> None:
    """In one test, because the oracle's stored results for some cards serve for all others.

    Up to two cards: all ranks in all places, all editions. Three: all ranks in all places. Four to six: every class of
    cards that a bet could tell apart. The other editions: two in 41 of these; 41 divides no number of ranks.
    """
    others = [edition for edition in plain.EDITIONS if edition not in ALL_BETS_BETWEEN_THEM]
    few = (exposed for many in range(3) for exposed in every_rank(many))
    assert compare(plain.EDITIONS, few) == 1 + 78 + 2_535
    assert compare(ALL_BETS_BETWEEN_THEM, every_rank(3)) == 43_940
    assert compare(ALL_BETS_BETWEEN_THEM, every_class(4)) == 89_169
    for start in range(2):
        assert compare(others, islice(every_rank(3), start, None, THIN)) > 1_000
        assert compare(others, islice(every_class(4), start, None, THIN)) > 2_000


@EDITIONS
def test_any_cards_on_every_layout(edition: Edition) -> None:
    """Sampled, against the oracle's own `conclusive`: the available bets are those of the layout (W3)."""
    chance = random.Random(f"layouts of {edition}")
    rules = book(edition)
    for layout in plain.layouts(*edition):
        for _ in range(40):
            places = chance.sample(PLACES, chance.choice((2, 3, 3, 4, 4, 5, 6)))
            exposed = {place: chance.choice(plain.RANKS) for place in places}
            expected = plain.conclusive(*edition, layout, exposed)
            bets = rules.layouts[layout].bets
            assert conclusive(rules, bets, exposed) == expected, (layout, exposed)
            assert established(rules, bets, exposed) == bool(expected), (layout, exposed)


@EDITIONS
def test_any_ranks_in_four_to_six_places(edition: Edition) -> None:
    """Sampled ranks, where the classes above have one example each."""
    chance = random.Random(f"ranks of {edition}")
    cards = (
        {place: chance.choice(plain.RANKS) for place in chance.sample(PLACES, chance.choice((4, 5, 6)))}
        for _ in range(4_000)
    )
    assert compare((edition,), cards) == 4_000


@EDITIONS
def test_a_closed_bet_establishes_nothing(edition: Edition) -> None:
    """W3, L4: only available bets are named, and with none of them available nothing is established."""
    rules = book(edition)
    exposed = {"P1": "K", "P2": "9", "B1": "K", "B2": "8"}
    everything = conclusive(rules, tuple(rules.bets), exposed)
    assert everything == named(*certain(exposed), plain.bets_of(*edition))
    assert len(everything) == len(rules.bets)
    for bet in rules.bets:
        assert conclusive(rules, (bet,), exposed) == {bet: everything[bet]}
        others = tuple(other for other in rules.bets if other is not bet)
        assert bet not in conclusive(rules, others, exposed)
    assert not established(rules, (), exposed)


@pytest.mark.parametrize("edition", TIGER_BUFFALO)
def test_an_outcome_stands_once_a_hand_shows_two_cards(edition: Edition) -> None:
    """W5's remark: on every Tiger Buffalo layout, all ranks in both first places of either hand."""
    rules = book(edition)
    for layout, first, second, place in product(families(edition).values(), plain.RANKS, plain.RANKS, "PB"):
        exposed = {f"{place}1": first, f"{place}2": second}
        assert established(rules, rules.layouts[layout].bets, exposed), (layout, exposed)


@EDITIONS
def test_one_exposed_card_or_none_establishes_nothing(edition: Edition) -> None:
    """No card, and one card of every rank in each of the first four places, on all bets."""
    rules = book(edition)
    available = tuple(rules.bets)
    assert not established(rules, available, {})
    for place, rank in product(PLACES[:4], plain.RANKS):
        assert not established(rules, available, {place: rank}), (place, rank)


@pytest.mark.soak
@EDITIONS
@pytest.mark.parametrize("exposed_places", range(7))
def test_every_rank_in_every_place(edition: Edition, exposed_places: int) -> None:
    """Without classes: all 14⁶ = 7,529,536 ways of exposing ranks, places left hidden included."""
    total = (1, 78, 2_535, 43_940, 428_415, 2_227_758, 4_826_809)[exposed_places]
    assert compare((edition,), every_rank(exposed_places)) == total
