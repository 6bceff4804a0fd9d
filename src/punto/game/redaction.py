"""What each audience sees of an event. Every kind of event is handled here; a new one breaks the type check.

Everybody sees the chips on a layout, but not whose they are. What a patron has, asks, declines, owes or is paid is
shown to them and to staff. Who serves a table is shown to no patron. Cards that nobody may see yet are shown to nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final, TypeVar, assert_never

import msgspec

from punto.game import events as e
from punto.game.table import CarriedCard, Entry, PlacedCard, SettledLine

NOBODY = ""
"""Stands in for a name that is redacted."""

replace = msgspec.structs.replace


class Audience(StrEnum):
    PUBLIC = "public"
    PATRON = "patron"
    DEALER = "dealer"
    PIT = "pit"


PUBLIC, PATRON, DEALER, PIT = Audience
"""As plain names, where many are looked up: looking up a member of an enum is slow."""
STAFF = (DEALER, PIT)


_SECRETIVE: Final = frozenset(
    {e.ShoeLoaded, e.CardDrawn, e.IrregularityReported, e.CardsReconstructed, e.RoundReopened}
)
"""Events that may hold a card that nobody may see."""


def seen(event: e.AnyEvent) -> e.AnyEvent:
    """An event as staff may see it; nobody sees more. It has no secrets of a shoe and no face of a face-down card."""
    if type(event) not in _SECRETIVE:
        return event
    match event:
        case e.ShoeLoaded():
            return replace(event, order=None, salt=None)
        case e.CardDrawn(exposed=False):
            return replace(event, card=None)
        case e.IrregularityReported():
            hidden = tuple(_hidden(card) for card in event.irregularity.cards)
            return replace(event, irregularity=replace(event.irregularity, cards=hidden))
        case e.CardsReconstructed() | e.RoundReopened():
            return replace(
                event,
                cards=tuple(_hidden(card) for card in event.cards),
                carried=tuple(_hidden(card) for card in event.carried),
            )
        case _:
            return event


Lying = TypeVar("Lying", PlacedCard, CarriedCard)


def _hidden(card: Lying) -> Lying:
    return card if card.exposed else replace(card, face=None)


def shown(event: e.AnyEvent, audience: Audience, patron: str | None = None) -> e.AnyEvent | None:
    """An event as one audience may see it; None if they do not see it. `patron` names whose view it is."""
    event = seen(event)
    if audience in STAFF:
        return event
    return _REDACTED[type(event)](event, patron if audience is PATRON else None)


def concerns(event: e.AnyEvent, patron: str) -> bool:
    """Whether a patron sees anything of it that the public does not."""
    return shown(event, PATRON, patron) != shown(event, PUBLIC)


def _name(name: str, me: str | None) -> str:
    return name if name == me else NOBODY


def _staff(name: str | None) -> str | None:
    """Show that staff did it, but not who."""
    return None if name is None else NOBODY


def _lines(lines: tuple[SettledLine, ...], me: str | None) -> tuple[SettledLine, ...]:
    return tuple(line for line in lines if line.patron == me)


def _entries(entries: tuple[Entry, ...], me: str | None) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if entry.patron == me)


def _mine(names: tuple[str, ...], me: str | None) -> tuple[str, ...]:
    return tuple(name for name in names if name == me)


def _people(event: e.PeopleEvent, me: str | None) -> e.AnyEvent | None:
    match event:
        case e.TableOpened() | e.TableClosed() | e.LimitsSet() | e.ClosingAnnounced():
            return replace(event, by=NOBODY)
        case e.DutyStarted() | e.DutyEnded():
            return None
        case e.PatronJoined() | e.ChipsBought() | e.ChipsCashed() | e.PatronLeft():
            return event if event.patron == me else None
        case e.SeatTaken() | e.SeatLeft():
            return replace(event, patron=_name(event.patron, me))
        case e.InsuranceNotice():
            return replace(event, asked_by=_name(event.asked_by, me), by=NOBODY)
        case _:
            assert_never(event)


def _betting(event: e.BettingEvent, me: str | None) -> e.AnyEvent | None:
    match event:
        case e.WagerPlaced() | e.WagerRaised() | e.WagerLowered() | e.WagerWithdrawn():
            if event.patron == me and event.by is None:
                return event
            return replace(event, patron=_name(event.patron, me), by=_staff(event.by))
        case e.BettingOpened() | e.BettingClosed():
            return replace(event, by=NOBODY)
        case e.WagerCut() | e.WagerReturned():
            return replace(event, patron=_name(event.patron, me))
        case e.ExcessRejected() | e.MinimumNoticed():
            return event if event.patron == me else None
        case e.ChipsReported():
            forgone = event.forgone and event.patron == me
            return replace(event, patron=_name(event.patron, me), by=NOBODY, forgone=forgone)
        case e.ProRated():
            return event
        case _:
            assert_never(event)


def _cards(event: e.CardEvent, me: str | None) -> e.AnyEvent:
    match event:
        case e.CutCardPlaced():
            # Where the cut card lies is in nobody's view.
            return replace(event, after=0, by=NOBODY)
        case e.ShoeLoaded() | e.CardsBurnt() | e.ShoeEnded():
            return replace(event, by=NOBODY)
        case e.CardExposed():
            return replace(event, by=_name(event.by, me))
        case e.CutCardDrawn() | e.CardDrawn() | e.CoupCompleted():
            return event
        case _:
            assert_never(event)


def _round(event: e.RoundEvent, me: str | None) -> e.AnyEvent | None:
    match event:
        case e.SqueezeAsked() | e.BankerFirstAsked():
            return replace(event, patron=_name(event.patron, me))
        case e.SqueezeGranted() | e.BankerFirstGranted():
            return replace(event, patron=_name(event.patron, me), by=NOBODY)
        case e.InsuranceOffered():
            return replace(event, maximum={name: most for name, most in event.maximum.items() if name == me})
        case e.InsuranceTaken():
            return replace(event, patron=_name(event.patron, me), by=_staff(event.by))
        case e.InsuranceDeclined():
            return event if event.patron == me else None
        case e.InsuranceClosed():
            return replace(event, forgone=_mine(event.forgone, me))
        case e.RoundSettled():
            return replace(event, lines=_lines(event.lines, me), by=NOBODY)
        case e.RoundConcluded():
            return replace(event, by=_staff(event.by))
        case _:
            assert_never(event)


def _irregular(event: e.IrregularEvent, me: str | None) -> e.AnyEvent | None:
    match event:
        case e.IrregularityReported():
            assert not event.irregularity.choices, "nobody has chosen anything at a report"
            # A note and a reason are staff's own words, and may name anybody.
            return replace(event, by=_name(event.by, me), note="")
        case e.IrregularityDecided():
            return replace(event, by=NOBODY, reason="")
        case e.ReplacementOrdered():
            return replace(event, by=NOBODY)
        case (
            e.ReportWithdrawn()
            | e.CardsReconstructed()
            | e.CardDetermined()
            | e.CardsDiscarded()
            | e.DisplayCorrected()
        ):
            return event
        case e.OptionsOpened():
            return replace(event, patrons=_mine(event.patrons, me))
        case e.OptionChosen() | e.OriginalReturned() | e.InsuranceRepositioned():
            return event if event.patron == me else None
        case e.SqueezePassed():
            return replace(event, patron=_name(event.patron, me))
        case e.PlayResumed():
            return replace(event, silent=_mine(event.silent, me))
        case e.RoundVoided() | e.PastRoundCorrected():
            return replace(event, lines=_lines(event.lines, me), entries=_entries(event.entries, me))
        case e.RoundReopened():
            return replace(event, entries=_entries(event.entries, me))
        case e.InsuranceReturned():
            return replace(event, lines=_lines(event.lines, me))
        case e.OwedCollected() | e.RulingPaid():
            mine = _entries(event.entries, me)
            return replace(event, entries=mine) if mine else None
        case _:
            assert_never(event)


_REDACTED: Final[dict[type, Callable[[Any, str | None], e.AnyEvent | None]]] = e.of_each(
    people=_people, betting=_betting, card=_cards, round=_round, irregular=_irregular
)
