"""Who sees what: the public, a patron, the dealer, the pit."""

from __future__ import annotations

import msgspec
import pytest

from punto.game import commands as c
from punto.game.audience import Audience, View, box, boxes, mine, only_chips, same_for_patrons, seen, view
from punto.game.notation import encode, plain
from punto.game.possible import around
from punto.game.table import BankerFirst, CarriedCard, Phase, Squeeze, Table
from punto.money import Cents
from punto.rulebook.model import Bet, Rulebook
from tests.table.given import (
    CLOSE,
    DEALER,
    DRAW,
    FOUR,
    OPEN,
    SETTLE,
    TIGER,
    given,
    limits,
    opened,
    seated,
    shoe,
    standing,
    wager,
    when,
)

FIVE_FOUR = "2S KS 3S 4S 4H 5H"
FIGURES = limits(1000, 100_000, 200_000, tie=(500, 20_000))


def playing(top: str = FIVE_FOUR, facing: str = "up", rules: Rulebook = TIGER) -> Table:
    """ann sits at box 1 with 50.00 on Player, bob stands there with 40.00 on Banker; betting is closed."""
    people = (DEALER, *seated("ann", 1, 123_456), standing("bob", 765_432))
    wagers = (wager("ann", 1, "player", 5000), wager("bob", 1, "banker", 4000))
    return given(rules, opened(rules, limits=FIGURES, facing=facing), *people, shoe(rules, top), OPEN, *wagers, CLOSE)


def everybody(table: Table) -> list[View]:
    patrons = [view(TIGER, table, Audience.PATRON, name) for name in table.patrons]
    return [*patrons, *(view(TIGER, table, audience) for audience in (Audience.PUBLIC, Audience.DEALER, Audience.PIT))]


def test_a_face_down_card_is_hidden_from_all_until_it_is_turned() -> None:
    table = given(TIGER, DRAW, DRAW, table=playing(facing="down"))
    for sight in everybody(table):
        assert sight.cards == {"P1": None, "B1": None}
        assert b"2S" not in encode(sight)
    table = given(TIGER, c.ExposeCard(by="dan", place="P1"), table=table)
    for sight in everybody(table):
        assert sight.cards == {"P1": "2S", "B1": None}


def test_a_face_down_card_is_hidden_in_the_event_too() -> None:
    table = playing(facing="down")
    (drawn,) = when(TIGER, table, DRAW)
    assert b"2S" in encode(drawn), "the record has it"
    assert b"2S" not in encode(seen(drawn)), "nobody is told"
    table = given(TIGER, DRAW, table=table)
    (turned,) = when(TIGER, table, c.ExposeCard(by="dan", place="P1"))
    assert seen(turned) == turned


def test_the_order_of_a_shoe_is_in_nobodys_view() -> None:
    loaded = shoe(TIGER, FIVE_FOUR)
    before = given(TIGER, opened(TIGER))
    (event,) = when(TIGER, before, loaded)
    assert plain(seen(event))["order"] is None
    for sight in everybody(given(TIGER, loaded, standing("ann"), table=before)):
        written = encode(sight)
        assert b"order" not in written
        assert b"2S" not in written
        assert b"KS" not in written


def test_the_place_of_the_cut_card_is_in_nobodys_view() -> None:
    table = given(TIGER, opened(TIGER), shoe(TIGER, ""), c.PlaceCutCard(by="sue", after=299))
    assert all(b"299" not in encode(sight) for sight in everybody(table))


def test_a_patron_sees_his_own_balance_and_nobody_elses() -> None:
    table = playing()
    ann = view(TIGER, table, Audience.PATRON, "ann")
    assert (ann.patron, ann.seat, ann.balance_cents) == ("ann", 1, 118_456)
    assert ann.patrons == {}
    assert ann.house_cents is None
    assert b"7614.32" not in encode(ann), "bob's balance"
    assert [laid.patron for laid in ann.wagers] == ["ann"]


def test_the_public_sees_chips_and_no_names() -> None:
    public = view(TIGER, playing(), Audience.PUBLIC)
    assert public.boxes[0].stakes == {"player": 5000, "banker": 4000}
    assert public.boxes[0].occupied
    written = encode(public)
    assert all(name not in written for name in (b"ann", b"bob", b"dan", b"sue"))


def test_the_dealer_sees_wagers_and_the_next_place_but_no_balance() -> None:
    dealer = view(TIGER, playing(), Audience.DEALER)
    assert [laid.patron for laid in dealer.wagers] == ["ann", "bob"]
    assert dealer.next_place == "P1"
    assert dealer.patrons == {}
    assert dealer.house_cents is None
    assert dealer.staff == {"sue": "pit-supervisor", "dan": "dealer"}


