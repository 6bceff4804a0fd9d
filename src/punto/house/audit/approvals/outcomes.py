"""Compares the outcome that an approval states with the rows and the refusals under its key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import msgspec

from punto import money
from punto.game.audience import Audience
from punto.house.store import answers, codec
from punto.house.store.approval import State
from punto.house.store.reader import Reader
from punto.house.store.records import SCHEMA, Row

if TYPE_CHECKING:
    from punto.house.audit.approvals.approval_stream import Record

COMMAND: Final = (
    'SELECT r."stream", r."version", r."at", r."actor", r."key", r."body", r."count", r."rules", r."schema", '
    'r."event", r."hash" FROM "events" AS e JOIN "events" AS r ON r."stream" = e."stream" '
    'AND r."version" >= e."version" AND r."version" < e."version" + e."count" '
    'WHERE e."stream" = $1 AND e."key" = $2 ORDER BY r."version"'
)
REFUSED: Final = 'SELECT "body", "answer" FROM "refusals" WHERE "stream" = $1 AND "key" = $2'
UNDER_APPROVAL: Final = 'SELECT "stream", "key" FROM "refusals" WHERE "key" LIKE \'%/approval-%\' ORDER BY 1, 2'
_FAILS_BY: Final = {"balance-adjustment": ("not-enough-funds", "another-matter"), "rank": ("another-matter",)}


def faults(reader: Reader, record: Record) -> Iterator[str]:
    """Contradictions between state, decision and outcome."""
    if (record.decided_by is None, record.decided_at is None) != (record.state == State.ASKED,) * 2:
        yield "decided_by or decided_at is set before the decision, or missing after it"
    if record.state not in (State.DONE, State.FAILED):
        if record.outcome is not None:
            yield f"it is {record.state}, but has an outcome"
    elif not _is_true(reader, record):
        yield "its outcome on record is not what happened"


def _is_true(reader: Reader, record: Record) -> bool:
    try:
        outcome = msgspec.json.decode(record.outcome or "")
        if not isinstance(outcome, dict) or msgspec.json.encode(outcome).decode() != record.outcome:
            return False
        if record.act == "late-settlement":
            failed = record.state == State.FAILED
            return outcome == _refusal(reader, record) if failed else _is_answer(reader, record, outcome)
        if record.state == State.FAILED:
            return outcome.keys() == {"code", "detail"} and outcome["code"] in _FAILS_BY.get(record.act, ())
        if record.act == "rank":
            return outcome == {"role": record.about.get("role")}
        if record.act == "watch-thresholds":
            return outcome == {"thresholds": "set"}
        # The wallet's balance then. Other transfers may have come in between, so no stream says it.
        return outcome.keys() == {"wallet"} and money.amount(money.cents(outcome["wallet"])) == outcome["wallet"]
    except (ValueError, KeyError, TypeError):  # the outcome, or the rows that it is about, can't be read
        return False


def _refusal(reader: Reader, record: Record) -> object:
    """The table's refusal of exactly this request."""
    kept = [answer for body, answer in reader.rows(REFUSED, *record.place) if body.hex() == record.hash]
    return msgspec.json.decode(kept[0]) if kept else None


def _is_answer(reader: Reader, record: Record, outcome: dict[str, Any]) -> bool:
    """Whether the outcome is the table's answer: its events as the pit sees them."""
    rows = [Row(*values) for values in reader.rows(COMMAND, *record.place)]
    if any(row.schema != SCHEMA for row in rows):
        return True  # the outcome was written in the schema of its time
    table, moved = record.place[0].partition("/")[2], map(codec.recorded, rows)
    answer = answers.accepted(table, rows[-1].version if rows else 0, moved, Audience.PIT, record.asked_by)
    return bool(outcome == msgspec.json.decode(answer.json))
