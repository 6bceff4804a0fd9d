"""An SQLite file for itself: its pages and indexes are whole, and every value is of its column's kind.

SQLite takes any value into any column, and believes its indexes. PostgreSQL sees to both by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import sqlalchemy as sa

from punto.house.audit.findings import Findings
from punto.house.audit.reading import Reader
from punto.house.people.tables import METADATA as PEOPLE
from punto.house.store.schema import METADATA

MOST_FAULTS: Final = 100
"""A file that is torn is torn in many places."""


def checked(reader: Reader, findings: Findings) -> bool:
    """Whether what is read next can be taken for what it looks like."""
    if reader.engine != "sqlite":
        return True
    before = findings.total
    for (text,) in reader.rows(f"PRAGMA integrity_check({MOST_FAULTS})"):
        if text != "ok":
            findings.add("database", 0, "file", " ".join(str(text).split()))
    for table in (*METADATA.tables.values(), *PEOPLE.tables.values()):
        for where, version, column, kind in _of_another_kind(reader, table):
            findings.add(where, version, "type", f"{table.name}.{column} is {kind} here")
    return findings.total == before


def _of_another_kind(reader: Reader, table: sa.Table) -> Iterator[tuple[str, int, str, str]]:
    """Where a row lies, and the first column of it that holds what it can't. An older database has fewer columns."""
    there = reader.columns(table.name)
    allowed = {column.name: _kinds(column) for column in table.columns if column.name in there}
    if not allowed:
        return
    wrong = " OR ".join(f'typeof("{name}") NOT IN {_listed(kinds)}' for name, kinds in allowed.items())
    first = f'"{next(iter(table.primary_key)).name}"'
    version = '"version"' if "version" in allowed else "0"
    kinds_found = ", ".join(f'typeof("{name}")' for name in allowed)
    for key, at, *found in reader.rows(
        f"SELECT CASE typeof({first}) WHEN 'text' THEN {first} ELSE quote({first}) END, "
        f'CAST({version} AS INTEGER), {kinds_found} FROM "{table.name}" WHERE {wrong}'
    ):
        column, kind = next(one for one in zip(allowed, found, strict=True) if one[1] not in allowed[one[0]])
        yield key if "stream" in allowed else f"{table.name}/{key}", at or 0, column, kind


def _kinds(column: sa.Column[object]) -> tuple[str, ...]:
    kind = column.type
    name = "text" if isinstance(kind, sa.Text) else "blob" if isinstance(kind, sa.LargeBinary) else "integer"
    return (name, "null") if column.nullable else (name,)


def _listed(kinds: tuple[str, ...]) -> str:
    return f"({', '.join(repr(one) for one in kinds)})"
