"""How long from a tap to the ghost chip, in a real browser: `python -m tests.browser.tap`, or with a count of taps.

A ghost chip is one that the house has not accepted yet. The time runs from the tap as the browser reports it, to the
chip in the page and to the next frame that is drawn.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import quantiles
from typing import Final

from playwright.sync_api import sync_playwright

from tests.browser import chromium
from tests.browser.kept import Browsers
from tests.browser.visitors import Hall
from tests.house.web.running import serving

BAR_MS: Final = 20
LIMITS: Final = {"minimum": "5.00", "maximum": "5000.00", "maximum_differential": "9000.00"}
TAPPED: Final = """() => {
  const spot = document.querySelector("[data-bet=player]");
  window.tapped = new Promise((done) => {
    let began = 0;
    spot.addEventListener("pointerdown", (event) => (began = event.timeStamp), { once: true });
    new MutationObserver((_, watch) => {
      if (!spot.querySelector(".stack.waiting")) return;
      watch.disconnect();
      const laid = performance.now() - began;
      requestAnimationFrame(() => setTimeout(() => done([laid, performance.now() - began])));
    }).observe(spot, { childList: true, subtree: true, attributes: true });
  });
}"""


def measured(hall: Hall, taps: int) -> list[tuple[float, float]]:
    """Tap after tap on one spot, each when the one before is accepted."""
    table = hall.open("tapped", ("dealer",), shoe=True, limits=LIMITS)
    hall.person("dealer").must(table, {"do": "open-betting"})
    ann = hall.guest()
    ann.sit(table, 1, "5000.00").go(f"/tables/{table}")
    ann.chip("5")
    times = []
    for tap in range(1, taps + 1):
        ann.page.evaluate(TAPPED)
        ann.spot("player").click()
        laid, drawn = ann.page.evaluate("window.tapped")
        times.append((laid, drawn))
        ann.lies("player", f"{5 * tap:,}")
    return times


def main() -> int:
    taps = int(sys.argv[1]) if sys.argv[1:] else 100
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), "--no-rate-limits", "--no-demo") as server,
        sync_playwright() as playwright,
    ):
        browser = chromium.launched(playwright)
        hall = Hall(server, Browsers(browser))
        times = measured(hall, taps)
        hall.close()
        browser.close()
    for name, delays in zip(("in the page", "drawn"), zip(*times, strict=True), strict=True):
        middle, slow = (quantiles(delays, n=20)[at] for at in (9, 18))
        print(f"tap to ghost chip, {name}: median {middle:.1f} ms, 19 of 20 under {slow:.1f} ms ({taps} taps)")
    return 0 if quantiles([laid for laid, _ in times], n=20)[18] < BAR_MS else 1


if __name__ == "__main__":
    sys.exit(main())
