"""Whoever signs in with a password that somebody else gave is led to set their own, wherever they were going."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import expect

from tests.browser.visitors import Hall
from tests.house.web.test_resets import opened

OWN = "a-word-of-my-own"
PICTURES = os.environ.get("PUNTO_TEST_PICTURES")
"""A folder for screenshots, for whoever wants to look."""


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
    dealer = hall.visitor(name, phone=phone, locale=locale)
    dealer.go("/sign-in?back=/rules")
    dealer.find("[name=username]").fill(name)
    dealer.find("[name=password]").fill(first)
    dealer.keys("Enter")
    expect(dealer.find("h1")).to_have_text(title)
    assert not dealer.violations()
    dealer.go(f"/tables/{table}/dealer")
    expect(dealer.find("h1")).to_have_text(title)
    expect(dealer.page).to_have_url(f"{hall.server.url}/sign-in?back=%2Ftables%2F{table}%2Fdealer")
    dealer.find("[name=password]").fill(first)
    dealer.find("[name=own]").fill(OWN)
    dealer.find("[name=again]").fill(f"{OWN}-")
    dealer.find("form button.gold").click()
    expect(dealer.find("[role=alert]")).not_to_be_empty()
    if PICTURES:
        dealer.page.screenshot(path=f"{PICTURES}/own-password-{locale}.png")
    for field in ("own", "again"):
        dealer.find(f"[name={field}]").fill(first)
    dealer.find("form button.gold").click()
    expect(dealer.find("[role=alert]")).not_to_be_empty()
    for field in ("own", "again"):
        dealer.find(f"[name={field}]").fill(OWN)
    dealer.find("form button.gold").click()
    # This takes long: three passwords are hashed.
    expect(dealer.page).to_have_url(f"{hall.server.url}/tables/{table}/dealer")
    expect(dealer.find(".stage")).to_be_visible()
    assert dealer.api("/api/me")["password_to_be_set"] is False
