"""Opening and closing a table, staff on duty, patrons, seats and chips."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from punto import money
from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game import limits as judged
from punto.game import shoe
from punto.game.moves import MOST_PATRONS, spare_patron
from punto.game.refusals import Refusal, named, refuse
from punto.game.table import Laid, LateLimits, Patron, Settings, Table, TableLimits
from punto.money import MAXIMUM_CENTS
from punto.rulebook.model import Bet, Rank, Rulebook

MOST_CARDS_LEFT: Final = 520
"""The most cards left for limits by depth: ten decks."""

MOST_STAFF = 64
LONGEST_NAME = 64
LONGEST_CALLED = 40
"""Letters of a table's name, which stands on a tile."""


def not_on_duty(rules: Rulebook, name: str) -> Refusal:
    return refuse(
        Code.NOT_ON_DUTY, f"{name} is not on duty at this table", rules.paragraph("define.pit-employee"), name=name
    )


def wrong_rank(rules: Rulebook, needed: Rank, paragraph: str) -> Refusal:
    return refuse(
        Code.WRONG_RANK, f"this needs a {needed.value.replace('-', ' ')} or above", paragraph, rank=needed.value
    )


def not_enough_chips(rules: Rulebook, patron: Patron) -> Refusal:
    has = money.amount(patron.balance_cents)
    cite = rules.paragraph("limits.patron-duty")
    return refuse(Code.NOT_ENOUGH_CHIPS, f"{patron.name} has {has}", cite, patron=patron.name, chips=has)


def unknown_patron(rules: Rulebook, name: str) -> Refusal:
    return refuse(Code.UNKNOWN_PATRON, f"{name} is not at this table", rules.paragraph("define.patron"), patron=name)


def _is_name(text: str) -> bool:
    return 0 < len(text) <= LONGEST_NAME


def _is_called(text: str) -> bool:
    return 0 < len(text) <= LONGEST_CALLED and text == text.strip() and text.isprintable()


def open_table(rules: Rulebook, table: Table, command: c.OpenTable) -> tuple[e.AnyEvent, ...] | Refusal:
    """2.1.1, 2.2.1, 3.4, P9: a layout of the edition, positions in its range, decks, and limits to display."""
    if command.by in table.patrons or not _is_name(command.by) or not _is_name(command.table):
        text = f"a name has 1 to {LONGEST_NAME} characters, and staff and patrons can't share one"
        return refuse(Code.BAD_NAME, text, rules.paragraph("define.pit-employee"), longest=LONGEST_NAME)
    if command.name is not None and not _is_called(command.name):
        text = f"a table's name has 1 to {LONGEST_CALLED} printable characters, without blanks around them"
        return refuse(Code.BAD_NAME, text, rules.paragraph("layout.which"), longest=LONGEST_CALLED)
    layout = rules.layouts.get(command.layout)
    if layout is None:
        text = f"there is no layout {named(command.layout)}: expected one of {' '.join(rules.layouts)}"
        return refuse(Code.UNKNOWN_LAYOUT, text, rules.paragraph("layout.which"), layout=command.layout)
    low, high = layout.positions
    if not low <= command.positions <= high:
        text = f"layout {layout.id} has {low} to {high} positions, not {command.positions}"
        return refuse(
            Code.BAD_POSITIONS, text, rules.paragraph("layout.boxes"), layout=layout.id, fewest=low, most=high
        )
    decks = command.decks if command.decks is not None else rules.procedure.decks_default
    if decks not in rules.procedure.decks:
        allowed = " ".join(str(number) for number in rules.procedure.decks)
        text = f"{decks} decks are not allowed: expected {allowed}"
        return refuse(Code.BAD_DECKS, text, rules.procedure.decks_cite, decks=decks, expected=allowed)
    for word, allowed_words in (
        (command.device, ("shoe", "shuffler")),
        (command.facing, ("up", "down")),
        (command.source, ("live", "virtual")),
        (command.limits.scope, ("box", "box-and-table")),
    ):
        if word not in allowed_words:
            text = f"{named(word)} is unknown: expected {' or '.join(allowed_words)}"
            return refuse(Code.BAD_SETTING, text, rules.paragraph("layout.which"), word=word)
    if command.facing == "down" and rules.procedure.squeeze_by == "none":
        return refuse(Code.BAD_SETTING, "this game is dealt face up", rules.procedure.squeeze_cite)
    known = table.settings
    if known is not None and known.currency != command.currency and (table.issued_cents or table.owed_cents):
        text = f"what was played at this table is in {known.currency}: a table has one currency"
        return refuse(Code.BAD_SETTING, text, rules.paragraph("define.house"), currency=known.currency)
    fault = limits_fault(command.limits, layout.bets)
    if fault is not None:
        text, bet = fault
        return refuse(Code.BAD_LIMITS, text, rules.procedure.limits_cite, bet=bet.value)
    return _opened(rules, command, decks)


