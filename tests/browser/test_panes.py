"""Two tables side by side, in light and in Chinese. A card is squeezed at one while the other is played."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.measures import MOST_SHIFT, well
from tests.browser.playing import drawn
from tests.browser.visitors import Hall
from tests.house.web.running import eventually

LAPTOP = {"width": 1440, "height": 900}
FOCUSED = "document.activeElement.classList.contains('squeeze')"


def test_panes_in_light_and_chinese_and_a_squeeze_in_one(hall: Hall) -> None:
    hall.open("pane-1", ("dealer",), shoe=True, name="Pane 1", facing="down")
    hall.open("pane-2", ("dealer",), shoe=True, name="Pane 2")
    dealer = hall.person("dealer")
    for table in ("pane-1", "pane-2"):
        dealer.must(table, {"do": "open-betting"})
    ann = hall.guest(locale="zh-HK", color_scheme="light", viewport=LAPTOP, reduced_motion="reduce")
    ann.sit("pane-1", 1).sit("pane-2", 1)
    ann.go("/several?tables=pane-1,pane-2")
    first, second = ann.find("[data-table=pane-1]"), ann.find("[data-table=pane-2]")
    for pane in (first, second):
        expect(pane.locator(".phase")).to_have_text("請下注")
    first.get_by_role("button", name="瞇牌", exact=True).click()
    ann.chip("100")
    for pane in (first, second):
        pane.locator("[data-bet=player]").click()
        expect(pane.locator("[data-bet=player] .stack:not(.waiting) .sum")).to_have_text("100")
    well(ann, one_screen=True)
    dealer.must("pane-1", {"do": "close-betting"})
    assert eventually(lambda: dealer.get("/api/tables/pane-1").json()["view"].get("squeeze"))
    dealer.must("pane-1", {"do": "grant-squeeze"}, *drawn("KH", "2S", "7D", "3C"))
    stage = first.locator(".stage")
    expect(stage.locator("button.squeeze")).to_be_visible()
    assert not ann.page.evaluate(FOCUSED), "keys stay with the table that they were at"
    assert ann.shifted() < MOST_SHIFT
    well(ann, one_screen=True)
    ann.page.set_viewport_size({"width": 1920, "height": 1080})
    well(ann, one_screen=True)
    words = ann.find("main").inner_text()
    assert not re.search(r"\b[a-z]+\.[a-z]+\b|undefined|\[object|NaN", words), words
    stage.locator("button.squeeze").focus()
    ann.keys("Enter")
    assert eventually(lambda: "KH" in ann.api("/api/tables/pane-1")["view"]["cards"].values())
    # Meanwhile the other table is played.
    second.locator("[data-bet=tie]").click()
    expect(second.locator("[data-bet=tie] .stack:not(.waiting)")).to_be_visible()
    assert not ann.errors


def test_chips_come_back_and_keys_do_what_buttons_do(hall: Hall) -> None:
    """Whoever has laid every chip can take them back. "Repeat" is for an empty slip, also by its key."""
    hall.open("pane-3", ("dealer",), shoe=True, name="Pane 3")
    dealer, ann = hall.person("dealer"), hall.guest(viewport=LAPTOP, reduced_motion="reduce")
    ann.sit("pane-3", 1, "100.00")
    dealer.must("pane-3", {"do": "open-betting"})
    ann.go("/several?tables=pane-3")
    pane = ann.find("[data-table=pane-3]")
    player, banker = (pane.locator(f"[data-bet={bet}] .stack:not(.waiting) .sum") for bet in ("player", "banker"))
    ann.chip("100")
    pane.locator("[data-bet=player]").click()
    expect(player).to_have_text("100")
    expect(pane.locator(".balance b")).to_have_text("0.00")
    undo = pane.get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("aria-disabled", "false")
    undo.click()
    expect(player).to_have_count(0)
    ann.has("pane-3", 100_00)
    pane.locator("[data-bet=player]").click()
    expect(player).to_have_text("100")
    dealer.must(
        "pane-3", {"do": "close-betting"}, *drawn("KH", "2S", "9D", "3C"), {"do": "settle"}, {"do": "open-betting"}
    )
    expect(pane.get_by_role("button", name="Repeat")).to_have_attribute("aria-disabled", "false")
    pane.locator("[data-bet=banker]").click()
    expect(banker).to_have_text("100")
    ann.keys("r", "d")
    expect(banker).to_have_text("200")
    expect(player).to_have_count(0)
    assert not ann.errors
