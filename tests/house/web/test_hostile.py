"""Cheats, colluders and outsiders: each test is a way in that once was open, or that somebody will try first."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.house.web.running import AT_ONCE, EDITION, LIMITS, PASSWORD, Person, Server, guest, serving, staff
from tests.house.web.test_approvals import ask
from tests.house.web.test_live import closed, frame, watching

SLOWLY = {**AT_ONCE, "betting": 600}
FACE_DOWN = "tiger-buffalo-non-commission/2025-11-21"


def code(answer: httpx.Response) -> tuple[int, str | None]:
    return answer.status_code, answer.json().get("code")


def settled(pit: Person, ann: Person, table: str) -> None:
    """A live table whose round is settled: Ann's 50.00 on the Banker are lost."""
    pit.open(table)
    ann.must(table, {"do": "join", "chips": "100.00"}, {"do": "sit", "box": 1})
    pit.must(table, {"do": "load-shoe", "count": 416, "shuffled": True}, {"do": "open-betting"})
    ann.must(table, {"do": "place-wager", "box": 1, "bet": "banker", "stake": "50.00"})
    pit.must(table, {"do": "close-betting"})
    for card in ("KH", "2S", "9D", "3C"):
        pit.must(table, {"do": "draw-card", "card": card})
    pit.must(table, {"do": "settle"})


# ------------------------------------------------------------------ cards that nobody may see


@pytest.mark.parametrize(
    "report",
    [
        {"kind": "excess-card", "count": 6},
        {"kind": "exposed-while-betting", "count": 1},
        {"kind": "simultaneous", "count": 2},
        {"kind": "interruption"},
        {"kind": "void", "cause": "wrong-count", "count": 3},
        {"kind": "face-up", "place": "P1", "card": "9H"},
        {"kind": "damaged-card", "place": "P1"},
        {"kind": "other-dealing-error", "player": ["9H", "KD"], "banker": ["2S", "3S"]},
    ],
)
def test_nobody_peeks_into_a_virtual_shoe_by_a_report(server: Server, report: dict[str, Any]) -> None:
    table = f"peek-{report['kind']}"
    with staff(server, "pit-supervisor") as pit, staff(server, "dealer") as dealer:
        pit.open(table, source="virtual", pace=SLOWLY)
        dealer.must(table, {"do": "start-duty"})
        before = _rests(pit, table)
        answer = dealer.do(table, {"do": "report-irregularity", **report})
        assert code(answer) == (403, "virtual-table")
        listed = dealer.do(table, {"do": "report-irregularity", **report}, {"do": "resume-play"})
        assert code(listed) == (403, "virtual-table"), "a list that fails must tell nothing either"
        assert pit.get(f"/api/tables/{table}").json()["version"] == before


def _rests(one: Person, table: str) -> int:
    """The version at which the slow table waits for wagers."""
    ends = time.monotonic() + 10
    while time.monotonic() < ends:
        found = one.get(f"/api/tables/{table}").json()
        if found["view"]["phase"] == "betting":
            return int(found["version"])
        time.sleep(0.05)
    raise AssertionError("no betting")


def test_a_dealer_who_was_dismissed_turns_no_card(server: Server) -> None:
    with staff(server, "shift-manager") as chief, staff(server, "pit-supervisor") as pit, Person(server) as one:
        password = chief.post("/api/people", {"name": "dismissed", "role": "dealer"}).json()["password"]
        one.log_in("dismissed", password)
        table = "dismissed-1"
        pit.open(table, edition=FACE_DOWN, layout="Q", facing="down")
        one.must(table, {"do": "start-duty"}, {"do": "load-shoe", "count": 416, "shuffled": True})
        one.must(table, {"do": "open-betting"}, {"do": "close-betting"}, {"do": "draw-card"})
        assert chief.put("/api/people/dismissed/role", {"role": "patron"}).status_code == 200
        one.log_in("dismissed", password)
        turned = one.do(table, {"do": "expose-card", "place": "P1", "card": "9H"})
        assert code(turned) == (403, "not-on-duty")
        assert pit.get(f"/api/tables/{table}").json()["view"]["cards"] == {"P1": None}


