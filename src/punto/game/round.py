"""A round's phases as one table: which commands are heard in which phase. Everything else is refused.

The diagram in docs/generated/phases.md is drawn from this table.
"""

from __future__ import annotations

from typing import Final

from punto.game import commands as c
from punto.game.table import Phase

_AHEAD: Final = (c.SetLimits, c.AnnounceClosing)
_PEOPLE: Final = (c.StartDuty, c.EndDuty, c.Join, c.BuyChips, c.CashChips, c.Leave, c.Sit, *_AHEAD)
_BETWEEN: Final = (*_PEOPLE, c.StandUp, c.SetInsurance, c.CloseTable, c.ReportChips)
_ERROR: Final = (c.ReportIrregularity,)

ALLOWED: Final[dict[Phase, frozenset[type]]] = {
    Phase.CLOSED: frozenset({c.OpenTable, c.CashChips, c.Leave}),
    Phase.NO_SHOE: frozenset({*_BETWEEN, *_ERROR, c.LoadShoe}),
    Phase.COMMENCING: frozenset({*_BETWEEN, *_ERROR, c.Burn, c.PlaceCutCard, c.EndShoe}),
    Phase.READY: frozenset({*_BETWEEN, *_ERROR, c.PlaceCutCard, c.DrawCutCard, c.EndShoe, c.OpenBetting}),
    Phase.BETTING: frozenset(
        {*_PEOPLE, *_ERROR, c.StandUp, c.PlaceWager, c.RaiseWager, c.LowerWager, c.WithdrawWager, c.CloseBetting}
    ),
    Phase.CUT_CARD: frozenset({*_PEOPLE, *_ERROR, c.WithdrawWager, c.DrawCard, c.ReportChips}),
    Phase.DEALING: frozenset(
        {*_PEOPLE, *_ERROR, c.DrawCard, c.DrawCutCard, c.ExposeCard, c.AskSqueeze, c.GrantSqueeze, c.AskBankerFirst}
    )
    | {c.GrantBankerFirst, c.ReportChips},
    Phase.OFFER: frozenset(
        {
            *_PEOPLE,
            *_ERROR,
            c.TakeInsurance,
            c.DeclineInsurance,
            c.DrawCard,
            c.DrawCutCard,
            c.ExposeCard,
            c.AskSqueeze,
            c.GrantSqueeze,
        }
    )
    | {c.AskBankerFirst, c.GrantBankerFirst, c.ReportChips},
    Phase.COMPLETE: frozenset({*_PEOPLE, *_ERROR, c.Settle, c.ReportChips}),
    Phase.SETTLED: frozenset({*_BETWEEN, *_ERROR, c.PlaceCutCard, c.DrawCutCard, c.EndShoe, c.OpenBetting}),
    Phase.IRREGULARITY: frozenset({*_PEOPLE, c.DecideIrregularity}),
    Phase.OPTIONS: frozenset({*_PEOPLE, c.ChooseOption, c.ResumePlay}),
}

NEXT: Final[dict[Phase, dict[str, tuple[Phase, ...]]]] = {
    Phase.CLOSED: {"open-table": (Phase.NO_SHOE,)},
    Phase.NO_SHOE: {"load-shoe": (Phase.READY, Phase.COMMENCING), "close-table": (Phase.CLOSED,)},
    Phase.COMMENCING: {"burn": (Phase.READY,), "end-shoe": (Phase.NO_SHOE,), "close-table": (Phase.CLOSED,)},
    Phase.READY: {
        "open-betting": (Phase.BETTING, Phase.READY),
        "draw-cut-card": (Phase.READY,),
        "end-shoe": (Phase.NO_SHOE,),
        "close-table": (Phase.CLOSED,),
    },
    Phase.BETTING: {"close-betting": (Phase.DEALING,)},
    Phase.DEALING: {
        "draw-card": (Phase.DEALING, Phase.OFFER, Phase.COMPLETE, Phase.CUT_CARD),
        "expose-card": (Phase.DEALING, Phase.OFFER, Phase.COMPLETE),
        "draw-cut-card": (Phase.DEALING, Phase.CUT_CARD),
        "join": (Phase.DEALING, Phase.OFFER),
        "report-chips": (Phase.DEALING, Phase.OFFER),
    },
    Phase.CUT_CARD: {"draw-card": (Phase.DEALING,), "withdraw-wager": (Phase.CUT_CARD, Phase.SETTLED)},
    Phase.OFFER: {
        "draw-card": (Phase.DEALING, Phase.OFFER, Phase.COMPLETE),
        "expose-card": (Phase.DEALING, Phase.OFFER, Phase.COMPLETE),
    },
    Phase.COMPLETE: {"settle": (Phase.SETTLED,)},
    Phase.SETTLED: {
        "open-betting": (Phase.BETTING, Phase.SETTLED),
        "end-shoe": (Phase.NO_SHOE,),
        "close-table": (Phase.CLOSED,),
    },
    Phase.IRREGULARITY: {"decide-irregularity": tuple(Phase)},
    Phase.OPTIONS: {
        "resume-play": tuple(phase for phase in Phase if phase not in (Phase.CLOSED, Phase.BETTING)),
    },
}
"""Where a command can lead from a phase. A report leads to irregularity, or where the rules put the table at once; any
other command that is allowed and not named here leaves the phase as it is."""
