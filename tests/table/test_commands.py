"""Given a table, when a command, then events or a refusal: the cases that transcripts don't show well.

A row is read as: the commands before, the command, what follows. Amounts and codes are exact.
"""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec
import pytest

from punto.game import notation
from punto.game.audience import Audience, view
from punto.game.decide import apply
from punto.game.events import AnyEvent
from punto.game.insurance_offers import unanswered
from punto.game.moves import held_by_round
from punto.game.refusals import Refusal
from punto.game.table import NEW, Table, conserved
from punto.rulebook.model import Rulebook
from tests.transcripts.reading import rulebook

C24: Final = "tiger-buffalo-commission/2024-05-14"
C25: Final = "tiger-buffalo-commission/2025-11-21"
N25: Final = "tiger-buffalo-non-commission/2025-11-21"
LIVE: Final = "live-baccarat-insurance-commission/undated"

Command = dict[str, Any]
LIMITS: Final = {"minimum": "50.00", "maximum_differential": "1000.00"}


# Commands in short


def bet(patron: str, box: int, name: str, stake: str, **more: Any) -> Command:
    return {"do": "place-wager", "patron": patron, "box": box, "bet": name, "stake": stake, **more}


def more_on(patron: str, box: int, name: str, stake: str) -> Command:
    return {**bet(patron, box, name, stake), "do": "raise-wager"}


def less_on(patron: str, box: int, name: str, stake: str) -> Command:
    return {**bet(patron, box, name, stake), "do": "lower-wager"}


def withdraw(patron: str, box: int, name: str) -> Command:
    return {"do": "withdraw-wager", "patron": patron, "box": box, "bet": name}


def report(patron: str, box: int, name: str, stake: str) -> Command:
    return {**bet(patron, box, name, stake), "do": "report-chips", "by": "dora"}


def insure(patron: str, hand: str, stake: str) -> Command:
    return {"do": "take-insurance", "patron": patron, "bet": f"{hand}_insurance", "stake": stake}


def by_dora(do: str, **more: Any) -> Command:
    return {"do": do, "by": "dora", **more}


def deal(cards: str) -> list[Command]:
    return [by_dora("draw-card", card=face) for face in cards.split()]


BETS: Final = by_dora("open-betting")
CLOSE: Final = by_dora("close-betting")
DRAW: Final = by_dora("draw-card")
SETTLE: Final = by_dora("settle")


# Given, when, then


class Scene(msgspec.Struct):
    """A table under an edition. sam supervises, dora deals; ann sits at box 1, cat at box 2, ben and dee stand."""

    rules: Rulebook
    table: Table

    def when(self, command: Command) -> tuple[AnyEvent, ...] | Refusal:
        before = self.table
        self.table, answer = apply(self.rules, before, notation.command(json.dumps(command).encode()))
        assert conserved(self.table)
        if isinstance(answer, Refusal):
            assert self.table is before
            assert answer.paragraph is None or self.rules.knows(answer.paragraph)
        return answer

    def and_then(self, *commands: Command) -> Scene:
        for command in commands:
            answer = self.when(command)
            assert not isinstance(answer, Refusal), (command, answer)
        return self


def init_scene(*commands: Command, edition: str = C25, shoe: Command | None = None, **settings: Any) -> Scene:
    live = edition == LIVE
    opening = {"do": "open-table", "by": "sam", "table": "T1", "edition": edition, "limits": LIMITS, "positions": 6}
    opening |= {"layout": "live" if live else "A", **settings}
    people: list[Command] = [
        {"do": "join", "patron": name, "chips": "10000.00"} for name in ("ann", "cat", "ben", "dee")
    ]
    people += [{"do": "sit", "patron": name, "box": box} for name, box in (("ann", 1), ("cat", 2))]
    decks = settings.get("decks", 8)
    load = shoe or by_dora("load-shoe", count=decks * 52, shuffled=True)
    start: list[Command] = [opening, {"do": "start-duty", "name": "dora", "rank": "dealer"}, load]
    burn = [by_dora("burn", card="AS")] if live and shoe is None else []
    return Scene(rulebook(edition), NEW).and_then(*start, *burn, *people, *commands)