def test_i4_everybody_sees_the_cards_that_wait_unless_they_lie_face_down() -> None:
    """O302: everybody sees the card that opens the next round, also whoever came after it was drawn."""
    before = playing()
    waiting = (CarriedCard("2H", True), CarriedCard("9C", False))
    table = msgspec.structs.replace(before, shoe=msgspec.structs.replace(before.in_use, carried=waiting))
    for sight in everybody(table):
        assert sight.waiting == ("2H", None)
        assert b"9C" not in encode(sight)


def test_the_pit_sees_balances_and_the_house() -> None:
    pit = view(TIGER, given(TIGER, *FOUR, DRAW, DRAW, SETTLE, table=playing()), Audience.PIT)
    assert set(pit.patrons) == {"ann", "bob"}
    assert pit.house_cents is not None
    assert sum(pit.patrons.values()) + pit.house_cents == 123_456 + 765_432


def test_limits_and_differential_are_displayed() -> None:
    """3.4: the minimum and the maximum Differential; and the Differential as it stands, by box and over the table."""
    public = view(TIGER, playing(), Audience.PUBLIC)
    figures = {bet: (limit.minimum_cents, limit.maximum_cents) for bet, limit in public.limits.bets.items()}
    assert figures.keys() == set(TIGER.layouts["A"].bets)
    assert (figures[Bet.PLAYER], figures[Bet.TIE]) == ((1000, 200_000), (500, 20_000))
    assert figures[Bet.BIG_TIGER] == (0, None), "a side bet without figures of its own has none: not the table's"
    assert msgspec.structs.replace(public.limits, bets=FIGURES.bets) == FIGURES
    assert public.differential_cents == 1000
    assert public.boxes[0].differential_cents == 1000
    shown = plain(public)["limits"]
    assert (shown["minimum"], shown["maximum_differential"], shown["maximum"]) == ("10.00", "1000.00", "2000.00")
    assert shown["bets"]["tie"] == {"minimum": "5.00", "maximum": "200.00"}


def test_the_odds_on_offer_are_displayed() -> None:
    """3.12: with their points; each patron also sees what they may stake, the dealer what each patron may."""
    table = given(TIGER, *FOUR, table=playing())
    assert table.phase is Phase.OFFER
    for sight in everybody(table):
        assert sight.on_offer is not None
        assert plain(sight.on_offer) | {"paragraph": ""} == {
            "bet": "player_insurance",
            "after": "four-cards",
            "odds": "3/2",
            "player_points": 5,
            "banker_points": 4,
            "paragraph": "",
        }
    assert view(TIGER, table, Audience.PUBLIC).may_insure_cents == {}
    assert view(TIGER, table, Audience.PATRON, "ann").may_insure_cents == {"ann": 5000}
    assert view(TIGER, table, Audience.PATRON, "bob").may_insure_cents == {}
    assert view(TIGER, table, Audience.DEALER).may_insure_cents == {"ann": 5000}


def test_what_is_left_to_insure_shrinks() -> None:
    table = given(TIGER, *FOUR, table=playing())
    took = c.TakeInsurance(patron="ann", bet="player_insurance", stake_cents=Cents(1500))
    after = given(TIGER, took, table=table)
    assert view(TIGER, after, Audience.PATRON, "ann").may_insure_cents == {"ann": 3500}
    said_no = given(TIGER, c.DeclineInsurance(patron="ann"), table=table)
    assert view(TIGER, said_no, Audience.PATRON, "ann").may_insure_cents == {}


@pytest.mark.parametrize("audience", [Audience.PUBLIC, Audience.DEALER, Audience.PIT])
def test_the_notice_is_displayed(audience: Audience) -> None:
    """4.2.2: a private table without insurance says so."""
    table = given(TIGER, opened(TIGER, private=True, insurance=False, asked_by="ann"))
    assert view(TIGER, table, audience).notice is not None
    assert view(TIGER, given(TIGER, opened(TIGER)), audience).notice is None


def test_who_may_squeeze_is_told_to_him() -> None:
    commands = (c.AskSqueeze(patron="ann", places=("P1",)), c.GrantSqueeze(by="dan"), DRAW)
    table = given(TIGER, *commands, table=playing(facing="down"))
    assert view(TIGER, table, Audience.PATRON, "ann").may_squeeze == ("P1",)
    assert view(TIGER, table, Audience.PATRON, "bob").may_squeeze == ()


