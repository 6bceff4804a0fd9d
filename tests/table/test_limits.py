"""D1 to D5: `punto.game.limits` against plain reimplementations, on thousands of random boxes and by hand."""

from __future__ import annotations

import itertools
import random

import pytest

from punto.game import limits as judged
from punto.game.table import Laid, TableLimits
from punto.rulebook.model import Bet
from tests.table import plain_limits
from tests.table.given import limits

BOXES = 4_000


def laid(at: int, bet: Bet, stake: int, *, box: int = 1, seated: bool = False) -> Laid:
    """The wager that was placed as number `at`."""
    return Laid(f"w{at}", f"p{at}", box, bet, stake, stake, at, seated)


def on(bet: Bet, *stakes: int, first: int = 1) -> dict[str, Laid]:
    """Wagers on one bet in box 1, placed in this order."""
    return {wager.id: wager for wager in (laid(first + at, bet, stake) for at, stake in enumerate(stakes))}


PRO_RATA = [
    # Two equal wagers on Banker are twice the Differential: each keeps half.
    ("halves", limits(10, 100), [100, 100], [], [50, 50]),
    # The lighter side adds to the capacity: 100 + 60.
    ("lighter side counts", limits(10, 100), [200, 120], [60], [100, 60, 60]),
    # 100 over 3 wagers: a third each, and the odd cent goes to the earliest.
    ("ties of remainders to the earlier", limits(10, 100), [50, 50, 50], [], [34, 33, 33]),
    # 100 × 70/211, 70/211, 71/211 = 33.18, 33.18, 33.65: the spare cent goes to the largest remainder, the last one.
    ("largest remainder", limits(10, 100), [70, 70, 71], [], [33, 33, 34]),
    # 5 is under the minimum of 10 and stands in full; 95 is left for the others.
    ("under the minimum first", limits(10, 100), [5, 190, 190], [], [5, 48, 47]),
    # A tenth of 100 is 10, which is under 20: it is set to 20; 80 is left for the 900.
    ("lifted to the minimum", limits(20, 100), [100, 900], [], [20, 80]),
    # 100·40/540 = 7.4 and 100·100/540 = 18.5 are both under 30: both are set to 30; 40 is left for the 400.
    ("two lifted at once", limits(30, 100), [40, 100, 400], [], [30, 30, 40]),
    # 100·30/475 = 6.3 is under 30 and set to 30; of the other 70, 145 gets 70·145/445 = 22.8 and is set to 30 too.
    ("lifted in two passes", limits(30, 100), [30, 145, 300], [], [30, 30, 40]),
    # Five minimums of 30 are more than 100: each wager keeps the minimum all the same.
    ("minimums exceed the capacity", limits(30, 100), [60, 60, 60, 60, 60], [], [30, 30, 30, 30, 30]),
    # The wagers under the minimum alone use up the capacity: the other keeps the minimum.
    ("small wagers exceed the capacity", limits(60, 100), [59, 59, 200], [], [59, 59, 60]),
    # One-cent stakes at a minimum of one cent: only 2 of 3 cents fit, but each keeps the minimum.
    ("single cents", limits(1, 2), [1, 1, 1], [], [1, 1, 1]),
    # A maximum of 90 is shared first; the Differential then has nothing to cut.
    ("maximum", limits(10, 100, 90), [90, 90], [], [45, 45]),
    # The maximum brings Banker to 150 and leaves 150 − 20 = 130 > 100: then the Differential, 120.
    ("maximum, then Differential", limits(10, 100, 150), [150, 150], [20], [60, 60, 20]),
    # Both sides pass the maximum: both are shared, and the Differential is nought.
    ("maximum on both sides", limits(10, 50, 100), [150, 50], [300], [75, 25, 100]),
    ("all fits", limits(10, 100), [60, 40], [], [60, 40]),
]


@pytest.mark.parametrize(
    ("figures", "banker", "player", "expected"), [row[1:] for row in PRO_RATA], ids=[row[0] for row in PRO_RATA]
)
def test_pro_rata_by_hand(figures: TableLimits, banker: list[int], player: list[int], expected: list[int]) -> None:
    """D4, 5.1.1, 5.1.2: Banker's wagers, then Player's, and what of each is in play."""
    wagers = on(Bet.BANKER, *banker) | on(Bet.PLAYER, *player, first=len(banker) + 1)
    assert list(judged.pro_rata(figures, wagers, 1).values()) == expected
    assert list(plain_limits.in_play(figures, list(wagers.values())).values()) == expected