SHOWN: Final = (
    "patron",
    "box",
    "place",
    "card",
    "bound",
    "stake",
    "in_play",
    "after",
    "odds",
    "maximum",
    "skipped",
    "hand",
)


def said(answer: tuple[AnyEvent, ...] | Refusal) -> list[str] | str:
    """An answer in short: a refusal's code, or one line for each event."""
    if isinstance(answer, Refusal):
        return answer.code
    lines = []
    for event in answer:
        fields = notation.plain(event)
        lines.append(" ".join([fields["event"], *(str(fields[key]) for key in SHOWN if fields.get(key) is not None)]))
    return lines


def limits(**more: Any) -> dict[str, Any]:
    return {**LIMITS, **more}


# Wagers and limits while betting is open: D1 to D3, D5

WAGERS: Final[dict[str, tuple[list[Command], Command, dict[str, Any], list[str] | str]]] = {
    "a minimum binds each wager, not the box": (
        [bet("ann", 1, "player", "100.00")],
        bet("ben", 1, "player", "49.99"),
        LIMITS,
        ["wager-placed ben 1 49.99", "minimum-noticed ben"],
    ),
    "a side bet without a minimum of its own takes a cent": (
        [],
        bet("ann", 1, "tie", "0.01"),
        LIMITS,
        ["wager-placed ann 1 0.01"],
    ),
    "a side bet's own minimum": (
        [],
        bet("ann", 1, "tie", "4.99"),
        limits(bets={"tie": {"minimum": "5.00"}}),
        ["wager-placed ann 1 4.99", "minimum-noticed ann"],
    ),
    "a maximum binds all wagers of the box on the bet": (
        [bet("ben", 1, "player", "400.00")],
        bet("dee", 1, "player", "200.00"),
        limits(maximum="500.00"),
        ["wager-placed dee 1 100.00", "excess-rejected dee 1 maximum 100.00"],
    ),
    "the same bet in another box has its own room": (
        [bet("ben", 1, "player", "500.00")],
        bet("dee", 2, "player", "500.00"),
        limits(maximum="500.00"),
        ["wager-placed dee 2 500.00"],
    ),
    "a seated patron makes room under a maximum too": (
        [bet("ben", 1, "player", "400.00")],
        bet("ann", 1, "player", "300.00"),
        limits(maximum="500.00"),
        ["wager-cut ben 200.00", "wager-placed ann 1 300.00"],
    ),
    "a standing patron never does": (
        [bet("ben", 1, "player", "500.00")],
        bet("dee", 1, "player", "100.00"),
        limits(maximum="500.00"),
        "over-maximum",
    ),
    "at another's box a seated patron stands (W8)": (
        [bet("cat", 1, "banker", "1000.00")],
        bet("ann", 1, "banker", "400.00"),
        LIMITS,
        ["wager-cut cat 400.00", "wager-placed ann 1 400.00"],
    ),
    "a seated patron pushes out no more than there is": (
        [bet("ben", 1, "banker", "200.00")],
        bet("ann", 1, "banker", "1500.00"),
        LIMITS,
        ["wager-cut ben 200.00", "wager-placed ann 1 1000.00", "excess-rejected ann 1 differential 500.00"],
    ),
    "the other side gives room": (
        [bet("ann", 1, "banker", "1000.00"), bet("ben", 1, "player", "500.00")],
        more_on("ann", 1, "banker", "500.01"),
        LIMITS,
        ["wager-raised ann 500.00", "excess-rejected ann 1 differential 0.01"],
    ),
    "a fitting part may be small if the wager is not": (
        [bet("ann", 1, "banker", "980.00")],
        more_on("ann", 1, "banker", "100.00"),
        LIMITS,
        ["wager-raised ann 20.00", "excess-rejected ann 1 differential 80.00"],
    ),
    "a fitting part under the minimum is refused whole": (
        [bet("ann", 1, "banker", "951.00")],
        bet("ben", 1, "banker", "100.00"),
        LIMITS,
        "over-differential",
    ),
    "side bets are not in the Differential (W7)": (
        [bet("ann", 1, "banker", "1000.00")],
        bet("ann", 1, "tie", "5000.00"),
        LIMITS,
        ["wager-placed ann 1 5000.00"],
    ),
    "the table's Differential counts all boxes": (
        [bet("ann", 1, "banker", "700.00")],
        bet("cat", 2, "banker", "700.00"),
        limits(scope="box-and-table"),
        ["wager-placed cat 2 300.00", "excess-rejected cat 2 table differential 400.00"],
    ),
    "the other side at another box gives room at the table, not in the box": (
        [bet("ann", 1, "player", "800.00")],
        bet("cat", 2, "banker", "1500.00"),
        limits(scope="box-and-table"),
        ["wager-placed cat 2 1000.00", "excess-rejected cat 2 differential 500.00"],
    ),
    "lowering one side cuts the other": (
        [bet("ann", 1, "player", "500.00"), bet("ben", 1, "banker", "1500.00")],
        less_on("ann", 1, "player", "100.00"),
        LIMITS,
        ["wager-lowered ann 100.00", "wager-cut ben 100.00"],
    ),
    "standing wagers are cut before a seated one": (
        [bet("dee", 1, "player", "500.00"), bet("ben", 1, "banker", "500.00"), bet("ann", 1, "banker", "1000.00")],
        withdraw("dee", 1, "player"),
        LIMITS,
        ["wager-withdrawn dee 500.00", "wager-cut ben 500.00"],
    ),
    "a seated one is cut when no standing one is left": (
        [bet("dee", 1, "player", "500.00"), bet("ann", 1, "banker", "1500.00")],
        withdraw("dee", 1, "player"),
        LIMITS,
        ["wager-withdrawn dee 500.00", "wager-cut ann 500.00"],
    ),
    "a wager that goes back whole leaves no excess behind": (
        [
            bet("ann", 1, "banker", "500.00"),
            bet("dee", 1, "player", "850.00"),
            bet("ben", 1, "player", "150.00"),
            more_on("ann", 1, "banker", "1000.00"),
        ],
        bet("ann", 1, "player", "120.00"),
        limits(maximum_differential="500.00", bets={"player": {"maximum": "1000.00"}}),
        ["wager-cut ben 150.00", "wager-placed ann 1 120.00", "wager-cut ann 30.00"],
    ),
    "lowering under the minimum is allowed and noticed": (
        [bet("ann", 1, "player", "100.00")],
        less_on("ann", 1, "player", "50.01"),
        LIMITS,
        ["wager-lowered ann 50.01", "minimum-noticed ann"],
    ),
    "a noticed wager goes back at the close, with the excess that leaves": (
        [
            bet("ann", 1, "player", "60.00"),
            bet("ben", 1, "banker", "1060.00"),
            bet("dee", 1, "player", "1.00"),
            more_on("ben", 1, "banker", "1.00"),
        ],
        CLOSE,
        LIMITS,
        ["wager-returned dee 1.00", "wager-cut ben 1.00", "betting-closed"],
    ),
    "raised in time it stays": (
        [bet("ann", 1, "player", "20.00"), more_on("ann", 1, "player", "30.00")],
        CLOSE,
        LIMITS,
        ["betting-closed"],
    ),
}


