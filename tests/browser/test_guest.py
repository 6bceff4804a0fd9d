"""Somebody who has never been here plays a hand: one click in the lobby, a seat, a chip, a result."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.visitors import Hall, Visitor

MOVING = """document.getAnimations()
  .filter((animation) => animation.playState === "running" && animation.effect.getTiming().duration > 1).length"""
PACE = {"betting": 4, "insurance": 1, "card": 0.2, "result": 60, "options": 1, "squeeze": 1}
LIES = "[data-bet=player] .stack:not(.waiting)"


def bet_on_player(guest: Visitor) -> None:
    """A chip on Player. If betting closes before the house has it, once more in the next round."""
    while not guest.find(LIES).count():
        guest.phase("Place your Bets, please")
        expect(guest.find("header .ring text")).to_have_text(re.compile("^[1-4]$"))
        guest.chip("100")
        guest.spot("player").click()
        expect(guest.find(f"{LIES}, .phase strong:not([data-phase=betting])").first).to_be_visible()
    guest.lies("player", "100")


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_one_click_to_a_result(hall: Hall, phone: bool) -> None:
    table = hall.open(f"virtual-{'phone' if phone else 'desktop'}", source="virtual", pace=PACE)
    guest = hall.visitor(phone=phone, reduced_motion="reduce" if phone else "no-preference")
    guest.go("/")
    tile = guest.find("li.panel", has=guest.page.get_by_text(table, exact=True))
    tile.get_by_role("button", name="Play as guest").click()
    expect(guest.balance()).to_have_text("10,000.00")
    expect(guest.find("[data-box='1']")).to_have_class(re.compile(r"\bmine\b"))
    bet_on_player(guest)
    # No further round: a slow machine has all the time it needs to read the result.
    hall.person("pit-supervisor").must(table, {"do": "start-duty"}, {"do": "announce-closing", "rounds": 0})
    guest.phase("Round settled")
    expect(guest.find(".verdict b")).to_be_visible()
    net = guest.find(".verdict b").inner_text().replace("−", "-")
    shown = guest.balance().inner_text().replace(",", "")
    assert float(shown) == 10_000 + float(net)
    assert guest.cents(table) == round(float(shown) * 100)
    if phone:
        moving = guest.page.evaluate(MOVING)
        assert moving == 0
    assert not guest.errors


def test_the_chip_in_hand_is_enough_for_a_main_bet(hall: Hall) -> None:
    """A side bet takes less than the table's minimum: the tray has a chip for it, but another is chosen at first."""
    limits = {"minimum": "25.00", "maximum": "500.00", "maximum_differential": "1000.00"}
    table = hall.open("first-chip", ("dealer",), shoe=True, limits=limits | {"bets": {"tie": {"minimum": "5.00"}}})
    hall.person("dealer").must(table, {"do": "open-betting"})
    ann = hall.guest()
    ann.sit(table, 1).go(f"/tables/{table}")
    expect(ann.page.get_by_role("radio").first).to_have_accessible_name("Chip of 5")
    ann.spot("player").click()
    ann.lies("player", "25")
