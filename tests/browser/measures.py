"""Measures of a page: nothing overflows, is cut off or lies over another, a thumb can hit it, the clock is right."""

from __future__ import annotations

import time
from datetime import datetime

from playwright.sync_api import Locator, expect

from tests.browser.visitors import Visitor
from tests.house.web.running import eventually

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

TWICE = "document.documentElement.style.fontSize = '200%'"

SPOILED = """() => document.querySelector("main").insertAdjacentHTML("beforebegin",
  "<div style='height:300px;width:2000px'><button style='min-height:20px;height:20px'></button></div>")"""

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


def counts_down(visitor: Visitor, table: str, clock: str) -> None:
    """The page shows as many seconds as the house's clock has left."""
    shown = visitor.find(clock)
    expect(shown).to_be_visible()
    ends_at = datetime.fromisoformat(visitor.api(f"/api/tables/{table}")["clock"]["ends_at"]).timestamp()

    def agree() -> bool:
        most = ends_at - time.time()
        seconds = int(shown.text_content() or 0)
        return ends_at - time.time() - 1 <= seconds <= most + 1

    assert eventually(agree)


def chips_on(visitor: Visitor, bets: Locator) -> None:
    """Put a chip on each of these bets; all of them are accepted."""
    expect(bets.first).to_be_enabled()
    for at in range(bets.count()):
        bets.nth(at).click()
    expect(visitor.find(".stack:not(.waiting)")).to_have_count(bets.count())
