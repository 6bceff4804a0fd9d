"""`evolve(table, event)` adds one event to a table. It judges nothing: what is recorded has happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final, assert_never

import msgspec

from punto.game import events as e
from punto.game.irregularities.evolve import evolve_irregular, without_result
from punto.game.moves import (
    MOST_PATRONS,
    hand_back,
    in_round,
    pay,
    replace,
    saw,
    seats_freed,
    spare_patron,
    with_patron,
    without_patron,
)
from punto.game.round import phase_after
from punto.game.table import (
    BankerFirst,
    Laid,
    Offered,
    Patron,
    PlacedCard,
    Round,
    Shoe,
    Squeeze,
    Table,
    Taken,
)

MOST_PAST_ROUNDS = 200
"""How many past rounds a table holds. `recall` reads back an older one that is to be put right (I11)."""


def evolve(table: Table, event: e.AnyEvent) -> Table:
    """The table after the event. Its phase comes from `AFTER` in `round`."""
    after = _EVOLVES[type(event)](table, event)
    return replace(after, phase=phase_after(table, event), version=table.version + 1)


def evolve_all(table: Table, events: tuple[e.AnyEvent, ...]) -> Table:
    for event in events:
        table = evolve(table, event)
    return table


def _people(table: Table, event: e.PeopleEvent) -> Table:
    match event:
        case e.TableOpened():
            return replace(
                table,
                settings=event.settings,
                staff={**table.staff, event.by: event.rank},
                insurance_offered=True,
                next_limits=None,
                closes_after=None,
            )
        case e.TableClosed():
            risen = {name: replace(patron, box=None) for name, patron in table.patrons.items()}
            return replace(table, shoe=None, round=None, past=_past(table), patrons=risen)
        case e.DutyStarted():
            return replace(table, staff={**table.staff, event.name: event.rank})
        case e.DutyEnded():
            return replace(table, staff={name: rank for name, rank in table.staff.items() if name != event.name})
        case e.PatronJoined():
            known = table.patrons.get(event.patron)
            if known is None and len(table.patrons) >= MOST_PATRONS:
                table = without_patron(table, spare_patron(table))
            return with_patron(table, replace(known or Patron(event.patron), present=True))
        case e.ChipsBought():
            moved = pay(table, event.patron, event.chips_cents)
            return replace(moved, issued_cents=table.issued_cents + event.chips_cents)
        case e.ChipsCashed():
            moved = pay(table, event.patron, -event.chips_cents)
            return replace(moved, issued_cents=table.issued_cents - event.chips_cents)
        case e.SeatTaken():
            return with_patron(table, replace(table.patrons[event.patron], box=event.box))
        case e.SeatLeft():
            return with_patron(table, replace(table.patrons[event.patron], box=None))
        case e.PatronLeft():
            gone = with_patron(table, replace(table.patrons[event.patron], present=False))
            if event.forgone:
                current = table.current
                walked = {event.patron: len(current.cards), **current.walked}
                gone = in_round(gone, forgone=current.forgone | {event.patron}, walked=walked)
            return gone
        case e.InsuranceNotice():
            return replace(table, insurance_offered=event.offered)
        case e.LimitsSet():
            return replace(table, next_limits=event.limits)
        case e.ClosingAnnounced():
            return replace(table, closes_after=event.last_round)
        case _:
            assert_never(event)


def _betting(table: Table, event: e.BettingEvent) -> Table:
    match event:
        case e.BettingOpened():
            return replace(
                _with_new_limits(table),
                rounds=event.round,
                round=Round(
                    number=event.round,
                    hand=event.hand,
                    edition=event.edition,
                    shoe=table.in_use.number,
                    insurance_offered=table.insurance_offered,
                    left=_depth(table),
                ),
                past=_past(table),
                shoe=replace(_reshuffled(table), hands=event.hand),
            )
        case e.WagerPlaced() | e.ChipsReported():
            return _laid_down(table, event)
        case e.WagerRaised():
            return _change(table, event.wager, event.stake_cents)
        case e.WagerLowered() | e.WagerCut() | e.WagerWithdrawn() | e.WagerReturned():
            lying = {name: laid for name, laid in table.current.lay.items() if name != event.wager}
            return _change(in_round(table, lay=lying) if table.current.lay else table, event.wager, -event.stake_cents)
        case e.ExcessRejected():
            return table
        case e.MinimumNoticed():
            laid = replace(table.current.wagers[event.wager], noticed=True)
            return in_round(table, wagers={**table.current.wagers, laid.id: laid})
        case e.BettingClosed():
            return in_round(table, lay=table.current.wagers)
        case e.ProRated():
            wagers = {
                name: replace(laid, in_play_cents=int(event.in_play.get(name, laid.in_play_cents)))
                for name, laid in table.current.wagers.items()
            }
            insurance = tuple(
                replace(taken, in_play_cents=int(event.in_play.get(taken.id, taken.in_play_cents)))
                for taken in table.current.insurance
            )
            return in_round(table, wagers=wagers, insurance=insurance, reported=True)
        case _:
            assert_never(event)


def _cards(table: Table, event: e.CardEvent) -> Table:
    match event:
        case e.ShoeLoaded():
            shoe = Shoe(
                number=event.shoe,
                cards=event.cards,
                order=event.order,
                salt=event.salt,
                commitment=event.commitment,
            )
            return replace(table, shoe=shoe, shoes=event.shoe)
        case e.CutCardPlaced():
            return replace(table, shoe=replace(table.in_use, cut_at=event.after))
        case e.CardsBurnt():
            shoe = saw(table.in_use, event.card)
            return replace(table, shoe=replace(shoe, drawn=shoe.drawn + 1 + event.skipped))
        case e.CutCardDrawn():
            shoe = replace(table.in_use, cut_drawn=True, last_round=True)
            if event.withdrawal:
                return replace(in_round(table, cut_first=True), shoe=shoe)
            return replace(table, shoe=shoe)
        case e.ShoeEnded():
            return replace(table, shoe=None)
        case e.CardDrawn():
            shoe = table.in_use
            if event.carried:
                waited = shoe.carried[0].face
                shoe = replace(shoe, carried=shoe.carried[1:])
            else:
                waited = None
                shoe = replace(shoe, drawn=shoe.drawn + 1)
            if event.card is not None and waited is None:
                shoe = saw(shoe, event.card)
            cards = (*table.current.cards, PlacedCard(event.place, event.card, event.exposed))
            return replace(in_round(table, cards=cards), shoe=shoe)
        case e.CardExposed():
            shoe = table.in_use
            known = {card.place: card.face for card in table.current.cards}
            if known[event.place] is None:
                shoe = saw(shoe, event.card)
            cards = tuple(
                PlacedCard(card.place, event.card, True) if card.place == event.place else card
                for card in table.current.cards
            )
            return replace(in_round(table, cards=cards), shoe=shoe)
        case e.CoupCompleted():
            return table
        case _:
            assert_never(event)


def _round(table: Table, event: e.RoundEvent) -> Table:
    match event:
        case e.SqueezeAsked():
            return in_round(table, squeeze=Squeeze(event.patron, event.places))
        case e.SqueezeGranted():
            assert table.current.squeeze is not None
            return in_round(table, squeeze=replace(table.current.squeeze, granted=True))
        case e.BankerFirstAsked():
            return in_round(table, banker_first=BankerFirst(event.patron, event.way))
        case e.BankerFirstGranted():
            assert table.current.banker_first is not None
            return in_round(table, banker_first=replace(table.current.banker_first, granted=True))
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
                event.late,
            )
            current = table.current
            kept = tuple(past for past in current.offers if (past.after, past.late) != (offer.after, offer.late))
            offers = (*kept, offer)
            if not event.late:
                return in_round(table, offer=offer, offers=offers)
            again = current.forgone - set(offer.patrons)
            opened = in_round(table, late_offer=offer, offers=offers, forgone=again)
            return replace(opened, irregularity=None)
        case e.InsuranceTaken():
            offer_ = next(offer for offer in table.current.offers if offer.after is event.after)
            taken = Taken(
                event.insurance,
                event.patron,
                event.bet,
                event.after,
                event.stake_cents,
                offer_.odds,
                offer_.player_points,
                offer_.banker_points,
                offer_.paragraph,
                offer_.tie_paragraph,
                event.area or event.bet,
                event.stake_cents,
            )
            after = in_round(table, insurance=(*table.current.insurance, taken))
            return replace(pay(after, event.patron, -event.stake_cents), placed=table.placed + 1)
        case e.InsuranceDeclined():
            current = table.current
            both = (current.offer, current.late_offer)
            offer_left, late_left = (_without(offer, event.patron) for offer in both)
            said = (offer.after for offer in both if offer is not None and event.patron in offer.patrons)
            moments = tuple(dict.fromkeys((*current.declined.get(event.patron, ()), *said)))
            declined = {**current.declined, event.patron: moments}
            return in_round(table, offer=offer_left, late_offer=late_left, declined=declined)
        case e.InsuranceClosed():
            lost = table.current.forgone | set(event.forgone)
            return in_round(table, offer=None, late_offer=None, forgone=lost)
        case e.RoundSettled():
            return _settled(table, event)
        case e.RoundConcluded():
            return without_result(table)
        case _:
            assert_never(event)


def _settled(table: Table, event: e.RoundSettled) -> Table:
    """Chips go back to the patrons; what is not handed back is the house's."""
    mark = {"banker": "B", "player": "P", "tie": "T"}[event.winner]
    shoe = table.dealt_from
    if shoe is not None:
        shoe = replace(shoe, results={**shoe.results, table.current.number: mark})
    back = hand_back(table, event.lines)
    # Wagers that patrons took back by option (I3) before the result have their lines already.
    ended = in_round(back, winner=event.winner, lines=(*table.current.lines, *event.lines), ended=True)
    return replace(ended, patrons=seats_freed(ended.patrons), shoe=shoe or table.shoe)


