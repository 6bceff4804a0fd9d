"""Cheats, colluders and outsiders: each test is a way in that once was open, or that somebody will try first."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
import pytest

from tests.house.web.running import AT_ONCE, EDITION, LIMITS, LONG_S, Person, Server, guest, staff
from tests.house.web.test_approvals import ask
from tests.house.web.test_live import frame, watching

SLOWLY = {**AT_ONCE, "betting": 600}
FACE_DOWN = "tiger-buffalo-non-commission/2025-11-21"


def code(answer: httpx.Response) -> tuple[int, str | None]:
    return answer.status_code, answer.json().get("code")


def settled(pit: Person, ann: Person, table: str) -> None:
    """A live table whose round is settled: ann's 50.00 on the Banker are lost."""
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


def _rests(person: Person, table: str) -> int:
    """Wait until betting is open at the slow table; its version then."""
    ends = time.monotonic() + LONG_S
    while time.monotonic() < ends:
        state = person.get(f"/api/tables/{table}").json()
        if state["view"]["phase"] == "betting":
            return int(state["version"])
        time.sleep(0.05)
    raise AssertionError("no betting")


def test_a_dealer_who_was_dismissed_turns_no_card(server: Server) -> None:
    with staff(server, "shift-manager") as chief, staff(server, "pit-supervisor") as pit, Person(server) as dealer:
        password = chief.post("/api/people", {"name": "dismissed", "role": "dealer"}).json()["password"]
        dealer.log_in("dismissed", password)
        table = "dismissed-1"
        pit.open(table, edition=FACE_DOWN, layout="Q", facing="down")
        dealer.must(table, {"do": "start-duty"}, {"do": "load-shoe", "count": 416, "shuffled": True})
        dealer.must(table, {"do": "open-betting"}, {"do": "close-betting"}, {"do": "draw-card"})
        assert chief.put("/api/people/dismissed/role", {"role": "patron"}).status_code == 200
        dealer.log_in("dismissed")
        turned = dealer.do(table, {"do": "expose-card", "place": "P1", "card": "9H"})
        assert code(turned) == (403, "not-on-duty")
        assert pit.get(f"/api/tables/{table}").json()["view"]["cards"] == {"P1": None}


def test_an_answer_that_is_asked_for_again_after_a_role_is_lost_tells_no_more(server: Server) -> None:
    with staff(server, "shift-manager") as chief, staff(server, "pit-supervisor") as pit, Person(server) as dealer:
        password = chief.post("/api/people", {"name": "lowered", "role": "dealer"}).json()["password"]
        dealer.log_in("lowered", password)
        table = "lowered-1"
        pit.open(table)
        duty = {"do": "start-duty"}
        assert dealer.do(table, duty, key="once").json()["events"]
        chief.put("/api/people/lowered/role", {"role": "patron"})
        dealer.log_in("lowered")
        assert dealer.do(table, duty, key="once").status_code == 403


# ------------------------------------------------------------------ two persons


def test_one_person_cannot_be_two(server: Server) -> None:
    """A shift manager tries to make a second person of their own. A manager's rank needs two persons, and whoever
    opened an account is no second person for it."""
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
        approval = ask(puppet, **gift)
        own = chief.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]})
        assert code(own) == (403, "same-person")
        assert friend.get("/api/me").json()["wallet"] == "10000.00"
        rank = ask(chief, act="rank", person="puppet", role="pit-manager")
        path = f"/api/approvals/{rank['id']}/approve"
        assert code(chief.post(path, {"hash": rank["hash"]})) == (403, "same-person")
        done = honest.post(path, {"hash": rank["hash"]}).json()
        assert (done["state"], done["outcome"]) == ("done", {"role": "pit-manager"})
        assert puppet.get("/api/me").status_code == 401, "the session of the old role has ended"
        puppet.log_in("puppet")
        approval = ask(chief, **gift)
        own = puppet.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]})
        assert code(own) == (403, "same-person")
        approval = ask(honest, **gift)
        assert (
            puppet.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]}).json()["state"]
            == "done"
        )


