"""The Python interface of Punto. Where the command line prints an error, these functions raise ValueError with it."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterable
from typing import TYPE_CHECKING

from punto import money
from punto.cards import DECK, cards
from punto.game import coup as coups
from punto.game import explain as explained
from punto.game import settlement
from punto.game.refusals import Refusal
from punto.rulebook import in_force as dates
from punto.rulebook import load
from punto.rulebook.model import Layout, Moment, Rulebook

if TYPE_CHECKING:
    from punto.odds.sheet import Sheet


class Refused(ValueError):
    """The rules do not allow it. `refusal` has the code, the sentence and the paragraph."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.message} ({refusal.code}, {refusal.paragraph or 'no paragraph'})")
        self.refusal = refusal


def edition(name: str) -> Rulebook:
    """A rulebook by its name, "game/edition"."""
    game, _, wanted = name.partition("/")
    return load.edition(game, wanted)


def in_force(game: str, on: str | None = None) -> Rulebook:
    """The rulebook that governs a game on a date (default: now)."""
    return dates.governing(game, dates.instant(on) if on else dt.datetime.now(dates.ZONE))


def coup(rules: Rulebook, text: str) -> coups.Coup:
    """A finished coup from its text, "KH 7D v 2S 3C 4H" or cards in the order of the deal."""
    coup = coups.parse(rules, text)
    refusal = coups.check(rules, coup)
    if refusal is not None:
        raise Refused(refusal)
    return coup


def deal(rules: Rulebook, source: random.Random | None = None) -> coups.Coup:
    """A coup from a freshly shuffled shoe. With a seeded random source the same coup can be dealt again."""
    shoe = list(DECK * rules.procedure.decks_default)
    (source or random.SystemRandom()).shuffle(shoe)
    return coups.deal(rules.table_of_play, tuple(shoe[: coups.MOST_CARDS]))[0]


def settle(
    rules: Rulebook,
    coup: coups.Coup,
    layout: str,
    wagers: Iterable[tuple[str, str]],
    insurance: Iterable[tuple[str, str, str]] = (),
) -> settlement.Slip:
    """Settle wagers ("player", "100.00") and insurance ("player_insurance", "four-cards", "50.00") of one patron."""
    slip = settlement.settle(
        rules,
        find_layout(rules, layout),
        coup,
        tuple(settlement.Wager(bet, money.stake_cents(stake)) for bet, stake in wagers),
        tuple(settlement.Insured(bet, Moment(after), money.stake_cents(stake)) for bet, after, stake in insurance),
    )
    if isinstance(slip, Refusal):
        raise Refused(slip)
    return slip


def find_layout(rules: Rulebook, name: str) -> Layout:
    """A layout by its letter."""
    if name not in rules.layouts:
        raise Refused(settlement.unknown_layout(rules, name))
    return rules.layouts[name]


def explain(rules: Rulebook, coup: coups.Coup) -> str:
    """The steps of the coup, one a line, each with its paragraph."""
    return "\n".join(f"{step.text} ({step.paragraph})" for step in explained.explain(rules, coup))


def odds_of(rules: Rulebook, decks: int | None = None, removed: str = "", seen: str | None = None) -> Sheet:
    """The exact value of every bet and every insurance offer. `removed`: cards that have left the shoe, "9H 9D".
    `seen`: the open cards of a round that is being dealt, "KH 5D v 2S 3C". The record also comes as columns."""
    from punto.odds.sheet import sheet, sheet_mid_round

    if seen is None:
        return sheet(rules, decks, cards(removed))
    return sheet_mid_round(rules, coups.parse(rules, seen), decks, cards(removed))