def _laid_down(table: Table, event: e.WagerPlaced | e.ChipsReported) -> Table:
    """A new wager; chips that were found may also lie on one that is there already (D1)."""
    current = table.current
    reported = isinstance(event, e.ChipsReported)
    laid = Laid(
        event.wager,
        event.patron,
        event.box,
        event.bet,
        event.stake_cents,
        event.stake_cents,
        table.placed + 1,
        event.seated,
        found=reported,
    )
    there = current.wagers.get(event.wager)
    if there is not None:
        stake = there.stake_cents + event.stake_cents
        laid = replace(there, stake_cents=stake, in_play_cents=there.in_play_cents + event.stake_cents)
    after = in_round(table, wagers={**current.wagers, laid.id: laid})
    if isinstance(event, e.ChipsReported):
        forgone = current.forgone | {event.patron} if event.forgone else current.forgone
        after = in_round(after, lay={**current.lay, laid.id: laid}, forgone=forgone)
    return replace(pay(after, event.patron, -event.stake_cents), placed=table.placed + 1)


def _without(offer: Offered | None, patron: str) -> Offered | None:
    """An offer to everybody but this patron."""
    return offer and replace(offer, patrons=tuple(name for name in offer.patrons if name != patron))


def _reshuffled(table: Table) -> Shoe:
    """I8: a shuffler takes back all cards but those that wait, and has no last round; a virtual one is loaded anew."""
    shoe = table.in_use
    if table.opened.device != "shuffler" or shoe.order is not None:
        return shoe
    waiting = [card.face for card in shoe.carried if card.face is not None]
    return replace(shoe, drawn=len(shoe.carried), seen=dict(Counter(waiting)))


