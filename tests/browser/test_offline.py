"""A lost line is noticed and shown in every language, and no wager looks placed that is not."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.line import Line
from tests.browser.playing import drawn
from tests.browser.visitors import Hall, Visitor
from tests.house.web.running import eventually, serving

SAID = {
    "en": "Betting is locked",
    "zh-Hant": "暫停下注",
    "zh-Hans": "暂停下注",
}


def locked(ann: Visitor) -> None:
    """No button that would send a command can be pressed."""
    for bet in ("player", "banker", "tie"):
        expect(ann.spot(bet)).to_be_disabled()
    for name in ("Undo", "Clear", "Double", "Repeat"):
        expect(ann.button(name)).to_be_disabled()


def at_stake(ann: Visitor) -> Locator:
    return ann.find(".balance .lying")


def test_a_line_that_dies_is_noticed_and_ghosts_go(hall: Hall) -> None:
    """By its silence, or by the browser's word. A wager that reached the house is there again, any other is gone."""
    table = hall.open("offline", ("dealer",), shoe=True)
    dealer, ann = hall.person("dealer"), hall.guest()
    line = Line(ann)
    ann.sit(table, 1).go(f"/tables/{table}")
    dealer.must(table, {"do": "open-betting"})
    ann.phase("Place your Bets, please")
    ann.chip("100")
    ann.spot("player").click()
    ann.lies("player", "100")
    expect(at_stake(ann)).to_have_text("At stake 100")
    line.slow()
    ann.spot("banker").click()
    expect(ann.spot("banker").locator(".stack.waiting")).to_be_visible()
    expect(at_stake(ann)).to_have_text("At stake 100")
    line.die()
    # Nobody closes the socket: only its silence shows that it is dead.
    expect(ann.find(".link")).to_contain_text(SAID["en"])
    expect(ann.spot("banker").locator(".stack")).to_have_count(0)
    expect(ann.balance()).to_have_text("900.00")
    expect(ann.find(".told[role=alert]")).to_contain_text("It counts only if it is there when the line is back")
    locked(ann)
    line.mend()
    expect(ann.find(".link")).to_have_count(0)
    ann.lies("player", "100")
    expect(ann.spot("banker").locator(".stack")).to_have_count(0)
    assert [wager["bet"] for wager in ann.api(f"/api/tables/{table}")["view"]["wagers"]] == ["player"]
    ann.spot("tie").click()
    ann.lies("tie", "100")
    line.cut()
    expect(ann.find(".link")).to_contain_text(SAID["en"])
    locked(ann)
    dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "9D", "3C"), {"do": "settle"})
    line.mend()
    expect(ann.find(".link")).to_have_count(0)
    ann.phase("Round settled")
    expect(at_stake(ann)).to_have_text("")
    for language in ("zh-Hant", "zh-Hans"):
        ann.page.evaluate("language => localStorage.setItem('punto.language', language)", language)
        ann.go(f"/tables/{table}")
        expect(ann.find(".tray")).to_be_visible()
        line.cut()
        expect(ann.find(".link")).to_contain_text(SAID[language])
        line.mend()
        expect(ann.find(".link")).to_have_count(0)
    assert not ann.errors


def test_insurance_that_was_chosen_and_not_confirmed_lapses(hall: Hall) -> None:
    """The page says so, where the strip does not cover it. If nothing was chosen it says nothing."""
    table = hall.open("lapsed", ("dealer",), shoe=True)
    dealer, ann = hall.person("dealer"), hall.guest(phone=True)
    player = {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"}
    ann.sit(table, 1).go(f"/tables/{table}")
    notice, strip = ann.find(".felt > .told"), ann.find(".strip")
    for chosen in (True, False):
        dealer.must(table, {"do": "open-betting"})
        ann.command(table, player)
        dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C"))
        expect(strip).to_be_visible()
        if chosen:
            strip.get_by_role("button", name="½").click()
        dealer.must(table, *drawn("4H"))
        expect(strip).to_have_count(0)
        if chosen:
            expect(notice).to_contain_text("Insurance for 50.00 was chosen and not confirmed: it lapsed.")
        dealer.must(table, {"do": "settle"})
        ann.phase("Round settled")
        expect(notice).to_be_visible(visible=chosen)
    assert ann.cents(table) == 1000_00 - 200_00
    # A notice that comes while insurance is on offer lies above its strip.
    dealer.must(table, {"do": "open-betting"})
    ann.command(table, player, {**player, "bet": "banker", "stake": "5.00"})
    dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C"))
    expect(strip).to_be_visible()
    expect(notice).to_contain_text("A wager under the minimum went back: 5.00.")
    above, below = notice.bounding_box(), strip.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"]
    assert not ann.errors


def test_guests_who_close_their_tabs_leave_free_seats(hall: Hall, tmp_path: Path) -> None:
    """The time that this house sets is short. Whoever keeps looking keeps the seat."""
    with serving(tmp_path, "--no-rate-limits", "--no-demo", "--away-minutes", "0.1") as server:
        here = Hall(server, hall.browsers)
        try:
            table = here.open("left", positions=6)
            guests = [here.guest() for _ in range(6)]
            for box, guest in enumerate(guests, 1):
                guest.go(f"/tables/{table}")
                expect(guest.find("header .phase strong")).to_be_visible()
                guest.sit(table, box)
                expect(guest.find(".tray")).to_be_visible()
            stays, *gone = guests
            for guest in gone:
                guest.page.close()
            taken = [True, *[False] * 5]
            seats = f"/api/tables/{table}"
            assert eventually(lambda: [box["occupied"] for box in stays.api(seats)["view"]["boxes"]] == taken)
            assert [leaver.api("/api/me")["wallet"] for leaver in gone] == ["10000.00"] * 5
        finally:
            here.close()
