"""Where several conditions must hold, each is tested alone: the refusal names the one that fails."""

from __future__ import annotations

from typing import Any, Final

from punto.game import notation
from punto.game.refusals import Refusal
from punto.game.shoe import commitment
from tests.every import of_every
from tests.table import test_commands as t
from tests.table.test_bounds import TAKEN, Bound, bare, bare_virtual, cut, heard, shoe
from tests.table.test_commands import BETS, CLOSE, DRAW, SETTLE, Command, bet, by_dora, deal, init_scene, insure
from tests.table.test_reasons import PLAYER, SUE, TURNED, closed, opening

NO_INSURANCE: Final[dict[str, Any]] = {"insurance": False, "private": True, "asked_by": "ann"}
LIVE: Final = {"edition": t.LIVE, "layout": "live"}


def notice(by: str, *, offered: bool, asked_by: str = "ann") -> Command:
    return {"do": "set-insurance", "by": by, "offered": offered, "asked_by": asked_by}


NOTICE: Final = (
    *heard("4.2.2 private, asked for, by a Pit Supervisor", closed, [opening(**NO_INSURANCE)], [], ""),
    *heard("4.2.2 a higher rank", closed, [opening(**NO_INSURANCE, rank="shift-manager")], [], ""),
    *heard(
        "4.2.2 not private", closed, [], [opening(**NO_INSURANCE | {"private": False})], "insurance-must-be-offered"
    ),
    *heard("4.2.2 nobody asked", closed, [], [opening(**NO_INSURANCE | {"asked_by": None})], "no-request"),
    *heard("4.2.2 by a dealer", closed, [], [opening(**NO_INSURANCE, rank="dealer")], "wrong-rank"),
    *heard(
        "the Live page has no such notice",
        lambda: init_scene(by_dora("close-table"), edition=t.LIVE),
        [],
        [opening(**NO_INSURANCE | LIVE)],
        "insurance-must-be-offered",
    ),
    *heard(
        "4.2.2 while the table is open",
        lambda: init_scene(private=True),
        [notice("sam", offered=False)],
        [notice("dora", offered=False)],
        "wrong-rank",
    ),
    *heard("4.2.2 it stands so", lambda: init_scene(private=True), [], [notice("sam", offered=True)], "nothing-to-do"),
    *heard(
        "4.2.2 taken back by a Pit Supervisor too",
        lambda: init_scene(notice("sam", offered=False), private=True),
        [notice("sam", offered=True)],
        [notice("dora", offered=True)],
        "wrong-rank",
    ),
    *heard("4.2.2 at any other table", init_scene, [], [notice("sam", offered=False)], "insurance-must-be-offered"),
)


def up(patron: str) -> Command:
    return {"do": "stand-up", "patron": patron}


def leave(patron: str) -> Command:
    return {"do": "leave", "patron": patron}


SEATS: Final = (
    *heard("W8 a seat", init_scene, [up("ann")], [up("ben"), up("eve")], "not-seated"),
    *heard(
        "W8 wagers in another box, or of another box",
        lambda: init_scene(BETS, bet("ann", 2, "player", "100.00")),
        [up("ann")],
        [up("cat")],
        "box-in-use",
    ),
    *heard(
        "W8 somebody else's wager in the box",
        lambda: init_scene(BETS, bet("ben", 1, "player", "100.00")),
        [up("cat")],
        [up("ann")],
        "box-in-use",
    ),
    *heard(
        "W8 once the round is over",
        lambda: init_scene(BETS, PLAYER, CLOSE, *deal("KH KS 8D 5C"), SETTLE),
        [up("ann"), up("cat")],
        [],
        "",
    ),
)

