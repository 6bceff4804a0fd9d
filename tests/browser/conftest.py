"""One browser and one house for the tests of this folder that run in a row, and a page that is built."""

from __future__ import annotations

import subprocess
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser import chromium
from tests.browser.visitors import Hall
from tests.house.web.running import serving
from tests.patience import LONG_S

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILT = ROOT / "src" / "punto" / "house" / "page" / "index.html"

# A page comes to show what it must, on a slow machine too.
expect.set_options(timeout=LONG_S * 1000)

# Playwright's loop runs in this thread as long as the browser does, and other tests start loops of their own. So both
# are closed when the next test is one of another folder; a fixture of the session would be closed too late.
_standing: list[Hall] = []
_open = ExitStack()


def _house(folder: Path) -> Hall:
    if not BUILT.is_file():
        subprocess.run(["make", "--silent", "page"], cwd=ROOT, check=True, timeout=LONG_S)
    server = _open.enter_context(serving(folder, "--no-rate-limits"))
    browser = chromium.launched(_open.enter_context(sync_playwright()))
    _open.callback(browser.close)
    hall = Hall(server, browser)
    _open.callback(hall.close)
    return hall


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None, None, None]:
    yield
    if nextitem is None or not nextitem.path.is_relative_to(HERE):
        _standing.clear()
        _open.close()


@pytest.fixture
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    if chromium.found() is None:
        if chromium.watched():
            pytest.fail(chromium.MISSING)
        pytest.skip(chromium.MISSING)
    if not _standing:
        _standing.append(_house(tmp_path_factory.mktemp("browser-house")))
    (one,) = _standing
    yield one
    one.everybody_out()


@pytest.fixture
def browser(hall: Hall) -> Browser:
    return hall.browser
