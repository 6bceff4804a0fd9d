"""The readable engine: it deals shoes card by card through `punto.game`, the same shoes as the compiled engines.

It defines what a simulated shoe is, burn and cut card included. Tests compare every faster engine with it.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

import msgspec
import numpy as np

from punto.cards import CARDS_IN_A_DECK, RANKS, Card, points
from punto.game.coup import MOST_CARDS, Coup, deal
from punto.game.insurance import Offer, offer
from punto.game.outcome import Pairs, pairs_of
from punto.rulebook.model import Moment, Rulebook
from punto.sim.atoms import Int64, compiled
from punto.sim.rng import MOST_SEED, shuffled

CUT: Final = 16
"""Default number of cards behind the cut card."""

MOST_BURNT: Final = 11
"""The first card, and ten more if it is a ten or a picture."""

MOST_INDEX: Final = (1 << 63) - 1

FLAGS: Final = tuple(Pairs)


class Setup(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What is dealt: an edition, its decks, the cut card, the seed. With a shoe's number these determine its cards."""

    rules: Rulebook
    decks: int
    cut: int
    seed: int

    @property
    def cards(self) -> int:
        return self.decks * CARDS_IN_A_DECK

    @property
    def cut_at(self) -> int:
        """Cards in front of the cut card."""
        return self.cards - self.cut

    @property
    def burns(self) -> bool:
        return self.rules.procedure.burn != "none"

    @property
    def stop(self) -> int:
        """I8, L3: no round starts once this many cards have left the shoe. If the cut card is on top between two
        rounds, the edition decides: the shoe ends, or one last round follows with the cut card as its first card."""
        return self.cut_at if self.rules.procedure.cut_card_between == "ends-shoe" else self.cut_at + 1

    @property
    def sure_rounds(self) -> int:
        """Rounds that every shoe has, whatever its cards are. Whether later rounds are dealt depends on the cards."""
        burnt = MOST_BURNT if self.burns else 0
        return (self.stop - 1 - burnt) // MOST_CARDS + 1

    @cached_property
    def atoms(self) -> dict[Atom, int]:
        """Atom → its index in the order of `compiled`."""
        return atom_places(self.rules)


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """One round of a shoe."""

    number: int
    place: int
    """Cards that had left the shoe before this round."""
    coup: Coup
    offers: tuple[Offer, ...]
    cut_card: bool
    """Whether the cut card came out in this round."""


class DealtShoe(msgspec.Struct, frozen=True, kw_only=True):
    """A whole shoe."""

    number: int
    burnt: tuple[Card, ...]
    rounds: tuple[Round, ...]
    left: int


class Tally(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The rounds of a range of shoes, counted by atom × pair flag."""

    shoes: int
    cells: Int64
    """All rounds."""
    sure: Int64
    """Only the rounds that every shoe has."""

    @property
    def rounds(self) -> int:
        return int(self.cells.sum())

    def __add__(self, other: Tally) -> Tally:
        return Tally(shoes=self.shoes + other.shoes, cells=self.cells + other.cells, sure=self.sure + other.sure)


Atom = tuple[int, int, int | None, int | None]


def setup(
    rules: Rulebook, *, decks: int | None = None, cut: int = CUT, seed: int = 0, shoe: int | None = None
) -> Setup:
    """Check the arguments and make a setup. Raises ValueError with a sentence."""
    procedure = rules.procedure
    number = procedure.decks_default if decks is None else decks
    if number not in procedure.decks:
        allowed = ", ".join(str(deck) for deck in procedure.decks)
        raise ValueError(f"{number} decks are not allowed: expected {allowed} ({procedure.decks_cite})")
    if not 0 <= seed <= MOST_SEED:
        raise ValueError(f"seed {seed} is out of range: expected 0 to {MOST_SEED}")
    if shoe is not None and not 0 <= shoe <= MOST_INDEX:
        raise ValueError(f"there is no shoe {shoe}: expected 0 to {MOST_INDEX}")
    made = Setup(rules=rules, decks=number, cut=cut, seed=seed)
    deepest = made.cards - MOST_CARDS - (MOST_BURNT if made.burns else 0)
    if not MOST_CARDS <= cut <= deepest:
        raise ValueError(
            f"a cut card {cut} cards from the end of {made.cards} leaves too few for a round in front of it or "
            f"behind it: expected {MOST_CARDS} to {deepest}"
        )
    return made


def deal_shoe(of: Setup, number: int) -> DealtShoe:
    """Shuffle a shoe, burn, and deal to the last round."""
    play, whole = of.rules.table_of_play, shuffled(of.seed, number, of.decks)
    burnt = whole[: 1 + _skipped(whole[0])] if of.burns else ()
    cards, rounds = whole[len(burnt) :], list[Round]()
    while (place := of.cards - len(cards)) < of.stop:
        coup, cards = deal(play, cards)
        offers = tuple(made for moment in Moment if (made := offer(of.rules, moment, coup)) is not None)
        out = of.cards - len(cards) > of.cut_at
        rounds.append(Round(number=len(rounds) + 1, place=place, coup=coup, offers=offers, cut_card=out))
    return DealtShoe(number=number, burnt=burnt, rounds=tuple(rounds), left=len(cards))


def no_tally(of: Setup) -> Tally:
    """The tally before any shoe is dealt."""
    shape = (len(compiled(of.rules).thirds), len(FLAGS))
    return Tally(shoes=0, cells=np.zeros(shape, np.int64), sure=np.zeros(shape, np.int64))


def deal_range(of: Setup, first: int, count: int) -> Tally:
    """Deal a range of shoes and count every round."""
    tally = no_tally(of)
    for number in range(first, first + count):
        for round in deal_shoe(of, number).rounds:
            cell = of.atoms[atom_of(round.coup)], FLAGS.index(pairs_of(round.coup.player, round.coup.banker))
            tally.cells[cell] += 1
            tally.sure[cell] += round.number <= of.sure_rounds
    return Tally(shoes=count, cells=tally.cells, sure=tally.sure)


def atom_of(coup: Coup) -> Atom:
    """Two-card points, and points of the third cards or none."""
    v, w = (hand[2].points if hand[2:] else None for hand in (coup.player, coup.banker))
    return points(coup.player[:2]), points(coup.banker[:2]), v, w


def atom_places(rules: Rulebook) -> dict[Atom, int]:
    """Atom → its index in the order of `compiled`: for one (a, b), atoms with fewer third cards come first."""
    play, table = rules.table_of_play, compiled(rules)
    places: dict[Atom, int] = {}
    for a in range(10):
        for b in range(10):
            players = range(10) if play.player_draws(a, b) else (None,)
            group = [(v, w) for v in players for w in (range(10) if play.banker_draws(b, a, v) else (None,))]
            group.sort(key=lambda drawn: (drawn[0] is not None) + (drawn[1] is not None))
            assert len(group) == table.start[10 * a + b + 1] - table.start[10 * a + b], "the atoms of one (a, b)"
            places |= {(a, b, v, w): int(table.start[10 * a + b]) + at for at, (v, w) in enumerate(group)}
    return places


def _skipped(card: Card) -> int:
    """L2: how many cards are burnt after the first: as many as its rank says, ten for a ten or a picture."""
    return min(RANKS.index(card.rank) + 1, MOST_BURNT - 1)
