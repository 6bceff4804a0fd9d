"""Odds in the middle of a round, on the cards left in the shoe, once four cards or the Player's third card lie open."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import msgspec

from punto.game.coup import MOST_CARDS, Coup, next_side
from punto.game.insurance import Offer, offer, result
from punto.game.outcome import Outcome, pairs_of
from punto.odds.composition import Composition, OddsError
from punto.odds.value import Value, valued
from punto.rulebook.model import Bet, Moment, Rulebook, Side


class Endings(msgspec.Struct, frozen=True):
    """How the round can still end: outcome → ordered draws of the cards that may come, out of `total`."""

    coup: Coup
    total: int
    outcomes: dict[Outcome, int]


def possible_endings(rules: Rulebook, coup: Coup, left: Composition) -> Endings:
    """Count the ways in which the round can end. `left` is the shoe without the cards of `coup`."""
    play = rules.table_of_play
    if len(coup.player) not in (2, 3) or len(coup.banker) != 2:
        raise OddsError(f"{coup}: expected four open cards, or five with the Player's third")
    if len(coup.player) == 3 and next_side(play, coup.player[:2], coup.banker) is not Side.PLAYER:
        raise OddsError(f"{coup}: the Player draws no third card here ({rules.paragraph('table-of-play')})")
    least = MOST_CARDS - len(coup.player) - len(coup.banker)
    if left.cards < least:
        raise OddsError(f"{left.cards} cards are left: the round may need {least}")
    flag = pairs_of(coup.player, coup.banker)
    n, cards = left.points, left.cards
    behind = max(cards - 1, 1)  # nothing lies behind the last card of a shoe
    a, b = Coup(coup.player[:2], coup.banker).player_points, coup.banker_points
    outcomes: dict[Outcome, int] = {}

    def add(player: int, banker: int, player_cards: int, banker_cards: int, draws: int) -> None:
        if draws:
            end = Outcome(player, banker, player_cards, banker_cards, flag)
            outcomes[end] = outcomes.get(end, 0) + draws

    drawn_now = len(coup.player) == 2 and play.player_draws(a, b)
    thirds: list[int | None] = list(range(10)) if drawn_now else [coup.player[2].points if coup.player[2:] else None]
    for v in thirds:
        ways = n[v] if drawn_now and v is not None else 1
        after = cards - drawn_now
        player, player_cards = (a, 2) if v is None else ((a + v) % 10, 3)
        spare = 1 if drawn_now else behind  # a place that is not drawn may hold any card
        if not play.banker_draws(b, a, v):
            add(player, b, player_cards, 2, ways * after * spare)
            continue
        for w in range(10):
            add(player, (b + w) % 10, player_cards, 3, ways * (n[w] - (drawn_now and v == w)) * spare)
    return Endings(coup, cards * behind, outcomes)


def values_mid_round(rules: Rulebook, coup: Coup, left: Composition) -> dict[Bet, Value]:
    """Every bet of the edition, given the open cards."""
    endings = possible_endings(rules, coup, left)
    return valued(rules, endings.outcomes, endings.total)


class Priced(msgspec.Struct, frozen=True, kw_only=True):
    """An insurance offer on the real remaining shoe."""

    offer: Offer
    won: Fraction
    returned: Fraction
    lost: Fraction

    @property
    def reached(self) -> Fraction:
        """Always 1: the cards on the table have already led to this offer."""
        return Fraction(1)

    @property
    def expectation(self) -> Fraction:
        return self.won * self.offer.odds - self.lost

    @property
    def house_edge(self) -> float:
        return float(-self.expectation)

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.won * self.offer.odds**2 + self.lost - self.expectation**2)

    @property
    def favours_patron(self) -> bool:
        return self.expectation > 0


def priced(rules: Rulebook, coup: Coup, left: Composition) -> Priced | None:
    """The offer made on these cards, if there is one, with its exact probabilities."""
    after = Moment.FOUR_CARDS if len(coup.player) == 2 else Moment.PLAYER_THIRD
    open_offer = offer(rules, after, coup)
    if open_offer is None:
        return None
    endings = possible_endings(rules, coup, left)
    by_result = {"won": 0, "returned": 0, "lost": 0}
    for outcome, draws in endings.outcomes.items():
        winner = "player" if outcome.lead > 0 else "banker" if outcome.lead < 0 else "tie"
        by_result[result(rules, open_offer, winner)[0]] += draws
    shares = {name: Fraction(draws, endings.total) for name, draws in by_result.items()}
    return Priced(offer=open_offer, won=shares["won"], returned=shares["returned"], lost=shares["lost"])
