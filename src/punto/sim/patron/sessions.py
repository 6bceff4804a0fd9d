"""A patron at the table over whole shoes: what they stake, when they insure, when they leave, and their results.

Sessions use the shoes of `punto simulate`: session number i plays the shoes from i × `shoes` on. So results depend only
on seed, strategy and number of sessions. `plain` is the same patron in readable Python.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from fractions import Fraction
from math import lcm
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from punto.cards import CARDS_IN_A_DECK, RANKS
from punto.game.coup import MOST_CARDS
from punto.game.settlement import Limits
from punto.money import amount
from punto.rulebook.model import Bet, Moment, Rulebook
from punto.sim.audit.tables import tables, terms
from punto.sim.kernel.tables import tables as shoe_tables
from punto.sim.patron import kernel
from punto.sim.rng import WORD
from punto.sim.shoes import Setup

MOST_SHOES: Final = 20_000_000
"""Most shoes of all sessions together, because the result of each shoe is kept in memory."""
MOST_CENTS: Final = 10**12
MOST_ROUNDS: Final = 10**12
MOST_TAG: Final = 1_000
MOST_DENOMINATOR: Final = 1_000
BLOCK: Final = 256
"""Sessions that a worker plays at a time."""


class Insure(StrEnum):
    """When the patron takes insurance. They stake as much as allowed."""

    NEVER = "never"
    ALWAYS = "always"
    WORTH = "worth"
    """If its expectation on the unseen cards is positive."""


class Ended(StrEnum):
    """Why a session ended."""

    SHOES = "shoes"
    ROUNDS = "rounds"
    STOP_WIN = "stop-win"
    STOP_LOSS = "stop-loss"
    RUINED = "ruined"
    """The money left does not cover what the strategy would stake."""


class Stake(msgspec.Struct, frozen=True, kw_only=True):
    bet: Bet
    cents: int


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """A bet placed only when a count of the cards seen reaches a threshold."""

    stake: Stake
    tags: tuple[Fraction, ...]
    """What a card of each rank adds to the count, A 2 … 9 T J Q K."""
    threshold: Fraction
    true_count: bool = True
    """Whether the threshold applies to the count per 52 unseen cards; otherwise it applies to the running count."""


class Strategy(msgspec.Struct, frozen=True, kw_only=True):
    """What a patron does. An amount of None means no limit."""

    flat: tuple[Stake, ...] = ()
    counted: Counted | None = None
    insurance: Insure = Insure.NEVER
    bankroll_cents: int | None = None
    stop_win_cents: int | None = None
    stop_loss_cents: int | None = None
    rounds: int | None = None
    shoes: int = 1
    """Most shoes that a session lasts."""
    limits: Limits = Limits()

    @property
    def stakes(self) -> tuple[Stake, ...]:
        """All stakes, the counted one last."""
        return self.flat if self.counted is None else (*self.flat, self.counted.stake)


class Sessions(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Played sessions: a row of figures each, columns in the order of `kernel.Field`; and the result of every shoe."""

    figures: npt.NDArray[np.int64]
    shoes: npt.NDArray[np.int64]
    """Session × shoe → cents won in it; NOT_PLAYED if the session had ended before it."""

    def __getitem__(self, field: kernel.Field) -> npt.NDArray[np.int64]:
        return self.figures[:, field]


def check(rules: Rulebook, strategy: Strategy, sessions: int) -> None:
    """Raise ValueError about the first setting that can't be played."""
    if not strategy.stakes:
        raise ValueError("the strategy has no bet: give one for every round, or one with a count")
    for stake in strategy.stakes:
        if stake.bet not in rules.bets:
            raise ValueError(f"{stake.bet} is no bet of {rules.id}: expected one of {', '.join(rules.bets)}")
    _check_table(rules, strategy)
    amounts = {"bankroll": strategy.bankroll_cents, "stop-win": strategy.stop_win_cents}
    amounts |= {"stop-loss": strategy.stop_loss_cents}
    amounts |= {f"stake on {stake.bet}": stake.cents for stake in strategy.stakes}
    for name, cents in amounts.items():
        if cents is not None and not 0 < cents <= MOST_CENTS:
            raise ValueError(f"{name} is out of range: expected more than 0.00 and at most {amount(MOST_CENTS)}")
    if strategy.rounds is not None and not 0 < strategy.rounds <= MOST_ROUNDS:
        raise ValueError(f"{strategy.rounds} rounds are out of range: expected 1 to {MOST_ROUNDS}")
    if sessions < 1 or strategy.shoes < 1 or sessions * strategy.shoes > MOST_SHOES:
        wanted = f"{sessions} sessions of {strategy.shoes} shoes"
        raise ValueError(f"{wanted}: expected at least one of each, and at most {MOST_SHOES} shoes in all")
    if strategy.counted is not None:
        numbers = (*strategy.counted.tags, strategy.counted.threshold)
        if any(abs(number) > MOST_TAG or number.denominator > MOST_DENOMINATOR for number in numbers):
            raise ValueError(f"tags and line of a count are at most {MOST_TAG}, with at most three decimals")
        if len(strategy.counted.tags) != len(RANKS):
            raise ValueError(f"a count has a tag for each of {len(RANKS)} ranks")


