"""The desks that run a floor: tables in one view, the day's figures, and people. One visit each, through all that a
shift needs of it."""

from __future__ import annotations

import os
import re

from playwright.sync_api import Route, expect

from tests.browser.measures import MOST_SHIFT, none, well
from tests.browser.playing import drawn
from tests.browser.visitors import DRAWN, Hall, Visitor
from tests.every import of_every

PICTURES = os.environ.get("PUNTO_TEST_PICTURES")
"""A folder for screenshots, for whoever wants to look."""
LOOKS = (
    {"phone": False, "color_scheme": "dark", "locale": "en-GB"},
    {"phone": True, "color_scheme": "light", "locale": "zh-HK"},
    {"phone": True, "color_scheme": "dark", "locale": "zh-CN"},
    {"phone": False, "color_scheme": "light", "locale": "en-GB", "viewport": {"width": 1920, "height": 1080}},
    {"phone": True, "color_scheme": "dark", "locale": "en-GB", "viewport": {"width": 844, "height": 390}},
)


def seen(visitor: Visitor, name: str) -> None:
    if PICTURES:
        visitor.page.screenshot(path=f"{PICTURES}/{name}.png")


def played(hall: Hall, table: str) -> str:
    """A round with insurance is settled, and a second one stands at an irregularity."""
    hall.open(table, ("dealer", "pit-supervisor"), shoe=True)
    dealer, ann = hall.person("dealer"), hall.guest().sit(table, 2)
    dealer.must(table, {"do": "open-betting"})
    ann.command(table, {"do": "place-wager", "box": 2, "bet": "player", "stake": "100.00"})
    dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C"))
    ann.command(table, {"do": "take-insurance", "bet": "player_insurance", "stake": "50.00"})
    dealer.must(table, *drawn("4H"), {"do": "settle"}, {"do": "open-betting"})
    ann.command(table, {"do": "place-wager", "box": 2, "bet": "banker", "stake": "300.00"})
    dealer.must(table, {"do": "close-betting"}, *drawn("KH"))
    dealer.must(table, {"do": "report-irregularity", "kind": "excess-card", "cards": ["2H"]})
    return ann.name


