"""People in front of the page: each in a browser context of its own, with every frame that came over its sockets."""

from __future__ import annotations

import json
import re
import time
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.browser.kept import Browsers, KeptBrowser
from tests.house.web.running import Person, Server, eventually
from tests.patience import LONG_S

DESKTOP: Final = {"width": 1280, "height": 800}
PHONE: Final = {"width": 390, "height": 844}
PHASES: Final = {"No more Bets": "dealing", "Round settled": "settled"}
AT_REST: Final = """document.getAnimations().every((one) =>
  one.playState !== "running" || one.effect.getTiming().iterations === Infinity)"""
DRAWN: Final = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
"""Settles once the page has drawn what it has been sent by now."""
# Only the rules whose findings are serious or critical: that saves a third of axe's work. None needs other files.
LOOKED_OVER: Final = """async () => {
  const slight = axe._audit.rules.filter((one) => !["serious", "critical"].includes(one.impact));
  const rules = Object.fromEntries(slight.map((one) => [one.id, { enabled: false }]));
  return (await axe.run(document, { resultTypes: ["violations"], preload: false, rules })).violations;
}"""
AXE: Final = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


class Visitor:
    """One person's browser. `frames`: what the house sent it, as read from the wire."""

    def __init__(self, hall: Hall, browser: KeptBrowser, name: str, phone: bool, looks: dict[str, Any]) -> None:
        self.hall, self.name, self.phone = hall, name, phone
        self._browser, self.context, self._looks = browser, browser.context, looks
        self.frames: list[dict[str, Any]] = []
        self.sockets: list[WebSocket] = []
        self.errors: list[str] = []

    @cached_property
    def page(self) -> Page:
        """Opened when it is first used: some visitors only send commands."""
        page = self._browser.page()
        looks = {**self._looks}
        page.set_viewport_size(looks.pop("viewport"))
        page.emulate_media(**looks)
        page.on("websocket", self._listen)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        return page

    def _listen(self, socket: WebSocket) -> None:
        self.sockets.append(socket)
        socket.on("framereceived", lambda data: self.frames.append(json.loads(data)))

    def go(self, path: str) -> Page:
        self.page.goto(self.hall.server.url + path)
        return self.page

    def alone(self) -> None:
        """Call this before the line is cut, and before there is a page."""
        self._browser.alone()

    def find(self, selector: str, **options: Any) -> Locator:
        return self.page.locator(selector, **options)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name)

    def shifted(self) -> float:
        return float(self.page.evaluate("window.shifted"))

    def until(self, expression: str) -> None:
        """Wait until it is true, asking from outside: the page's policy forbids Playwright to do so within the page."""
        assert eventually(lambda: bool(self.page.evaluate(expression))), expression

    def api(self, path: str) -> Any:
        """The house's own answer to this person."""
        answer = self.context.request.get(self.hall.server.url + path)
        assert answer.ok, answer.text()
        return answer.json()

    def cents(self, table: str) -> int:
        """Their chips at a table, by the house."""
        return round(float(self.api(f"/api/tables/{table}")["view"]["balance"]) * 100)

    def has(self, table: str, cents: int) -> None:
        """Wait until the house has this sum: the page is ahead of it by as long as a command takes."""
        ends = time.monotonic() + LONG_S
        while self.cents(table) != cents and time.monotonic() < ends:
            time.sleep(0.02)
        assert self.cents(table) == cents

    # At a table, as a patron.

    def sit(self, table: str, box: int, chips: str = "1000.00") -> Visitor:
        """Come with chips and sit, before the page is opened."""
        self.command(table, {"do": "join", "chips": chips}, {"do": "sit", "box": box})
        return self

    def command(self, table: str, *commands: dict[str, Any]) -> None:
        me = self.api("/api/me")
        self.hall.keys += 1
        body = {"key": f"{self.name}-page-{self.hall.keys}", "commands": list(commands)}
        answer = self.context.request.post(
            f"{self.hall.server.url}/api/tables/{table}/commands", data=body, headers={"x-csrf-token": me["csrf"]}
        )
        assert answer.ok, answer.text()

    def chip(self, value: str) -> None:
        self.page.get_by_role("radio", name=re.compile(rf"^\D*{value}\D*$")).click()

    def spot(self, bet: str) -> Locator:
        return self.find(f"[data-bet={bet}]")

    def lies(self, bet: str, sum_text: str) -> None:
        """The wager is accepted: a solid stack of this sum lies there."""
        expect(self.spot(bet).locator(".stack:not(.waiting) .sum")).to_have_text(sum_text)

    def phase(self, text: str) -> None:
        """The phase by the name of its call. From the deal on, the header says more than the call."""
        heading = self.find("header .phase strong")
        if text in PHASES:
            expect(heading).to_have_attribute("data-phase", PHASES[text])
        else:
            expect(heading).to_have_text(text)

    def says(self, text: str) -> None:
        """What happens now, in the words of the header."""
        expect(self.find("header .phase strong")).to_have_text(text)

    def balance(self) -> Locator:
        return self.find("#balance > b")

    # At the dealer's console.

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def deal(self, cards: str) -> None:
        """Enter cards one after the other: rank, suit, Enter; each lies there before the next is typed."""
        expect(self.find(".stage")).to_be_visible()
        open_cards = self.find(".left .hands [role=img]")
        for card in cards.split():
            before = open_cards.count()
            self.keys(*card, "Enter")
            expect(open_cards).to_have_count(before + 1)

    def gold(self, text: str) -> None:
        """The dealer's highlighted action is this one, and Enter does it."""
        expect(self.find(".stage button.gold")).to_contain_text(text)
        expect(self.find(".stage button.gold")).to_be_enabled()
        self.keys("Enter")
        expect(self.find(".stage button.gold")).not_to_contain_text(text)

    def violations(self) -> list[str]:
        """What axe finds that is serious or critical, once nothing fades in or out any more."""
        self.until(AT_REST)
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text("utf-8"))
        findings = self.page.evaluate(LOOKED_OVER)
        return [
            f"{rule['impact']} {rule['id']}: {node['target']} {node['html'][:160]} {node['failureSummary'][-240:]}"
            for rule in findings
            for node in rule["nodes"]
        ]


