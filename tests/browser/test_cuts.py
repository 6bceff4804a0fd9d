"""The line is cut, the house dies and comes back: the page restores the table by itself, without a reload."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.kept import Browsers
from tests.browser.line import Line
from tests.browser.measures import counts_down
from tests.browser.playing import drawn
from tests.browser.test_floor_desks import seen
from tests.browser.visitors import Hall, Visitor
from tests.house.web.running import Server, serving
from tests.patience import LONG_S


def marked(visitor: Visitor) -> None:
    """Set a mark, which a page loses when it is reloaded."""
    visitor.page.evaluate("window.mark = 'the same page'")


def unbroken(visitor: Visitor) -> None:
    assert visitor.page.evaluate("window.mark") == "the same page"
    assert not visitor.errors


class Killed:
    """A house that can be killed and started again at its address."""

    def __init__(self, folder: Path, server: Server) -> None:
        self.folder, self.server = folder, server

    def kill(self) -> None:
        self.server.process.kill()
        self.server.process.wait(LONG_S)


@pytest.fixture
def mortal(browsers: Browsers, tmp_path: Path) -> Iterator[tuple[Hall, Killed]]:
    with serving(tmp_path, "--no-rate-limits", "--no-demo") as server:
        hall = Hall(server, browsers)
        yield hall, Killed(tmp_path, server)
        hall.close()


def test_killed_in_the_middle_of_a_round(mortal: tuple[Hall, Killed]) -> None:
    hall, house = mortal
    table = hall.open("killed", ("dealer", "pit-manager"), shoe=True)
    ann = hall.guest()
    ann.sit(table, 1).go(f"/tables/{table}")
    dealer = hall.staff("dealer")
    dealer.go(f"/tables/{table}/dealer")
    dealer.gold("Open betting")
    ann.chip("100")
    ann.spot("player").click()
    ann.lies("player", "100")
    dealer.gold("Close betting")
    dealer.deal("KH 2S 7D")
    marked(ann)
    marked(dealer)
    house.kill()
    expect(ann.find(".link")).to_contain_text("Reconnecting")
    port = hall.server.url.rpartition(":")[2]
    with serving(house.folder, "--no-rate-limits", "--no-demo", "--port", port):
        expect(ann.find(".link")).to_have_count(0)
        # After "No more Bets", with Player standing on 7, some side bets are decided: the round is played out.
        expect(ann.find(".felt > .told")).to_contain_text("Power failure or restart")
        ann.lies("player", "100")
        expect(ann.find(".hand.player .points")).to_have_text("7")
        dealer.deal("3C 4H")
        dealer.gold("Settle")
        ann.phase("Round settled")
        expect(ann.balance()).to_have_text("900.00")
        ann.has(table, 900_00)
        dealer.gold("Open betting")
        ann.phase("Place your Bets, please")
        ann.spot("banker").click()
        ann.lies("banker", "100")
        unbroken(ann)
        unbroken(dealer)


def test_the_clock_after_a_restart(mortal: tuple[Hall, Killed]) -> None:
    """No clock runs while the house is away. Once it is back it says how long is left, though nothing else happened."""
    hall, house = mortal
    pace = {"betting": 3600, "insurance": 1, "card": 1, "result": 1, "options": 1, "squeeze": 1}
    table = hall.open("timed", source="virtual", pace=pace)
    ann = hall.guest()
    ann.sit(table, 1).go(f"/tables/{table}")
    ann.phase("Place your Bets, please")
    expect(ann.find(".ring text")).to_be_visible()
    house.kill()
    expect(ann.find(".link")).to_contain_text("Reconnecting")
    expect(ann.find(".ring text")).to_have_count(0)
    port = hall.server.url.rpartition(":")[2]
    with serving(house.folder, "--no-rate-limits", "--no-demo", "--port", port):
        expect(ann.find(".link")).to_have_count(0)
        counts_down(ann, table, ".ring text")


def test_the_line_is_cut(hall: Hall) -> None:
    """What happened while the line was cut is shown afterwards."""
    table = hall.open("cut", ("dealer",), shoe=True)
    dealer = hall.person("dealer")
    ann = hall.guest()
    line = Line(ann)
    ann.sit(table, 1).go(f"/tables/{table}")
    dealer.must(table, {"do": "open-betting"})
    ann.phase("Place your Bets, please")
    marked(ann)
    line.cut()
    expect(ann.find(".link")).to_contain_text("Reconnecting")
    expect(ann.spot("player")).to_be_disabled()
    dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "9D", "3C"), {"do": "settle"})
    dealer.must(table, {"do": "open-betting"})
    line.mend()
    expect(ann.find(".link")).to_have_count(0)
    ann.phase("Place your Bets, please")
    ann.chip("100")
    ann.spot("player").click()
    ann.lies("player", "100")
    assert ann.api(f"/api/tables/{table}")["view"]["wagers"][0]["stake"] == "100.00"
    unbroken(ann)


# From the tap to the ghost: how many frames the browser draws in between. A slow machine draws fewer a second.
TAPPED = """() => new Promise((done) => {
  const spot = document.querySelector("[data-bet=player]");
  let frames = 0;
  const count = () => { frames += 1; requestAnimationFrame(count); };
  new MutationObserver((_, watch) => {
    if (!spot.querySelector(".stack.waiting")) return;
    watch.disconnect();
    done(frames);
  }).observe(spot, { childList: true, subtree: true });
  requestAnimationFrame(count);
  spot.click();
})"""


def test_a_chip_is_a_ghost_until_the_house_has_it(hall: Hall) -> None:
    """The ghost chip lies there before the answer comes. Sent twice, because the answer was lost, it counts once."""
    table = hall.open("ghost", ("dealer",), shoe=True)
    ann = hall.guest()
    line = Line(ann)
    ann.sit(table, 1).go(f"/tables/{table}")
    hall.person("dealer").must(table, {"do": "open-betting"})
    ann.phase("Place your Bets, please")
    ann.chip("100")
    expect(ann.spot("player")).to_be_enabled()
    line.hold()
    assert ann.page.evaluate(TAPPED) <= 1
    ghost = ann.spot("player").locator(".stack.waiting")
    expect(ghost).to_be_visible()
    expect(ann.balance()).to_have_text("900.00")
    line.answered()
    expect(ghost).to_be_visible()
    line.lose()
    ann.lies("player", "100")
    assert [wager["stake"] for wager in ann.api(f"/api/tables/{table}")["view"]["wagers"]] == ["100.00"]


def test_a_dealer_types_ahead(hall: Hall) -> None:
    """The next card is typed while the house has not answered the last one: nothing typed is lost."""
    table = hall.open("ahead", ("dealer",), shoe=True)
    hall.person("dealer").must(table, {"do": "open-betting"}, {"do": "close-betting"})
    dealer = hall.staff("dealer")
    line = Line(dealer)
    dealer.go(f"/tables/{table}/dealer")
    expect(dealer.find(".stage button.gold")).to_contain_text("Draw")
    line.hold()
    dealer.keys("K", "h", "Enter", "2", "s", "Enter")
    line.answered()
    line.release()
    expect(dealer.find(".left .hands [role=img]")).to_have_count(2)
    dealer.deal("9D 3C")
    cards = dealer.api(f"/api/tables/{table}")["view"]["cards"]
    assert cards == {"P1": "KH", "B1": "2S", "P2": "9D", "B2": "3C"}
    assert not dealer.errors


def test_a_card_too_many_settles_nothing(hall: Hall) -> None:
    """Player has a natural, and the dealer goes on typing: before the house has answered, and afterwards."""
    table = hall.open("too-many", ("dealer",), shoe=True)
    hall.person("dealer").must(table, {"do": "open-betting"}, {"do": "close-betting"}, *drawn("KH", "2S", "9D"))
    dealer = hall.staff("dealer", reduced_motion="reduce")
    line = Line(dealer)
    dealer.go(f"/tables/{table}/dealer")
    gold, refusal = dealer.find(".stage button.gold"), dealer.find(".stage .refusal")
    expect(gold).to_contain_text("Draw")
    line.hold()
    dealer.keys("3", "c", "Enter", "5", "h", "Enter")
    line.answered()
    line.release()
    expect(refusal).to_contain_text("No card is needed now")
    expect(gold).to_contain_text("Settle")
    # The slots show what is typed although no card is needed.
    dealer.keys("6", "d")
    expect(refusal).to_have_count(0)
    expect(dealer.find(".stage .slots")).to_be_visible()
    expect(dealer.find(".stage .entry")).to_contain_text("No card is needed now")
    seen(dealer, "dealer-too-many")
    dealer.keys("Enter")
    expect(refusal).to_contain_text("No card is needed now")
    expect(dealer.find(".stage .slots")).not_to_be_visible()
    # What is taken back with Backspace is forgotten, and so is half a card.
    dealer.keys("7", "Enter")
    expect(refusal).to_be_visible()
    dealer.keys("8", "s", "Backspace", "Backspace")
    expect(refusal).to_have_count(0)
    assert dealer.api(f"/api/tables/{table}")["view"]["phase"] == "complete"
    dealer.gold("Settle")
    expect(gold).to_contain_text("Open betting")
    assert not dealer.errors
