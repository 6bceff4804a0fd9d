"""A table that is missing from the list of tables. Other errors of the list are in `tamperings.sql`."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from punto.house.audit.tables.table_list import OpenedTable, _faults
from punto.house.store.clock_steps import Steps
from tests.house.audit.sqlite_attacker import attacked, audited, rehash

LATER = "UPDATE events SET at = at + 120000000 WHERE stream = 'person/ann' AND count = 1"


def test_a_table_that_is_not_listed_is_found_once_the_house_has_lived_on(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node opens a table and then lists it, and may die in between. So this counts only if later events exist."""
    in_an_hour = time.time_ns() + 3600 * 10**9
    monkeypatch.setattr(time, "time_ns", lambda: in_an_hour)
    for later, codes in ((False, set()), (True, {"table"})):
        with attacked(played, tmp_path) as (connection, url):
            connection.execute("DELETE FROM tables WHERE id = (SELECT min(id) FROM tables)")
            if later:
                assert connection.execute(LATER).rowcount
                rehash(connection, "person/ann")
        assert set(audited(url).counts) == codes


def test_a_virtual_table_has_a_pace_and_a_live_one_may() -> None:
    """The house's dealer follows the pace. At a live table it sets the clock for betting."""
    said = {
        (virtual, pace): [*_faults(Steps(()), OpenedTable(1, "a-game", virtual), "a-game", pace, 0, 1)]
        for virtual in (True, False)
        for pace in (None, '{"betting":30}')
    }
    assert [key for key, faults in said.items() if faults] == [(True, None)]
