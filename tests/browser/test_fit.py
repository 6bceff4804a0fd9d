"""Phone and desktop, light and dark: nothing overflows or shifts, a thumb can hit it, and axe has no complaint."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import punto
from tests.browser.playing import drawn, played
from tests.browser.visitors import DESKTOP, PHONE, Hall, Visitor
from tests.every import of_every
from tests.house.web.running import eventually

FULLEST = [("tiger-buffalo-commission/2025-11-21", "K"), ("live-baccarat-insurance-commission/undated", "live")]
MOST_SHIFT = 0.02
SMALLEST_TARGET = 44
SMALLEST_CELL = 38
SMALLEST_CARD = 50

# A link inside a sentence and the number of a paragraph are as tall as their line.
SMALL_TARGETS = """(least) => [...document.querySelectorAll("button, select, input, a[href], [role=radio], summary")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".cite, .skip, p, td, dd, li li"))
  .filter((one) => !one.disabled && getComputedStyle(one).pointerEvents !== "none")
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, at]) => at.width > 1 && at.height > 1 && (at.width < least - 0.5 || at.height < least - 0.5))
  .map(([one, at]) => `${one.outerHTML.slice(0, 120)} ${at.width.toFixed(0)}×${at.height.toFixed(0)}`)"""

OVERFLOWS = """() => {
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide <= 0) return [];
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => `${wide} px too wide: ${one.outerHTML.slice(0, 120)}`).slice(0, 5);
}"""

CUT_TEXT = """() => [...document.querySelectorAll(".spot .sum, .spot .name, .boxes .chips > span, .strip b, button")]
  .filter((one) => one.checkVisibility() && one.textContent.trim())
  .filter((one) => {
    const at = one.getBoundingClientRect();
    for (let over = one.parentElement; over; over = over.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(over).overflow)) break;
      if (!/hidden|clip/.test(getComputedStyle(over).overflow)) continue;
      const edge = over.getBoundingClientRect();
      if (at.right > edge.right + 2 || at.bottom > edge.bottom + 2 || at.left < edge.left - 2) return true;
    }
    return false;
  })
  .map((one) => one.outerHTML.slice(0, 160))"""

TOUCHING = """() => [...document.querySelectorAll("article li")].flatMap((line) => {
  const parts = [...line.children].map((one) => [one.textContent, one.getBoundingClientRect()]);
  return parts.flatMap(([text, at], i) => parts.slice(i + 1)
    .filter(([, other]) => at.right > other.left && other.right > at.left)
    .filter(([, other]) => at.bottom > other.top && other.bottom > at.top)
    .map(([other]) => `${text} over ${other}`));
})"""

SPOILED = """() => document.querySelector("main").insertAdjacentHTML("beforebegin",
  "<div style='height:300px;width:2000px'><button style='min-height:20px;height:20px'></button></div>")"""


def none(problems: list[str]) -> None:
    assert not problems, "\n".join(problems)


def fits(visitor: Visitor, one_screen: bool = False) -> None:
    page = visitor.page
    none(page.evaluate(OVERFLOWS))
    if one_screen:
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0


def well(visitor: Visitor, one_screen: bool = False) -> None:
    """Check everything that must hold for any page in any state."""
    fits(visitor, one_screen)
    if visitor.phone:
        none(visitor.page.evaluate(SMALL_TARGETS, SMALLEST_TARGET))
    none(visitor.violations())
    assert not visitor.errors


def chips_on(visitor: Visitor, bets: Locator) -> None:
    """Put a chip on each of these bets; all of them are accepted."""
    expect(bets.first).to_be_enabled()
    for at in range(bets.count()):
        bets.nth(at).click()
    expect(visitor.find(".stack:not(.waiting)")).to_have_count(bets.count())


READ = {
    "/": "li.panel h2",
    "/sign-in": "form input",
    "/odds": "tbody tr",
    "/rules": "[id^='p-']",
    "/tables/behind": "[data-bet]",
    "/tables/behind/board": "table tbody tr",
}


@pytest.fixture
def behind(hall: Hall) -> str:
    """A table with a past; made once."""
    if "behind" not in hall.opened:
        hall.open("behind", ("dealer",), shoe=True)
        played(hall, "behind", 30, 7)
    return "behind"


TWICE = "document.documentElement.style.fontSize = '200%'"


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


SIDEWAYS = {"width": 844, "height": 390}

# The name of the game is left out: it ends in dots if it is too long.
OVER_ANOTHER = """() => {
  const parts = [...document.querySelectorAll("header > :not(.what)")].filter((one) => one.checkVisibility());
  const at = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect();
  };
  const bar = document.querySelector("header").getBoundingClientRect();
  return parts.flatMap((one, i) => [
    ...(at(one).top < bar.top - 1 || at(one).bottom > bar.bottom + 1 ? [`${one.className} leaves the bar`] : []),
    ...parts.slice(i + 1)
      .filter((other) => at(one).right > at(other).left + 1 && at(other).right > at(one).left + 1)
      .filter((other) => at(one).bottom > at(other).top + 1 && at(other).bottom > at(one).top + 1)
      .map((other) => `${one.className} over ${other.className}`),
  ]);
}"""


NARROW = {"width": 360, "height": 640}
EDITIONS = ["tiger-buffalo-commission/2025-11-21", "live-baccarat-insurance-commission/undated"]


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


@pytest.fixture
def players(hall: Hall) -> tuple[Visitor, Visitor]:
    """ann at a desktop in light, bob with a phone in dark. Motion is off, so nothing is caught halfway."""
    return hall.guest(color_scheme="light", reduced_motion="reduce"), hall.guest(phone=True, reduced_motion="reduce")


def test_a_round_in_every_state(hall: Hall, players: tuple[Visitor, Visitor]) -> None:
    table = hall.open("states", ("dealer", "pit-supervisor"), shoe=True)
    ann, bob = players
    dealer = hall.person("dealer")
    ann.sit(table, 1).go(f"/tables/{table}")
    bob.sit(table, 2).go(f"/tables/{table}")
    dealer.must(table, {"do": "open-betting"})
    for player in players:
        player.phase("Place your Bets, please")
        player.chip("25")
        chips_on(player, player.find("[data-bet]"))
        none(player.page.evaluate(CUT_TEXT))
        well(player, one_screen=player is ann)
    dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C"))
    for player in players:
        expect(player.find(".strip")).to_be_visible()
        well(player, one_screen=player is ann)
        player.find(".strip").get_by_role("button", name="No insurance").click()
    dealer.must(table, *drawn("4H"), {"do": "settle"})
    for player in players:
        player.phase("Round settled")
        well(player, one_screen=player is ann)
    dealer.must(table, {"do": "open-betting"})
    for player in players:
        player.phase("Place your Bets, please")
        player.button("Repeat").click()
    dealer.must(table, {"do": "close-betting"}, *drawn("KD"))
    dealer.must(table, {"do": "report-irregularity", "kind": "excess-card", "cards": ["2H"]})
    for player in players:
        expect(player.find(".trouble")).to_be_visible()
        well(player, one_screen=player is ann)
    hall.person("pit-supervisor").must(table, {"do": "decide-irregularity", "reason": "as the camera shows"})
    for player in players:
        player.phase("Your choice, please")
        well(player, one_screen=player is ann)
        assert player.shifted() < MOST_SHIFT, player.name


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize(("edition", "layout"), FULLEST, ids=["most-boxes", "most-bets"])
def test_the_fullest_felts(hall: Hall, edition: str, layout: str, phone: bool) -> None:
    """A chip on every bet of the layouts with the most boxes and the most bets: no sum and no name is cut off. With
    letters twice as large no button is either, and no part of the top bar lies over another."""
    table = f"full-{layout.lower()}-{phone}".lower()
    boxes = punto.edition(edition).layouts[layout].positions[1]
    hall.open(table, ("dealer",), shoe=True, edition=edition, layout=layout, positions=boxes)
    hall.person("dealer").must(table, {"do": "open-betting"})
    ann = hall.guest(phone=phone, reduced_motion="reduce", locale="zh-HK" if phone else "en-GB")
    ann.sit(table, boxes).go(f"/tables/{table}")
    bets = ann.find("[data-bet]")
    chips_on(ann, bets)
    expect(ann.find(f"[data-box='{boxes}']")).to_be_in_viewport(ratio=0.99)
    none(ann.page.evaluate(CUT_TEXT))
    fits(ann, one_screen=not phone)
    assert ann.shifted() < MOST_SHIFT
    stacks = bets.count()
    if phone:
        ann.page.evaluate("localStorage.setItem('punto.language', 'en')")
        ann.page.reload()
    expect(ann.find("html[lang=en] .stack:not(.waiting)")).to_have_count(stacks)
    ann.page.evaluate(TWICE)

    @of_every([PHONE, SIDEWAYS] if phone else [DESKTOP])
    def in_letters_twice_as_large(size: Any) -> None:
        ann.page.set_viewport_size(size)
        none(ann.page.evaluate(CUT_TEXT))
        none(ann.page.evaluate(OVER_ANOTHER))
        fits(ann)
        assert ann.page.evaluate("innerWidth") == size["width"]

    in_letters_twice_as_large()


LOW = [(390, 664), (375, 667), (360, 640), (844, 390), (640, 360), (1280, 720)]

COVERED = """([over, under]) => {
  const top = document.querySelector(over).getBoundingClientRect();
  return [...document.querySelectorAll(under)]
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, at]) => at.bottom > top.top + 2 && at.top < top.bottom && at.right > top.left && at.left < top.right)
    .map(([one]) => `${over} lies over ${one.outerHTML.slice(0, 120)}`);
}"""

OUT_OF_SIGHT = """(of) => [...document.querySelectorAll(of)]
  .filter((one) => {
    const at = one.getBoundingClientRect();
    return at.top < -1 || at.left < -1 || at.bottom > innerHeight + 1 || at.right > innerWidth + 1;
  })
  .map((one) => one.outerHTML.slice(0, 120))"""


OUT_OF_PANEL = """() => {
  const edge = document.querySelector(".roads.panel").getBoundingClientRect();
  return [...document.querySelectorAll(".roads.panel svg, .roads.panel span")]
    .filter((one) => {
      const at = one.getBoundingClientRect();
      return at.right > edge.right || at.bottom > edge.bottom;
    })
    .map((one) => one.outerHTML.slice(0, 120));
}"""


# Targets on the felt that a thumb can't hit: scrolled to, each must be whole and large enough.
OUT_OF_REACH = """([of, least]) => [...document.querySelectorAll(of)].flatMap((one) => {
  one.scrollIntoView({ block: "nearest" });
  const at = one.getBoundingClientRect(), felt = document.querySelector(".felt").getBoundingClientRect();
  const hit = at.height >= least && at.width >= least && at.top >= felt.top - 1 && at.bottom <= felt.bottom + 1;
  return hit ? [] : [`${one.outerHTML.slice(0, 120)} ${at.width.toFixed(0)}×${at.height.toFixed(0)}`];
})"""
TO_THE_TOP = "document.querySelector('.lay').scrollTo(0, 0)"


@pytest.mark.parametrize("sizes", [LOW[:-1], LOW[-1:]], ids=["phone", "desktop"])
def test_low_screens(hall: Hall, sizes: list[tuple[int, int]]) -> None:
    """A chip on every bet but Banker of the fullest layout, then an offer of insurance, then an irregularity. A thumb
    reaches everything on one screen, and neither the strip nor the amber bar hides the cards and points."""
    table, phone = f"low-{sizes[0][0]}", sizes[0][0] < 900
    hall.open(table, ("dealer",), shoe=True, edition=FULLEST[1][0], layout=FULLEST[1][1], positions=7)
    dealer = hall.person("dealer")
    dealer.must(table, {"do": "open-betting"})
    ann = hall.guest(phone=phone, reduced_motion="reduce")
    ann.sit(table, 7).go(f"/tables/{table}")
    # Whoever bets on both hands is offered no insurance.
    bets = "[data-bet]:not([data-bet=banker])"
    chips_on(ann, ann.find(bets))

    def resize(size: tuple[int, int]) -> None:
        ann.page.set_viewport_size({"width": size[0], "height": size[1]})
        ann.page.evaluate(TO_THE_TOP)

    @of_every(sizes)
    def the_chips(size: tuple[int, int]) -> None:
        resize(size)
        none(ann.page.evaluate(CUT_TEXT))
        none(ann.page.evaluate(OUT_OF_SIGHT, "[data-box], .tray button, .thumb button"))
        none(ann.page.evaluate(OUT_OF_REACH, [bets, SMALLEST_TARGET]))
        fits(ann, one_screen=True)
        if phone:
            none(ann.page.evaluate(SMALL_TARGETS, SMALLEST_TARGET))

    @of_every(sizes)
    def the_strip(size: tuple[int, int]) -> None:
        resize(size)
        none(ann.page.evaluate(COVERED, [".strip", ".hand .card, .points, .mains .sum"]))
        none(ann.page.evaluate(OUT_OF_SIGHT, ".strip, .strip button"))
        well(ann, one_screen=True)

    @of_every(sizes)
    def the_bar(size: tuple[int, int]) -> None:
        resize(size)
        none(ann.page.evaluate(COVERED, [".trouble", ".hand .card, .points"]))
        none(ann.page.evaluate(OUT_OF_SIGHT, ".trouble"))
        well(ann, one_screen=True)

    the_chips()
    dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C"))
    expect(ann.find(".strip")).to_be_visible()
    the_strip()
    dealer.must(table, {"do": "report-irregularity", "kind": "discretion"})
    expect(ann.find(".trouble")).to_be_visible()
    the_bar()


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


@pytest.mark.parametrize("width", [1024, 920])
def test_cards_on_a_narrow_desktop(hall: Hall, width: int) -> None:
    """Three cards a hand beside the roads: none is smaller than on a phone, and the roads are whole."""
    table = hall.open(f"cards-{width}", ("dealer",), shoe=True)
    played(hall, table, 30, 7)
    hall.person("dealer").must(
        table, {"do": "open-betting"}, {"do": "close-betting"}, *drawn("KH", "2S", "3D", "3C", "4H", "2C")
    )
    ann = hall.guest(viewport={"width": width, "height": 768}, reduced_motion="reduce")
    ann.go(f"/tables/{table}")
    expect(ann.find(".hands .slot [role=img]")).to_have_count(6)
    widths = ann.find(".hands .slot").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().width)")
    assert min(widths) >= SMALLEST_CARD
    none(ann.page.evaluate(OUT_OF_PANEL))
    well(ann, one_screen=True)


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
