"""Acts of two persons: two accounts that have passed through the same hands do not count as two (O67 to O69)."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from punto.house.audit.run import audit
from tests.house.audit.sqlite_attacker import attacked, audited, rehash
from tests.house.audit.two_person_house import change_event, done
from tests.house.web.running import Person, Server, guest, serving, staff
from tests.house.web.test_approvals import ask
from tests.house.web.test_resets import opened, reset

SAME = (403, "same-person")
DAY = 24 * 3600 * 1_000_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("two"), "--no-rate-limits", "--no-demo") as house:
        yield house


def code(answer: httpx.Response) -> tuple[int, Any]:
    return answer.status_code, answer.json().get("code", answer.json().get("state"))


def approves(second: Person, approval: dict[str, Any]) -> tuple[int, Any]:
    return code(second.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]}))


def gift(ann: Person) -> dict[str, Any]:
    return {"act": "balance-adjustment", "person": ann.name, "cents": "500.00", "reason": "for a friend"}


def test_who_opened_two_accounts_is_not_two_persons_by_them(server: Server) -> None:
    """One Shift Manager opens two accounts; another manager approves a higher rank for one of them."""
    with (
        guest(server) as ann,
        staff(server, "shift-manager") as shift,
        staff(server, "pit-manager") as honest,
        Person(server).log_in("left", opened(shift, "left", "pit-supervisor")) as left,
    ):
        word = opened(shift, "right", "pit-supervisor")
        done(shift, honest, {"act": "rank", "person": "right", "role": "pit-manager"})
        with Person(server).log_in("right", word) as right:
            approval = ask(left, **gift(ann))
            assert approves(right, approval) == SAME
            refused = right.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]})
            assert "shift-manager" in refused.json()["detail"], "it says through whose hands"
            assert approves(honest, approval) == (200, "done")
            assert approves(right, ask(honest, **gift(ann))) == (200, "done"), "those two are two"


def test_who_opened_one_and_reset_the_other_is_not_two_persons_by_them(server: Server) -> None:
    with (
        guest(server) as ann,
        staff(server, "shift-manager") as shift,
        staff(server, "pit-manager") as honest,
        Person(server).log_in("pit-supervisor", reset(shift, "pit-supervisor")) as asker,
    ):
        word = opened(shift, "second", "pit-supervisor")
        done(shift, honest, {"act": "rank", "person": "second", "role": "pit-manager"})
        with Person(server).log_in("second", word) as second:
            approval = ask(asker, **gift(ann))
            assert approves(second, approval) == SAME
            assert approves(shift, approval) == SAME, "who reset it is no second person either"
            assert approves(honest, approval) == (200, "done")


def test_chains_of_openers_count_whole(server: Server) -> None:
    """A opens B1 and B2, and B1 opens C1. Whoever is behind A may be behind all of them, so none is a second for C1."""
    with (
        guest(server) as ann,
        staff(server, "shift-manager") as shift,
        staff(server, "pit-manager") as honest,
    ):
        words = {name: opened(shift, name, "pit-supervisor") for name in ("b1", "b2")}
        for name in words:
            done(shift, honest, {"act": "rank", "person": name, "role": "shift-manager"})
        with (
            Person(server).log_in("b1", words["b1"]) as b1,
            Person(server).log_in("b2", words["b2"]) as b2,
            Person(server).log_in("c1", opened(b1, "c1", "pit-supervisor")) as c1,
        ):
            approval = ask(c1, **gift(ann))
            for second in (shift, b1, b2):
                assert approves(second, approval) == SAME
            assert approves(honest, approval) == (200, "done"), "whom the house opened is of no chain"


def test_a_reset_counts_for_as_long_as_the_house_says(tmp_path: Path) -> None:
    """That is thirty days, unless `--reset-days` says otherwise. Each approval records the days that counted."""
    house = tmp_path / "house.db"
    with serving(tmp_path, "--no-rate-limits", "--no-demo") as server, staff(server, "shift-manager") as shift:
        Person(server).log_in("pit-supervisor", reset(shift, "pit-supervisor")).http.close()
        server.stop()
    with closing(sqlite3.connect(house, isolation_level=None)) as connection:
        # The reset, and all that went before it, is moved ten days back.
        triggers = connection.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name in re.findall(r"TRIGGER (\w+)", str(triggers)):
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE events SET at = at - ?", (10 * DAY,))
        connection.execute("UPDATE people SET opened_at = opened_at - ?", (10 * DAY,))
        for (stream,) in connection.execute("SELECT DISTINCT stream FROM events").fetchall():
            rehash(connection, stream)
        for (text,) in triggers:
            connection.execute(text)
    for days, answer in ((None, SAME), (11, SAME), (9, (200, "done"))):
        option = ("--reset-days", str(days)) if days else ()
        with (
            serving(tmp_path, "--no-rate-limits", "--no-demo", *option) as server,
            guest(server) as ann,
            staff(server, "shift-manager") as shift,
            staff(server, "pit-supervisor") as pit,
        ):
            assert approves(shift, ask(pit, **gift(ann))) == answer, days
    assert audit(f"sqlite:///{house}").findings == []
    # The audit goes by the days on record: had the house said 30, it would find the approval that was given with 9.
    with attacked(house, tmp_path) as (connection, url):
        query = "SELECT stream FROM events WHERE CAST(event AS TEXT) LIKE '%approval-approved%'"
        ((stream,),) = connection.execute(query).fetchall()
        change_event(connection, stream, 2, reset_days=30)
    messages = [finding.message for finding in audited(url).findings]
    assert any("through the hands of shift-manager" in message for message in messages), messages


def test_those_whom_the_house_opened_are_two(server: Server) -> None:
    """Each has set their own password before all else."""
    with guest(server) as ann, staff(server, "shift-manager") as shift, staff(server, "pit-manager") as second:
        assert approves(second, ask(shift, **gift(ann))) == (200, "done")
        assert approves(shift, ask(second, **gift(ann))) == (200, "done")
