"""Acts that need two persons: the second is another person of the right rank, who approves exactly this act, once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from punto.house.store.names import Role
from tests.house.table.playing import Time, a_house
from tests.house.web.desk import Desk
from tests.house.web.running import Person, Server, guest, staff


def ask(asker: Person, **act: Any) -> dict[str, Any]:
    answer = asker.post("/api/approvals", act)
    assert answer.status_code == 201, answer.text
    approval: dict[str, Any] = answer.json()
    return approval


def test_a_balance_is_adjusted_by_two(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-manager") as asker, staff(server, "shift-manager") as second:
        adjustment = {"act": "balance-adjustment", "person": ann.name, "cents": "-12.50", "reason": "paid twice"}
        for role in ("dealer", "auditor"):
            with staff(server, role) as other:
                assert other.post("/api/approvals", adjustment).status_code == 403
        assert ann.post("/api/approvals", adjustment).status_code == 403
        approval = ask(asker, **adjustment)
        assert (approval["state"], approval["what"]["cents"]) == ("asked", "-12.50")
        path = f"/api/approvals/{approval['id']}/approve"
        same = asker.post(path, {"hash": approval["hash"]})
        assert (same.status_code, same.json()["code"]) == (403, "same-person")
        with staff(server, "pit-supervisor") as low:
            assert low.post(path, {"hash": approval["hash"]}).status_code == 403
        assert second.post(path, {"hash": "0" * 64}).json()["code"] == "hash-mismatch"
        assert ann.get("/api/me").json()["wallet"] == "10000.00"
        done = second.post(path, {"hash": approval["hash"]})
        assert (done.status_code, done.json()["state"], done.json()["decided_by"]) == (200, "done", "shift-manager")
        assert ann.get("/api/me").json()["wallet"] == "9987.50"
        assert second.post(path, {"hash": approval["hash"]}).json()["code"] == "already-decided"
        assert ann.get("/api/me").json()["wallet"] == "9987.50"


ASKS = {
    "dealer": ["late-settlement"],
    "pit-supervisor": ["balance-adjustment", "late-settlement"],
    "pit-manager": ["balance-adjustment", "late-settlement"],
    "shift-manager": ["balance-adjustment", "rank", "late-settlement"],
    "auditor": [],
}


def test_everybody_is_told_what_they_may_ask_for(server: Server) -> None:
    """And may ask for just that. What is asked here is nonsense: it is refused as such, not because of who asks."""
    acts: dict[str, dict[str, Any]] = {
        "balance-adjustment": {"person": "nobody", "cents": "1.00", "reason": "a gift"},
        "rank": {"person": "nobody", "role": "pit-manager"},
        "late-settlement": {"table": "nowhere", "command": {"do": "decide-irregularity"}},
    }
    with guest(server) as ann:
        assert ann.get("/api/me").json()["asks"] == []
        assert {ann.post("/api/approvals", {"act": act, **said}).status_code for act, said in acts.items()} == {403}
    for role, asks in ASKS.items():
        with staff(server, role) as person:
            assert person.get("/api/me").json()["asks"] == asks, role
            answers = {act: person.post("/api/approvals", {"act": act, **said}) for act, said in acts.items()}
            assert [act for act, answer in answers.items() if answer.status_code != 403] == asks, role


def test_what_can_be_done_with_an_approval_is_what_is_heard(server: Server) -> None:
    """This holds for the asker, managers and all others who see it, while it waits and once it is decided."""
    said = {"act": "balance-adjustment", "cents": "1.00", "reason": "a gift"}
    heard = {"pit-supervisor": [], "auditor": [], "pit-manager": ["reject"], "shift-manager": ["approve", "reject"]}
    with guest(server) as ann, staff(server, "pit-manager") as asker:
        for role, offered in heard.items():
            approval = ask(asker, **said, person=ann.name)
            with staff(server, role) as person:
                assert can(person, approval) == offered, role
                path = f"/api/approvals/{approval['id']}"
                accepted = []
                if person.post(f"{path}/approve", {"hash": approval["hash"]}).status_code == 200:
                    accepted.append("approve")
                    assert can(person, approval) == []
                    approval = ask(asker, **said, person=ann.name)
                if person.post(f"/api/approvals/{approval['id']}/reject").status_code == 200:
                    accepted.append("reject")
                    assert can(person, approval) == can(asker, approval) == []
                assert accepted == offered, role
        with staff(server, "dealer") as dealer:
            assert can(dealer, ask(asker, **said, person=ann.name)) is None


def can(person: Person, approval: dict[str, Any]) -> list[str] | None:
    """What a person can do with an approval, by their list; None if they do not see it."""
    return next((seen["can"] for seen in person.get("/api/approvals").json() if seen["id"] == approval["id"]), None)


async def test_nobody_is_offered_what_would_be_refused(sqlite_url: str) -> None:
    """Not the person concerned, not a person through whose hands the asker's account has passed, nobody after a day."""
    now = Time()
    async with a_house(sqlite_url, now) as house:
        desk = Desk(house)
        roles = {"shift": Role.SHIFT_MANAGER, "other": Role.PIT_MANAGER, "giver": Role.SHIFT_MANAGER}
        people = {name: await desk.session(name, role) for name, role in (*roles.items(), ("sue", Role.PIT_SUPERVISOR))}
        assert await desk.parts.accounts.reset_password("sue", "from-the-desk", "giver")
        what = {"person": "other", "cents": "1.00", "reason": "a gift"}
        approval = await desk.parts.approvals.ask("balance-adjustment", what, "sue")

        async def offered(name: str) -> list[str]:
            (shown,) = (await desk.http.get("/api/approvals", headers=people[name])).json()
            path, body = f"/api/approvals/{approval.id}/approve", {"hash": approval.hash}
            if "approve" not in shown["can"]:
                refused = await desk.http.post(path, json=body, headers=people[name])
                assert refused.status_code in (403, 409), refused.text
            can: list[str] = shown["can"]
            return can

        assert {name: await offered(name) for name in roles} == {
            "shift": ["approve", "reject"],
            "other": ["reject"],
            "giver": ["reject"],
        }
        now.pass_by(24 * 3600 + 1)
        people["shift"] = await desk.again("shift")
        assert await offered("shift") == ["reject"]
        await desk.http.aclose()


