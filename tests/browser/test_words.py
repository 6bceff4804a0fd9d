"""Three languages, and a light and a dark room."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.visitors import Hall


def test_three_languages(hall: Hall) -> None:
    reader = hall.visitor()
    reader.go("/")
    expect(reader.find("h1")).to_have_text("Tables")
    choice = reader.page.get_by_label("Language")
    choice.select_option(label="繁體中文")
    expect(reader.find("h1")).to_have_text("賭枱")
    expect(reader.find("html")).to_have_attribute("lang", "zh-Hant")
    reader.page.locator("header select").first.select_option(label="简体中文")
    expect(reader.find("h1")).to_have_text("赌台")
    reader.page.reload()
    expect(reader.find("h1")).to_have_text("赌台")


@pytest.mark.parametrize("status", [404, None])
def test_a_language_whose_words_do_not_come_is_not_shown_in_another_script(hall: Hall, status: int | None) -> None:
    """If the file is missing or the line is dead, the page is in English."""
    reader = hall.visitor()
    reader.go("/")
    reader.page.get_by_label("Language").select_option(label="繁體中文")
    expect(reader.find("h1")).to_have_text("賭枱")
    reader.page.route("**/zh-Hans-*", lambda route: route.fulfill(status=status) if status else route.abort())
    reader.page.locator("header select").first.select_option(label="简体中文")
    expect(reader.find("html")).to_have_attribute("lang", "zh-Hans")
    expect(reader.find("h1")).to_have_text("Tables")


@pytest.mark.parametrize(
    ("locale", "said"), [("en-GB", "閒 庄 Player Banker"), ("zh-HK", "閒 庄 和 請下注"), ("zh-CN", "闲 庄 和 请下注")]
)
def test_the_felt_speaks(hall: Hall, locale: str, said: str) -> None:
    """The felt shows the rule documents' own names of the hands, also in English."""
    table = f"felt-{locale.lower()}"
    hall.open(table, ("dealer",), shoe=True)
    hall.person("dealer").must(table, {"do": "open-betting"})
    reader = hall.visitor(locale=locale)
    reader.go(f"/tables/{table}")
    expect(reader.find("[data-bet=banker]")).to_be_visible()
    for word in said.split():
        expect(reader.find("body")).to_contain_text(word)
    assert not reader.errors


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_room_follows_the_system_and_the_choice(hall: Hall, scheme: str) -> None:
    reader = hall.visitor(color_scheme=scheme)
    reader.go("/odds")
    expect(reader.find("html")).to_have_attribute("data-room", scheme)
    other = "light" if scheme == "dark" else "dark"
    reader.page.locator("header select").nth(1).select_option(other)
    expect(reader.find("html")).to_have_attribute("data-room", other)
    bright = reader.page.evaluate("getComputedStyle(document.documentElement).colorScheme")
    assert bright == other