def test_who_squeezes_sees_the_face_alone_and_when_it_is_theirs_to_turn() -> None:
    """O115: not before the grant, not what others squeeze or staff turn, not while something is put right."""
    before = given(TIGER, c.AskSqueeze(patron="ann", places=("P1", "P2")), table=playing(facing="down"))
    for places, table in (
        ({}, given(TIGER, DRAW, DRAW, table=before)),
        ({"P1": "2S"}, given(TIGER, c.GrantSqueeze(by="dan"), DRAW, DRAW, table=before)),
        ({"P1": "2S", "P2": "3S"}, given(TIGER, c.GrantSqueeze(by="dan"), DRAW, DRAW, DRAW, DRAW, table=before)),
    ):
        ann, *others = everybody(table)
        assert ann.squeezed_faces == places
        assert set(ann.cards.values()) == {None}, "it lies face down for her too"
        for other in others:
            assert other.squeezed_faces == {}
            assert not any(face in encode(other) for face in (b"2S", b"3S", b"KS", b"4S"))
    troubled = given(TIGER, c.ReportIrregularity(by="dan", kind="discretion"), table=table)
    assert troubled.phase is Phase.IRREGULARITY
    assert all(b"2S" not in encode(sight) for sight in everybody(troubled))
    turned = given(TIGER, c.ExposeCard(by="ann", place="P1"), table=table)
    assert everybody(turned)[0].squeezed_faces == {"P2": "3S"}
    assert all(sight.cards["P1"] == "2S" for sight in everybody(turned))


def test_the_players_third_card_is_not_known_before_the_bankers_lies_open() -> None:
    """3.14: whoever may squeeze the Player's third card sees it once the Banker's, which comes first, is turned."""
    first = (c.AskBankerFirst(patron="ann", way="expose"), c.GrantBankerFirst(by="sue"))
    four = (DRAW,) * 4
    turned = tuple(c.ExposeCard(by="dan", place=place) for place in ("P1", "B1", "P2", "B2"))
    table = given(TIGER, *four, *turned, *first, DRAW, DRAW, table=playing("2S KS 2H 2D 4H 5H", facing="down"))
    assert [card.place for card in table.current.cards if not card.exposed] == ["P3", "B3"]
    assert everybody(table)[0].squeezed_faces == {}
    table = given(TIGER, c.ExposeCard(by="dan", place="B3"), table=table)
    assert everybody(table)[0].squeezed_faces == {"P3": "4H"}


def test_lines_are_each_patrons_own() -> None:
    table = given(TIGER, *FOUR, DRAW, DRAW, SETTLE, table=playing())
    assert [line.patron for line in view(TIGER, table, Audience.PATRON, "bob").lines] == ["bob"]
    assert view(TIGER, table, Audience.PUBLIC).lines == ()
    assert [line.patron for line in view(TIGER, table, Audience.DEALER).lines] == ["ann", "bob"]


def test_no_chips_lie_in_the_boxes_once_the_round_is_over() -> None:
    """Also when the shoe has ended: the settled round is still the current one (I10)."""
    table = given(TIGER, *FOUR, DRAW, DRAW, SETTLE, c.EndShoe(by="sue"), table=playing())
    public = view(TIGER, table, Audience.PUBLIC)
    assert all(not box.stakes for box in public.boxes)
    assert public.differential_cents == 0


@pytest.mark.parametrize("audience", Audience)
def test_what_is_somebody_s_own_is_what_the_public_does_not_see(audience: Audience) -> None:
    table = given(TIGER, *FOUR, table=playing())
    whole, public = (
        msgspec.json.decode(encode(view(TIGER, table, viewer, "ann"))) for viewer in (audience, Audience.PUBLIC)
    )
    own = msgspec.json.decode(encode(mine(TIGER, table, audience, "ann")))
    assert {**public, **own} == whole
    assert bool(own) == (audience is not Audience.PUBLIC)


def test_one_box_is_as_it_lies_among_all() -> None:
    people = (DEALER, *seated("ann", 1), *seated("cat", 3), standing("bob"))
    wagers = (wager("ann", 1, "player", 5000), wager("bob", 1, "banker", 4000), wager("cat", 3, "tie", 600))
    more = wager("bob", 1, "player", 1000)
    betting = given(TIGER, opened(TIGER, limits=FIGURES), *people, shoe(TIGER, FIVE_FOUR), OPEN, *wagers, more)
    for table in (betting, given(TIGER, CLOSE, table=betting)):
        assert [box(table, number) for number in range(1, 6)] == boxes(table)
        assert [(spot.box, spot.occupied, spot.stakes) for spot in boxes(table)[:3]] == [
            (1, True, {"player": 6000, "banker": 4000}),
            (2, False, {}),
            (3, True, {"tie": 600}),
        ]
    assert box(betting, 1).room[Bet.PLAYER] == 98_000, "the Differential, and what the Banker's 40.00 give besides"
    assert box(betting, 2).room == box(given(TIGER, CLOSE, table=betting), 1).room == {}


