"""Further tables on bets, as plain records: edge by decks, covariance, removal of cards, counting, insurance."""

from __future__ import annotations

from typing import Any, Final

from punto.odds.composition import OddsError
from punto.odds.insurance import Cell, cells, ranked, together
from punto.odds.removal import countable
from punto.odds.rounds import Strategy, whole_round
from punto.odds.sheet import Sheet
from punto.odds.value import covariances, edge_by_decks
from punto.rulebook.model import Insurance, Rulebook

CUT_CARDS: Final = 14
"""Cards behind the cut card, as most published analyses assume."""

OFFERS: Final = 5
"""How many of the best and of the worst offers are listed."""

Rows = list[dict[str, Any]]


def study(rules: Rulebook, sheet: Sheet, *, cut_cards: int = CUT_CARDS) -> dict[str, Rows]:
    """Every table, for the bets and the shoe of the sheet. Figures are floats; `punto.odds` has the exact ones."""
    if sheet.seen is not None:
        raise OddsError(f"{sheet.seen} lies open, but these tables describe the start of a round")
    offers = ranked(cells(rules, sheet.composition))
    return {
        "edge_by_decks": _by_decks(rules, sheet),
        "covariance": _together(rules, sheet),
        "removal": _removal(rules, sheet, cut_cards),
        "counting": _counting(rules, sheet, cut_cards),
        "whole_rounds": _whole_rounds(rules, sheet),
        "best_offers": [_offer(rules, offer) for offer in offers[:OFFERS]],
        "worst_offers": [_offer(rules, offer) for offer in reversed(offers[-OFFERS:])],
    }


def _by_decks(rules: Rulebook, sheet: Sheet) -> Rows:
    by_decks = edge_by_decks(rules)
    return [{"bet": bet.value} | {str(n): float(-by_decks[n][bet]) for n in by_decks} for bet in sheet.bets]


def _together(rules: Rulebook, sheet: Sheet) -> Rows:
    both = covariances(rules, sheet.composition)
    return [{"bet": bet.value} | {other.value: float(both[bet, other]) for other in sheet.bets} for bet in sheet.bets]


def _removal(rules: Rulebook, sheet: Sheet, cut_cards: int) -> Rows:
    """Effects of removal, in thousandths of a percent of the stake."""
    rows = []
    for bet in sheet.bets:
        effects = countable(rules, sheet.composition, cut_cards=cut_cards, bet=bet).effects
        rows.append({"bet": bet.value} | {rank: float(100_000 * effect) for rank, effect in effects.items()})
    return rows


def _counting(rules: Rulebook, sheet: Sheet, cut_cards: int) -> Rows:
    rows = []
    for bet in sheet.bets:
        count = countable(rules, sheet.composition, cut_cards=cut_cards, bet=bet)
        rows.append(
            {
                "bet": bet.value,
                "cut_cards": cut_cards,
                "tags": " ".join(f"{rank}{tag:+d}" for rank, tag in count.tags.items() if tag),
                "correlation": count.correlation,
                "deviation_at_cut": count.deviation_at_cut,
                "gain_per_shoe": count.gain_per_shoe,
            }
        )
    return rows


def _whole_rounds(rules: Rulebook, sheet: Sheet) -> Rows:
    played = [whole_round(rules, sheet.composition, bet, strategy) for bet in Insurance for strategy in Strategy]
    return [
        {
            "bet": whole.bet.side.value,
            "insurance": whole.strategy.value,
            "expectation": float(whole.expectation),
            "standard_deviation": whole.standard_deviation,
            "insured": float(whole.insured),
            "taken": float(whole.taken),
        }
        for whole in played
    ]


def _offer(rules: Rulebook, cell: Cell) -> dict[str, Any]:
    play = together(rules, cell)
    return {
        "bet": cell.bet.value,
        "after": cell.after.value,
        "player_points": cell.player_points,
        "banker_points": cell.banker_points,
        "odds": str(cell.odds),
        "reached": float(cell.reached),
        "house_edge": cell.house_edge,
        "favours_patron": cell.favours_patron,
        "expectation_alone": float(play.expectation_alone),
        "expectation_together": float(play.expectation_together),
        "deviation_alone": play.deviation_alone,
        "deviation_together": play.deviation_together,
    }
