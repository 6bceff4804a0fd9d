"""Every page fits on phone and desktop, light and dark: nothing overflows or shifts, and axe has no complaint."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.measures import (
    MOST_SHIFT,
    OVERFLOWS,
    SMALL_TARGETS,
    SMALLEST_CELL,
    SMALLEST_TARGET,
    SPOILED,
    TOUCHING,
    TWICE,
    fits,
    none,
    well,
)
from tests.browser.playing import drawn, played
from tests.browser.visitors import DESKTOP, PHONE, Hall
from tests.house.web.running import eventually

READ = {
    "/": "li.panel h2",
    "/sign-in": "form input",
    "/odds": "tbody tr",
    "/rules": "[id^='p-']",
    "/tables/behind": "[data-bet]",
    "/tables/behind/board": "table tbody tr",
}
NARROW = {"width": 360, "height": 640}
EDITIONS = ["tiger-buffalo-commission/2025-11-21", "live-baccarat-insurance-commission/undated"]


@pytest.fixture
def behind(hall: Hall) -> str:
    """A table with a past; made once."""
    if "behind" not in hall.opened:
        hall.open("behind", ("dealer",), shoe=True)
        played(hall, "behind", 30, 7)
    return "behind"


@pytest.mark.parametrize("path", READ)
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_pages_without_a_name(hall: Hall, behind: str, path: str, phone: bool) -> None:
    """Pages that anybody may read, dark on a desktop and light on a phone. With letters twice as large a page gets
    longer; nothing is pushed out of sight at the side."""
    reader = hall.visitor(phone=phone, color_scheme="light" if phone else "dark", reduced_motion="reduce")
    reader.go(path)
    expect(reader.find(READ[path]).first).to_be_attached()
    well(reader, one_screen=not phone and path.startswith("/tables"))
    assert reader.shifted() < MOST_SHIFT
    reader.page.evaluate(TWICE)
    fits(reader)
    assert reader.page.evaluate("innerWidth") == (PHONE if phone else DESKTOP)["width"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_tables_of_figures_on_the_narrowest_phone(hall: Hall, edition: str) -> None:
    """Nothing scrolls sideways, and every offer in the insurance maps is large enough for a thumb."""
    reader = hall.visitor(phone=True, viewport=NARROW, reduced_motion="reduce")
    reader.go(f"/rules/{edition}")
    expect(reader.find(READ["/rules"]).first).to_be_attached()
    fits(reader)
    reader.go(f"/odds/{edition}")
    cells = reader.find(".maps td button")
    expect(cells.first).to_be_attached()
    fits(reader)
    sizes = cells.evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect()).map((at) => [at.width, at.height])"
    )
    assert min(width for width, _ in sizes) >= SMALLEST_CELL
    assert min(height for _, height in sizes) >= SMALLEST_TARGET


def test_rounds_of_the_past_on_a_phone(hall: Hall) -> None:
    """Stake, result, odds and net of a line stand apart; dates are written as in Europe."""
    table = hall.open("past", ("dealer",), shoe=True)
    ann = hall.guest(phone=True, reduced_motion="reduce").sit(table, 1)
    dealer = hall.person("dealer")
    dealer.must(table, {"do": "open-betting"})
    ann.command(table, {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"})
    dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "9D", "3C"), {"do": "settle"})
    ann.go("/me/rounds")
    expect(ann.find("article li")).to_contain_text("1 to 1")
    expect(ann.find("article header")).to_contain_text(
        "Tiger Buffalo (Commission Baccarat with Insurance Plus), 2025-11-21"
    )
    expect(ann.find("article header")).to_contain_text(re.compile(r"\d{1,2} \w{3,4} \d{4}"))
    none(ann.page.evaluate(TOUCHING))
    well(ann)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_what_a_table_opens_over_itself(hall: Hall, behind: str, phone: bool) -> None:
    ann = hall.guest(phone=phone, reduced_motion="reduce")
    ann.go(f"/tables/{behind}")
    ann.button("Take a seat").click()
    well(ann)
    ann.keys("Escape")
    ann.button("More").click()
    well(ann)
    ann.keys("Escape")
    ann.button("Take a seat").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Sit at box").click()
    for name in ("House edge and pay", "Roads", "Buy chips"):
        ann.button("More").click()
        ann.page.get_by_role("dialog").get_by_role("button", name=name).click()
        well(ann)
        ann.keys("Escape")
        expect(ann.page.get_by_role("dialog")).to_have_count(0)
    ann.go("/me/rounds")
    well(ann)


def test_consoles(hall: Hall) -> None:
    table = hall.open("desks", ("pit-manager",))
    dealer = hall.staff("dealer", color_scheme="light", reduced_motion="reduce")
    pit = hall.staff("pit-manager", reduced_motion="reduce")
    dealer.go(f"/tables/{table}/dealer")
    expect(dealer.find(".stage")).to_be_visible()
    well(dealer)
    dealer.gold("Go on duty")
    expect(dealer.find(".stage button.gold")).to_contain_text("Load the shoe")
    expect(dealer.find(".stage button.gold")).to_be_enabled()
    dealer.keys("Enter")
    expect(dealer.page.get_by_role("dialog")).to_be_visible()
    well(dealer)
    dealer.page.get_by_label("The cards are shuffled").check()
    dealer.button("Load").last.click()
    ann = hall.guest()
    ann.sit(table, 1)
    dealer.gold("Open betting")
    ann.command(table, {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"})
    dealer.gold("Close betting")
    dealer.deal("KH 2S 7D 3C")
    well(dealer)
    pit.go(f"/tables/{table}/pit")
    for name in ("Irregularity", "Approvals", "Event log", "Replay", "Table"):
        pit.page.get_by_role("tab", name=name).click()
        well(pit)
    dealer.deal("4H")
    dealer.gold("Settle")
    well(dealer)
    pit.page.get_by_role("tab", name="Irregularity").click()
    pit.page.get_by_role("button", name="Anything else").click()
    well(pit)
    pit.find(".form").get_by_role("button", name="Report", exact=True).click()
    expect(pit.find(".form")).to_contain_text("The ruling")
    well(pit)
    assert pit.shifted() < MOST_SHIFT
    assert dealer.shifted() < MOST_SHIFT


def test_the_measures_see_what_is_wrong(hall: Hall) -> None:
    reader = hall.visitor()
    reader.go("/rules")
    expect(reader.find(READ["/rules"]).first).to_be_attached()
    assert reader.shifted() < MOST_SHIFT
    reader.page.evaluate(SPOILED)
    assert eventually(lambda: reader.shifted() > MOST_SHIFT)
    assert reader.page.evaluate(OVERFLOWS)
    assert reader.page.evaluate(SMALL_TARGETS, SMALLEST_TARGET)
    assert any("button-name" in violation for violation in reader.violations())