def test_an_answer_that_is_asked_for_again_after_a_role_is_lost_tells_no_more(server: Server) -> None:
    with staff(server, "shift-manager") as chief, staff(server, "pit-supervisor") as pit, Person(server) as one:
        password = chief.post("/api/people", {"name": "lowered", "role": "dealer"}).json()["password"]
        one.log_in("lowered", password)
        table = "lowered-1"
        pit.open(table)
        duty = {"do": "start-duty"}
        assert one.do(table, duty, key="once").json()["events"]
        chief.put("/api/people/lowered/role", {"role": "patron"})
        one.log_in("lowered", password)
        assert one.do(table, duty, key="once").status_code == 403


# ------------------------------------------------------------------ two persons


def test_one_person_cannot_be_two(server: Server) -> None:
    """A shift manager makes himself a second: a manager's rank takes two, and who opened the account is no other."""
    with (
        guest(server) as friend,
        staff(server, "shift-manager") as chief,
        staff(server, "pit-manager") as honest,
        Person(server) as puppet,
    ):
        for role in ("pit-manager", "shift-manager"):
            opened = chief.post("/api/people", {"name": "puppet", "role": role})
            assert code(opened) == (403, "needs-approval")
        password = chief.post("/api/people", {"name": "puppet", "role": "pit-supervisor"}).json()["password"]
        raised = chief.put("/api/people/puppet/role", {"role": "pit-manager"})
        assert code(raised) == (403, "needs-approval")
        puppet.log_in("puppet", password)
        gift = {"act": "balance-adjustment", "person": friend.name, "cents": "500.00", "reason": "for a friend"}
        asked = ask(puppet, **gift)
        own = chief.post(f"/api/approvals/{asked['id']}/approve", {"hash": asked["hash"]})
        assert code(own) == (403, "same-person")
        assert friend.get("/api/me").json()["wallet"] == "10000.00"
        rank = ask(chief, act="rank", person="puppet", role="pit-manager")
        path = f"/api/approvals/{rank['id']}/approve"
        assert code(chief.post(path, {"hash": rank["hash"]})) == (403, "same-person")
        done = honest.post(path, {"hash": rank["hash"]}).json()
        assert (done["state"], done["outcome"]) == ("done", {"role": "pit-manager"})
        assert puppet.get("/api/me").status_code == 401, "the session of the old role has ended"
        puppet.log_in("puppet", password)
        asked = ask(chief, **gift)
        own = puppet.post(f"/api/approvals/{asked['id']}/approve", {"hash": asked["hash"]})
        assert code(own) == (403, "same-person")
        asked = ask(honest, **gift)
        assert puppet.post(f"/api/approvals/{asked['id']}/approve", {"hash": asked["hash"]}).json()["state"] == "done"


def test_nobody_is_paid_by_his_own_word(server: Server) -> None:
    with staff(server, "pit-manager") as one, staff(server, "shift-manager") as two:
        gift = {"act": "balance-adjustment", "cents": "1.00", "reason": "mine"}
        assert code(one.post("/api/approvals", {**gift, "person": "pit-manager"})) == (403, "yourself")
        asked = ask(one, **gift, person="shift-manager")
        mine = two.post(f"/api/approvals/{asked['id']}/approve", {"hash": asked["hash"]})
        assert code(mine) == (403, "same-person")


