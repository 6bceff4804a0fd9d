"""The desk of surveillance in a browser: an alarm comes while it is open, is looked into and reported."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.measures import well
from tests.browser.test_floor_desks import LOOKS, seen
from tests.browser.visitors import Hall, Visitor
from tests.house.web import test_watch as watch
from tests.house.web.running import Person


def eye(hall: Hall, **look: object) -> Visitor:
    if "surveillance" not in hall._staff:
        hall._staff["surveillance"] = watch.surveillance(hall.server)
    return hall.staff("surveillance", **look)


def test_an_alarm_comes_is_looked_into_and_reported(hall: Hall) -> None:
    desk = eye(hall)
    people = {role: hall.person(role) for role in watch.STAFF}
    desk.go("/watch")
    expect(desk.page.get_by_role("tab", name="Alarms")).to_be_visible()
    watch.play(hall.server, people, "desk-1")
    card = desk.find("[data-alarm^='desk-1.']")
    expect(card).to_be_visible()
    expect(card).to_contain_text(re.compile("[78] cards"))
    expect(card).to_contain_text("new-deck 1")
    assert card.locator(".row").count() == 2, "what came, and below it what it resembles"
    card.get_by_placeholder("What was looked into").fill("the camera shows no shuffle")
    card.get_by_role("button", name="Acknowledge").click()
    expect(card).to_contain_text("the camera shows no shuffle")
    card.get_by_role("button", name="Report 5.5.5 to the table").click()
    card.get_by_role("button", name="Press again").click()
    expect(card).to_contain_text("Somebody at the table decides")
    assert hall.person("dealer").get("/api/tables/desk-1").json()["view"]["phase"] == "irregularity"
    desk.page.get_by_role("tab", name="Thresholds").click()
    desk.find("[name=tables]").fill("40")
    desk.page.get_by_role("button", name="Ask a manager").click()
    expect(desk.page.get_by_text("A manager approves it")).to_be_visible()
    desk.page.get_by_role("tab", name="Exposure").click()
    expect(desk.page.get_by_role("button", name="desk-1", exact=True)).to_be_visible()
    desk.page.get_by_role("button", name="desk-1", exact=True).click()
    expect(desk.page.get_by_role("dialog").get_by_role("row").nth(5)).to_be_visible()


def test_a_report_of_the_live_game_has_its_own_paragraph(hall: Hall) -> None:
    desk = eye(hall)
    watch.play(hall.server, {role: hall.person(role) for role in watch.STAFF}, "desk-live", **watch.LIVE)
    desk.go("/watch")
    card = desk.find("[data-alarm^='desk-live.']")
    expect(card.get_by_role("button", name="Report L9 to the table")).to_be_visible()
    seen(desk, "watch-live")


def test_the_desk_says_why_a_tab_is_empty_and_whether_anybody_watches(hall: Hall) -> None:
    """A house without compiled code answers 406 for exposure, in a sentence of its own."""
    desk = eye(hall)
    sentence = "exposure and stakes need compiled code: install punto[fast]"
    body = {"status": 406, "code": "not-installed", "detail": sentence}
    desk.page.route("**/api/watch/exposure", lambda route: route.fulfill(status=406, json=body))
    desk.go("/watch")
    expect(desk.find("[data-watching=true]")).to_contain_text("Last look")
    desk.page.get_by_role("tab", name="Exposure").click()
    expect(desk.page.get_by_role("alert")).to_contain_text("punto[fast]")
    expect(desk.page.get_by_text("can't be reached")).to_have_count(0)
    desk.page.get_by_role("tab", name="Alarms").click()
    expect(desk.page.get_by_role("alert")).to_have_count(0)
    behind = {"watches": False, "looked": "2026-01-01T00:00:00.000Z", "behind": 3, "failing": ["T9"]}

    def answered(route: Route) -> None:
        shown = route.fetch().json()
        route.fulfill(json={**shown, "watching": {**shown["watching"], **behind}})

    desk.page.route("**/api/watch", answered)
    line = desk.find("[data-watching=false]")
    expect(line).to_contain_text("3 tables")
    expect(line).to_contain_text("T9")


def test_a_session_that_ends_closes_the_desk(hall: Hall) -> None:
    eye(hall)
    with Person(hall.server).log_in("eye", "own-word-5") as watcher:
        desk = hall.visitor("eye")
        cookie = watcher.http.cookies["punto_session"]
        desk.context.add_cookies([{"name": "punto_session", "value": cookie, "url": hall.server.url}])
        desk.go("/watch")
        expect(desk.page.get_by_role("tab", name="Alarms")).to_be_visible()
        assert watcher.http.delete("/api/sessions/current", headers={"x-csrf-token": watcher.csrf}).is_success
    expect(desk.find("main").get_by_role("link", name="Sign in")).to_be_visible()
    expect(desk.page.get_by_role("tab")).to_have_count(0)
    assert not desk.errors


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look['locale']}-{look['color_scheme']}")
def test_the_desk_fits_and_can_be_read(hall: Hall, look: dict[str, object]) -> None:
    table = "desk-look"
    if table not in hall.opened:
        watch.play(hall.server, {role: hall.person(role) for role in watch.STAFF}, table)
        hall.opened.add(table)
    desk = eye(hall, reduced_motion="reduce", **look)
    desk.go("/watch")
    expect(desk.find(f"[data-alarm^='{table}.']")).to_be_visible()
    well(desk)
    seen(desk, f"watch-{LOOKS.index(look)}")
    for tab in desk.page.get_by_role("tab").all()[1:]:
        tab.click()
        expect(desk.page.get_by_role("status")).to_have_count(0)
        well(desk)