@pytest.mark.parametrize(("before", "command", "bounds", "then"), WAGERS.values(), ids=WAGERS)
def test_wagers(before: list[Command], command: Command, bounds: dict[str, Any], then: list[str] | str) -> None:
    assert said(init_scene(BETS, *before, limits=bounds).when(command)) == then


# Chips found after the close: D4

LATE: Final[dict[str, tuple[list[Command], Command, dict[str, Any], dict[str, str] | None]]] = {
    "what fits is in play in full": ([], report("ben", 1, "banker", "1000.00"), LIMITS, None),
    "the lighter side gives room": (
        [bet("ann", 1, "player", "400.00"), bet("ben", 1, "banker", "1000.00")],
        report("dee", 1, "banker", "1000.00"),
        LIMITS,
        {"w1": "400.00", "w2": "700.00", "w3": "700.00"},
    ),
    "an odd cent goes to the earlier of equals": (
        [bet("ann", 1, "banker", "900.00")],
        report("ben", 1, "banker", "900.00"),
        limits(maximum_differential="1000.01"),
        {"w1": "500.01", "w2": "500.00"},
    ),
    "minimums alone may exceed the room": (
        [bet("ann", 1, "banker", "100.00")],
        report("ben", 1, "banker", "60.00"),
        limits(maximum_differential="99.00", minimum="55.00"),
        {"w1": "55.00", "w2": "55.00"},
    ),
    "found chips can be the lighter side": (
        [bet("ann", 1, "banker", "1000.00")],
        report("ben", 1, "player", "300.00"),
        LIMITS,
        None,
    ),
    "maximum and Differential together": (
        [bet("dee", 1, "player", "100.00"), bet("ann", 1, "banker", "900.00")],
        report("ben", 1, "banker", "900.00"),
        limits(maximum="950.00", maximum_differential="800.00"),
        {"w1": "100.00", "w2": "450.00", "w3": "450.00"},
    ),
}


