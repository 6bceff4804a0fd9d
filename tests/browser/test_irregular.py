"""Irregularities at a live table: reported, ruled on, options chosen, rulings approved by a second person."""

from __future__ import annotations

import re
import zlib

import pytest
from playwright.sync_api import Locator, Request, expect

from tests.browser.playing import drawn, played
from tests.browser.test_floor_desks import seen
from tests.browser.visitors import Hall, Visitor


@pytest.fixture
def stopped(hall: Hall, request: pytest.FixtureRequest) -> tuple[str, Visitor, Visitor]:
    """The Player has KH, the Banker 2S. ann has staked 100 on Player, bob 100 on Banker."""
    table = f"wrong-{zlib.crc32(request.node.name.encode()) % 1000}"
    hall.open(table, ("dealer", "pit-supervisor"), shoe=True)
    dealer = hall.person("dealer")
    ann, bob = hall.guest(), hall.guest()
    ann.sit(table, 1)
    bob.sit(table, 2)
    dealer.must(table, {"do": "open-betting"})
    ann.command(table, {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"})
    bob.command(table, {"do": "place-wager", "box": 2, "bet": "banker", "stake": "100.00"})
    dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S"))
    return table, ann, bob


def report(pit: Visitor, kind: str) -> None:
    pit.page.get_by_role("searchbox", name="Find").fill(kind)
    pit.page.get_by_role("button", name=kind).click()


def dragged(card: Locator, before: Locator) -> None:
    """Drag a card with the mouse to the left half of another card."""
    start, end = card.bounding_box(), before.bounding_box()
    assert start is not None
    assert end is not None
    mouse = card.page.mouse
    mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    mouse.down()
    mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
    mouse.move(end["x"] + 4, end["y"] + end["height"] / 2, steps=4)
    mouse.up()


def put_in_order(pit: Visitor, cards: Locator) -> None:
    """Put the second card first with the mouse, back with keys, and first again with the mouse."""
    expect(cards).to_have_count(2)
    expect(cards.first).to_have_attribute("aria-label", re.compile(r"place 1 of 2"))
    first = cards.first.get_attribute("aria-label") or ""
    dragged(cards.nth(1), cards.nth(0))
    expect(cards.first).not_to_have_attribute("aria-label", first)
    cards.nth(1).focus()
    pit.keys("ArrowLeft")
    expect(cards.first).to_have_attribute("aria-label", first)
    dragged(cards.nth(1), cards.nth(0))
    expect(cards.first).not_to_have_attribute("aria-label", first)


def test_two_cards_at_once(hall: Hall, stopped: tuple[str, Visitor, Visitor]) -> None:
    """3C and 7D came out together; the camera shows 7D first. ann takes the bet back, bob goes on and wins 95.00."""
    table, ann, bob = stopped
    for patron in (ann, bob):
        patron.go(f"/tables/{table}")
    pit, dealer = hall.staff("pit-supervisor"), hall.staff("dealer")
    pit.go(f"/tables/{table}/pit")
    dealer.go(f"/tables/{table}/dealer")
    report(pit, "Two or more cards drawn at once")
    form = pit.find(".form")
    form.get_by_placeholder("KH 10D 2S").fill("3C 7D")
    form.get_by_placeholder("KH 10D 2S").press("Enter")
    form.get_by_role("button", name="Report", exact=True).click()
    expect(ann.find(".trouble")).to_contain_text("Two or more cards drawn at once")
    expect(ann.find(".trouble .cite")).to_have_text("§5.11")
    expect(dealer.find(".stage button.gold")).to_contain_text("Waiting for a ruling")

    expect(form.get_by_role("button", name="Rule so")).to_be_visible()  # the report's own cards are gone
    put_in_order(pit, form.locator("button.card"))
    form.get_by_label("Reason, on record").fill("as the camera shows")
    form.get_by_role("button", name="Rule so").click()

    ann.phase("Your choice, please")
    ann.button("Take my bets back").click()
    expect(ann.find(".trouble")).to_contain_text("You chose")
    expect(form.get_by_text(bob.name)).to_be_visible()
    form.locator("li", has_text=bob.name).get_by_role("button", name="Continue").click()
    expect(bob.find(".trouble")).to_contain_text("You chose: Continue")
    form.get_by_role("button", name="Resume play").click()
    bob.phase("No more Bets")
    expect(dealer.find(".stage .entry:not(.off)")).to_be_visible()
    dealer.deal("4H")
    dealer.gold("Settle")
    bob.phase("Round settled")
    expect(bob.find(".mine .net b")).to_have_text("+95.00")
    expect(bob.balance()).to_have_text("1,095.00")
    expect(ann.balance()).to_have_text("1,000.00")
    ann.has(table, 1000_00)
    bob.has(table, 1095_00)
    assert not ann.errors + bob.errors + pit.errors + dealer.errors


def test_a_void_round_and_a_late_correction(hall: Hall, stopped: tuple[str, Visitor, Visitor]) -> None:
    """A foreign card voids round 1: all goes back. Round 2 is settled; after round 3 two persons make it void too."""
    table, ann, bob = stopped
    ann.go(f"/tables/{table}")
    pit = hall.staff("pit-supervisor")
    pit.go(f"/tables/{table}/pit")
    report(pit, "Foreign card, wrong count")
    form = pit.find(".form")
    form.get_by_label("A card that does not belong to the set").check()
    form.get_by_role("button", name="Report", exact=True).click()
    form.get_by_role("button", name="Rule so").click()
    expect(ann.find(".felt > .told")).to_contain_text("The round is void. Every wager of it goes back.")
    expect(ann.balance()).to_have_text("1,000.00")
    bob.has(table, 1000_00)
    ann.page.reload()
    ann.phase("Round over, no result")

    dealer = hall.person("dealer")
    if dealer.get(f"/api/tables/{table}").json()["view"]["phase"] == "no-shoe":
        dealer.must(table, {"do": "load-shoe", "count": 416, "shuffled": True})
    dealer.must(table, {"do": "open-betting"})
    ann.command(table, {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"})
    dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "9D", "3C"), {"do": "settle"})
    expect(ann.balance()).to_have_text("1,100.00")
    dealer.must(
        table, {"do": "open-betting"}, {"do": "close-betting"}, *drawn("KD", "2C", "9H", "3S"), {"do": "settle"}
    )
    hall.person("shift-manager").must(table, {"do": "start-duty"})
    shift, second = hall.staff("shift-manager"), hall.staff("pit-manager")
    shift.go(f"/tables/{table}/pit")
    report(shift, "Anything else")
    form = shift.find(".form")
    form.get_by_label("Round").fill("2")
    form.get_by_role("button", name="Report", exact=True).click()
    # Patrons have options only in the round on the table: for a past one they are not offered.
    ways = ["Nothing changes", "The round is void", "The house pays", "The report was mistaken"]
    expect(form.get_by_role("radio")).to_have_count(len(ways))
    for way in ways:
        expect(form.get_by_role("radio", name=way)).to_be_visible()
    form.get_by_label("The round is void").check()
    form.get_by_label("Reason, on record").fill("the camera was off")
    form.get_by_role("button", name="Propose to a second person").click()
    expect(form).to_contain_text("Proposed.")
    expect(ann.balance()).to_have_text("1,100.00")
    second.go(f"/tables/{table}/pit")
    second.page.get_by_role("tab", name="Approvals").click()
    waiting = second.find("li.asked", has_text=table)
    waiting.get_by_role("button", name="Approve").click()
    waiting.get_by_role("button", name=re.compile("Press again: hash")).click()
    expect(second.find("li.done", has_text=table).locator(".sum")).to_have_text("−100.00")
    expect(ann.balance()).to_have_text("1,000.00")
    expect(ann.find(".felt > .told")).to_contain_text("Round 2 was put right")
    ann.has(table, 1000_00)
    assert not ann.errors + shift.errors + second.errors


def test_the_rules_forbid_a_card(hall: Hall, stopped: tuple[str, Visitor, Visitor]) -> None:
    """A ninth deuce of spades can't come from eight decks; a natural takes no third card."""
    table, _, _ = stopped
    dealer = hall.staff("dealer")
    dealer.go(f"/tables/{table}/dealer")
    dealer.deal("9D 3C")
    expect(dealer.find(".verdict li.last")).to_contain_text("Natural 9")
    expect(dealer.find(".stage button.gold")).to_contain_text("Settle")
    hall.person("dealer").must(table, {"do": "settle"})
    for _ in range(7):
        first = drawn("2S", "KH", "5C", "9D")
        hall.person("dealer").must(table, {"do": "open-betting"}, {"do": "close-betting"}, *first, {"do": "settle"})
    dealer.gold("Open betting")
    dealer.gold("Close betting")
    dealer.keys("2", "s", "Enter")
    refusal = dealer.find(".refusal")
    expect(refusal).to_contain_text("2S has come out 8 times")
    expect(refusal.locator(".cite")).to_have_text("§2.2.1")
    dealer.keys("Escape")
    expect(refusal).to_have_count(0)
    dealer.page.evaluate("localStorage.setItem('punto.language', 'zh-Hant')")
    dealer.page.reload()
    expect(dealer.find(".stage")).to_be_visible()
    dealer.keys("2", "s", "Enter")
    expect(refusal.locator(".why")).to_have_text("靴中此牌已全部派出。")
    expect(refusal.locator(".cite")).to_have_text("§2.2.1")


def test_the_house_pays_for_a_round_long_past(hall: Hall) -> None:
    """For a round older than all events on the page, the pit still sees who played, to pay them by name."""
    table = hall.open("long-past", ("dealer", "shift-manager"), shoe=True)
    dealer, ann = hall.person("dealer"), hall.guest()
    ann.sit(table, 1)
    dealer.must(table, {"do": "open-betting"})
    ann.command(table, {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"})
    dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "9D", "3C"), {"do": "settle"})
    played(hall, table, 56, 7)
    assert dealer.get(f"/api/tables/{table}").json()["version"] > 510
    dealer.must(table, {"do": "report-irregularity", "kind": "discretion", "round": 1})
    pit = hall.staff("shift-manager")
    pit.go(f"/tables/{table}/pit")
    pit.page.get_by_role("tab", name="Irregularity").click()
    pit.page.get_by_role("radio", name="The house pays").check()
    expect(pit.page.get_by_label(ann.name)).to_be_visible()


def test_a_report_is_about_the_round_in_which_its_form_was_opened(hall: Hall) -> None:
    """Round 2 opens while the pit still writes about round 1."""
    table = hall.open("slow-report", ("dealer", "pit-supervisor"), shoe=True)
    dealer, pit = hall.person("dealer"), hall.staff("pit-supervisor")
    dealer.must(
        table, {"do": "open-betting"}, {"do": "close-betting"}, *drawn("KD", "2C", "9H", "3S"), {"do": "settle"}
    )
    pit.go(f"/tables/{table}/pit")
    report(pit, "Anything else")
    form = pit.find(".form")
    expect(form.get_by_role("button", name="Report", exact=True)).to_be_visible()
    dealer.must(table, {"do": "open-betting"})
    expect(form.get_by_role("button", name="↺ Round 1")).to_be_enabled()
    form.get_by_role("button", name="Report", exact=True).click()
    expect(form.get_by_role("button", name="Rule so")).to_be_visible()
    (reported,) = [
        recorded["event"]["irregularity"]
        for recorded in pit.api(f"/api/tables/{table}/events?limit=500")["events"]
        if recorded["event"]["event"] == "irregularity-reported"
    ]
    assert reported["round"] == 1
    assert not pit.errors


# A ruling is previewed 150 ms after the last change of the form. A page runs its timers in the order of their times.
PREVIEW_DUE = "new Promise((due) => setTimeout(due, 300))"


def test_who_may_not_rule_is_told_who_does_and_asks_for_no_preview(
    hall: Hall, stopped: tuple[str, Visitor, Visitor]
) -> None:
    """The dealer lacks the rank, the pit manager is not on duty yet. Whoever may rule gets the preview."""
    table, _, _ = stopped
    hall.person("dealer").must(table, {"do": "report-irregularity", "kind": "void", "cause": "unshuffled"})
    dealer, manager = hall.staff("dealer"), hall.staff("pit-manager")
    previews: list[str] = []

    def listed(request: Request) -> None:
        if "preview" in request.url:
            previews.append(request.url)

    for visitor, says in ((dealer, "Pit Supervisor or above"), (manager, "Go on duty")):
        visitor.page.on("request", listed)
        visitor.go(f"/tables/{table}/pit")
        expect(visitor.find(".form .amber")).to_contain_text(says)
        expect(visitor.find(".form").get_by_role("button", name="Rule so")).to_be_disabled()
        visitor.page.evaluate(PREVIEW_DUE)
        assert previews == []
    with manager.page.expect_response("**/api/approvals/preview") as answer:
        hall.person("pit-manager").must(table, {"do": "start-duty"})
    assert answer.value.ok
    expect(manager.find(".form .amber")).to_have_count(0)
    seen(dealer, "ruling-dealer")
    assert not dealer.errors + manager.errors
