"""Deciding an irregularity: which ruling is meant, the rank that the rules ask for, and what it leads to."""

from __future__ import annotations

from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game import people
from punto.game.irregularities.carried_out import opened
from punto.game.irregularities.checks import LONGEST_TEXT
from punto.game.irregularities.kinds import Events, Fields, Ruling, led, read, sent
from punto.game.irregularities.rows import ROWS, UNFOUNDED, rulings
from punto.game.refusals import Refusal, refuse
from punto.game.round import phase_after_all
from punto.game.table import Table
from punto.rulebook.model import Irregularity, Rank, Rulebook


def meant(rules: Rulebook, table: Table, row: Irregularity, fields: Fields) -> Ruling | None:
    """The ruling that these fields mean on what lies open."""
    for ruling in rulings(row):
        if ruling.marked(fields) and (ruling.fits is None or ruling.fits(rules, table, fields)):
            return ruling
    return None


def remedy_fault(row: Irregularity, remedy: str) -> Refusal | None:
    """Refuse a remedy that this edition does not have."""
    if row.remedy(remedy) is not None or remedy == UNFOUNDED:
        return None
    text = f"{row.id} is not put right by {remedy!r} under this edition"
    return refuse(Code.NO_SUCH_REMEDY, text, row.cite, kind=row.id, remedy=remedy)


def heard(rules: Rulebook, table: Table, by: str, fields: Fields) -> Ruling | Refusal:
    """The ruling that these fields mean, if this person's rank may give it under this edition."""
    row = rules.irregularities[opened(table).kind]
    ruling = meant(rules, table, row, fields)
    ordered = () if ruling is None else (*(ruling.also[name] for name in fields if name in ruling.also), ruling.remedy)
    for remedy in ordered or ("",):
        needed = Rank(row.decided_by_of(_decides(rules, table, row) if remedy == UNFOUNDED else remedy))
        if not table.staff[by].may_act_as(needed):
            return people.wrong_rank(rules, needed, row.cite_of(remedy))
    if ruling is None:
        return _unknown(row, fields)
    return next((fault for fault in (remedy_fault(row, remedy) for remedy in ordered) if fault is not None), ruling)


def _decides(rules: Rulebook, table: Table, row: Irregularity) -> str:
    """O28: the remedy whose rank may withdraw a report: the one that a ruling without fields means."""
    ruling = meant(rules, table, row, {})
    return "" if ruling is None else ruling.remedy


def decide(rules: Rulebook, table: Table, command: c.DecideIrregularity) -> Events | Refusal:
    """A ruling by somebody of sufficient rank, recorded with its reason, and carried out."""
    open_ = opened(table)
    row = rules.irregularities[open_.kind]
    fields = sent(command, "by", "reason", "round")
    ruling = heard(rules, table, command.by, fields)
    if isinstance(ruling, Refusal):
        return ruling
    fault = _reason_fault(row, ruling, command.reason)
    if fault is not None:
        return fault
    own = {name: value for name, value in fields.items() if name not in ruling.marks}
    said = {"by": command.by, "reason": command.reason, **own}
    words = read(ruling.words, said, Code.BAD_RULING, f"this ruling on {row.id}", row.cite)
    carried = words if isinstance(words, Refusal) else ruling.carry_out(rules, table, row, words)
    if isinstance(carried, Refusal):
        return carried
    assert_leads(table, ruling, carried)
    decided = e.IrregularityDecided(
        paragraph=row.cite,
        kind=open_.kind,
        by=command.by,
        rank=table.staff[command.by],
        ruling=type(carried[0]).__struct_config__.tag,  # type: ignore[arg-type]  # every event has a tag
        reason=command.reason,
    )
    return (decided, *carried)


def assert_leads(table: Table, ruling: Ruling, carried: Events) -> None:
    """A ruling leaves the table where its row says."""
    after = phase_after_all(table, carried)
    assert any(after in led(lead, opened(table).phase) for lead in ruling.leads), (
        f"{ruling.remedy} on {opened(table).kind} leads to {after}, not to {' or '.join(ruling.leads)}"
    )


def _reason_fault(row: Irregularity, ruling: Ruling, reason: str) -> Refusal | None:
    if len(reason) > LONGEST_TEXT:
        return refuse(Code.BAD_RULING, f"a reason has at most {LONGEST_TEXT} characters", row.cite)
    if in_writing(row, ruling) and not reason.strip():
        return refuse(Code.REASON_NEEDED, "this ruling needs a reason", row.cite)
    return None


def in_writing(row: Irregularity, ruling: Ruling) -> bool:
    """Whether a reason is recorded with it."""
    own = row.remedy(ruling.remedy)
    return row.discretion == "reasonable" or ruling.in_writing or (own is not None and own.in_writing)


def _unknown(row: Irregularity, fields: Fields) -> Refusal:
    """Refuse fields that fit no ruling on the kind."""
    actions = dict.fromkeys(str(ruling.marks["action"]) for ruling in rulings(row) if "action" in ruling.marks)
    if fields.get("action") not in (None, *actions):
        text = f"`action` of a ruling on {row.id}: expected {', '.join(actions)}"
        return refuse(Code.WRONG_FIELD, text, row.cite, field="action", of=row.id)
    return refuse(Code.BAD_RULING, f"expected an action that fits: {', '.join(actions)}", row.cite)


def needs_second_person(table: Table, command: c.DecideIrregularity) -> bool:
    """Whether a ruling may move money of a round that is over: a house has two persons give it (O49)."""
    open_ = table.irregularity
    if open_ is None or command.void_rounds or command.pay_cents:
        return bool(command.void_rounds or command.pay_cents)
    kind = ROWS[open_.kind]
    if open_.round is not None or kind.past_only:
        return True
    over = table.round is not None and table.round.ended
    return over and kind.reaches_settled and command.action not in (UNFOUNDED, "stand")
