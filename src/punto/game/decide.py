"""`decide(rules, table, command)` answers a command with events or a refusal, and changes nothing.

One check answers "may I?", "why not?" and "do it". `rules` is the edition that governs: the round's own once its
betting has opened (E2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from punto.codes import Code
from punto.game import announcements, dealing, insurance_offers, late_wagers, people, settle_round, shoe, wagers
from punto.game import commands as c
from punto.game.events import AnyEvent
from punto.game.evolve import evolve
from punto.game.irregularities import options, report, ruling
from punto.game.irregularities.kinds import Kind
from punto.game.refusals import Refusal, refuse
from punto.game.round import HEARD, phase_after_all
from punto.game.table import Phase, Table
from punto.rulebook.model import Rulebook

Answer = tuple[AnyEvent, ...] | Refusal

_ANSWERS: Final[dict[type, Callable[[Rulebook, Table, Any], Answer]]] = {
    c.OpenTable: people.open_table,
    c.CloseTable: people.close_table,
    c.StartDuty: people.start_duty,
    c.EndDuty: people.end_duty,
    c.Join: insurance_offers.join,
    c.BuyChips: people.buy_chips,
    c.CashChips: people.cash_chips,
    c.Sit: people.sit,
    c.StandUp: people.stand_up,
    c.Leave: people.leave,
    c.SetInsurance: people.set_insurance,
    c.SetLimits: announcements.set_limits,
    c.AnnounceClosing: announcements.announce_closing,
    c.LoadShoe: shoe.load,
    c.PlaceCutCard: shoe.place_cut_card,
    c.Burn: shoe.burn,
    c.DrawCutCard: shoe.draw_cut_card,
    c.EndShoe: shoe.end,
    c.OpenBetting: wagers.open_betting,
    c.PlaceWager: wagers.place,
    c.RaiseWager: wagers.raise_,
    c.LowerWager: wagers.lower,
    c.WithdrawWager: wagers.withdraw,
    c.CloseBetting: wagers.close_betting,
    c.ReportChips: wagers.report_chips,
    c.AskSqueeze: dealing.ask_squeeze,
    c.GrantSqueeze: dealing.grant_squeeze,
    c.AskBankerFirst: dealing.ask_banker_first,
    c.GrantBankerFirst: dealing.grant_banker_first,
    c.DrawCard: dealing.draw,
    c.ExposeCard: dealing.expose,
    c.TakeInsurance: insurance_offers.take,
    c.DeclineInsurance: insurance_offers.decline,
    c.Settle: settle_round.settle,
    c.ReportIrregularity: report.report,
    c.DecideIrregularity: ruling.decide,
    c.ChooseOption: options.choose,
    c.ResumePlay: options.resume,
}


_OFF_DUTY: Final = frozenset({c.OpenTable, c.ExposeCard})
"""Commands that are accepted from somebody who is not on duty."""


def _heard_off_duty(command: c.AnyCommand) -> bool:
    """O140: somebody who is not at the table may notice that cards are not what they should be."""
    return type(command) in _OFF_DUTY or (isinstance(command, c.ReportIrregularity) and command.kind == Kind.VOID)


def decide(rules: Rulebook, table: Table, command: c.AnyCommand) -> Answer:
    """The events that a command leads to, or why it is refused."""
    if getattr(command, "round", None) is not None and (elsewhere := another_round(rules, table, command)) is not None:
        return elsewhere
    leads = HEARD[table.phase].get(type(command))
    if leads is None:
        return _not_now(rules, table, command)
    by = getattr(command, "by", None)
    if by is not None and by not in table.staff and not _heard_off_duty(command):
        return people.not_on_duty(rules, by)
    answer = _ANSWERS[type(command)](rules, table, command)
    assert isinstance(answer, Refusal) or phase_after_all(table, answer) in leads, (
        f"{_NAMES[type(command)]} leads from {table.phase} where the phase table does not have it: {answer}"
    )
    return answer


def apply(rules: Rulebook, table: Table, command: c.AnyCommand) -> tuple[Table, Answer]:
    """Decide, and add the events; return the table afterwards and the answer."""
    answer = decide(rules, table, command)
    if isinstance(answer, tuple):
        for event in answer:
            table = evolve(table, event)
    return table, answer


def another_round(rules: Rulebook, table: Table, command: c.AnyCommand) -> Refusal | None:
    """O90: refuse a command that was meant for another round."""
    named = getattr(command, "round", None)
    if named in (None, table.rounds) or report.about_any_round(command):
        return None
    now = f"round {table.rounds} is on the table" if table.rounds else "no round has begun"
    cite = rules.paragraph("insurance.when" if isinstance(command, c.InsuranceCommand) else "define.round")
    if isinstance(command, c.WagerCommand):
        cite = rules.procedure.late_cite if named < table.rounds else rules.procedure.opens_cite
    return refuse(Code.ANOTHER_ROUND, f"this is for round {named}, and {now}", cite, round=named, now=table.rounds)


def _not_now(rules: Rulebook, table: Table, command: c.AnyCommand) -> Refusal:
    """Refuse what the phase table does not allow, with the paragraph that a dealer would point to."""
    kind = type(command)
    refusal = _REASONS[kind](rules, table, command) if kind in _REASONS else None
    if refusal is not None:
        return refusal
    name, phase = _NAMES[kind], str(table.phase)
    text = f"{name} is not accepted while the table is {phase}"
    return refuse(Code.NOT_NOW, text, rules.paragraph("define.round"), do=name, phase=phase)


def _no_insurance(rules: Rulebook, table: Table, command: c.InsuranceCommand) -> Refusal:
    return insurance_offers.none_open(rules, table, command.patron)


def _no_card(rules: Rulebook, table: Table, command: c.DrawCard) -> Refusal | None:
    if table.phase is Phase.BETTING:
        return refuse(Code.NOT_NOW, f"cards wait for “{rules.procedure.closes_with}”", rules.procedure.closes_cite)
    if table.phase is not Phase.COMPLETE:
        return None
    coup = table.current.coup
    text = f"Player {coup.player_points}, Banker {coup.banker_points}: the coup is complete, no card is due"
    cite = rules.paragraph("table-of-play")
    return refuse(Code.TABLE_OF_PLAY, text, cite, player=coup.player_points, banker=coup.banker_points)


def _no_betting(rules: Rulebook, table: Table, command: c.OpenBetting) -> Refusal | None:
    if table.phase is not Phase.COMMENCING:
        return None
    text = "the shoe must be burned first: open its first card and skip as many cards as its rank says"
    return refuse(Code.NOT_NOW, text, rules.procedure.burn_cite)


_REASONS: Final[dict[type, Callable[[Rulebook, Table, Any], Refusal | None]]] = {
    c.PlaceWager: late_wagers.refuse_wager,
    c.RaiseWager: late_wagers.refuse_wager,
    c.LowerWager: late_wagers.refuse_wager,
    c.WithdrawWager: late_wagers.refuse_wager,
    c.TakeInsurance: _no_insurance,
    c.DeclineInsurance: _no_insurance,
    c.DrawCard: _no_card,
    c.OpenBetting: _no_betting,
}
"""Why a command is not accepted now, where there is more to say than the phase."""
_NAMES: Final = {kind: str(kind.__struct_config__.tag) for kind in c.AnyCommand.__args__}
