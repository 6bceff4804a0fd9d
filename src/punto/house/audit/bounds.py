"""What keeps a wallet from going below nothing and a key from being answered twice: the house relies on the database
to refuse it, so a constraint that is gone is found before anything comes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import sqlalchemy as sa

from punto.house.audit.findings import Findings
from punto.house.audit.reading import Reader
from punto.house.people.tables import METADATA as PEOPLE
from punto.house.people.tables import known_addresses
from punto.house.store.schema import METADATA, keys

ON_SQLITE: Final = 'SELECT "sql" FROM "sqlite_master" WHERE "tbl_name" = $1 AND "type" <> \'trigger\' AND "sql" <> \'\''
ON_POSTGRESQL: Final = (
    "SELECT 'CONSTRAINT ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint "
    "WHERE conrelid = to_regclass($1) AND convalidated "
    "UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = to_regclass($1) AND indisvalid"
)
_DRESS: Final = re.compile(r"USING btree|(?<= )\w+\.(?=\w)|[\s\"()]")
"""What each engine adds in its own way when it writes a definition down."""
_END: Final = "(?=,CONSTRAINT|WITHOUTROWID|$)"


def bounded(reader: Reader, findings: Findings) -> None:
    """Every primary key, unique index and check is there, word for word."""
    asked = ON_SQLITE if reader.engine == "sqlite" else ON_POSTGRESQL
    more = (keys,) if reader.has(keys.name) else ()
    mine = (table for table in PEOPLE.tables.values() if table is not known_addresses or reader.has(table.name))
    for table in (*METADATA.tables.values(), *mine, *more):
        found = [_DRESS.sub("", text) for (text,) in reader.rows(asked, table.name)]
        for due in _due(table):
            sought = re.compile(re.escape(_DRESS.sub("", due)) + _END)
            if not any(sought.search(text) for text in found):
                findings.add(str(table.name), 0, "constraint", f"it is gone or another: {due}")


def _due(table: sa.Table) -> Iterator[str]:
    yield f"PRIMARY KEY ({', '.join(column.name for column in table.primary_key)})"
    for one in sorted(table.constraints, key=lambda one: str(one.name)):
        if isinstance(one, sa.CheckConstraint):
            yield f"CONSTRAINT {one.name} CHECK ({one.sqltext})"
    for index in table.indexes:
        if index.unique:
            columns, where = (
                ", ".join(column.name for column in index.columns),
                index.dialect_options["sqlite"]["where"],
            )
            yield f"UNIQUE INDEX {index.name} ON {table.name} ({columns}) WHERE {where}"