@pytest.mark.parametrize(("before", "command", "bounds", "in_play"), LATE.values(), ids=LATE)
def test_chips_found_late(
    before: list[Command], command: Command, bounds: dict[str, Any], in_play: dict[str, str] | None
) -> None:
    scene = init_scene(BETS, *before, CLOSE, limits=bounds)
    answer = scene.when(command)
    assert not isinstance(answer, Refusal)
    shared = [notation.plain(event)["in_play"] for event in answer if "in_play" in notation.plain(event)]
    assert shared == ([in_play] if in_play is not None else [])
    assert all(laid.in_play_cents <= laid.stake_cents for laid in scene.table.current.wagers.values())


def test_chips_found_late_need_an_occupied_box_a_bet_and_chips() -> None:
    scene = init_scene(BETS, CLOSE)
    assert said(scene.when(report("ben", 3, "player", "100.00"))) == "box-empty"
    assert said(scene.when(report("ben", 1, "tiger_tie", "100.00"))) == "bet-not-on-layout"
    assert said(scene.when(report("ben", 1, "player", "10000.01"))) == "not-enough-chips"
    assert said(scene.when(report("eve", 1, "player", "100.00"))) == "unknown-patron"


# Dealing: the Table of Play says which place is next

DEALT: Final = {
    "": "P1",
    "KH": "B1",
    "KH KS": "P2",
    "KH KS 5D": "B2",
    "KH KS 5D 5C": "P3",
    "KH KS 6D 5C": "B3",
    "KH KS 7D 6C": None,
    "KH KS 8D 5C": None,
    "KH KS 5D 9C": None,
    "KH KS 5D 3C 8H": None,
    "KH KS 5D 3C 9H": "B3",
    "KH KS 5D 4C AH": None,
    "KH KS 5D 4C 2H": "B3",
    "KH KS 5D 5C 3H": None,
    "KH KS 5D 5C 4H": "B3",
    "KH KS 5D 6C 5H": None,
    "KH KS 5D 6C 6H": "B3",
    "KH KS 5D 7C 6H": None,
    "KH KS 5D 2C 8H": "B3",
    "KH KS 5D 2C 8H KD": None,
}


@pytest.mark.parametrize("edition", [C24, N25, LIVE])
@pytest.mark.parametrize(("cards", "place"), DEALT.items(), ids=lambda value: str(value or "none"))
def test_the_next_card_goes_where_the_table_of_play_says(edition: str, cards: str, place: str | None) -> None:
    scene = init_scene(BETS, CLOSE, *deal(cards), edition=edition)
    assert view(scene.rules, scene.table, Audience.DEALER).next_place == place
    answer = scene.when(by_dora("draw-card", card="10d"))
    if place is None:
        assert said(answer) == "table-of-play"
    else:
        assert not isinstance(answer, Refusal)
        assert said(answer[:1]) == [f"card-drawn {place} TD"]


def test_i4_a_card_that_waits_is_entered_like_any_other() -> None:
    drawn = by_dora("report-irregularity", kind="excess-card", cards=["10H"])
    scene = init_scene(drawn, {"do": "decide-irregularity", "by": "sam", "reason": "as seen"}, BETS, CLOSE)
    assert said(scene.when(by_dora("draw-card", card="9H"))) == "bad-card"
    assert said(scene.when(by_dora("draw-card", card="10h"))) == ["card-drawn P1 TH"]


