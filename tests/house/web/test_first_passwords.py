"""A password that somebody else gave can be used to set one's own, and for nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.house.web.running import FIRST, PASSWORD, STAFF, Person, Server, guest, serving, staff
from tests.house.web.test_resets import opened, reset
from tests.patience import SOCKET

TO_BE_SET = (403, "password-to-be-set")
MAY = {
    ("GET", "/api/me"),
    ("GET", "/api/sessions/current"),
    ("POST", "/api/me/password"),
    ("POST", "/api/sessions"),
    ("POST", "/api/guests"),
    ("DELETE", "/api/sessions/current"),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("first"), "--no-rate-limits", "--no-demo") as house:
        with staff(house, "pit-manager") as pit:
            pit.open("t")
        yield house


def code(answer: httpx.Response) -> tuple[int, Any]:
    return answer.status_code, answer.json()["code"]


def every_route(server: Server) -> list[tuple[str, str]]:
    """Every route of the API, as OpenAPI lists them."""
    paths = server.get("/schema/openapi.json").json()["paths"]
    routes = [(method.upper(), path) for path, methods in paths.items() for method in methods]
    return [(method, path) for method, path in routes if path.startswith("/api/")]


def refused_everywhere(server: Server, person: Person) -> None:
    routes = every_route(server)
    assert len(routes) > 20
    for method, path in routes:
        if (method, path) in MAY:
            continue
        address = path.replace("{table}", "t").replace("{number}", "1").replace("{name}", "dealer")
        address = address.replace("{approval}", "ab").replace("{game}", "g").replace("{edition}", "e")
        address = address.replace("{export}", "rounds.csv")
        answer = person.http.request(
            method, address, json={} if method != "GET" else None, headers={"x-csrf-token": person.csrf}
        )
        assert code(answer) == TO_BE_SET, (method, path)
        assert person.http.head(address).status_code == 403 if method == "GET" else True
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(socket(server), additional_headers={"cookie": person.cookie}, **SOCKET),
    ):
        pass
    assert refused.value.response.status_code == 403
    assert b"password-to-be-set" in (refused.value.response.body or b"")


def socket(server: Server) -> str:
    return f"{server.url.replace('http', 'ws')}/api/tables/t/live"


@pytest.mark.parametrize("role", ["patron", "dealer", "pit-supervisor"])
def test_a_first_password_serves_to_set_one_s_own(server: Server, role: str) -> None:
    name = f"new-{role}"
    with staff(server, "shift-manager") as shift, Person(server) as newcomer:
        first = opened(shift, name, role)
        newcomer.come_with(name, first)
        assert newcomer.get("/api/me").json()["password_to_be_set"] is True
        refused_everywhere(server, newcomer)
        assert code(newcomer.post("/api/me/password", {"old": first, "new": first})) == (409, "same-password")
        assert newcomer.post("/api/me/password", {"old": first, "new": "a-word-of-my-own"}).status_code == 204
        assert newcomer.get("/api/me").status_code == 401, "what the first one opened has ended"
        newcomer.come_with(name, "a-word-of-my-own")
        assert newcomer.get("/api/me").json()["password_to_be_set"] is False
        assert newcomer.get("/api/tables").status_code == 200
        with connect(socket(server), additional_headers={"cookie": newcomer.cookie}, **SOCKET):
            pass
        shown = {person["name"]: person["password_by"] for person in shift.get("/api/people?limit=500").json()}
        assert shown[name] == name


def test_a_password_that_was_reset_does_as_well(server: Server) -> None:
    with staff(server, "shift-manager") as shift, Person(server) as dealer:
        dealer.log_in("forgot", opened(shift, "forgot", "dealer"))
        assert dealer.get("/api/approvals").status_code == 200
        dealer.come_with("forgot", reset(shift, "forgot"))
        shown = {person["name"]: person["password_by"] for person in shift.get("/api/people?limit=500").json()}
        assert shown["forgot"] == "shift-manager"
        refused_everywhere(server, dealer)
        out = dealer.http.delete("/api/sessions/current", headers={"x-csrf-token": dealer.csrf})
        assert out.status_code == 204


def test_the_page_comes_whatever_the_password(server: Server) -> None:
    """The page leads to the form. Other spellings of an address of the API get at most the page."""
    with staff(server, "shift-manager") as shift, Person(server) as dealer:
        dealer.come_with("looks", opened(shift, "looks", "dealer"))
        assert dealer.get("/").status_code == 200
        assert dealer.get("/sign-in").status_code == 200
        assert dealer.get("/health").status_code == 200
        for spelling in (
            "//api/approvals",
            "/api//approvals",
            "/api/approvals/",
            "/API/approvals",
            "/x/../api/approvals",
        ):
            answer = dealer.http.request("GET", httpx.URL(server.url).copy_with(raw_path=spelling.encode()))
            assert answer.status_code != 200 or "text/html" in answer.headers["content-type"], spelling


def test_guests_have_none_and_are_not_concerned(server: Server) -> None:
    with guest(server) as ann:
        assert ann.get("/api/me").json()["password_to_be_set"] is False
        assert ann.get("/api/tables").status_code == 200


def test_the_staff_of_the_first_start_set_their_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Passwords that the house prints, or takes from PUNTO_STAFF_PASSWORD, are first passwords like all others."""
    folder = tmp_path_factory.mktemp("printed")
    database = f"sqlite:///{folder / 'house.db'}"
    with serving(folder, "--no-rate-limits", "--no-demo", database=database) as fresh:
        for role in STAFF:
            with Person(fresh).come_with(role, FIRST) as member:
                assert code(member.get("/api/tables")) == TO_BE_SET
            with Person(fresh).log_in(role, FIRST) as member:
                assert member.get("/api/tables").status_code == 200
        with staff(fresh, "shift-manager") as shift:
            people = shift.get("/api/people").json()
            assert {person["name"]: person["password_by"] for person in people} == {role: role for role in STAFF}
    with (
        serving(folder, "--no-rate-limits", "--no-demo", database=database) as again,
        Person(again).come_with("dealer", PASSWORD) as member,
    ):
        assert member.get("/api/tables").status_code == 200, "a restart gives nobody another"
