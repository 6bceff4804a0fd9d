"""What the database refuses by itself is looked at: without it a wallet could go below nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from punto.house.audit.run import audit
from tests.house.audit.sqlite_attacker import KEYS, attacked, audited
from tests.house.databases import done_by_hand


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
    assert (table, "constraint") in {(one.stream, one.code) for one in audited(url).findings}


@pytest.mark.parametrize("index", ["", KEYS.replace("UNIQUE ", ""), KEYS.replace("key IS NOT NULL", "key = 'x'")])
def test_an_index_that_lets_a_key_twice_is_found(played: Path, tmp_path: Path, index: str) -> None:
    with attacked(played, tmp_path) as (connection, url):
        connection.execute(index)
        assert ("events", "constraint") in {(one.stream, one.code) for one in audit(url).findings}


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE wallets DROP CONSTRAINT wallets_never_negative",
        "ALTER TABLE wallets DROP CONSTRAINT wallets_never_negative, ADD CONSTRAINT wallets_never_negative "
        "CHECK (cents >= -100)",
        "ALTER TABLE transfers DROP CONSTRAINT transfers_between_two",
        "ALTER TABLE keys DROP CONSTRAINT keys_pkey",
        "DROP INDEX events_key",
    ],
)
def test_a_constraint_that_is_gone_is_found_on_postgresql(postgres_url: str, statement: str) -> None:
    assert audit(postgres_url).good
    asyncio.run(done_by_hand(postgres_url, statement))
    assert set(audit(postgres_url).counts) == {"constraint"}
