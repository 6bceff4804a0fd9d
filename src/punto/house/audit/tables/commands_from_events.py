"""The command that must have led to what is on record. Commands are not stored; their events tell them.

Where the record leaves a choice (who drew a card, whether a stake came in two parts) every possible command is given,
likeliest first: one of them, decided again, must lead to these very events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from punto.game import commands as c
from punto.game import events as e
from punto.game.table import Laid, Table
from punto.house.audit.tables.rulings_from_events import reports, rulings
from punto.money import Cents

Events = tuple[e.AnyEvent, ...]
Commands = Iterator[c.AnyCommand]

_LEADING: Final = (e.InsuranceClosed, e.CutCardDrawn)
"""What may come before a card in the events of its command."""


def asked(table: Table, events: Events, actor: str) -> Commands:
    """Commands whose events may begin `events`. `actor` is who the row says gave it."""
    by = actor if actor in table.staff else next(iter(table.staff), actor)
    find = _READERS.get(type(events[0]))
    if find is not None:
        yield from find(table, events, by)


def _opened(table: Table, events: Events, by: str) -> Commands:
    event = events[0]
    assert isinstance(event, e.TableOpened)
    settings = event.settings
    game = settings.edition.partition("/")[0]
    notice = events[1] if len(events) > 1 else None
    for offered in (False, True) if isinstance(notice, e.InsuranceNotice) else (True,):
        yield c.OpenTable(
            by=event.by,
            rank=event.rank,
            table=settings.table,
            edition=settings.edition if settings.pinned else None,
            game=None if settings.pinned else game,
            layout=settings.layout,
            positions=settings.positions,
            limits=settings.limits,
            decks=settings.decks,
            currency=settings.currency,
            high_limit=settings.high_limit,
            private=settings.private,
            device=settings.device,
            facing=settings.facing,
            source=settings.source,
            insurance=offered,
            asked_by=notice.asked_by if isinstance(notice, e.InsuranceNotice) else None,
        )


def _joined(table: Table, events: Events, by: str) -> Commands:
    event = events[0]
    assert isinstance(event, e.PatronJoined)
    bought = events[1] if len(events) > 1 else None
    if isinstance(bought, e.ChipsBought) and bought.patron == event.patron:
        yield c.Join(patron=event.patron, chips_cents=bought.chips_cents)
    yield c.Join(patron=event.patron)


def _loaded(table: Table, events: Events, by: str) -> Commands:
    event = events[0]
    assert isinstance(event, e.ShoeLoaded)
    yield c.LoadShoe(
        by=event.by,
        count=event.cards,
        shuffled=True,
        order=event.order,
        salt=event.salt,
        commitment=event.commitment,
    )


def _burnt(table: Table, events: Events, by: str) -> Commands:
    event = events[0]
    assert isinstance(event, e.CardsBurnt)
    virtual = table.shoe is not None and table.shoe.order is not None
    yield c.Burn(by=event.by, card=None if virtual else event.card)


def _shoe_ended(table: Table, events: Events, by: str) -> Commands:
    """Cards left over are discarded first. A table that closes ends its virtual shoe."""
    for event in events[:2]:
        if isinstance(event, e.TableClosed):
            yield c.CloseTable(by=event.by)
    for event in events[:2]:
        if isinstance(event, e.ShoeEnded):
            yield c.EndShoe(by=event.by)


def _card(table: Table, events: Events, by: str) -> Commands:
    """A card drawn or turned, after what it ended; the cut card alone; a card lost on its way, or turned by mistake."""
    event = next((one for one in events if not isinstance(one, _LEADING)), None)
    if isinstance(event, e.CardDrawn):
        yield c.DrawCard(by=by)
        yield c.DrawCard(by=by, card=event.card)
    if isinstance(event, e.CardExposed):
        yield c.ExposeCard(by=event.by, place=event.place)
        yield c.ExposeCard(by=event.by, place=event.place, card=event.card)
    if isinstance(events[0], e.CutCardDrawn):
        yield c.DrawCutCard(by=by)
        yield c.OpenBetting(by=by)
        yield c.DrawCard(by=by)
    yield from reports(table, events)


def _wagered(table: Table, events: Events, by: str) -> Commands:
    """What it pushed out comes first, what did not fit afterwards."""
    at, event = next(
        ((at, one) for at, one in enumerate(events) if isinstance(one, e.WagerPlaced | e.WagerRaised)), (0, None)
    )
    if event is None:
        return
    left = events[at + 1] if len(events) > at + 1 else None
    excess = left.stake_cents if isinstance(left, e.ExcessRejected) and left.patron == event.patron else Cents(0)
    stake = Cents(event.stake_cents + excess)
    if isinstance(event, e.WagerPlaced):
        yield c.PlaceWager(patron=event.patron, box=event.box, bet=event.bet, stake_cents=stake, by=event.by)
        return
    laid = _laid(table, event.wager)
    if laid is not None:
        yield c.RaiseWager(patron=event.patron, box=laid.box, bet=laid.bet, stake_cents=stake, by=event.by)


def _laid(table: Table, wager: str) -> Laid | None:
    return None if table.round is None else table.round.wagers.get(wager)


def _lowered(table: Table, events: Events, by: str) -> Commands:
    event = events[0]
    assert isinstance(event, e.WagerLowered | e.WagerWithdrawn)
    laid = _laid(table, event.wager)
    if laid is None:
        return
    if isinstance(event, e.WagerWithdrawn):
        yield c.WithdrawWager(patron=event.patron, box=laid.box, bet=laid.bet, by=event.by)
    else:
        stake = event.stake_cents
        yield c.LowerWager(patron=event.patron, box=laid.box, bet=laid.bet, stake_cents=stake, by=event.by)


def _closed(table: Table, events: Events, by: str) -> Commands:
    for event in events:
        if isinstance(event, e.BettingClosed):
            yield c.CloseBetting(by=event.by)
            return


def _found(table: Table, events: Events, by: str) -> Commands:
    for event in events[:3]:
        if isinstance(event, e.ChipsReported):
            yield c.ReportChips(
                by=event.by, patron=event.patron, box=event.box, bet=event.bet, stake_cents=event.stake_cents
            )
            return


def _insured(table: Table, events: Events, by: str) -> Commands:
    event = events[0]
    assert isinstance(event, e.InsuranceTaken)
    yield c.TakeInsurance(
        patron=event.patron,
        bet=event.bet,
        stake_cents=event.stake_cents,
        after=event.after,
        area=event.area,
        by=event.by,
    )


def _resumed(table: Table, events: Events, by: str) -> Commands:
    event = events[0]
    yield c.ResumePlay(by=event.by or by if isinstance(event, e.RoundConcluded) else by)


def _said(command: type[Any], *names: str) -> Callable[[Table, Events, str], Commands]:
    """A command whose one event says all of it, in these fields."""

    def read(table: Table, events: Events, by: str) -> Commands:
        yield command(**{name: getattr(events[0], name) for name in names})

    return read


_READERS: Final[dict[type, Callable[[Table, Events, str], Commands]]] = {
    e.TableOpened: _opened,
    e.TableClosed: _said(c.CloseTable, "by"),
    e.DutyStarted: _said(c.StartDuty, "name", "rank"),
    e.DutyEnded: _said(c.EndDuty, "name"),
    e.PatronJoined: _joined,
    e.ChipsBought: _said(c.BuyChips, "patron", "chips_cents"),
    e.ChipsCashed: _said(c.CashChips, "patron", "chips_cents"),
    e.SeatTaken: _said(c.Sit, "patron", "box"),
    e.SeatLeft: _said(c.StandUp, "patron"),
    e.PatronLeft: _said(c.Leave, "patron"),
    e.InsuranceNotice: _said(c.SetInsurance, "by", "offered", "asked_by"),
    e.ShoeLoaded: _loaded,
    e.CutCardPlaced: _said(c.PlaceCutCard, "by", "after"),
    e.CardsBurnt: _burnt,
    e.CardsDiscarded: _shoe_ended,
    e.ShoeEnded: _shoe_ended,
    e.BettingOpened: _said(c.OpenBetting, "by"),
    e.WagerCut: _wagered,
    e.WagerPlaced: _wagered,
    e.WagerRaised: _wagered,
    e.WagerLowered: _lowered,
    e.WagerWithdrawn: _lowered,
    e.WagerReturned: _closed,
    e.BettingClosed: _closed,
    e.ChipsReported: _found,
    e.RoundReopened: _found,
    e.SqueezeAsked: _said(c.AskSqueeze, "patron", "places"),
    e.SqueezeGranted: _said(c.GrantSqueeze, "by"),
    e.BankerFirstAsked: _said(c.AskBankerFirst, "patron", "way"),
    e.BankerFirstGranted: _said(c.GrantBankerFirst, "by"),
    e.CutCardDrawn: _card,
    e.InsuranceClosed: _card,
    e.CardDrawn: _card,
    e.CardExposed: _card,
    e.InsuranceTaken: _insured,
    e.InsuranceDeclined: _said(c.DeclineInsurance, "patron"),
    e.RoundSettled: _said(c.Settle, "by"),
    e.IrregularityReported: lambda table, events, by: reports(table, events),
    e.IrregularityDecided: lambda table, events, by: rulings(table, events),
    e.OptionChosen: _said(c.ChooseOption, "patron", "option"),
    e.PlayResumed: _resumed,
    e.RoundConcluded: _resumed,
}
"""By the first event of a command. An event that is not here follows another and begins nothing."""
