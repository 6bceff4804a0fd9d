"""Addresses that lead nowhere, a house that does not answer, a guest who is not let in: each gets a sentence and a
way on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.visitors import Hall
from tests.every import of_every
from tests.house.web.running import AT_ONCE, Person, eventually, serving
from tests.patience import LONG_S

NOWHERE = {
    "/tables/nowhere": "There is no such table.",
    "/tables/nowhere/board": "There is no such table.",
    "/tables/nowhere/shoes": "There is no such table.",
    "/tables/%E0%A4%A": "There is no page at this address.",
    "/odds/bogus/x": "There is no such game or edition.",
    "/rules/bogus/x": "There is no such game or edition.",
    "/tables/nowhere/pit": "The pit is for staff.",
}


def test_an_address_that_leads_nowhere(hall: Hall) -> None:
    reader = hall.visitor()

    @of_every(NOWHERE)
    def says_so(path: str) -> None:
        reader.go(path)
        expect(reader.find("main .nothing")).to_contain_text(NOWHERE[path])
        expect(reader.find("main .nothing a")).to_be_visible()
        assert not reader.errors

    says_so()


def test_a_console_of_no_table(hall: Hall) -> None:
    staff = hall.staff("pit-supervisor")

    @of_every(("dealer", "pit"))
    def says_so(console: str) -> None:
        staff.go(f"/tables/nowhere/{console}")
        expect(staff.find("main .nothing")).to_contain_text("There is no such table.")

    says_so()


def test_my_rounds_say_why_there_are_none(hall: Hall) -> None:
    reader = hall.visitor()
    reader.go("/me/rounds")
    expect(reader.find("main")).to_contain_text("Nobody has played here in this browser")
    reader.page.get_by_role("main").get_by_role("link", name="Staff sign in").click()
    expect(reader.find("form")).to_contain_text("The page you asked for needs a name and a password.")


def test_nobody_is_asked_for_once(hall: Hall) -> None:
    """A browser that knows that nobody is signed in does not ask again, until somebody is."""
    reader = hall.visitor()
    urls: list[str] = []
    reader.page.on(
        "request", lambda request: urls.append(request.url) if request.url.endswith("/api/sessions/current") else None
    )
    for _ in range(2):
        reader.go("/")
        expect(reader.button("Play as guest").first).to_be_visible()
    assert len(urls) == 1
    with reader.page.expect_request("**/api/sessions/current"):
        reader.button("Play as guest").first.click()
    expect(reader.balance()).to_have_text("10,000.00")
    assert len(urls) == 2, "the wallet, after the chips went to the table"
    reader.go("/")
    expect(reader.find("header")).to_contain_text("Sign out")
    assert len(urls) == 3


def test_a_house_that_does_not_answer(hall: Hall) -> None:
    """The script of another page can't be loaded: the page stays, says so, and goes on when the house is back."""
    reader = hall.visitor()
    reader.alone()
    reader.go("/")
    expect(reader.find("h1")).to_have_text("Tables")
    reader.context.set_offline(True)
    reader.page.get_by_role("link", name="Odds").click()
    expect(reader.find("main .nothing")).to_contain_text("The house does not answer")
    reader.button("Try again").click()
    expect(reader.find("main .nothing")).to_contain_text("The house does not answer")
    reader.page.get_by_role("link", name="Tables").click()
    expect(reader.find("h1")).to_have_text("Tables")
    reader.button("Play as guest").first.click()
    expect(reader.find(".failed")).to_contain_text("The house does not answer. Try again in a moment.")
    reader.page.get_by_role("link", name="Odds").click()
    expect(reader.find("main .nothing")).to_be_visible()
    reader.context.set_offline(False)
    expect(reader.find("h1")).to_have_text("Odds explorer")
    assert not reader.errors