@pytest.mark.parametrize(
    ("report", "ruling"),
    [
        ({"kind": "void", "cause": "wrong-count", "round": 1}, {"reason": "miscounted"}),
        ({"kind": "discretion"}, {"action": "void", "reason": "because"}),
        ({"kind": "discretion"}, {"action": "options", "reason": "because"}),
        ({"kind": "discretion"}, {"action": "pay", "pay": {"ann": "1.00"}, "reason": "because"}),
        (
            {"kind": "other-dealing-error", "player": ["KH", "2D"], "banker": ["2S", "7C"]},
            {"reason": "the camera shows it"},
        ),
    ],
)
def test_a_settled_round_is_put_right_by_two(server: Server, report: dict[str, Any], ruling: dict[str, Any]) -> None:
    table = f"settled-{report['kind']}-{ruling.get('action', 'plain')}"
    with guest(server) as ann, staff(server, "shift-manager") as one, staff(server, "pit-manager") as two:
        settled(one, ann, table)
        one.must(table, {"do": "report-irregularity", **report})
        command = {"do": "decide-irregularity", **ruling}
        assert code(one.do(table, command)) == (403, "needs-approval")
        with watching(one, table) as live:
            live.send(json.dumps({"key": "k", "csrf": one.csrf, "command": command}))
            assert frame(live, "answer")["problem"]["code"] == "needs-approval"
        assert one.get(f"/api/tables/{table}").json()["view"]["phase"] == "irregularity"
        if "pay" not in ruling:
            asked = ask(one, act="late-settlement", table=table, command=command)
            assert asked["what"]["irregularity"]["kind"] == report["kind"]
            done = two.post(f"/api/approvals/{asked['id']}/approve", {"hash": asked["hash"]}).json()
            assert done["state"] == "done", done


def test_a_report_with_a_ruling_in_one_list_needs_two_all_the_same(server: Server) -> None:
    with guest(server) as ann, staff(server, "shift-manager") as one:
        settled(one, ann, "listed-1")
        report = {"do": "report-irregularity", "kind": "void", "cause": "wrong-count", "round": 1}
        both = one.do("listed-1", report, {"do": "decide-irregularity", "reason": "quick"})
        assert both.json()["code"] == "needs-approval"
        assert one.get("/api/tables/listed-1").json()["view"]["phase"] == "settled"


def test_what_was_approved_is_not_carried_out_on_another_report(server: Server) -> None:
    """The same kind, the same round, other hands: the second person said yes to the first."""
    with guest(server) as ann, staff(server, "pit-manager") as one, staff(server, "shift-manager") as two:
        table = "swapped-1"
        settled(one, ann, table)
        one.must(table, {"do": "open-betting"})
        report = {"do": "report-irregularity", "kind": "late-table-of-play", "round": 1}
        one.must(table, {**report, "player": ["KH", "9D", "2H"], "banker": ["2S", "3C"]})
        ruling = {"do": "decide-irregularity", "reason": "the camera shows it"}
        true = ask(one, act="late-settlement", table=table, command=ruling)
        assert true["what"]["irregularity"]["hands"] == [["KH", "9D", "2H"], ["2S", "3C"]]
        nothing = ask(one, act="late-settlement", table=table, command={**ruling, "action": "unfounded"})
        assert two.post(f"/api/approvals/{nothing['id']}/approve", {"hash": nothing["hash"]}).json()["state"] == "done"
        one.must(table, {**report, "player": ["KH", "2D"], "banker": ["2S", "3C", "4C"]})
        swapped = two.post(f"/api/approvals/{true['id']}/approve", {"hash": true["hash"]}).json()
        assert (swapped["state"], swapped["outcome"]["code"]) == ("failed", "another-matter")


# ------------------------------------------------------------------ money


def test_the_house_has_one_currency(server: Server) -> None:
    """A wallet is good at every table: chips of another currency would be changed at par."""
    with staff(server, "pit-supervisor") as pit:
        body = {"table": "dollars", "edition": EDITION, "layout": "C", "positions": 6, "limits": LIMITS}
        answer = pit.post("/api/tables", {**body, "currency": "USD"})
        assert code(answer) == (400, "bad-currency")
        pit.open("dollars")
        pit.must("dollars", {"do": "close-table"})
        again = pit.do("dollars", {"do": "open-table", **body, "currency": "JPY"})
        assert code(again) == (400, "bad-currency")


