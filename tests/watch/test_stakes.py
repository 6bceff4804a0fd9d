"""Stakes that follow the cards: counters are named, honest patrons and streak followers are not."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from punto.sim.analysis import expectations
from punto.watch import deal, stakes
from punto.watch.ledger import Ledger
from punto.watch.references import Round
from punto.watch.rows import Flaws, Shoes, Sorter
from tests.rulebook.library import every_edition
from tests.watch.shoes import RULES, rounds, shuffled, stretch

KNOWN = stakes.counts(RULES, 8, pool=1_024)
BETS = KNOWN.bets
SIDE, MAIN = BETS.index("big_tiger"), BETS.index("banker")


def edges(held: list[Round]) -> np.ndarray:
    """Exact edges before every round."""
    left, rows = np.full(13, 32), []
    for cards in held:
        rows.append(left.copy())
        for card in cards:
            if card is not None:
                left[card // 4] -= 1
    return expectations(RULES, np.array(rows))


def shoes_of(shoes: int, seed: int) -> tuple[list[list[Round]], list[np.ndarray]]:
    chance = random.Random(seed)
    held = [rounds(shuffled(chance)) for _ in range(shoes)]
    return held, [edges(shoe) for shoe in held]


HELD, EDGES = shoes_of(60, 1)


@pytest.mark.parametrize("decks", sorted({decks for rules in every_edition() for decks in rules.procedure.decks}))
def test_shoes_of_every_size_that_an_edition_allows_are_counted(decks: int) -> None:
    known = stakes.counts(RULES, decks, pool=512)
    assert known.cards == 52 * decks
    for worths in (known.worth, known.paired, known.usual, known.pool, known.so_far):
        assert np.isfinite(worths).all()
    assert known.paired[BETS.index("player_pair")] > 1, "likely pairs favour the bet on a pair"


def ledger(wagers: list[list[tuple[int, int, int]]]) -> Ledger:
    rows = stretch([(0, 0, str(at), shoe) for at, shoe in enumerate(HELD)], wagers)
    whole: Shoes = Sorter(["T"], Flaws()).add(rows, last=True)
    accounts = Ledger()
    who, evidence = stakes.weigh(KNOWN, whole, 0)
    accounts.add(who, evidence, 0)
    return accounts


def every_round() -> list[tuple[int, int, np.ndarray, Round]]:
    return [(shoe, at, EDGES[shoe][at], cards) for shoe, held in enumerate(HELD) for at, cards in enumerate(held)]


def result(cards: Round) -> int:
    p1, b1, p2, b2, p3, b3 = (0 if card is None else min(card // 4 + 1, 10) % 10 for card in cards)
    player, banker = (p1 + p2 + p3) % 10, (b1 + b2 + b3) % 10
    return 2 if player == banker else int(player > banker)


def test_the_compiled_evidence_is_the_readable_one() -> None:
    chance, worths = random.Random(4), list[float]()
    for _ in range(50):
        worths = [chance.gauss(0, 1) for _ in range(17)]
        assert stakes.share_of_last(np.array(worths), 1.0) == pytest.approx(stakes.evidence(worths, 1.0))
    assert stakes.evidence([1.0] * 17, 1.0) == 1
    ranked = [stakes.evidence([*worths[:at], *worths[at + 1 :], worths[at]], 1.0) for at in range(17)]
    assert sum(ranked) == pytest.approx(17), "over which of them was dealt, the evidence is 1 on average"


def test_edges_of_the_pool_are_those_of_the_linear_count() -> None:
    start, worth = KNOWN.start, KNOWN.worth
    ranks = deal.shoes(np.random.default_rng(3), 8, 20)
    dealt = deal.deal(RULES, ranks, 14)
    left = dealt.left[:, 40].astype(np.int64)
    pairs = np.array([stakes.excess_of_pairs(row) for row in left])[:, None]
    count = start + left @ worth / left.sum(axis=1)[:, None] + KNOWN.paired * pairs
    true = expectations(RULES, left)
    for bet in (SIDE, *(BETS.index(name) for name in ("tiger", "tie", "player_pair", "tiger_pair"))):
        assert np.corrcoef(count[:, bet], true[:, bet])[0, 1] > 0.9


def counter(spread: tuple[int, int], patron: int) -> list[list[tuple[int, int, int]]]:
    """A counter's wagers: small where the edge is against the patron, large where it is for them."""
    small, large = spread
    wagers = []
    for _, _, edge, _ in every_round():
        stake = large if edge[SIDE] > 0 else small
        wagers.append([(SIDE, stake, patron)] if stake else [])
    return wagers


