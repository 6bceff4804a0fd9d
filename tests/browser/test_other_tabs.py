"""Two tabs of one browser: what somebody does about their session in one of them, the other one follows."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.visitors import Hall, Visitor
from tests.house.web.running import PASSWORD, Person, eventually
from tests.house.web.test_resets import opened

OWN = "another-word-of-my-own"


def supervisor(hall: Hall, name: str) -> Visitor:
    """A pit supervisor with a session of their own: what ends it disturbs no other test."""
    first = opened(hall.person("shift-manager"), name, "pit-supervisor")
    visitor = hall.visitor(name)
    with Person(hall.server).log_in(name, first) as person:
        cookie: Any = {"name": "punto_session", "value": person.http.cookies["punto_session"], "url": hall.server.url}
    visitor.context.add_cookies([cookie])
    return visitor


def another_tab(visitor: Visitor, path: str) -> Page:
    tab = visitor.context.new_page()
    tab.goto(visitor.hall.server.url + path)
    return tab


def other_password(visitor: Visitor) -> None:
    """Change the password in another tab: every session under the old one ends."""
    tab = another_tab(visitor, "/me/password")
    for field, word in (("old", PASSWORD), ("own", OWN), ("again", OWN)):
        tab.locator(f"[name={field}]").fill(word)
    tab.locator("form button.gold").click()
    expect(tab.get_by_role("status")).to_have_text("Your password is changed.")
    tab.close()


def more_sockets(visitor: Visitor, than: int) -> bool:
    visitor.page.wait_for_timeout(100)
    return len(visitor.sockets) > than


def test_a_console_starts_anew_for_the_next_session(hall: Hall) -> None:
    table = hall.open("tabs-console")
    pit = supervisor(hall, "tabs-console")
    pit.go(f"/tables/{table}/pit")
    expect(pit.button("Go on duty")).to_be_visible()
    assert not more_sockets(pit, 1), "who is signed in became known meanwhile, and nothing was connected twice"
    other_password(pit)
    assert eventually(lambda: more_sockets(pit, 1))
    assert pit.sockets[0].is_closed()
    pit.button("Go on duty").click()
    expect(pit.button("Leave duty")).to_be_visible()
    # Whoever is asked for and still the same keeps the page.
    made = len(pit.sockets)
    with pit.page.expect_response("**/api/sessions/current"):
        pit.page.evaluate("dispatchEvent(new StorageEvent('storage', { key: 'punto.who', newValue: 'somebody' }))")
    expect(pit.button("Leave duty")).to_be_visible()
    assert not more_sockets(pit, made)
    assert not pit.errors


def test_a_desk_takes_the_token_of_the_next_session(hall: Hall) -> None:
    table = hall.open("tabs-desk")
    pit = supervisor(hall, "tabs-desk")
    pit.go("/floor")
    expect(pit.find(f"[data-table={table}]")).to_be_visible()
    other_password(pit)
    pit.button(f"Manage {table}").click()
    desk = pit.page.get_by_role("dialog")
    desk.locator("[name=rounds]").fill("0")
    desk.get_by_role("button", name="Tell the patrons").click()
    expect(desk.get_by_role("button", name="Close the table")).to_be_enabled()
    assert not pit.errors


def test_a_player_s_table_starts_anew_for_the_next_guest(hall: Hall) -> None:
    table = hall.open("tabs-table", ("dealer",), shoe=True)
    ann = hall.guest()
    ann.sit(table, 1).go(f"/tables/{table}")
    expect(ann.find(".tray")).to_be_visible()
    assert not more_sockets(ann, 1)
    tab = another_tab(ann, "/")
    tab.get_by_role("button", name="Sign out").click()
    expect(ann.find(".link")).to_contain_text("Your session has ended")
    tab.get_by_role("button", name="Play as guest").first.click()
    expect(ann.find(".link")).to_have_count(0)
    expect(ann.find("[data-box='1']")).to_be_visible()
    expect(ann.find(".boxes .mine")).to_have_count(0)
    expect(ann.button("Take a seat")).to_be_enabled()
    assert not ann.errors


def test_a_board_goes_on_without_its_session(hall: Hall) -> None:
    """A display in the hall that somebody opened while signed in must not stand still when that session ends."""
    table = hall.open("tabs-board", ("dealer",), shoe=True)
    pit, chief = supervisor(hall, "tabs-board"), hall.person("shift-manager")
    pit.go(f"/tables/{table}/board")
    expect(pit.find(".phase.ready")).to_be_visible()
    ended = chief.http.delete("/api/people/tabs-board/sessions", headers={"x-csrf-token": chief.csrf})
    assert ended.is_success
    assert eventually(lambda: more_sockets(pit, 1))
    hall.person("dealer").must(table, {"do": "open-betting"})
    expect(pit.find(".phase.betting")).to_be_visible()
    assert not pit.errors
