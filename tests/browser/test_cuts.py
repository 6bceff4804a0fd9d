"""The line is cut, the house dies and comes back: the page restores the table by itself, without being loaded anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.playing import drawn
from tests.browser.visitors import Hall, Visitor
from tests.house.web.running import Server, serving


def marked(visitor: Visitor) -> None:
    """A page that is loaded anew loses this mark."""
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
        self.server.process.wait(10)


@pytest.fixture
def mortal(browser: Browser, tmp_path: Path) -> Iterator[tuple[Hall, Killed]]:
    with serving(tmp_path, "--no-rate-limits", "--no-demo") as server:
        hall = Hall(server, browser)
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
        expect(ann.find(".link")).to_have_count(0, timeout=15_000)
        # Past "No more Bets", and with 7 standing some side bets are decided: the round is played to its end.
        expect(ann.find(".felt > .told")).to_contain_text("Power failure or restart")
        ann.lies("player", "100")
        expect(ann.find(".hand.player .points")).to_have_text("7")
        dealer.deal("3C 4H")
        dealer.gold("Settle")
        ann.phase("Round settled")
        expect(ann.balance()).to_have_text("900.00")
        assert ann.cents(table) == 900_00
        dealer.gold("Open betting")
        ann.phase("Place your Bets, please")
        ann.spot("banker").click()
        ann.lies("banker", "100")
        unbroken(ann)
        unbroken(dealer)


def test_the_line_is_cut(hall: Hall) -> None:
    """What happened while it was cut is there afterwards; a chip laid meanwhile lies once, not twice."""
    table = hall.open("cut", ("dealer",), shoe=True)
    dealer = hall.person("dealer")
    ann = hall.guest()
    routes: list[WebSocketRoute] = []
    cut = False

    def join(route: WebSocketRoute) -> None:
        if cut:
            route.close(code=1011)
            return
        route.connect_to_server()
        routes.append(route)

    ann.page.route_web_socket("**/live*", join)
    ann.sit(table, 1).go(f"/tables/{table}")
    dealer.must(table, {"do": "open-betting"})
    ann.phase("Place your Bets, please")
    marked(ann)
    ann.context.set_offline(True)
    cut = True
    routes[-1].close(code=1011)
    expect(ann.find(".link")).to_contain_text("Reconnecting")
    assert ann.spot("player").is_disabled()
    dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "9D", "3C"), {"do": "settle"})
    dealer.must(table, {"do": "open-betting"})
    cut = False
    ann.context.set_offline(False)
    expect(ann.find(".link")).to_have_count(0)
    ann.phase("Place your Bets, please")
    ann.chip("100")
    ann.spot("player").click()
    ann.lies("player", "100")
    assert ann.api(f"/api/tables/{table}")["view"]["wagers"][0]["stake"] == "100.00"
    unbroken(ann)


def test_a_chip_is_a_ghost_until_the_house_has_it(hall: Hall) -> None:
    """The ghost lies there before the answer has come; sent twice because of a cut, the chip lies once."""
    table = hall.open("ghost", ("dealer",), shoe=True)
    ann = hall.guest()
    held: list[str] = []
    routes: list[WebSocketRoute] = []
    holding = False

    def join(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        routes.append(route)

        def told(message: str | bytes) -> None:
            if holding:
                held.append(str(message))
            else:
                route.send(message)

        server.on_message(told)

    ann.page.route_web_socket("**/live*", join)
    ann.sit(table, 1).go(f"/tables/{table}")
    hall.person("dealer").must(table, {"do": "open-betting"})
    ann.phase("Place your Bets, please")
    ann.chip("100")
    holding = True
    took = ann.page.evaluate(
        """() => new Promise((done) => {
          const spot = document.querySelector("[data-bet=player]");
          const began = performance.now();
          new MutationObserver((_, watch) => {
            if (!spot.querySelector(".stack.waiting")) return;
            watch.disconnect();
            done(performance.now() - began);
          }).observe(spot, { childList: true, subtree: true });
          spot.click();
        })"""
    )
    assert took < 100
    ghost = ann.spot("player").locator(".stack.waiting")
    expect(ghost).to_be_visible()
    expect(ann.balance()).to_have_text("900.00")
    for _ in range(50):
        if any(json.loads(one)["frame"] == "answer" for one in held):
            break
        ann.page.wait_for_timeout(50)
    expect(ghost).to_be_visible()
    # The answer is lost with the line: the page asks again under the same key.
    holding = False
    routes[-1].close(code=1011)
    ann.lies("player", "100")
    assert [one["stake"] for one in ann.api(f"/api/tables/{table}")["view"]["wagers"]] == ["100.00"]
