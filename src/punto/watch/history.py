"""Stakes by depth of the shoe, with exact edges, and what an earlier cut card or a lower limit would have changed.

Exact odds of a shoe take a good ten microseconds, so in a long file only evenly chosen shoes are valued; the answer
says how many rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from punto.cards import RANKS
from punto.game.coup import MOST_CARDS as LEAST_CARDS
from punto.rulebook.model import Rulebook
from punto.sim.analysis import expectations
from punto.watch.rows import NO_CARD, Shoes

STEP: Final = 26
"""Width of a class of cards left: half a deck."""
VALUED: Final = 40_000
"""About how many rounds are valued exactly."""

ROUNDS, FAVOURABLE, STAKED, WORTH, GAIN, OVER_WORTH, OVER_GAIN = range(7)
_COLUMNS: Final = 7


class Depth(msgspec.Struct, frozen=True, kw_only=True):
    """One bet, in rounds that began with about `cards_left` cards. Money is in cents, from the patrons' side."""

    bet: str
    cards_left: int
    """Lower end of the class: the rounds began with this many cards left or up to a STEP more."""
    rounds: int
    favourable: int
    """Rounds with a positive edge."""
    staked: float
    worth: float
    """Stakes times exact edges."""
    gain: float
    """The same, only where the edge is positive."""


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """A measure that the house might have taken. Money is in cents, by exact edges and not by results."""

    measure: str
    cards_left: int
    rounds: int
    """Rounds that would not have been dealt, or that would have been played under the lower limit."""
    cost: float
    """Worth to the house of the stakes with an edge for the house that would not have been made."""
    saved: float
    """Worth to patrons of the stakes with an edge for them that would not have been made."""


class History:
    """Sums over the shoes that were valued."""

    def __init__(self, rules: Rulebook, decks: int, rounds: int, late_limit_cents: int) -> None:
        self.rules, self.bets = rules, tuple(bet.value for bet in rules.bets)
        self.main = [rules.bets[bet].main for bet in rules.bets]
        self.decks, self.limit = decks, late_limit_cents
        self.every = max(1, -(-rounds // VALUED))
        """One shoe in this many is valued."""
        self.sums = np.zeros((len(self.bets), decks * 52 // STEP + 1, _COLUMNS))
        self.valued = 0

    def value(self, shoes: Shoes, first_shoe: int) -> tuple[np.ndarray, int]:
        """The sums of one batch, and its number of valued rounds. Does not change this object."""
        chosen = [at for at in range(len(shoes)) if (first_shoe + at) % self.every == 0]
        sums, rounds = np.zeros_like(self.sums), 0
        if chosen:
            rows = np.concatenate([shoes.order[shoes.first[at] : shoes.first[at + 1]] for at in chosen])
            left = np.concatenate([left_before(shoes, at, self.decks) for at in chosen])
            enough = (left.sum(axis=1) >= LEAST_CARDS) & (left >= 0).all(axis=1)
            rows, left = rows[enough], left[enough]
            if len(rows):
                edges, rounds = expectations(self.rules, left), len(rows)
                self._add(shoes, rows, left.sum(axis=1) // STEP, edges, sums)
        return sums, rounds

    def _add(self, shoes: Shoes, rows: np.ndarray, depth: np.ndarray, edges: np.ndarray, sums: np.ndarray) -> None:
        of = shoes.rounds
        for number in range(len(self.bets)):
            np.add.at(sums[number, :, ROUNDS], depth, 1)
            np.add.at(sums[number, :, FAVOURABLE], depth, edges[:, number] > 0)
        counts = np.diff(of.start)[rows]
        start = np.r_[0, np.cumsum(counts)]
        wagers = np.repeat(of.start[:-1][rows] - start[:-1], counts) + np.arange(int(start[-1]))
        at = np.repeat(np.arange(len(rows)), counts)
        bet, stake = of.bet[wagers].astype(np.int64), of.stake[wagers].astype(np.float64)
        good = (bet < len(self.bets)) & (stake > 0)
        bet, stake, at = bet[good], stake[good], at[good]
        edge, place = edges[at, bet], (bet, depth[at])
        over = np.maximum(stake - self.limit, 0)
        for column, value in (
            (STAKED, stake),
            (WORTH, stake * edge),
            (GAIN, stake * np.maximum(edge, 0)),
            (OVER_WORTH, over * edge),
            (OVER_GAIN, over * np.maximum(edge, 0)),
        ):
            np.add.at(sums[..., column], place, value)

    def add(self, sums: np.ndarray, rounds: int) -> None:
        self.sums += sums
        self.valued += rounds

    def depths(self) -> list[Depth]:
        return [
            Depth(
                bet=bet,
                cards_left=step * STEP,
                rounds=int(row[ROUNDS]),
                favourable=int(row[FAVOURABLE]),
                staked=float(row[STAKED]),
                worth=float(row[WORTH]),
                gain=float(row[GAIN]),
            )
            for at, bet in enumerate(self.bets)
            for step, row in enumerate(self.sums[at])
            if row[STAKED]
        ]

    def measures(self, cuts: Sequence[int] = (26, 52, 78, 104)) -> list[Measure]:
        """The effect of a cut card at each of `cuts` cards left, and of a lower limit on side bets from there on."""
        measured = []
        for cut in cuts:
            late = self.sums[:, : cut // STEP]
            rounds = int(late[0, :, ROUNDS].sum())
            measured.append(
                Measure(
                    measure="cut card or shuffle earlier",
                    cards_left=cut,
                    rounds=rounds,
                    cost=float(late[..., GAIN].sum() - late[..., WORTH].sum()),
                    saved=float(late[..., GAIN].sum()),
                )
            )
            side = late[[not bet for bet in self.main]]
            measured.append(
                Measure(
                    measure=f"side bets limited to {self.limit / 100:.2f}",
                    cards_left=cut,
                    rounds=rounds,
                    cost=float(side[..., OVER_GAIN].sum() - side[..., OVER_WORTH].sum()),
                    saved=float(side[..., OVER_GAIN].sum()),
                )
            )
        return measured


def left_before(shoes: Shoes, shoe: int, decks: int) -> np.ndarray:
    """Cards left before every round of a shoe, by rank. A card that is not on record counts as left."""
    rows = shoes.order[shoes.first[shoe] : shoes.first[shoe + 1]]
    cards = shoes.rounds.cards[:, rows].T
    readable = cards.max(axis=1, initial=0) <= NO_CARD
    gone = np.zeros((len(rows), len(RANKS)), np.int64)
    for rank in range(len(RANKS)):
        gone[:, rank] = ((cards < NO_CARD) & (cards // 4 == rank) & readable[:, None]).sum(axis=1)
    before = np.cumsum(gone, axis=0) - gone
    left: np.ndarray = 4 * decks - before
    return left