SALT: Final = "0123456789abcdef" * 4
ORDER: Final = t.virtual("")["order"]
BOUND: Final = commitment(SALT, ORDER)
COMMITTED: Final = {"order": ORDER, "salt": SALT, "commitment": BOUND}
SHOES: Final = (
    *heard("a commitment to a virtual shoe", bare_virtual, [shoe(**COMMITTED), shoe(order=ORDER)], [], ""),
    *heard(
        "its salt, its order and no other",
        bare_virtual,
        [],
        [
            shoe(order=ORDER, salt=SALT),
            shoe(order=ORDER, commitment=BOUND),
            shoe(**COMMITTED | {"salt": SALT[1:]}),
            shoe(**COMMITTED | {"salt": SALT.upper()}),
            shoe(**COMMITTED | {"salt": "1" + SALT[1:]}),
            shoe(**COMMITTED | {"order": ORDER[::-1]}),
        ],
        "bad-shoe",
    ),
    *heard("a live one has none", bare, [], [shoe(salt=SALT, commitment=BOUND), shoe(salt=SALT)], "bad-shoe"),
    *heard("I8 a shuffler has no cut card", lambda: init_scene(device="shuffler"), [], [cut(9)], "no-cut-card"),
    *heard("1.9 one cut card", lambda: init_scene(cut(9)), [], [cut(10)], "cut-card-placed"),
    *heard(
        "1.9 that has come out",
        lambda: init_scene(BETS, CLOSE, by_dora("draw-cut-card"), *deal("KH KS 8D 5C"), SETTLE),
        [],
        [cut(9)],
        "cut-card-placed",
    ),
    *heard(
        "a virtual shoe gives its own cards",
        lambda: init_scene(BETS, CLOSE, shoe=t.virtual("KH"), source="virtual"),
        [by_dora("draw-card")],
        [by_dora("draw-card", card="KH")],
        "bad-card",
    ),
    *heard("a live one is read", lambda: init_scene(BETS, CLOSE), [], [by_dora("draw-card")], "card-needed"),
)

CUT: Final = by_dora("draw-cut-card")
VIRTUAL: Final[dict[str, Any]] = {"source": "virtual", "shoe": t.virtual("KH KS 8D 5C")}
CUT_CARDS: Final = (
    *heard("5.7 in a round", lambda: init_scene(BETS, CLOSE), [CUT], [], ""),
    *heard("5.7 not of a virtual shoe", lambda: init_scene(BETS, CLOSE, **VIRTUAL), [], [CUT], "no-cut-card"),
    *heard("5.7 nor of a shuffler", lambda: init_scene(BETS, CLOSE, device="shuffler"), [], [CUT], "no-cut-card"),
    *heard("5.7 not between rounds", init_scene, [], [CUT], "not-now"),
    *heard(
        "5.7 also once one is over", lambda: init_scene(BETS, CLOSE, *deal("KH KS 8D 5C"), SETTLE), [], [CUT], "not-now"
    ),
    *heard("L3 between rounds of the Live page", lambda: init_scene(edition=t.LIVE), [CUT], [], ""),
)


def by(name: str, kind: str, **facts: object) -> Command:
    return {"do": "report-irregularity", "by": name, "kind": kind, **facts}


DUTY: Final = (
    *heard(
        "O140 who is not on duty reports that cards are not what they should be, and nothing else",
        lambda: init_scene(BETS, CLOSE),
        [by("eve", "void", cause="foreign-card"), by("dora", "interruption")],
        [by("eve", "interruption"), by_dora("draw-cut-card") | {"by": "eve"}],
        "not-on-duty",
    ),
)


def first(way: str, *more: Command) -> list[Command]:
    """Player 4 against Banker 2, and the Banker's third card is opened first."""
    request = {"do": "ask-banker-first", "patron": "ann", "way": way}
    return [PLAYER, CLOSE, *deal("KH KS 4D 2C"), *TURNED, request, {"do": "grant-banker-first", "by": "sue"}, *more]


def turn(place: str, name: str = "dora") -> Command:
    return {"do": "expose-card", "by": name, "place": place}


BANKER_FIRST: Final = (
    *heard(
        "3.14 the Banker's third card is drawn and opened before the Player's is turned",
        lambda: init_scene(SUE, BETS, *first("squeeze", by_dora("draw-card", card="5H")), facing="down"),
        [],
        [turn("P3"), turn("P3", "ann")],
        "banker-first",
    ),
    *heard(
        "3.14 both are drawn: the Banker's is the patron's to squeeze",
        lambda: init_scene(SUE, BETS, *first("squeeze", *deal("5H 6H")), facing="down"),
        [turn("B3", "ann"), turn("B3", "sue")],
        [turn("B3")],
        "squeeze-granted",
    ),
    *heard(
        "3.14 or the Player's is, where the Dealer opens the Banker's",
        lambda: init_scene(SUE, BETS, *first("expose", *deal("5H 6H"), turn("B3")), facing="down"),
        [turn("P3", "ann"), turn("P3", "sue")],
        [turn("P3")],
        "squeeze-granted",
    ),
    *heard(
        "3.14 nobody else's",
        lambda: init_scene(SUE, BETS, *first("squeeze", *deal("5H 6H")), facing="down"),
        [],
        [turn("B3", "cat")],
        "no-squeeze",
    ),
    *heard(
        "I3 a squeeze of somebody who has gone is the Dealer's",
        lambda: init_scene(SUE, BETS, *first("squeeze", *deal("5H 6H"), leave("ann")), facing="down"),
        [turn("B3")],
        [],
        "",
    ),
)


