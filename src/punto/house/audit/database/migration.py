"""Checks that the migration on record exists, and that the database has its tables, columns and objects."""

from __future__ import annotations

from typing import Final

from punto.house.audit.database import objects
from punto.house.audit.findings import Context
from punto.house.store.people_tables import known_addresses
from punto.house.store.schema import HEAD, keys, presence, watched

MIGRATION: Final = 'SELECT "version_num" FROM "alembic_version"'


def check(context: Context) -> None:
    """An older migration is no fault: the next start upgrades the database."""
    reader = context.reader
    numbers = [str(number) for (number,) in reader.rows(MIGRATION)]
    number = numbers[0] if len(numbers) == 1 else ""
    if not "0001" <= number <= HEAD or len(number) != len(HEAD):
        fault = f"there is no migration {', '.join(numbers) or 'on record'}"
    elif (
        (reader.has(keys.name) != (number > "0001") and reader.engine != "sqlite")
        or reader.has(known_addresses.name) != (number >= "0005")
        or reader.has(presence.name) != (number >= "0006")
        or reader.has(watched.name) != (number >= "0007")
    ):
        fault = f"the database says migration {number}, but its tables are not those of that migration"
    elif ("password_by" in reader.columns("people")) != (number >= "0004"):
        fault = f"the database says migration {number}, but its columns are not those of that migration"
    else:
        objects.check(context, number)
        return
    context.findings.add("alembic_version", 0, "migration", fault)
