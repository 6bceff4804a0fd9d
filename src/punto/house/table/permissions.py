"""Who may give which command: a table of roles by command, and what depends on the table's state.

The game judges the command; this judges who gives it.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import inspect as mi

from punto.codes import Code
from punto.game import commands as c
from punto.game import dealing
from punto.game.audience import Audience
from punto.game.irregularities.kinds import Kind
from punto.game.irregularities.rows import ROWS
from punto.game.irregularities.ruling import needs_second_person
from punto.game.possible import Possible
from punto.game.table import Phase, Table
from punto.house.store.answers import Denied
from punto.house.store.names import DEALER, PATRON, SUPERVISOR, SURVEILLANCE, Role
from punto.rulebook.model import Rank

MAY: Final[dict[type, frozenset[Role]]] = {
    c.Join: PATRON,
    c.BuyChips: PATRON,
    c.CashChips: PATRON,
    c.Sit: PATRON,
    c.StandUp: PATRON,
    c.Leave: PATRON,
    c.AskSqueeze: PATRON,
    c.AskBankerFirst: PATRON,
    c.DeclineInsurance: PATRON,
    c.ChooseOption: PATRON | SUPERVISOR,
    c.PlaceWager: PATRON | DEALER,
    c.RaiseWager: PATRON | DEALER,
    c.LowerWager: PATRON | DEALER,
    c.WithdrawWager: PATRON | DEALER,
    c.TakeInsurance: PATRON | DEALER,
    c.ExposeCard: PATRON | DEALER,
    c.StartDuty: DEALER,
    c.EndDuty: DEALER,
    c.LoadShoe: DEALER,
    c.PlaceCutCard: DEALER,
    c.Burn: DEALER,
    c.DrawCutCard: DEALER,
    c.EndShoe: DEALER,
    c.OpenBetting: DEALER,
    c.CloseBetting: DEALER,
    c.ReportChips: DEALER,
    c.GrantSqueeze: DEALER,
    c.DrawCard: DEALER,
    c.Settle: DEALER,
    c.ReportIrregularity: DEALER | SURVEILLANCE,
    c.DecideIrregularity: DEALER,
    c.ResumePlay: DEALER,
    c.OpenTable: SUPERVISOR,
    c.CloseTable: SUPERVISOR,
    c.SetInsurance: SUPERVISOR,
    c.SetLimits: SUPERVISOR,
    c.AnnounceClosing: SUPERVISOR,
    c.GrantBankerFirst: SUPERVISOR,
}
"""The roles that may give a command. For an irregularity the game also checks the rank on duty."""

AT_VIRTUAL: Final[frozenset[type]] = frozenset(
    {
        *(c.OpenTable, c.CloseTable, c.StartDuty, c.EndDuty, c.ReportIrregularity, c.DecideIrregularity, c.ResumePlay),
        *(c.SetLimits, c.AnnounceClosing),
    }
)
"""Commands that human staff may give where the house's own dealer deals."""

WITHOUT_DUTY: Final[frozenset[type]] = frozenset({c.OpenTable, c.StartDuty, c.EndDuty})
"""Staff commands that need no duty at the table first."""

REPORTED_AT_VIRTUAL: Final = frozenset(kind for kind, row in ROWS.items() if row.at_virtual)
"""Kinds that people may report at a virtual table. Only its dealer takes cards from the shoe, and they lie as recorded:
a report that draws, turns or names one would show what nobody may see. The house itself reports a restart."""

BY_TAG: Final[dict[str, type[c.AnyCommand]]] = {str(mi.type_info(kind).tag): kind for kind in MAY}  # type: ignore[attr-defined]  # every command is a Struct
TAGS: Final = frozenset(BY_TAG)


def audience(role: Role | None) -> Audience:
    """The audience of a session at a table, by its role."""
    if role is None:
        return Audience.PUBLIC
    if role is Role.PATRON:
        return Audience.PATRON
    return Audience.DEALER if role is Role.DEALER else Audience.PIT


