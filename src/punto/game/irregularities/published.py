"""The rows of an edition as plain records, for whoever draws a form or writes a page: what each kind tells, what may be
ruled on it, by whom, under which paragraph."""

from __future__ import annotations

import types
import typing
from typing import Any, Final

import msgspec

from punto.game.irregularities.kinds import Kind, Row, Ruling, choices
from punto.game.irregularities.rows import REPORTED, ROWS, UNFOUNDED, rulings
from punto.game.table import Phase
from punto.rulebook.model import Irregularity, Rulebook

_HOLDS: Final = {
    **dict.fromkeys(("card", "cards", "order", "places"), "card"),
    **dict.fromkeys(("player", "banker"), "hand"),
    **dict.fromkeys(("patrons", "pay"), "patron"),
    **dict.fromkeys(("round", "void_rounds"), "round"),
    "place": "place",
    "insurance": "insurance",
}
"""What the texts or numbers of a field are, by its name."""


class Field(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    type: str
    """flag, number, text, choice, amounts (by patron), cards (by place), or list-of- one of these."""
    holds: str | None = None
    """card, hand (its cards), patron, round, place or insurance, where it names one."""
    choices: tuple[str, ...] = ()
    needed: bool = False
    stands: bool = False
    """The value of a flag that is left out."""
    short: bool = False
    """Another field of the record says the same for several at once: a form shows that one instead."""


class PublishedRuling(msgspec.Struct, frozen=True, kw_only=True):
    """One ruling. `says` are fields that must be so; of those that fit the first is meant."""

    remedy: str
    says: dict[str, bool | str] = {}
    unsaid: bool
    """Whether a ruling without fields may mean it."""
    fields: tuple[Field, ...] = ()
    also: dict[str, str] = {}
    """Field → the further remedy that it orders."""
    decided_by: str
    reason_needed: bool
    second_person: str
    """When a house has two persons give it: always, settled (a settled or a past round), past (a past one), never."""
    paragraph: str


class Reported(msgspec.Struct, frozen=True, kw_only=True):
    """A kind that is reported under an edition."""

    kind: Kind
    paragraph: str
    decided_by: str
    goes_by: str | None
    phases: tuple[Phase, ...]
    fields: tuple[Field, ...]
    rulings: tuple[PublishedRuling, ...]
    at_virtual: bool


def published(rules: Rulebook) -> tuple[Reported, ...]:
    """Every kind that is reported under this edition, in the order of the rows."""
    known = ((kind, rules.irregularities.get(kind)) for kind in REPORTED)
    return tuple(_reported(kind, row) for kind, row in known if row is not None and row.goes_by != Kind.LATE_WAGERS)


def _reported(kind: Kind, row: Irregularity) -> Reported:
    own = ROWS[kind]
    decided = row.decided_by != "nobody"
    return Reported(
        kind=kind,
        paragraph=row.cite,
        decided_by=row.decided_by,
        goes_by=row.goes_by,
        phases=own.phases,
        fields=fields(own.facts),
        rulings=tuple(_ruling(own, row, ruling) for ruling in rulings(row) if _has(row, ruling)) if decided else (),
        at_virtual=own.at_virtual,
    )


def _has(row: Irregularity, ruling: Ruling) -> bool:
    return ruling.remedy == UNFOUNDED or row.remedy(ruling.remedy) is not None


def _ruling(own: Row, row: Irregularity, ruling: Ruling) -> PublishedRuling:
    remedy = row.remedy(ruling.remedy)
    return PublishedRuling(
        remedy=ruling.remedy,
        says=ruling.marks,
        unsaid=ruling.marked({}),
        fields=tuple(field for field in fields(ruling.words) if field.name not in ("by", "reason")),
        also={field: further for field, further in ruling.also.items() if row.remedy(further) is not None},
        decided_by=row.decided_by_of(ruling.remedy),
        reason_needed=row.discretion == "reasonable" or ruling.in_writing or (remedy is not None and remedy.in_writing),
        second_person=_second_person(own, ruling),
        paragraph=row.cite_of(ruling.remedy),
    )


def _second_person(own: Row, ruling: Ruling) -> str:
    if own.past_only or "pay_cents" in ruling.words.__struct_fields__:
        return "always"
    if own.reaches_settled and ruling.marks.get("action") not in (UNFOUNDED, "stand"):
        return "settled"
    return "past" if "round" in own.facts.__struct_fields__ else "never"


def fields(record: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a record, by their names on the wire."""
    return tuple(
        Field(
            name=field.encode_name,
            type=_type(field.type),
            holds=_HOLDS.get(field.encode_name),
            choices=tuple(choices(field.type)),
            needed=field.required,
            stands=field.default is True,
            short=field.name in getattr(record, "short", ()),
        )
        for field in msgspec.structs.fields(record)
    )


def _type(kind: Any) -> str:
    inner = typing.get_args(kind)
    if isinstance(kind, types.UnionType):
        return _type(next(part for part in inner if part is not types.NoneType))
    if typing.get_origin(kind) is tuple:
        return f"list-of-{_type(inner[0])}"
    if typing.get_origin(kind) is dict:
        return "cards" if choices(inner[0]) else "amounts"
    if choices(kind):
        return "choice"
    return {bool: "flag", int: "number"}.get(kind, "text")