@of_every((*NOTICE, *SEATS, *SHOES, *CUT_CARDS, *DUTY, *BANKER_FIRST))
def test_each_condition_alone(bound: Bound) -> None:
    answer = bound.at().when(bound.command)
    assert (answer.code if isinstance(answer, Refusal) else TAKEN) == bound.code


@of_every(
    (
        (t.C25, True, "5.7.1", True),
        (t.C25, False, "5.7", False),
        (t.C24, True, "O78", False),
        (t.LIVE, True, "11.2.2", False),
    )
)
def test_5_7_the_cut_card_as_the_first_card(row: tuple[str, bool, str, bool]) -> None:
    """I8: wagers can be withdrawn in a high-limit area, under an edition with that rule, where no card is left over."""
    edition, high_limit, paragraph, withdrawal = row
    scene = init_scene(BETS, CLOSE, edition=edition, high_limit=high_limit)
    answer = scene.when(CUT)
    assert not isinstance(answer, Refusal)
    assert [notation.plain(event) for event in answer] == [
        {"event": "cut-card-drawn", "paragraph": paragraph, "withdrawal": withdrawal, "no_more_rounds": False}
    ]


def test_5_7_a_card_that_waits_is_the_first_card() -> None:
    waits = by_dora("report-irregularity", kind="excess-card", cards=["9C"])
    ruled: Command = {"do": "decide-irregularity", "by": "sam", "reason": "seen"}
    scene = init_scene(waits, ruled, BETS, PLAYER, CLOSE, high_limit=True)
    assert t.said(scene.when(CUT)) == ["cut-card-drawn"]
    assert t.said(scene.when(t.withdraw("ann", 1, "player"))) == "no-more-bets"


def test_5_7_where_the_cut_card_comes_first_no_card_is_entered_at_a_virtual_shoe_either() -> None:
    """The entered card is refused, not ignored, and the refusal does not reveal where the cut card lies."""
    played = [BETS, CLOSE, DRAW, DRAW, DRAW, DRAW, SETTLE, BETS, PLAYER, CLOSE]
    scene = init_scene(cut(4), *played, high_limit=True, shoe=t.virtual("KH KS 8D 5C"), source="virtual")
    answer = scene.when(by_dora("draw-card", card="AS"))
    assert isinstance(answer, Refusal), answer
    assert (answer.code, answer.message) == ("bad-card", "a virtual shoe gives its own cards")
    assert t.said(scene.when(DRAW)) == ["cut-card-drawn"]


LEFT: Final = (
    # Edition, the wagers of the round, the paragraph, whether ann forgoes insurance, whether ann's seat is free.
    (t.C25, (), "1.19", False, True),
    (t.C25, (bet("ann", 1, "player", "100.00"),), "5.3.1", True, False),
    (t.C25, (bet("ann", 2, "player", "100.00"),), "5.3.1", True, True),
    (t.C25, (bet("ben", 1, "player", "100.00"),), "1.19", False, False),
    (t.LIVE, (bet("ann", 1, "player", "100.00"),), "I3", False, False),
)


@of_every(LEFT)
def test_5_3_1_who_walks_away(row: tuple[str, tuple[Command, ...], str, bool, bool]) -> None:
    edition, wagers, paragraph, forgone, free = row
    scene = init_scene(BETS, *wagers, edition=edition)
    answer = scene.when(leave("ann"))
    assert not isinstance(answer, Refusal)
    left, *seat = (notation.plain(event) for event in answer)
    assert left == {"event": "patron-left", "paragraph": paragraph, "patron": "ann", "forgone": forgone}
    assert [(event["event"], event["patron"], event["box"]) for event in seat] == [("seat-left", "ann", 1)] * free


def test_4_2_1_insurance_that_was_declined_is_not_taken_after_all() -> None:
    """P6: after a no the patron can neither take the offer nor decline it again."""
    scene = init_scene(BETS, PLAYER, CLOSE, *deal("KH KS 5D 4C"))
    scene.and_then({"do": "decline-insurance", "patron": "ann"})
    assert t.said(scene.when(insure("ann", "player", "10.00"))) == "insurance-forgone"
    assert t.said(scene.when({"do": "decline-insurance", "patron": "ann"})) == "no-such-offer"
