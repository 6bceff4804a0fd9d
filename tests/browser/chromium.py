"""The system's Chromium: where it is, and how tests start it."""

from __future__ import annotations

import os
import shutil
from typing import Final

from playwright.sync_api import Browser, Playwright

NAMES: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
"""The first is the same engine without a window, which does half the work."""
QUIET: Final = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
    "--process-per-site",
    "--font-render-hinting=none",
)
MISSING: Final = "no Chromium on this machine; on Debian or Ubuntu run: apt-get install chromium fonts-noto-cjk"


def find_browser() -> str | None:
    """Where the browser is, by the names that distributions give it."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


def watched() -> bool:
    """Whether this runs in CI, where nobody would see that tests were skipped."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


def launched(playwright: Playwright) -> Browser:
    path = find_browser()
    assert path is not None, MISSING
    return playwright.chromium.launch(executable_path=path, args=list(QUIET))
