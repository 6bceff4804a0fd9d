"""A past round added up from its events: the one fold for history, frames, score boards and exports. The audit has its
own fold, on purpose.

Events are first redacted to what one audience may know. Nothing recorded is rewritten: a later correction is added
after what it corrects.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, assert_never

import msgspec

from punto.game import events as e
from punto.game.audience import Audience, shown
from punto.game.table import Phase
from punto.house.history import fold_steps
from punto.house.history.past_round import EventShown, InsuranceHeld, PastRound
from punto.house.instants import iso

Dated = tuple[int, int, e.AnyEvent]
"""Version, instant and event."""

replace = msgspec.structs.replace


def states(rows: Iterable[Dated], audience: Audience = Audience.PIT, patron: str | None = None) -> Iterator[PastRound]:
    """The round after each event that the audience may see. `rows` begin when its betting opens and end before the next
    round's; later corrections of it may follow. Nothing if they begin otherwise."""
    past: PastRound | None = None
    for row in rows:
        before, past = past, after(past, row, audience, patron)
        if past is None:
            return
        if past is not before:
            yield past


def whole(
    table: str, shoe: int | None, rows: Iterable[Dated], audience: Audience = Audience.PIT, patron: str | None = None
) -> PastRound | None:
    """The round as it stands after all of these rows."""
    last = deque(states(rows, audience, patron), maxlen=1)
    return replace(last[0], table=table, shoe=shoe) if last else None


def after(
    past: PastRound | None, row: Dated, audience: Audience = Audience.PIT, patron: str | None = None
) -> PastRound | None:
    """The round after one more row. None until betting opens."""
    version, at, event = row
    if past is None:
        if not isinstance(event, e.BettingOpened):
            return None
        past = PastRound(round=event.round, hand=event.hand, edition=event.edition, at=iso(at))
    visible = shown(event, audience, patron)
    return past if visible is None else _added(past, EventShown(version=version, at=iso(at), event=visible))


def _added(past: PastRound, shown: EventShown) -> PastRound:
    event = shown.event
    paragraphs, says = past.paragraphs, past.says
    if event.paragraph not in paragraphs:
        paragraphs = (*paragraphs, event.paragraph)
    if isinstance(event, e.BettingOpened | e.BettingClosed | e.RoundSettled):
        says = (*says, event.says)
    past = replace(past, events=(*past.events, shown), paragraphs=paragraphs, says=says)
    return _FOLDS[type(event)](past, event) if _concerns(past, event) else past


def _concerns(past: PastRound, event: e.AnyEvent) -> bool:
    """Whether an event is about this round, and not a correction of an earlier one."""
    if isinstance(event, e.RulingPaid):
        return _of_this(past)
    return getattr(event, "round", past.round) == past.round


def _of_this(past: PastRound) -> bool:
    """Whether the open report, if there is one, is about this round."""
    return past.irregularity is None or past.irregularity.round in (None, past.round)


def _people(past: PastRound, event: e.PeopleEvent) -> PastRound:
    match event:
        case e.TableOpened():
            return replace(past, phase=Phase.NO_SHOE)
        case e.TableClosed():
            return replace(past, phase=Phase.CLOSED)
        case e.DutyStarted() | e.DutyEnded() | e.PatronJoined() | e.PatronLeft() | e.ChipsBought() | e.ChipsCashed():
            return past
        case e.SeatTaken() | e.SeatLeft() | e.InsuranceNotice() | e.LimitsSet() | e.ClosingAnnounced():
            return past
        case _:
            assert_never(event)


def _betting(past: PastRound, event: e.BettingEvent) -> PastRound:
    match event:
        case e.WagerPlaced() | e.ChipsReported():
            return fold_steps.staked(past, event)
        case e.WagerRaised():
            return fold_steps.restaked(past, event.wager, event.stake_cents)
        case e.WagerLowered() | e.WagerCut() | e.WagerWithdrawn() | e.WagerReturned():
            return fold_steps.restaked(past, event.wager, -event.stake_cents)
        case e.BettingClosed():
            return replace(past, phase=Phase.DEALING)
        case e.ProRated():
            wagers = (
                replace(wager, in_play_cents=event.in_play.get(wager.wager, wager.in_play_cents))
                for wager in past.wagers
            )
            return replace(past, wagers=tuple(wagers))
        case e.BettingOpened() | e.ExcessRejected() | e.MinimumNoticed():
            return past
        case _:
            assert_never(event)


