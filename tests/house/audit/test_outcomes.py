"""The recorded outcome of an approval must match what happened."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.audit.sqlite_attacker import attacked, audited

FAILED = "state = 'failed' AND act = 'late-settlement'"
RULED = "state = 'done' AND act = 'late-settlement'"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE approvals SET decided_by = 'dan' WHERE state = 'rejected'",
        "UPDATE approvals SET decided_by = NULL WHERE state = 'rejected'",
        "UPDATE approvals SET decided_at = NULL WHERE state = 'rejected'",
        "UPDATE approvals SET state = 'asked' WHERE state = 'rejected'",
        """UPDATE approvals SET outcome = '{"wallet":"5.00"}' WHERE state = 'rejected'""",
        """UPDATE approvals SET outcome = '{"role":"dealer"}' WHERE act = 'rank'""",
        """UPDATE approvals SET outcome = '{"wallet":"much"}' WHERE act = 'balance-adjustment' AND state = 'done'""",
        """UPDATE approvals SET outcome = '{"wallet":5}' WHERE act = 'balance-adjustment' AND state = 'done'""",
        f"UPDATE approvals SET outcome = replace(outcome, '\"version\":', '\"version\":1') WHERE {RULED}",
        f"UPDATE approvals SET outcome = outcome || ' ' WHERE {RULED}",
        f"UPDATE approvals SET outcome = replace(outcome, 'detail', 'retail') WHERE {FAILED}",
        f"UPDATE approvals SET state = 'rejected', outcome = NULL WHERE {FAILED}",
        f"UPDATE approvals SET outcome = NULL WHERE {FAILED}",
        f"DELETE FROM approvals WHERE {FAILED}",
        "DELETE FROM refusals WHERE key LIKE '%/approval-%'",
        "UPDATE refusals SET body = zeroblob(32) WHERE key LIKE '%/approval-%'",
        "UPDATE approvals SET what = what || ' ' WHERE id = (SELECT max(id) FROM approvals)",
        "UPDATE approvals SET asked_at = asked_at - 90000000000 WHERE state = 'done'",
    ],
)
def test_what_became_of_it_is_looked_at(played: Path, tmp_path: Path, statement: str) -> None:
    with attacked(played, tmp_path) as (connection, url):
        assert connection.execute(statement).rowcount > 0
    assert set(audited(url).counts) == {"approval"}


def test_it_was_not_decided_before_it_was_asked_for(played: Path, tmp_path: Path) -> None:
    with attacked(played, tmp_path) as (connection, url):
        connection.execute("UPDATE approvals SET decided_at = asked_at - 70000000 WHERE state = 'done'")
    assert any("decided before" in finding.message for finding in audited(url).findings)


def test_a_ruling_whose_approval_is_gone_is_found_whether_it_moved_something_or_not(
    played: Path, tmp_path: Path
) -> None:
    with attacked(played, tmp_path) as (connection, _):
        every = [id for (id,) in connection.execute(f"SELECT id FROM approvals WHERE {RULED}")]
    assert len(every) > 1
    for id in every:
        with attacked(played, tmp_path) as (connection, url):
            connection.execute("DELETE FROM approvals WHERE id = ?", (id,))
        assert set(audited(url).counts) == {"approval"}, id


def test_a_key_of_somebodys_own_that_looks_like_an_approvals_is_none(played: Path, tmp_path: Path) -> None:
    """Anybody may choose such a key, and a refusal is then stored under it."""
    with attacked(played, tmp_path) as (connection, url):
        of_others = "key NOT LIKE '%/approval-%' ORDER BY stream, key LIMIT 1"
        copied = (
            f"INSERT INTO refusals SELECT stream, 'ann/x/approval-7', body, answer, at FROM refusals WHERE {of_others}"
        )
        assert connection.execute(copied).rowcount == 1
    assert audited(url).counts == {}
