"""Keys on PostgreSQL: answered twice, taken without an answer, or answered but not in the table `keys`."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from punto.house.audit.run import audit
from tests.house.audit.played_house import play
from tests.house.databases import made_older

REFUSED = "INSERT INTO refusals SELECT stream, key, body, convert_to('{answer}', 'UTF8') FROM events WHERE {first}"
FIRST = "(stream, version) IN (SELECT stream, min(version) FROM events WHERE stream LIKE 'table/%' GROUP BY stream)"
ANSWER = '{"type":"about:blank","title":"no","status":409,"code":"not-now","detail":"no"}'
BROKEN = {
    "carried out and refused": REFUSED.format(answer=ANSWER, first=FIRST),
    "no command and no refusal has it": "INSERT INTO keys SELECT stream, 'never' FROM events WHERE " + FIRST,
    "was answered, but": "DELETE FROM keys WHERE (stream, key) IN (SELECT stream, key FROM events WHERE " + FIRST + ")",
    "so it could be answered again": "DELETE FROM keys WHERE (stream, key) IN (SELECT stream, key FROM refusals)",
}


async def broken(url: str, statement: str) -> None:
    """Change the database as somebody with full rights, past its triggers."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("SET session_replication_role = replica")
        assert await connection.execute(statement) not in ("INSERT 0 0", "DELETE 0")
    finally:
        await connection.close()


@pytest.mark.parametrize(("said", "statement"), BROKEN.items())
def test_a_key_that_is_not_answered_once_is_found(postgres_url: str, said: str, statement: str) -> None:
    assert asyncio.run(play(postgres_url, number=1, rounds=2, seed=9))["accepted"] < 1000
    assert audit(postgres_url).findings == []
    asyncio.run(broken(postgres_url, statement))
    report = audit(postgres_url)
    assert report.counts.keys() == {"key"}
    assert all(said in finding.message for finding in report.findings)
    assert {finding.stream for finding in report.findings} == {"table/t9-0"}


def test_a_house_from_before_there_were_keys_can_be_audited(database_url: str) -> None:
    asyncio.run(play(database_url, number=1, rounds=1, seed=9))
    asyncio.run(made_older(database_url))
    assert audit(database_url).good
