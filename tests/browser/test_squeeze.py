"""Cards that lie face down: the patron who may squeeze turns one by dragging, and its face was nowhere before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import expect

from tests.browser.visitors import Hall

CARD = re.compile(r"[2-9TJQKA][SHDC]")
PACE = {"betting": 4, "insurance": 1, "card": 0.1, "result": 20, "options": 1, "squeeze": 30}


def cards_in(told: Any) -> Iterator[str]:
    """Every string in a frame that is a card."""
    if isinstance(told, str) and CARD.fullmatch(told):
        yield told
    for one in told.values() if isinstance(told, dict) else told if isinstance(told, list) else ():
        yield from cards_in(one)


def test_a_card_is_squeezed(hall: Hall) -> None:
    table = hall.open("squeezed", source="virtual", facing="down", pace=PACE)
    ann = hall.guest()
    answers: list[Any] = []
    ann.page.on("response", lambda one: answers.append(one) if f"/api/tables/{table}" in one.url else None)
    ann.sit(table, 1).go(f"/tables/{table}")
    ann.phase("Place your Bets, please")
    ann.button("Ask to squeeze").click()
    ann.chip("100")
    ann.spot("banker").click()
    ann.lies("banker", "100")
    handle = ann.find(".slot button.squeeze")
    expect(handle.first).to_be_visible()
    # The Player's cards are turned by the house; then only what ann may turn lies face down.
    expect(ann.find(".hand.player .card .face")).to_have_count(2)
    expect(handle).to_have_count(2)
    view = ann.api(f"/api/tables/{table}")["view"]
    assert view["cards"]["B1"] is None
    open_now = {card for card in view["cards"].values() if card}
    assert {card for frame in ann.frames for card in cards_in(frame)} <= open_now
    assert {card for one in answers for card in cards_in(one.json())} <= open_now

    place = handle.first.bounding_box()
    assert place is not None
    x, y, tall = place["x"] + place["width"] / 2, place["y"] + place["height"] - 6, place["height"]
    ann.page.mouse.move(x, y)
    ann.page.mouse.down()
    ann.page.mouse.move(x, y - tall * 0.3, steps=3)
    expect(ann.find(".slot .flap")).to_be_visible()
    assert {card for frame in ann.frames for card in cards_in(frame)} <= open_now
    # Let go too early: it falls back, and nothing was asked of the house.
    ann.page.mouse.up()
    expect(ann.find(".slot .flap")).to_have_count(0)
    assert ann.api(f"/api/tables/{table}")["view"]["cards"] == view["cards"]
    ann.page.mouse.move(x, y)
    ann.page.mouse.down()
    ann.page.mouse.move(x, y - tall * 1.2, steps=6)
    ann.page.mouse.up()
    expect(handle).to_have_count(1)
    expect(ann.find(".hand.banker .card .face")).to_have_count(1)
    known = ann.api(f"/api/tables/{table}")["view"]["cards"]
    assert known["B2"] is None
    told = {card for frame in ann.frames for card in cards_in(frame)}
    assert {known["B1"]} <= told <= {card for card in known.values() if card}
    handle.focus()
    ann.keys("Enter")
    expect(ann.find(".hand.banker .card .face")).to_have_count(2)
    assert not ann.errors