def at_table(name: str, role: Role, table: Table, command: c.AnyCommand) -> Denied | None:
    """Check what depends on the table: duty, the rank on duty, and who deals there."""
    rank = role.rank
    if rank is None:
        return _without_rank(name, role, table, command)
    virtual = table.settings is not None and table.settings.source == "virtual"
    if virtual and type(command) not in AT_VIRTUAL:
        return Denied(Code.VIRTUAL_TABLE, "the house's own dealer deals at this table")
    if virtual and isinstance(command, c.ReportIrregularity) and _of_cards(command):
        kinds = ", ".join(sorted(REPORTED_AT_VIRTUAL))
        return Denied(Code.VIRTUAL_TABLE, f"at a virtual table people can report only {kinds}, and name no card")
    if type(command) in WITHOUT_DUTY:
        return None
    on_duty = table.staff.get(name)
    if on_duty is None:
        return Denied(Code.NOT_ON_DUTY, "you are not on duty at this table")
    if on_duty is not rank:
        text = f"you are on duty as {on_duty.value}, but your rank is {rank.value}: end your duty and start it again"
        return Denied(Code.RANK_CHANGED, text)
    if isinstance(command, c.DecideIrregularity) and needs_second_person(table, command):
        return Denied(
            Code.NEEDS_APPROVAL, "a ruling on a round that is over needs a second person: ask for an approval"
        )
    if isinstance(command, c.ExposeCard) and command.by != name and not _entered_for(table, command):
        text = "`by` names somebody else: you can enter a card only for the patron who squeezes it"
        return Denied(Code.NOT_YOURS, text)
    return _late_chips(role, table) if isinstance(command, c.ReportChips) else None


def _without_rank(name: str, role: Role, table: Table, command: c.AnyCommand) -> Denied | None:
    """O140: surveillance is on duty at no table. It may report under 5.5, and somebody at the table decides."""
    if name in table.staff:
        return Denied(
            Code.NOT_ON_DUTY, "you no longer have a rank: a pit supervisor must end your duty at this table first"
        )
    if role not in SURVEILLANCE:
        return None
    if isinstance(command, c.ReportIrregularity) and command.kind == Kind.VOID:
        if command.round is None:
            text = "`round` is missing: give the number of the round that you mean, as another may have begun"
            return Denied(Code.BAD_REPORT, text, 400)
        return None
    return Denied(Code.NOT_ALLOWED, f"surveillance may only report {Kind.VOID.value} at a table")


def allowed(table: Table, audience: Audience, rank: Rank | None, can: tuple[Possible, ...]) -> tuple[Possible, ...]:
    """The commands that the game offers and the house permits; those that take two persons are marked. The audience
    tells the role of somebody who is not on duty."""
    role = Role(rank.value) if rank is not None else _AT_LEAST[audience]
    virtual = table.settings is not None and table.settings.source == "virtual" and role is not Role.PATRON
    offered = []
    for possible in can:
        kind = BY_TAG[possible.do]
        denied = _late_chips(role, table) if kind is c.ReportChips else None
        second = denied is not None and denied.code == "needs-approval"
        if role not in MAY[kind] or (virtual and kind not in AT_VIRTUAL) or (denied is not None and not second):
            continue
        offer = _at_virtual(possible) if virtual and kind is c.ReportIrregularity else possible
        second = second or (kind is c.DecideIrregularity and needs_second_person(table, c.DecideIrregularity(by="")))
        offered.append(msgspec.structs.replace(offer, second_person=True) if second else offer)
    return tuple(offered)


def _at_virtual(report: Possible) -> Possible:
    kinds = tuple(kind for kind in report.choices["kind"] if kind in REPORTED_AT_VIRTUAL)
    return msgspec.structs.replace(report, choices={"kind": kinds})


_AT_LEAST: Final = {
    Audience.PATRON: Role.PATRON,
    Audience.DEALER: Role.DEALER,
    Audience.PIT: Role.PIT_SUPERVISOR,
}


def _entered_for(table: Table, command: c.ExposeCard) -> bool:
    """Whether the dealer enters a card that a patron squeezes: its face is seen at the table, but not on record yet."""
    lying = next((card for card in table.round.cards if card.place == command.place), None) if table.round else None
    unknown = lying is not None and lying.face is None and command.card is not None
    return unknown and dealing.squeezer(table, command.place) == command.by


def _late_chips(role: Role, table: Table) -> Denied | None:
    """Chips found once the result is known win or lose for certain, so a dealer alone may not enter them."""
    if table.round is not None and table.round.ended:
        return Denied(Code.NEEDS_APPROVAL, "the round is settled: chips found now need a second person")
    if table.phase is Phase.COMPLETE and role not in SUPERVISOR:
        return Denied(Code.WRONG_RANK, "the result is known: a pit supervisor enters chips that are found now")
    return None


def _of_cards(report: c.ReportIrregularity) -> bool:
    """Whether a report is about cards, which at a virtual table only the house deals."""
    named = report.cards or report.count or report.card or report.place or report.player or report.banker
    return bool(named) or report.kind not in REPORTED_AT_VIRTUAL
