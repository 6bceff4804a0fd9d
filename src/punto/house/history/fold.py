"""A past round added up from its events: the one fold for history, frames, score boards and exports. The audit has its
own, on purpose.

Events are first cut down to what one audience may know. Nothing recorded is rewritten: what puts the round right later
is added after what it corrects.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, assert_never

import msgspec

from punto.cards import card, points
from punto.game import events as e
from punto.game.audience import Audience, shown
from punto.game.table import CarriedCard, Entry, Phase, PlacedCard, SettledLine
from punto.house.clock import iso
from punto.house.history.past_round import Cards, EventShown, InsuranceHeld, PastRound, WagerLaid
from punto.money import Cents, amount

Dated = tuple[int, int, e.AnyEvent]
"""Version, instant and event."""

replace = msgspec.structs.replace


def states(rows: Iterable[Dated], audience: Audience = Audience.PIT, patron: str | None = None) -> Iterator[PastRound]:
    """The round after each event that the audience is told of. `rows` begin with its betting and end before the next
    one's, but for what puts this round right. Nothing where they begin otherwise."""
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
    seen = shown(event, audience, patron)
    return past if seen is None else _added(past, EventShown(version=version, at=iso(at), event=seen))


def _added(past: PastRound, happened: EventShown) -> PastRound:
    event = happened.event
    paragraphs, says = past.paragraphs, past.says
    if event.paragraph not in paragraphs:
        paragraphs = (*paragraphs, event.paragraph)
    if isinstance(event, e.BettingOpened | e.BettingClosed | e.RoundSettled):
        says = (*says, event.says)
    past = replace(past, events=(*past.events, happened), paragraphs=paragraphs, says=says)
    return _FOLDS[type(event)](past, event) if _concerns(past, event) else past


def _concerns(past: PastRound, event: e.AnyEvent) -> bool:
    """Whether an event is of this round: what puts an earlier one right meanwhile changes nothing of this one."""
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
        case e.SeatTaken() | e.SeatLeft() | e.InsuranceNotice():
            return past
        case _:
            assert_never(event)