def test_a_side_bet_has_its_own_maximum_and_no_differential() -> None:
    figures = limits(10, 100, tie=(None, 50), player_pair=(20, None))
    wagers = on(Bet.TIE, 60, 40) | on(Bet.PLAYER_PAIR, 500, first=3)
    assert judged.pro_rata(figures, wagers, 1) == {"w1": 30, "w2": 20, "w3": 500}


def test_other_boxes_are_left_alone() -> None:
    wagers = on(Bet.BANKER, 150) | {"w9": laid(9, Bet.BANKER, 500, box=2)}
    assert judged.pro_rata(limits(10, 100), wagers, 1) == {"w1": 100}


def _figures(chance: random.Random) -> TableLimits:
    least = chance.choice((1, 1, 2, 5, 10, 25))
    differential = least + chance.choice((0, 1, 3, 10, 40, 100))
    maximum = chance.choice((None, least, least + 7, differential, differential + 30))
    tie = chance.choice(((None, None), (None, 12), (3, 20), (0, 1)))
    return limits(least, differential, maximum, chance.choice(("box", "box-and-table")), tie=tie)


def _box(chance: random.Random, most: int) -> dict[str, Laid]:
    size = chance.choice((1, 2, 3, 4, 6, 9))
    stakes = (1, 2, chance.randint(1, most), chance.randint(1, most), most)
    return {
        wager.id: wager
        for wager in (
            laid(
                at,
                chance.choice((Bet.BANKER, Bet.BANKER, Bet.PLAYER, Bet.TIE)),
                chance.choice(stakes),
                seated=chance.random() < 0.4,
            )
            for at in range(1, size + 1)
        )
    }


@pytest.mark.parametrize("seed", range(4))
def test_pro_rata_against_the_plain_one(seed: int) -> None:
    chance = random.Random(seed)
    shared = 0
    for _ in range(BOXES):
        figures, wagers = _figures(chance), _box(chance, chance.choice((3, 60, 400, 10_000)))
        parts = judged.pro_rata(figures, wagers, 1)
        assert parts == plain_limits.in_play(figures, list(wagers.values())), (figures, wagers)
        shared += any(parts[name] < wager.stake_cents for name, wager in wagers.items())
        _fair(figures, wagers, parts)
    assert shared > BOXES / 4


def _fair(figures: TableLimits, wagers: dict[str, Laid], parts: dict[str, int]) -> None:
    """What D4 promises: no part over the stake, none under the minimum, and no smaller part for a larger stake."""
    for name, wager in wagers.items():
        least = judged.minimum_cents(figures, wager.bet)
        assert min(least, wager.stake_cents) <= parts[name] <= wager.stake_cents
    for wager, other in itertools.combinations(wagers.values(), 2):
        if wager.bet is other.bet and wager.stake_cents == other.stake_cents:
            assert 0 <= parts[wager.id] - parts[other.id] <= 1, "equal stakes differ by a cent at most, for the earlier"
        elif wager.bet is other.bet and wager.stake_cents > other.stake_cents:
            assert parts[wager.id] >= parts[other.id]


def _legal(chance: random.Random, figures: TableLimits) -> dict[str, Laid]:
    """Wagers over two boxes that keep every limit."""
    wagers: dict[str, Laid] = {}
    for at in range(1, chance.choice((2, 6, 40))):
        bet = chance.choice((Bet.BANKER, Bet.PLAYER, Bet.TIE))
        wager = laid(at, bet, chance.randint(1, 30), box=chance.randint(1, 2), seated=chance.random() < 0.3)
        if plain_limits.fault(figures, [*wagers.values(), wager]) is None:
            wagers[wager.id] = wager
    return wagers


