"""The felt as a patron uses it: chips at every size, what they come to, what each spot says, and room for it all."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.playing import drawn, played
from tests.browser.visitors import DESKTOP, PHONE, Hall, Visitor
from tests.house.web.running import LIMITS

LOW: Final = {"width": 844, "height": 390}
LAPTOP: Final = {"width": 1440, "height": 900}
WIDE: Final = {"width": 1920, "height": 1080}
MONEY: Final = {"minimum": "10.00", "maximum": "500.00", "maximum_differential": "1000.00"}
LIVE: Final = {"edition": "live-baccarat-insurance-no-commission/undated", "layout": "live", "positions": 7}

# The smallest disc of every stack, in pixels; -1 where a stack has none in sight.
DISCS: Final = """() => [...document.querySelectorAll("[data-bet] .stack")].map((stack) => {
  const discs = [...stack.querySelectorAll(".disc")].filter((one) => one.checkVisibility());
  return discs.length ? Math.min(...discs.map((one) => one.getBoundingClientRect().width)) : -1;
})"""
SIZES: Final = """() => ({
  card: document.querySelector(".hands .slot").getBoundingClientRect().height,
  road: document.querySelector(".roads.panel svg")?.getBoundingClientRect().height ?? 0,
  beads: document.querySelector(".last .beads")?.checkVisibility() ?? false,
})"""
# Chips on their way, by where they go.
MOVED: Final = """() => {
  window.moved = [];
  new MutationObserver(() => {
    const now = [...document.querySelectorAll(".flight")];
    if (now.length) window.moved.push(...now.map((one) => one.dataset.to));
  }).observe(document.querySelector(".flights"), { childList: true });
}"""


def at(hall: Hall, table: str, box: int, size: dict[str, int], **options: Any) -> Visitor:
    guest = hall.guest(phone=size in (PHONE, LOW), viewport=size, **options)
    guest.sit(table, box).go(f"/tables/{table}")
    return guest


def test_chips_are_drawn_at_every_size_and_room_is_used(hall: Hall) -> None:
    """A chip on every bet of the fullest layout, on five screens, in three languages: each is a disc, cards and roads
    grow with the screen, and a phone keeps the last results in sight."""
    table = hall.open("every-size", ("dealer",), shoe=True, **LIVE)
    played(hall, table, 12, 7)
    hall.person("dealer").must(table, {"do": "open-betting"})
    sizes: list[tuple[dict[str, int], str, str]] = [
        (DESKTOP, "en-GB", "dark"),
        (LAPTOP, "zh-HK", "light"),
        (WIDE, "zh-CN", "dark"),
        (PHONE, "zh-HK", "light"),
        (LOW, "en-GB", "dark"),
    ]
    bets = hall.person("dealer").get(f"/api/tables/{table}").json()["view"]["bets"]
    seen = []
    for box, (size, locale, scheme) in enumerate(sizes, 1):
        ann = at(hall, table, box, size, locale=locale, color_scheme=scheme, reduced_motion="reduce")
        wagers = [{"do": "place-wager", "box": box, "bet": bet, "stake": "25.00"} for bet in bets]
        ann.command(table, *wagers)
        expect(ann.find("[data-bet] .stack:not(.waiting)")).to_have_count(len(bets))
        assert min(ann.page.evaluate(DISCS)) >= 14, size
        expect(ann.spot("player").locator(".all [title]")).to_have_text(re.compile(rf"^{25 * box} · {box} \S+$"))
        seen.append(ann.page.evaluate(SIZES))
        assert ann.violations() == []
        assert not ann.errors
        ann.page.close()
    desktop, laptop, wide, phone, low = seen
    assert laptop["card"] >= 120
    assert desktop["card"] < laptop["card"] < wide["card"]
    assert desktop["road"] < laptop["road"] < wide["road"]
    assert phone["beads"]
    assert low["beads"]


def test_chips_go_where_they_belong(hall: Hall) -> None:
    """Insurance lies as a chip with its hand. At the end lost chips go to the house, and winnings come to the spot and
    go to the patron. Whoever wants no motion sees none, and a tap meanwhile is a bet."""
    table = hall.open("moving", ("dealer",), shoe=True, limits=MONEY)
    dealer = hall.person("dealer")
    ann = at(hall, table, 1, DESKTOP)
    bob = at(hall, table, 2, PHONE, reduced_motion="reduce")
    dealer.must(table, {"do": "open-betting"})
    for box, patron in enumerate((ann, bob), 1):
        bets = [{"do": "place-wager", "box": box, "bet": bet, "stake": "100.00"} for bet in ("player", "tie")]
        patron.command(table, *bets)
        patron.lies("tie", "100")
    dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C"))
    for patron in (ann, bob):
        patron.command(
            table, {"do": "take-insurance", "bet": "player_insurance", "stake": "50.00", "after": "four-cards"}
        )
        expect(patron.spot("player").locator(".insured .sum")).to_have_text("Insurance50")
        expect(patron.spot("player").locator(".insured .disc").first).to_be_visible()
        patron.page.evaluate(MOVED)
    dealer.must(table, *drawn("4H"), {"do": "settle"})
    for patron in (ann, bob):
        patron.says("Banker wins")
        expect(patron.spot("player").locator(".gain")).to_have_text("+200.00")
    ann.until("window.moved.length > 0")
    assert sorted(ann.page.evaluate("window.moved")) == ["house", "house", "patron", "spot"]
    dealer.must(table, {"do": "open-betting"})
    ann.phase("Place your Bets, please")
    ann.chip("100")
    ann.spot("banker").click()
    ann.lies("banker", "100")
    assert bob.page.evaluate("window.moved") == []
    assert not ann.errors + bob.errors


SENTENCES: Final = {
    "en-GB": "Pays 1 to 2 if the Banker wins on 6, 1 to 1 if the Banker wins on other points; a tie returns the stake.",
    "zh-HK": "庄以 6 點贏：2 賠 1；庄以其他點數贏：1 賠 1；和局退回注碼。",
    "zh-CN": "庄以 6 点赢：2 赔 1；庄以其他点数赢：1 赔 1；和局退回注码。",
}


@pytest.mark.parametrize("locale", SENTENCES)
def test_a_spot_says_what_wins(hall: Hall, locale: str) -> None:
    """On hover, on focus, and on a long press, which lays no chip. The keys P, B and T lay one."""
    table = hall.open(f"wins-{locale.lower()}", ("dealer",), shoe=True, **LIVE)
    hall.person("dealer").must(table, {"do": "open-betting"})
    ann = at(hall, table, 1, DESKTOP, locale=locale, reduced_motion="reduce")
    tip = ann.page.get_by_role("tooltip")
    banker = ann.spot("banker")
    expect(banker).to_have_accessible_description(SENTENCES[locale])
    banker.hover()
    expect(tip).to_contain_text(SENTENCES[locale])
    assert ann.violations() == []
    ann.page.mouse.move(2, 2)
    expect(tip).to_have_count(0)
    ann.spot("tie").focus()
    ann.keys("Tab")
    expect(tip).to_contain_text(SENTENCES[locale])
    ann.keys("Escape")
    expect(tip).to_have_count(0)
    for key, bet in (("p", "player"), ("b", "banker"), ("t", "tie")):
        expect(ann.spot(bet)).to_have_attribute("aria-keyshortcuts", key)
        ann.keys(key)
        ann.lies(bet, "10")
    bob = at(hall, table, 2, PHONE, locale=locale, reduced_motion="reduce")
    held = bob.spot("banker").bounding_box()
    assert held is not None
    finger = bob.context.new_cdp_session(bob.page)
    point = [{"x": held["x"] + 20, "y": held["y"] + 20}]
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point})
    expect(bob.page.get_by_role("tooltip")).to_contain_text(SENTENCES[locale])
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    bob.spot("player").tap()
    bob.lies("player", "10")
    expect(bob.page.get_by_role("tooltip")).to_have_count(0)
    expect(bob.spot("banker").locator(".stack")).to_have_count(0)
    assert not ann.errors + bob.errors


def test_a_limit_late_in_the_shoe_is_known_ahead_and_when_it_holds(hall: Hall) -> None:
    """O142: nobody learns of a lower limit by a refusal, and whoever changes other limits keeps it."""
    late = {"cards_left": 410, "maximum": {"big_tiger": "20.00"}}
    table = hall.open("late-limit", ("dealer",), shoe=True, limits={**LIMITS, "late": late})
    dealer, ann = hall.person("dealer"), hall.visitor()
    ann.go(f"/tables/{table}")
    expect(ann.find(".notice")).to_have_text("From 410 cards left, at most: Big Tiger 20")
    for _ in range(2):
        dealer.must(
            table, {"do": "open-betting"}, {"do": "close-betting"}, *drawn("KH", "2S", "7D", "5C"), {"do": "settle"}
        )
    dealer.must(table, {"do": "open-betting"})
    expect(ann.find(".notice")).to_have_text("Late in the shoe, at most: Big Tiger 20")
    (row,) = [row for row in hall.person("pit-supervisor").get("/api/floor").json()["tables"] if row["id"] == table]
    assert row["limits"]["late"] == late
    assert "big_tiger" not in row["limits"]["bets"], "the form starts from what was set for a whole shoe"
