"""Somebody comes with a password that another gave: the page leads to their own, from wherever they came."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import expect

from tests.browser.visitors import Hall
from tests.house.web.test_resets import opened

OWN = "a-word-of-my-own"
PICTURES = os.environ.get("PUNTO_TEST_PICTURES")
"""A folder for what was seen, for whoever wants to look."""


@pytest.mark.parametrize(
    ("locale", "title", "phone"),
    [
        ("en-GB", "Set your own password", False),
        ("zh-HK", "設定你自己的密碼", False),
        ("zh-CN", "设定你自己的密码", True),
    ],
)
def test_a_first_password_leads_to_one_s_own(hall: Hall, locale: str, title: str, phone: bool) -> None:
    name = f"new-{locale.lower()}"
    first = opened(hall.person("shift-manager"), name, "dealer")
    table = hall.open(f"own-{locale.lower()}")
    one = hall.visitor(name, phone=phone, locale=locale)
    one.go("/sign-in?back=/rules")
    one.find("[name=username]").fill(name)
    one.find("[name=password]").fill(first)
    one.keys("Enter")
    expect(one.find("h1")).to_have_text(title)
    assert not one.violations()
    one.go(f"/tables/{table}/dealer")
    expect(one.find("h1")).to_have_text(title)
    expect(one.page).to_have_url(f"{hall.server.url}/sign-in?back=%2Ftables%2F{table}%2Fdealer")
    one.find("[name=password]").fill(first)
    one.find("[name=own]").fill(OWN)
    one.find("[name=again]").fill(f"{OWN}-")
    one.find("form button.gold").click()
    expect(one.find("[role=alert]")).not_to_be_empty()
    if PICTURES:
        one.page.screenshot(path=f"{PICTURES}/own-password-{locale}.png")
    for field in ("own", "again"):
        one.find(f"[name={field}]").fill(first)
    one.find("form button.gold").click()
    expect(one.find("[role=alert]")).not_to_be_empty()
    for field in ("own", "again"):
        one.find(f"[name={field}]").fill(OWN)
    one.find("form button.gold").click()
    # Three passwords are hashed.
    expect(one.page).to_have_url(f"{hall.server.url}/tables/{table}/dealer")
    expect(one.find(".stage")).to_be_visible()
    assert one.api("/api/me")["password_to_be_set"] is False
