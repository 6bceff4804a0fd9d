"""The triggers that keep the rows of append-only tables from being changed."""

from __future__ import annotations

import re
from typing import Final

from punto.house.audit.findings import Context
from punto.house.store.people_tables import known_addresses
from punto.house.store.schema import APPEND_ONLY, keys

ON_SQLITE: Final = 'SELECT "sql" FROM "sqlite_master" WHERE "type" = \'trigger\' AND "tbl_name" = $1'
ON_POSTGRESQL: Final = (
    "SELECT pg_get_triggerdef(t.oid, true) FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid "
    "WHERE t.tgrelid = to_regclass($1) AND t.tgenabled IN ('O', 'A') AND p.prosrc IN ($2, $3)"
)
FORBIDS: Final = " BEGIN RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is append-only'; END "
KEEPS: Final = (
    " BEGIN IF EXISTS (SELECT 1 FROM events WHERE stream = OLD.stream AND key = OLD.key) THEN "
    "RAISE EXCEPTION 'a key that stands on an event is kept'; END IF; RETURN OLD; END "
)
"""Bodies of the triggers' functions on PostgreSQL, to the letter."""
_KEY_OF_AN_EVENT: Final = "punto_key_of_an_event"
_SCHEMA: Final = re.compile(r"(?<= )\w+\.(?=\w)")


def check(context: Context) -> None:
    """Every append-only table has its triggers, word for word."""
    reader = context.reader
    sqlite = reader.engine == "sqlite"
    names = APPEND_ONLY if sqlite or not reader.has(keys.name) else (*APPEND_ONLY, keys.name)
    if not reader.has(known_addresses.name):
        names = APPEND_ONLY  # from before keys could be deleted: the next start upgrades the database
    for table in names:
        rows = reader.rows(ON_SQLITE, table) if sqlite else reader.rows(ON_POSTGRESQL, table, FORBIDS, KEEPS)
        triggers = {_SCHEMA.sub("", text) for (text,) in rows}
        if not triggers >= set(due(table, reader.engine)):
            text = "a trigger that keeps its rows from being changed is missing or changed"
            context.findings.add(str(table), 0, "trigger", text)


def due(table: str, engine: str) -> tuple[str, ...]:
    """The triggers of a table, as the engine itself prints them."""
    if engine == "sqlite":
        update, delete = (
            f"CREATE TRIGGER {table}_no_{act} BEFORE {act} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            for act in ("update", "delete")
        )
        return update, delete
    calls = "EXECUTE FUNCTION punto_append_only()"
    truncate = f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} FOR EACH STATEMENT {calls}"
    if table == keys.name:
        # A key that was only refused is deleted with its refusal; the key of an event is kept.
        kept = (
            f"CREATE TRIGGER {table}_kept BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {_KEY_OF_AN_EVENT}()"
        )
        return f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} FOR EACH ROW {calls}", kept, truncate
    return f"CREATE TRIGGER {table}_append_only BEFORE DELETE OR UPDATE ON {table} FOR EACH ROW {calls}", truncate
