"""Checks an SQLite file: its pages and indexes are intact, and every value is of its column's type.

SQLite accepts any value in any column, and trusts its indexes. PostgreSQL checks both by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import sqlalchemy as sa

from punto.house.audit.findings import Findings
from punto.house.store.people_tables import METADATA as PEOPLE
from punto.house.store.reader import Reader
from punto.house.store.schema import METADATA

MOST_FAULTS: Final = 100
"""The most faults listed: a corrupt file has many."""


def check(reader: Reader, findings: Findings) -> bool:
    """Whether the file is intact, so that no later check can fail on what it reads."""
    if reader.engine != "sqlite":
        return True
    before = findings.total
    for (text,) in reader.rows(f"PRAGMA integrity_check({MOST_FAULTS})"):
        if text != "ok":
            findings.add("database", 0, "file", " ".join(str(text).split()))
    for table in (*METADATA.tables.values(), *PEOPLE.tables.values()):
        for where, version, column, type_ in _wrong_types(reader, table):
            findings.add(where, version, "type", f"{table.name}.{column} has a value of the wrong type: {type_}")
    return findings.total == before


def _wrong_types(reader: Reader, table: sa.Table) -> Iterator[tuple[str, int, str, str]]:
    """Rows with a value of the wrong type: stream, version, column and type. An older database has fewer columns."""
    there = reader.columns(table.name)
    allowed = {column.name: _types(column) for column in table.columns if column.name in there}
    if not allowed:
        return
    wrong = " OR ".join(f'typeof("{name}") NOT IN {_listed(kinds)}' for name, kinds in allowed.items())
    first = f'"{next(iter(table.primary_key)).name}"'
    version = '"version"' if "version" in allowed else "0"
    types = ", ".join(f'typeof("{name}")' for name in allowed)
    for key, at, *values in reader.rows(
        f"SELECT CASE typeof({first}) WHEN 'text' THEN {first} ELSE quote({first}) END, "
        f'CAST({version} AS INTEGER), {types} FROM "{table.name}" WHERE {wrong}'
    ):
        pairs = zip(allowed, values, strict=True)
        column, type_ = next((column, type_) for column, type_ in pairs if type_ not in allowed[column])
        yield key if "stream" in allowed else f"{table.name}/{key}", at or 0, column, type_


def _types(column: sa.Column[object]) -> tuple[str, ...]:
    kind = column.type
    name = "text" if isinstance(kind, sa.Text) else "blob" if isinstance(kind, sa.LargeBinary) else "integer"
    return (name, "null") if column.nullable else (name,)


def _listed(kinds: tuple[str, ...]) -> str:
    return f"({', '.join(repr(kind) for kind in kinds)})"
