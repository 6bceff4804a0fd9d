"""What a first visit costs, in a real browser: `python -m tests.browser.first_visit`.

It measures bytes over the wire as the browser counts them, how far the layout shifts, errors, and the time to the first
paint: the median of several visits, each in a blank browser.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from typing import Any, Final

import msgspec
from playwright.sync_api import expect, sync_playwright

from tests.browser import chromium
from tests.browser.kept import Browsers
from tests.browser.playing import played
from tests.browser.visitors import Hall
from tests.house.web.running import serving

MOST_BYTES: Final = 150_000
MOST_SHIFT: Final = 0.02
BAR_MS: Final = 300
VISITS: Final = 7
PAINTED: Final = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    paint_ms: float
    shift: float
    bytes_received: int
    scripts: dict[str, str]
    """How each script was encoded."""
    errors: tuple[str, ...]


def visited(hall: Hall, path: str, shows: str, **options: Any) -> Visit:
    """Visit a page in a blank browser, until it shows what it must and no request is under way."""
    hall.browsers.close()
    visitor = hall.visitor(**options)
    errors: list[str] = []
    scripts: dict[str, str] = {}
    received = [0]
    visitor.page.on("console", lambda said: errors.append(said.text) if said.type in ("error", "warning") else None)
    visitor.page.on("response", lambda got: errors.append(f"{got.status} {got.url}") if got.status >= 400 else None)
    wire = visitor.context.new_cdp_session(visitor.page)
    wire.send("Network.enable")
    wire.on("Network.loadingFinished", lambda end: received.append(round(end["encodedDataLength"])))

    def kept(got: dict[str, Any]) -> None:
        if got["type"] == "Script":
            headers = {name.lower(): value for name, value in got["response"]["headers"].items()}
            scripts[got["response"]["url"]] = headers.get("content-encoding", "")

    wire.on("Network.responseReceived", kept)
    visitor.go(path)
    expect(visitor.find(shows).first).to_be_visible()
    visitor.page.wait_for_load_state("networkidle")
    paint = float(visitor.page.evaluate(PAINTED))
    seen = Visit(
        paint_ms=paint,
        shift=visitor.shifted(),
        bytes_received=sum(received),
        scripts=scripts,
        errors=(*errors, *visitor.errors),
    )
    return seen


def main() -> int:
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), "--no-rate-limits", "--no-demo") as server,
        sync_playwright() as playwright,
    ):
        browser = chromium.launched(playwright)
        hall = Hall(server, Browsers(browser))
        table = hall.open("first", ("dealer",), shoe=True)
        played(hall, table, 30, 7)
        bad = False
        for path, shows in (("/", "h1"), (f"/tables/{table}", "[data-bet]")):
            for phone in (False, True):
                seen = [visited(hall, path, shows, phone=phone) for _ in range(VISITS)]
                paint, shift = median(visit.paint_ms for visit in seen), max(visit.shift for visit in seen)
                most = max(visit.bytes_received for visit in seen)
                where = f"{path} {'phone' if phone else 'desktop'}"
                print(
                    f"{where}: first paint {paint:.0f} ms, layout shift {shift:.4f}, {most / 1000:.1f} kB over the wire"
                )
                bad |= paint > BAR_MS or shift > MOST_SHIFT or most > MOST_BYTES or any(visit.errors for visit in seen)
        hall.close()
        browser.close()
    return int(bad)


if __name__ == "__main__":
    raise SystemExit(main())