# Offers: P2 to P4

OFFERS: Final[dict[str, tuple[str, str, str | None]]] = {
    "Player 7, Banker 5": ("player", "KH KS 7D 5C", "four-cards 4 {'ann': '100.00'}"),
    "Player 6, Banker 0": ("player", "KH KS 6D KC", "four-cards 5/2 {'ann': '100.00'}"),
    "Player 6, Banker 6: nobody draws": ("player", "KH KS 6D 6C", None),
    "Player 5, Banker 4": ("player", "KH KS 5D 4C", "four-cards 3/2 {'ann': '100.00'}"),
    "Player 5, Banker 3: no row": ("player", "KH KS 5D 3C", None),
    "Player natural 8": ("player", "KH KS 8D 5C", None),
    "the wager is on the other hand": ("banker", "KH KS 7D 5C", None),
    "a side bet is no Original Bet (W7)": ("tie", "KH KS 7D 5C", None),
    "Banker 4, Player 3": ("banker", "KH KS 3D 4C", "four-cards 3/2 {'ann': '100.00'}"),
    "Banker 4, Player 4: no row": ("banker", "KH KS 4D 4C", None),
    "Banker 7, Player 5: Player draws": ("banker", "KH KS 5D 7C", "four-cards 4 {'ann': '100.00'}"),
    "Banker 7, Player 6: nobody draws": ("banker", "KH KS 6D 7C", None),
    "Player 7 on a third 6, Banker 6 draws": ("player", "KH KS AD 6C 6H", "player-third 4 {'ann': '100.00'}"),
    "Player 7 on a third 7, Banker 6 draws": ("player", "KH KS KD 6C 7H", "player-third 4 {'ann': '100.00'}"),
    "Player 7 on a third 5, Banker 6 stands": ("player", "KH KS 2D 6C 5H", None),
    "Banker 1, Player 1": ("banker", "KH KS KD AC AH", "player-third 6 {'ann': '100.00'}"),
    "Banker 2, Player 1": ("banker", "KH KS KD 2C AH", "player-third 10 {'ann': '100.00'}"),
    "Banker 3, Player 2": ("banker", "KH KS KD 3C 2H", "player-third 4 {'ann': '100.00'}"),
    "Banker 4, Player 3 on a third 3": ("banker", "KH KS KD 4C 3H", "player-third 5/2 {'ann': '100.00'}"),
    "Banker 0, Player 0: no row": ("banker", "KH KS KD KC TH", None),
}


@pytest.mark.parametrize(("hand", "cards", "offer"), OFFERS.values(), ids=OFFERS)
def test_offers(hand: str, cards: str, offer: str | None) -> None:
    scene = init_scene(BETS, bet("ann", 1, hand, "100.00"), CLOSE)
    offers: list[str] = []
    for command in deal(cards):
        if offers:
            # Whoever lets the first offer pass has no second one (P6).
            scene.and_then(insure("ann", hand, "1.00"))
        offers = [line for line in said(scene.when(command)) if line.startswith("insurance-offered")]
    assert offers == ([f"insurance-offered {offer}"] if offer else [])


def test_an_offer_is_shown_with_its_points_and_odds() -> None:
    scene = init_scene(BETS, bet("ann", 1, "player", "100.00"), CLOSE, *deal("KH KS 7D 5C"))
    assert notation.plain(view(scene.rules, scene.table, Audience.PUBLIC).on_offer) == {
        "bet": "player_insurance",
        "after": "four-cards",
        "odds": "4",
        "player_points": 7,
        "banker_points": 5,
        "paragraph": "4.1.15",
    }
    (taken,) = scene.and_then(insure("ann", "player", "1.00")).table.current.insurance
    assert (taken.player_points, taken.banker_points, str(taken.odds), taken.paragraph) == (7, 5, "4", "4.1.15")


