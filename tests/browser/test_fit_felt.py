"""The felt fits in every state of a round: fullest layouts, low screens, narrow desktops, letters twice as large."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

import punto
from tests.browser.measures import (
    COVERED,
    CUT_TEXT,
    MOST_SHIFT,
    OUT_OF_PANEL,
    OUT_OF_REACH,
    OUT_OF_SIGHT,
    OVER_ANOTHER,
    SMALL_TARGETS,
    SMALLEST_CARD,
    SMALLEST_TARGET,
    TWICE,
    chips_on,
    fits,
    none,
    well,
)
from tests.browser.playing import drawn, played
from tests.browser.visitors import DESKTOP, PHONE, Hall, Visitor
from tests.every import of_every

FULLEST = [("tiger-buffalo-commission/2025-11-21", "K"), ("live-baccarat-insurance-commission/undated", "live")]
SIDEWAYS = {"width": 844, "height": 390}
LOW = [(390, 664), (375, 667), (360, 640), (844, 390), (640, 360), (1280, 720)]
TO_THE_TOP = "document.querySelector('.lay').scrollTo(0, 0)"


@pytest.fixture
def players(hall: Hall) -> tuple[Visitor, Visitor]:
    """ann at a desktop in light, bob with a phone in dark. Motion is off, so nothing is caught halfway."""
    return hall.guest(color_scheme="light", reduced_motion="reduce"), hall.guest(phone=True, reduced_motion="reduce")


def test_a_round_in_every_state(hall: Hall, players: tuple[Visitor, Visitor]) -> None:
    table = hall.open("states", ("dealer", "pit-supervisor"), shoe=True)
    ann, bob = players
    dealer = hall.person("dealer")
    ann.sit(table, 1).go(f"/tables/{table}")
    bob.sit(table, 2).go(f"/tables/{table}")
    dealer.must(table, {"do": "open-betting"})
    for player in players:
        player.phase("Place your Bets, please")
        player.chip("25")
        chips_on(player, player.find("[data-bet]"))
        none(player.page.evaluate(CUT_TEXT))
        well(player, one_screen=player is ann)
    dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C"))
    for player in players:
        expect(player.find(".strip")).to_be_visible()
        well(player, one_screen=player is ann)
        player.find(".strip").get_by_role("button", name="No insurance").click()
        expect(player.find(".strip")).to_have_count(0)
    dealer.must(table, *drawn("4H"), {"do": "settle"})
    for player in players:
        player.phase("Round settled")
        well(player, one_screen=player is ann)
    dealer.must(table, {"do": "open-betting"})
    for player in players:
        player.phase("Place your Bets, please")
        player.button("Repeat").click()
        expect(player.find(".stack:not(.waiting)")).to_have_count(player.find("[data-bet]").count())
    dealer.must(table, {"do": "close-betting"}, *drawn("KD"))
    dealer.must(table, {"do": "report-irregularity", "kind": "excess-card", "cards": ["2H"]})
    for player in players:
        expect(player.find(".trouble")).to_be_visible()
        well(player, one_screen=player is ann)
    hall.person("pit-supervisor").must(table, {"do": "decide-irregularity", "reason": "as the camera shows"})
    for player in players:
        player.phase("Your choice, please")
        well(player, one_screen=player is ann)
        assert player.shifted() < MOST_SHIFT, player.name


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize(("edition", "layout"), FULLEST, ids=["most-boxes", "most-bets"])
def test_the_fullest_felts(hall: Hall, edition: str, layout: str, phone: bool) -> None:
    """A chip on every bet of the layouts with the most boxes and the most bets: no sum and no name is cut off. With
    letters twice as large no button is either, and no part of the top bar lies over another."""
    table = f"full-{layout.lower()}-{phone}".lower()
    boxes = punto.edition(edition).layouts[layout].positions[1]
    hall.open(table, ("dealer",), shoe=True, edition=edition, layout=layout, positions=boxes)
    hall.person("dealer").must(table, {"do": "open-betting"})
    ann = hall.guest(phone=phone, reduced_motion="reduce", locale="zh-HK" if phone else "en-GB")
    ann.sit(table, boxes).go(f"/tables/{table}")
    bets = ann.find("[data-bet]")
    chips_on(ann, bets)
    expect(ann.find(f"[data-box='{boxes}']")).to_be_in_viewport(ratio=0.99)
    none(ann.page.evaluate(CUT_TEXT))
    fits(ann, one_screen=not phone)
    assert ann.shifted() < MOST_SHIFT
    stacks = bets.count()
    if phone:
        ann.page.evaluate("localStorage.setItem('punto.language', 'en')")
        ann.page.reload()
    expect(ann.find("html[lang=en] .stack:not(.waiting)")).to_have_count(stacks)
    ann.page.evaluate(TWICE)

    @of_every([PHONE, SIDEWAYS] if phone else [DESKTOP])
    def in_letters_twice_as_large(size: Any) -> None:
        ann.page.set_viewport_size(size)
        none(ann.page.evaluate(CUT_TEXT))
        none(ann.page.evaluate(OVER_ANOTHER))
        fits(ann)
        assert ann.page.evaluate("innerWidth") == size["width"]

    in_letters_twice_as_large()


@pytest.mark.parametrize("sizes", [LOW[:-1], LOW[-1:]], ids=["phone", "desktop"])
def test_low_screens(hall: Hall, sizes: list[tuple[int, int]]) -> None:
    """A chip on every bet but Banker of the fullest layout, then an offer of insurance, then an irregularity. A thumb
    reaches everything on one screen, and neither the strip nor the amber bar hides the cards and points."""
    table, phone = f"low-{sizes[0][0]}", sizes[0][0] < 900
    hall.open(table, ("dealer",), shoe=True, edition=FULLEST[1][0], layout=FULLEST[1][1], positions=7)
    dealer = hall.person("dealer")
    dealer.must(table, {"do": "open-betting"})
    ann = hall.guest(phone=phone, reduced_motion="reduce")
    ann.sit(table, 7).go(f"/tables/{table}")
    # Whoever bets on both hands is offered no insurance.
    bets = "[data-bet]:not([data-bet=banker])"
    chips_on(ann, ann.find(bets))

    def resize(size: tuple[int, int]) -> None:
        ann.page.set_viewport_size({"width": size[0], "height": size[1]})
        ann.page.evaluate(TO_THE_TOP)

    @of_every(sizes)
    def the_chips(size: tuple[int, int]) -> None:
        resize(size)
        none(ann.page.evaluate(CUT_TEXT))
        none(ann.page.evaluate(OUT_OF_SIGHT, "[data-box], .tray button, .thumb button"))
        none(ann.page.evaluate(OUT_OF_REACH, [bets, SMALLEST_TARGET]))
        fits(ann, one_screen=True)
        if phone:
            none(ann.page.evaluate(SMALL_TARGETS, SMALLEST_TARGET))

    @of_every(sizes)
    def the_strip(size: tuple[int, int]) -> None:
        resize(size)
        none(ann.page.evaluate(COVERED, [".strip", ".hand .card, .points, .mains .sum"]))
        none(ann.page.evaluate(OUT_OF_SIGHT, ".strip, .strip button"))
        well(ann, one_screen=True)

    @of_every(sizes)
    def the_bar(size: tuple[int, int]) -> None:
        resize(size)
        none(ann.page.evaluate(COVERED, [".trouble", ".hand .card, .points"]))
        none(ann.page.evaluate(OUT_OF_SIGHT, ".trouble"))
        well(ann, one_screen=True)

    the_chips()
    dealer.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C"))
    expect(ann.find(".strip")).to_be_visible()
    the_strip()
    dealer.must(table, {"do": "report-irregularity", "kind": "discretion"})
    expect(ann.find(".trouble")).to_be_visible()
    the_bar()


@pytest.mark.parametrize("width", [1024, 920])
def test_cards_on_a_narrow_desktop(hall: Hall, width: int) -> None:
    """Three cards a hand beside the roads: none is smaller than on a phone, and the roads are whole."""
    table = hall.open(f"cards-{width}", ("dealer",), shoe=True)
    played(hall, table, 30, 7)
    hall.person("dealer").must(
        table, {"do": "open-betting"}, {"do": "close-betting"}, *drawn("KH", "2S", "3D", "3C", "4H", "2C")
    )
    ann = hall.guest(viewport={"width": width, "height": 768}, reduced_motion="reduce")
    ann.go(f"/tables/{table}")
    expect(ann.find(".hands .slot [role=img]")).to_have_count(6)
    widths = ann.find(".hands .slot").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().width)")
    assert min(widths) >= SMALLEST_CARD
    none(ann.page.evaluate(OUT_OF_PANEL))
    well(ann, one_screen=True)
