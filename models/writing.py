"""Write the input of a model as the TLA+ module that the model extends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from models.inputs import Course, KindRow, TableInput
from punto.game.irregularities.rows import UNFOUNDED


class SetOf(tuple[object, ...]):
    """A set of values that Python can't hash."""


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
            pairs = (f"({text(key)} :> {text(mapped)})" for key, mapped in value.items())
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


def tables(table_input: TableInput, most_reports: int = 1, most_patrons: int = 2) -> str:
    """The module Tables. Ranks are numbers, the lowest is 1."""
    rank = {name: number for number, name in enumerate(table_input.ranks, 1)}
    definitions = {
        "MostReports": most_reports,
        "MostPatrons": most_patrons,
        "Leads": {phase: {name: frozenset(to) for name, to in row.items()} for phase, row in table_input.heard.items()},
        "Led": {lead: {phase: frozenset(to) for phase, to in row.items()} for lead, row in table_input.led.items()},
        "Leaders": frozenset(table_input.led),
        "Kinds": {name: _kind(row, rank) for name, row in table_input.kinds.items()},
        "DutyRanks": frozenset(rank[name] for name in table_input.duty),
        "SqueezeOver": rank[table_input.squeeze_over],
        "Choices": frozenset(table_input.choices),
        "After": {_course(four): frozenset(map(_course, five)) for four, five in table_input.courses.items()},
        "Facings": frozenset(table_input.facings),
        "CutWithdraws": table_input.withdrawal,
        "Burn": table_input.burn,
        "Interrupted": frozenset(table_input.interrupted),
        "Chips": {
            name: record(patron=moved.patron, layout=moved.layout, house=moved.house)
            for name, moved in table_input.chips.items()
        },
        "Sees": {audience: frozenset(phases) for audience, phases in table_input.sees.items()},
    }
    lines = [f"{name} ==\n    {text(value)}" for name, value in definitions.items()]
    head = f"------ MODULE Tables ------\n\\* Generated from {table_input.edition}.\nEXTENDS Integers, TLC\n"
    return "\n".join([head, *lines, OPTIONS_RULE, "======"]) + "\n"


OPTIONS_RULE = r"""
\* When an edition gives the options, by what it says of the kind; ordered ones are given.
Given(kind, est) ==
    CASE Kinds[kind].options = "unless-established" -> ~est
      [] OTHER -> TRUE"""


def _course(course: Course) -> tuple[str, str]:
    return (course.due, course.offer)


def _kind(row: KindRow, rank: dict[str, int]) -> dict[str, object]:
    """Where nobody decides, no report is withdrawn as unfounded."""
    ruled = [ruling for ruling in row.rulings if row.decided_by != "nobody" or ruling.remedy != UNFOUNDED]
    return record(
        phases=frozenset(row.phases),
        decided_by=row.decided_by,
        options=row.options,
        rulings=SetOf(
            record(remedy=ruling.remedy, rank=rank.get(ruling.rank, 0), leads=frozenset(ruling.leads), sure=ruling.sure)
            for ruling in ruled
        ),
    )