class Hall:
    """One house, its visitors and their browsers."""

    def __init__(self, server: Server, browsers: Browsers) -> None:
        self.server, self.browsers = server, browsers
        self.keys = 0
        self.opened: set[str] = set()
        self._staff: dict[str, Person] = {}
        self._taken: list[KeptBrowser] = []

    def everybody_out(self) -> None:
        """At the end of a test: give back every browser."""
        for browser in self._taken:
            self.browsers.give_back(browser)
        self._taken.clear()

    def close(self) -> None:
        self.everybody_out()
        for person in self._staff.values():
            person.http.close()

    def visitor(self, name: str = "", phone: bool = False, locale: str = "en-GB", **looks: Any) -> Visitor:
        """Somebody with a fresh browser. `looks`: a size, a color scheme, whether things move."""
        taken = self.browsers.take(self.server.url, phone, locale)
        self._taken.append(taken)
        looks = {"viewport": PHONE if phone else DESKTOP, "color_scheme": "dark", **looks}
        return Visitor(self, taken, name, phone, looks)

    def guest(self, **options: Any) -> Visitor:
        visitor = self.visitor(**options)
        answer = visitor.context.request.post(f"{self.server.url}/api/guests")
        visitor.name = answer.json()["name"]
        return visitor

    def staff(self, role: str, **options: Any) -> Visitor:
        visitor = self.visitor(role, **options)
        cookie = self.person(role).http.cookies["punto_session"]
        visitor.context.add_cookies([{"name": "punto_session", "value": cookie, "url": self.server.url}])
        return visitor

    def person(self, role: str) -> Person:
        """Staff without a browser, to prepare what a test is not about. Each signs in once: a password takes long."""
        if role not in self._staff:
            self._staff[role] = Person(self.server).log_in(role)
        return self._staff[role]

    def open(self, table: str, duty: tuple[str, ...] = (), shoe: bool = False, **settings: Any) -> str:
        """A live table of the newest edition, opened by the pit supervisor."""
        self.person("pit-supervisor").open(table, **settings)
        self.opened.add(table)
        for role in duty:
            self.person(role).must(table, {"do": "start-duty"})
        if shoe:
            dealer = self.person("dealer")
            dealer.must(table, {"do": "load-shoe", "count": 416, "shuffled": True})
            if dealer.get(f"/api/tables/{table}").json()["view"]["phase"] == "commencing":
                dealer.must(table, {"do": "burn", "card": "5S"})
        return table