def test_a_supervisor_runs_the_floor(hall: Hall) -> None:
    patron = played(hall, "floor-a")
    pit = hall.staff("pit-supervisor", reduced_motion="reduce")
    pit.go("/")
    pit.page.get_by_role("link", name="Floor", exact=True).click()
    row = pit.find("[data-table=floor-a]")
    expect(row).to_contain_text("irregularity open")
    expect(row).to_contain_text("5.8")
    expect(row).to_contain_text("1 of 6")
    expect(row).to_contain_text("300")
    expect(row).to_contain_text("−100.00")
    well(pit)
    seen(pit, "floor")
    # Open a table.
    pit.button("Open a table").click()
    form = pit.page.get_by_role("dialog")
    form.locator("[name=game]").select_option("tiger-buffalo-commission")
    form.locator("[name=layout]").select_option("M")
    expect(form.get_by_role("img")).to_contain_text("Banker Big 7")
    form.locator("[name=table]").fill("floor-b")
    form.locator("[name=called]").fill("The Corner")
    form.locator("[name=source]").select_option("virtual")
    form.locator("[name=minimum]").fill("50")
    form.locator("[name=betting]").fill("600")
    form.get_by_text("Limits of single bets").click()
    form.get_by_label("Maximum on Tie").fill("200")
    none(pit.violations())
    seen(pit, "floor-open")
    form.get_by_role("button", name="Open the table").click()
    opened = pit.find("[data-table=floor-b]")
    expect(opened).to_contain_text("betting")
    expect(opened).to_contain_text("The Corner")
    shown = pit.api("/api/tables/floor-b")["view"]
    assert (shown["limits"]["minimum"], shown["limits"]["bets"]["tie"]["maximum"], shown["layout"]) == (
        "50.00",
        "200.00",
        "M",
    )
    # Other limits, for the next round; the patrons are told that the table closes.
    pit.button("Manage The Corner").click()
    desk = pit.page.get_by_role("dialog")
    desk.locator("[name=minimum]").fill("75")
    desk.get_by_role("button", name="Announce these limits").click()
    expect(desk).to_contain_text("The new limits hold from the next round.")
    expect(opened).to_contain_text("new limits next round")
    desk.locator("[name=rounds]").fill("0")
    desk.get_by_role("button", name="Tell the patrons").click()
    expect(desk).to_contain_text("closes after round 1")
    expect(desk.get_by_role("button", name="Close the table")).to_be_disabled()
    seen(pit, "floor-table")
    none(pit.violations())
    view = pit.api("/api/tables/floor-b")["view"]
    ahead = view["next_limits"]
    assert (ahead["minimum"], view["closes_after"]) == ("75.00", 1)
    # A bet without figures of its own follows the table; one that has its own keeps them.
    assert ahead["bets"]["player"] == ahead["bets"]["banker"] == {"minimum": "75.00", "maximum": "5000.00"}
    assert ahead["bets"]["tie"] == {"minimum": "0.00", "maximum": "200.00"}
    pit.keys("Escape")
    visitor = hall.visitor()
    visitor.go("/tables/floor-b")
    expect(visitor.find("header")).to_contain_text("The Corner")
    expect(visitor.find(".felt .notice")).to_contain_text("From the next round: 75–5,000")
    expect(visitor.find(".felt .notice")).to_contain_text("This is the last round before the table closes")
    # A closed table: between rounds, after the notice.
    hall.open("floor-c")
    pit.button("Manage floor-c").click()
    desk.locator("[name=rounds]").fill("0")
    desk.get_by_role("button", name="Tell the patrons").click()
    close = desk.get_by_role("button", name="Close the table")
    expect(close).to_be_enabled()
    close.click()
    close.click()
    expect(pit.find("[data-table=floor-c]")).to_contain_text("closed")
    pit.keys("Escape")
    # An act that waits for a second person is shown with its amounts, before and after.
    chief = hall.person("shift-manager")
    for left in chief.get("/api/approvals?state=asked").json():
        # Left by a test that ran here before.
        assert chief.post(f"/api/approvals/{left['id']}/reject").status_code == 200
    expect(pit.button("Approvals 0")).to_be_visible()
    proposal = {"act": "balance-adjustment", "person": patron, "cents": "25.00", "reason": "a chip was lost"}
    assert hall.person("pit-supervisor").post("/api/approvals", proposal).status_code == 201
    expect(pit.button("Approvals 1")).to_be_visible()
    manager = hall.staff("pit-manager", reduced_motion="reduce")
    manager.go("/floor")
    manager.button("Approvals 1").click()
    waits = manager.page.get_by_role("dialog")
    expect(waits).to_contain_text("a chip was lost")
    expect(waits.get_by_role("row").last).to_contain_text("+25.00")
    seen(manager, "floor-approvals")
    none(manager.violations())
    waits.get_by_role("button", name="Approve").click()
    waits.get_by_role("button", name=re.compile("Approve [0-9a-f]{12}")).click()
    expect(waits).to_contain_text("Nothing waits for a second person.")
    assert not pit.errors + manager.errors


def test_the_day_as_a_page(hall: Hall) -> None:
    played(hall, "day-a")
    manager = hall.staff("pit-manager", reduced_motion="reduce")
    manager.go("/day")
    page = manager.page
    manager.find("[name=table]").select_option("day-a")
    manager.button("Show").click()
    expect(manager.find("[data-figure=result]")).to_have_text("−100.00")
    expect(page.get_by_role("region", name="By table")).to_contain_text("day-a")
    expect(page.get_by_role("region", name="By bet")).to_contain_text("Player Insurance")
    expect(manager.find("main")).to_contain_text("5.8")
    expect(page.get_by_role("img", name=re.compile("House result −100.00, theoretical"))).to_be_visible()
    well(manager)
    seen(manager, "day")
    sheet = manager.api("/api/day?table=day-a")
    with page.expect_download() as file:
        page.get_by_role("link", name=".csv").click()
    assert f"house,,,1,,,,{sheet['house']['result']}" in file.value.path().read_text("utf-8")
    manager.button("Yesterday").click()
    expect(manager.find("main")).to_contain_text("No round was settled in this span.")
    assert not manager.errors


def test_the_day_shows_what_was_chosen_last(hall: Hall) -> None:
    """The figures of 30 days come after those of yesterday, and are dropped. Figures and files are of one span."""
    played(hall, "day-late")
    manager = hall.staff("pit-manager", reduced_motion="reduce")
    page = manager.page
    manager.go("/day")
    expect(manager.find("[data-figure=result]")).to_be_visible()
    held: list[Route] = []
    page.route("**/api/day?*", lambda route: held.append(route))
    manager.find("[name=table]").select_option("day-late")
    with page.expect_request("**/api/day?*"):
        manager.button("30 days").click()
    with page.expect_request("**/api/day?*"):
        manager.button("Yesterday").click()
    page.evaluate(DRAWN)
    assert len(held) == 2, [route.request.url for route in held]
    held[1].continue_()
    expect(manager.find("main")).to_contain_text("No round was settled in this span.")
    with page.expect_response("**/api/day?*") as late:
        held[0].continue_()
    late.value.finished()
    page.evaluate(DRAWN)
    expect(manager.find("[data-figure=result]")).to_have_text("0.00")
    # A field that is changed changes nothing until "Show" is pressed.
    manager.find("[name=table]").select_option("")
    page.evaluate(DRAWN)
    assert len(held) == 2
    query = held[1].request.url.partition("?")[2]
    for name in (".xlsx", ".csv", ".json"):
        expect(page.get_by_role("link", name=name)).to_have_attribute("href", re.compile(re.escape(query) + "$"))
    assert not manager.errors


