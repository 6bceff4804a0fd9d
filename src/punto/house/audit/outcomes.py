"""What an approval says became of it, against the rows and the refusals that its key stands on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import msgspec

from punto import money
from punto.game.audience import Audience
from punto.house.audit.reading import Reader
from punto.house.people.approval import State
from punto.house.store import codec
from punto.house.store.records import SCHEMA, Row
from punto.house.table import answers

if TYPE_CHECKING:
    from punto.house.audit.approval_streams import Record

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
    """What can't be so, by the state it is in."""
    if (record.decided_by is None, record.decided_at is None) != (record.state == State.ASKED,) * 2:
        yield "who decided it, and when, stands there once it is decided, and not before"
    if record.state not in (State.DONE, State.FAILED):
        if record.outcome is not None:
            yield f"it is {record.state}, and something became of it"
    elif not _told(reader, record):
        yield "what it says became of it is not what did"


def _told(reader: Reader, record: Record) -> bool:
    try:
        said = msgspec.json.decode(record.outcome or "")
        if not isinstance(said, dict) or msgspec.json.encode(said).decode() != record.outcome:
            return False
        if record.act == "late-settlement":
            return (
                said == _refusal(reader, record) if record.state == State.FAILED else _is_of_rows(reader, record, said)
            )
        if record.state == State.FAILED:
            return said.keys() == {"code", "detail"} and said["code"] in _FAILS_BY.get(record.act, ())
        if record.act == "rank":
            return said == {"role": record.about.get("role")}
        # The wallet stood so when it was told: others may have moved it in between, so that no stream says it.
        return said.keys() == {"wallet"} and money.amount(money.cents(said["wallet"])) == said["wallet"]
    except (ValueError, KeyError, TypeError):  # it, or the rows that it is about, can't be read
        return False


def _refusal(reader: Reader, record: Record) -> object:
    """How the table refused exactly this."""
    kept = [answer for body, answer in reader.rows(REFUSED, *record.place) if body.hex() == record.hash]
    return msgspec.json.decode(kept[0]) if kept else None


def _is_of_rows(reader: Reader, record: Record, said: dict[str, Any]) -> bool:
    """Whether it is the answer of the table: its events as the pit sees them."""
    rows = [Row(*values) for values in reader.rows(COMMAND, *record.place)]
    if any(row.schema != SCHEMA for row in rows):
        return True  # it was told in the shape of its time
    table, moved = record.place[0].partition("/")[2], map(codec.moved, rows)
    answer = answers.accepted(table, rows[-1].version if rows else 0, moved, Audience.PIT, record.asked_by)
    return bool(said == msgspec.json.decode(answer.json))