def _betting(past: PastRound, event: e.BettingEvent) -> PastRound:
    match event:
        case e.WagerPlaced() | e.ChipsReported():
            return _laid(past, event)
        case e.WagerRaised():
            return _restaked(past, event.wager, event.stake_cents)
        case e.WagerLowered() | e.WagerCut() | e.WagerWithdrawn() | e.WagerReturned():
            return _restaked(past, event.wager, -event.stake_cents)
        case e.BettingClosed():
            return replace(past, phase=Phase.DEALING)
        case e.ProRated():
            wagers = (
                replace(one, in_play_cents=event.in_play.get(one.wager, one.in_play_cents)) for one in past.wagers
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
            held = InsuranceHeld(
                insurance=event.insurance,
                patron=event.patron,
                bet=event.bet,
                after=event.after,
                stake_cents=event.stake_cents,
            )
            return replace(past, insurance=(*past.insurance, held))
        case e.InsuranceClosed():
            return replace(past, phase=Phase.DEALING, open_offers=())
        case e.RoundSettled():
            settled = _ended(past, "settled", Phase.SETTLED, event.lines)
            hands = (event.player_points, event.banker_points)
            return replace(settled, winner=event.winner, player_points=hands[0], banker_points=hands[1])
        case e.RoundConcluded():
            return _without_result(past, "concluded")
        case e.SqueezeAsked() | e.SqueezeGranted() | e.BankerFirstAsked() | e.InsuranceDeclined():
            return past
        case _:
            assert_never(event)


def _irregular(past: PastRound, event: e.IrregularEvent) -> PastRound:
    match event:
        case e.IrregularityReported():
            return _reported(past, event)
        case e.IrregularityDecided():
            return replace(past, ruled_on=past.ruled_on or _of_this(past))
        case e.CardsReconstructed():
            # Between two rounds only the cards that wait are put in order: those of the round that is over stay.
            cards = _lying(event.cards) if past.state == "open" else past.cards
            return replace(past, cards=cards, waiting=_faces(event.carried))
        case e.CardDetermined():
            return replace(past, cards={**past.cards, event.place: event.card})
        case e.CardsDiscarded():
            return past if event.from_shoe else replace(past, waiting=())
        case e.OptionsOpened():
            return replace(past, phase=Phase.OPTIONS, choices=dict.fromkeys(event.patrons, ""))
        case e.OptionChosen():
            return _chosen(past, event)
        case e.PlayResumed():
            offers = past.open_offers if event.phase is Phase.OFFER else ()
            return replace(past, phase=event.phase, open_offers=offers, irregularity=None, choices={})
        case e.RoundVoided():
            return _without_result(_settled(past, event.lines, event.entries), "void")
        case e.RoundReopened():
            return _reopened(past, event)
        case e.InsuranceReturned():
            names = {line.wager for line in event.lines}
            kept = tuple(one for one in past.insurance if one.insurance not in names)
            return _settled(replace(past, insurance=kept), event.lines)
        case e.OwedCollected():
            return _settled(past, entries=event.entries)
        case e.PastRoundCorrected():
            return _corrected(past, event)
        case e.OriginalReturned() | e.InsuranceRepositioned():
            late = past.corrected or past.state != "open"
            return _settled(replace(past, corrected=late), event.lines, event.entries)
        case e.RulingPaid():
            return _settled(replace(past, paid=past.paid + event.entries))
        case e.ReplacementOrdered() | e.ReportWithdrawn() | e.SqueezePassed():
            return past
        case _:
            assert_never(event)


_FOLDS: Final[dict[type, Callable[[PastRound, Any], PastRound]]] = e.of_each(
    people=_people, betting=_betting, card=_cards, round=_round, irregular=_irregular
)


def _laid(past: PastRound, event: e.WagerPlaced | e.ChipsReported) -> PastRound:
    """Chips that were found may lie on a wager that is there already (D1). Somebody else's are not this reader's."""
    if not event.patron:
        return past
    if any(one.wager == event.wager for one in past.wagers):
        return _restaked(past, event.wager, event.stake_cents)
    wager = WagerLaid(
        wager=event.wager,
        patron=event.patron,
        box=event.box,
        bet=event.bet,
        stake_cents=event.stake_cents,
        in_play_cents=event.stake_cents,
    )
    return replace(past, wagers=(*past.wagers, wager))


def _restaked(past: PastRound, name: str, by_cents: int) -> PastRound:
    """A wager grows or shrinks; one of nothing is gone."""
    wagers = []
    for one in past.wagers:
        moved = by_cents if one.wager == name else 0
        stake, in_play = Cents(one.stake_cents + moved), Cents(one.in_play_cents + moved)
        if stake > 0:
            wagers.append(replace(one, stake_cents=stake, in_play_cents=in_play) if moved else one)
    return replace(past, wagers=tuple(wagers))


def _reported(past: PastRound, event: e.IrregularityReported) -> PastRound:
    found = event.irregularity
    here = found.round in (None, past.round)
    return replace(
        past,
        phase=Phase.IRREGULARITY if event.opens else past.phase,
        irregularity=found,
        irregularities=(*past.irregularities, found) if here else past.irregularities,
    )


def _chosen(past: PastRound, event: e.OptionChosen) -> PastRound:
    """Who takes their bets back has no more part in the round."""
    past = replace(past, choices={**past.choices, event.patron: event.option})
    if event.option != "returned":
        return past
    return _settled(
        replace(
            past,
            wagers=tuple(one for one in past.wagers if one.patron != event.patron),
            insurance=tuple(one for one in past.insurance if one.patron != event.patron),
        ),
        event.lines,
        event.entries,
    )


def _reopened(past: PastRound, event: e.RoundReopened) -> PastRound:
    """The settlement is taken back: what lies again has no line."""
    lying = {*(one.wager for one in past.wagers), *(one.insurance for one in past.insurance)}
    irregularity = replace(past.irregularity, phase=Phase.DEALING) if past.irregularity is not None else None
    reopened = replace(
        past,
        state="open",
        winner=None,
        ended_at=None,
        cards=_lying(event.cards),
        waiting=_faces(event.carried),
        irregularity=irregularity,
        lines=tuple(line for line in past.lines if line.wager not in lying),
    )
    return _settled(reopened, entries=event.entries)


def _corrected(past: PastRound, event: e.PastRoundCorrected) -> PastRound:
    past = replace(past, state="void" if event.void else "settled", winner=event.winner, corrected=True)
    if event.cards:
        cards = _lying(event.cards)
        hands = (_points(cards, "P"), _points(cards, "B"))
        past = replace(past, cards=cards, player_points=hands[0], banker_points=hands[1])
    return _settled(past, event.lines, event.entries)


def _without_result(past: PastRound, state: str) -> PastRound:
    """The round is over. One that had been settled leaves the table as it stood."""
    stood = past.irregularity if past.state != "open" else None
    ended = _ended(past, state, stood.phase if stood is not None else Phase.SETTLED)
    return replace(ended, winner=None, open_offers=(), irregularity=None, choices={})


def _ended(past: PastRound, state: str, phase: Phase, lines: tuple[SettledLine, ...] = ()) -> PastRound:
    return replace(_settled(past, lines), state=state, phase=phase, ended_at=past.events[-1].at)


def _settled(past: PastRound, lines: tuple[SettledLine, ...] = (), entries: tuple[Entry, ...] = ()) -> PastRound:
    """New lines take the place of those of the same wagers, and what the round came to is counted anew."""
    names = {line.wager for line in lines}
    lines = (*(line for line in past.lines if line.wager not in names), *lines)
    won = sum(line.handed_back_cents - line.stake_cents for line in lines)
    net = amount(won + past.paid_cents) if lines or past.paid else None
    return replace(past, lines=lines, entries=past.entries + entries, net=net)


def _lying(cards: tuple[PlacedCard, ...]) -> Cards:
    return {one.place: one.face for one in cards}


def _faces(cards: tuple[CarriedCard, ...]) -> tuple[str | None, ...]:
    return tuple(one.face for one in cards)


def _points(cards: Cards, hand: str) -> int:
    return points(tuple(card(face) for place, face in cards.items() if place[0] == hand and face is not None))
