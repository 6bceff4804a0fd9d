"""`evolve(table, event)` adds one event to a table. It judges nothing: what is recorded has happened."""

from __future__ import annotations

from typing import assert_never

import msgspec

from punto.game import events as e
from punto.game.table import (
    BankerFirst,
    Laid,
    Offered,
    Patron,
    Phase,
    PlacedCard,
    Round,
    Shoe,
    Squeeze,
    Table,
    Taken,
)

replace = msgspec.structs.replace


def evolve(table: Table, event: e.AnyEvent) -> Table:
    """The table after the event."""
    return replace(_evolve(table, event), version=table.version + 1)


def evolve_all(table: Table, events: tuple[e.AnyEvent, ...]) -> Table:
    for event in events:
        table = evolve(table, event)
    return table


def _evolve(table: Table, event: e.AnyEvent) -> Table:
    if isinstance(event, e.BettingEvent):
        return _betting(table, event)
    if isinstance(event, e.CardEvent):
        return _cards(table, event)
    if isinstance(event, e.RoundEvent):
        return _round(table, event)
    return _people(table, event)


def _people(table: Table, event: e.PeopleEvent) -> Table:
    match event:
        case e.TableOpened():
            return replace(
                table, settings=event.settings, phase=Phase.NO_SHOE, staff={**table.staff, event.by: event.rank}
            )
        case e.TableClosed():
            return replace(table, phase=Phase.CLOSED, shoe=None, round=None)
        case e.DutyStarted():
            return replace(table, staff={**table.staff, event.name: event.rank})
        case e.DutyEnded():
            return replace(table, staff={name: rank for name, rank in table.staff.items() if name != event.name})
        case e.PatronJoined():
            known = table.patrons.get(event.patron, Patron(event.patron))
            return _patron(table, replace(known, present=True))
        case e.ChipsBought():
            moved = _pay(table, event.patron, event.chips_cents)
            return replace(moved, issued_cents=table.issued_cents + event.chips_cents)
        case e.ChipsCashed():
            moved = _pay(table, event.patron, -event.chips_cents)
            return replace(moved, issued_cents=table.issued_cents - event.chips_cents)
        case e.SeatTaken():
            return _patron(table, replace(table.patrons[event.patron], box=event.box))
        case e.SeatLeft():
            return _patron(table, replace(table.patrons[event.patron], box=None))
        case e.PatronLeft():
            gone = _patron(table, replace(table.patrons[event.patron], present=False))
            if event.forgone:
                gone = _in_round(gone, forgone=table.current.forgone | {event.patron})
            return gone
        case e.InsuranceNotice():
            return replace(table, insurance_offered=event.offered)
        case _:
            assert_never(event)


def _betting(table: Table, event: e.BettingEvent) -> Table:
    match event:
        case e.BettingOpened():
            return replace(
                table,
                phase=Phase.BETTING,
                rounds=event.round,
                round=Round(number=event.round, hand=event.hand, edition=event.edition),
                shoe=replace(table.in_use, hands=event.hand),
            )
        case e.WagerPlaced() | e.ChipsReported():
            laid = Laid(
                event.wager,
                event.patron,
                event.box,
                event.bet,
                event.stake_cents,
                event.stake_cents,
                table.placed + 1,
                event.seated,
            )
            after = _in_round(table, wagers={**table.current.wagers, laid.id: laid})
            return replace(_pay(after, event.patron, -event.stake_cents), placed=table.placed + 1)
        case e.WagerRaised():
            return _change(table, event.wager, event.stake_cents)
        case e.WagerLowered() | e.WagerCut() | e.WagerWithdrawn() | e.WagerReturned():
            return _change(table, event.wager, -event.stake_cents)
        case e.ExcessRejected():
            return table
        case e.MinimumNoticed():
            laid = replace(table.current.wagers[event.wager], noticed=True)
            return _in_round(table, wagers={**table.current.wagers, laid.id: laid})
        case e.BettingClosed():
            return replace(table, phase=Phase.DEALING)
        case e.ProRated():
            wagers = dict(table.current.wagers)
            for name, cents in event.in_play.items():
                wagers[name] = replace(wagers[name], in_play_cents=int(cents))
            return _in_round(table, wagers=wagers, reported=True)
        case _:
            assert_never(event)