def _check_table(rules: Rulebook, strategy: Strategy) -> None:
    """Check that one table takes all stakes of a round: one layout has the bets, and main bets keep to the maximum."""
    staked: dict[Bet, int] = {}
    for stake in strategy.stakes:
        staked[stake.bet] = staked.get(stake.bet, 0) + stake.cents
    if not any(staked.keys() <= set(layout.bets) for layout in rules.layouts.values()):
        raise ValueError(f"no layout has all of these bets: {', '.join(staked)}")
    most = strategy.limits.maximum_cents
    for bet, cents in staked.items():
        if most is not None and rules.bets[bet].main and cents > most:
            raise ValueError(f"{amount(cents)} on {bet}: the maximum is {amount(most)}")


def play(of: Setup, strategy: Strategy, sessions: int, *, workers: int = 2) -> Sessions:
    """Play sessions with the compiled kernel."""
    check(of.rules, strategy, sessions)
    plan = _for_kernel(of, strategy)
    figures = np.zeros((sessions, len(kernel.Field)), np.int64)
    shoes = np.full((sessions, strategy.shoes), kernel.NOT_PLAYED, np.int64)
    nowhere = np.zeros((0, 0), np.int64)

    def work(first: int) -> None:
        here = slice(first, min(first + BLOCK, sessions))
        kernel.play(np.int64(first), figures[here], shoes[here], nowhere, *plan)

    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(work, range(0, sessions, BLOCK)):
            pass
    return Sessions(figures=figures, shoes=shoes)


def paths(of: Setup, strategy: Strategy, sessions: int) -> list[npt.NDArray[np.int64]]:
    """Play the first sessions again, and record the cents won so far after every round, beginning with 0."""
    check(of.rules, strategy, sessions)
    longest = strategy.shoes * (of.cards // 4 + 1) + 1
    figures = np.zeros((sessions, len(kernel.Field)), np.int64)
    shoes = np.full((sessions, strategy.shoes), kernel.NOT_PLAYED, np.int64)
    walked = np.zeros((sessions, longest), np.int64)
    kernel.play(np.int64(0), figures, shoes, walked, *_for_kernel(of, strategy))
    return [walk[: rounds + 1] for walk, rounds in zip(walked, figures[:, kernel.Field.ROUNDS], strict=True)]


def _for_kernel(of: Setup, strategy: Strategy) -> tuple[Any, ...]:
    """Setup and strategy as arguments for the kernel."""
    rules, known = of.rules, tables(of.rules)
    made, bound = shoe_tables(of), terms(rules, strategy.limits)
    play_by = rules.table_of_play
    thirds = (*range(10), None)
    pairs = [(a, b) for a in range(10) for b in range(10)]
    shoe = (
        np.uint32(of.seed % WORD),
        np.uint32(of.seed // WORD),
        made.fresh,
        made.burn.astype(np.int64),
        np.int64(min(of.cards, of.stop - 1 + MOST_CARDS)),
        np.int64(of.stop),
    )
    deal = (
        np.array([play_by.player_draws(a, b) for a, b in pairs]),
        np.array([[play_by.banker_draws(b, a, third) for third in thirds] for a, b in pairs]),
        known.deal_at,
        known.outcome_at,
        known.verdict_at,
        known.handed_back,
    )
    insurance = (
        known.offer_at,
        known.insured_at,
        known.offer_hand,
        known.offer_odds,
        np.int64(known.odds_scale),
        bound.both_hands,
        bound.forgone,
        bound.winnings,
        bound.per_round,
        bound.cap_cents,
        np.int64(list(Insure).index(strategy.insurance)),
    )
    return shoe, deal, insurance, _plan(rules, strategy), _stops(strategy)


def _plan(rules: Rulebook, strategy: Strategy) -> tuple[Any, ...]:
    """Bets, stakes and the last hand each is open for, then the count in integers: running × factor ≥ threshold
    (× unseen cards)."""
    places = tables(rules).bets
    stakes, counted = strategy.stakes, strategy.counted
    tags, threshold = (counted.tags, counted.threshold) if counted else ((Fraction(0),) * len(RANKS), Fraction(0))
    true_count = counted is not None and counted.true_count
    scale = lcm(*(tag.denominator for tag in tags))
    return (
        np.array([places.index(stake.bet) for stake in stakes], np.int64),
        np.array([stake.cents for stake in stakes], np.int64),
        np.array([rules.bets[stake.bet].hands or kernel.ALWAYS_OPEN for stake in stakes], np.int64),
        np.array([places.index(Bet.PLAYER), places.index(Bet.BANKER)], np.int64),
        counted is not None,
        np.array([int(tag * scale) for tag in tags], np.int64),
        np.int64(threshold.denominator * (CARDS_IN_A_DECK if true_count else 1)),
        np.int64(threshold.numerator * scale),
        true_count,
    )


def _stops(strategy: Strategy) -> tuple[Any, ...]:
    amounts = (strategy.bankroll_cents, strategy.stop_win_cents, strategy.stop_loss_cents, strategy.rounds)
    return tuple(np.int64(kernel.UNBOUND if amount is None else amount) for amount in amounts)


assert list(Moment) == [Moment.FOUR_CARDS, Moment.PLAYER_THIRD], "the kernel asks for insurance in this order"