def _cards(past: PastRound, event: e.CardEvent) -> PastRound:
    match event:
        case e.ShoeLoaded():
            return replace(past, phase=Phase.COMMENCING if event.burn_due else Phase.READY, waiting=())
        case e.CardsBurnt():
            return replace(past, phase=Phase.READY)
        case e.CutCardDrawn():
            return replace(past, phase=Phase.CUT_CARD) if event.withdrawal else past
        case e.ShoeEnded():
            return replace(past, phase=Phase.NO_SHOE, waiting=())
        case e.CardDrawn():
            waiting = past.waiting[1:] if event.carried else past.waiting
            return replace(past, phase=Phase.DEALING, cards={**past.cards, event.place: event.card}, waiting=waiting)
        case e.CardExposed():
            return replace(past, cards={**past.cards, event.place: event.card})
        case e.CoupCompleted():
            return replace(past, phase=Phase.COMPLETE)
        case e.CutCardPlaced():
            return past
        case _:
            assert_never(event)


def _round(past: PastRound, event: e.RoundEvent) -> PastRound:
    match event:
        case e.BankerFirstGranted():
            return replace(past, banker_first=True)
        case e.InsuranceOffered():
            irregularity = None if event.late else past.irregularity
            opened, offers = (*past.open_offers, event), (*past.offers, event)
            return replace(past, phase=Phase.OFFER, open_offers=opened, offers=offers, irregularity=irregularity)
        case e.InsuranceTaken():
            if not event.patron:
                return past
            held = msgspec.convert(event, InsuranceHeld, from_attributes=True)
            return replace(past, insurance=(*past.insurance, held))
        case e.InsuranceClosed():
            return replace(past, phase=Phase.DEALING, open_offers=())
        case e.RoundSettled():
            return fold_steps.settled(past, event)
        case e.RoundConcluded():
            return fold_steps.ended_without_result(past, "concluded")
        case e.SqueezeAsked() | e.SqueezeGranted() | e.BankerFirstAsked() | e.InsuranceDeclined():
            return past
        case _:
            assert_never(event)


def _irregular(past: PastRound, event: e.IrregularEvent) -> PastRound:
    match event:
        case e.IrregularityReported():
            return fold_steps.reported(past, event)
        case e.IrregularityDecided():
            return replace(past, ruled_on=past.ruled_on or _of_this(past))
        case e.CardsReconstructed() | e.CardDetermined() | e.CardsDiscarded():
            return _cards_corrected(past, event)
        case e.OptionsOpened():
            return replace(past, phase=Phase.OPTIONS, choices=dict.fromkeys(event.patrons, ""))
        case e.OptionChosen():
            return fold_steps.chosen(past, event)
        case e.PlayResumed():
            offers = past.open_offers if event.phase is Phase.OFFER else ()
            return replace(past, phase=event.phase, open_offers=offers, irregularity=None, choices={})
        case e.ReplacementOrdered() | e.ReportWithdrawn() | e.SqueezePassed() | e.DisplayCorrected():
            return past
        case _:
            return _money_corrected(past, event)


_CardsCorrected = e.CardsReconstructed | e.CardDetermined | e.CardsDiscarded


def _cards_corrected(past: PastRound, event: _CardsCorrected) -> PastRound:
    match event:
        case e.CardsReconstructed():
            # Between two rounds only the waiting cards are reordered: the cards of the round that is over stay.
            cards = fold_steps.by_place(event.cards) if past.state == "open" else past.cards
            return replace(past, cards=cards, waiting=fold_steps.faces(event.carried))
        case e.CardDetermined():
            return replace(past, cards={**past.cards, event.place: event.card})
        case e.CardsDiscarded():
            return past if event.from_shoe else replace(past, waiting=())
        case _:
            assert_never(event)


_MoneyCorrected = (
    e.RoundVoided | e.RoundReopened | e.InsuranceReturned | e.OwedCollected | e.PastRoundCorrected
    | e.OriginalReturned | e.InsuranceRepositioned | e.RulingPaid
)  # fmt: skip


def _money_corrected(past: PastRound, event: _MoneyCorrected) -> PastRound:
    match event:
        case e.RoundVoided():
            return fold_steps.ended_without_result(fold_steps.with_lines(past, event.lines, event.entries), "void")
        case e.RoundReopened():
            return fold_steps.reopened(past, event)
        case e.InsuranceReturned():
            ids = {line.wager for line in event.lines}
            kept = tuple(insurance for insurance in past.insurance if insurance.insurance not in ids)
            return fold_steps.with_lines(replace(past, insurance=kept), event.lines)
        case e.OwedCollected():
            return fold_steps.with_lines(past, entries=event.entries)
        case e.PastRoundCorrected():
            return fold_steps.corrected(past, event)
        case e.OriginalReturned() | e.InsuranceRepositioned():
            # The report is not among this round's events once another round is current.
            late = past.corrected or past.irregularity is None
            return fold_steps.with_lines(replace(past, corrected=late), event.lines, event.entries)
        case e.RulingPaid():
            return fold_steps.with_lines(replace(past, paid=past.paid + event.entries))
        case _:
            assert_never(event)


_FOLDS: Final[dict[type, Callable[[PastRound, Any], PastRound]]] = e.of_each(
    people=_people, betting=_betting, card=_cards, round=_round, irregular=_irregular
)
