"""An edition as arrays for judging recorded rounds: which cards are lawful, and the result of every wager on them.

The functions that deal, offer and settle compute every entry; no rule is written a second time here.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import lcm
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from punto.cards import Card
from punto.game.coup import Coup, wrong
from punto.game.insurance import Offer, offer, result
from punto.game.outcome import Outcome, Pairs, all_outcomes
from punto.game.settlement import Limits, Verdict, pay_table
from punto.money import MAXIMUM_CENTS
from punto.rulebook.model import Bet, Insurance, Moment, Rulebook
from punto.sim.audit.kernel import MOST_RETURNED

NO_THIRD: Final = 10
NONE: Final = 0xFFFF
UNLIMITED: Final = np.iinfo(np.int64).max
MOST_SCALED_ODDS: Final = 80
"""Most that odds times their common denominator may be, so that every product in the kernel fits 64 bits."""

_OF_POINTS: Final = tuple(Card(rank, "S") for rank in "KA23456789")


class Tables(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One edition. A *deal* is (a, b, v, w): two-card points, points of the third cards or 10 for none."""

    outcomes: tuple[Outcome, ...]
    bets: tuple[str, ...]
    """All bets of any edition, then the two insurance bets."""
    layouts: tuple[str, ...]
    on_layout: npt.NDArray[np.bool_]
    """Layout, bet → whether the layout has it. The last row, for an unknown layout, has every bet of the edition."""
    verdicts: tuple[Verdict, ...]
    handed_back: npt.NDArray[np.int64]
    """Verdict → numerator and denominator of what is handed back for one unit, and the most cents that can be due."""
    deal_at: npt.NDArray[np.int16]
    """((10 a + b) 11 + v) 11 + w → number of the deal, or -1 where the Table of Play forbids it."""
    outcome_at: npt.NDArray[np.uint16]
    """Deal, pair flag → index in `outcomes`; past its end where no coup has that flag."""
    verdict_at: npt.NDArray[np.uint16]
    """Outcome, bet → index in `verdicts`; past its end for a bet that the edition does not have."""
    offers: tuple[Offer, ...]
    offer_at: npt.NDArray[np.int16]
    """Deal, moment → index in `offers`, or -1 where nothing is offered."""
    insured_at: npt.NDArray[np.uint16]
    """Deal, moment → index in `verdicts` of that insurance; past its end where nothing is offered."""
    offer_hand: npt.NDArray[np.int64]
    """Offer → 0 if it insures the Player, 1 if the Banker."""
    offer_odds: npt.NDArray[np.int64]
    """Offer → odds times `odds_scale`."""
    odds_scale: int


@lru_cache(maxsize=16)
def tables(rules: Rulebook) -> Tables:
    """Compile an edition. Takes about 0.2 s; the result is cached."""
    outcomes = all_outcomes(rules.table_of_play)
    place = {outcome: at for at, outcome in enumerate(outcomes)}
    deals, deal_at = _deals(rules)
    verdicts: dict[Verdict, int] = {}
    paid = pay_table(rules)
    verdict_at = [
        [_number(verdicts, paid[outcome][bet]) if bet in rules.bets else NONE for bet in Bet] for outcome in outcomes
    ]
    offers: dict[Offer, int] = {}
    offer_at = [[_offered(rules, offers, moment, coup) for moment in Moment] for coup in deals]
    insured_at = [[_insured(rules, verdicts, moment, coup) for moment in Moment] for coup in deals]
    scale = lcm(*(offer.odds.denominator for offer in offers))
    scaled = [int(offer.odds * scale) for offer in offers]
    assert max(scaled, default=0) <= MOST_SCALED_ODDS, "insurance odds too large for the kernel's integers"
    return Tables(
        outcomes=outcomes,
        bets=(*(bet.value for bet in Bet), *(bet.value for bet in Insurance)),
        layouts=tuple(rules.layouts),
        on_layout=np.array(
            [[bet in bets for bet in Bet] for bets in (*(layout.bets for layout in rules.layouts.values()), rules.bets)]
        ),
        verdicts=tuple(verdicts),
        handed_back=np.array([_paid(verdict) for verdict in verdicts], np.int64),
        deal_at=deal_at,
        outcome_at=np.array([[place.get(_outcome(coup, flag), NONE) for flag in Pairs] for coup in deals], np.uint16),
        verdict_at=np.array(verdict_at, np.uint16),
        offers=tuple(offers),
        offer_at=np.array(offer_at, np.int16),
        insured_at=np.array(insured_at, np.uint16),
        offer_hand=np.array([offer.bet is Insurance.BANKER for offer in offers], np.int64),
        offer_odds=np.array(scaled, np.int64),
        odds_scale=scale,
    )


