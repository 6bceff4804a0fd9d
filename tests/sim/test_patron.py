"""The compiled patron and the readable one play the same sessions to the cent; what they do is what was asked."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from punto.cards import DECK
from punto.game.coup import Coup
from punto.game.insurance import offer
from punto.game.settlement import Limits
from punto.odds.composition import full, remaining
from punto.odds.mid_round import priced
from punto.odds.value import values
from punto.rulebook.model import Bet, Moment
from punto.sim.patron import plain as patron_plain
from punto.sim.patron import sessions as patron
from punto.sim.patron.kernel import NOT_PLAYED, Field
from punto.sim.patron.sessions import Counted, Ended, Insure, Sessions, Stake, Strategy
from punto.sim.shoes import Setup, deal_shoe, setup
from tests.properties.rounds import EDITIONS, Edition, book

TIGER: Edition = ("tiger-buffalo-commission", "2025-11-21")
LIVE: Edition = ("live-baccarat-insurance-commission", "undated")
TIES = tuple(Fraction(tag, 2) for tag in (0, 1, 1, -2, -2, 1, 0, 0, 1, -1, 0, 1, 0))


def of(edition: Edition, **options: Any) -> Setup:
    return setup(book(edition), **{"seed": 11, **options})


def flat(bet: Bet = Bet.BANKER, cents: int = 10_000) -> Stake:
    return Stake(bet=bet, cents=cents)


def counted(line: Fraction, *, true_count: bool = True, bet: Bet = Bet.TIE) -> Counted:
    return Counted(stake=flat(bet, 2_501), tags=TIES, threshold=line, true_count=true_count)


def equal(sessions: Sessions, other: Sessions) -> bool:
    return bool((sessions.figures == other.figures).all() and (sessions.shoes == other.shoes).all())


STRATEGIES = {
    "flat": Strategy(flat=(flat(),), shoes=2),
    "both hands": Strategy(flat=(flat(), flat(Bet.PLAYER, 7_777)), insurance=Insure.ALWAYS),
    "always": Strategy(flat=(flat(Bet.PLAYER, 12_345),), insurance=Insure.ALWAYS, shoes=2),
    "worth": Strategy(flat=(flat(Bet.PLAYER, 999),), insurance=Insure.WORTH, shoes=3),
    "worth, banker": Strategy(flat=(flat(),), insurance=Insure.WORTH, shoes=3, limits=Limits(maximum_cents=20_000)),
    "count": Strategy(flat=(flat(),), counted=counted(Fraction(1, 3)), shoes=2),
    "running": Strategy(counted=counted(Fraction(2), true_count=False), shoes=2),
    "count on a hand": Strategy(counted=counted(Fraction(0), bet=Bet.PLAYER), insurance=Insure.ALWAYS),
    "poor": Strategy(flat=(flat(),), insurance=Insure.ALWAYS, bankroll_cents=35_000, shoes=4),
    "stops": Strategy(flat=(flat(),), bankroll_cents=100_000, stop_win_cents=30_000, stop_loss_cents=40_000, shoes=3),
    "rounds": Strategy(flat=(flat(Bet.PLAYER_PAIR, 333),), rounds=100, shoes=3),
}


@pytest.mark.parametrize("name", STRATEGIES)
@EDITIONS
def test_both_patrons_play_the_same_to_the_cent(edition: Edition, name: str) -> None:
    strategy = STRATEGIES[name]
    table = of(edition)
    assert equal(patron.play(table, strategy, 4), patron_plain.play(table, strategy, 4))


def test_the_strategies_above_do_what_they_are_there_for() -> None:
    """Every field is moved and every end is met by one of them."""
    played = {name: patron.play(of(TIGER), strategy, 60) for name, strategy in STRATEGIES.items()}
    ends = {list(Ended)[end] for sessions in played.values() for end in sessions[Field.ENDED]}
    assert ends == set(Ended)
    for name, fields in {
        "worth": (Field.INSURED_TIMES, Field.INSURED_NET),
        "worth, banker": (Field.INSURED_TIMES,),
        "count": (Field.COUNTED_TIMES, Field.COUNTED_NET),
        "running": (Field.COUNTED_TIMES,),
        "count on a hand": (Field.COUNTED_TIMES, Field.INSURED_TIMES),
    }.items():
        assert all(played[name][field].any() for field in fields), name
    assert (played["count"][Field.COUNTED_TIMES] < played["count"][Field.ROUNDS]).all()
    assert not played["flat"][Field.INSURED_TIMES].any()


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_change_nothing(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = STRATEGIES["worth"]
    whole = patron.play(of(TIGER), strategy, 40)
    monkeypatch.setattr(patron, "BLOCK", 7)
    assert equal(patron.play(of(TIGER), strategy, 40, workers=workers), whole)


def test_decks_cut_and_seed_are_those_of_the_shoe() -> None:
    for options in ({"decks": 6}, {"cut": 100}, {"seed": (1 << 64) - 1}):
        table = of(LIVE, **options)
        played = patron.play(table, Strategy(flat=(flat(),)), 2)
        assert played[Field.ROUNDS].tolist() == [len(deal_shoe(table, number).rounds) for number in (0, 1)]
        assert equal(played, patron_plain.play(table, Strategy(flat=(flat(),)), 2))


def test_a_session_goes_on_from_shoe_to_shoe() -> None:
    single = patron.play(of(TIGER), Strategy(flat=(flat(),)), 6)
    three = patron.play(of(TIGER), Strategy(flat=(flat(),), shoes=3), 2)
    assert three.shoes.ravel().tolist() == single[Field.NET].tolist()
    assert three[Field.NET].tolist() == single[Field.NET].reshape(2, 3).sum(axis=1).tolist()


def test_stops_end_a_session_at_once() -> None:
    played = patron.play(of(TIGER), STRATEGIES["stops"], 200)
    for net, ended, shoes in zip(played[Field.NET], played[Field.ENDED], played.shoes, strict=True):
        won = shoes[shoes != NOT_PLAYED]
        assert won.sum() == net
        match list(Ended)[ended]:
            case Ended.STOP_WIN:
                assert 30_000 <= net < 30_000 + 10_000
            case Ended.STOP_LOSS:
                assert -50_000 < net <= -40_000
            case _:
                assert -40_000 < net < 30_000


def test_nobody_loses_more_than_he_has() -> None:
    played = patron.play(of(TIGER), STRATEGIES["poor"], 300)
    assert (played[Field.NET] >= -35_000).all()
    ruined = played[Field.ENDED] == list(Ended).index(Ended.RUINED)
    assert ruined.any()
    assert (played[Field.NET][ruined] < -25_000).all()


def test_paths_are_the_sessions_round_by_round() -> None:
    strategy = STRATEGIES["stops"]
    played, walked = patron.play(of(TIGER), strategy, 20), patron.paths(of(TIGER), strategy, 20)
    for net, rounds, fall, walk in zip(
        played[Field.NET], played[Field.ROUNDS], played[Field.DRAWDOWN], walked, strict=True
    ):
        assert (len(walk), walk[0], walk[-1]) == (rounds + 1, 0, net)
        assert fall == (np.maximum.accumulate(walk) - walk).max()


def test_flat_betting_loses_the_house_edge() -> None:
    """20,000 shoes: within four standard errors of the exact expectation."""
    rules = book(TIGER)
    played = patron.play(of(TIGER), Strategy(flat=(flat(),)), 20_000)
    expected = float(values(rules, full(rules))[Bet.BANKER].expectation) * 10_000 * played[Field.ROUNDS]
    off = played[Field.NET] - expected
    assert abs(off.mean()) < 4 * off.std() / np.sqrt(len(off))


def test_insurance_that_is_worth_it_gains_and_insurance_always_taken_loses() -> None:
    worth = patron.play(of(TIGER), Strategy(flat=(flat(Bet.PLAYER),), insurance=Insure.WORTH), 20_000)
    always = patron.play(of(TIGER), Strategy(flat=(flat(Bet.PLAYER),), insurance=Insure.ALWAYS), 20_000)
    assert 0 < worth[Field.INSURED_TIMES].sum() < always[Field.INSURED_TIMES].sum() / 5
    assert worth[Field.INSURED_NET].sum() > 0
    assert always[Field.INSURED_NET].sum() < 0


@EDITIONS
def test_the_worth_of_an_offer_is_the_exact_one(edition: Edition) -> None:
    """On what is left of a shoe, as `punto odds --seen` has it."""
    rules, table, checked = book(edition), of(edition), 0
    gone: list[Any] = []
    for dealt in deal_shoe(table, 3).rounds:
        for moment in Moment:
            open_offer = offer(rules, moment, dealt.coup)
            if open_offer is None:
                continue
            seen = Coup(dealt.coup.player[: 2 + (moment is Moment.PLAYER_THIRD)], dealt.coup.banker[:2])
            out = [*gone, *seen.player, *seen.banker]
            exact = priced(rules, seen, remaining(rules, table.decks, out, least=2))
            hidden = Counter(DECK * table.decks) - Counter(out)
            assert exact is not None
            assert patron_plain.expectation(rules, open_offer, seen, hidden) == exact.expectation
            checked += 1
        gone += [*dealt.coup.player, *dealt.coup.banker]
    assert checked > 5


@pytest.mark.parametrize(
    ("strategy", "sessions", "sentence"),
    [
        (Strategy(), 1, "the strategy has no bet"),
        (Strategy(flat=(flat(Bet.SUPER_6_PLUS),)), 1, "super_6_plus is no bet of tiger-buffalo-commission/2025-11-21"),
        (Strategy(flat=(flat(cents=0),)), 1, "stake on banker is out of range"),
        (Strategy(flat=(flat(),), bankroll_cents=0), 1, "bankroll is out of range: .* at most 10000000000.00"),
        (Strategy(flat=(flat(),), stop_win_cents=-1), 1, "stop-win is out of range"),
        (Strategy(flat=(flat(),), rounds=0), 1, "0 rounds are out of range: expected 1 to 1000000000000"),
        (Strategy(flat=(flat(),), shoes=0), 1, "expected at least one of each"),
        (Strategy(flat=(flat(),), shoes=1_000), 1_000_000, "at most 20000000 shoes in all"),
        (Strategy(counted=counted(Fraction(1, 1001))), 1, "with at most three decimals"),
        (
            Strategy(counted=Counted(stake=flat(), tags=TIES[:3], threshold=Fraction(1))),
            1,
            "a tag for each of 13 ranks",
        ),
    ],
)
def test_what_can_t_be_played(strategy: Strategy, sessions: int, sentence: str) -> None:
    for play in (patron.play, patron_plain.play):
        with pytest.raises(ValueError, match=sentence):
            play(of(TIGER), strategy, sessions)