def test_the_original_bet_is_over_all_boxes_and_only_what_is_in_play() -> None:
    scene = init_scene(BETS, bet("ann", 1, "player", "900.00"), bet("ann", 2, "player", "300.00"), CLOSE)
    scene.and_then(report("ben", 1, "player", "900.00"), *deal("KH KS 7D 5C"))
    # Box 1 shares 1000 between 900 and 900; box 2 has 300 in full.
    offered = view(scene.rules, scene.table, Audience.PIT).may_insure_cents
    assert offered == {"ann": 80000, "ben": 50000}


def test_at_each_offer_the_room_is_new() -> None:
    scene = init_scene(BETS, bet("ann", 1, "banker", "100.00"), CLOSE, *deal("KH KS 3D 5C"))
    scene.and_then(insure("ann", "banker", "60.00"), insure("ann", "banker", "40.00"))
    assert said(scene.when(insure("ann", "banker", "0.01"))) == "insurance-over-limit"
    scene.and_then(*deal("7H"))
    assert said(scene.when(insure("ann", "banker", "100.00"))) == ["insurance-taken ann 100.00 player-third"]


def test_who_has_not_answered_an_offer() -> None:
    """P6: the deal waits for whoever has insurance on offer, is there, and has neither taken nor declined it."""
    names = ("ann", "cat", "ben", "dee")
    wagers = [bet(name, 1, "player", "100.00") for name in names]
    scene = init_scene(BETS, *wagers, CLOSE, *deal("KH KS 7D 5C"))
    assert unanswered(scene.table) == names
    scene.and_then(insure("cat", "player", "1.00"), {"do": "decline-insurance", "patron": "ben"})
    assert unanswered(scene.table) == ("ann", "dee")
    assert unanswered(scene.and_then({"do": "leave", "patron": "dee"}).table) == ("ann",)


def test_whose_chips_are_in_a_round_that_is_not_over() -> None:
    scene = init_scene(BETS, bet("ann", 1, "player", "100.00"), CLOSE, *deal("KH KS 8D 5C"))
    assert [name for name in scene.table.patrons if held_by_round(scene.table, name)] == ["ann"]
    scene.and_then(SETTLE)
    assert not any(held_by_round(scene.table, name) for name in scene.table.patrons)


@pytest.mark.parametrize(("maximum", "most"), [("400.00", "100.00"), (None, "200.00")])
def test_insurance_at_ten_to_one_is_a_quarter_of_the_maximum_or_of_the_differential(
    maximum: str | None, most: str
) -> None:
    """P4, 3.12.2. Player 5 against Banker 4, then 9 against 4."""
    bounds = limits(maximum=maximum, maximum_differential="800.00")
    scene = init_scene(BETS, bet("ann", 1, "player", "400.00"), CLOSE, *deal("KH KS 5D 4C"), limits=bounds)
    scene.and_then(insure("ann", "player", "400.00"), *deal("4H"))
    assert said(scene.when(insure("ann", "player", f"{float(most) + 0.01:.2f}"))) == "insurance-over-limit"
    assert said(scene.when(insure("ann", "player", most))) == [f"insurance-taken ann {most} player-third"]


LIVE_CAP: Final = {"KH KS 5D 4C": "66.66", "KH KS 6D 5C": "40.00", "KH KS 7D 5C": "25.00"}


@pytest.mark.parametrize(("cards", "most"), LIVE_CAP.items())
def test_live_winnings_stay_within_the_original_bet(cards: str, most: str) -> None:
    scene = init_scene(BETS, bet("ann", 1, "player", "100.00"), CLOSE, *deal(cards), edition=LIVE)
    over = f"{float(most) + 0.01:.2f}"
    assert said(scene.when(insure("ann", "player", over))) == "insurance-over-limit"
    assert said(scene.when(insure("ann", "player", most))) == [f"insurance-taken ann {most} four-cards"]
    assert said(scene.when(insure("ann", "player", "0.01"))) == "insurance-over-limit"


def test_who_joins_after_the_close_has_no_offer() -> None:
    scene = init_scene(BETS, bet("ann", 1, "player", "100.00"), CLOSE, *deal("KH KS 7D 5C"))
    scene.and_then({"do": "join", "patron": "eve", "chips": "100.00"})
    assert said(scene.when(insure("eve", "player", "10.00"))) == "no-original-bet"
    assert said(scene.when({"do": "decline-insurance", "patron": "eve"})) == "no-such-offer"


