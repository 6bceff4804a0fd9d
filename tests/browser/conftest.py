"""One browser and one house a worker, and a page that is built."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser import chromium
from tests.browser.visitors import Hall
from tests.house.web.running import serving

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "src" / "punto" / "house" / "page" / "index.html"


# Playwright's loop runs in this thread as long as the browser does, and other tests start loops of their own: so the
# browser is closed when the tests of this folder are done, not when all are.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if chromium.found() is None:
        if chromium.watched():
            pytest.fail(chromium.MISSING)
        pytest.skip(chromium.MISSING)
    if not BUILT.is_file():
        subprocess.run(["make", "--silent", "page"], cwd=ROOT, check=True, timeout=300)
    with sync_playwright() as playwright:
        one = chromium.launched(playwright)
        yield one
        one.close()


@pytest.fixture(scope="package")
def house(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with serving(tmp_path_factory.mktemp("browser-house"), "--no-rate-limits") as server:
        one = Hall(server, browser)
        yield one
        one.close()


@pytest.fixture
def hall(house: Hall) -> Iterator[Hall]:
    yield house
    house.everybody_out()