def _opened(rules: Rulebook, command: c.OpenTable, decks: int) -> tuple[e.AnyEvent, ...] | Refusal:
    settings = Settings(
        table=command.table,
        edition=rules.id,
        pinned=command.edition is not None,
        layout=command.layout,
        positions=command.positions,
        decks=decks,
        currency=command.currency,
        limits=command.limits,
        high_limit=command.high_limit,
        private=command.private,
        device=command.device,
        facing=command.facing,
        source=command.source,
        name=command.name,
    )
    opened = e.TableOpened(
        paragraph=rules.paragraph("layout.which"), settings=settings, by=command.by, rank=command.rank
    )
    if command.insurance:
        return (opened,)
    refusal = _no_insurance(rules, command.rank, private=command.private, asked_by=command.asked_by)
    if refusal is not None:
        return refusal
    cite = rules.insurance.not_offered_cite
    notice = e.InsuranceNotice(paragraph=cite, offered=False, asked_by=command.asked_by or "", by=command.by)
    return (opened, notice)


def limits_fault(limits: TableLimits, bets: tuple[Bet, ...]) -> tuple[str, Bet] | None:
    """What is wrong with a set of limits, in a sentence, and for which bet."""
    for bet in limits.bets:
        if bet not in bets:
            return f"there are limits for {bet}, which is not on the layout", bet
    for bet in bets:
        least, most = judged.minimum_cents(limits, bet), judged.maximum_cents(limits, bet)
        if most is not None and least > most:
            return f"the minimum on {bet} is above its maximum", bet
        if bet in judged.MAIN and not 0 < least <= limits.maximum_differential_cents <= MAXIMUM_CENTS:
            return "expected a minimum of more than 0.00, and a maximum Differential of at least the minimum", bet
        if least < 0:
            return f"the minimum on {bet} is below 0.00", bet
    return None if limits.late is msgspec.UNSET else _late_fault(limits, limits.late, bets)


def _late_fault(limits: TableLimits, late: LateLimits, bets: tuple[Bet, ...]) -> tuple[str, Bet] | None:
    """O142: only side bets of the layout, and never above the usual maximum."""
    if not 0 < late.cards_left <= MOST_CARDS_LEFT or not late.maximum_cents:
        return f"limits by depth hold from 1 to {MOST_CARDS_LEFT} cards left, for one bet at least", bets[0]
    for bet, most in late.maximum_cents.items():
        usual = judged.maximum_cents(limits, bet)
        if bet not in bets or bet in judged.MAIN:
            return f"{bet} is no side bet of the layout, and has no limit by depth", bet
        if not max(judged.minimum_cents(limits, bet), 1) <= most <= (MAXIMUM_CENTS if usual is None else usual):
            return f"the late maximum on {bet} must be between its minimum and its usual maximum", bet
    return None


def _no_insurance(rules: Rulebook, rank: Rank, *, private: bool, asked_by: str | None) -> Refusal | None:
    """4.2.2: only at a private table, on a recorded request, by a Pit Supervisor (P7)."""
    cite = rules.insurance.not_offered_cite
    if rules.insurance.not_offered != "private-tables":
        return refuse(Code.INSURANCE_MUST_BE_OFFERED, "these rules offer insurance at every table", cite)
    if not private:
        return refuse(Code.INSURANCE_MUST_BE_OFFERED, "only a private table may do without insurance", cite)
    if not asked_by:
        return refuse(Code.NO_REQUEST, "the notice needs the request of a patron, by name", cite)
    if not rank.may_act_as(Rank.PIT_SUPERVISOR):
        return wrong_rank(rules, Rank.PIT_SUPERVISOR, cite)
    return None


