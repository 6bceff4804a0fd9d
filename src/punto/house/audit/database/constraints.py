"""Checks the constraints that keep a wallet from going below zero and a key from being answered twice. The house relies
on the database for that, so the audit finds a missing constraint before it does harm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import sqlalchemy as sa

from punto.house.audit.findings import Context
from punto.house.store.people_tables import METADATA as PEOPLE
from punto.house.store.people_tables import known_addresses
from punto.house.store.schema import METADATA, keys

ON_SQLITE: Final = 'SELECT "sql" FROM "sqlite_master" WHERE "tbl_name" = $1 AND "type" <> \'trigger\' AND "sql" <> \'\''
ON_POSTGRESQL: Final = (
    "SELECT 'CONSTRAINT ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint "
    "WHERE conrelid = to_regclass($1) AND convalidated "
    "UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = to_regclass($1) AND indisvalid"
)
_SPELLING: Final = re.compile(r"USING btree|(?<= )\w+\.(?=\w)|[\s\"()]")
"""Spelling that differs between engines when they print a definition."""
_END: Final = "(?=,CONSTRAINT|WITHOUTROWID|$)"


def check(context: Context) -> None:
    """Every primary key, unique index and check is there, word for word."""
    reader = context.reader
    statement = ON_SQLITE if reader.engine == "sqlite" else ON_POSTGRESQL
    newer = [table for table in (keys, known_addresses) if reader.has(table.name)]
    older = [table for table in (*METADATA.tables.values(), *PEOPLE.tables.values()) if table is not known_addresses]
    for table in (*older, *newer):
        texts = [_SPELLING.sub("", text) for (text,) in reader.rows(statement, table.name)]
        for due in _due(table):
            pattern = re.compile(re.escape(_SPELLING.sub("", due)) + _END)
            if not any(pattern.search(text) for text in texts):
                context.findings.add(str(table.name), 0, "constraint", f"this constraint is missing or changed: {due}")


def _due(table: sa.Table) -> Iterator[str]:
    yield f"PRIMARY KEY ({', '.join(column.name for column in table.primary_key)})"
    for constraint in sorted(table.constraints, key=lambda constraint: str(constraint.name)):
        if isinstance(constraint, sa.CheckConstraint):
            yield f"CONSTRAINT {constraint.name} CHECK ({constraint.sqltext})"
    for index in table.indexes:
        if index.unique:
            columns = ", ".join(column.name for column in index.columns)
            where = index.dialect_options["sqlite"]["where"]
            yield f"UNIQUE INDEX {index.name} ON {table.name} ({columns}) WHERE {where}"
