"""The foot of a page names the version of the house. A table has no foot: it gets the whole screen."""

from __future__ import annotations

from importlib.metadata import version

import pytest
from playwright.sync_api import expect

from tests.browser.visitors import Hall


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_version_stands_at_the_foot(hall: Hall, phone: bool) -> None:
    table = hall.open(f"foot-{'phone' if phone else 'desktop'}")
    guest = hall.visitor(phone=phone)
    for path in ("/", "/odds", "/rules", "/sign-in"):
        guest.go(path)
        expect(guest.find("#page > footer")).to_have_text(f"Punto {version('punto')}")
    assert guest.page.evaluate("document.querySelector('#page > footer').getBoundingClientRect().top >= innerHeight")
    guest.find("#page > footer").scroll_into_view_if_needed()
    expect(guest.find("#page > footer")).to_be_in_viewport(ratio=1)
    assert guest.shifted() == 0, "what comes late pushes nothing before anybody's eyes"
    guest.go(f"/tables/{table}")
    expect(guest.find("main")).to_contain_text(table)
    expect(guest.find("#page > footer")).to_have_count(0)
    assert not guest.errors
