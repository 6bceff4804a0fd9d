"""What guards the records themselves: the triggers that keep rows from being changed, and the migration on record."""

from __future__ import annotations

import re
from typing import Final

from punto.house.audit import objects
from punto.house.audit.findings import Findings
from punto.house.audit.reading import Reader
from punto.house.people.tables import known_addresses
from punto.house.store.schema import APPEND_ONLY, HEAD, keys

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
"""What the triggers call on PostgreSQL, to the letter."""
MIGRATION: Final = 'SELECT "version_num" FROM "alembic_version"'
_KEY_OF_AN_EVENT: Final = "punto_key_of_an_event"
_SCHEMA: Final = re.compile(r"(?<= )\w+\.(?=\w)")


def guarded(reader: Reader, findings: Findings) -> None:
    """Every table that is only ever added to has its triggers, word for word."""
    sqlite = reader.engine == "sqlite"
    names = APPEND_ONLY if sqlite or not reader.has(keys.name) else (*APPEND_ONLY, keys.name)
    if not reader.has(known_addresses.name):
        names = APPEND_ONLY  # from before keys could be taken out: the next start brings it up to date
    for table in names:
        rows = reader.rows(ON_SQLITE, table) if sqlite else reader.rows(ON_POSTGRESQL, table, FORBIDS, KEEPS)
        found = {_SCHEMA.sub("", text) for (text,) in rows}
        if not found >= set(due(table, reader.engine)):
            findings.add(
                str(table), 0, "trigger", "nothing keeps its rows from being changed: a trigger is gone or another"
            )


def due(table: str, engine: str) -> tuple[str, ...]:
    """The triggers of a table, as the engine itself writes them down."""
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
        # A key that was only refused is taken out with its refusal; one that stands on an event is kept.
        kept = (
            f"CREATE TRIGGER {table}_kept BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {_KEY_OF_AN_EVENT}()"
        )
        return f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} FOR EACH ROW {calls}", kept, truncate
    return f"CREATE TRIGGER {table}_append_only BEFORE DELETE OR UPDATE ON {table} FOR EACH ROW {calls}", truncate


def migrated(reader: Reader, findings: Findings) -> None:
    """The database stands at a migration that there is. One that is behind is brought up to date by the next start."""
    found = [str(row[0]) for row in reader.rows(MIGRATION)]
    if len(found) != 1 or not "0001" <= found[0] <= HEAD or len(found[0]) != len(HEAD):
        findings.add("alembic_version", 0, "migration", f"there is no migration {', '.join(found) or 'on record'}")
    elif (reader.has(keys.name) != (found[0] > "0001") and reader.engine != "sqlite") or (
        reader.has(known_addresses.name) != (found[0] >= "0005")
    ):
        findings.add("alembic_version", 0, "migration", f"it says {found[0]}, and the tables are not those of it")
    elif ("password_by" in reader.columns("people")) != (found[0] >= "0004"):
        findings.add("alembic_version", 0, "migration", f"it says {found[0]}, and the columns are not those of it")
    else:
        objects.made(reader, found[0], findings)
