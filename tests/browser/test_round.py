"""Whole rounds at a live table: two patrons, a dealer and a pit manager at once."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.visitors import Hall

MONEY = {"minimum": "10.00", "maximum": "500.00", "maximum_differential": "1000.00"}


def test_bet_insurance_settle(hall: Hall) -> None:
    """Player KH 7D = 7, Banker 2S 3C = 5 draws 4H = 9. ann: Player −100, insurance +200; bob: Banker +47.50 (5 %)."""
    table = hall.open("round-1", limits=MONEY)
    ann, bob, dealer, pit = hall.guest(), hall.guest(), hall.staff("dealer"), hall.staff("pit-manager")
    ann.sit(table, 1).go(f"/tables/{table}")
    bob.sit(table, 2).go(f"/tables/{table}")
    pit.go(f"/tables/{table}/pit")
    dealer.go(f"/tables/{table}/dealer")
    dealer.gold("Go on duty")
    expect(dealer.find(".stage button.gold")).to_contain_text("Load the shoe")
    # The page may show the duty before its command is answered; until then Enter does nothing.
    expect(dealer.find(".stage button.gold")).to_be_enabled()
    dealer.keys("Enter")
    dealer.page.get_by_label("The cards are shuffled").check()
    dealer.button("Load").last.click()
    dealer.gold("Open betting")

    ann.phase("Place your Bets, please")
    ann.chip("100")
    ann.spot("player").click()
    ann.lies("player", "100")
    bob.chip("50")
    bob.spot("banker").click()
    bob.lies("banker", "50")
    expect(bob.balance()).to_have_text("950.00")
    expect(dealer.find(".lines")).to_contain_text(ann.name)

    dealer.gold("Close betting")
    ann.phase("No more Bets")
    dealer.deal("KH 2S 7D 3C")
    strip = ann.page.get_by_role("region", name="Insurance on Player 7")
    expect(strip).to_contain_text("4 to 1")
    expect(strip).to_contain_text("at most 100.00")
    assert not bob.page.get_by_role("region", name="Insurance on Player 7").count()
    strip.get_by_role("button", name="½").click()
    expect(strip.locator("dl .banker dd")).to_have_text("+100.00")
    strip.get_by_role("button", name="Insure for 50").click()
    expect(strip).to_contain_text("Insured: 50.00")

    dealer.deal("4H")
    dealer.gold("Settle")
    ann.phase("Round settled")
    expect(ann.find(".verdict")).to_contain_text("Banker wins")
    expect(ann.find(".mine li")).to_have_count(2)
    expect(ann.find(".mine .net b")).to_have_text("+100.00")
    expect(ann.balance()).to_have_text("1,100.00")
    expect(bob.balance()).to_have_text("1,047.50")
    ann.has(table, 1100_00)
    bob.has(table, 1047_50)
    cites = ann.find(".mine li .cite")
    expect(cites).to_have_count(2)
    cites.last.click()
    expect(ann.page.get_by_role("dialog")).to_be_visible()
    assert not ann.errors + bob.errors + dealer.errors + pit.errors


def test_chips_are_taken_back_doubled_and_repeated(hall: Hall) -> None:
    table = hall.open("round-2", duty=("dealer",), shoe=True, limits=MONEY)
    ann, bob, dealer = hall.guest(), hall.guest(), hall.staff("dealer")
    bob.sit(table, 2)
    ann.sit(table, 1).go(f"/tables/{table}")
    dealer.go(f"/tables/{table}/dealer")
    dealer.gold("Open betting")
    ann.phase("Place your Bets, please")
    ann.chip("25")
    ann.spot("player").click()
    ann.spot("player").click()
    ann.lies("player", "50")
    ann.button("Undo").click()
    ann.lies("player", "25")
    ann.button("Double").click()
    ann.lies("player", "50")
    ann.button("Clear").click()
    expect(ann.spot("player").locator(".stack")).to_have_count(0)
    ann.has(table, 1000_00)
    ann.button("Undo").click()
    ann.lies("player", "50")

    # A standing wager on bob's box, and a wager over the limit, which is refused with its paragraph.
    ann.find("[data-box='2']").click()
    ann.spot("banker").click()
    ann.lies("banker", "25")
    expect(ann.find("[data-box='2'] .chips")).to_contain_text("25")
    ann.find("[data-box='1']").click()
    ann.chip("500")
    ann.spot("player").click()
    refusal = ann.find(".box .told")
    expect(refusal.locator(".cite")).to_be_visible()
    dealer.gold("Close betting")
    dealer.deal("KH 2S 9D 3C")
    dealer.gold("Settle")
    laid = {(wager["box"], wager["bet"]): wager["stake"] for wager in ann.api(f"/api/tables/{table}")["view"]["wagers"]}
    dealer.gold("Open betting")
    ann.phase("Place your Bets, please")
    ann.button("Repeat").click()
    expect(ann.find(".mine li")).to_have_count(len(laid))
    again = {
        (wager["box"], wager["bet"]): wager["stake"] for wager in ann.api(f"/api/tables/{table}")["view"]["wagers"]
    }
    assert again == laid
    assert not ann.errors
