"""A patron at their own box: by keyboard, insured, with two tabs, and when they leave."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import WebSocketRoute, expect

from tests.browser.playing import drawn
from tests.browser.visitors import Hall, Visitor

LIMITS = {"minimum": "10.00", "maximum": "500.00", "maximum_differential": "1000.00"}
SIDE = "tiger_pair"


def seated(hall: Hall, table: str, chips: str = "1000.00", **settings: Any) -> Visitor:
    """ann at box 1 of a table where betting is open."""
    hall.open(table, ("dealer",), shoe=True, layout="M", limits=LIMITS, **settings)
    hall.person("dealer").must(table, {"do": "open-betting"})
    ann = hall.guest()
    ann.sit(table, 1, chips).go(f"/tables/{table}")
    ann.phase("Place your Bets, please")
    return ann


def focused(visitor: Visitor) -> str | None:
    bet: str | None = visitor.page.evaluate("document.activeElement.dataset.bet ?? null")
    return bet


def test_insurance_that_is_taken_is_shown_as_taken(hall: Hall) -> None:
    """The offer shows its house edge, and that its figures leave out side bets. Insurance is a stake like any other."""
    ann = seated(hall, "insured")
    ann.chip("100")
    ann.spot("player").click()
    ann.spot(SIDE).click()
    ann.lies(SIDE, "100")
    hall.person("dealer").must("insured", {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C"))
    strip = ann.find(".strip")
    expect(strip).to_contain_text(re.compile(r"House edge\s+\d+\.\d\d %"))
    expect(strip).to_contain_text("other side bets not counted")
    expect(ann.find(".lying")).to_have_text("At stake 200")
    strip.get_by_role("button", name="½").click()
    strip.get_by_role("button", name="Insure for 50").click()
    expect(strip).to_contain_text("Insured: 50.00")
    expect(ann.find(".lying")).to_have_text("At stake 250")
    expect(strip.get_by_role("button", name="No insurance")).to_have_count(0)
    expect(strip.get_by_role("button", name="½ more")).to_contain_text("25")
    strip.get_by_role("button", name="The rest").click()
    strip.get_by_role("button", name="Insure for 50 more").click()
    expect(strip).to_contain_text("Insured: 100.00")
    strip.get_by_role("button", name="Done").click()
    expect(strip).to_have_count(0)
    expect(ann.find(".told[role=alert]")).to_have_count(0)
    assert not ann.errors


def test_a_side_bet_without_a_minimum_takes_less_than_the_table_s(hall: Hall) -> None:
    """D1: the table's minimum is for the main bets. A smaller side bet is accepted and not called too small."""
    ann = seated(hall, "no-minimum")
    ann.chip("5")
    ann.spot(SIDE).click()
    ann.lies(SIDE, "5")
    expect(ann.find(".box .told .low")).to_have_count(0)
    ann.spot("player").click()
    ann.lies("player", "5")
    expect(ann.find(".box .told .low")).to_contain_text("Player")
    assert not ann.errors


def test_by_keyboard(hall: Hall) -> None:
    """The focus is kept while no bets are taken, arrows choose a chip, and every button shows its key."""
    ann = seated(hall, "by-keyboard")
    dealer = hall.person("dealer")
    ann.page.get_by_role("radio", checked=True).focus()
    ann.keys("ArrowRight", "ArrowRight", "ArrowLeft")
    expect(ann.page.get_by_role("radio", checked=True)).to_have_accessible_name("Chip of 25")
    expect(ann.page.get_by_role("radio", checked=True)).to_be_focused()
    for name in ("Undo", "Clear", "Double", "Repeat"):
        key = ann.button(name).get_attribute("aria-keyshortcuts")
        assert key is not None
        expect(ann.button(name).locator("kbd")).to_have_text(key)
        expect(ann.button(name).locator("kbd")).to_be_visible()
    ann.spot("banker").focus()
    ann.keys("Enter")
    ann.lies("banker", "25")
    dealer.must("by-keyboard", {"do": "close-betting"})
    ann.phase("No more Bets")
    assert focused(ann) == "banker"
    ann.keys("Enter")
    dealer.must("by-keyboard", *drawn("KH", "2S", "9D", "3C"), {"do": "settle"}, {"do": "open-betting"})
    ann.phase("Place your Bets, please")
    assert focused(ann) == "banker"
    ann.keys("Enter")
    ann.lies("banker", "25")


def test_a_refusal_names_the_bet(hall: Hall) -> None:
    ann = seated(hall, "named")
    ann.command("named", {"do": "place-wager", "box": 1, "bet": "player", "stake": "500.00"})
    ann.lies("player", "500")
    ann.chip("10")
    ann.spot("player").click()
    refusal = ann.find(".box .told .no")
    expect(refusal).to_contain_text("Player: the maximum leaves room for 0.00")
    outline = ann.spot("player").evaluate("(one) => getComputedStyle(one).borderColor")
    assert outline == "rgb(255, 255, 255)"


