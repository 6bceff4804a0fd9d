"""What honest shuffles lead to: against every order of few cards, and against random shoes of many cards."""

from __future__ import annotations

from itertools import permutations
from math import comb, factorial

import numpy as np
import pytest

from punto.cards import CARDS_IN_A_DECK
from punto.rng import cards, exact, orders, raw
from punto.rng.sources import Simulation

SHOES = 20_000


def every_order(size: int) -> orders.Orders:
    return np.array(list(permutations(range(size))), np.uint16)


def test_the_choices_are_read_back() -> None:
    """Every order of six cards comes from its own choices, each below the number of cards that were left."""
    choices = orders.choices_of(every_order(6))
    assert len(np.unique(choices, axis=0)) == factorial(6)
    assert (choices.max(axis=0) == [5, 4, 3, 2, 1, 0]).all()
    for order, chosen in zip(every_order(6), choices, strict=True):
        lies = list(range(6))
        for place, choice in enumerate(chosen):
            lies[place], lies[place + choice] = lies[place + choice], lies[place]
        assert lies == order.tolist()


def test_over_every_order_nothing_is_off() -> None:
    """All 720 orders of six cards once: each statistic is zero, whatever its covariance."""
    whole = every_order(6)
    by_choice = orders.count_choices(orders.choices_of(whole))
    for figure in (
        orders.judge_choices(by_choice),
        orders.judge_mean(by_choice),
        orders.judge_places(orders.count_places(whole)),
        orders.judge_distances(orders.count_distances(whole)),
        raw.judge_alike(orders.count_small(whole)),
    ):
        assert figure.statistic == pytest.approx(0)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_the_mean_of_chi_square_over_every_order_is_its_degrees(size: int) -> None:
    """One order at a time: a quadratic form in the inverse of the covariance has its degrees as its mean, exactly."""
    places, distances = [], []
    for order in every_order(size):
        place = orders.judge_places(orders.count_places(order[None]))
        distance = orders.judge_distances(orders.count_distances(order[None]))
        places.append(place.statistic)
        distances.append(distance.statistic)
    assert np.mean(places) == pytest.approx((size - 1) ** 2)
    assert np.mean(distances) == pytest.approx(size - 2)


def test_parity_and_fixed_cards_over_every_order() -> None:
    whole = every_order(6)
    even, size = orders.count_parity(orders.choices_of(whole))
    assert 2 * even == size == factorial(6)
    stays, shoes = orders.count_fixed(whole)
    assert stays == shoes


@pytest.mark.parametrize("decks", [1, 2, 8])
@pytest.mark.parametrize("name", ["neighbours", "gaps", "poker"])
def test_mean_and_covariance_are_those_of_many_shoes(name: str, decks: int) -> None:
    """Measured shoe by shoe with the simulation's shuffle. A wrong covariance is off by far more than its error."""
    size = CARDS_IN_A_DECK * decks
    of: exact.Spread = getattr(exact, name)(size)
    count = getattr(cards, f"count_{name}")
    drawn = Simulation(5).shoes(decks, SHOES // decks)
    each = np.array([count(shoe[None])[: len(of.mean)] for shoe in drawn])
    along = (each - of.mean) @ of.directions.T / np.sqrt(of.variances)
    assert np.abs(along.mean(axis=0)).max() < 5 / np.sqrt(len(drawn))
    assert (along**2).sum(axis=1).mean() == pytest.approx(len(of.variances), rel=0.05)


def test_poker_adds_up_to_the_hands_of_a_shoe() -> None:
    assert exact.poker(416).mean.sum() == pytest.approx(83)
    no_pair = comb(13, 5) * 32**5 / comb(416, 5)
    assert exact.poker(416).mean[0] == pytest.approx(83 * no_pair)
    assert exact.gaps(416).mean.sum() == pytest.approx(33)
    assert exact.neighbours(416).mean.sum() == pytest.approx(415)


def test_openings_and_matches_of_one_deck_by_hand() -> None:
    """In one deck no card repeats: 52 × 51 × 50 × 49 openings, all alike."""
    two, three = exact.openings(1)
    assert two == pytest.approx(1 / (52 * 51 * 50 * 49))
    assert three == pytest.approx(two**2)
    mean, variance = exact.matches(1)
    assert [mean, variance] == pytest.approx([1, 1])


def test_openings_of_several_decks_are_all_of_them() -> None:
    """Of 200,000 shoes, as many pairs open alike as the exact chance says, within five deviations."""
    drawn = Simulation(3).shoes(8, 200_000)
    two, _ = exact.openings(8)
    _, times = np.unique(cards.openings(drawn), return_counts=True)
    pairs = int((times * (times - 1) // 2).sum())
    assert abs(pairs - comb(200_000, 2) * two) < 5 * np.sqrt(pairs)


@pytest.mark.parametrize(("seen", "mean"), [(0, 3.0), (3, 3.0), (9, 3.0), (1, 0.01)])
def test_poisson_is_two_sided(seen: int, mean: float) -> None:
    from math import exp

    chances = [exp(-mean) * mean**k / factorial(k) for k in range(60)]
    below, above = sum(chances[: seen + 1]), sum(chances[seen:])
    assert exact.poisson(seen, mean, 1).p == pytest.approx(min(1, 2 * min(below, above)))