def test_two_tables_of_one_name_are_told_apart(hall: Hall) -> None:
    for table in ("twin-a", "twin-b"):
        hall.open(table, ("dealer",), shoe=True, name="The Twins")
        hall.person("dealer").must(
            table, {"do": "open-betting"}, {"do": "close-betting"}, *drawn("KH", "2S", "9D", "3C"), {"do": "settle"}
        )
    manager = hall.staff("pit-manager", reduced_motion="reduce")
    manager.go("/day")
    tables = manager.page.get_by_role("region", name="By table")
    for table in ("twin-a", "twin-b"):
        expect(tables.get_by_role("rowheader", name=f"The Twins · {table}", exact=True)).to_have_count(1)
        expect(manager.find("svg text.name", has_text=f"The Twins · {table}")).to_have_count(1)
        expect(manager.find(f"[name=table] option[value={table}]")).to_have_text(f"The Twins · {table}")
    seen(manager, "day-twins")
    manager.go("/floor")
    manager.button("Manage The Twins · twin-b").click()
    expect(manager.page.get_by_role("dialog").get_by_role("heading", name="The Twins · twin-b")).to_be_visible()
    manager.go("/")
    for table in ("twin-a", "twin-b"):
        expect(manager.find(f"li[data-table={table}] h2")).to_have_text(f"The Twins · {table}")
    manager.go("/several?tables=twin-a,twin-b")
    expect(manager.find(".pane h2")).to_have_text(["The Twins · twin-a", "The Twins · twin-b"])
    manager.page.set_viewport_size({"width": 390, "height": 844})
    expect(manager.find("[role=tab] .name")).to_have_text(["The Twins · twin-a", "The Twins · twin-b"])
    assert not manager.errors


def test_a_shift_manager_keeps_the_people(hall: Hall) -> None:
    shift = hall.staff("shift-manager", reduced_motion="reduce")
    guest = played(hall, "people-a")
    shift.go("/people")
    shift.find("[name=new-name]").fill("newcomer")
    shift.find("[name=new-role]").select_option("dealer")
    shift.button("Open").click()
    first = shift.find("form code").inner_text()
    expect(shift.page.get_by_role("link", name=re.compile("newcomer"))).to_contain_text("first password not changed")
    shift.page.get_by_role("link", name=re.compile("newcomer")).click()
    well(shift)
    shift.find("[name=role]").select_option("pit-supervisor")
    shift.button("Give this role").click()
    expect(shift.find(".one header")).to_contain_text("Pit supervisor")
    shift.find("[name=role]").select_option("pit-manager")
    shift.button("Give this role").click()
    expect(shift.find(".one .said")).to_contain_text("takes two")
    shift.button("Give a new password").click()
    shift.button("Every session ends. Press again").click()
    second = shift.find(".one code").inner_text()
    assert second != first
    # The newcomer signs in with it, sets their own, and changes that once more.
    newcomer = hall.visitor("newcomer", reduced_motion="reduce")
    newcomer.go("/sign-in?back=/me/password")
    newcomer.find("[name=username]").fill("newcomer")
    newcomer.find("[name=password]").fill(second)
    newcomer.keys("Enter")
    newcomer.find("[name=password]").fill(second)
    for field in ("own", "again"):
        newcomer.find(f"[name={field}]").fill("a-word-of-my-own")
    newcomer.find("form button.gold").click()
    expect(newcomer.find("h1")).to_have_text("Change my password")
    newcomer.find("[name=old]").fill("a-word-of-my-own")
    newcomer.find("[name=own]").fill("another-word-of-mine")
    newcomer.find("[name=again]").fill("another-word-of-mind")
    newcomer.find("form button.gold").click()
    expect(newcomer.find("[role=alert]")).to_have_text("The two are not the same.")
    newcomer.find("[name=again]").fill("another-word-of-mine")
    newcomer.find("form button.gold").click()
    expect(newcomer.find("[role=status]")).to_have_text("Your password is changed.")
    well(newcomer)
    # Sessions and their addresses are shown; a lock ends them.
    shift.go("/people/newcomer")
    expect(shift.find(".one")).to_contain_text("127.0.0.1")
    shift.find("[name=reason]").fill("lost the badge")
    shift.button("Lock").click()
    expect(shift.find(".one")).to_contain_text("Not signed in anywhere.")
    expect(shift.find(".one ol")).to_contain_text("“lost the badge”")
    expect(shift.button("Unlock")).to_be_visible()
    seen(shift, "people")
    # A patron's chips and history.
    shift.go(f"/people/{guest}")
    expect(shift.find(".one")).to_contain_text("at people-a")
    expect(shift.find(".one")).to_contain_text("+100.00")
    seen(shift, "people-guest")
    assert not shift.errors + newcomer.errors


