"""Decides every command of a table again: the rules must lead to exactly the events on record.

This covers phase, rank, limits, cards by the Table of Play and by a virtual shoe's order, offers, settlement to the
cent, remedies, and the paragraph of each. `commands_from_events` works out which command it was.
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
from punto.house.audit.tables.commands_from_events import Events, possible_commands
from punto.rulebook import in_force
from punto.rulebook.model import Rulebook

DECIDING_US: Final = 60 * 1_000_000
"""A command was decided at most this long before it was written. When the edition changes, either may have governed."""
Attempt = tuple[c.AnyCommand, Events | Refusal]
"""A command that may have been given, and its answer today."""
_OTHER_PERSON: Final = ("wrong-rank", "not-on-duty")
_OF_RULINGS: Final = (e.IrregularityReported, e.IrregularityDecided, e.OptionChosen, e.PlayResumed, e.CutCardDrawn)


class Fault(msgspec.Struct, frozen=True):
    code: str
    message: str


class OlderRuling(msgspec.Struct, frozen=True):
    """A report or ruling of an older revision that today's code decides differently. Its transfers and actor are still
    checked; the difference is a note."""

    command: c.AnyCommand
    """The likeliest command."""
    message: str


class Decided(msgspec.Struct, frozen=True):
    """A command, and how many events it led to."""

    command: c.AnyCommand
    count: int


def decide_again(rules: Rulebook, table: Table, events: Events, actor: str, at: int) -> Decided | OlderRuling | Fault:
    """Decide the command again that `events` begin with. Returns it, or what is wrong with the first event."""
    nearest: Fault | None = None
    attempts: list[Attempt] = []
    for command in possible_commands(table, events, actor):
        try:
            answer = decide(rules, table, command)
        except Exception as error:  # a record that was tampered with can break any assumption of the decider
            nearest = nearest or _not_decided(f"{_tag(events[0])} can't be decided again: {error!r}")
            continue
        if not isinstance(answer, Refusal) and events[: len(answer)] == answer:
            return _wrong_edition(rules, table, command, at) or Decided(command, len(answer))
        nearest = nearest or _difference(events, answer)
        attempts.append((command, answer))
    nearest = nearest or _not_decided(f"no command begins with the event {_tag(events[0])}")
    return _by_older_rules(rules, table, events, attempts, nearest, at) if rules.superseded else nearest


def _by_older_rules(
    rules: Rulebook, table: Table, events: Events, attempts: list[Attempt], nearest: Fault, at: int
) -> Decided | OlderRuling | Fault:
    """The same for rules whose data was corrected since: events may cite other paragraphs, and rulings may differ."""
    for command, answer in attempts:
        if not isinstance(answer, Refusal) and same_events(rules, events[: len(answer)], answer):
            return _wrong_edition(rules, table, command, at) or Decided(command, len(answer))
    for command, answer in attempts:
        if _of_ruling(events) and not (isinstance(answer, Refusal) and answer.code in _OTHER_PERSON):
            return OlderRuling(command, nearest.message)
    return nearest


def same_events(rules: Rulebook, events: Events, answer: Events) -> bool:
    """Whether the events equal the answer. A revision that was corrected may have cited another paragraph."""
    if events == answer or not rules.superseded:
        return events == answer
    recorded, due = (_uncited(msgspec.to_builtins(several, enc_hook=str)) for several in (events, answer))
    return bool(recorded == due)


def _uncited(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _uncited(inner) for name, inner in value.items() if name not in ("paragraph", "tie_paragraph")}
    return [_uncited(inner) for inner in value] if isinstance(value, list | tuple) else value


def _of_ruling(events: Events) -> bool:
    """Whether they belong to a report, a ruling or what follows it. A report comes after the cards that it turned."""
    reported = any(isinstance(event, e.IrregularityReported) for event in events[:8])
    return isinstance(events[0], _OF_RULINGS) or (isinstance(events[0], e.CardExposed | e.CardDrawn) and reported)


def _not_decided(message: str) -> Fault:
    return Fault("not-decided", message)


def _difference(events: Events, answer: Events | Refusal) -> Fault:
    """The first difference between the events on record and those by the rules."""
    if isinstance(answer, Refusal):
        by = f" ({answer.paragraph})" if answer.paragraph else ""
        return _not_decided(f"{_tag(events[0])} would be refused: {answer.code}, {answer.message}{by}")
    for at, due in enumerate(answer):
        if at >= len(events):
            return _not_decided(f"{_tag(due)} is missing after {_tag(events[-1])}")
        event = events[at]
        if type(event) is not type(due):
            return _not_decided(f"{_tag(event)} is on record where {_tag(due)} would follow")
        if event != due:
            return _not_decided(f"{_tag(event)}: {_fields(event, due)}")
    return _not_decided(f"{_tag(events[0])} leads to something else")


def _fields(event: e.AnyEvent, due: e.AnyEvent) -> str:
    """The fields that differ, without a card that nobody may see."""
    names = [name for name in type(event).__struct_fields__ if getattr(event, name) != getattr(due, name)]
    event, due = seen(event), seen(due)
    texts = []
    for name in names[:2]:
        recorded, wanted = getattr(event, name), getattr(due, name)
        if recorded == wanted:
            texts.append(f"{name} differs from what the rules lead to (it is not shown here)")
        else:
            texts.append(f"{name} is {_short(recorded)} on record, {_short(wanted)} by the rules")
    return "; ".join(texts)


def _wrong_edition(rules: Rulebook, table: Table, command: c.AnyCommand, at: int) -> Fault | None:
    """E2: a command about a round goes by that round's edition; a new round by the one in force, or the one pinned."""
    if rules.id in {governing(table, command, instant) for instant in (at, at - DECIDING_US)}:
        return None
    return Fault("wrong-edition", f"it was decided by {rules.id}, but {governing(table, command, at)} governs")


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
