"""One browser for tests of this folder that run in a row, one house for the tests of a file, and the built page."""

from __future__ import annotations

import subprocess
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser import chromium
from tests.browser.kept import Browsers
from tests.browser.visitors import Hall
from tests.house.web.running import serving
from tests.patience import LONG_S

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILT = ROOT / "src" / "punto" / "house" / "page" / "index.html"

# A slow machine, too, has time to show what a page must show.
expect.set_options(timeout=LONG_S * 1000)

# Playwright's loop runs in this thread as long as the browser does, and other tests start loops of their own. So both
# are closed when the next test is one of another folder; a fixture of the session would be closed too late.
_chromium = ExitStack()
_house = ExitStack()
_browsers: list[Browsers] = []
_halls: list[Hall] = []


def _opened() -> Browsers:
    if not BUILT.is_file():
        subprocess.run(["make", "--silent", "page"], cwd=ROOT, check=True, timeout=LONG_S)
    browser = chromium.launched(_chromium.enter_context(sync_playwright()))
    _chromium.callback(browser.close)
    return Browsers(browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    yield
    if nextitem is None or nextitem.path != item.path:
        _halls.clear()
        _house.close()
    if nextitem is None or not nextitem.path.is_relative_to(HERE):
        _browsers.clear()
        _chromium.close()


@pytest.fixture
def browsers() -> Browsers:
    if chromium.find_browser() is None:
        if chromium.watched():
            pytest.fail(chromium.MISSING)
        pytest.skip(chromium.MISSING)
    if not _browsers:
        _browsers.append(_opened())
    return _browsers[0]


@pytest.fixture
def hall(browsers: Browsers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """The house of one file. Every table has a place in the lobby, so the tables of all files would slow each visit."""
    if not _halls:
        server = _house.enter_context(serving(tmp_path_factory.mktemp("browser-house"), "--no-rate-limits"))
        _halls.append(Hall(server, browsers))
        _house.callback(_halls[0].close)
    (venue,) = _halls
    yield venue
    venue.everybody_out()