def test_many_approve_at_once_and_it_is_done_once(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-supervisor") as asker:
        approval = ask(asker, act="balance-adjustment", person=ann.name, cents="1.00", reason="a gift")
        people = [staff(server, role) for role in ("pit-manager", "shift-manager") * 4]
        path = f"/api/approvals/{approval['id']}/approve"
        with ThreadPoolExecutor(len(people)) as threads:
            answers = list(threads.map(lambda manager: manager.post(path, {"hash": approval["hash"]}), people))
        assert {answer.status_code for answer in answers} <= {200, 409}
        assert any(answer.status_code == 200 for answer in answers)
        assert ann.get("/api/me").json()["wallet"] == "10001.00"
        for person in people:
            person.http.close()


def test_what_the_wallet_does_not_hold_fails(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-manager") as asker, staff(server, "shift-manager") as second:
        approval = ask(asker, act="balance-adjustment", person=ann.name, cents="-10000.01", reason="too much")
        done = second.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]}).json()
        assert (done["state"], done["outcome"]["code"]) == ("failed", "not-enough-funds")
        approval = ask(asker, act="balance-adjustment", person=ann.name, cents="5.00", reason="taken back")
        rejected = asker.post(f"/api/approvals/{approval['id']}/reject")
        assert rejected.json()["state"] == "rejected"
        late = second.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]})
        assert late.json()["code"] == "already-decided"
        assert approval["id"] in [row["id"] for row in second.get("/api/approvals?state=rejected").json()]


def settled(table: str, manager: Person, ann: Person) -> None:
    """A round with a wager of ann's, dealt and settled by one person."""
    manager.open(table)
    ann.must(table, {"do": "join", "chips": "100.00"}, {"do": "sit", "box": 1})
    manager.must(table, {"do": "load-shoe", "count": 416, "shuffled": True}, {"do": "open-betting"})
    ann.must(table, {"do": "place-wager", "box": 1, "bet": "banker", "stake": "50.00"})
    manager.must(table, {"do": "close-betting"})
    for card in ("KH", "2S", "7D", "3C", "4H"):
        manager.must(table, {"do": "draw-card", "card": card})
    manager.must(table, {"do": "settle"})