@pytest.mark.parametrize("seed", range(2))
def test_the_part_that_fits_is_the_largest_one(seed: int) -> None:
    """D3 by full search: no larger part would fit, and standing wagers are cut only for a seated patron."""
    chance = random.Random(100 + seed)
    cut_for = 0
    for _ in range(2_000):
        figures = _figures(chance)
        wagers = _legal(chance, figures)
        new = laid(
            50, chance.choice((Bet.BANKER, Bet.PLAYER, Bet.TIE)), chance.randint(1, 60), seated=chance.random() < 0.6
        )
        fit = judged.fit(figures, wagers, 1, new.bet, new.stake_cents, seated=new.seated)
        assert fit.fits_cents == plain_limits.most_that_fits(figures, list(wagers.values()), new), (
            figures,
            wagers,
            new,
        )
        _cut_as_ruled(figures, wagers, fit.cuts)
        cut_for += bool(fit.cuts)
        if fit.cuts:
            assert new.seated
            assert all(not cut.wager.seated and cut.wager.bet is new.bet and cut.wager.box == 1 for cut in fit.cuts)
    assert cut_for > 50


@pytest.mark.parametrize("seed", range(2))
def test_an_excess_is_cut_until_all_is_well(seed: int) -> None:
    """D3: after one side of a box is gone, cuts alone make every limit hold again."""
    chance = random.Random(200 + seed)
    cut_for = 0
    for _ in range(4_000):
        figures = _figures(chance)
        wagers = _legal(chance, figures)
        gone = (chance.randint(1, 2), chance.choice((Bet.BANKER, Bet.PLAYER)))
        wagers = {name: wager for name, wager in wagers.items() if (wager.box, wager.bet) != gone}
        cuts = judged.excess(figures, wagers)
        after = {cut.wager.id: cut.amount_cents for cut in cuts}
        left = [
            laid(wager.order, wager.bet, wager.stake_cents - after.get(name, 0), box=wager.box)
            for name, wager in wagers.items()
            if wager.stake_cents > after.get(name, 0)
        ]
        assert plain_limits.fault(figures, left) is None
        assert bool(cuts) == (plain_limits.fault(figures, list(wagers.values())) is not None)
        cut_for += bool(cuts)
        for cut in cuts:
            assert 0 < cut.amount_cents <= cut.wager.stake_cents
            rest = cut.wager.stake_cents - cut.amount_cents
            assert rest == 0 or rest >= judged.minimum_cents(figures, cut.wager.bet)
    assert cut_for > 100


def _cut_as_ruled(figures: TableLimits, wagers: dict[str, Laid], cuts: tuple[judged.Cut, ...]) -> None:
    """The latest wager is cut first, each whole but for the last, and no rest is under the minimum."""
    orders = [cut.wager.order for cut in cuts]
    assert orders == sorted(orders, reverse=True)
    for cut in cuts[:-1]:
        assert cut.amount_cents == cut.wager.stake_cents
    for cut in cuts:
        assert wagers[cut.wager.id] == cut.wager
        rest = cut.wager.stake_cents - cut.amount_cents
        assert rest == 0 or rest >= judged.minimum_cents(figures, cut.wager.bet)


def test_cut_back_takes_standing_before_seated_and_the_latest_first() -> None:
    wagers = [
        laid(1, Bet.PLAYER, 50),
        laid(2, Bet.PLAYER, 50, seated=True),
        laid(3, Bet.PLAYER, 50),
        laid(4, Bet.PLAYER, 50, seated=True),
    ]
    cuts = judged.cut_back(limits(10, 100), wagers, 130)
    assert [(cut.wager.order, cut.amount_cents) for cut in cuts] == [(3, 50), (1, 50), (4, 30)]


def test_a_rest_under_the_minimum_goes_back_whole() -> None:
    cuts = judged.cut_back(limits(30, 100), [laid(1, Bet.PLAYER, 50)], 21)
    assert [cut.amount_cents for cut in cuts] == [50]


def test_the_differential_is_banker_less_player_without_its_sign() -> None:
    wagers = [*on(Bet.PLAYER, 70, 10).values(), laid(9, Bet.BANKER, 30), laid(10, Bet.TIE, 500)]
    assert judged.differential_cents(wagers) == 50


def test_d1_which_bets_are_bounded() -> None:
    """Player and Banker by the Differential, a side bet by a maximum of its own; one with a minimum alone is not."""
    figures = limits(1000, 100_000, player=(2000, 50_000), tie=(500, 20_000), player_pair=(500, None))
    assert judged.bounded(figures) == (Bet.PLAYER, Bet.BANKER, Bet.TIE)
