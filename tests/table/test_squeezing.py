"""Whom a face-down table waits for (P7, 3.9, 3.14, O115): who may squeeze which card, and what they know of it."""

from __future__ import annotations

import pytest

from punto.game import squeezing
from punto.game.commands import ReportIrregularity
from punto.game.decide import apply
from punto.game.possible import for_patron
from tests.table.test_commands import BETS, CLOSE, DRAW, Command, Scene, bet, by_dora, init_scene, virtual

SUE: Command = {"do": "start-duty", "name": "sue", "rank": "pit-supervisor"}


def turn(place: str, by: str = "dora") -> Command:
    return {"do": "expose-card", "by": by, "place": place}


def granted(*places: str) -> Scene:
    """ann may squeeze these cards of Player KH 4D against Banker KS 2C; the house knows the faces of all four."""
    request = {"do": "ask-squeeze", "patron": "ann", "places": [*places]}
    wager = bet("ann", 1, "player", "100.00")
    shoe = virtual("KH KS 4D 2C 5H 6H")
    return init_scene(
        SUE, BETS, wager, CLOSE, request, by_dora("grant-squeeze"), shoe=shoe, source="virtual", facing="down"
    ).and_then(DRAW, DRAW, DRAW, DRAW)


def holders(scene: Scene) -> dict[str, str | None]:
    return {place: squeezing.holder(scene.table, place) for place in ("P1", "B1", "P2", "B2")}


def test_3_9_a_card_is_hers_to_squeeze_while_she_is_there() -> None:
    scene = granted("P1", "P2")
    assert holders(scene) == {"P1": "ann", "B1": None, "P2": "ann", "B2": None}
    scene.and_then({"do": "leave", "patron": "ann"})
    assert holders(scene) == dict.fromkeys(("P1", "B1", "P2", "B2"))


def test_3_9_the_deal_waits_once_only_her_cards_lie_face_down() -> None:
    scene = granted("P1", "P2")
    assert not squeezing.awaited(scene.rules, scene.table)
    scene.and_then(turn("B1"))
    assert not squeezing.awaited(scene.rules, scene.table)
    scene.and_then(turn("B2"))
    assert squeezing.due(scene.table) == ["P1", "P2"]
    assert squeezing.awaited(scene.rules, scene.table)
    halted = apply(scene.rules, scene.table, ReportIrregularity(by="dora", kind="discretion"))[0]
    assert not squeezing.awaited(scene.rules, halted), "while something is put right nobody turns a card"
    scene.and_then(turn("P1", by="ann"))
    assert squeezing.awaited(scene.rules, scene.table)
    scene.and_then(turn("P2", by="ann"))
    assert not squeezing.awaited(scene.rules, scene.table)


def test_o115_only_who_squeezes_is_given_the_faces() -> None:
    scene = granted("P1", "B2")
    assert squeezing.faces(scene.rules, scene.table, "ann") == {"P1": "KH", "B2": "2C"}
    assert squeezing.faces(scene.rules, scene.table, "cat") == {}
    assert squeezing.seen_places(scene.rules, scene.table) == ("P1", "B2")
    scene.and_then(turn("P1", by="ann"))
    assert squeezing.faces(scene.rules, scene.table, "ann") == {"B2": "2C"}
    assert squeezing.seen_places(scene.rules, scene.table) == ("B2",)


def test_3_14_the_banker_s_third_card_is_turned_before_the_player_s() -> None:
    scene = granted("P1").and_then(*(turn(place) for place in ("B1", "P2", "B2")), turn("P1", by="ann"))
    scene.and_then({"do": "ask-banker-first", "patron": "ann", "way": "squeeze"})
    scene.and_then({"do": "grant-banker-first", "by": "sue"}, DRAW)
    assert squeezing.due(scene.table) == ["P3"]
    assert not squeezing.awaited(scene.rules, scene.table), "the Banker's card is drawn first"
    scene.and_then(DRAW)
    assert squeezing.due(scene.table) == ["B3"]
    assert squeezing.holder(scene.table, "B3") == "ann"
    assert squeezing.awaited(scene.rules, scene.table)
    assert squeezing.faces(scene.rules, scene.table, "ann") == {"B3": "6H"}
    scene.and_then(turn("B3", by="ann"))
    assert squeezing.due(scene.table) == ["P3"]
    assert not squeezing.awaited(scene.rules, scene.table), "the Player's is not hers"


@pytest.mark.parametrize(("cards", "can_come"), [("KH 2S 7D 3C 4H", ["B3"]), ("KH KS 4D 2C 5H 6H", ["P3", "B3"])])
def test_3_9_a_card_that_the_table_of_play_does_not_call_for_is_not_asked_for(cards: str, can_come: list[str]) -> None:
    """The third card of a Player who stands is never dealt, so nobody asks for it."""
    wager = bet("ann", 1, "banker", "100.00")
    scene = init_scene(SUE, BETS, wager, CLOSE, shoe=virtual(cards), source="virtual", facing="down")
    scene.and_then(DRAW, DRAW, DRAW, DRAW)
    assert places_offered(scene) == ["P3", "B3"], "face-down cards say nothing"
    scene.and_then(*(turn(place) for place in ("P1", "B1", "P2", "B2")))
    assert places_offered(scene) == can_come
    scene.and_then(DRAW)
    assert places_offered(scene) == can_come[1:]


def places_offered(scene: Scene) -> list[str]:
    """The cards that ann may ask to squeeze."""
    offers = [offer for offer in for_patron(scene.rules, scene.table, "ann") if offer.do == "ask-squeeze"]
    return [str(place) for offer in offers for place in offer.choices["places"]]