def _depth(table: Table) -> int | None:
    """O142: how many cards a round opens on, where its limits depend on it. A shuffler has no depth."""
    limits = table.next_limits or table.opened.limits
    by_depth = limits.late is not msgspec.UNSET and table.opened.device != "shuffler"
    return table.in_use.left if by_depth else None


def _with_new_limits(table: Table) -> Table:
    """O105: what was announced holds from here on."""
    if table.next_limits is None:
        return table
    return replace(table, settings=replace(table.opened, limits=table.next_limits), next_limits=None)


def _past(table: Table) -> dict[int, Round]:
    """The past rounds that the table holds, the current one now among them."""
    if table.round is None:
        return table.past
    kept = list(table.past.items())[-MOST_PAST_ROUNDS + 1 :]
    return {**dict(kept), table.round.number: table.round}


def _change(table: Table, wager: str, cents: int) -> Table:
    """Change a wager by an amount that the patron pays or gets back. A wager of nothing is removed."""
    laid = table.current.wagers[wager]
    stake = laid.stake_cents + cents
    wagers = {**table.current.wagers, wager: replace(laid, stake_cents=stake, in_play_cents=stake)}
    if not stake:
        del wagers[wager]
    return pay(in_round(table, wagers=wagers), laid.patron, -cents)


_EVOLVES: Final[dict[type, Callable[[Table, Any], Table]]] = e.of_each(
    people=_people, betting=_betting, card=_cards, round=_round, irregular=evolve_irregular
)