def set_insurance(rules: Rulebook, table: Table, command: c.SetInsurance) -> tuple[e.AnyEvent, ...] | Refusal:
    """4.2.2: between rounds only (the phase table sees to that)."""
    rank = table.staff[command.by]
    cite = rules.insurance.not_offered_cite
    if not command.offered:
        refusal = _no_insurance(rules, rank, private=table.opened.private, asked_by=command.asked_by)
        if refusal is not None:
            return refusal
    elif not rank.may_act_as(Rank.PIT_SUPERVISOR):
        return wrong_rank(rules, Rank.PIT_SUPERVISOR, cite)
    if command.offered == table.insurance_offered:
        return refuse(Code.NOTHING_TO_DO, "insurance at this table is already set this way", cite)
    return (e.InsuranceNotice(paragraph=cite, offered=command.offered, asked_by=command.asked_by, by=command.by),)


def close_table(rules: Rulebook, table: Table, command: c.CloseTable) -> tuple[e.AnyEvent, ...] | Refusal:
    """A virtual shoe with a commitment ends first, so that its order is published."""
    closed = e.TableClosed(paragraph=rules.paragraph("define.house"), by=command.by)
    if table.shoe is None or table.shoe.commitment is None:
        return (closed,)
    return (shoe.ended(table, shoe.end_cite(rules, table), command.by), closed)


def start_duty(rules: Rulebook, table: Table, command: c.StartDuty) -> tuple[e.AnyEvent, ...] | Refusal:
    cite = rules.paragraph("define.pit-employee")
    if command.name in table.patrons:
        return refuse(Code.BAD_NAME, f"{command.name} is a patron at this table", cite, name=command.name)
    if len(table.staff) >= MOST_STAFF or not _is_name(command.name):
        return refuse(
            Code.BAD_NAME, f"a name has 1 to {LONGEST_NAME} characters, and a table at most {MOST_STAFF} staff", cite
        )
    return (e.DutyStarted(paragraph=cite, name=command.name, rank=command.rank),)


def end_duty(rules: Rulebook, table: Table, command: c.EndDuty) -> tuple[e.AnyEvent, ...] | Refusal:
    if command.name not in table.staff:
        return not_on_duty(rules, command.name)
    if len(table.staff) == 1:
        return refuse(Code.LAST_ON_DUTY, "a table is never left without staff", rules.paragraph("define.dealer"))
    return (e.DutyEnded(paragraph=rules.paragraph("define.pit-employee"), name=command.name),)


def join(rules: Rulebook, table: Table, command: c.Join) -> tuple[e.AnyEvent, ...] | Refusal:
    cite = rules.paragraph("define.patron")
    if command.patron in table.staff or not _is_name(command.patron):
        return refuse(
            Code.BAD_NAME, f"a patron's name has 1 to {LONGEST_NAME} characters and is not a staff member's", cite
        )
    known = table.patrons.get(command.patron)
    if known is not None and known.present:
        return refuse(Code.ALREADY_HERE, f"{command.patron} is at this table already", cite, patron=command.patron)
    if known is None and len(table.patrons) >= MOST_PATRONS and spare_patron(table) is None:
        return refuse(Code.TABLE_FULL, f"a table has at most {MOST_PATRONS} patrons", cite, most=MOST_PATRONS)
    joined = e.PatronJoined(paragraph=cite, patron=command.patron)
    if not command.chips_cents:
        return (joined,)
    if not 0 < command.chips_cents <= MAXIMUM_CENTS - table.issued_cents:
        return refuse(Code.BAD_AMOUNT, "that is more than a table can hold", cite)
    return (joined, e.ChipsBought(paragraph=cite, patron=command.patron, chips_cents=command.chips_cents))


def buy_chips(rules: Rulebook, table: Table, command: c.BuyChips) -> tuple[e.AnyEvent, ...] | Refusal:
    cite = rules.paragraph("define.patron")
    patron = present(rules, table, command.patron)
    if isinstance(patron, Refusal):
        return patron
    if not 0 < command.chips_cents <= MAXIMUM_CENTS - table.issued_cents:
        return refuse(Code.BAD_AMOUNT, "expected more than 0.00, and no more than a table can hold", cite)
    return (e.ChipsBought(paragraph=cite, patron=command.patron, chips_cents=command.chips_cents),)


