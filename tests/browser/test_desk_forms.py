"""Forms of the desks keep what is typed, and say what failed."""

from __future__ import annotations

import json

from playwright.sync_api import Locator, expect

from tests.browser.visitors import Hall, Visitor


def opening(hall: Hall) -> tuple[Visitor, Locator]:
    """A supervisor at the form that opens a table."""
    pit = hall.staff("pit-supervisor", reduced_motion="reduce")
    pit.go("/floor")
    pit.button("Open a table").click()
    form = pit.page.get_by_role("dialog")
    form.locator("[name=game]").select_option("tiger-buffalo-commission")
    expect(form.locator("[name=table]")).to_have_value("tiger-buffalo-1")
    return pit, form


def test_a_table_has_the_name_that_was_typed(hall: Hall) -> None:
    pit, form = opening(hall)
    name = form.locator("[name=table]")
    name.select_text()
    name.press_sequentially("vip-7")
    expect(name).to_have_value("vip-7")
    # Another game has its own suggestion, but not in place of a name that was typed.
    form.locator("[name=game]").select_option("live-baccarat-insurance-commission")
    expect(form.locator("[name=layout]")).to_have_value("live")
    expect(name).to_have_value("vip-7")
    form.get_by_role("button", name="Open the table").click()
    expect(pit.find("[data-table=vip-7]")).to_be_visible()
    assert not pit.errors


def test_a_new_table_has_no_limits_late_in_the_shoe_of_another(hall: Hall) -> None:
    """O142: the form shows none, so it sends none. It starts from the limits of the floor's first table."""
    hall.open("late-model")
    pit = hall.staff("pit-supervisor", reduced_motion="reduce")
    floor = pit.api("/api/floor")
    floor["tables"][0]["limits"]["late"] = {"cards_left": 60, "maximum": {"tie": "20.00"}}
    pit.page.route("**/api/floor", lambda route: route.fulfill(json=floor))
    pit.go("/floor")
    pit.button("Open a table").click()
    form = pit.page.get_by_role("dialog")
    form.locator("[name=table]").fill("late-none")
    form.locator("[name=minimum]").fill("50")
    with pit.page.expect_request(lambda request: request.method == "POST") as opening:
        form.get_by_role("button", name="Open the table").click()
    limits = json.loads(opening.value.post_data or "")["limits"]
    assert (limits["minimum"], limits["bets"], "late" in limits) == ("50.00", {}, False)
    assert not pit.errors


def test_a_table_has_the_positions_that_were_typed(hall: Hall) -> None:
    """12 begins with 1, and the layout has 10 to 16."""
    pit, form = opening(hall)
    positions = form.get_by_label("Positions")
    form.locator("[name=layout]").select_option("K")
    expect(positions).to_have_value("16")
    positions.select_text()
    positions.press_sequentially("12")
    expect(positions).to_have_value("12")
    form.locator("[name=table]").fill("twelve")
    form.get_by_role("button", name="Open the table").click()
    expect(pit.find("[data-table=twelve]")).to_be_visible()
    view = pit.api("/api/tables/twelve")["view"]
    assert (view["layout"], len(view["boxes"])) == ("K", 12)
    # Another layout has fewer.
    pit.button("Open a table").click()
    form.locator("[name=game]").select_option("tiger-buffalo-commission")
    form.locator("[name=layout]").select_option("K")
    expect(positions).to_have_value("16")
    form.locator("[name=layout]").select_option("A")
    expect(positions).to_have_attribute("max", "6")
    expect(positions).to_have_value("6")
    assert not pit.errors


def test_a_suggested_name_follows_the_game(hall: Hall) -> None:
    pit, form = opening(hall)
    form.locator("[name=game]").select_option("live-baccarat-insurance-commission")
    expect(form.locator("[name=table]")).to_have_value("live-baccarat-insurance-1")
    assert not pit.errors


def test_another_game_has_its_own_editions(hall: Hall) -> None:
    """The edition that was chosen for one game is none of another."""
    pit, form = opening(hall)
    edition = form.get_by_role("combobox", name="Edition")
    edition.select_option("2024-05-14")
    form.locator("[name=game]").select_option("live-baccarat-insurance-commission")
    expect(form.locator("[name=layout]")).to_have_value("live")
    expect(edition).to_have_value("")
    expect(form.get_by_role("button", name="Open the table")).to_be_enabled()
    assert not pit.errors


def test_a_person_whom_nobody_knows(hall: Hall) -> None:
    for locale, words in (("en-GB", "there is no such person"), ("zh-HK", "沒有此項。")):
        shift = hall.staff("shift-manager", locale=locale)
        shift.go("/people/nobody")
        expect(shift.find(".one [role=alert]")).to_have_text(words)
        assert not shift.errors


def test_the_reason_of_a_refused_lock_stays(hall: Hall) -> None:
    shift = hall.staff("shift-manager")
    refusal = {"code": "not-allowed", "detail": "Not now."}
    shift.page.route("**/locked", lambda route: route.fulfill(status=409, json=refusal))
    shift.go("/people/auditor")
    reason = shift.find("[name=reason]")
    reason.fill("lost the badge")
    shift.button("Lock").click()
    expect(shift.find(".one [role=alert]")).to_be_visible()
    expect(reason).to_have_value("lost the badge")
    shift.page.unroute("**/locked")
    shift.button("Lock").click()
    expect(shift.button("Unlock")).to_be_visible()
    expect(reason).to_have_value("")
    shift.button("Unlock").click()
    expect(reason).to_be_enabled()
    assert not shift.errors