def test_two_tabs_count_one_visit(hall: Hall) -> None:
    """A loss is shown in every tab, in one that is opened later and in one that was open before."""
    ann = seated(hall, "tabs")
    other = ann.context.new_page()
    other.goto(ann.page.url)
    expect(other.locator(".session")).to_contain_text("0.00")
    ann.chip("100")
    ann.spot("player").click()
    ann.lies("player", "100")
    hall.person("dealer").must("tabs", {"do": "close-betting"}, *drawn("KH", "2S", "2D", "7C"), {"do": "settle"})
    ann.phase("Round settled")
    hall.person("dealer").must("tabs", {"do": "open-betting"})
    later = ann.context.new_page()
    later.goto(ann.page.url)
    for page in (ann.page, other, later):
        expect(page.locator(".session")).to_contain_text("−100.00")


def test_leaving_with_a_wager_on_the_layout(hall: Hall) -> None:
    """ann is told that it is settled without them, and asked. What it pays is theirs when they come back."""
    ann = seated(hall, "leaving")
    ann.chip("100")
    ann.spot("player").click()
    ann.lies("player", "100")
    url = ann.page.url
    due = f"{float(ann.api('/api/me')['wallet']) + 1100:.2f}"
    dialog = ann.page.get_by_role("dialog")
    ann.button("More").click()
    dialog.get_by_role("button", name="Leave the table").click()
    expect(dialog).to_contain_text("settled without you")
    expect(dialog.locator(".cite")).to_be_visible()
    dialog.get_by_role("button", name="Stay").click()
    ann.lies("player", "100")
    ann.button("More").click()
    dialog.get_by_role("button", name="Leave the table").click()
    dialog.get_by_role("button", name="Leave the table").click()
    expect(ann.find("h1")).to_have_text("Tables")
    hall.person("dealer").must(
        "leaving", {"do": "close-betting"}, *drawn("KH", "2S", "9D", "3C"), {"do": "settle"}, {"do": "open-betting"}
    )
    ann.page.goto(url)
    expect(ann.balance()).to_have_text("200.00")
    ann.button("More").click()
    dialog.get_by_role("button", name="Leave the table").click()
    expect(ann.find("h1")).to_have_text("Tables")
    assert ann.api("/api/me")["wallet"] == due
    assert not ann.errors


def test_whom_the_house_keeps_stays(hall: Hall) -> None:
    """A refusal to let ann leave is shown at the table."""
    hall.open("kept", ("dealer",), shoe=True)
    ann = hall.guest()

    def refusing(route: WebSocketRoute) -> None:
        house = route.connect_to_server()

        def relay(message: str | bytes) -> None:
            order = json.loads(message)
            if '"leave"' in str(message):
                problem = {"status": 409, "code": "something-new", "detail": "the table is being counted"}
                route.send(json.dumps({"frame": "answer", "key": order["key"], "problem": problem}))
            else:
                house.send(message)

        route.on_message(relay)

    ann.page.route_web_socket("**/live*", refusing)
    ann.sit("kept", 1).go("/tables/kept")
    ann.button("More").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
    expect(ann.find(".told[role=alert]")).to_contain_text("The table is being counted.")
    expect(ann.find("[data-bet=player]")).to_be_visible()
    expect(ann.page.get_by_role("dialog")).to_have_count(0)


def test_chips_are_taken_back_as_long_as_the_house_hears_it(hall: Hall) -> None:
    """Also by a patron who has staked all they have, and again if the cut card comes first (5.7); not in between."""
    ann = seated(hall, "taken-back", "100.00", high_limit=True)
    dealer = hall.person("dealer")
    for closed in (False, True):
        ann.chip("100")
        ann.spot("player").click()
        ann.lies("player", "100")
        expect(ann.balance()).to_have_text("0.00")
        if closed:
            dealer.must("taken-back", {"do": "close-betting"})
            ann.phase("No more Bets")
            expect(ann.button("Clear")).to_be_disabled()
            dealer.must("taken-back", {"do": "draw-cut-card"})
            ann.phase("Cut card first: bets may be withdrawn")
            expect(ann.button("Undo")).to_be_disabled()
        ann.button("Clear").click()
        expect(ann.balance()).to_have_text("100.00")
        ann.has("taken-back", 100_00)
    assert not ann.errors


def test_standing_up_is_offered_only_while_the_house_allows_it(hall: Hall) -> None:
    """W8: while wagers lie in the box its seat stays taken."""
    ann = seated(hall, "stands-up")
    ann.button("More").click()
    stands_up, leaves = ann.button("Stand up"), ann.button("Leave the table")
    expect(leaves).to_be_visible()
    expect(stands_up).to_be_visible()
    expect(ann.find("[data-box='1'].mine")).to_have_count(1)
    ann.command("stands-up", {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"})
    expect(stands_up).to_have_count(0)
    expect(leaves).to_be_visible()
    ann.command("stands-up", {"do": "withdraw-wager", "box": 1, "bet": "player"})
    stands_up.click()
    expect(ann.find("[data-box='1'].mine")).to_have_count(0)
    expect(ann.find(".told[role=alert]")).to_have_count(0)
    assert not ann.errors
