"""A forgotten password: who gives a new one, to whom, and whose second person he is no more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from punto.house.audit.run import audit
from tests.house.audit.acting import done, said
from tests.house.audit.tampering import attacked
from tests.house.web.running import Person, Server, guest, serving, staff
from tests.house.web.test_approvals import ask


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("resets"), "--no-rate-limits", "--no-demo") as one:
        yield one


def opened(shift: Person, name: str, role: str = "patron") -> str:
    answer = shift.post("/api/people", {"name": name, "role": role})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["password"])


def reset(shift: Person, name: str) -> str:
    answer = shift.put(f"/api/people/{name}/password", {})
    assert (answer.status_code, answer.json()["name"]) == (200, name), answer.text
    return str(answer.json()["password"])


def test_who_forgot_his_password_comes_in_with_a_new_one(server: Server) -> None:
    with staff(server, "shift-manager") as shift:
        first = opened(shift, "amy")
        with Person(server).log_in("amy", first) as amy:
            second = reset(shift, "amy")
            assert amy.get("/api/me").status_code == 401, "what the old one opened has ended"
        wrong = {"name": "amy", "password": first}
        with Person(server) as nobody:
            tried = [nobody.http.post("/api/sessions", json=wrong).status_code for _ in range(6)]
        assert (tried[0], tried[-1]) == (401, 429), "five wrong ones, and he waits"
        third = reset(shift, "amy")
        assert len({first, second, third}) == 3
        with Person(server).log_in("amy", third) as amy:
            assert amy.get("/api/me").json()["name"] == "amy"
        chosen = shift.put("/api/people/amy/password", {"password": "chosen-by-the-desk"})
        assert chosen.json()["password"] is None, "who said it knows it"
        Person(server).log_in("amy", "chosen-by-the-desk").http.close()


def test_nobody_else_gives_one_and_not_everybody_gets_one(server: Server) -> None:
    with staff(server, "shift-manager") as shift, guest(server) as visitor:
        opened(shift, "bea")
        for role in ("dealer", "pit-supervisor", "pit-manager", "auditor"):
            with staff(server, role) as other:
                assert other.put("/api/people/bea/password", {}).status_code == 403
        assert visitor.put("/api/people/bea/password", {}).status_code == 403
        for name, status, code in (
            ("shift-manager", 409, "yourself"),
            (visitor.name, 409, "guest"),
            ("nobody-here", 404, "not-found"),
            ("pit-manager", 403, "needs-approval"),
        ):
            answer = shift.put(f"/api/people/{name}/password", {})
            assert (answer.status_code, answer.json()["code"]) == (status, code), name


def test_who_gave_a_password_is_no_second_person(server: Server) -> None:
    """Else a Shift Manager would ask as the one and approve as the other (O49)."""
    with guest(server) as ann, staff(server, "shift-manager") as shift, staff(server, "pit-manager") as pit:
        act = {"act": "balance-adjustment", "person": ann.name, "cents": "5.00", "reason": "a gift"}
        opened(shift, "max", "dealer")
        with Person(server).log_in("pit-supervisor", reset(shift, "pit-supervisor")) as asker:
            asked = ask(asker, **act)
            path, body = f"/api/approvals/{asked['id']}/approve", {"hash": asked["hash"]}
            refused = shift.post(path, body)
            assert (refused.status_code, refused.json()["code"]) == (403, "same-person")
            word = reset(shift, "max")
            done(shift, pit, {"act": "rank", "person": "max", "role": "pit-manager"})
            with Person(server).log_in("max", word) as both:
                refused = both.post(path, body)
                assert (refused.status_code, refused.json()["code"]) == (403, "same-person"), "one knew both words"
            assert pit.post(path, body).json()["state"] == "done"
        assert shift.put("/api/people/max/password", {}).json()["code"] == "needs-approval", "he is a manager now"


def test_the_audit_reads_who_gave_it(tmp_path: Path) -> None:
    with (
        serving(tmp_path, "--no-rate-limits", "--no-demo") as server,
        guest(server) as ann,
        staff(server, "shift-manager") as shift,
        staff(server, "pit-manager") as pit,
        Person(server).log_in("pit-supervisor", reset(shift, "pit-supervisor")) as asker,
    ):
        done(asker, pit, {"act": "balance-adjustment", "person": ann.name, "cents": "5.00", "reason": "a gift"})
        assert server.stop() < 10
    house, stream = tmp_path / "house.db", "person/pit-supervisor"
    assert audit(f"sqlite:///{house}").findings == []
    for by, finding in (
        ("dealer", "was no Shift Manager when"),
        ("pit-supervisor", "may not give pit-supervisor a new password"),
        ("pit-manager", "one person gave new passwords"),
    ):
        with attacked(house, tmp_path) as (connection, url):
            asked = "SELECT version FROM events WHERE stream = ? AND CAST(event AS TEXT) LIKE '%password-reset%'"
            ((version,),) = connection.execute(asked, (stream,))
            connection.execute("UPDATE events SET actor = ? WHERE stream = ? AND version = ?", (by, stream, version))
            said(connection, stream, version, by=by)
            # By clocks that may differ, what was approved a minute later was approved after it.
            connection.execute(
                "UPDATE approvals SET asked_at = asked_at + 90000000, decided_at = decided_at + 90000000"
            )
        told = [one.message for one in audit(url).findings]
        assert any(finding in one for one in told), told
