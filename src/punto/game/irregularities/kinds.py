"""The kinds of irregularity, what a row of them holds, and how a flat report or ruling becomes the record of its kind.

The rows themselves are in `rows`. Who decides, which remedies there are and their paragraphs is the edition's data.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from enum import EnumType, StrEnum
from functools import cache
from typing import Any, Final, TypeVar, assert_never

import msgspec

from punto.codes import Code
from punto.game.events import AnyEvent
from punto.game.irregularities.records import Facts, Words
from punto.game.refusals import Refusal, refuse
from punto.game.table import Phase, Table
from punto.rulebook.model import Irregularity, Rulebook

Events = tuple[AnyEvent, ...]
Fields = dict[str, Any]
"""What was sent, by its names on the wire."""


class Kind(StrEnum):
    """Every row of an edition's irregularities. Those at the end are applied in play and never reported."""

    INTERRUPTION = "interruption"
    VOID = "void"
    CUT_CARD = "cut-card"
    EXCESS_CARD = "excess-card"
    WRONG_HAND = "wrong-hand"
    FACE_UP = "face-up"
    SIMULTANEOUS = "simultaneous"
    RESET = "reset"
    DAMAGED_CARD = "damaged-card"
    LATE_DISCOVERY = "late-discovery"
    LATE_TABLE_OF_PLAY = "late-table-of-play"
    OTHER_DEALING_ERROR = "other-dealing-error"
    INSURANCE_MISSED = "insurance-missed"
    INSURANCE_MISPLACED = "insurance-misplaced"
    DISPLAYS = "displays"
    DISCRETION = "discretion"
    COMMENCEMENT = "commencement"
    BLUE_CARD = "blue-card"
    EXPOSED_WHILE_BETTING = "exposed-while-betting"
    UNNEEDED_CARD = "unneeded-card"
    EXPOSED_WHILE_SHUFFLING = "exposed-while-shuffling"
    EXPOSED_AT_COMMENCEMENT = "exposed-at-commencement"
    WRONG_DEALING = "wrong-dealing"
    DROPPED_CARD = "dropped-card"
    LIMIT_PASSED = "limit-passed"
    UNDER_MINIMUM = "under-minimum"
    INSURANCE_FORGONE = "insurance-forgone"
    LATE_WAGERS = "late-wagers"
    OPTIONS = "options"
    CHIPS_LIE = "chips-lie"
    VOID_RETURNS = "void-returns"
    STAFF_PLACE = "staff-place"


class Lead(StrEnum):
    """Where a ruling may leave the table."""

    STOOD = "stood"
    """Where play stood when it was reported."""
    ON = "on"
    """In the round, by what the open cards call for; a settled round may be reopened for it."""
    OPTIONS = "options"
    OVER = "over"
    """The round is over without a result."""
    OFFER = "offer"
    """Insurance is offered late."""
    NO_SHOE = "no-shoe"


_BETWEEN: Final = (Phase.NO_SHOE, Phase.COMMENCING, Phase.READY, Phase.SETTLED)


def led(lead: Lead, stood: Phase) -> frozenset[Phase]:
    """The phases that a lead means, for a report that was made in the phase `stood`."""
    match lead:
        case Lead.STOOD:
            return frozenset({stood})
        case Lead.ON:
            dealt = () if stood is Phase.BETTING else (Phase.DEALING, Phase.OFFER, Phase.COMPLETE)
            return frozenset({stood, *dealt})
        case Lead.OVER:
            return frozenset({stood if stood in _BETWEEN else Phase.SETTLED})
        case Lead.OPTIONS | Lead.OFFER | Lead.NO_SHOE:
            return frozenset({Phase(lead.value)})
        case _:
            assert_never(lead)


