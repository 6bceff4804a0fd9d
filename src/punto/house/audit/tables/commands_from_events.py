"""The command that led to the events on record. Commands are not stored: each is worked out from its events.

Where the record leaves a choice (who drew a card, whether a stake came in two parts) every possible command is tried,
likeliest first. One of them, decided again, must lead to exactly these events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from punto.game import commands as c
from punto.game import events as e
from punto.game.table import Laid, Table
from punto.house.audit.tables.rulings_from_events import possible_reports, possible_rulings
from punto.money import Cents

Events = tuple[e.AnyEvent, ...]
Commands = Iterator[c.AnyCommand]
Reader = Callable[[Any, Table, Events, str], Commands]
"""Takes the first event, the table before it, all events of the remaining rows, and who gave the command."""

_LEADING: Final = (e.InsuranceClosed, e.CutCardDrawn)
"""Events that may come before the card in the events of a command."""


def possible_commands(table: Table, events: Events, actor: str) -> Commands:
    """Commands that `events` may begin with. `actor` is who gave the command by its row."""
    by = actor if actor in table.staff else next(iter(table.staff), actor)
    read = _READERS.get(type(events[0]))
    if read is not None:
        yield from read(events[0], table, events, by)


def _opened(event: e.TableOpened, table: Table, events: Events, by: str) -> Commands:
    settings = event.settings
    names = [name for name in c.OpenTable.__struct_fields__ if name in settings.__struct_fields__ and name != "edition"]
    same: dict[str, Any] = {name: getattr(settings, name) for name in names}
    edition, game = (settings.edition, None) if settings.pinned else (None, settings.edition.partition("/")[0])
    notice = events[1] if len(events) > 1 else None
    asked_by = notice.asked_by if isinstance(notice, e.InsuranceNotice) else None
    for offered in (False, True) if isinstance(notice, e.InsuranceNotice) else (True,):
        facts: dict[str, Any] = {"by": event.by, "rank": event.rank, "insurance": offered, "asked_by": asked_by}
        yield c.OpenTable(edition=edition, game=game, **facts, **same)


def _joined(event: e.PatronJoined, table: Table, events: Events, by: str) -> Commands:
    bought = events[1] if len(events) > 1 else None
    if isinstance(bought, e.ChipsBought) and bought.patron == event.patron:
        yield c.Join(patron=event.patron, chips_cents=bought.chips_cents)
    yield c.Join(patron=event.patron)


def _loaded(event: e.ShoeLoaded, table: Table, events: Events, by: str) -> Commands:
    yield c.LoadShoe(
        by=event.by,
        count=event.cards,
        shuffled=True,
        order=event.order,
        salt=event.salt,
        commitment=event.commitment,
    )


def _burnt(event: e.CardsBurnt, table: Table, events: Events, by: str) -> Commands:
    virtual = table.shoe is not None and table.shoe.order is not None
    yield c.Burn(by=event.by, card=None if virtual else event.card)


def _shoe_ended(first: e.AnyEvent, table: Table, events: Events, by: str) -> Commands:
    """Cards left over are discarded first. A table that closes ends its virtual shoe."""
    for event in events[:2]:
        if isinstance(event, e.TableClosed):
            yield c.CloseTable(by=event.by)
    for event in events[:2]:
        if isinstance(event, e.ShoeEnded):
            yield c.EndShoe(by=event.by)


def _card(first: e.AnyEvent, table: Table, events: Events, by: str) -> Commands:
    """A card drawn or turned, after `_LEADING`; the cut card alone; a report of a card lost or turned by mistake."""
    event = next((event for event in events if not isinstance(event, _LEADING)), None)
    if isinstance(event, e.CardDrawn):
        yield c.DrawCard(by=by)
        yield c.DrawCard(by=by, card=event.card)
    if isinstance(event, e.CardExposed):
        yield c.ExposeCard(by=event.by, place=event.place)
        yield c.ExposeCard(by=event.by, place=event.place, card=event.card)
    if isinstance(first, e.CutCardDrawn):
        yield c.DrawCutCard(by=by)
        yield c.OpenBetting(by=by)
        yield c.DrawCard(by=by)
    yield from possible_reports(table, events)


def _wagered(first: e.AnyEvent, table: Table, events: Events, by: str) -> Commands:
    """A wager that was cut comes before the new one, the part that did not fit after it."""
    placed = [at for at, event in enumerate(events) if isinstance(event, e.WagerPlaced | e.WagerRaised)]
    if not placed:
        return
    event, following = events[placed[0]], events[placed[0] + 1 : placed[0] + 2]
    assert isinstance(event, e.WagerPlaced | e.WagerRaised)
    rejected = [
        after.stake_cents for after in following if isinstance(after, e.ExcessRejected) and after.patron == event.patron
    ]
    excess = rejected[0] if rejected else 0
    stake = Cents(event.stake_cents + excess)
    if isinstance(event, e.WagerPlaced):
        yield c.PlaceWager(patron=event.patron, box=event.box, bet=event.bet, stake_cents=stake, by=event.by)
        return
    wager = _wager(table, event.wager)
    if wager is not None:
        yield c.RaiseWager(patron=event.patron, box=wager.box, bet=wager.bet, stake_cents=stake, by=event.by)


def _wager(table: Table, id: str) -> Laid | None:
    return None if table.round is None else table.round.wagers.get(id)


def _lowered(event: e.WagerLowered | e.WagerWithdrawn, table: Table, events: Events, by: str) -> Commands:
    wager = _wager(table, event.wager)
    if wager is None:
        return
    if isinstance(event, e.WagerWithdrawn):
        yield c.WithdrawWager(patron=event.patron, box=wager.box, bet=wager.bet, by=event.by)
    else:
        stake = event.stake_cents
        yield c.LowerWager(patron=event.patron, box=wager.box, bet=wager.bet, stake_cents=stake, by=event.by)


def _closing(first: e.AnyEvent, table: Table, events: Events, by: str) -> Commands:
    assert isinstance(first, e.ClosingAnnounced)
    yield c.AnnounceClosing(by=first.by, rounds=None if first.last_round is None else first.last_round - table.rounds)


def _closed(first: e.AnyEvent, table: Table, events: Events, by: str) -> Commands:
    for event in events:
        if isinstance(event, e.BettingClosed):
            yield c.CloseBetting(by=event.by)
            return


def _chips_reported(first: e.AnyEvent, table: Table, events: Events, by: str) -> Commands:
    for event in events[:3]:
        if isinstance(event, e.ChipsReported):
            yield from _same_fields(c.ReportChips, "by", "patron", "box", "bet", "stake_cents")(
                event, table, (event,), by
            )
            return


def _resumed(first: e.AnyEvent, table: Table, events: Events, by: str) -> Commands:
    yield c.ResumePlay(by=first.by or by if isinstance(first, e.RoundConcluded) else by)


def _same_fields(command: type[Any], *names: str) -> Reader:
    """A reader for a command that has only fields of its event, with the same names."""

    def read(first: e.AnyEvent, table: Table, events: Events, by: str) -> Commands:
        yield command(**{name: getattr(first, name) for name in names})

    return read


_READERS: Final[dict[type, Reader]] = {
    e.TableOpened: _opened,
    e.TableClosed: _same_fields(c.CloseTable, "by"),
    e.DutyStarted: _same_fields(c.StartDuty, "name", "rank"),
    e.DutyEnded: _same_fields(c.EndDuty, "name"),
    e.PatronJoined: _joined,
    e.ChipsBought: _same_fields(c.BuyChips, "patron", "chips_cents"),
    e.ChipsCashed: _same_fields(c.CashChips, "patron", "chips_cents"),
    e.SeatTaken: _same_fields(c.Sit, "patron", "box"),
    e.SeatLeft: _same_fields(c.StandUp, "patron"),
    e.PatronLeft: _same_fields(c.Leave, "patron"),
    e.InsuranceNotice: _same_fields(c.SetInsurance, "by", "offered", "asked_by"),
    e.LimitsSet: _same_fields(c.SetLimits, "by", "limits"),
    e.ClosingAnnounced: _closing,
    e.ShoeLoaded: _loaded,
    e.CutCardPlaced: _same_fields(c.PlaceCutCard, "by", "after"),
    e.CardsBurnt: _burnt,
    e.CardsDiscarded: _shoe_ended,
    e.ShoeEnded: _shoe_ended,
    e.BettingOpened: _same_fields(c.OpenBetting, "by"),
    e.WagerCut: _wagered,
    e.WagerPlaced: _wagered,
    e.WagerRaised: _wagered,
    e.WagerLowered: _lowered,
    e.WagerWithdrawn: _lowered,
    e.WagerReturned: _closed,
    e.BettingClosed: _closed,
    e.ChipsReported: _chips_reported,
    e.RoundReopened: _chips_reported,
    e.SqueezeAsked: _same_fields(c.AskSqueeze, "patron", "places"),
    e.SqueezeGranted: _same_fields(c.GrantSqueeze, "by"),
    e.BankerFirstAsked: _same_fields(c.AskBankerFirst, "patron", "way"),
    e.BankerFirstGranted: _same_fields(c.GrantBankerFirst, "by"),
    e.CutCardDrawn: _card,
    e.InsuranceClosed: _card,
    e.CardDrawn: _card,
    e.CardExposed: _card,
    e.InsuranceTaken: _same_fields(c.TakeInsurance, "patron", "bet", "stake_cents", "after", "area", "by"),
    e.InsuranceDeclined: _same_fields(c.DeclineInsurance, "patron"),
    e.RoundSettled: _same_fields(c.Settle, "by"),
    e.IrregularityReported: lambda first, table, events, by: possible_reports(table, events),
    e.IrregularityDecided: lambda first, table, events, by: possible_rulings(table, events),
    e.OptionChosen: _same_fields(c.ChooseOption, "patron", "option"),
    e.PlayResumed: _resumed,
    e.RoundConcluded: _resumed,
}
"""Readers by the first event of a command. Other events follow these and begin nothing."""
