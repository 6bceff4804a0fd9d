"""Browsers that one visitor after another gets, each as if it were new. A new one is slow because of its process."""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Browser, Page

from tests.patience import LONG_S

MOST_KEPT: Final = 8
SHIFTS: Final = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""


class KeptBrowser:
    """A page without a script, which nobody sees, keeps its process alive."""

    def __init__(self, browser: Browser, phone: bool, locale: str) -> None:
        self.kind = phone, locale
        self.url = ""
        """The address of its visitor's house."""
        touch: Any = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2} if phone else {}
        self.context = browser.new_context(locale=locale, **touch)
        self.context.set_default_timeout(LONG_S * 1000)
        self.context.add_init_script(SHIFTS)
        self._keeper: Page | None = None
        self._alone = False

    def page(self) -> Page:
        if self._keeper is None and not self._alone:
            self._keeper = self.context.new_page()
            self._keeper.goto(f"{self.url}/health")
        return self.context.new_page()

    def alone(self) -> None:
        """For a test that cuts the line; called before a page is opened. The pages of one process learn together
        whether there is a line, and get it back one after the other. So this browser has a process of its own, and
        nobody gets it afterwards."""
        self._alone = True
        if self._keeper is not None:
            self._keeper.close()
            self._keeper = None

    def clear(self) -> bool:
        """Whether somebody else may have it. If so, nothing is left of its last visitor: no page, no session, nothing
        that was fetched or stored."""
        if self._alone:
            return False
        self.context.clear_cookies()
        if self._keeper is not None:
            for page in self.context.pages:
                if page is not self._keeper:
                    page.close()
            wire = self.context.new_cdp_session(self._keeper)
            wire.send("Storage.clearDataForOrigin", {"origin": self.url, "storageTypes": "all"})
            wire.send("Network.clearBrowserCache")
            wire.detach()
        return True


class Browsers:
    """The free browsers of one Chromium."""

    def __init__(self, chromium: Browser) -> None:
        self.chromium = chromium
        self._free: list[KeptBrowser] = []

    def take(self, url: str, phone: bool, locale: str) -> KeptBrowser:
        free = [kept for kept in self._free if kept.kind == (phone, locale)]
        if free:
            self._free.remove(free[-1])
        browser = free[-1] if free else KeptBrowser(self.chromium, phone, locale)
        browser.url = url
        return browser

    def give_back(self, browser: KeptBrowser) -> None:
        if browser.clear():
            self._free.append(browser)
        else:
            browser.context.close()
        if len(self._free) > MOST_KEPT:
            self._free.pop(0).context.close()

    def close(self) -> None:
        """Close the free browsers. The next visitor gets one that nobody had."""
        for browser in self._free:
            browser.context.close()
        self._free.clear()