def test_what_a_patron_alone_sees_hangs_on_no_card_that_is_dealt_face_up() -> None:
    before = playing("KH KS 8D 5C")
    drawn = given(TIGER, DRAW, table=before)
    assert same_for_patrons(before, drawn)
    assert same_for_patrons(drawn, given(TIGER, standing("zoe"), table=drawn))
    down = playing("KH KS 8D 5C", facing="down")
    assert not same_for_patrons(down, given(TIGER, DRAW, table=down)), "whoever squeezes may see it"
    chips = c.ReportChips(by="dan", patron="bob", box=1, bet="tie", stake_cents=Cents(500))
    assert not same_for_patrons(drawn, given(TIGER, chips, table=drawn)), "another wager"
    assert not same_for_patrons(drawn, given(TIGER, DRAW, DRAW, DRAW, table=drawn)), "the coup is complete"
    assert not same_for_patrons(given(TIGER, opened(TIGER)), drawn), "no round yet"


def test_chips_alone_have_changed_where_only_a_wager_came() -> None:
    """Then no view is made anew, and the part that patrons share stays as it is."""
    people = (DEALER, *seated("ann", 1), standing("bob"), shoe(TIGER, FIVE_FOUR))
    ready = given(TIGER, opened(TIGER, limits=FIGURES), *people)
    before = given(TIGER, OPEN, table=ready)
    after = given(TIGER, wager("bob", 1, "banker", 4000), table=before)
    assert only_chips(before, after)
    assert around(TIGER, after, around(TIGER, before)) == around(TIGER, after)
    assert not only_chips(ready, before), "no round yet"
    assert not only_chips(after, given(TIGER, CLOSE, table=after)), "another phase"
    assert not only_chips(after, msgspec.structs.replace(after, closes_after=7)), "the table closes"
    more = msgspec.structs.replace(after.current, hand=9)
    assert not only_chips(after, msgspec.structs.replace(after, round=more)), "another hand"


def test_a_stranger_sees_what_the_public_sees() -> None:
    table = playing()
    stranger = view(TIGER, table, Audience.PATRON, "zoe")
    assert [command.do for command in stranger.can] == ["join"]
    assert msgspec.structs.replace(stranger, can=()) == view(TIGER, table, Audience.PUBLIC)


def test_a_view_is_written_as_json() -> None:
    written = msgspec.json.decode(encode(view(TIGER, playing(), Audience.PIT)))
    assert written["patrons"] == {"ann": "1184.56", "bob": "7614.32"}
    assert written["differential"] == "10.00"


def test_who_asked_for_a_squeeze_is_for_staff() -> None:
    table = given(TIGER, c.AskSqueeze(patron="ann", places=("P1", "P2")), table=playing(facing="down"))
    squeezes = {audience: view(TIGER, table, audience, "bob").squeeze for audience in Audience}
    assert [audience for audience, squeeze in squeezes.items() if squeeze is not None] == [
        Audience.DEALER,
        Audience.PIT,
    ]
    assert squeezes[Audience.PIT] == Squeeze("ann", ("P1", "P2"))


def test_a_squeeze_that_was_asked_for_a_card_drawn_since_is_in_no_view() -> None:
    """Nobody can grant it any more. A squeeze that was granted before stays, and so does one in time."""
    requested = given(TIGER, c.AskSqueeze(patron="ann", places=("P2",)), table=playing(facing="down"))
    in_time, drawn = given(TIGER, DRAW, DRAW, table=requested), given(TIGER, DRAW, DRAW, DRAW, table=requested)
    granted = given(TIGER, c.GrantSqueeze(by="dan"), DRAW, DRAW, DRAW, table=requested)
    for audience in (Audience.DEALER, Audience.PIT):
        assert view(TIGER, in_time, audience).squeeze == Squeeze("ann", ("P2",))
        assert view(TIGER, drawn, audience).squeeze is None
        assert view(TIGER, granted, audience).squeeze == Squeeze("ann", ("P2",), granted=True)


def test_a_wish_for_the_banker_s_third_card_first_is_in_no_view_once_a_third_card_is_drawn() -> None:
    turned = [c.ExposeCard(by="dan", place=place) for place in ("P1", "B1", "P2", "B2")]
    ask = c.AskBankerFirst(patron="ann", way="expose")
    requested = given(TIGER, *[DRAW] * 4, *turned, ask, table=playing("KH KS 4D 2C 5H 6H", facing="down"))
    drawn = given(TIGER, DRAW, table=requested)
    for audience in (Audience.DEALER, Audience.PIT):
        assert view(TIGER, requested, audience).banker_first == BankerFirst("ann", "expose")
        assert view(TIGER, drawn, audience).banker_first is None
