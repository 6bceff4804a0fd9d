"""The floor, the day and the people's desk over HTTP: who may look, what they show, and that files show the same."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from punto.house.history.floor import day_began
from punto.money import cents
from tests.browser.playing import drawn
from tests.house.web.running import LIMITS, Person, Server, guest, staff

LOOKS = {
    "/api/floor": {"pit-supervisor", "pit-manager", "shift-manager", "auditor"},
    "/api/day": {"pit-manager", "shift-manager", "auditor"},
    "/api/day.csv": {"pit-manager", "shift-manager", "auditor"},
    "/api/people/dealer": {"shift-manager"},
    "/api/people/dealer/rounds": {"shift-manager"},
}
ROLES = ("dealer", "pit-supervisor", "pit-manager", "shift-manager", "auditor")


Staff = dict[str, Person]


@pytest.fixture
def people(server: Server) -> Iterator[Staff]:
    with ExitStack() as stack:
        yield {role: stack.enter_context(staff(server, role)) for role in ROLES}


def row(person: Person, table: str) -> dict[str, Any]:
    tables: list[dict[str, Any]] = person.get("/api/floor").json()["tables"]
    return next(line for line in tables if line["id"] == table)


def test_each_desk_has_its_roles(server: Server, people: Staff) -> None:
    with guest(server) as visitor:
        for path, may in LOOKS.items():
            seen = {role for role, person in people.items() if person.get(path).status_code == 200}
            assert seen == may, path
            assert visitor.get(path).status_code == 403
        assert visitor.post("/api/tables", {}).status_code == 403
    assert people["auditor"].get("/api/day?from=2030-01-01").status_code == 400
    assert people["auditor"].get("/api/day?table=none").status_code == 404
    assert people["shift-manager"].get("/api/people/nobody").status_code == 404
    ended = people["pit-manager"].http.delete(
        "/api/people/dealer/sessions", headers={"x-csrf-token": people["pit-manager"].csrf}
    )
    assert ended.status_code == 403


def test_a_table_on_the_floor_from_opening_to_closing(server: Server, people: Staff) -> None:
    pit, dealer, auditor = people["pit-supervisor"], people["dealer"], people["auditor"]
    pit.open("floor-1")
    dealer.must("floor-1", {"do": "start-duty"}, {"do": "load-shoe", "count": 416, "shuffled": True})
    with guest(server) as ann:
        ann.must("floor-1", {"do": "join", "chips": "1000.00"}, {"do": "sit", "box": 2})
        dealer.must("floor-1", {"do": "open-betting"})
        ann.must("floor-1", {"do": "place-wager", "box": 2, "bet": "player", "stake": "100.00"})
        line = row(pit, "floor-1")
        assert (line["phase"], line["seats_taken"], line["seats"], line["at_stake"]) == ("betting", 1, 6, "100.00")
        assert line["result"] == "0.00"
        assert row(auditor, "floor-1")["staff"] == {"pit-supervisor": "pit-supervisor", "dealer": "dealer"}
        higher = {**LIMITS, "minimum": "200.00"}
        assert dealer.do("floor-1", {"do": "set-limits", "limits": higher}).status_code == 403
        pit.must("floor-1", {"do": "set-limits", "limits": higher})
        pit.must("floor-1", {"do": "announce-closing", "rounds": 0})
        seen = ann.get("/api/tables/floor-1").json()["view"]
        assert (seen["limits"]["minimum"], seen["next_limits"]["minimum"], seen["closes_after"]) == (
            "10.00",
            "200.00",
            1,
        )
        dealer.must("floor-1", {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C", "4H"))
        dealer.must("floor-1", {"do": "report-irregularity", "kind": "discretion"})
        wrong = row(pit, "floor-1")
        assert (wrong["irregularity"]["kind"], wrong["irregularity"]["paragraph"]) == ("discretion", "5.23")
        assert wrong["irregularity"]["since"] <= pit.get("/api/floor").json()["now"]
        shift = people["shift-manager"]
        shift.must("floor-1", {"do": "start-duty"})
        shift.must("floor-1", {"do": "decide-irregularity", "action": "unfounded", "reason": "nothing was wrong"})
        dealer.must("floor-1", {"do": "settle"})
        assert row(pit, "floor-1")["result"] == "100.00"
        assert dealer.do("floor-1", {"do": "open-betting"}).json()["code"] == "table-closes"
        pit.must("floor-1", {"do": "close-table"})
        assert row(pit, "floor-1")["phase"] == "closed"


def test_the_day_says_the_same_in_every_form(server: Server, people: Staff) -> None:
    pit, dealer, manager = people["pit-supervisor"], people["dealer"], people["pit-manager"]
    pit.open("day-1")
    dealer.must("day-1", {"do": "start-duty"}, {"do": "load-shoe", "count": 416, "shuffled": True})
    with guest(server) as ann:
        ann.must("day-1", {"do": "join", "chips": "1000.00"}, {"do": "sit", "box": 2})
        dealer.must("day-1", {"do": "open-betting"})
        ann.must("day-1", {"do": "place-wager", "box": 2, "bet": "banker", "stake": "100.00"})
        dealer.must("day-1", {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C", "4H"), {"do": "settle"})
        sheet = manager.get("/api/day?table=day-1").json()
        assert sheet["house"] == sheet["tables"][0]["figures"] == sheet["games"][0]["figures"]
        assert (sheet["house"]["rounds"], sheet["house"]["result"], sheet["house"]["commission"]) == (
            1,
            "-95.00",
            "5.00",
        )
        assert (sheet["house"]["bets"]["theoretical"], sheet["house"]["bets"]["deviation"]) == ("1.06", "92.74")
        assert row(pit, "day-1")["result"] == sheet["house"]["result"]
        table = manager.get("/api/day.csv?table=day-1")
        assert table.headers["content-disposition"] == 'attachment; filename="day.csv"'
        lines = list(csv.DictReader(io.StringIO(table.text)))
        whole, bets = lines[0], lines[1]
        assert (whole["of"], whole["result"], bets["wagered"], bets["theoretical"]) == (
            "house",
            "-95.00",
            "100.00",
            "1.06",
        )
        book = manager.get("/api/day.xlsx?table=day-1").content
        with zipfile.ZipFile(io.BytesIO(book)) as file:
            pages = [name for name in file.namelist() if name.startswith("xl/worksheets/sheet")]
            assert len(pages) == 5
            assert b"<v>-95</v>" in file.read("xl/worksheets/sheet1.xml")
            assert any(name.startswith("xl/charts/") for name in file.namelist())
        ledger = csv.DictReader(io.StringIO(manager.get("/api/exports/ledger.csv?table=day-1").text))
        moved = [(entry["taker"], entry["giver"], cents(entry["amount"])) for entry in ledger]
        won = sum(sum_ * ((to == "house/day-1") - (of == "house/day-1")) for to, of, sum_ in moved)
        assert won == -9_500


def test_a_person_whole(server: Server, people: Staff) -> None:
    shift = people["shift-manager"]
    with guest(server) as ann:
        people["pit-supervisor"].open("person-1")
        ann.must("person-1", {"do": "join", "chips": "250.00"})
        whole = shift.get(f"/api/people/{ann.name}").json()
        assert (whole["person"]["name"], whole["chips"], whole["waits_until"]) == (
            ann.name,
            {"person-1": "250.00"},
            None,
        )
        assert [entry["event"]["event"] for entry in whole["events"]] == ["chips-granted", "account-opened"]
        (session,) = whole["sessions"]
        assert (session["address"], session["this_one"]) == ("127.0.0.1", False)
        mine = shift.get("/api/people/shift-manager").json()
        assert any(login["this_one"] for login in mine["sessions"])
        assert shift.get(f"/api/people/{ann.name}/rounds").json() == {"rounds": [], "before": None}
        gone = shift.http.delete(f"/api/people/{ann.name}/sessions", headers={"x-csrf-token": shift.csrf})
        assert gone.status_code == 204
        assert ann.get("/api/me").status_code == 401


def test_an_approval_says_what_was_there_before(server: Server, people: Staff) -> None:
    pit, manager = people["pit-supervisor"], people["pit-manager"]
    with guest(server) as ann:
        before = int(pit.get("/api/floor").json()["approvals"])
        adjustment = {"act": "balance-adjustment", "person": ann.name, "cents": "-50.00", "reason": "a test"}
        assert pit.post("/api/approvals", adjustment).status_code == 201
        assert pit.get("/api/floor").json()["approvals"] == before + 1
        (shown,) = [
            approval for approval in manager.get("/api/approvals").json() if approval["what"].get("person") == ann.name
        ]
        assert set(shown["holds"]) == {ann.name}
        manager.post(f"/api/approvals/{shown['id']}/reject", {})
        assert pit.get("/api/floor").json()["approvals"] == before


def test_a_day_begins_at_eight() -> None:
    noon = 1_800_000_000_000_000  # 15 January 2027, 08:00 UTC
    assert noon - day_began(noon) == 8 * 3_600_000_000
    assert day_began(day_began(noon)) == day_began(noon)
    assert day_began(day_began(noon) - 1) == day_began(noon) - 24 * 3_600_000_000


def test_the_betting_clock_of_a_live_table(people: Staff) -> None:
    """Everybody sees it while bets are open; nobody but the dealer closes betting."""
    pit, dealer = people["pit-supervisor"], people["dealer"]
    pit.open("clock-1", pace={"betting": 45})
    dealer.must("clock-1", {"do": "start-duty"}, {"do": "load-shoe", "count": 416, "shuffled": True})
    assert dealer.get("/api/tables/clock-1").json()["clock"] is None
    dealer.must("clock-1", {"do": "open-betting"})
    clock = dealer.get("/api/tables/clock-1").json()["clock"]
    assert (clock["for"], clock["seconds"]) == ("betting", 45.0)
    assert next(table for table in dealer.get("/api/tables").json() if table["id"] == "clock-1")["clock"] == clock
    dealer.must("clock-1", {"do": "close-betting"}, *drawn("KH"))
    seen = dealer.get("/api/tables/clock-1").json()
    assert (seen["clock"], seen["view"]["phase"]) == (None, "dealing")


def owing(dealer: Person) -> list[str]:
    names: list[str] = dealer.get("/api/tables/owing-1").json()["view"].get("unanswered", [])
    return names


def test_who_owes_an_answer_is_told_to_staff(server: Server, people: Staff) -> None:
    pit, dealer = people["pit-supervisor"], people["dealer"]
    pit.open("owing-1")
    dealer.must("owing-1", {"do": "start-duty"}, {"do": "load-shoe", "count": 416, "shuffled": True})
    with guest(server) as ann, guest(server) as bob, guest(server) as cat:
        for box, person in enumerate((ann, bob, cat), 1):
            person.must("owing-1", {"do": "join", "chips": "500.00"}, {"do": "sit", "box": box})
        dealer.must("owing-1", {"do": "open-betting"})
        for box, person in enumerate((ann, bob, cat), 1):
            person.must("owing-1", {"do": "place-wager", "box": box, "bet": "player", "stake": "100.00"})
        dealer.must("owing-1", {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C"))
        assert owing(dealer) == [ann.name, bob.name, cat.name]
        ann.must("owing-1", {"do": "take-insurance", "bet": "player_insurance", "stake": "10.00"})
        bob.must("owing-1", {"do": "decline-insurance"})
        assert owing(dealer) == [cat.name]
        assert "unanswered" not in cat.get("/api/tables/owing-1").json()["view"]
        dealer.must("owing-1", *drawn("4H"))
        assert owing(dealer) == []