# Shoe


def virtual(top: str, decks: int = 8) -> Command:
    """A virtual shoe that begins with these cards; the rest as in new decks."""
    faces = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"] * decks
    for face in top.split():
        faces.remove(face)
    return by_dora("load-shoe", count=52 * decks, shuffled=True, order=[*top.split(), *faces])


BURNS: Final = {"AS": 1, "2H": 2, "9D": 9, "10C": 10, "JS": 10, "QH": 10, "KD": 10}


@pytest.mark.parametrize(("card", "skipped"), BURNS.items())
def test_a_new_live_shoe_skips_as_many_as_its_first_card_says(card: str, skipped: int) -> None:
    scene = init_scene(edition=LIVE, shoe=by_dora("load-shoe", count=416, shuffled=True))
    face = card.replace("10", "T")
    assert said(scene.when(by_dora("burn", card=card))) == [f"cards-burnt {face} {skipped}"]
    assert scene.table.in_use.drawn == skipped + 1


def test_the_cut_card_comes_out_of_a_virtual_shoe_where_it_was_put() -> None:
    scene = init_scene(by_dora("place-cut-card", after=3), BETS, CLOSE, shoe=virtual("KH KS 8D 5C"), source="virtual")
    scene.and_then(DRAW, DRAW, DRAW)
    assert said(scene.when(DRAW)) == ["cut-card-drawn", "card-drawn B2 5C", "coup-completed"]
    assert said(scene.and_then(SETTLE).when(BETS)) == "last-round"


def test_outside_a_high_limit_area_the_cut_card_first_gives_no_withdrawal() -> None:
    scene = init_scene(by_dora("place-cut-card", after=4), BETS, CLOSE, shoe=virtual("KH KS 8D 5C"), source="virtual")
    scene.and_then(DRAW, DRAW, DRAW, DRAW, SETTLE, BETS, bet("ann", 1, "player", "100.00"), CLOSE)
    assert said(scene.when(DRAW)) == ["cut-card-drawn", "card-drawn P1 AS"]
    assert said(scene.when(withdraw("ann", 1, "player"))) == "no-more-bets"


def test_a_blue_card_among_the_burnt_cards_lets_no_hand_start() -> None:
    shoe = virtual("9H")
    scene = init_scene(by_dora("place-cut-card", after=5), by_dora("burn"), edition=LIVE, shoe=shoe, source="virtual")
    assert said(scene.when(BETS)) == ["cut-card-drawn"]
    assert said(scene.when(BETS)) == "last-round"


def test_what_comes_before_its_time_is_refused_under_the_rule_of_its_time() -> None:
    answer = init_scene(BETS).when(DRAW)
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.paragraph) == ("not-now", "3.8")


def test_a_new_shoe_counts_hands_and_cards_anew() -> None:
    scene = init_scene(BETS, CLOSE, *deal("KH KH 8D 5C"), SETTLE, by_dora("end-shoe"), decks=4)
    scene.and_then(by_dora("load-shoe", count=208, shuffled=True))
    assert said(scene.when(BETS)) == ["betting-opened 1"]
    assert scene.table.current.number == 2
    scene.and_then(CLOSE, *deal("KH KH KH KH"))
    assert said(scene.when(by_dora("draw-card", card="KH"))) == "too-many-of-a-card"


@pytest.mark.parametrize(("device", "fifth"), [("shuffler", ["card-drawn P1 KH"]), ("shoe", "too-many-of-a-card")])
def test_a_shuffler_has_all_cards_back_for_the_next_round(device: str, fifth: list[str] | str) -> None:
    """O23: four decks hold four kings of hearts, so a shoe gives no fifth."""
    scene = init_scene(decks=4, device=device)
    for number in range(4):
        scene.and_then(BETS, CLOSE, *deal(f"KH {number + 2}S 8D {number + 2}C"), SETTLE)
    assert said(scene.and_then(BETS, CLOSE).when(by_dora("draw-card", card="KH"))) == fifth


