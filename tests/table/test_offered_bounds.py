"""What is offered at the limits: a wager of ten billion or of a cent, a full table, a card that is used up."""

from __future__ import annotations

from punto.game import notation, recall
from punto.game.possible import Possible, around, for_patron
from punto.game.possible_staff import for_staff
from tests.table import test_commands as t
from tests.table.test_bounds import ISSUED, MOST, buy, crowd, join, taken_out
from tests.table.test_commands import BETS, CLOSE, SETTLE, Scene, bet, deal, init_scene
from tests.table.test_reasons import rich


def offered(scene: Scene, name: str) -> dict[str, Possible]:
    """What is offered to a patron, or to staff, by command."""
    to = for_staff if name in scene.table.staff else for_patron
    return {offer.do: offer for offer in to(scene.rules, scene.table, name)}


def most(possible: Possible, of: str) -> str:
    amounts = notation.plain(possible.amounts[of])
    assert amounts["least"] == "0.01"
    return str(amounts["most"])


def test_a_wager_of_ten_billion_is_not_raised() -> None:
    assert "raise-wager" not in offered(rich("10000000000.00"), "eve")
    nearly = offered(rich("9999999999.99"), "eve")
    assert most(nearly["raise-wager"], "w1") == "0.01"
    assert most(nearly["place-wager"], "stake") == "10000000000.00"


def test_a_wager_of_a_cent_is_withdrawn_and_not_lowered() -> None:
    scene = init_scene(BETS, bet("ann", 1, "tie", "0.01"), bet("ann", 1, "player", "50.00"))
    for name in ("ann", "dora"):
        offers = offered(scene, name)
        assert offers["withdraw-wager"].choices["wager"] == ("w1", "w2")
        assert offers["lower-wager"].choices["wager"] == ("w2",)
        assert most(offers["lower-wager"], "w2") == "49.99"


def test_who_has_no_chips_left_can_lower_and_not_raise() -> None:
    scene = init_scene(
        {"do": "cash-chips", "patron": "ann", "chips": "9900.00"}, BETS, bet("ann", 1, "player", "100.00")
    )
    offers = offered(scene, "ann")
    assert not {"raise-wager", "place-wager", "cash-chips"} & offers.keys()
    assert {"lower-wager", "withdraw-wager", "buy-chips"} <= offers.keys()
    staff = offered(scene, "dora")
    assert staff["place-wager"].choices["patron"] == ("cat", "ben", "dee")
    assert "raise-wager" not in staff


def test_d4_chips_are_found_of_whoever_has_a_cent_left() -> None:
    for cashed, offers_ann in (("9899.99", True), ("9900.00", False)):
        ann = {"do": "cash-chips", "patron": "ann", "chips": cashed}
        scene = init_scene(ann, BETS, bet("ann", 1, "player", "100.00"), CLOSE)
        assert ("ann" in offered(scene, "dora")["report-chips"].choices["patron"]) is offers_ann


def test_a_table_that_holds_all_it_can_sells_no_more_chips() -> None:
    scene = init_scene(buy(MOST - ISSUED - 1))
    assert "buy-chips" in offered(scene, "ann")
    assert "buy-chips" not in offered(scene.and_then(buy(1)), "ann")


def test_what_patrons_share_is_worked_out_anew_once_a_table_is_full() -> None:
    """Where only chips have moved, the shared part is used again; but at a full table no more can be bought."""
    scene = init_scene()
    before = around(scene.rules, scene.table)
    assert "buy-chips" in {offer.do for offer in for_patron(scene.rules, scene.table, "ann", before)}
    scene.and_then(buy(MOST - ISSUED))
    after = around(scene.rules, scene.table, before)
    assert "buy-chips" not in {offer.do for offer in for_patron(scene.rules, scene.table, "ann", after)}


def test_insurance_is_offered_up_to_the_chips_that_a_patron_has() -> None:
    """P4: 100.00 at most. Staff see that bound, and not how many chips the patron has."""
    cashed = {"do": "cash-chips", "patron": "ann", "chips": "9870.00"}
    scene = init_scene(cashed, BETS, bet("ann", 1, "player", "100.00"), CLOSE, *deal("KH KS 7D 5C"))
    assert most(offered(scene, "ann")["take-insurance"], "stake") == "30.00"
    assert most(offered(scene, "dora")["take-insurance"], "ann") == "100.00"


def test_a_card_is_entered_also_where_the_first_of_the_deck_is_out() -> None:
    """Four decks have four aces of spades."""
    for number in (3, 4):
        assert offered(taken_out(number)(), "dora")["draw-card"].enters == ("card",)


def test_a_full_table_takes_back_whom_it_knows() -> None:
    scene = crowd(252, {"do": "leave", "patron": "ben"})()
    assert "join" in offered(scene, "ben")
    assert "join" not in offered(scene, "eve")
    assert "join" in offered(crowd(251)(), "eve")
    assert t.said(scene.when(join("eve"))) == "table-full"


def test_i11_which_rounds_a_table_holds_no_more() -> None:
    played = [BETS, CLOSE, *deal("KH KS 8D 5C"), SETTLE]
    table = init_scene(*played, *played, *played).table
    assert [recall.gone(table, number) for number in range(-1, 5)] == [False] * 6
    bare = recall.let_go(table, 1)
    assert [recall.gone(bare, number) for number in range(-1, 5)] == [False, False, True, False, False, False]
