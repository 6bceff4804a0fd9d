"""A forgotten password: who gives a new one, and to whom."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.house.web.running import Person, Server, guest, serving, staff


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("resets"), "--no-rate-limits", "--no-demo") as house:
        yield house


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
        with Person(server).come_with("amy", first) as amy:
            second = reset(shift, "amy")
            assert amy.get("/api/me").status_code == 401, "what the old one opened has ended"
        wrong = {"name": "amy", "password": first}
        with Person(server) as nobody:
            tried = [nobody.http.post("/api/sessions", json=wrong).status_code for _ in range(6)]
        assert (tried[0], tried[-1]) == (401, 429), "five wrong ones, and they wait"
        third = reset(shift, "amy")
        assert len({first, second, third}) == 3
        with Person(server).come_with("amy", third) as amy:
            assert amy.get("/api/me").json()["name"] == "amy"
        chosen = shift.put("/api/people/amy/password", {"password": "chosen-by-the-desk"})
        assert chosen.json()["password"] is None, "who said it knows it"
        Person(server).come_with("amy", "chosen-by-the-desk").http.close()


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
