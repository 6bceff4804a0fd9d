"""The report of a void round (5.5) that an alarm prepares, as long as the cards concerned are in use at the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from punto.game.irregularities.kinds import Kind
from punto.game.irregularities.report import paragraph_of
from punto.game.table import Table
from punto.house.store.watch_events import KnownAlarm
from punto.house.table.governing_edition import in_use
from punto.house.watch.cards_and_stakes import Checkpoint


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A prepared report: to confirm it, send it to the table. It says what was seen, not how (O141). `round` is the
    current round: the table refuses the report once another has begun."""

    do: str
    kind: str
    cause: str
    round: int
    note: str


def report_of(known: KnownAlarm, table: Table, kept: Checkpoint, newest_missing: str) -> Report | None:
    """None if other cards are in use, or none of these have been dealt: then the alarm is not about what is on the
    table. Missing cards are missing in every shoe of their set."""
    if table.round is None or table.dealt_from is None:
        return None
    if known.alarm.kind == "missing":
        same = kept.kept.missing and kept.decks in (0, table.opened.decks) and known.id == newest_missing
    else:
        same = str(table.dealt_from.number) == known.alarm.shoe
    if not same:
        return None
    return Report(
        do="report-irregularity",
        kind=Kind.VOID.value,
        cause=known.alarm.cause,
        round=table.round.number,
        note=f"surveillance {known.number}",
    )


def report_paragraph(report: Report, table: Table) -> str:
    """The paragraph that the report would be on record under, by the edition of the round on the table."""
    rules = in_use(table)
    assert rules is not None, "a report is about a round"
    return paragraph_of(rules, rules.irregularities[report.kind], report.cause)


def newest_missing(alarms: Iterable[KnownAlarm]) -> Mapping[str, str]:
    """The last alarm on missing cards, by table. A set of cards has at most one."""
    return {known.alarm.table: known.id for known in alarms if known.alarm.kind == "missing"}
