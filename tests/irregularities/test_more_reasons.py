"""More reasons why a report or a ruling is refused, one condition at a time; and what happens where it is met."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from punto.game import commands as c
from punto.game import events as e
from punto.game.decide import decide
from punto.game.evolve import evolve
from punto.game.refusals import Refusal
from punto.game.table import CarriedCard, Phase
from punto.money import Cents
from punto.rulebook.model import Insurance, Moment
from tests.every import of_every
from tests.irregularities import given as g
from tests.irregularities.laws import Ruled
from tests.irregularities.standing import do, opened, standing
from tests.irregularities.test_found_and_owed import virtual
from tests.irregularities.test_reasons import C25, FOUR, RefusalCase, before_any_round, in_phase, new_shoe

NO_ROUND: Final = "there is no round to correct: none was played, or it already ended without a result"
NO_CARD: Final = "expected the `place` of a card on the table, or `count` 1 for one lost on its way from a live shoe"


def known_face_down() -> Ruled:
    """Four cards that the Dealer has entered lie face down."""
    return g.init_round(C25, "TH 2S 9D 3C", facing="down")


def before_any_card() -> Ruled:
    return g.init_round(C25)


def whole_virtual() -> Ruled:
    """A coup of a virtual shoe is complete: Player 7 against Banker 9."""
    table = virtual()
    while table.table.phase is not Phase.COMPLETE:
        do(table, c.DrawCard(by="dora"))
    return table


def one_waits() -> Ruled:
    """A card that was drawn after a whole coup waits for the next round."""
    table = g.init_round(C25, g.NATURAL)
    g.report(table, "excess-card", cards=("9C",))
    g.decide(table, "sam")
    g.settle(table)
    g.another(table, "")
    return table


def voided_before() -> Ruled:
    """Round 1 was void; round 2 is dealt."""
    table = g.init_round(C25, "KH 2S")
    g.report(table, "void", cause="not-reconstructible")
    g.decide(table, "sam")
    g.another(table, "KH 2S")
    return table


VOID: Final = {"kind": "void"}
REPORTS: Final = (
    RefusalCase(
        "2.2.1 no such card",
        in_phase(Phase.DEALING),
        {"kind": "excess-card", "cards": ("9C", "zz")},
        "'zz' is no card: expected a rank A 2 3 4 5 6 7 8 9 T J Q K (10 is read too) and a suit S H D C, as in 9H",
        "2.2.1",
    ),
    RefusalCase(
        "5.10 entered as another card",
        known_face_down,
        {"kind": "face-up", "place": "P1", "card": "9H"},
        "P1 was drawn as another card",
        "5.10",
    ),
    RefusalCase(
        "5.10 entered as no card",
        known_face_down,
        {"kind": "face-up", "places": {"B1": "2S", "P1": "zz"}},
        "P1 was drawn as another card",
        "5.10",
    ),
    RefusalCase(
        "5.10 no card at all",
        lambda: g.init_round(C25, "? ? ? ?", facing="down"),
        {"kind": "face-up", "place": "P1", "card": "zz"},
        "'zz' is no card: expected a rank A 2 3 4 5 6 7 8 9 T J Q K (10 is read too) and a suit S H D C, as in 9H",
        "2.2.1",
    ),
    RefusalCase(
        "5.10 one place and all of them",
        known_face_down,
        {"kind": "face-up", "place": "P1", "places": {"B1": "2S"}},
        "expected one `place` with its `card`, or all `places` with their cards",
        "5.10",
    ),
    RefusalCase(
        "5.10 a card without its place",
        known_face_down,
        {"kind": "face-up", "card": "TH", "places": {"B1": "2S"}},
        "expected one `place` with its `card`, or all `places` with their cards",
        "5.10",
    ),
    RefusalCase("5.13 two at once", in_phase(Phase.DEALING), {"kind": "damaged-card", "count": 2}, NO_CARD, "5.13"),
    RefusalCase("5.13 nowhere", in_phase(Phase.DEALING), {"kind": "damaged-card"}, NO_CARD, "5.13"),
    RefusalCase(
        "5.13 no card there", in_phase(Phase.DEALING), {"kind": "damaged-card", "place": "P2"}, NO_CARD, "5.13"
    ),
    RefusalCase(
        "5.13 a place and a count",
        in_phase(Phase.DEALING),
        {"kind": "damaged-card", "place": "P1", "count": 1},
        NO_CARD,
        "5.13",
    ),
    RefusalCase("5.13 a virtual shoe loses none", virtual, {"kind": "damaged-card", "count": 1}, NO_CARD, "5.13"),
    RefusalCase("5.13 the next one waits in sight", one_waits, {"kind": "damaged-card", "count": 1}, NO_CARD, "5.13"),
    RefusalCase(
        "5.13 the shoe of the round is gone",
        in_phase(Phase.NO_SHOE),
        {"kind": "damaged-card", "count": 1},
        NO_CARD,
        "5.13",
    ),
    RefusalCase("5.5 no round yet", lambda: opened(C25), {**VOID, "cause": "unshuffled"}, NO_ROUND, "5.5"),
    RefusalCase(
        "5.5 between rounds",
        in_phase(Phase.READY),
        {**VOID, "cause": "not-reconstructible"},
        "between rounds there is nothing to void; name the `round` if the last one is meant",
        "5.5",
    ),
    RefusalCase(
        "5.5.1 not of a virtual shoe",
        whole_virtual,
        {**VOID, "cause": "foreign-card"},
        "by the record this shoe is of whole decks, each card of them once",
        "5.5.1",
    ),
    RefusalCase(
        "5.5.2 not of a virtual shoe",
        whole_virtual,
        {**VOID, "cause": "wrong-count"},
        "by the record this shoe is of whole decks, each card of them once",
        "5.5.2",
    ),
    RefusalCase(
        "5.5.3 both hands are of the right number",
        whole_virtual,
        {**VOID, "cause": "not-reconstructible"},
        "by the record both hands have the number of cards that the Table of Play calls for",
        "5.5.3",
    ),
    RefusalCase(
        "5.5.4 there are enough",
        whole_virtual,
        {**VOID, "cause": "too-few-cards"},
        "by the record 411 cards are left: enough for this round",
        "5.5.4",
    ),
    RefusalCase("5.9 nothing was dealt", before_any_card, {"kind": "wrong-hand"}, "no card has been dealt", "5.9"),
    RefusalCase("5.9 no round yet", before_any_round, {"kind": "wrong-hand"}, NO_ROUND, "5.9"),
    RefusalCase(
        "5.17 no round yet",
        before_any_round,
        {"kind": "insurance-missed", "after": Moment.FOUR_CARDS},
        NO_ROUND,
        "5.17",
    ),
    RefusalCase(
        "5.18 no round yet", before_any_round, {"kind": "insurance-misplaced", "insurance": "i1"}, NO_ROUND, "5.18"
    ),
    RefusalCase(
        "I13 of a round without a result",
        voided_before,
        {"kind": "discretion", "round": 1, **FOUR},
        "that round already ended without a result",
        "5.23",
    ),
    RefusalCase(
        "5.11 one card comes alone",
        in_phase(Phase.DEALING),
        {"kind": "simultaneous", "cards": ("9C",)},
        "that many cards can't have been drawn",
        "5.11",
    ),
    RefusalCase(
        "5.11 of a whole coup none is named",
        in_phase(Phase.COMPLETE),
        {"kind": "simultaneous", "cards": ("9C", "8C")},
        "the coup is complete: the cards that came together lie on the table, and none is named",
        "5.11",
    ),
    RefusalCase(
        "L6 a card that nobody saw",
        in_phase(Phase.BETTING, g.LIVE),
        {"kind": "exposed-while-betting", "cards": ("9C",), "exposed": False},
        "a card that nobody has seen changes nothing: put it back",
        "11.3.1",
    ),
)

RULINGS: Final = (
    RefusalCase(
        "L8 a void hand of another shoe does not end this one",
        new_shoe(g.LIVE),
        {"kind": "wrong-dealing", "round": 1, "player": ("KH", "7D"), "banker": ("2S", "3C", "9H")},
        "the shoe of that round has ended already",
        "11.4.2",
        {"by": "mia", "reconstruct": False, "end_shoe": True},
    ),
    RefusalCase(
        "5.11 an order of other cards than came together",
        in_phase(Phase.DEALING),
        {"kind": "simultaneous", "cards": ("9C", "8C")},
        "expected an order of exactly the cards that were drawn together",
        "5.11",
        {"by": "sam", "order": ("9C", "7C")},
    ),
    RefusalCase(
        "5.11 no order of cards that were read",
        in_phase(Phase.DEALING),
        {"kind": "simultaneous", "cards": ("9C", "8C")},
        "expected an order of exactly the cards that were drawn together",
        "5.11",
        {"by": "sam"},
    ),
)


@of_every((*REPORTS, *RULINGS))
def test_a_refusal_says_what_is_wrong_and_under_which_paragraph(case: RefusalCase) -> None:
    table = case.at()
    assert table is not None
    command: c.AnyCommand = c.ReportIrregularity(by="dora", **case.report)
    if case.ruling is not None:
        do(table, command)
        command = c.DecideIrregularity(**{"reason": g.WHY, **case.ruling})
    answer = table.send(command)
    assert isinstance(answer, Refusal), f"carried out: {answer}"
    assert (answer.message, answer.paragraph) == (case.sentence, case.paragraph)


def test_5_10_a_card_that_was_entered_is_named_in_any_writing() -> None:
    table = known_face_down()
    shown, *_ = g.report(table, "face-up", places={"P1": "10h", "B2": None})
    assert isinstance(shown, e.CardExposed)
    assert (shown.place, shown.card, shown.by, shown.paragraph) == ("P1", "TH", "dora", "5.10")
    assert [card.exposed for card in table.table.current.cards] == [True, False, False, True]


def test_5_11_cards_that_nobody_has_read_keep_the_order_in_which_they_lie() -> None:
    table = g.init_round(C25, "? ?", facing="down")
    g.report(table, "simultaneous", count=2)
    built, *_ = g.decide(table, "sam")[1:]
    assert isinstance(built, e.CardsReconstructed)
    assert [(card.place, card.face) for card in built.cards] == [(place, None) for place in ("P1", "B1", "P2", "B2")]
    assert built.carried == ()


def resumed(events: tuple[e.AnyEvent, ...]) -> tuple[Phase, str]:
    (last,) = (event for event in events if isinstance(event, e.PlayResumed))
    return last.phase, last.paragraph


@of_every((Phase.CUT_CARD, Phase.DEALING, Phase.OFFER, Phase.COMPLETE, Phase.SETTLED, Phase.READY, Phase.NO_SHOE))
def test_i1_what_was_no_irregularity_leaves_the_table_where_it_stood(phase: Phase) -> None:
    table = standing(C25, phase)
    assert table is not None
    g.report(table, "discretion")
    events = g.decide(table, "tess", action="stand")
    assert table.table.phase is phase
    stood = Phase.DEALING if phase is Phase.COMPLETE else phase
    assert resumed(events) in ((phase, "5.23"), (stood, "5.23"))
    assert table.table.irregularity is None


def test_5_15_a_past_round_of_another_shoe_marks_no_road_of_this_one() -> None:
    """Round 1 becomes void, and the shoe on the table has no mark of that round to take off."""
    table = new_shoe(C25)()
    results = table.table.in_use.results
    g.report(table, "late-table-of-play", round=1, **FOUR)
    g.decide(table, "mia")
    assert table.table.in_use.results == results
    assert table.table.past[1].winner is None


def test_5_15_2_the_order_that_a_pit_manager_states_is_played() -> None:
    """Player KH 7D against Banker 2S 3C: 4H makes 9, and 9H would make 4. One of the two was a card too many."""
    hands: dict[str, Any] = {"player": ("KH", "7D"), "banker": ("2S", "3C", "4H", "9H")}
    for order, winner in (
        (("KH", "2S", "7D", "3C", "4H", "9H"), "banker"),
        (("KH", "2S", "7D", "3C", "9H", "4H"), "player"),
    ):
        table = standing(C25, Phase.BETTING)
        assert table is not None
        g.report(table, "late-table-of-play", round=1, **hands)
        _, fixed, *_ = g.decide(table, "mia", order=order)
        assert isinstance(fixed, e.PastRoundCorrected)
        assert (fixed.winner, fixed.void) == (winner, False)
        faces = {card.place: card.face for card in fixed.cards}
        assert faces == {"P1": "KH", "B1": "2S", "P2": "7D", "B2": "3C", "B3": order[4]}


@of_every(((1, True), (0, False)))
def test_5_16_hands_are_of_as_many_cards_as_the_shoe_has(row: tuple[int, bool]) -> None:
    """A third card that was forgotten must have been in the shoe."""
    left, could_be = row
    table = g.init_round(C25, g.FOUR)
    shoe = table.table.in_use
    nearly = msgspec.structs.replace(table.table, shoe=msgspec.structs.replace(shoe, drawn=shoe.cards - left))
    command = c.ReportIrregularity(
        by="dora", kind="other-dealing-error", player=("KH", "7D"), banker=("2S", "3C", "4H")
    )
    answer = decide(table.opened_under, nearly, command)
    if could_be:
        assert not isinstance(answer, Refusal), answer
    else:
        assert isinstance(answer, Refusal)
        assert answer.message == "the shoe does not have that many cards"


def test_5_8_a_card_of_a_virtual_shoe_is_the_next_of_its_order() -> None:
    table = virtual()
    order, drawn = table.table.in_use.order, table.table.in_use.drawn
    assert order is not None
    g.report(table, "excess-card", count=2, exposed=True)
    assert table.table.irregularity is not None
    assert table.table.irregularity.cards == tuple(CarriedCard(face, True) for face in order[drawn : drawn + 2])


def test_l3_after_a_hand_without_a_result_only_no_more_follow() -> None:
    table = g.init_round(g.LIVE, "KH 2S")
    g.report(table, "wrong-dealing", cards=("9C",))
    g.decide(table, "mia", reconstruct=False)
    assert table.table.current.winner is None
    assert table.table.current.ended
    before = g.balances(table)
    answer = table.send(c.ReportIrregularity(by="dora", kind="blue-card"))
    assert isinstance(answer, Refusal)
    assert answer.message == NO_ROUND
    assert g.balances(table) == before


DETERMINED: Final = (
    # A place in "KH KS 5D 4C 4H", its true card, whether 5 against 4 was right, whether 9 against 4 was right.
    ("P1", "QH", True, True),
    ("P1", "2H", False, False),
    ("P2", "5H", True, True),
    ("P2", "4D", False, False),
    ("B1", "JS", True, True),
    ("B1", "2S", False, False),
    ("B2", "4S", True, True),
    ("B2", "3C", False, False),
    ("P3", "4S", True, True),
    ("P3", "3H", True, False),
)


@of_every(DETERMINED)
def test_5_3_who_let_an_offer_pass_that_the_true_cards_never_made_has_forgone_nothing(
    row: tuple[str, str, bool, bool],
) -> None:
    """ann let the offer on 5 against 4 pass; bob took it, and had one on 9 against 4. A card is determined (5.13)."""
    place, face, first, second = row
    table = g.init_round(C25, "KH KS 5D 4C", ("ann", "player", 10_000), ("bob", "player", 10_000))
    do(table, c.TakeInsurance(patron="bob", bet="player_insurance", stake_cents=Cents(1_000)))
    g.draw(table, "4H")
    assert [offer.after for offer in table.table.current.offers] == [Moment.FOUR_CARDS, Moment.PLAYER_THIRD]
    g.report(table, "damaged-card", place=place)
    current = evolve(table.table, e.CardDetermined(paragraph="5.13", place=place, card=face)).current
    assert ("ann" in current.forgone) is first
    # bob's insurance keeps the first offer on record until that insurance is returned.
    moments = (Moment.FOUR_CARDS, *((Moment.PLAYER_THIRD,) if second else ()))
    assert tuple(offer.after for offer in current.offers) == moments
    assert (current.offer is not None) is second


REPOSITIONED: Final = (
    # The Banker's third card on 5 against 7, the result of Player's insurance at 4 to 1, its paragraph, ann's chips.
    ("4H", "won", "4.1.15", 94_000),
    ("2H", "returned", "4.2.1", 100_000),
    ("KD", "lost", "4.1.15", 109_000),
)


@of_every(REPOSITIONED)
def test_5_18_insurance_on_the_wrong_side_settles_where_it_belongs_however_the_round_ended(
    row: tuple[str, str, str, int],
) -> None:
    """ann has 100.00 on Player and 10.00 of insurance, which the Dealer put on the Banker's side."""
    card, result, paragraph, chips = row
    table = g.init_round(C25, g.FOUR)
    g.insure(table, 1_000, Insurance.BANKER)
    g.draw(table, card)
    g.settle(table)
    (taken,) = table.table.current.insurance
    g.report(table, "insurance-misplaced", insurance=taken.id)
    _, put, *_ = g.decide(table, "dora")
    assert isinstance(put, e.InsuranceRepositioned)
    assert [(line.wager, line.result, line.paragraph) for line in put.lines] == [(taken.id, result, paragraph)]
    assert table.table.patrons["ann"].balance_cents == chips