def test_an_edition_that_can_not_be_fetched(hall: Hall) -> None:
    """The one before stays, the page says that it is not the chosen one, and asks until the house answers."""
    reader = hall.visitor()
    game, newer, older = "tiger-buffalo-commission", "2025-11-21", "2024-05-14"

    @of_every(("rules", "odds"))
    def says_so(page: str) -> None:
        reader.go(f"/{page}/{game}/{newer}")
        chosen = reader.page.get_by_role("combobox", name="Edition", exact=True)
        expect(chosen).to_have_value(newer)
        expect(reader.page.get_by_role("alert")).to_have_count(0)
        reader.page.route(f"**/api/rules/{game}/{older}", lambda route: route.abort())
        chosen.select_option(older)
        expect(reader.page.get_by_role("alert")).to_have_text("The house does not answer. Trying again.")
        if page == "rules":
            expect(reader.find("main header")).to_contain_text(f"In force from {newer}")
        with reader.page.expect_response(f"**/api/{page}/{game}/{older}**"):
            reader.page.unroute(f"**/api/rules/{game}/{older}")
        expect(reader.page.get_by_role("alert")).to_have_count(0)
        if page == "rules":
            expect(reader.find("main header")).to_contain_text(f"In force from {older}")
        assert not reader.errors

    says_so()


def test_a_comparison_that_can_not_be_fetched(hall: Hall) -> None:
    """The edition is there and its comparison is not: the page says so, and asks until the house answers."""
    reader = hall.visitor()
    changes = "**/api/rules/tiger-buffalo-commission/diff?**"
    reader.go("/rules/tiger-buffalo-commission/2025-11-21")
    expect(reader.find("main header")).to_contain_text("In force from 2025-11-21")
    reader.page.route(changes, lambda route: route.abort())
    reader.page.get_by_role("combobox", name="Changes since").select_option("2024-05-14")
    expect(reader.page.get_by_role("alert")).to_have_text("The house does not answer. Trying again.")
    expect(reader.find(".counts")).to_be_empty()
    reader.page.unroute(changes)
    expect(reader.page.get_by_role("alert")).to_have_count(0)
    expect(reader.find(".counts")).to_contain_text("renumbered")
    reader.go("/rules/tiger-buffalo-commission/2025-11-21?with=2000-01-01")
    expect(reader.find("main header")).to_contain_text("In force from 2025-11-21")
    expect(reader.page.get_by_role("alert")).to_have_count(0)
    assert not reader.errors


def test_nobody_is_a_guest_before_the_house_says_who_they_are(hall: Hall) -> None:
    """The house does not say who is signed in: nobody is thrown out of their session, and the page asks again."""
    table = hall.open("unasked")
    ann = hall.guest()
    ann.go("/")
    ann.find(f"li[data-table='{table}'] button.beside").click()
    expect(ann.button("Play side by side")).to_be_enabled()
    ann.page.route("**/api/sessions/current", lambda route: route.abort())
    ann.page.reload()
    expect(ann.button("Play side by side")).to_be_disabled()
    ann.page.unroute("**/api/sessions/current")
    expect(ann.find("header")).to_contain_text("Sign out")
    ann.button("Play side by side").click()
    expect(ann.find(".pane")).to_have_count(1)
    assert ann.api("/api/me")["name"] == ann.name
    assert not ann.errors


def test_too_many_guests(hall: Hall) -> None:
    reader = hall.visitor()
    reader.page.route("**/api/guests", lambda route: route.fulfill(status=429, json={"code": "rate-limit"}))
    reader.go("/")
    reader.button("Play as guest").first.click()
    expect(reader.find(".failed")).to_contain_text("Too many guests came from here just now.")
    assert not reader.errors


FULL = {
    "en": "The house has as many guests as it takes. Try again in a while.",
    "zh-Hant": "訪客已滿，請稍後再試。",
    "zh-Hans": "访客已满，请稍后再试。",
}