def test_a_past_round_is_corrected_by_two(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-manager") as manager, staff(server, "shift-manager") as second:
        table = "approved-1"
        settled(table, manager, ann)
        manager.must(table, {"do": "open-betting"})
        ann.must(table, {"do": "cash-chips", "chips": "90.00"})  # 7.50 are left, and 40.00 will be owed
        report = {"do": "report-irregularity", "kind": "late-table-of-play", "round": 1}
        hands = {"player": ["KH", "7D"], "banker": ["2S", "3C"]}
        manager.must(table, {**report, **hands})
        ruling = {"do": "decide-irregularity", "reason": "the camera shows it"}
        straight = manager.do(table, ruling)
        assert (straight.status_code, straight.json()["code"]) == (403, "needs-approval")
        proposal = {"act": "late-settlement", "table": table, "command": ruling}
        foreseen = manager.post("/api/approvals/preview", proposal).json()
        assert (foreseen["moves"], foreseen["needs_second_person"]) == ({ann.name: "-47.50"}, True)
        assert foreseen["cards"] == {"P1": "KH", "B1": "2S", "P2": "7D", "B2": "3C", "B3": "4H"}
        act = {"act": "late-settlement", "table": table}
        other = manager.post("/api/approvals", {**act, "command": {**ruling, "round": 1}})
        assert (other.status_code, other.json()["code"], other.json()["paragraph"]) == (409, "another-round", "1.26")
        approval = ask(manager, **act, command={**ruling, "round": 2})
        assert (approval["what"]["irregularity"]["round"], approval["what"]["command"]["round"]) == (1, 2)
        # Banker 50.00 won 47.50. The Banker's third card was due and is missing: void, and the winnings go back.
        waiting = next(item for item in second.get("/api/approvals").json() if item["id"] == approval["id"])
        moves = {ann.name: "-47.50"}
        assert (waiting["moves"], waiting["can"]) == (moves, ["approve", "reject"])
        done = second.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]})
        assert done.json()["state"] == "done", done.text
        past = ann.get(f"/api/tables/{table}/rounds/1").json()
        assert past["corrected"]
        # Once it is done, what it moved is on record.
        assert (
            next(item for item in second.get("/api/approvals").json() if item["id"] == approval["id"])["moves"] == moves
        )
        # Nobody can ask for a second ruling on a matter that is closed.
        again = manager.post("/api/approvals", {"act": "late-settlement", "table": table, "command": ruling})
        assert again.status_code == 409


def test_a_preview_does_nothing_and_refuses_what_the_table_would(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-manager") as manager, staff(server, "dealer") as other:
        table = "previewed"
        manager.open(table)
        manager.must(table, {"do": "load-shoe", "count": 416, "shuffled": True}, {"do": "open-betting"})
        manager.must(table, {"do": "close-betting"}, *({"do": "draw-card", "card": card} for card in ("KH", "2S")))
        manager.must(table, {"do": "report-irregularity", "kind": "simultaneous", "cards": ["3C", "7D"]})
        version = manager.get(f"/api/tables/{table}").json()["version"]

        def previewed(who: Person, **ruling: Any) -> Any:
            command = {"do": "decide-irregularity", "reason": "as the camera shows", **ruling}
            return who.post("/api/approvals/preview", {"act": "late-settlement", "table": table, "command": command})

        lying = previewed(manager, order=["7D", "3C"]).json()
        assert lying["cards"] == {"P1": "KH", "B1": "2S", "P2": "7D", "B2": "3C"}
        assert (lying["waiting"], lying["moves"], lying["needs_second_person"]) == ([], {}, False)
        assert (previewed(manager, order=["7D", "9C"]).status_code, previewed(ann).status_code) == (409, 403)
        assert previewed(other).json()["code"] == "not-on-duty"
        # A preview comes also without a reason, and says whether one is needed.
        for ruling, needed in (({"action": "unfounded"}, True), ({"order": ["7D", "3C"]}, False)):
            assert previewed(manager, **ruling, reason="").json()["reason_needed"] is needed
            assert not previewed(manager, **ruling).json()["reason_needed"]
        mine = next(can for can in manager.get(f"/api/tables/{table}").json()["view"]["can"] if "decide" in can["do"])
        assert mine["choices"] == {"action": ["unfounded"], "order": ["3C", "7D"]}
        assert manager.get(f"/api/tables/{table}").json()["version"] == version


def test_a_ruling_at_a_table_that_there_is_not_is_404(server: Server) -> None:
    with staff(server, "pit-manager") as manager:
        for table in ("nowhere", "No Table"):
            act = {"act": "late-settlement", "table": table, "command": {"do": "decide-irregularity"}}
            for path in ("/api/approvals", "/api/approvals/preview"):
                answer = manager.post(path, act)
                assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), path