def test_every_desk_in_every_room(hall: Hall) -> None:
    patron = played(hall, "room")

    @of_every(LOOKS)
    def in_every_room(look: dict[str, object]) -> None:
        hall.everybody_out()
        shift = hall.staff("shift-manager", reduced_motion="reduce", **look)
        picture = f"room-{LOOKS.index(look)}"
        for path, there in (
            ("/floor", "[data-table=room]"),
            ("/day", "[data-figure=result]"),
            (f"/people/{patron}", ".one header"),
            ("/me/password", "form"),
            ("/tables/room/dealer", ".stage"),
            ("/tables/room/pit", "h2"),
        ):
            shift.go(path)
            expect(shift.find(there).first).to_be_visible()
            shift.page.wait_for_load_state("networkidle")
            assert shift.shifted() < MOST_SHIFT, (path, shift.shifted())
            seen(shift, f"{picture}{path.replace('/', '-').split('-guest')[0]}")
            well(shift)
        if shift.phone:
            shift.go("/floor")
            shift.find("[data-table=room] button.id").tap()
            expect(shift.page.get_by_role("dialog")).to_be_visible()
            well(shift)
            seen(shift, f"{picture}-table")
        text = shift.find("main").inner_text().replace("127.0.0.1", "")
        assert not re.search(r"\b[a-z]+\.[a-z]+\b(?<!house\.db)|undefined|\[object|NaN", text), text

    in_every_room()


def test_a_report_that_comes_late_pushes_nothing(hall: Hall) -> None:
    """The pit opens at an irregularity on a phone, and the events of the round come after the view."""
    played(hall, "pit-late")
    pit = hall.staff("pit-supervisor", phone=True, reduced_motion="reduce")
    held: list[Route] = []
    pit.page.route("**/events?*", lambda route: held.append(route))
    with pit.page.expect_request("**/events?*"), pit.page.expect_response("**/api/rules/**") as rules:
        pit.go("/tables/pit-late/pit")
    rules.value.finished()
    pit.page.evaluate(DRAWN)
    assert pit.find(".what").count() == 0, "what it would push is not drawn yet"
    held[0].continue_()
    expect(pit.find(".what .cite").first).to_be_visible()
    assert not pit.errors


def test_who_may_not_is_told(hall: Hall) -> None:
    dealer = hall.staff("dealer")
    for path, words in (("/floor", "pit supervisors"), ("/day", "auditors"), ("/people", "shift managers")):
        dealer.go(path)
        expect(dealer.find(".nothing")).to_contain_text(words)
    assert dealer.page.get_by_role("navigation").get_by_role("link", name="Floor").count() == 0
    assert not dealer.errors


def test_a_session_that_comes_late_pushes_nothing(hall: Hall) -> None:
    """On a phone the links of a shift manager scroll in one row; the current one is in sight."""
    shift = hall.staff("shift-manager", phone=True, locale="zh-HK", reduced_motion="reduce")
    held: list[Route] = []
    shift.page.route("**/api/sessions/current", lambda route: held.append(route))
    with shift.page.expect_request("**/api/sessions/current"):
        shift.go("/rules")
    height = "document.querySelector('header').getBoundingClientRect().height"
    expect(shift.find("nav a[href='/rules']")).to_be_visible()
    before = shift.page.evaluate(height)
    assert shift.find("nav a[href='/watch']").count() == 0, "who it is is not known yet"
    held[0].continue_()
    expect(shift.find("nav a[href='/watch']")).to_have_count(1)
    shift.page.evaluate(DRAWN)
    assert shift.page.evaluate(height) == before
    shift.page.unroute("**/api/sessions/current")
    shift.go("/watch")
    expect(shift.find("nav a[href='/watch'][aria-current]")).to_be_in_viewport(ratio=1)
    seen(shift, "header")
