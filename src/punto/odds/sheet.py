"""The odds of a shoe as plain records: the output of the command, and columns for Polars or pandas.

Fractions are strings in lowest terms, with a float next to them for reading; counts of coups are Python integers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import msgspec

from punto.cards import Card
from punto.game.coup import MOST_CARDS, Coup, in_deal_order
from punto.game.insurance import Offer
from punto.odds.composition import Composition, remaining
from punto.odds.insurance import Cell, cells
from punto.odds.mid_round import Priced, possible_endings, priced, values_mid_round
from punto.odds.value import Value, count, values
from punto.rulebook.model import Bet, Rulebook

Columns = dict[str, list[Any]]
"""Column name → values, all of one length: `polars.DataFrame(columns)`, `pandas.DataFrame(columns)`."""


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """Every bet and every insurance offer of an edition, on the cards that a shoe still holds."""

    game: str
    edition: str
    decks: int
    removed: tuple[Card, ...]
    composition: Composition
    coups: int
    bets: dict[Bet, Value]
    insurance: tuple[Cell | Priced, ...]
    seen: Coup | None = None
    """The open cards, if the sheet describes the middle of a round."""

    def bet_columns(self) -> Columns:
        """A row for every bet."""
        return _columns([{"bet": bet.value, **_worth(value)} for bet, value in self.bets.items()])

    def way_columns(self) -> Columns:
        """A row for every way in which every bet can end."""
        return _columns([{"bet": bet.value, **row} for bet, value in self.bets.items() for row in _ways(value)])

    def offer_columns(self) -> Columns:
        """A row for every insurance offer."""
        return _columns([_offer(offer) for offer in self.insurance])

    def only(self, bets: Collection[Bet]) -> Sheet:
        """The same sheet with only these bets."""
        return msgspec.structs.replace(self, bets={bet: value for bet, value in self.bets.items() if bet in bets})


def sheet(rules: Rulebook, decks: int | None = None, removed: Iterable[Card] = ()) -> Sheet:
    """The odds before any card of the round is seen. Raises OddsError if there is no such shoe."""
    gone = tuple(removed)
    left = remaining(rules, decks, gone)
    return Sheet(
        game=rules.source.game,
        edition=rules.source.edition,
        decks=rules.procedure.decks_default if decks is None else decks,
        removed=gone,
        composition=left,
        coups=count(rules, left).total,
        bets=values(rules, left),
        insurance=cells(rules, left),
    )


def sheet_mid_round(rules: Rulebook, coup: Coup, decks: int | None = None, removed: Iterable[Card] = ()) -> Sheet:
    """The odds in the middle of a round, on the cards left. `removed` are the cards that left the shoe before it."""
    gone, open_cards = tuple(removed), in_deal_order(coup)
    left = remaining(rules, decks, (*gone, *open_cards), least=MOST_CARDS - len(open_cards))
    offer = priced(rules, coup, left)
    return Sheet(
        game=rules.source.game,
        edition=rules.source.edition,
        decks=rules.procedure.decks_default if decks is None else decks,
        removed=gone,
        composition=left,
        coups=possible_endings(rules, coup, left).total,
        bets=values_mid_round(rules, coup, left),
        insurance=() if offer is None else (offer,),
        seen=coup,
    )


def to_json(sheet: Sheet) -> dict[str, Any]:
    """The output of `punto odds --json`. Counts of coups are strings there, because they exceed 2⁵³."""
    bets = {}
    for bet, value in sheet.bets.items():
        ways = [{**row, "coups": str(row["coups"])} for row in _ways(value)]
        bets[bet.value] = {**_worth(value), "outcomes": [_without(row, "probability_float") for row in ways]}
    answer: dict[str, Any] = {
        "game": sheet.game,
        "edition": sheet.edition,
        "decks": sheet.decks,
        "cards": sheet.composition.cards,
        "coups": str(sheet.coups),
        "removed": [str(card) for card in sheet.removed],
    }
    if sheet.seen is not None:
        answer["seen"] = str(sheet.seen)
    return {**answer, "bets": bets, "insurance": [_offer(offer) for offer in sheet.insurance]}


def _worth(value: Value) -> dict[str, Any]:
    return {
        "paragraph": value.paragraph,
        "expectation": str(value.expectation),
        "house_edge": value.house_edge,
        "standard_deviation": value.standard_deviation,
        "hit_frequency": str(value.hit_frequency),
        "favours_patron": value.favours_patron,
    }


def _ways(value: Value) -> list[dict[str, Any]]:
    return [
        {
            "result": way.result,
            "odds": None if way.odds is None else str(way.odds),
            "probability": str(value.probability(way)),
            "probability_float": float(value.probability(way)),
            "coups": way.coups,
            "paragraph": way.paragraph,
        }
        for way in value.ways
    ]


def offer_of(offer: Cell | Priced) -> Cell | Offer:
    """The offer itself: the bet, and the points at which it is made."""
    return offer if isinstance(offer, Cell) else offer.offer


def _offer(cell: Cell | Priced) -> dict[str, Any]:
    offer = offer_of(cell)
    return {
        "bet": offer.bet.value,
        "after": offer.after.value,
        "player_points": offer.player_points,
        "banker_points": offer.banker_points,
        "odds": str(offer.odds),
        "reached": str(cell.reached),
        "won": str(cell.won),
        "returned": str(cell.returned),
        "lost": str(cell.lost),
        "expectation": str(cell.expectation),
        "house_edge": cell.house_edge,
        "standard_deviation": cell.standard_deviation,
        "favours_patron": cell.favours_patron,
        "paragraph": offer.paragraph,
    }


def _columns(rows: list[dict[str, Any]]) -> Columns:
    return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}


def _without(row: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != name}