def cash_chips(rules: Rulebook, table: Table, command: c.CashChips) -> tuple[e.AnyEvent, ...] | Refusal:
    cite = rules.paragraph("define.patron")
    patron = table.patrons.get(command.patron)
    if patron is None:
        return unknown_patron(rules, command.patron)
    if not 0 < command.chips_cents <= patron.balance_cents:
        text = f"expected more than 0.00, and no more chips than {command.patron} has"
        return refuse(Code.NOT_ENOUGH_CHIPS, text, cite, patron=command.patron)
    return (e.ChipsCashed(paragraph=cite, patron=command.patron, chips_cents=command.chips_cents),)


def present(rules: Rulebook, table: Table, name: str) -> Patron | Refusal:
    """A patron who is at the table now."""
    patron = table.patrons.get(name)
    return unknown_patron(rules, name) if patron is None or not patron.present else patron


def sit(rules: Rulebook, table: Table, command: c.Sit) -> tuple[e.AnyEvent, ...] | Refusal:
    """2.1.1.a: a box is marked for each patron; one patron sits at it."""
    patron = present(rules, table, command.patron)
    if isinstance(patron, Refusal):
        return patron
    if not 1 <= command.box <= table.opened.positions:
        text = f"there is no box {command.box}: this table has 1 to {table.opened.positions}"
        return refuse(
            Code.NO_SUCH_BOX, text, rules.paragraph("layout.boxes"), box=command.box, boxes=table.opened.positions
        )
    if patron.box is not None:
        text = f"{patron.name} sits at box {patron.box}"
        return refuse(Code.ALREADY_SEATED, text, rules.paragraph("define.seated"), patron=patron.name, box=patron.box)
    taken = occupant(table, command.box)
    if taken is not None:
        return refuse(Code.SEAT_TAKEN, f"box {command.box} is taken", rules.paragraph("define.seated"), box=command.box)
    return (e.SeatTaken(paragraph=rules.paragraph("define.seated"), patron=patron.name, box=command.box),)


def occupant(table: Table, box: int) -> Patron | None:
    for patron in table.patrons.values():
        if patron.box == box:
            return patron
    return None


def stand_up(rules: Rulebook, table: Table, command: c.StandUp) -> tuple[e.AnyEvent, ...] | Refusal:
    """W8: while wagers lie in the box its seat stays taken."""
    patron = table.patrons.get(command.patron)
    if patron is None or patron.box is None:
        text = f"{command.patron} has no seat"
        return refuse(Code.NOT_SEATED, text, rules.paragraph("define.seated"), patron=command.patron)
    if _wagers_in_round(table, lambda laid: laid.box == patron.box):
        text = f"wagers lie in box {patron.box}"
        return refuse(Code.BOX_IN_USE, text, rules.paragraph("define.standing"), box=patron.box)
    return (e.SeatLeft(paragraph=rules.paragraph("define.seated"), patron=patron.name, box=patron.box),)


def _wagers_in_round(table: Table, which: Callable[[Laid], bool]) -> bool:
    if table.round is None or table.round.ended:
        return False
    return any(map(which, table.round.wagers.values()))


def leave(rules: Rulebook, table: Table, command: c.Leave) -> tuple[e.AnyEvent, ...] | Refusal:
    """5.3, 5.3.1: wagers of somebody who walks away are settled; they have no more insurance in the round."""
    patron = present(rules, table, command.patron)
    if isinstance(patron, Refusal):
        return patron
    in_round = _wagers_in_round(table, lambda laid: laid.patron == patron.name)
    cite = rules.paragraph("walked-away" if in_round else "define.patron")
    forgone = in_round and rules.insurance.forgone_scope == "round"
    left = e.PatronLeft(paragraph=cite, patron=patron.name, forgone=forgone)
    if patron.box is None or _wagers_in_round(table, lambda laid: laid.box == patron.box):
        return (left,)
    return (left, e.SeatLeft(paragraph=rules.paragraph("define.seated"), patron=patron.name, box=patron.box))
