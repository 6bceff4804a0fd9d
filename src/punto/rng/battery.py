"""The battery of tests: draw and count batches, judge every count, and judge all tests together at one level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol

import msgspec
import numpy as np

from punto.cards import CARDS_IN_A_DECK
from punto.rng import cards, orders, raw
from punto.rng.cards import Shoes
from punto.rng.exact import Figure
from punto.rng.orders import Orders
from punto.rng.registered import LEVEL, RAW_BYTES, REGISTERED, SMALL_DECKS, SMALL_SHUFFLES, Registered
from punto.sim.atoms import Int64

BATCH: Final = 2_000
"""Shoes held in memory at once."""


class Source(Protocol):
    """Where bytes, orders and shoes come from."""

    def raw(self, size: int) -> bytes: ...

    def orders(self, size: int, count: int) -> Orders:
        """`count` shuffles of the numbers below `size`."""

    def shoes(self, decks: int, count: int) -> Shoes:
        """`count` shoes, in the order in which they are dealt."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """A registered test, its figure, and whether it passes among all tests."""

    test: Registered
    figure: Figure
    adjusted: float
    """p adjusted by Holm's method: the smallest family-wise level at which the test would fail."""

    @property
    def passed(self) -> bool:
        return self.adjusted >= LEVEL


Counts = dict[str, Int64]
Tell = Callable[[int], None]


def run(source: Source, *, shoes: int, decks: int, tell: Tell = lambda _: None) -> tuple[Result, ...]:
    """Run every registered test over `shoes` shoes. `tell` is called with the number of shoes done."""
    total: Counts = {}
    done = 0
    while done < shoes:
        batch = min(BATCH, shoes - done)
        _add(total, count(source, batch, decks))
        done += batch
        tell(done)
    return judge(total, CARDS_IN_A_DECK * decks)


def count(source: Source, shoes: int, decks: int) -> Counts:
    """Draw and count one batch for every test."""
    return {
        **_raw(np.frombuffer(source.raw(RAW_BYTES * shoes), np.uint8)),
        **_orders(source.orders(CARDS_IN_A_DECK * decks, shoes)),
        **{f"order-deck-{n}": orders.count_small(source.orders(n, SMALL_SHUFFLES * shoes)) for n in SMALL_DECKS},
        **_cards(source.shoes(decks, shoes)),
    }


def _raw(drawn: raw.Bytes) -> Counts:
    return {
        "raw-bits": raw.count_bits(drawn),
        "raw-runs": raw.count_runs(drawn),
        "raw-bytes": raw.count_bytes(drawn),
        "raw-words": raw.count_words(drawn),
        "raw-gaps": raw.count_gaps(drawn),
        "raw-poker": raw.count_poker(drawn),
        "raw-birthdays": raw.count_birthdays(drawn),
    }


def _orders(drawn: Orders) -> Counts:
    chosen = orders.choices_of(drawn)
    by_choice = orders.count_choices(chosen)
    return {
        "order-choices": by_choice,
        "order-mean": by_choice,
        "order-serial-choices": orders.count_serial_choices(chosen),
        "order-places": orders.count_places(drawn),
        "order-distances": orders.count_distances(drawn),
        "order-fixed": orders.count_fixed(drawn),
        "order-parity": orders.count_parity(chosen),
        "order-fives": orders.count_fives(drawn),
        "order-serial": orders.count_serial(drawn),
    }


def _cards(drawn: Shoes) -> Counts:
    return {
        "cards-composition": cards.count_composition(drawn),
        "cards-repeats": cards.digests(drawn),
        "cards-places": cards.count_places(drawn),
        "cards-neighbours": cards.count_neighbours(drawn),
        "cards-gaps": cards.count_gaps(drawn),
        "cards-poker": cards.count_poker(drawn),
        "cards-collisions": cards.openings(drawn),
        "cards-serial": cards.count_serial(drawn),
    }


KEPT: Final = frozenset({"cards-repeats", "cards-collisions"})
"""Tests whose data is kept for each shoe instead of added up: repetitions are known only at the end."""


def _add(total: Counts, more: Counts) -> None:
    for name, counts in more.items():
        if name not in total:
            total[name] = counts
        elif name in KEPT:
            total[name] = np.concatenate((total[name], counts))
        else:
            total[name] = total[name] + counts


def _judges(size: int) -> dict[str, Callable[[Int64], Figure]]:
    """Test id → the function that judges its counts. `size` is the number of cards in a shoe."""
    return {
        "raw-bits": raw.judge_coin,
        "raw-runs": raw.judge_coin,
        "raw-bytes": raw.judge_alike,
        "raw-words": raw.judge_alike,
        "raw-gaps": raw.judge_gaps,
        "raw-poker": raw.judge_poker,
        "raw-birthdays": raw.judge_birthdays,
        "order-choices": orders.judge_choices,
        "order-mean": orders.judge_mean,
        "order-serial-choices": partial(orders.judge_serial_choices, cards=size),
        "order-places": orders.judge_places,
        "order-distances": orders.judge_distances,
        "order-fixed": orders.judge_fixed,
        "order-parity": raw.judge_coin,
        "order-fives": raw.judge_alike,
        "order-serial": partial(orders.judge_serial, cards=size),
        **{f"order-deck-{n}": raw.judge_alike for n in SMALL_DECKS},
        "cards-composition": cards.judge_none,
        "cards-repeats": cards.judge_repeats,
        "cards-places": cards.judge_places,
        "cards-neighbours": partial(cards.judge_neighbours, cards=size),
        "cards-gaps": partial(cards.judge_gaps, cards=size),
        "cards-poker": partial(cards.judge_poker, cards=size),
        "cards-collisions": partial(cards.judge_collisions, cards=size),
        "cards-serial": partial(cards.judge_serial, cards=size),
    }


def judge(total: Counts, size: int) -> tuple[Result, ...]:
    """Judge every registered test, in the order of `REGISTERED`."""
    judges = _judges(size)
    assert total.keys() == judges.keys() == {test.id for test in REGISTERED}, "every test is counted and judged"
    figures = [judges[test.id](total[test.id]) for test in REGISTERED]
    adjusted = holm([figure.p for figure in figures])
    return tuple(
        Result(test=test, figure=figure, adjusted=level)
        for test, figure, level in zip(REGISTERED, figures, adjusted, strict=True)
    )


def holm(ps: Sequence[float]) -> list[float]:
    """Holm's adjusted p: the smallest p times the number of tests, the next times one less, and so on; never below the
    one before."""
    adjusted = [0.0] * len(ps)
    least = 0.0
    for rank, at in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        least = max(least, min(1.0, (len(ps) - rank) * ps[at]))
        adjusted[at] = least
    return adjusted