def test_a_virtual_live_table_has_no_limit_on_hands() -> None:
    """L4: Big is closed in hand 31 of a live shoe, and open in a virtual one."""
    naturals = " ".join(f"9{suit} 7{suit} K{suit} Q{suit}" for suit in "SHDC" * 8)
    scene = init_scene(by_dora("burn"), edition=LIVE, shoe=virtual(f"AS AS {naturals}"), source="virtual")
    for _ in range(30):
        scene.and_then(BETS, CLOSE, DRAW, DRAW, DRAW, DRAW, SETTLE)
    assert said(scene.and_then(BETS).when(bet("ann", 1, "big", "10.00"))) == ["wager-placed ann 1 10.00"]
    assert scene.table.current.hand == 31


# People


def test_a_seat_stays_taken_while_wagers_lie_in_its_box() -> None:
    scene = init_scene(BETS, bet("ben", 1, "player", "100.00"), {"do": "leave", "patron": "ann"})
    assert said(scene.when({"do": "sit", "patron": "dee", "box": 1})) == "seat-taken"
    scene.and_then(CLOSE, *deal("KH KS 8D 5C"), SETTLE)
    assert said(scene.when({"do": "sit", "patron": "dee", "box": 1})) == ["seat-taken dee 1"]


def test_a_table_that_is_opened_again_keeps_its_currency() -> None:
    """M1: chips bought in one currency can't be cashed in another."""
    scene = init_scene(by_dora("close-table"))
    again = {
        "do": "open-table",
        "by": "sam",
        "table": "T1",
        "edition": C25,
        "limits": LIMITS,
        "positions": 6,
        "layout": "A",
    }
    assert said(scene.when(again | {"currency": "USD"})) == "bad-setting"
    scene.and_then(
        *({"do": "cash-chips", "patron": name, "chips": "10000.00"} for name in ("ann", "cat", "ben", "dee"))
    )
    assert said(scene.when(again | {"currency": "USD"})) != "bad-setting"


def test_a_higher_rank_may_act_in_a_lower_one() -> None:
    turned = [by_dora("expose-card", place=place) for place in ("P1", "B1", "P2", "B2")]
    request = {"do": "ask-banker-first", "patron": "ann", "way": "expose"}
    scene = init_scene(
        BETS,
        bet("ann", 1, "player", "100.00"),
        CLOSE,
        *deal("KH KS 4D 2C"),
        *turned,
        request,
        {"do": "start-duty", "name": "max", "rank": "shift-manager"},
        facing="down",
    )
    assert said(scene.when(by_dora("grant-banker-first"))) == "wrong-rank"
    assert said(scene.when({"do": "grant-banker-first", "by": "max"})) == ["banker-first-granted ann"]


SQUEEZE: Final[dict[str, tuple[str, list[Command], str]]] = {
    "equal wagers: the earliest": (C25, [bet("cat", 2, "player", "300.00"), bet("ann", 1, "banker", "300.00")], "cat"),
    "the largest single wager counts, not the sum": (
        C25,
        [bet("ann", 1, "player", "200.00"), bet("ann", 2, "player", "200.00"), bet("cat", 2, "banker", "300.00")],
        "cat",
    ),
    "side bets don't count": (C25, [bet("ann", 1, "tie", "900.00"), bet("cat", 2, "player", "50.00")], "cat"),
    "2024: standing patrons don't count": (
        C24,
        [bet("ann", 1, "player", "100.00"), bet("ben", 1, "player", "900.00")],
        "ann",
    ),
    "2025: they do": (C25, [bet("ann", 1, "player", "100.00"), bet("ben", 1, "player", "900.00")], "ben"),
}


@pytest.mark.parametrize(("edition", "wagers", "who"), SQUEEZE.values(), ids=SQUEEZE)
def test_who_may_squeeze(edition: str, wagers: list[Command], who: str) -> None:
    scene = init_scene(BETS, *wagers, CLOSE, edition=edition, facing="down")
    for patron in ("ann", "ben", "cat", "dee"):
        answer = said(scene.when({"do": "ask-squeeze", "patron": patron, "places": ["P1"]}))
        assert answer == ([f"squeeze-asked {who}"] if patron == who else "not-highest-bet")
