"""Insurance: when it is offered (P2), how much may be staked (P4), what it comes to (P5)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import msgspec

from punto.cards import points
from punto.game.coup import Coup, next_side
from punto.rulebook.model import Insurance, InsuranceRow, Moment, Rulebook, Side


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the pay table that stands open at a moment. Who may take it is not known here."""

    bet: Insurance
    after: Moment
    player_points: int
    banker_points: int
    odds: Fraction
    paragraph: str
    tie_paragraph: str | None


def offer(rules: Rulebook, after: Moment, coup: Coup) -> Offer | None:
    """P2 (a), (b): the row that the points match at this moment, if a card is still due.

    `coup` may be later than the moment: only the cards exposed by then are looked at.
    """
    player = coup.player[:2] if after is Moment.FOUR_CARDS else coup.player[:3]
    banker = coup.banker[:2]
    if len(player) != (2 if after is Moment.FOUR_CARDS else 3) or len(banker) != 2:
        return None
    due = next_side(rules.table_of_play, player, banker)
    row = _rows(rules).get((after, points(player), points(banker)))
    if row is None or due is None:
        return None
    return Offer(
        bet=row.bet,
        after=after,
        player_points=points(player),
        banker_points=points(banker),
        odds=row.odds,
        paragraph=row.cite,
        tie_paragraph=row.tie_cite,
    )


@lru_cache(maxsize=64)
def _rows(rules: Rulebook) -> dict[tuple[Moment, int, int], InsuranceRow]:
    """The pay table by points. No two rows answer the same points at the same moment."""
    table: dict[tuple[Moment, int, int], InsuranceRow] = {}
    for row in rules.insurance.rows:
        for player in row.player_points:
            for banker in row.banker_points:
                assert (row.after, player, banker) not in table, "two insurance rows answer the same points"
                table[row.after, player, banker] = row
    return table


def maximum_stake_cents(
    rules: Rulebook,
    open_offer: Offer,
    original_cents: int,
    *,
    staked_cents: int = 0,
    could_win: Fraction = Fraction(0),
    table_maximum_cents: int | None = None,
) -> int:
    """P4: how much more a patron may stake at this offer.

    `staked_cents` is what they staked at it already, `could_win` what their earlier insurance of the round could win,
    both on the hand that the offer insures. `table_maximum_cents` is the maximum of the main bets, or of the
    Differential.
    """
    limit = rules.insurance.limit
    if limit.binds == "winnings":
        earlier = could_win if limit.per == "round" else 0
        room = (original_cents - earlier - staked_cents * open_offer.odds) / open_offer.odds
        return max(0, room.numerator // room.denominator)
    most = original_cents
    if limit.share_of_maximum is not None and open_offer.odds == limit.at_odds and table_maximum_cents is not None:
        share = table_maximum_cents * limit.share_of_maximum
        most = min(most, share.numerator // share.denominator)
    return max(0, most - staked_cents)


def result(rules: Rulebook, open_offer: Offer, winner: str) -> tuple[str, str]:
    """P5: won, lost or returned, and the paragraph that says so. `winner` is player, banker or tie."""
    if winner == "tie":
        return _tied(rules, open_offer)
    insured = Side.PLAYER if open_offer.bet is Insurance.PLAYER else Side.BANKER
    return ("lost" if winner == insured else "won"), open_offer.paragraph


def _tied(rules: Rulebook, open_offer: Offer) -> tuple[str, str]:
    """4.2.1: a tie returns insurance, save on the two starred rows. The Player's points no longer change after
    the third card, so a tie on a starred row is the tie at 9 or at 0 that the star means."""
    if open_offer.tie_paragraph is not None:
        return "won", open_offer.tie_paragraph
    return "returned", rules.insurance.tie_returned
