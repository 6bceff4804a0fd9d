"""Guests over HTTP: how many the house takes, what a guest has before they buy chips, and what staff do to a guest."""

from __future__ import annotations

from pathlib import Path

from punto.house.audit.run import audit
from tests.house.web.running import FIRST, PASSWORD, Person, Server, serving


def _of_its_own(url: str) -> str | None:
    """None on SQLite: then `serving` takes a file in which the staff have their own passwords."""
    return None if url.startswith("sqlite") else url


def _folder(folder: Path) -> Path:
    """A new folder beside the database of the test."""
    own = folder / "own"
    own.mkdir()
    return own


def _first(url: str) -> str:
    """The password with which staff log in: their own on SQLite, else their first one."""
    return PASSWORD if _of_its_own(url) is None else FIRST


def _streams(server: Server, staff: Person) -> int:
    """How many transfers of guests' own streams are in the ledger that the auditor exports."""
    answer = staff.get("/api/exports/ledger.csv")
    assert answer.status_code == 200, answer.text
    return sum("person/guest-" in line for line in answer.text.splitlines())


def test_a_house_that_is_full_says_so(tmp_path: Path, database_url: str) -> None:
    with (
        serving(_folder(tmp_path), "--no-demo", "--most-guests", "2", database=_of_its_own(database_url)) as server,
        Person(server) as ann,
        Person(server) as bob,
        Person(server) as eve,
    ):
        ann.enter()
        bob.enter()
        answer = eve.http.post("/api/guests")
        assert (answer.status_code, answer.json()["code"]) == (503, "house-full")
        assert answer.headers["retry-after"] == "60"
        assert "as many guests as it takes" in answer.json()["detail"]
        eve.log_in("auditor", _first(database_url))


def test_a_guest_has_play_chips_and_the_books_show_them_once_they_are_used(tmp_path: Path, database_url: str) -> None:
    with serving(_folder(tmp_path), "--no-demo", database=_of_its_own(database_url)) as server:
        with Person(server) as guest, Person(server) as staff, Person(server) as pit:
            pit.log_in("pit-manager", _first(database_url))
            pit.open("t1")
            staff.log_in("auditor", _first(database_url))
            guest.enter()
            assert guest.get("/api/me").json()["wallet"] == "10000.00"
            assert guest.get("/api/tables/t1").json()["me"]["wallet"] == "10000.00"
            guest.must("t1", {"do": "join"})
            assert _streams(server, staff) == 0
            guest.must("t1", {"do": "buy-chips", "chips": "400.00"}, {"do": "sit", "box": 2})
            assert _streams(server, staff) == 1
            guest.must("t1", {"do": "buy-chips", "chips": "100.00"})
            assert guest.get("/api/me").json()["wallet"] == "9500.00"
            assert _streams(server, staff) == 1
        server.stop()
    assert audit(server.database).findings == []


def test_staff_act_on_a_guest_who_has_used_no_money(tmp_path: Path, database_url: str) -> None:
    with serving(_folder(tmp_path), "--no-demo", database=_of_its_own(database_url)) as server:
        with Person(server) as guest, Person(server) as chief, Person(server) as second:
            guest.enter()
            chief.log_in("shift-manager", _first(database_url))
            second.log_in("pit-manager", _first(database_url))
            listed = chief.get("/api/people?guests=true&limit=500").json()
            assert [person["wallet"] for person in listed if person["guest"]] == ["0.00"], "nothing is issued yet"
            act = {"act": "balance-adjustment", "person": guest.name, "cents": "5.00", "reason": "a gift"}
            approval = chief.post("/api/approvals", act).json()
            answer = second.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]})
            assert answer.status_code == 200, answer.text
            assert guest.get("/api/me").json()["wallet"] == "10005.00"
            locked = chief.put(f"/api/people/{guest.name}/locked", {"locked": True, "reason": "r"})
            assert locked.status_code == 200, locked.text
            assert guest.get("/api/me").status_code == 401
        server.stop()
    assert audit(server.database).findings == []