def test_a_table_is_not_full_for_ever(server: Server) -> None:
    """Guests who came, looked and left hold no place. Only the state is looked at: 256 guests would take a while."""
    from punto.game import commands as c
    from punto.game.decide import apply
    from punto.game.refusals import Refusal
    from punto.game.table import NEW, TableLimits
    from punto.money import Cents
    from punto.rulebook import load
    from punto.rulebook.model import Rank

    rules = load.edition(*EDITION.split("/"))
    limits = TableLimits(minimum_cents=Cents(1000), maximum_differential_cents=Cents(100_000))
    opened = c.OpenTable(
        by="sue", rank=Rank.PIT_SUPERVISOR, table="t", edition=EDITION, layout="C", positions=6, limits=limits
    )
    table, _ = apply(rules, NEW, opened)
    for number in range(256):
        table, answer = apply(rules, table, c.Join(patron=f"guest-{number}", chips_cents=Cents(number == 0)))
        assert not isinstance(answer, Refusal)
        if number % 2:
            table, _ = apply(rules, table, c.Leave(patron=f"guest-{number}"))
    table, answer = apply(rules, table, c.Join(patron="ann"))
    assert not isinstance(answer, Refusal)
    assert len(table.patrons) == 256
    assert "guest-1" not in table.patrons, "who walked away first"
    assert "guest-0" in table.patrons, "who has chips stays"


# ------------------------------------------------------------------ outsiders


def raw(server: Server, *lines: bytes) -> socket.socket:
    """A connection with these bytes sent, as no well-behaved client would."""
    parts = urlsplit(server.url)
    found = socket.create_connection((parts.hostname or "", parts.port or 0), timeout=30)
    for line in lines:
        found.sendall(line)
    return found


def test_a_name_that_is_known_is_no_weapon(tmp_path: Path) -> None:
    """Behind a proxy: wrong passwords from one address keep nobody out at another."""
    with (
        serving(tmp_path, "--no-demo", "--behind-tls", "--no-rate-limits") as server,
        httpx.Client(base_url=server.url) as client,
    ):

        def log_in(address: str, name: str, password: str) -> int:
            headers = {"x-forwarded-for": address, "x-forwarded-proto": "https"}
            return client.post("/api/sessions", json={"name": name, "password": password}, headers=headers).status_code

        wrong = [log_in("198.51.100.7", "shift-manager", "guess-guess") for _ in range(6)]
        assert wrong == [401] * 5 + [429]
        assert log_in("198.51.100.7", "shift-manager", PASSWORD) == 429
        assert log_in("192.0.2.1", "shift-manager", PASSWORD) == 201
        unknown = [log_in("198.51.100.8", "nobody-at-all", "guess-guess") for _ in range(6)]
        assert unknown == wrong, "how it is answered does not tell whether there is such an account"
        rotated = [log_in(f"2001:db8::{number:x}", "pit-manager", "guess-guess") for number in range(1, 7)]
        assert rotated == wrong, "one customer has a whole /64 of addresses"


