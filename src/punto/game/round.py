"""A round's phases as two tables. `HEARD`: which commands are heard in which phase, and where each may lead; everything
else is refused. `AFTER`: the phase in which an event leaves the table.

`decide` accepts by the first and asserts its own answers against it; `evolve` takes every phase from the second. The
diagram in docs/generated/phases.md is drawn from them, and the model in `models/` is generated from them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from punto.game import commands as c
from punto.game import events as e
from punto.game.table import Phase, Table

_AHEAD: Final = (c.SetLimits, c.AnnounceClosing)
_PEOPLE: Final = (c.StartDuty, c.EndDuty, c.Join, c.BuyChips, c.CashChips, c.Leave, c.Sit, *_AHEAD)
_BETWEEN: Final = (*_PEOPLE, c.StandUp, c.SetInsurance, c.ReportChips)
_SQUEEZE: Final = (c.AskSqueeze, c.GrantSqueeze, c.AskBankerFirst, c.GrantBankerFirst)

_IN_ROUND: Final = (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER, Phase.COMPLETE)
_CARDS: Final = (Phase.DEALING, Phase.OFFER, Phase.COMPLETE)
_REPORTED: Final = (*_IN_ROUND, Phase.SETTLED, Phase.IRREGULARITY)
"""A report of the round waits for a ruling. Where nobody decides, it ends the round or lets it go on."""
_RESUMED: Final = (Phase.NO_SHOE, Phase.COMMENCING, Phase.READY, *_IN_ROUND, Phase.SETTLED)

Heard = dict[type, tuple[Phase, ...]]


def _row(phase: Phase, *stays: type, leads: Heard) -> Heard:
    return {**dict.fromkeys(stays, (phase,)), **leads}


def _between(phase: Phase, *stays: type, leads: Heard) -> Heard:
    """No round is being played: people come and go, and the table may close."""
    ways: Heard = {c.CloseTable: (Phase.CLOSED,), c.ReportIrregularity: (phase, Phase.IRREGULARITY)}
    return _row(phase, *_BETWEEN, *stays, leads={**ways, **leads})


HEARD: Final[dict[Phase, Heard]] = {
    Phase.CLOSED: _row(Phase.CLOSED, c.CashChips, c.Leave, leads={c.OpenTable: (Phase.NO_SHOE,)}),
    Phase.NO_SHOE: _between(Phase.NO_SHOE, leads={c.LoadShoe: (Phase.READY, Phase.COMMENCING)}),
    Phase.COMMENCING: _between(
        Phase.COMMENCING, c.PlaceCutCard, leads={c.Burn: (Phase.READY,), c.EndShoe: (Phase.NO_SHOE,)}
    ),
    Phase.READY: _between(
        Phase.READY,
        c.PlaceCutCard,
        c.DrawCutCard,
        leads={c.OpenBetting: (Phase.BETTING, Phase.READY), c.EndShoe: (Phase.NO_SHOE,)},
    ),
    Phase.BETTING: _row(
        Phase.BETTING,
        *(*_PEOPLE, c.StandUp, c.PlaceWager, c.RaiseWager, c.LowerWager, c.WithdrawWager),
        leads={
            c.CloseBetting: (Phase.DEALING,),
            c.ReportIrregularity: (Phase.BETTING, Phase.SETTLED, Phase.IRREGULARITY),
        },
    ),
    Phase.CUT_CARD: _row(
        Phase.CUT_CARD,
        *(*_PEOPLE, c.ReportChips),
        leads={
            c.DrawCard: (Phase.DEALING,),
            c.WithdrawWager: (Phase.CUT_CARD, Phase.SETTLED),
            c.ReportIrregularity: _REPORTED,
        },
    ),
    Phase.DEALING: _row(
        Phase.DEALING,
        *(*_PEOPLE, *_SQUEEZE),
        leads={
            c.DrawCard: (*_CARDS, Phase.CUT_CARD),
            c.ExposeCard: _CARDS,
            c.DrawCutCard: (Phase.DEALING, Phase.CUT_CARD),
            c.Join: (Phase.DEALING, Phase.OFFER),
            c.ReportChips: (Phase.DEALING, Phase.OFFER),
            c.ReportIrregularity: _REPORTED,
        },
    ),
    Phase.OFFER: _row(
        Phase.OFFER,
        *(*_PEOPLE, *_SQUEEZE, c.TakeInsurance, c.DeclineInsurance, c.DrawCutCard, c.ReportChips),
        leads={c.DrawCard: _CARDS, c.ExposeCard: _CARDS, c.ReportIrregularity: _REPORTED},
    ),
    Phase.COMPLETE: _row(
        Phase.COMPLETE,
        *(*_PEOPLE, c.ReportChips),
        leads={c.Settle: (Phase.SETTLED,), c.ReportIrregularity: _REPORTED},
    ),
    Phase.SETTLED: _between(
        Phase.SETTLED,
        c.PlaceCutCard,
        c.DrawCutCard,
        leads={c.OpenBetting: (Phase.BETTING, Phase.SETTLED), c.EndShoe: (Phase.NO_SHOE,)},
    ),
    Phase.IRREGULARITY: _row(
        Phase.IRREGULARITY, *_PEOPLE, leads={c.DecideIrregularity: (*_RESUMED, Phase.BETTING, Phase.OPTIONS)}
    ),
    Phase.OPTIONS: _row(Phase.OPTIONS, *_PEOPLE, c.ChooseOption, leads={c.ResumePlay: _RESUMED}),
}
"""Phase → command → where it may lead. A command that is not named in a phase is refused there."""


def _without_result(table: Table, _: e.RoundVoided | e.RoundConcluded) -> Phase:
    """A round that had been settled leaves the table as it stood."""
    if not table.current.ended:
        return Phase.SETTLED
    return table.phase if table.irregularity is None else table.irregularity.phase


After = Phase | Callable[[Table, Any], Phase | None]

AFTER: Final[dict[type, After]] = {
    e.TableOpened: Phase.NO_SHOE,
    e.TableClosed: Phase.CLOSED,
    e.ShoeLoaded: lambda _, event: Phase.COMMENCING if event.burn_due else Phase.READY,
    e.CardsBurnt: Phase.READY,
    e.ShoeEnded: Phase.NO_SHOE,
    e.BettingOpened: Phase.BETTING,
    e.BettingClosed: Phase.DEALING,
    e.CutCardDrawn: lambda _, event: Phase.CUT_CARD if event.withdrawal else None,
    e.CardDrawn: Phase.DEALING,
    e.InsuranceOffered: Phase.OFFER,
    e.InsuranceClosed: Phase.DEALING,
    e.CoupCompleted: Phase.COMPLETE,
    e.RoundSettled: Phase.SETTLED,
    e.RoundConcluded: _without_result,
    e.RoundVoided: _without_result,
    e.IrregularityReported: lambda _, event: Phase.IRREGULARITY if event.opens else None,
    e.OptionsOpened: Phase.OPTIONS,
    e.PlayResumed: lambda _, event: event.phase,
}
"""Event → the phase that it puts the table in. None, and an event that is not named: the phase stays."""


def phase_after(table: Table, event: e.AnyEvent) -> Phase:
    """Where the table stands after one event."""
    after = AFTER.get(type(event))
    return (after if isinstance(after, Phase) else after and after(table, event)) or table.phase


def phase_after_all(table: Table, events: tuple[e.AnyEvent, ...]) -> Phase:
    """Where the table stands after the events of one answer."""
    phase = table.phase
    for event in events:
        after = AFTER.get(type(event))
        phase = (after if isinstance(after, Phase) else after and after(table, event)) or phase
    return phase
