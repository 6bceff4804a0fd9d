"""Alarms for a person: the alarm, its evidence, and the report of 5.5 ready to confirm. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from punto.cards import DECK, RANKS
from punto.game.commands import ReportIrregularity
from punto.game.irregularities.kinds import Kind
from punto.game.irregularities.records import Cause
from punto.watch.bounds import SUITED, runs_a_shoe
from punto.watch.comparator import Comparator, Sign
from punto.watch.missing import Missing
from punto.watch.settings import Settings

MOST_CARDS: Final = 60
"""Most cards of a run that an alarm shows."""


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of cards count from 1, among the cards of the shoe that are on record."""

    kind: str
    """run, thinned, too-many or missing."""
    table: str
    shoe: str
    round: int | None = None
    """Number in the shoe of the round with the first suspicious card."""
    first_card: int
    seen_at_card: int
    """The card at which the alarm was raised."""
    length: int
    resembles: str
    cards: str
    """The suspicious cards."""
    chance_a_shoe: float
    """Upper bound of the probability that an honest shoe shows as much."""
    times_a_year: float
    """Upper bound of how often a year the honest shoes of this house show as much."""
    cause: str
    """The cause by 5.5, as a report names it."""
    note: str
    beside: str = ""
    """The matching cards of the reference, if they are on record."""


def report(alarm: Alarm, by: str, round_number: int | None = None) -> ReportIrregularity:
    """The report of 5.5 that a person may confirm. `round_number` is the current round, if the report is about it."""
    return ReportIrregularity(by=by, kind=Kind.VOID, cause=alarm.cause, round=round_number, note=alarm.note)


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """What a shoe was compared with when a sign was found."""

    symbols: int
    places: int
    """Number of cards in all references together."""
    cards: int
    """In a shoe."""
    reference: str = ""
    last: int = 0
    """Number in the reference of the last matching card, from 1."""


def compared(of: Comparator, sign: Sign) -> Compared:
    """The reference in which a live comparator found a sign."""
    if sign.place < 0:
        return Compared(symbols=of.symbols, places=len(of.laid), cards=of.cards)
    reference, last = of.reference(sign.place)
    name = f"{reference.name} of shoe {reference.shoe}" if reference.shoe else reference.name
    return Compared(symbols=of.symbols, places=len(of.laid), cards=of.cards, reference=name, last=last + 1)


def of_sign(
    sign: Sign,
    of: Compared,
    settings: Settings,
    cards: Sequence[int],
    *,
    table: str,
    shoe: str,
    round: int | None = None,
) -> Alarm:
    """The alarm for a sign. `cards` are all cards of the shoe so far, in order."""
    chance = _chance(sign, of)
    resembles = _resembles(sign, of)
    names = " ".join(card_name(cards[at], of.symbols) for at in range(sign.first, len(cards))[: _span(sign)])
    times = chance * settings.shoes_a_year
    return Alarm(
        kind=sign.kind,
        table=table,
        shoe=shoe,
        round=round,
        first_card=sign.first + 1,
        seen_at_card=sign.at + 1,
        length=sign.length,
        resembles=resembles,
        cards=names,
        chance_a_shoe=chance,
        times_a_year=times,
        cause=Cause.FOREIGN_CARD if sign.kind == "too-many" else Cause.UNSHUFFLED,
        note=_note(sign, resembles, names, times),
    )


def of_missing(missing: Missing, settings: Settings, symbols: int, *, table: str, shoe: str) -> Alarm:
    """The alarm for a set with missing cards. `shoe` is the last shoe of the set."""
    cards = [card_name(kind if symbols == SUITED else 4 * kind, symbols) for kind, _, _ in missing.cards]
    each = ", ".join(f"{name} ({likely:.1%})" for name, (_, likely, _) in zip(cards, missing.cards, strict=True))
    chance = min(1.0, 1 / missing.evidence)
    times = chance * settings.shoes_a_year
    return Alarm(
        kind="missing",
        table=table,
        shoe=shoe,
        first_card=0,
        seen_at_card=0,
        length=len(cards),
        resembles=f"a set without {each or 'some of its cards'}, over {missing.shoes} shoes",
        cards=" ".join(cards),
        chance_a_shoe=chance,
        times_a_year=times,
        cause=Cause.WRONG_COUNT,
        note=f"in {missing.shoes} shoes of this set these cards were never all seen: {each}; "
        f"honest sets show this at most {times:.2g} times a year",
    )


def _span(sign: Sign) -> int:
    match sign.kind:
        case "too-many":
            return 1
        case "run":
            return min(sign.length, MOST_CARDS)
        case "thinned":
            return min(sign.at - sign.first + 1, MOST_CARDS)


def _chance(sign: Sign, of: Compared) -> float:
    match sign.kind:
        case "too-many":
            return 0.0
        case "run":
            return min(1.0, float(runs_a_shoe(sign.length, of.places, symbols=of.symbols, cards=of.cards)))
        case "thinned":
            return min(1.0, 1 / sign.evidence)


def _resembles(sign: Sign, of: Compared) -> str:
    if sign.place < 0:
        return f"one more than the {of.cards // of.symbols} that the shoe can hold"
    return f"{of.reference}, cards {of.last - sign.length + 1} to {of.last}"


def _note(sign: Sign, resembles: str, names: str, times: float) -> str:
    if sign.kind == "too-many":
        return f"card {sign.first + 1} of the shoe, {names}, is {resembles}"
    between = "in a row" if sign.kind == "run" else "in order, with others between them,"
    text = f"{sign.length} cards {between} from card {sign.first + 1} on"
    return f"{text} follow {resembles}; honest shoes show this at most {times:.2g} times a year"


def card_name(card: int, symbols: int = SUITED) -> str:
    return str(DECK[card]) if symbols == SUITED else RANKS[card // 4]