def test_a_page_over_plain_http_is_another_site_behind_tls(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-demo", "--behind-tls") as server, httpx.Client(base_url=server.url) as client:
        host = server.url.removeprefix("http://")
        assert client.post("/api/guests", headers={"origin": f"http://{host}"}).status_code == 403
        answer = client.post("/api/guests", headers={"origin": f"https://{host}"})
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-punto_session=")
        assert "domain" not in cookie.lower()
        token = cookie.partition(";")[0].partition("=")[2]
        for name, status in (("__Host-punto_session", 200), ("punto_session", 401)):
            found = httpx.get(f"{server.url}/api/me", headers={"cookie": f"{name}={token}"})
            assert found.status_code == status, name


def test_names_made_up_for_one_file_are_kept_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from punto.house.web import page

    (tmp_path / "index.html").write_bytes(b"<!doctype html>")
    monkeypatch.setattr(page, "PAGE", tmp_path)
    monkeypatch.setattr(page, "_files", {})
    for number in range(100):
        assert page._file(f"{number}/../index.html") == b"<!doctype html>"
    assert page._file("../../etc/passwd") is None
    assert len(page._files) == 1


def test_the_head_of_a_request_has_an_end(server: Server) -> None:
    for start in (b"X-Endless: ", b"Content-Length: 99999999\r\n\r\n"):
        head = b"GET /api/tables HTTP/1.1\r\nHost: x\r\n" + start
        with raw(server, head) as one, pytest.raises((ConnectionError, BrokenPipeError)):
            _poured(one)


def _poured(into: socket.socket) -> None:
    for _ in range(200):
        into.sendall(b"x" * 65_536)
        time.sleep(0.005)


def test_who_lets_the_house_wait_is_cut_off(server: Server) -> None:
    began = time.monotonic()
    with raw(server, b"GET /api/tables HTTP/1.1\r\nHost: x\r\n") as half, raw(server) as silent:
        for one in (half, silent):
            with suppress(ConnectionResetError):
                assert one.recv(10) == b""
    assert time.monotonic() - began < 29


@contextmanager
def limited(folder: Path) -> Iterator[Server]:
    with serving(folder, "--no-demo") as server:
        yield server


def test_a_list_costs_what_its_commands_cost(tmp_path: Path) -> None:
    """Sit down and stand up, 64 at once, for ever: what is written is never taken out again."""
    with limited(tmp_path) as server, staff(server, "pit-supervisor") as pit, guest(server) as ann:
        pit.open("churn")
        ann.must("churn", {"do": "join"})
        many = [{"do": "sit", "box": 1}, {"do": "stand-up"}] * 32
        answers = [ann.do("churn", *many).status_code for _ in range(4)]
        assert answers[0] == 200
        assert answers[-1] == 429


def test_a_socket_without_a_session_is_not_listened_to_for_long(tmp_path: Path) -> None:
    with limited(tmp_path) as server, staff(server, "pit-supervisor") as pit, Person(server) as nobody:
        pit.open("heard")
        with watching(nobody, "heard") as live:
            for _ in range(25):
                live.send(json.dumps({"key": "k", "csrf": "", "command": {"do": "join"}}))
            assert closed(live, 5) == 4403


def test_no_nesting_makes_a_bug(server: Server) -> None:
    with staff(server, "pit-supervisor") as pit, guest(server) as ann:
        for depth in (500, 900, 5_000, 60_000):
            deep = b"[" * depth + b"]" * depth
            opened = pit.raw("/api/tables", b'{"table":"deep","edition":' + deep + b"}")
            joined = ann.raw("/api/tables/nowhere/commands", b'{"key":"k","command":{"do":"join","x":' + deep + b"}}")
            asked = pit.raw("/api/approvals", b'{"act":"late-settlement","table":"t","command":{"do":' + deep + b"}}")
            assert {opened.status_code, joined.status_code, asked.status_code} <= {400, 404}, depth


def test_private_answers_are_not_kept_by_anybody_between(server: Server) -> None:
    with guest(server) as ann, staff(server, "auditor") as auditor:
        for path in ("/api/me", "/api/me/rounds", "/api/tables", "/api/approvals"):
            assert ann.get(path).headers["cache-control"] == "no-store", path
        for path in ("/api/exports/ledger.csv", "/api/approvals"):
            assert auditor.get(path).headers["cache-control"] == "no-store", path


def test_a_socket_that_lost_its_session_gives_no_command(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-supervisor") as pit:
        pit.open("revoked-1")
        with watching(ann, "revoked-1") as live:
            frame(live)
            assert ann.http.delete("/api/sessions/current", headers={"x-csrf-token": ann.csrf}).status_code == 204
            with suppress(ConnectionClosed):
                live.send(json.dumps({"key": "k", "csrf": ann.csrf, "command": {"do": "join", "chips": "1.00"}}))
            assert closed(live, 2) == 4401
        assert pit.get("/api/tables/revoked-1").json()["view"].get("patrons", {}) == {}


def test_a_virtual_table_keeps_its_secrets_from_everybody(server: Server) -> None:
    """Whoever asks, wherever: no order, no salt, no place of the cut card for those who play."""
    with staff(server, "pit-supervisor") as pit, staff(server, "auditor") as auditor, guest(server) as ann:
        table = "secret-1"
        pit.open(table, source="virtual", pace=SLOWLY)
        pit.must(table, {"do": "start-duty"})
        _rests(pit, table)
        for who in (pit, auditor, ann):
            for path in ("", "/events", "/rounds", "/rounds/1", "/shoes/1", "/roads"):
                text = who.get(f"/api/tables/{table}{path}").text
                assert '"salt":"' not in text, (who.name, path)
                assert '"order":[' not in text, (who.name, path)
        told = ann.get(f"/api/tables/{table}/events").json()["events"]
        assert all(one["event"].get("after", 0) == 0 for one in told)
