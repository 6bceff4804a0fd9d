"""A changed constraint, index or trigger of an SQLite file is found. Tests for PostgreSQL are in `tamperings.sql`."""

from __future__ import annotations

from pathlib import Path

import pytest

from punto.house.audit.database.triggers import due
from punto.house.audit.run import audit
from punto.house.store.schema import APPEND_ONLY
from tests.house.audit.sqlite_attacker import KEYS, attacked, audited


@pytest.mark.parametrize(
    ("table", "is_", "was"),
    [
        ("wallets", "cents >= 0 OR 1", "cents >= 0"),
        ("wallets", "cents >= -5", "cents >= 0"),
        ("transfers", "giver <> 'x'", "giver <> taker"),
        ("events", "(stream, version, at)", "(stream, version)"),
    ],
)
def test_a_constraint_that_is_another_is_found_on_sqlite(
    played: Path, tmp_path: Path, table: str, is_: str, was: str
) -> None:
    with attacked(played, tmp_path) as (connection, url):
        connection.execute("PRAGMA writable_schema = ON")
        changed = "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ? AND sql LIKE '%' || ? || '%'"
        assert connection.execute(changed, (was, is_, table, was)).rowcount == 1
    assert (table, "constraint") in {(finding.stream, finding.code) for finding in audited(url).findings}


@pytest.mark.parametrize("index", ["", KEYS.replace("UNIQUE ", ""), KEYS.replace("key IS NOT NULL", "key = 'x'")])
def test_an_index_that_lets_a_key_twice_is_found(played: Path, tmp_path: Path, index: str) -> None:
    with attacked(played, tmp_path) as (connection, url):
        connection.execute(index)
        assert ("events", "constraint") in {(finding.stream, finding.code) for finding in audit(url).findings}


@pytest.mark.parametrize("table", ["events", "transfers"])
def test_a_trigger_that_is_gone_or_harmless_is_found(played: Path, tmp_path: Path, table: str) -> None:
    with attacked(played, tmp_path) as (connection, url):
        for text in {text for name in APPEND_ONLY for text in due(name, "sqlite")} - set(due(table, "sqlite")):
            connection.execute(text)
        connection.execute(f"CREATE TRIGGER {table}_no_update BEFORE update ON {table} BEGIN SELECT 1; END")
        connection.execute(KEYS)
        assert [(finding.stream, finding.code) for finding in audit(url).findings] == [(table, "trigger")]