def _cards(table: Table, event: e.CardEvent) -> Table:
    match event:
        case e.ShoeLoaded():
            shoe = Shoe(number=event.shoe, cards=event.cards, order=event.order)
            phase = Phase.COMMENCING if event.burn_due else Phase.READY
            return replace(table, shoe=shoe, shoes=event.shoe, phase=phase)
        case e.CutCardPlaced():
            return replace(table, shoe=replace(table.in_use, cut_at=event.after))
        case e.CardsBurnt():
            shoe = _saw(table.in_use, event.card)
            return replace(table, phase=Phase.READY, shoe=replace(shoe, drawn=shoe.drawn + 1 + event.skipped))
        case e.CutCardDrawn():
            phase = Phase.CUT_CARD if event.withdrawal else table.phase
            return replace(table, phase=phase, shoe=replace(table.in_use, cut_drawn=True, last_round=True))
        case e.ShoeEnded():
            return replace(table, phase=Phase.NO_SHOE, shoe=None)
        case e.CardDrawn():
            shoe = replace(table.in_use, drawn=table.in_use.drawn + 1)
            if event.card is not None:
                shoe = _saw(shoe, event.card)
            cards = (*table.current.cards, PlacedCard(event.place, event.card, event.exposed))
            return replace(_in_round(table, cards=cards), phase=Phase.DEALING, shoe=shoe)
        case e.CardExposed():
            shoe = table.in_use
            known = {one.place: one.face for one in table.current.cards}
            if known[event.place] is None:
                shoe = _saw(shoe, event.card)
            cards = tuple(
                PlacedCard(one.place, event.card, True) if one.place == event.place else one
                for one in table.current.cards
            )
            return replace(_in_round(table, cards=cards), shoe=shoe)
        case e.CoupCompleted():
            return replace(table, phase=Phase.COMPLETE)
        case _:
            assert_never(event)


def _round(table: Table, event: e.RoundEvent) -> Table:
    match event:
        case e.SqueezeAsked():
            return _in_round(table, squeeze=Squeeze(event.patron, event.places))
        case e.SqueezeGranted():
            assert table.current.squeeze is not None
            return _in_round(table, squeeze=replace(table.current.squeeze, granted=True))
        case e.BankerFirstAsked():
            return _in_round(table, banker_first=BankerFirst(event.patron, event.way))
        case e.BankerFirstGranted():
            assert table.current.banker_first is not None
            return _in_round(table, banker_first=replace(table.current.banker_first, granted=True))
        case e.InsuranceOffered():
            offer = Offered(
                event.after,
                event.bet,
                event.odds,
                event.player_points,
                event.banker_points,
                event.paragraph,
                event.tie_paragraph,
                tuple(event.maximum),
            )
            return replace(_in_round(table, offer=offer, offers=(*table.current.offers, offer)), phase=Phase.OFFER)
        case e.InsuranceTaken():
            offer_ = next(one for one in table.current.offers if one.after is event.after)
            taken = Taken(
                event.insurance,
                event.patron,
                event.bet,
                event.after,
                event.stake_cents,
                offer_.odds,
                offer_.paragraph,
                offer_.tie_paragraph,
            )
            after = _in_round(table, insurance=(*table.current.insurance, taken))
            return replace(_pay(after, event.patron, -event.stake_cents), placed=table.placed + 1)
        case e.InsuranceDeclined():
            return _in_round(table, forgone=table.current.forgone | {event.patron})
        case e.InsuranceClosed():
            gone = _in_round(table, offer=None, forgone=table.current.forgone | set(event.forgone))
            return replace(gone, phase=Phase.DEALING)
        case e.RoundSettled():
            return _settled(table, event)
        case e.RoundConcluded():
            return replace(table, phase=Phase.SETTLED, patrons=_seats_freed(table.patrons))
        case _:
            assert_never(event)


def _settled(table: Table, event: e.RoundSettled) -> Table:
    """Chips go back to the patrons; what is not handed back is the house's."""
    patrons = dict(table.patrons)
    taken = 0
    for line in event.lines:
        patron = patrons[line.patron]
        patrons[line.patron] = replace(patron, balance_cents=patron.balance_cents + line.handed_back_cents)
        taken += line.stake_cents - line.handed_back_cents
    mark = {"banker": "B", "player": "P", "tie": "T"}[event.winner]
    shoe = replace(table.in_use, results=table.in_use.results + mark)
    ended = _in_round(table, winner=event.winner, lines=event.lines)
    return replace(
        ended,
        patrons=_seats_freed(patrons),
        house_cents=table.house_cents + taken,
        phase=Phase.SETTLED,
        shoe=shoe,
    )


def _seats_freed(patrons: dict[str, Patron]) -> dict[str, Patron]:
    """At the end of a round the seats of those who walked away are free."""
    return {
        name: replace(patron, box=None) if patron.box is not None and not patron.present else patron
        for name, patron in patrons.items()
    }


def _patron(table: Table, patron: Patron) -> Table:
    return replace(table, patrons={**table.patrons, patron.name: patron})


def _pay(table: Table, name: str, cents: int) -> Table:
    patron = table.patrons[name]
    return _patron(table, replace(patron, balance_cents=patron.balance_cents + cents))


def _in_round(table: Table, **changes: object) -> Table:
    return replace(table, round=replace(table.current, **changes))


def _change(table: Table, wager: str, cents: int) -> Table:
    """A wager grows or shrinks, and the patron's chips with it; one of nothing is gone."""
    laid = table.current.wagers[wager]
    stake = laid.stake_cents + cents
    wagers = {**table.current.wagers, wager: replace(laid, stake_cents=stake, in_play_cents=stake)}
    if not stake:
        del wagers[wager]
    return _pay(_in_round(table, wagers=wagers), laid.patron, -cents)


def _saw(shoe: Shoe, face: str) -> Shoe:
    return replace(shoe, seen={**shoe.seen, face: shoe.seen.get(face, 0) + 1})
