"""Cards that lie face down: the patron who squeezes one peels it from any side, alone sees it, and shows it to all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visitors import Hall, Visitor

CARD = re.compile(r"[2-9TJQKA][SHDC]")
PACE: Final = {"betting": 6, "insurance": 1, "card": 0.5, "result": 60, "options": 1, "squeeze": 600}
SIDES: Final = {
    "bottom edge": (0.5, 0.99, 0.5, 0.5),
    "left edge": (0.01, 0.5, 0.5, 0.5),
    "upper right corner": (0.99, 0.01, 0.6, 0.4),
    "lower right corner": (0.99, 0.99, 0.6, 0.6),
}
"""Where the card is taken and where it is drawn to, as fractions of its size."""


def cards_in(frame: Any) -> Iterator[str]:
    """Every string in a frame that is a card."""
    if isinstance(frame, str) and CARD.fullmatch(frame):
        yield frame
    for part in frame.values() if isinstance(frame, dict) else frame if isinstance(frame, list) else ():
        yield from cards_in(part)


def heard(visitor: Visitor) -> set[str]:
    """The cards in all frames since betting was opened last. On a slow machine a round may have passed without bets."""
    opened = [number for number, frame in enumerate(visitor.frames) if "betting-opened" in str(frame)]
    return {card for frame in visitor.frames[max(opened, default=0) :] for card in cards_in(frame)}


def squeezing(hall: Hall, name: str, **options: Any) -> tuple[Visitor, Visitor, str]:
    """ann squeezes the Banker's cards, and bob looks on."""
    for number in range(10):
        # Each further table leaves more time to come, to bet and to ask.
        pace = {**PACE, **{part: PACE[part] * (1 + number) for part in ("betting", "card")}}
        table = hall.open(f"{name}-{number}", source="virtual", facing="down", pace=pace)
        ann, bob = hall.guest(**options), hall.guest()
        bob.sit(table, 2).go(f"/tables/{table}")
        ann.sit(table, 1).go(f"/tables/{table}")
        ann.button("Ask to squeeze").click()
        ann.chip("100")
        ann.spot("banker").click()
        expect(ann.find("header .phase strong")).not_to_have_text("Place your Bets, please")
        # If the bet or the request came too late, another table is tried.
        expect(ann.find(".stage, .verdict:not(.none)").first).to_be_visible()
        if ann.find(".stage").count():
            return ann, bob, table
    raise AssertionError("nobody came to squeeze")


def held(ann: Visitor) -> Locator:
    return ann.find(".stage button.squeeze")


def spots(ann: Visitor, side: str) -> tuple[float, float, float, float]:
    box = held(ann).bounding_box()
    assert box is not None
    x, y, to_x, to_y = SIDES[side]
    wide, high = box["width"], box["height"]
    return box["x"] + x * wide, box["y"] + y * high, box["x"] + to_x * wide, box["y"] + to_y * high


def peeled(ann: Visitor, side: str) -> None:
    """Peel the card with the mouse and hold it."""
    x, y, to_x, to_y = spots(ann, side)
    mouse = ann.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(to_x, to_y, steps=4)
    expect(ann.find(".stage .flap")).to_be_visible()


def test_a_card_is_squeezed(hall: Hall) -> None:
    ann, bob, table = squeezing(hall, "squeezed")
    expect(ann.find(".hand.player .card .face")).to_have_count(2)
    expect(ann.find(".stage [role=timer]")).to_be_visible()
    seen = ann.api(f"/api/tables/{table}")["view"]
    faces = seen["squeezed_faces"]
    assert faces.keys() == {"B1", "B2"}
    assert (seen["cards"]["B1"], seen["cards"]["B2"]) == (None, None)
    open_now = {card for card in seen["cards"].values() if card}
    for side in SIDES:
        peeled(ann, side)
        # The rank in a corner is seen when that corner is lifted, not along an edge or at a corner that has none.
        assert ann.find(".stage .flap text.rank").count() == (1 if side == "upper right corner" else 0), side
        ann.page.mouse.up()
        expect(ann.find(".stage .flap")).to_have_count(0)
    assert ann.api(f"/api/tables/{table}")["view"]["cards"] == seen["cards"], "let go early it falls back"
    assert heard(bob) <= open_now
    ann.button("Card 2").click()
    ann.button("Card 1").click()
    x, y, *_ = spots(ann, "bottom edge")
    ann.page.mouse.move(x, y)
    ann.page.mouse.down()
    ann.page.mouse.move(x, y - 900, steps=6)
    ann.page.mouse.up()
    expect(ann.find(".hand.banker .card .face")).to_have_count(1)
    expect(bob.find(".hand.banker .card .face")).to_have_count(1)
    assert bob.api(f"/api/tables/{table}")["view"]["cards"]["B1"] == faces["B1"]
    if faces["B2"] not in open_now | {faces["B1"]}:
        assert faces["B2"] not in heard(bob)
    keys(ann)
    expect(bob.find(".hand.banker .card .face")).to_have_count(2)
    # If the Banker draws, the third card lies sideways, also while it is squeezed.
    expect(ann.find(".stage button.sideways, .verdict:not(.none)").first).to_be_visible()
    if ann.find(".stage button.sideways").count():
        box = held(ann).bounding_box()
        assert box is not None
        assert box["width"] > box["height"]
        keys(ann)
        expect(bob.find(".hand.banker .card .face")).to_have_count(3)
    assert not ann.errors
    assert not ann.violations()


def keys(ann: Visitor) -> None:
    """Keys peel every edge and corner. The opposite arrow or Escape lays the card back; Enter turns it."""
    expect(held(ann)).to_be_focused()
    flap = ann.find(".stage .flap")
    for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"):
        ann.keys(key, key, key)
        expect(flap).to_be_visible()
        ann.keys("Escape")
        expect(flap).to_have_count(0)
    ann.keys("ArrowUp")
    expect(flap).to_be_visible()
    ann.keys("ArrowDown")
    expect(flap).to_have_count(0)
    ann.keys("Enter")


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_a_finger_squeezes_on_a_phone(hall: Hall, size: tuple[int, int]) -> None:
    """Touch peels as the mouse does; the card is large and nothing of the stage is out of sight."""
    ann, bob, _ = squeezing(hall, f"finger-{size[0]}", phone=True, viewport={"width": size[0], "height": size[1]})
    stage, card = ann.find(".stage").bounding_box(), held(ann).bounding_box()
    assert stage is not None
    assert card is not None
    assert card["height"] >= min(200, size[1] / 2)
    assert stage["y"] + stage["height"] <= size[1]
    x, y, to_x, to_y = spots(ann, "left edge")
    touch = ann.context.new_cdp_session(ann.page)

    def finger(kind: str, *points: tuple[float, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]})

    finger("touchStart", (x, y))
    for part in (0.25, 0.5, 0.75, 1):
        finger("touchMove", (x + (to_x - x) * part, y + (to_y - y) * part))
    expect(ann.find(".stage .flap")).to_be_visible()
    for part in (1.5, 2, 2.4):
        finger("touchMove", (x + (to_x - x) * part, y))
    finger("touchEnd")
    expect(bob.find(".hand.banker .card .face")).to_have_count(1)
    assert not ann.errors


def test_without_motion_the_card_is_simply_turned(hall: Hall) -> None:
    ann, bob, _ = squeezing(hall, "calm", reduced_motion="reduce")
    expect(ann.find(".stage")).to_contain_text("Press the card to turn it for all.")
    held(ann).click()
    expect(bob.find(".hand.banker .card .face")).to_have_count(1)
    assert not ann.errors
