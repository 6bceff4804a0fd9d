"""Punto: regulated baccarat. This module holds only the public names."""

from __future__ import annotations

from punto.api import Refused, coup, deal, edition, explain, in_force, odds_of, settle
from punto.cards import Card, card
from punto.game.coup import Coup
from punto.game.refusals import Refusal
from punto.game.roads import roads
from punto.game.settlement import Insured, Line, Slip, Wager
from punto.rulebook.model import Bet, Insurance, Moment, Rulebook

__all__ = [
    "Bet",
    "Card",
    "Coup",
    "Insurance",
    "Insured",
    "Line",
    "Moment",
    "Refusal",
    "Refused",
    "Rulebook",
    "Slip",
    "Wager",
    "card",
    "coup",
    "deal",
    "edition",
    "explain",
    "in_force",
    "odds_of",
    "roads",
    "settle",
]