def test_nobody_is_paid_by_his_own_word(server: Server) -> None:
    with staff(server, "pit-manager") as asker, staff(server, "shift-manager") as second:
        gift = {"act": "balance-adjustment", "cents": "1.00", "reason": "mine"}
        assert code(asker.post("/api/approvals", {**gift, "person": "pit-manager"})) == (403, "yourself")
        approval = ask(asker, **gift, person="shift-manager")
        mine = second.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]})
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
    with guest(server) as ann, staff(server, "shift-manager") as chief, staff(server, "pit-manager") as second:
        settled(chief, ann, table)
        chief.must(table, {"do": "report-irregularity", **report})
        command = {"do": "decide-irregularity", **ruling}
        assert code(chief.do(table, command)) == (403, "needs-approval")
        with watching(chief, table) as live:
            live.send(json.dumps({"key": "k", "csrf": chief.csrf, "command": command}))
            assert frame(live, "answer")["problem"]["code"] == "needs-approval"
        assert chief.get(f"/api/tables/{table}").json()["view"]["phase"] == "irregularity"
        if "pay" not in ruling:
            approval = ask(chief, act="late-settlement", table=table, command=command)
            assert approval["what"]["irregularity"]["kind"] == report["kind"]
            done = second.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]}).json()
            assert done["state"] == "done", done


def test_chips_are_not_found_after_the_result_by_a_dealer_alone(server: Server) -> None:
    """ann lost on the Banker. A dealer reports chips of ann's on the Player."""
    table = "found-1"
    with (
        guest(server) as ann,
        staff(server, "pit-manager") as manager,
        staff(server, "shift-manager") as second,
        staff(server, "dealer") as dealer,
    ):
        settled(manager, ann, table)
        dealer.must(table, {"do": "start-duty"})
        report = {"do": "report-chips", "patron": ann.name, "box": 1, "bet": "player", "stake": "50.00"}
        assert code(dealer.do(table, report)) == (403, "needs-approval")
        assert code(manager.do(table, report)) == (403, "needs-approval")
        approval = ask(manager, act="late-settlement", table=table, command=report)
        stale = ask(manager, act="late-settlement", table=table, command=report)
        done = second.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]}).json()
        assert done["state"] == "done", done
        dealer.must(table, {"do": "open-betting"}, {"do": "close-betting"})
        for card in ("KH", "2S", "9D", "3C"):
            dealer.must(table, {"do": "draw-card", "card": card})
        late = second.post(f"/api/approvals/{stale['id']}/approve", {"hash": stale["hash"]}).json()
        assert (late["state"], late["outcome"]["code"]) == ("failed", "another-matter")


def test_a_dealer_alone_enters_no_chips_once_the_result_is_known(server: Server) -> None:
    table = "found-2"
    with guest(server) as ann, staff(server, "pit-supervisor") as pit, staff(server, "dealer") as dealer:
        pit.open(table)
        dealer.must(table, {"do": "start-duty"}, {"do": "load-shoe", "count": 416, "shuffled": True})
        ann.must(table, {"do": "join", "chips": "100.00"}, {"do": "sit", "box": 1})
        dealer.must(table, {"do": "open-betting"})
        ann.must(table, {"do": "place-wager", "box": 1, "bet": "banker", "stake": "20.00"})
        dealer.must(table, {"do": "close-betting"})
        report = {"do": "report-chips", "patron": ann.name, "box": 1, "bet": "player", "stake": "10.00"}
        dealer.must(table, report)
        for card in ("KH", "2S", "9D", "3C"):
            dealer.must(table, {"do": "draw-card", "card": card})
        assert code(dealer.do(table, report)) == (403, "wrong-rank")
        pit.must(table, report)


def test_what_a_dismissed_person_asked_for_is_not_approved(server: Server) -> None:
    with (
        guest(server) as friend,
        staff(server, "shift-manager") as chief,
        staff(server, "pit-manager") as other,
        Person(server) as asker,
    ):
        asker.log_in("gone", chief.post("/api/people", {"name": "gone", "role": "pit-supervisor"}).json()["password"])
        approval = ask(asker, act="balance-adjustment", person=friend.name, cents="5.00", reason="a parting gift")
        chief.put("/api/people/gone/locked", {"locked": True, "reason": "dismissed"})
        late = other.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]})
        assert code(late) == (409, "not-allowed")