@pytest.mark.parametrize("spread", [(0, 10_000), (500, 10_000)], ids=["flat", "spread"])
def test_a_counter_is_named(spread: tuple[int, int]) -> None:
    chance = random.Random(3)
    wagers = counter(spread, 0)
    for row in wagers:  # and two who bet as they like
        row += [(MAIN, 5_000, 1), (chance.randrange(2, len(BETS)), 1_000 * chance.randrange(1, 9), 2)]
    accounts = ledger(wagers)
    assert accounts.suspects(0.01) == [0]
    assert accounts.peak[0] > 1e4


def test_a_team_of_three_is_named_as_a_group() -> None:
    """One of them signals, and each takes a third of the rounds: together they are one counter."""
    turn, wagers = 0, []
    for _, _, edge, _ in every_round():
        row = [(MAIN, 2_500, patron) for patron in range(3)]
        if edge[SIDE] > 0:
            row.append((SIDE, 10_000, turn % 3))
            turn += 1
        wagers.append(row)
    alone = ledger(wagers)
    assert alone.groups() == [(0, 1, 2)]
    together = ledger([[(bet, stake, 0) for bet, stake, _ in row] for row in wagers])
    assert together.evidence[0] > 1e4
    assert together.evidence[0] > alone.evidence.max()


def test_who_follows_results_is_left_alone() -> None:
    """One patron bets on the last winner and doubles after a loss; another bets high on Big Tiger after a tie."""
    wagers, last, stake = [], 0, 2_500
    for _, _, _, cards in every_round():
        row = [(0 if last != 1 else 1, stake, 0), (SIDE, 10_000 if last == 2 else 500, 1)]
        wagers.append(row)
        now = result(cards)
        stake = min(stake * 2, 80_000) if now not in (last, 2) else 2_500
        last = now
    accounts = ledger(wagers)
    assert accounts.suspects(0.01) == []
    assert accounts.peak.max() < 100


def test_evidence_of_honest_patrons_is_one_on_average() -> None:
    """Patrons who bet by chance, over sixty shoes: the mean over shoes is 1 within its error, and few reach 20."""
    chance = np.random.default_rng(5)
    patrons, count = 200, sum(len(held) for held in HELD)
    wagers = [
        [
            (int(chance.choice([SIDE, MAIN, 2, 3])), int(chance.integers(1, 50)) * 500, patron)
            for patron in range(patrons)
            if chance.random() < 0.2
        ]
        for _ in range(count)
    ]
    rows = stretch([(0, 0, str(at), shoe) for at, shoe in enumerate(HELD)], wagers)
    whole = Sorter(["T"], Flaws()).add(rows, last=True)
    _, evidence = stakes.weigh(KNOWN, whole, 0)
    by_shoe = evidence.reshape(-1, patrons, 2).mean(axis=1) if len(evidence) % patrons == 0 else evidence
    error = by_shoe.std(axis=0) / math.sqrt(len(by_shoe))
    assert (np.abs(evidence.mean(axis=0) - 1) <= 5 * error).all()
    accounts = ledger(wagers)
    assert (accounts.peak >= 20).sum() <= patrons / 20 + 5 * math.sqrt(patrons / 20)


def test_false_discoveries_by_e_values() -> None:
    assert stakes.discoveries([1, 1, 1], 0.1) == []
    assert stakes.discoveries([30, 1, 1], 0.1) == [0]
    assert stakes.discoveries([29, 1, 1], 0.1) == []
    assert stakes.discoveries([15, 15, 1], 0.1) == [0, 1]
