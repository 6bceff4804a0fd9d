"""The lobby and several tables at once: tiles that follow their tables, filters, favourites, one click to a seat,
tables side by side on a desktop and a bar of tabs on a phone. Of a table that is not shown only its tile is sent."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.measures import MOST_SHIFT, well
from tests.browser.playing import drawn, played
from tests.browser.visitors import Hall, Visitor
from tests.house.web.running import eventually

FOUR = ("lobby-1", "lobby-2", "lobby-3", "lobby-4")
LIVE = "live-baccarat-insurance-commission/undated"
CARDS = drawn("2H", "KS", "3D", "4C")
WIDE = {"width": 1920, "height": 1080}
ON_ITS_SIDE: Any = {"width": 844, "height": 390}
HIGH: dict[str, Any] = {"limits": {"minimum": "50.00", "maximum": "500.00", "maximum_differential": "1000.00"}}


@pytest.fixture
def four(hall: Hall) -> tuple[str, ...]:
    """Four live tables with a past and betting open; made once."""
    if FOUR[0] not in hall.opened:
        for number, table in enumerate(FOUR, start=1):
            game: dict[str, Any] = {"edition": LIVE, "layout": "live"} if number == 4 else {"layout": "H"}
            hall.open(table, ("dealer",), shoe=True, name=f"Lobby {number}", **game)
            played(hall, table, 6, number)
        hall.open("lobby-high", name="Lobby high", **HIGH)
    dealer = hall.person("dealer")
    for table in FOUR:
        phase = dealer.get(f"/api/tables/{table}").json()["view"]["phase"]
        if phase in ("dealing", "offer", "complete"):
            ended(hall, table)
        if phase != "betting":
            dealer.must(table, {"do": "open-betting"})
    return FOUR


def ended(hall: Hall, table: str) -> None:
    """A round that a test left is dealt to its end."""
    dealer = hall.person("dealer")
    for card in drawn("AH", "AD", "AC", "AS", "AH", "AD"):
        if dealer.get(f"/api/tables/{table}").json()["view"]["phase"] != "complete":
            dealer.must(table, card)
    dealer.must(table, {"do": "settle"})


def tile(visitor: Visitor, table: str) -> Locator:
    return visitor.find(f"li[data-table='{table}']")


def pane(visitor: Visitor, table: str) -> Locator:
    return visitor.find(f".pane[data-table='{table}']")


def open_sockets(visitor: Visitor) -> list[str]:
    """The tables of which this browser holds a live view, and its feeds."""
    matches = [
        re.search(r"/api/(?:tables/)?([^/?]+)", socket.url) for socket in visitor.sockets if not socket.is_closed()
    ]
    return sorted(match[1] for match in matches if match)


def test_a_tile_has_a_face_and_follows_its_table(hall: Hall, four: tuple[str, ...]) -> None:
    reader = hall.visitor(reduced_motion="reduce")
    reader.go("/")
    first_tile = tile(reader, "lobby-1")
    expect(first_tile.get_by_role("heading")).to_have_text("Lobby 1")
    expect(first_tile.get_by_text("lobby-1", exact=True)).to_be_visible()
    expect(first_tile.locator(".phase")).to_have_text("Place your Bets, please")
    expect(first_tile.get_by_role("img", name=re.compile("^Big Road. 6 hands"))).to_be_visible()
    expect(first_tile.locator(".face svg").first).to_have_attribute("data-cloth", "green")
    expect(tile(reader, "lobby-4").locator(".face svg").first).to_have_attribute("data-cloth", "blue")
    # The list gets no answer any more: the socket tells what follows.
    reader.page.route("**/api/tables", lambda _: None)
    hall.guest().sit("lobby-1", 3)
    expect(first_tile.get_by_role("img", name="1 of 6 seats taken")).to_be_visible()
    hall.person("dealer").must("lobby-1", {"do": "close-betting"}, *CARDS)
    expect(first_tile.locator(".phase")).not_to_have_text("Place your Bets, please")
    reader.page.unroute("**/api/tables")
    well(reader)
    assert reader.shifted() < MOST_SHIFT
    filters(reader)


def filters(reader: Visitor) -> None:
    """Each filter leaves only what fits it. A favourite comes first, also after a reload."""
    shown, count = reader.find("ul li h2"), reader.find(".filters [role=status]")
    every = shown.count()
    reader.page.get_by_label("Limits", exact=True).select_option(label="Minimum up to 10")
    expect(tile(reader, "lobby-high")).to_have_count(0)
    expect(tile(reader, "lobby-2")).to_have_count(1)
    reader.page.get_by_label("Game", exact=True).select_option(label="Live Baccarat Insurance (commission)")
    expect(tile(reader, "lobby-4")).to_have_count(1)
    expect(tile(reader, "lobby-2")).to_have_count(0)
    reader.page.get_by_label("Live or virtual").select_option("virtual")
    expect(tile(reader, "lobby-4")).to_have_count(0)
    reader.button("Clear").click()
    expect(count).to_have_text(re.compile(rf"^{every} of {every} tables$"))
    reader.button("Free seat").click()
    expect(tile(reader, "lobby-2")).to_have_count(1)
    reader.button("Add Lobby 3 to favourites").click()
    expect(shown.first).to_have_text("Lobby 3")
    reader.page.reload()
    expect(shown.first).to_have_text("Lobby 3")
    reader.button("Favourites").filter(has_text="★ Favourites").click()
    expect(shown).to_have_text(["Lobby 3"])
    well(reader)


@pytest.mark.parametrize(
    ("size", "phone", "light", "locale", "title"),
    [
        (WIDE, False, "light", "zh-TW", "老虎水牛（免佣百家樂附升級保險）"),
        (ON_ITS_SIDE, True, "dark", "zh-CN", "老虎水牛（免佣百家乐附升级保险）"),
        (None, True, "light", "en-GB", "Tiger Buffalo (Non-Commission Baccarat with Insurance Plus)"),
    ],
    ids=["wide", "on-its-side", "phone"],
)
def test_one_click_from_play_to_a_seat(hall: Hall, size: Any, phone: bool, light: str, locale: str, title: str) -> None:
    """On several screens, in light and dark, in three languages, for somebody who has a session already."""
    looks = {"color_scheme": light, "reduced_motion": "reduce", **({"viewport": size} if size else {})}
    guest = hall.guest(phone=phone, locale=locale, **looks)
    guest.go("/")
    game_tile = tile(guest, "tiger-buffalo-non-commission")
    expect(game_tile).to_contain_text(title)
    well(guest)
    assert guest.shifted() < MOST_SHIFT
    game_tile.locator(".actions .gold").click()
    expect(guest.find(".boxes .mine")).to_be_visible()
    assert guest.cents("tiger-buffalo-non-commission") == 1_000_000
    expect(guest.find(".room")).to_have_attribute("data-cloth", "teal")
    assert not guest.violations()
    assert not guest.errors


def test_four_tables_side_by_side(hall: Hall, four: tuple[str, ...]) -> None:
    """Tables chosen in the lobby, a seat at each, chips on any of them from one tray, insurance at two at once."""
    ann = hall.visitor(reduced_motion="reduce")
    ann.go("/")
    for table in ("lobby-2", "lobby-3", "lobby-4"):
        tile(ann, table).get_by_role("button", name=re.compile("^Side by side")).click()
    ann.button("Play side by side").click()
    expect(ann.find(".pane")).to_have_count(3)
    for table in ("lobby-2", "lobby-3", "lobby-4"):
        pane(ann, table).get_by_role("button", name=re.compile(r"^Sit with 3,33[34]")).click()
        expect(pane(ann, table).locator(".act").first).to_be_visible()
    assert [ann.cents(table) for table in ("lobby-2", "lobby-3", "lobby-4")] == [333_300, 333_300, 333_400]
    ann.chip("100")
    for table in ("lobby-2", "lobby-4"):
        pane(ann, table).locator("[data-bet=player]").click()
        expect(pane(ann, table).locator("[data-bet=player] .stack:not(.waiting) .sum")).to_have_text("100")
        assert [wager["stake"] for wager in ann.api(f"/api/tables/{table}")["view"]["wagers"]] == ["100.00"]
    pane(ann, "lobby-2").locator("[data-bet=tie]").click()
    expect(pane(ann, "lobby-2").locator("[data-bet=tie] .stack:not(.waiting)")).to_be_visible()
    ann.keys("u")
    expect(pane(ann, "lobby-2").locator("[data-bet=tie] .stack")).to_have_count(0)
    expect(pane(ann, "lobby-4").locator("[data-bet=player] .sum")).to_have_text("100")
    well(ann, one_screen=True)
    for table in ("lobby-2", "lobby-4"):
        hall.person("dealer").must(table, {"do": "close-betting"}, *CARDS)
        expect(pane(ann, table).locator(".insure")).to_contain_text("Insurance on Player 5")
    ann.page.set_viewport_size({"width": 1920, "height": 1080})
    well(ann, one_screen=True)
    pane(ann, "lobby-2").get_by_role("button", name=re.compile("^Full")).click()
    pane(ann, "lobby-2").get_by_role("button", name=re.compile("^Insure")).click()
    expect(pane(ann, "lobby-2").locator(".taken")).to_be_visible()
    assert ann.api("/api/tables/lobby-2")["view"]["insurance"]
    pane(ann, "lobby-4").get_by_role("button", name="No insurance").click()
    expect(pane(ann, "lobby-4").locator(".insure")).to_have_count(0)
    pane(ann, "lobby-3").get_by_role("button", name=re.compile("off the screen$")).click()
    expect(ann.find(".pane")).to_have_count(2)
    assert eventually_open(ann, ["lobby-2", "lobby-4", "tiles"])
    ann.page.reload()
    expect(ann.find(".pane")).to_have_count(2)


def eventually_open(visitor: Visitor, wanted: list[str]) -> bool:
    """Wait for these sockets: they open and close a moment after the page changes."""

    def now() -> bool:
        visitor.page.wait_for_timeout(20)
        return open_sockets(visitor) == wanted

    return eventually(now)


def test_a_bar_of_tabs_on_a_phone(hall: Hall, four: tuple[str, ...]) -> None:
    """The table in sight has a live view, the others a tile each: clock, last results, no more."""
    phone = hall.guest(phone=True, reduced_motion="reduce")
    phone.sit("lobby-1", 4, "500.00").sit("lobby-3", 4, "500.00")
    phone.go(f"/several?tables={','.join(FOUR)}")
    tab = phone.find("[role=tab]")
    expect(tab).to_have_count(4)
    expect(tab.nth(2)).to_contain_text("Lobby 3")
    expect(tab.nth(2).locator(".dots i")).to_have_count(5)
    expect(phone.spot("player")).to_be_visible()
    assert eventually_open(phone, ["lobby-1", "tiles"])
    well(phone)
    frames_before = len(phone.frames)
    other = hall.guest()
    other.sit("lobby-3", 5)
    hall_bets(hall, other, "lobby-3")
    hall.person("dealer").must("lobby-4", {"do": "close-betting"})
    expect(tab.nth(3)).to_contain_text("No more Bets")
    sent = [frame for frame in phone.frames[frames_before:] if frame["frame"] != "ping"]
    assert {frame["frame"] for frame in sent} == {"tiles"}, "somebody came and bet at a table that is not shown"
    fields = [{*change} - {"id"} for frame in sent for change in frame["tiles"] if change["id"] == "lobby-3"]
    assert fields == [{"seats"}], "and all that was sent of it is that a seat is taken"
    tab.nth(2).click()
    assert eventually_open(phone, ["lobby-3", "tiles"])
    phone.chip("10")
    phone.spot("banker").click()
    phone.lies("banker", "10")
    assert [wager["bet"] for wager in phone.api("/api/tables/lobby-3")["view"]["wagers"]] == ["banker"]
    phone.page.set_viewport_size(ON_ITS_SIDE)
    well(phone)


def hall_bets(hall: Hall, other: Visitor, table: str) -> None:
    """Somebody else lays chips at a table that the phone does not show."""
    if hall.person("dealer").get(f"/api/tables/{table}").json()["view"]["phase"] != "betting":
        hall.person("dealer").must(table, {"do": "open-betting"})
    for bet in ("player", "tie"):
        other.command(table, {"do": "place-wager", "box": 5, "bet": bet, "stake": "10.00"})
