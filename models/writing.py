"""The input of a model as the TLA+ module that the model extends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from models.inputs import Course, KindRow, TableInput
from punto.game.irregularities.rows import UNFOUNDED


class SetOf(tuple[object, ...]):
    """A set of what Python can't hash."""


def text(value: object) -> str:
    """A value of strings, numbers, booleans, sequences, sets and mappings as TLA+."""
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case str():
            return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
        case int():
            return str(value)
        case Mapping():
            pairs = (f"({text(key)} :> {text(one)})" for key, one in value.items())
            return "(" + " @@ ".join(pairs) + ")" if value else "[none \\in {} |-> none]"
        case frozenset() | SetOf():
            return "{" + ", ".join(sorted(map(text, value))) + "}"
        case Iterable():
            return "<<" + ", ".join(map(text, value)) + ">>"
        case _:
            raise TypeError(f"{value!r} has no form in TLA+")


def record(**fields: object) -> dict[str, object]:
    """A record and a function of strings are the same thing in TLA+."""
    return fields


def tables(given: TableInput, most_reports: int = 1, most_patrons: int = 2) -> str:
    """The module Tables. Ranks are numbers, the lowest is 1."""
    rank = {name: number for number, name in enumerate(given.ranks, 1)}
    definitions = {
        "MostReports": most_reports,
        "MostPatrons": most_patrons,
        "Leads": {phase: {name: frozenset(to) for name, to in row.items()} for phase, row in given.heard.items()},
        "Led": {lead: {phase: frozenset(to) for phase, to in row.items()} for lead, row in given.led.items()},
        "Leaders": frozenset(given.led),
        "Kinds": {name: _kind(row, rank) for name, row in given.kinds.items()},
        "DutyRanks": frozenset(rank[name] for name in given.duty),
        "SqueezeOver": rank[given.squeeze_over],
        "Choices": frozenset(given.choices),
        "After": {_course(four): frozenset(map(_course, five)) for four, five in given.courses.items()},
        "Facings": frozenset(given.facings),
        "CutWithdraws": given.withdrawal,
        "Burn": given.burn,
        "Interrupted": frozenset(given.interrupted),
        "Chips": {
            name: record(patron=one.patron, layout=one.layout, house=one.house) for name, one in given.chips.items()
        },
        "Sees": {audience: frozenset(phases) for audience, phases in given.sees.items()},
    }
    lines = [f"{name} ==\n    {text(value)}" for name, value in definitions.items()]
    head = f"------ MODULE Tables ------\n\\* Generated from {given.edition}.\nEXTENDS Integers, TLC\n"
    return "\n".join([head, *lines, GIVEN, "======"]) + "\n"


GIVEN = r"""
\* When an edition gives the options, by what it says of the kind; ordered ones are given.
Given(kind, est) ==
    CASE Kinds[kind].options = "unless-established" -> ~est
      [] OTHER -> TRUE"""


def _course(one: Course) -> tuple[str, str]:
    return (one.due, one.offer)


def _kind(row: KindRow, rank: dict[str, int]) -> dict[str, object]:
    """Nobody withdraws a report on which nobody rules."""
    ruled = [one for one in row.rulings if row.decided_by != "nobody" or one.remedy != UNFOUNDED]
    return record(
        phases=frozenset(row.phases),
        decided_by=row.decided_by,
        options=row.options,
        rulings=SetOf(
            record(remedy=one.remedy, rank=rank.get(one.rank, 0), leads=frozenset(one.leads), sure=one.sure)
            for one in ruled
        ),
    )
