"""Every command of a table decided again: the events on record must be the very ones that the rules lead to.

What is decided again here: phase, rank, limits, cards by the Table of Play and by a virtual shoe's order, offers,
settlement to the cent, remedies, and the paragraph of each. Which command it was, its events tell (`asked`).
"""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

import msgspec

from punto.game import commands as c
from punto.game import events as e
from punto.game.audience import seen
from punto.game.decide import decide
from punto.game.refusals import Refusal
from punto.game.table import Table
from punto.house.audit.tables.commands_from_events import Events, asked
from punto.rulebook import in_force
from punto.rulebook.model import Rulebook

DECIDING_US: Final = 60 * 1_000_000
"""A command was decided at most this long before it was written: at the turn of an edition both may have governed."""


class Fault(msgspec.Struct, frozen=True):
    code: str
    message: str


class Older(msgspec.Struct, frozen=True):
    """A report or a ruling of an older revision, which today's code answers otherwise: what it moved is judged, and who
    gave it, and it is told as a note."""

    command: c.AnyCommand
    """The likeliest one."""
    message: str


Tried = tuple[c.AnyCommand, Events | Refusal]
"""A command that may have been given, and its answer today."""
_NOT_THEIRS: Final = ("wrong-rank", "not-on-duty")


class Again(msgspec.Struct, frozen=True):
    """A command, and how many events it led to."""

    command: c.AnyCommand
    count: int


def again(rules: Rulebook, table: Table, events: Events, actor: str, at: int) -> Again | Older | Fault:
    """The command that the first of the events are of, decided again; or what is wrong with the first of them."""
    nearest: Fault | None = None
    tried: list[Tried] = []
    for command in asked(table, events, actor):
        try:
            answer = decide(rules, table, command)
        except Exception as error:  # a record that was tampered with can break any assumption of the decider
            nearest = nearest or Fault("not-decided", f"{_tag(events[0])} can't be decided again: {error!r}")
            continue
        if not isinstance(answer, Refusal) and events[: len(answer)] == answer:
            return _edition(rules, table, command, at) or Again(command, len(answer))
        nearest = nearest or _difference(events, answer)
        tried.append((command, answer))
    nearest = nearest or Fault("not-decided", f"{_tag(events[0])} begins no command")
    return _by_older(rules, table, events, tried, nearest, at) if rules.superseded else nearest


def _by_older(
    rules: Rulebook, table: Table, events: Events, tried: list[Tried], nearest: Fault, at: int
) -> Again | Older | Fault:
    """The same by data that was corrected since: other paragraphs may have been cited, and rulings may differ."""
    for command, answer in tried:
        if not isinstance(answer, Refusal) and same(rules, events[: len(answer)], answer):
            return _edition(rules, table, command, at) or Again(command, len(answer))
    able = [command for command, answer in tried if not (isinstance(answer, Refusal) and answer.code in _NOT_THEIRS)]
    return Older(able[0], nearest.message) if able and _ruled(events) else nearest


def same(rules: Rulebook, events: Events, answer: Events) -> bool:
    """Whether these are the events that follow. A revision that was corrected may have cited another paragraph."""
    if events == answer or not rules.superseded:
        return events == answer
    recorded, due = (_uncited(msgspec.to_builtins(one, enc_hook=str)) for one in (events, answer))
    return bool(recorded == due)


def _uncited(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _uncited(one) for name, one in value.items() if name not in ("paragraph", "tie_paragraph")}
    return [_uncited(one) for one in value] if isinstance(value, list | tuple) else value


def _ruled(events: Events) -> bool:
    """Whether they are of a report, a ruling or what follows one; a report comes after the cards that it turned."""
    reported = any(isinstance(one, e.IrregularityReported) for one in events[:8])
    return isinstance(events[0], _RULED) or (isinstance(events[0], e.CardExposed | e.CardDrawn) and reported)


_RULED: Final = (e.IrregularityReported, e.IrregularityDecided, e.OptionChosen, e.PlayResumed, e.CutCardDrawn)


def _difference(events: Events, answer: Events | Refusal) -> Fault:
    """The first thing that is not as the rules lead to it."""
    if isinstance(answer, Refusal):
        by = f" ({answer.paragraph})" if answer.paragraph else ""
        return Fault("not-decided", f"{_tag(events[0])} would be refused: {answer.code}, {answer.message}{by}")
    for at, due in enumerate(answer):
        if at >= len(events):
            return Fault("not-decided", f"{_tag(due)} is missing after {_tag(events[-1])}")
        one = events[at]
        if one == due:
            continue
        if type(one) is not type(due):
            return Fault("not-decided", f"{_tag(one)} is on record where {_tag(due)} would follow")
        return Fault("not-decided", f"{_tag(one)}: {_fields(one, due)}")
    return Fault("not-decided", f"{_tag(events[0])} leads to something else")


def _fields(one: e.AnyEvent, due: e.AnyEvent) -> str:
    """The fields that differ, without a card that nobody may see."""
    names = [name for name in type(one).__struct_fields__ if getattr(one, name) != getattr(due, name)]
    one, due = seen(one), seen(due)
    told = []
    for name in names[:2]:
        found, wanted = getattr(one, name), getattr(due, name)
        if found == wanted:
            told.append(f"{name} differs from what the rules lead to (it is not shown here)")
        else:
            told.append(f"{name} is {_short(found)} on record, {_short(wanted)} by the rules")
    return "; ".join(told)


def _edition(rules: Rulebook, table: Table, command: c.AnyCommand, at: int) -> Fault | None:
    """E2: a command about a round goes by that round's edition; a new round by the one in force, or the one pinned."""
    if rules.id in {governing(table, command, instant) for instant in (at, at - DECIDING_US)}:
        return None
    return Fault("wrong-edition", f"it was decided by {rules.id}, and {governing(table, command, at)} governs")


def governing(table: Table, command: c.AnyCommand, at: int) -> str:
    """The edition that a command goes by at an instant."""
    settings = table.settings
    if isinstance(command, c.OpenTable):
        return command.edition or _in_force(command.game or "", at)
    if settings is None:
        return ""
    if isinstance(command, c.OpenBetting):
        return settings.edition if settings.pinned else _in_force(settings.edition.partition("/")[0], at)
    past = command.round if isinstance(command, c.ReportIrregularity) else None
    if isinstance(command, c.DecideIrregularity) and table.irregularity is not None:
        past = table.irregularity.round
    if past in table.past:
        return table.past[past].edition
    return table.round.edition if table.round is not None else settings.edition


def _in_force(game: str, at: int) -> str:
    try:
        return in_force.in_force(game, dt.datetime.fromtimestamp(at / 1_000_000, in_force.ZONE)).id
    except (ValueError, OverflowError, OSError):  # a time before the first edition, or that no calendar has
        return "none"


def _tag(event: e.AnyEvent) -> str:
    return str(type(event).__struct_config__.tag)


def _short(value: object, most: int = 160) -> str:
    text = repr(value)
    return text if len(text) <= most else f"{text[:most]}…"