def test_a_report_with_a_ruling_in_one_list_needs_two_all_the_same(server: Server) -> None:
    with guest(server) as ann, staff(server, "shift-manager") as chief:
        settled(chief, ann, "listed-1")
        report = {"do": "report-irregularity", "kind": "void", "cause": "wrong-count", "round": 1}
        both = chief.do("listed-1", report, {"do": "decide-irregularity", "reason": "quick"})
        assert both.json()["code"] == "needs-approval"
        assert chief.get("/api/tables/listed-1").json()["view"]["phase"] == "settled"


def test_what_was_approved_is_not_carried_out_on_another_report(server: Server) -> None:
    """The new report has the same kind and round but other hands. The second person approved the first report."""
    with guest(server) as ann, staff(server, "pit-manager") as manager, staff(server, "shift-manager") as second:
        table = "swapped-1"
        settled(manager, ann, table)
        manager.must(table, {"do": "open-betting"})
        report = {"do": "report-irregularity", "kind": "late-table-of-play", "round": 1}
        manager.must(table, {**report, "player": ["KH", "9D", "2H"], "banker": ["2S", "3C"]})
        ruling = {"do": "decide-irregularity", "reason": "the camera shows it"}
        true = ask(manager, act="late-settlement", table=table, command=ruling)
        assert true["what"]["irregularity"]["hands"] == [["KH", "9D", "2H"], ["2S", "3C"]]
        nothing = ask(manager, act="late-settlement", table=table, command={**ruling, "action": "unfounded"})
        assert (
            second.post(f"/api/approvals/{nothing['id']}/approve", {"hash": nothing["hash"]}).json()["state"] == "done"
        )
        manager.must(table, {**report, "player": ["KH", "2D"], "banker": ["2S", "3C", "4C"]})
        swapped = second.post(f"/api/approvals/{true['id']}/approve", {"hash": true["hash"]}).json()
        assert (swapped["state"], swapped["outcome"]["code"]) == ("failed", "another-matter")


# ------------------------------------------------------------------ money


def test_the_house_has_one_currency(server: Server) -> None:
    """A wallet is good at every table, so another currency would be changed one to one."""
    with staff(server, "pit-supervisor") as pit:
        body = {"table": "dollars", "edition": EDITION, "layout": "C", "positions": 6, "limits": LIMITS}
        answer = pit.post("/api/tables", {**body, "currency": "USD"})
        assert code(answer) == (400, "bad-currency")
        pit.open("dollars")
        pit.must("dollars", {"do": "close-table"})
        again = pit.do("dollars", {"do": "open-table", **body, "currency": "JPY"})
        assert code(again) == (400, "bad-currency")


def test_a_table_is_not_full_for_ever(server: Server) -> None:
    """Guests who came and left without chips hold no place. No server is used: 256 guests would take a while."""
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


def test_a_virtual_table_keeps_its_secrets_from_everybody(server: Server) -> None:
    """By no route does anybody get the order or the salt of the shoe, or a patron the place of the cut card."""
    with staff(server, "pit-supervisor") as pit, staff(server, "auditor") as auditor, guest(server) as ann:
        table = "secret-1"
        pit.open(table, source="virtual", pace=SLOWLY)
        pit.must(table, {"do": "start-duty"})
        _rests(pit, table)
        for who in (pit, auditor, ann):
            for path in ("", "/events", "/rounds", "/rounds/1", "/rounds/1/frames", "/shoes/1", "/roads"):
                text = who.get(f"/api/tables/{table}{path}").text
                assert '"salt":"' not in text, (who.name, path)
                assert '"order":[' not in text, (who.name, path)
        events = ann.get(f"/api/tables/{table}/events").json()["events"]
        assert all(entry["event"].get("after", 0) == 0 for entry in events)
