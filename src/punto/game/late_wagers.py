"""Why a wager is not taken now: betting has not opened, is over (5.6), or waits."""

from __future__ import annotations

from typing import Final

from punto.codes import Code
from punto.game import commands as c
from punto.game.refusals import Refusal, refuse
from punto.game.table import Phase, Table
from punto.rulebook.model import Rulebook

_CLOSED: Final = (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER, Phase.COMPLETE)


def refuse_wager(rules: Rulebook, table: Table, command: c.WagerCommand) -> Refusal:
    """Betting has not opened, or is over, or waits until what went wrong is put right."""
    current, wrong = table.round, table.irregularity
    stood = wrong.phase if wrong is not None else table.phase
    if isinstance(command, c.WithdrawWager) and current is not None and current.cut_first and current.cards:
        text = "a card has been dealt: the withdrawal that the cut card allowed is over"
        return refuse(Code.NO_MORE_BETS, text, rules.paragraph("cut-card.too-late"))
    if stood in _CLOSED or (command.round is not None and stood is not Phase.BETTING):
        text = "No more Bets: wagers can no longer be placed, raised, lowered or withdrawn in this round"
        return refuse(Code.NO_MORE_BETS, text, rules.procedure.late_cite)
    if wrong is not None and stood is Phase.BETTING:
        row = rules.irregularities.get(wrong.kind)
        text = "wagers wait until what went wrong is put right"
        return refuse(Code.BETTING_NOT_OPEN, text, rules.paragraph("define.round") if row is None else row.cite)
    text = f"wagers wait for “{rules.procedure.opens_with}”"
    return refuse(Code.BETTING_NOT_OPEN, text, rules.procedure.opens_cite)