class Terms(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The conditions of insurance (P3, P4, P6), as integers for the kernel."""

    both_hands: bool
    """Whether a patron with wagers on both hands is offered insurance."""
    forgone: bool
    """Whether a patron who declines the first offer forfeits the second."""
    winnings: bool
    """Whether the limit applies to what insurance could win; otherwise it applies to the stake."""
    per_round: bool
    cap_cents: npt.NDArray[np.int64]
    """Offer → the most that may be staked on it, whatever the Original Bet."""


def terms(rules: Rulebook, limits: Limits) -> Terms:
    """The insurance rule of an edition with the figures of a table."""
    limit = rules.insurance.limit
    caps = []
    for offered in tables(rules).offers:
        most = limits.table_maximum_cents(offered.bet.side)
        bound = limit.share_of_maximum is not None and offered.odds == limit.at_odds and most is not None
        caps.append(_floor((most or 0) * (limit.share_of_maximum or Fraction(0))) if bound else UNLIMITED)
    return Terms(
        both_hands=rules.insurance.both_hands != "none",
        forgone=rules.insurance.forgone_scope == "round",
        winnings=limit.binds == "winnings",
        per_round=limit.per == "round",
        cap_cents=np.array(caps, np.int64),
    )


def _floor(share: Fraction) -> int:
    return share.numerator // share.denominator


def _deals(rules: Rulebook) -> tuple[list[Coup], npt.NDArray[np.int16]]:
    """One coup for each deal that the Table of Play allows, and the table `deal_at` of their numbers."""
    deals: list[Coup] = []
    deal_at = np.full(10 * 10 * 11 * 11, -1, np.int16)
    for at, (a, b, v, w) in enumerate(product(range(10), range(10), range(11), range(11))):
        coup = Coup(
            (_OF_POINTS[0], _OF_POINTS[a], *_OF_POINTS[v : v + 1]),
            (_OF_POINTS[0], _OF_POINTS[b], *_OF_POINTS[w : w + 1]),
        )
        if wrong(rules, coup) is None:
            deal_at[at] = len(deals)
            deals.append(coup)
    return deals, deal_at


def _outcome(coup: Coup, flag: Pairs) -> Outcome:
    return Outcome(coup.player_points, coup.banker_points, len(coup.player), len(coup.banker), flag)


def _number(known: dict[Any, int], value: object) -> int:
    return known.setdefault(value, len(known))


def _offered(rules: Rulebook, offers: dict[Offer, int], moment: Moment, coup: Coup) -> int:
    made = offer(rules, moment, coup)
    return -1 if made is None else _number(offers, made)


def _insured(rules: Rulebook, verdicts: dict[Verdict, int], moment: Moment, coup: Coup) -> int:
    made = offer(rules, moment, coup)
    if made is None:
        return NONE
    came_to, paragraph = result(rules, made, coup.winner)
    return _number(verdicts, Verdict(came_to, made.odds if came_to == "won" else None, paragraph))


def _paid(verdict: Verdict) -> tuple[int, int, int]:
    back = (verdict.odds or Fraction(0)) + (verdict.result != "lost")
    assert back.numerator <= MOST_RETURNED, "odds too large for the kernel's integers"
    return back.numerator, back.denominator, MAXIMUM_CENTS * back.numerator // back.denominator
