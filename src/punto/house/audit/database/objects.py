"""Everything that a database has must come from a migration: a trigger, a view or a table put in by hand could change
or hide what the house writes and reads. `triggers` and `constraints` find what is missing or changed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from typing import Final

from punto.house.audit.findings import Context
from punto.house.store.migrations import upgrade
from punto.house.store.people_tables import METADATA as PEOPLE
from punto.house.store.reader import Reader
from punto.house.store.schema import HEAD, METADATA, ON_POSTGRESQL, REBUILT

ON_SQLITE: Final = (
    'SELECT "type", "name", "sql" FROM "sqlite_master" WHERE NOT ("type" = \'index\' AND "sql" IS NULL) '
    "AND NOT (\"type\" = 'table' AND \"name\" IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'))"
)
"""All objects except those that the engine creates: the index of a key, and its statistics. A name like the engine's
proves nothing: whoever writes to the file can give one to a trigger."""
_OWN: Final = (
    "WITH own AS (SELECT oid FROM pg_namespace WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'), "
    "extended AS (SELECT classid, objid FROM pg_depend WHERE deptype = 'e') "
)
"""Objects of an extension are left to whoever installed it."""
_ON_POSTGRESQL: Final = {
    "table": "SELECT relname FROM pg_class WHERE relnamespace IN (SELECT oid FROM own) AND relkind IN ('r', 'p', 'f') "
    "AND ('pg_class'::regclass, oid) NOT IN (SELECT classid, objid FROM extended)",
    "view": "SELECT relname FROM pg_class WHERE relnamespace IN (SELECT oid FROM own) AND relkind IN ('v', 'm') "
    "AND ('pg_class'::regclass, oid) NOT IN (SELECT classid, objid FROM extended)",
    "index": "SELECT relname FROM pg_class WHERE relnamespace IN (SELECT oid FROM own) AND relkind IN ('i', 'I') "
    "AND oid NOT IN (SELECT conindid FROM pg_constraint)",
    "constraint": "SELECT conname FROM pg_constraint WHERE connamespace IN (SELECT oid FROM own) AND contype <> 'n'",
    "trigger": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    "rule": "SELECT rulename FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class "
    "WHERE relnamespace IN (SELECT oid FROM own) AND rulename <> '_RETURN'",
    "policy": "SELECT polname FROM pg_policy",
    "row security": "SELECT relname FROM pg_class WHERE relrowsecurity AND relnamespace IN (SELECT oid FROM own)",
    "function": "SELECT proname FROM pg_proc WHERE pronamespace IN (SELECT oid FROM own) "
    "AND ('pg_proc'::regclass, oid) NOT IN (SELECT classid, objid FROM extended)",
    "event trigger": "SELECT evtname FROM pg_event_trigger",
    "setting": "SELECT unnest(setconfig) FROM pg_db_role_setting "
    "WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "OR (setdatabase = 0 AND (setrole = 0 OR has_table_privilege(setrole, 'events', 'INSERT')))",
}
_DANGEROUS: Final = ("search_path=", "session_replication_role=")
"""Settings that make a statement read another table, or switch triggers off. Other settings are up to the operator."""
_COLUMNS: Final = (
    "SELECT relname, attname, atthasdef FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid "
    "WHERE relnamespace IN (SELECT oid FROM own) AND relkind = 'r' AND attnum > 0 AND NOT attisdropped"
)
_CREATED: Final = re.compile(r"CREATE (?:UNIQUE )?(TABLE|INDEX|TRIGGER|FUNCTION) \"?(\w+)")
_DROPPED: Final = re.compile(r"DROP (TABLE|INDEX|TRIGGER|FUNCTION) \"?(\w+)")
_CONSTRAINED: Final = re.compile(r"CONSTRAINT \"?(\w+)")
_SPELLING: Final = re.compile(r"[\s\"]")


def check(context: Context, migration: str) -> None:
    """Report every object that the migrations up to this one did not make."""
    for kind, name, text in _strange(context.reader, migration):
        context.findings.add(name, 0, "object", f"the {kind} {text}")


def _strange(reader: Reader, migration: str) -> Iterator[tuple[str, str, str]]:
    if reader.engine == "sqlite":
        due = _on_sqlite(migration)
        for kind, name, sql in reader.rows(ON_SQLITE):
            if (kind, name) not in due:
                yield kind, name, "was made by no migration"
            elif kind == "table" and due[kind, name] != _SPELLING.sub("", sql or ""):
                yield kind, name, "is not as its migrations made it"
        return
    expected = set(_on_postgresql(migration))
    for kind, statement in _ON_POSTGRESQL.items():
        for (name,) in reader.rows(_OWN + statement):
            known = not name.startswith(_DANGEROUS) if kind == "setting" else (kind, name) in expected
            expected.discard((kind, name))  # a second one, in another schema or on another table, is not the house's
            if not known:
                yield kind, name, "was made by no migration"
    if migration == HEAD:
        yield from _columns(reader)


def _columns(reader: Reader) -> Iterator[tuple[str, str, str]]:
    """Columns that the program does not know, or with another default in the database."""
    known = {
        (table.name, column.name): column.server_default is not None
        for metadata in (METADATA, ON_POSTGRESQL, REBUILT, PEOPLE)
        for table in metadata.tables.values()
        for column in table.columns
    }
    tables = {table for table, _ in known}
    for table, column, filled in reader.rows(_OWN + _COLUMNS):
        if table in tables and known.get((table, column)) is not filled:
            yield "column", f"{table}.{column}", "is not as its migrations made it"


@cache
def _on_sqlite(migration: str) -> dict[tuple[str, str], str]:
    """The objects of a new database in memory, at the same migration."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for statement in upgrade.statements("sqlite", None, migration):
            connection.execute(statement)
        objects = connection.execute(ON_SQLITE).fetchall()
    return {(kind, name): _SPELLING.sub("", sql or "") for kind, name, sql in objects}


@cache
def _on_postgresql(migration: str) -> frozenset[tuple[str, str]]:
    """Every name that the migrations create."""
    names: set[tuple[str, str]] = set()
    for statement in upgrade.statements("postgresql", None, migration):
        names -= {(kind.lower(), name) for kind, name in _DROPPED.findall(statement)}
        created = [(kind.lower(), name) for kind, name in _CREATED.findall(statement)]
        names |= {*created, *(("constraint", name) for name in _CONSTRAINED.findall(statement))}
        names |= {("constraint", f"{name}_pkey") for kind, name in created if kind == "table"}
    return frozenset(names)
