"""The dealer's tools: the clock that patrons see too, who owes an answer, totals, a card that was entered wrongly."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.measures import counts_down, none, well
from tests.browser.playing import drawn
from tests.browser.test_desks import dealing
from tests.browser.test_floor_desks import seen
from tests.browser.visitors import Hall, Visitor

LIVE = {"edition": "live-baccarat-insurance-commission/undated", "layout": "live", "positions": 7}


def put_right(visitor: Visitor, place: str, card: str) -> None:
    expect(visitor.button("Wrong card")).to_be_enabled()
    visitor.keys("F6")
    form = visitor.page.get_by_role("dialog")
    form.get_by_role("radio", name=place).check()
    form.locator("[name=card]").fill(card)
    form.get_by_role("button", name="Put it right").click()


def test_a_round_with_the_clock_the_totals_and_the_answers(hall: Hall) -> None:
    table = hall.open("tools", ("dealer",), shoe=True, pace={"betting": 3600})
    ann, bob = hall.guest().sit(table, 1), hall.guest(phone=True).sit(table, 2)
    dealer = hall.staff("dealer", reduced_motion="reduce")
    dealing(dealer, table)
    dealer.gold("Open betting")
    expect(dealer.find(".bar .clock")).to_contain_text("s left to bet")
    bob.go(f"/tables/{table}")
    counts_down(bob, table, "header .ring text")
    for box, patron, stake in ((1, ann, "100.00"), (2, bob, "250.00")):
        patron.command(table, {"do": "place-wager", "box": box, "bet": "player", "stake": stake})
    bob.command(table, {"do": "place-wager", "box": 2, "bet": "tie", "stake": "20.00"})
    total = dealer.find("[data-total=player]")
    expect(total).to_contain_text("350")
    expect(total).to_contain_text("boxes: 2")
    expect(dealer.find("[data-total=tie]")).to_contain_text("20")
    well(dealer, one_screen=True)
    seen(dealer, "dealer-betting")
    dealer.gold("Close betting")
    expect(dealer.find(".bar .clock")).to_have_count(0)
    dealer.deal("KH 2S 7D 3C")
    owing = dealer.find(".offers .owing")
    expect(owing).to_have_text(f"Still to answer: {ann.name}, {bob.name}")
    ann.command(table, {"do": "take-insurance", "bet": "player_insurance", "stake": "10.00"})
    expect(owing).to_have_text(f"Still to answer: {bob.name}")
    seen(dealer, "dealer-offer")
    bob.command(table, {"do": "decline-insurance"})
    expect(owing).to_have_text("Everybody has answered")
    none(dealer.violations())
    bob.button("More").click()
    expect(bob.page.get_by_role("dialog").get_by_role("link", name="Board")).to_be_visible()
    expect(bob.page.get_by_role("dialog").get_by_role("link", name="Check the shoe")).to_have_count(0)
    assert not dealer.errors + bob.errors


def test_a_card_entered_wrongly_is_put_right_in_one_step(hall: Hall) -> None:
    """Before and after the next card, by staff who may rule. A dealer tells the pit. A Live report names both hands."""
    table = hall.open("misread", ("dealer", "pit-supervisor"), shoe=True)
    house = hall.person("dealer")
    house.must(table, {"do": "open-betting"}, {"do": "close-betting"}, *drawn("KH", "2S", "9D"))
    pit = hall.staff("pit-supervisor", reduced_motion="reduce")
    dealing(pit, table)
    lies = pit.find(".left .hands [role=img]")
    put_right(pit, "Player, second card", "6d")
    expect(lies.filter(has_text="6")).to_have_count(1)
    shown = pit.api(f"/api/tables/{table}")["view"]
    assert (shown["cards"], shown["phase"]) == ({"P1": "KH", "B1": "2S", "P2": "6D"}, "dealing")
    house.must(table, *drawn("3C"))
    put_right(pit, "Banker, first card", "4S")
    expect(lies.filter(has_text="4")).to_have_count(1)
    assert pit.api(f"/api/tables/{table}")["view"]["points"] == {"player": 6, "banker": 7}
    # The dealer lacks the rank: the pit gets a report that names the right card.
    dealer = hall.staff("dealer", reduced_motion="reduce")
    dealing(dealer, table)
    put_right(dealer, "Banker, second card", "5C")
    expect(dealer.page.get_by_role("dialog")).to_contain_text("The pit rules on it")
    seen(dealer, "dealer-misread")
    none(dealer.violations())
    log = pit.api(f"/api/tables/{table}/events?limit=500")["events"]
    report = [entry["event"] for entry in log if entry["event"]["event"] == "irregularity-reported"][-1]
    assert (report["irregularity"]["place"], report["note"]) == ("B2", "entered as 3♣, it is 5♣")
    live = hall.open("misread-live", ("dealer", "pit-manager"), shoe=True, **LIVE)
    house.must(live, {"do": "open-betting"}, {"do": "close-betting"}, *drawn("KD", "2S"))
    manager = hall.staff("pit-manager", reduced_motion="reduce")
    dealing(manager, live)
    put_right(manager, "Player, first card", "KH")
    expect(manager.find(".left .hands").get_by_role("img", name="K♥")).to_be_visible()
    house.must(live, *drawn("9D", "3C"))
    put_right(manager, "Player, second card", "6D")
    expect(manager.find(".left .hands [role=img]").filter(has_text="6")).to_have_count(1)
    assert manager.api(f"/api/tables/{live}")["view"]["cards"] == {"P1": "KH", "B1": "2S", "P2": "6D", "B2": "3C"}
    assert not pit.errors + dealer.errors + manager.errors