def test_no_word_lets_one_person_rule_on_a_settled_round(server: Server) -> None:
    """Only a ruling at discretion takes `stand`; for a report of a void round that word is refused."""
    with guest(server) as ann, staff(server, "shift-manager") as manager:
        table = "approved-2"
        settled(table, manager, ann)
        manager.must(table, {"do": "report-irregularity", "kind": "void", "cause": "foreign-card"})
        for action in ("", "stand", "void"):
            ruling = {"do": "decide-irregularity", "reason": "a card of another deck", "action": action}
            refused = manager.do(table, ruling)
            actual = (refused.status_code, refused.json()["code"])
            assert actual == ((409, "wrong-field") if action == "stand" else (403, "needs-approval")), action
        manager.must(table, {"do": "decide-irregularity", "reason": "it was ours", "action": "unfounded"})
        manager.must(table, {"do": "report-irregularity", "kind": "discretion"})
        manager.must(table, {"do": "decide-irregularity", "reason": "nothing follows", "action": "stand"})


def test_who_may_not_ask_any_more_has_nothing_approved(server: Server) -> None:
    with (
        guest(server) as friend,
        staff(server, "shift-manager") as chief,
        staff(server, "pit-manager") as second,
        Person(server) as asker,
    ):
        password = chief.post("/api/people", {"name": "demoted", "role": "pit-supervisor"}).json()["password"]
        asker.log_in("demoted", password)
        gift = ask(asker, act="balance-adjustment", person=friend.name, cents="1.00", reason="r")
        assert chief.put("/api/people/demoted/role", {"role": "dealer"}).status_code == 200
        answer = second.post(f"/api/approvals/{gift['id']}/approve", {"hash": gift["hash"]})
        assert (answer.status_code, answer.json()["code"]) == (409, "not-allowed")
        assert friend.get("/api/me").json()["wallet"] == "10000.00"
        raised = ask(chief, act="rank", person="demoted", role="shift-manager")
        assert second.post(f"/api/approvals/{raised['id']}/approve", {"hash": raised["hash"]}).status_code == 200
        asker.log_in("demoted")
        assert chief.post("/api/people", {"name": "raised", "role": "dealer"}).status_code == 201
        rank = ask(asker, act="rank", person="raised", role="pit-manager")
        assert chief.put("/api/people/demoted/role", {"role": "pit-manager"}).status_code == 200
        answer = second.post(f"/api/approvals/{rank['id']}/approve", {"hash": rank["hash"]})
        assert (answer.status_code, answer.json()["code"]) == (409, "not-allowed")


def test_every_approval_can_be_found_page_by_page(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-supervisor") as asker, staff(server, "auditor") as auditor:
        said = {"act": "balance-adjustment", "person": ann.name, "cents": "1.00", "reason": "a gift"}
        ids = [ask(asker, **said)["id"] for _ in range(5)]
        taken_back = asker.post(f"/api/approvals/{ids[2]}/reject").json()
        assert taken_back["state"] == "rejected"
        assert taken_back["decided_at"] >= taken_back["asked_at"]
        seen: list[str] = []
        page = auditor.get("/api/approvals?limit=2").json()
        while page and ids[0] not in seen:
            seen += [approval["id"] for approval in page]
            page = auditor.get(f"/api/approvals?limit=2&before={seen[-1]}").json()
        assert seen[:5] == ids[::-1]
        assert auditor.get("/api/approvals?before=unknown").status_code == 404


def test_a_dealer_sees_what_he_asked_for_and_nobody_s_wallet(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-manager") as asker, staff(server, "shift-manager") as second:
        approval = ask(asker, act="balance-adjustment", person=ann.name, cents="1.00", reason="a gift")
        done = second.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]}).json()
        assert done["outcome"] == {"wallet": "10001.00"}
        with staff(server, "dealer") as dealer, staff(server, "pit-supervisor") as pit:
            assert {seen["asked_by"] for seen in dealer.get("/api/approvals").json()} <= {"dealer"}
            before = dealer.get(f"/api/approvals?before={approval['id']}")
            assert (before.status_code, before.json()["code"]) == (404, "not-found")
            assert approval["id"] in {seen["id"] for seen in pit.get("/api/approvals").json()}
