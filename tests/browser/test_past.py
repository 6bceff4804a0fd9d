"""Past rounds as people see them: the net result, the cards of each round, what an approver agrees to."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.playing import drawn
from tests.browser.visitors import Hall, Visitor
from tests.house.web.running import eventually

FIRST = ("KH", "2S", "9D", "3C")
"""Player wins with a natural."""
SECOND = ("2C", "KD", "4S", "8H")
"""Banker wins with a natural."""


def two_rounds(hall: Hall, table: str) -> Visitor:
    """ann wins 100 on Player in round 1, has no wager in round 2, and looks at the table all the while."""
    hall.open(table, ("dealer", "shift-manager"), shoe=True)
    dealer, ann = hall.person("dealer"), hall.guest().sit(table, 1)
    ann.go(f"/tables/{table}")
    dealer.must(table, {"do": "open-betting"})
    ann.command(table, {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"})
    dealer.must(table, {"do": "close-betting"}, *drawn(*FIRST), {"do": "settle"})
    expect(net(ann)).to_have_text("+100.00")
    dealer.must(table, {"do": "open-betting"}, {"do": "close-betting"}, *drawn(*SECOND), {"do": "settle"})
    return ann


def net(patron: Visitor) -> Locator:
    return patron.find(".session .money")


def proposed(hall: Hall, table: str, **ruling: Any) -> dict[str, Any]:
    """A ruling on round 1 at discretion, which waits for a second person."""
    chief = hall.person("shift-manager")
    chief.must(table, {"do": "report-irregularity", "kind": "discretion", "round": 1})
    command = {"do": "decide-irregularity", "reason": "the camera was off", **ruling}
    answer = chief.post("/api/approvals", {"act": "late-settlement", "table": table, "command": command})
    assert answer.status_code == 201, answer.text
    proposal: dict[str, Any] = answer.json()
    return proposal


def approved(hall: Hall, proposal: dict[str, Any]) -> None:
    answer = hall.person("pit-manager").post(f"/api/approvals/{proposal['id']}/approve", {"hash": proposal["hash"]})
    assert answer.json()["state"] == "done", answer.text


def test_net_has_what_a_late_correction_gave_and_took(hall: Hall) -> None:
    table = "net-late"
    ann = two_rounds(hall, table)
    approved(hall, proposed(hall, table, action="void"))
    expect(net(ann)).to_have_text("0.00")
    expect(ann.balance()).to_have_text("1,000.00")
    approved(hall, proposed(hall, table, action="pay", pay={ann.name: "25.00"}))
    expect(ann.find(".felt > .told")).to_contain_text("The house pays you 25.00 by a ruling.")
    expect(net(ann)).to_have_text("+25.00")
    ann.page.reload()
    expect(net(ann)).to_have_text("+25.00")
    ann.go("/me/rounds")
    past = ann.find("article", has_text="Round 1")
    expect(past.locator("header b")).to_have_text("+25.00")
    expect(past).to_contain_text("put right later")
    expect(past.locator("li", has_text="Paid by a ruling")).to_contain_text("+25.00")
    assert not ann.errors


def test_net_has_a_round_that_ended_while_the_patron_was_away(hall: Hall) -> None:
    table = hall.open("net-away", ("dealer",), shoe=True)
    dealer, ann = hall.person("dealer"), hall.guest().sit(table, 1)
    dealer.must(table, {"do": "open-betting"})
    ann.go(f"/tables/{table}")
    expect(net(ann)).to_have_text("0.00")
    ann.command(table, {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"})
    ann.go("/")
    dealer.must(table, {"do": "close-betting"}, *drawn(*FIRST), {"do": "settle"}, {"do": "open-betting"})
    ann.go(f"/tables/{table}")
    ann.phase("Place your Bets, please")
    expect(net(ann)).to_have_text("+100.00")
    assert not ann.errors


def test_what_is_paid_for_the_round_on_the_table_is_in_its_net(hall: Hall) -> None:
    table = "net-now"
    ann = two_rounds(hall, table)
    dealer = hall.person("dealer")
    dealer.must(table, {"do": "open-betting"})
    ann.command(table, {"do": "place-wager", "box": 1, "bet": "banker", "stake": "40.00"})
    dealer.must(table, {"do": "close-betting"}, *drawn("KS", "2D", "9C", "3H"), {"do": "settle"})
    mine = ann.find(".mine .net b")
    expect(mine).to_have_text("−40.00")
    chief = hall.person("shift-manager")
    chief.must(table, {"do": "report-irregularity", "kind": "discretion"})
    command = {"do": "decide-irregularity", "reason": "for the wait", "action": "pay", "pay": {ann.name: "15.00"}}
    answer = chief.post("/api/approvals", {"act": "late-settlement", "table": table, "command": command})
    assert answer.status_code == 201, answer.text
    approved(hall, answer.json())
    expect(mine).to_have_text("−25.00")
    expect(net(ann)).to_have_text("+75.00")
    ann.page.reload()
    expect(net(ann)).to_have_text("+75.00")
    expect(mine).to_have_text("−25.00")


def test_an_approver_sees_what_would_move(hall: Hall) -> None:
    table = "amounts"
    ann = two_rounds(hall, table)
    proposed(hall, table, action="void")
    second = hall.staff("pit-manager")
    second.go(f"/tables/{table}/pit")
    second.page.get_by_role("tab", name="Approvals").click()
    waiting = second.find("li.asked", has_text=table)
    expect(waiting.locator("dt", has_text=ann.name)).to_be_visible()
    expect(waiting.locator("dd.sum")).to_have_text("−100.00")
    waiting.get_by_role("button", name="Approve").click()
    waiting.get_by_role("button", name=re.compile("Press again: hash")).click()
    expect(second.find("li.done", has_text=table)).to_be_visible()
    expect(ann.balance()).to_have_text("1,000.00")
    assert not second.errors


def shown(where: Locator) -> list[str]:
    labels: list[str] = where.locator("[role=img]").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    return labels


def faces(*cards: str) -> list[str]:
    """The cards hand by hand, as a console lays them out."""
    suits = {"H": "♥", "S": "♠", "D": "♦", "C": "♣"}
    return [f"{cards[at][0]}{suits[cards[at][1]]}" for at in (0, 2, 1, 3)]


def test_the_pit_shows_the_cards_of_the_round_that_it_names(hall: Hall) -> None:
    """Round 2 lies on the table; what is reported, ruled on and replayed is round 1."""
    table = "whose-cards"
    two_rounds(hall, table)
    pit = hall.staff("shift-manager")
    pit.go(f"/tables/{table}/pit")
    pit.page.get_by_role("searchbox", name="Find").fill("5.15")
    pit.page.get_by_role("button", name="5.15").click()
    form = pit.find(".form")
    form.get_by_label("Round").fill("1")
    form.get_by_role("button", name="↺ Round 1").click()
    expect(form.locator("button.card")).to_have_count(4)
    assert shown(form) == faces(*FIRST)
    form.get_by_label("Round").fill("99")
    expect(form.get_by_role("button", name="↺ Round 99")).to_be_disabled()
    hall.person("shift-manager").must(table, {"do": "report-irregularity", "kind": "discretion", "round": 1})
    what = pit.find(".what")
    expect(what.locator(".fact")).to_have_text("round 1")
    expect(what.locator("[role=img]")).to_have_count(4)
    assert shown(what) == faces(*FIRST)
    pit.page.get_by_role("tab", name="Replay").click()
    pit.find(".replay .bar input[type=number]").fill("1")
    pit.keys("Tab")
    expect(pit.find(".scene .event")).to_contain_text("round 1")
    pit.keys("End")
    expect(pit.find(".scene")).to_contain_text("Result: Player")
    assert shown(pit.find(".scene")) == faces(*FIRST)
    assert not pit.errors


def test_a_round_is_replayed_event_by_event(hall: Hall) -> None:
    table = "replayed"
    ann = two_rounds(hall, table)
    pit = hall.staff("pit-supervisor")
    pit.go(f"/tables/{table}/pit")
    pit.page.get_by_role("tab", name="Replay").click()
    scene, step = pit.find(".scene"), pit.find(".replay .bar .quiet")
    expect(step).to_have_text(re.compile(r"Step 1 of \d+"))
    pit.find(".replay .bar input[type=number]").fill("1")
    pit.find(".replay .bar input[type=number]").press("Tab")
    expect(scene.locator(".event")).to_contain_text("Betting opened")
    pit.keys("ArrowRight")
    expect(scene.locator("tr", has_text=ann.name)).to_contain_text("100")
    pit.keys("ArrowRight", "ArrowRight")
    expect(scene.locator("[role=img]")).to_have_count(1)
    expect(scene.locator(".banker .slot.next")).to_have_text("1")
    pit.keys("End")
    expect(scene.locator("tr", has_text=ann.name)).to_contain_text("200")
    # The round in play grows while it is looked at.
    hall.person("dealer").must(table, {"do": "open-betting"})
    pit.find(".replay .bar input[type=number]").fill("3")
    pit.find(".replay .bar input[type=number]").press("Tab")
    expect(step).to_have_text("Step 1 of 1")
    hall.person("dealer").must(table, {"do": "close-betting"})
    expect(step).to_have_text("Step 1 of 2")
    assert not pit.errors


def test_a_ruling_on_the_settled_round_goes_to_a_second_person(hall: Hall) -> None:
    """The form says what would move, keeps what was typed while others come and go, and asks for the approval."""
    table = "takes-two"
    hall.open(table, ("dealer", "pit-supervisor"), shoe=True)
    dealer, ann = hall.person("dealer"), hall.guest().sit(table, 1)
    dealer.must(table, {"do": "open-betting"})
    ann.command(table, {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"})
    dealer.must(table, {"do": "close-betting"}, *drawn(*FIRST), {"do": "settle"})
    dealer.must(table, {"do": "report-irregularity", "kind": "void", "cause": "not-reconstructible"})
    pit = hall.staff("pit-supervisor")
    pit.go(f"/tables/{table}/pit")
    form = pit.find(".form")
    expect(form.locator(".outcome")).to_contain_text(f"{ann.name} −100.00")
    reason = form.get_by_label("Reason, on record")
    reason.fill("a card of another deck")
    mistaken = form.get_by_role("radio", name="The report was mistaken")
    mistaken.check()
    frames_before = len(pit.frames)
    hall.guest().sit(table, 2)

    def seat_taken() -> bool:
        pit.page.wait_for_timeout(20)
        return any("seat-taken" in str(frame) for frame in pit.frames[frames_before:])

    assert eventually(seat_taken)
    expect(mistaken).to_be_checked()
    expect(reason).to_have_value("a card of another deck")
    form.get_by_role("radio").first.check()
    form.get_by_role("button", name="Propose to a second person").click()
    expect(form).to_contain_text("Proposed.")
    expect(reason).to_have_value("a card of another deck")
    assert not pit.errors
