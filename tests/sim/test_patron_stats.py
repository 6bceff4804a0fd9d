"""Figures and pictures of sessions."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from punto.rulebook.model import Bet
from punto.sim.patron import sessions as patron
from punto.sim.patron.kernel import NOT_PLAYED, Field
from punto.sim.patron.sessions import Ended, Sessions, Stake, Strategy
from punto.sim.patron.stats import chance, spread, summary
from punto.sim.plot import FORMATS, picture
from punto.sim.shoes import setup
from tests.properties.rounds import Edition, book

TIGER: Edition = ("tiger-buffalo-commission", "2025-11-21")


def by_hand() -> Sessions:
    """Two sessions: one won 300 on 1,000 staked and lost nothing on the way, one was ruined by 500 on 2,000."""
    figures = np.zeros((2, len(Field)), np.int64)
    figures[0, [Field.NET, Field.ROUNDS, Field.STAKED]] = 300, 10, 1_000
    figures[1, [Field.NET, Field.ROUNDS, Field.STAKED, Field.DRAWDOWN]] = -500, 20, 2_000, 700
    figures[1, Field.ENDED] = list(Ended).index(Ended.RUINED)
    figures[1, [Field.INSURED_TIMES, Field.INSURED_STAKED, Field.INSURED_NET]] = 3, 30, -5
    return Sessions(figures=figures, shoes=np.array([[100, 200], [-500, NOT_PLAYED]]))


def test_figures_by_hand() -> None:
    figures = summary(by_hand())
    assert (figures.sessions, figures.rounds, figures.staked, figures.net) == (2, 30, 3_000, -200)
    assert figures.net_of_stakes == pytest.approx(-200 / 3_000)
    assert figures.per_session.mean == -100
    assert figures.per_session.deviation == pytest.approx(800 / sqrt(2))
    assert figures.per_session.standard_error == pytest.approx(400)
    assert (figures.per_session.least, figures.per_session.most) == (-500, 300)
    assert (figures.per_shoe.count, figures.per_shoe.quantiles[0.5]) == (3, 100)
    assert figures.per_shoe.mean == pytest.approx(-200 / 3)
    assert figures.per_shoe.standard_error == pytest.approx(2 * (300 + 2 * 200 / 3) / 3), (
        "over sessions, not over shoes"
    )
    assert figures.drawdown.most == 700
    assert (figures.ruin.times, figures.ruin.share) == (1, 0.5)
    assert figures.ended[Ended.SHOES].times == 1
    assert figures.won.times == 1
    assert figures.insured == (3, 30, -5)


def test_the_error_of_a_share() -> None:
    assert chance(50, 100).standard_error == pytest.approx(0.05)
    assert chance(0, 100).share == 0
    assert 0 < chance(0, 100).standard_error < 0.02
    assert chance(0, 100).standard_error == pytest.approx(chance(100, 100).standard_error)


def test_nothing_has_no_spread() -> None:
    assert spread(np.array([], np.int64)).count == 0
    assert spread(np.array([5])).deviation is None


def test_errors_are_what_they_say() -> None:
    """The same strategy on other shoes: estimates differ by about their errors."""
    strategy = Strategy(flat=(Stake(bet=Bet.PLAYER, cents=100),))
    summaries = [summary(patron.play(setup(book(TIGER), seed=seed), strategy, 500)) for seed in range(60)]
    for means, errors in (
        (
            [figures.per_session.mean for figures in summaries],
            [figures.per_session.standard_error for figures in summaries],
        ),
        ([figures.net_of_stakes for figures in summaries], [figures.net_of_stakes_error for figures in summaries]),
    ):
        assert np.std(np.array(means, float)) == pytest.approx(np.mean(np.array(errors, float)), rel=0.35)


@pytest.mark.parametrize("ending", FORMATS)
def test_a_picture_is_a_whole_file_and_the_same_again(ending: str) -> None:
    strategy = Strategy(flat=(Stake(bet=Bet.TIE, cents=1_000),), bankroll_cents=20_000)
    table = setup(book(TIGER))
    sessions, walks = patron.play(table, strategy, 50), patron.paths(table, strategy, 20)
    made = picture("tie 10.00", sessions, summary(sessions), walks, 1_000, ending)
    assert made[:4] in (b"\x89PNG", b"<?xm", b"%PDF")
    if ending == ".png":
        assert made == picture("tie 10.00", sessions, summary(sessions), walks, 1_000, ending)


def test_a_picture_of_one_session_that_never_moves() -> None:
    """No stake was ever placed: every figure is zero."""
    still = Sessions(figures=np.zeros((1, len(Field)), np.int64), shoes=np.zeros((1, 1), np.int64))
    assert picture("nothing", still, summary(still), [np.zeros(1, np.int64)], 100, ".png")