Remedied = Callable[[Rulebook, Table, Irregularity, Any], Events | Refusal]
"""Carries a ruling out. The last argument is the ruling's record, or that of the facts where nobody decides."""
Fits = Callable[[Rulebook, Table, Fields], bool]


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """One way to put a kind right. The first of a row whose `marks` and `fits` hold is the one that is meant."""

    remedy: str
    """The edition's word for it; an edition without it refuses the ruling."""
    carry_out: Remedied
    leads: tuple[Lead, ...]
    """Where it may leave the table; `assert_leads` checks it."""
    words: type[Words] = Words
    """The record of what the ruling says. Where nobody decides, the remedy goes by the facts of the report."""
    marks: Fields = {}
    """Fields that must have these values. A missing `reconstruct` means true."""
    fits: Fits | None = None
    """What the table or the fields must be like."""
    also: dict[str, str] = {}
    """Field → the further remedy that it orders."""
    in_writing: bool = False
    """Its reason is recorded, whatever the edition says."""

    def marked(self, fields: Fields) -> bool:
        """Whether these fields have its marks."""
        spoken = {"reconstruct": True, **fields}
        return all(spoken.get(name) == value for name, value in self.marks.items())


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A kind: when it is heard, what it tells, what may be ruled."""

    phases: tuple[Phase, ...] = ()
    """Empty: the kind is applied in play."""
    facts: type[Facts] = Facts
    check: Callable[[Rulebook, Table, Any], str | Refusal | None] | None = None
    """What can't be true of this table, in a sentence."""
    rulings: tuple[Ruling, ...] = ()
    at_discretion: tuple[Ruling, ...] = ()
    """Rulings of its own where the edition leaves the kind to discretion."""
    shows: Callable[[Rulebook, Table, Irregularity, str, Any], Events] | None = None
    """Cards that the report itself turns or draws."""
    past_only: bool = False
    """Whether it is about an earlier round than the current one."""
    reaches_settled: bool = False
    """Whether a ruling may change a round that is settled: in a house that takes a second person."""
    at_virtual: bool = False
    """Whether people report it at a virtual table."""


_Record = TypeVar("_Record", bound=msgspec.Struct)


def sent(command: msgspec.Struct, *but: str) -> Fields:
    """The fields that a command names. One that is null names nothing."""
    named = ((name, getattr(command, field.name)) for name, field in _fields(type(command)).items())
    return {name: value for name, value in named if value is not None and name not in but}


@cache
def _fields(record: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    return {field.encode_name: field for field in msgspec.structs.fields(record)}


def read(record: type[_Record], fields: Fields, code: Code, whose: str, paragraph: str) -> _Record | Refusal:
    """I12: a record of just these fields. Others are refused, never dropped; `code` is for a missing field."""
    known = _fields(record)
    values = {}
    for name, value in fields.items():
        field = known.get(name)
        if field is None:
            own = ", ".join(name for name in known if name not in ("by", "reason"))
            text = f"`{name}` does not belong to {whose}: {f'expected {own}' if own else 'it has no such fields'}"
            return refuse(Code.WRONG_FIELD, text, paragraph, field=name, of=whose)
        try:
            values[field.name] = msgspec.convert(value, field.type)
        except msgspec.ValidationError as error:
            expected = ", ".join(choices(field.type)) or str(error)
            text = f"`{name}` of {whose}: expected {expected}"
            return refuse(Code.WRONG_FIELD, text, paragraph, field=name, of=whose)
    missing = [name for name, word in known.items() if word.required and word.name not in values]
    if missing:
        text = " and ".join(f"`{name}`{_of(known[name].type)}" for name in missing)
        return refuse(code, f"{whose} needs {text}", paragraph, field=missing[0], of=whose)
    return record(**values)


def names_round(record: type[msgspec.Struct]) -> bool:
    """Whether a record has a field for the round that it is about."""
    return "round" in _fields(record)


def choices(kind: Any) -> list[str]:
    """The words of an enumeration, also inside another type."""
    if isinstance(kind, EnumType):
        return [str(member.value) for member in kind]  # type: ignore[var-annotated]  # every enumeration has members
    return [word for inner in typing.get_args(kind) for word in choices(inner)]


def _of(kind: Any) -> str:
    words = choices(kind)
    return f" ({', '.join(words)})" if words else ""