def test_a_house_that_is_full_says_so(hall: Hall, tmp_path: Path) -> None:
    """One guest is all that this house takes: the next reads why, in the lobby and at a table, in each language."""
    with serving(tmp_path, "--no-rate-limits", "--most-guests", "1", "--no-demo") as server, Person(server) as first:
        first.enter()
        with Person(server) as manager:
            manager.log_in("shift-manager")
            manager.open("full")
        context = hall.browsers.chromium.new_context()
        context.set_default_timeout(LONG_S * 1000)
        try:
            page = context.new_page()
            page.goto(f"{server.url}/health")
            for language, said in FULL.items():
                page.evaluate("language => localStorage.setItem('punto.language', language)", language)
                for path, place in (("/", ".failed"), ("/tables/full", ".told[role=alert]")):
                    page.goto(f"{server.url}{path}")
                    page.get_by_role("button", name=re.compile("guest|訪客|访客")).first.click()
                    expect(page.locator(place)).to_contain_text(said)
        finally:
            context.close()


def test_signed_out_in_another_tab(hall: Hall) -> None:
    """A tab notices that its person signed out in another tab, and also that somebody signed in there."""
    table = hall.open("two-tabs", ("dealer",), shoe=True)
    ann = hall.guest()
    ann.sit(table, 1).go(f"/tables/{table}")
    expect(ann.find(".tray")).to_be_visible()
    other = ann.context.new_page()
    other.goto(f"{hall.server.url}/")
    other.get_by_role("button", name="Sign out").click()
    expect(ann.find(".link")).to_contain_text("Your session has ended")
    ann.find(".link a").click()
    expect(ann.button("Play as guest").first).to_be_visible()
    other.get_by_role("button", name="Play as guest").first.click()
    expect(ann.find("header")).to_contain_text("Sign out")
    assert not ann.errors


@pytest.mark.parametrize(("status", "said"), [(429, "Too much at once."), (0, "The house does not answer.")])
def test_no_guest_gets_in_at_the_table(hall: Hall, status: int, said: str) -> None:
    """Whoever asks to play at the table itself reads why they can't, and may ask again."""
    reader = hall.visitor()
    reader.page.route(
        "**/api/guests",
        lambda route: route.fulfill(status=status, json={"code": "rate-limit"}) if status else route.abort(),
        times=1,
    )
    reader.go(f"/tables/{hall.open(f'door-{status}')}")
    reader.button("Play as guest").click()
    expect(reader.find(".told[role=alert]")).to_contain_text(said)
    reader.button("Play as guest").click()
    expect(reader.find(".tray")).to_be_visible()
    expect(reader.find(".told[role=alert]")).to_have_count(0)
    assert not reader.errors


def test_anybody_checks_a_shoe_that_has_ended(hall: Hall) -> None:
    table = hall.open("opened", source="virtual", pace=AT_ONCE)
    hall.guest().sit(table, 1)
    pit = hall.person("pit-supervisor")
    assert eventually(lambda: pit.get(f"/api/tables/{table}/shoes/2").status_code == 200)
    # No further round: a page on a slow machine would get frames faster than it draws them, and never be at rest.
    pit.must(table, {"do": "start-duty"}, {"do": "announce-closing", "rounds": 0})
    reader = hall.visitor()
    reader.go("/")
    expect(reader.page.locator(f"a[href='/tables/{table}/shoes']")).to_be_visible()
    reader.page.locator(f"a.door[href='/tables/{table}']").click()
    reader.button("More").click()
    reader.page.get_by_role("dialog").get_by_role("link", name="Check the shoe").click()
    # The shoe in use, or the last one if it has just ended.
    expect(reader.find(".verdict")).to_have_text(re.compile("Salt and order are shown|Checked in this browser"))
    reader.go(f"/tables/{table}/shoes/1")
    expect(reader.find(".verdict")).to_contain_text("Checked in this browser")
    shoe = pit.get(f"/api/tables/{table}/shoes/1").json()
    expect(reader.find("dl")).to_contain_text(shoe["commitment"])
    other = {**shoe, "order": [*shoe["order"][1:], shoe["order"][0]]}
    reader.page.route("**/shoes/1", lambda route: route.fulfill(json=other))
    reader.page.route(f"**/tables/{table}/shoes/1", lambda route: route.continue_(), times=1)
    reader.go(f"/tables/{table}/shoes/1")
    expect(reader.find(".verdict")).to_contain_text("NOT as committed to")
    assert eventually(lambda: pit.do(table, {"do": "close-table"}).status_code == 200)
