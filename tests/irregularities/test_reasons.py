"""Why a report can't be true of a table, or a ruling can't be carried out: each reason of a code has its own sentence.

A row is a table, a report, perhaps a ruling on it, and the answer to the last of these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest

from punto.game import commands as c
from punto.game.refusals import Refusal
from punto.game.table import Phase
from punto.rulebook.model import Moment
from tests.every import of_every
from tests.irregularities import given as g
from tests.irregularities.laws import Ruled
from tests.irregularities.standing import bet, commence, deal, do, opened, standing
from tests.irregularities.test_found_and_owed import virtual

C25: Final = g.COMMISSION_2025
RIGHT: Final[dict[str, Any]] = {"player": ("KH", "7D"), "banker": ("2S", "3C", "4H")}
"""As every round of `standing` was dealt."""
FOUR: Final[dict[str, Any]] = {"player": ("KH", "7D"), "banker": ("2S", "3C")}


class RefusalCase(NamedTuple):
    """`at`: how the table came to be. The last of report and ruling is refused with this sentence and paragraph."""

    name: str
    at: Callable[[], Ruled | None]
    report: dict[str, Any]
    sentence: str
    paragraph: str
    ruling: dict[str, Any] | None = None

    def __str__(self) -> str:
        return self.name


def in_phase(phase: Phase, edition: str = C25, facing: str = "up") -> Callable[[], Ruled | None]:
    return lambda: standing(edition, phase, facing=facing)


def face_down(cards: str = "? ? ? ?", **settings: Any) -> Callable[[], Ruled]:
    """Four cards lie face down and nobody knows them."""
    return lambda: g.init_round(C25, cards, facing="down", **settings)


def seen_before() -> Ruled:
    """Four decks, of which one KH was dealt in the round before; four cards lie face down."""
    table = g.init_round(C25, "? ? ? ?", facing="down", decks=4)
    for place, face in zip(("P1", "B1", "P2", "B2"), ("KH", "2S", "9D", "3C"), strict=True):
        do(table, c.ExposeCard(by="dora", place=place, card=face))
    g.settle(table)
    g.another(table, "? ? ? ?")
    return table


def cut_card_in_the_deal() -> Ruled:
    table = g.init_round(C25, "KH 2S", high_limit=True)
    do(table, c.DrawCutCard(by="dora"))
    return table


def blue_card_came() -> Ruled:
    table = g.init_round(g.LIVE, "KH 2S")
    do(table, c.DrawCutCard(by="dora"))
    return table


def new_shoe(edition: str) -> Callable[[], Ruled]:
    """The third round is dealt from another shoe than the first two."""

    def made() -> Ruled:
        table = standing(edition, Phase.READY)
        assert table is not None
        bet(table)
        deal(table, 2)
        return table

    return made


def before_any_round() -> Ruled:
    table = opened(C25)
    commence(table)
    return table


def in_a_private_room() -> Ruled:
    """No insurance is offered, on a patron's request; Player 7 against Banker 5."""
    table = opened(C25, private=True)
    commence(table)
    do(table, c.SetInsurance(by="sam", offered=False, asked_by="ann"))
    g.another(table, g.FOUR)
    return table


def alone() -> Ruled:
    """Player 5 against Banker 4, then 9 against 4. ann let the first offer pass, and the Banker's card is not drawn."""
    return g.init_round(C25, "KH KS 5D 4C 4H", ("ann", "player", 10_000))


def alone_and_gone() -> Ruled:
    table = alone()
    do(table, c.Leave(patron="ann"))
    return table


REPORTS: Final = (
    RefusalCase(
        "5.10 is about cards that should lie face down",
        in_phase(Phase.DEALING),
        {"kind": "face-up", "place": "P1", "card": "KH"},
        "this table is dealt face up",
        "5.10",
    ),
    RefusalCase(
        "5.10 no card lies there",
        face_down("? ?"),
        {"kind": "face-up", "place": "P2", "card": "KH"},
        "expected the place of a card that should lie face down",
        "5.10",
    ),
    RefusalCase(
        "5.10 a card that was seen is named",
        face_down(),
        {"kind": "face-up", "place": "P2"},
        "expected the card that was seen",
        "5.10",
    ),
    RefusalCase(
        "5.10 a place, or all places",
        face_down(),
        {"kind": "face-up"},
        "expected one `place` with its `card`, or all `places` with their cards",
        "5.10",
    ),
    RefusalCase(
        "5.10 four decks have no fifth king of hearts",
        seen_before,
        {"kind": "face-up", "places": dict.fromkeys(("P1", "B1", "P2", "B2"), "KH")},
        "KH would lie there more often than the decks hold it",
        "5.10",
    ),
    RefusalCase(
        "5.13 no card was due",
        in_phase(Phase.COMPLETE),
        {"kind": "damaged-card", "count": 1},
        "no card was due",
        "5.13",
    ),
    RefusalCase(
        "5.13 none is due before four cards are turned",
        face_down(),
        {"kind": "damaged-card", "count": 1},
        "no card was due",
        "5.13",
    ),
    RefusalCase(
        "5.8 which cards",
        in_phase(Phase.DEALING),
        {"kind": "excess-card"},
        "name the cards, or count them",
        "5.8",
    ),
    RefusalCase(
        "5.8 named and counted",
        in_phase(Phase.DEALING),
        {"kind": "excess-card", "cards": ("9C",), "count": 1},
        "there is no shoe, or the cards are named and counted both",
        "5.8",
    ),
    RefusalCase(
        "5.9 without a shoe no card came out of it",
        in_phase(Phase.NO_SHOE),
        {"kind": "wrong-hand", "cards": ("9C",)},
        "there is no shoe, or the cards are named and counted both",
        "5.9",
    ),
    RefusalCase(
        "5.9 of a shoe that has ended",
        in_phase(Phase.READY),
        {"kind": "wrong-hand", "cards": ("9C",)},
        "the shoe of that round has ended: no cards of it are left to report",
        "5.9",
    ),
    RefusalCase(
        "5.8 a virtual shoe knows its cards",
        virtual,
        {"kind": "excess-card", "cards": ("9C",)},
        "a virtual shoe gives its own cards: count them",
        "5.8",
    ),
    RefusalCase(
        "2.2.1 eight decks have no ninth nine of clubs",
        in_phase(Phase.DEALING),
        {"kind": "excess-card", "cards": ("9C",) * 9},
        "9C would have come out more often than the decks hold it",
        "2.2.1",
    ),
    RefusalCase(
        "5.14 the current round is no past one",
        in_phase(Phase.BETTING),
        {"kind": "late-discovery", "round": 3},
        "this is about the current round: report another kind",
        "5.14",
    ),
    RefusalCase(
        "5.13 no round was played",
        before_any_round,
        {"kind": "damaged-card", "place": "P1"},
        "there is no round to correct: none was played, or it already ended without a result",
        "5.13",
    ),
    RefusalCase(
        "5.5 only the current round is void",
        in_phase(Phase.BETTING),
        {"kind": "void", "cause": "unshuffled", "round": 1},
        "earlier rounds stand: only the current round is void by this",
        "5.5",
    ),
    RefusalCase(
        "5.5.5 settled, and its cards are gone",
        in_phase(Phase.NO_SHOE),
        {"kind": "void", "cause": "unshuffled", "round": 2},
        "the round is settled and its cards are gone: nothing is void, and there are none to replace",
        "5.5.5",
    ),
    RefusalCase(
        "5.7 outside a high-limit area nobody may withdraw",
        lambda: g.init_round(C25, "KH 2S"),
        {"kind": "cut-card"},
        "withdrawal is offered in a high-limit area, at a shoe with a cut card",
        "5.7",
    ),
    RefusalCase(
        "5.7 the cut card came after two cards",
        cut_card_in_the_deal,
        {"kind": "cut-card"},
        "by the record the cut card did not come first in this round, or withdrawal was offered",
        "5.7",
    ),
    RefusalCase(
        "I13 hands are those of a past round",
        in_phase(Phase.COMPLETE),
        {"kind": "discretion", **FOUR},
        "hands are given for a past round; in the current one report the card as damaged, or a dealing error",
        "5.23",
    ),
    RefusalCase(
        "I13 hands as they are on record",
        in_phase(Phase.BETTING),
        {"kind": "discretion", "round": 1, **RIGHT},
        "KH 7D v 2S 3C 4H: that is on record",
        "5.23",
    ),
    RefusalCase(
        "5.18 no such insurance",
        in_phase(Phase.COMPLETE),
        {"kind": "insurance-misplaced", "insurance": "i99"},
        "expected the insurance whose chips were put on the wrong side",
        "5.18",
    ),
    RefusalCase(
        "5.8 cards or hands",
        in_phase(Phase.COMPLETE),
        {"kind": "excess-card", "cards": ("9C",), **RIGHT},
        "expected cards or hands, not both",
        "5.8",
    ),
    RefusalCase(
        "5.16 hands lie open",
        face_down(),
        {"kind": "other-dealing-error", **FOUR},
        "turn the cards first: hands are entered once they lie open",
        "5.16",
    ),
    RefusalCase(
        "5.16 hands as they are on record",
        in_phase(Phase.COMPLETE),
        {"kind": "other-dealing-error", **RIGHT},
        "KH 7D v 2S 3C 4H: that is on record",
        "5.16",
    ),
    RefusalCase(
        "5.16 one hand is not both",
        in_phase(Phase.COMPLETE),
        {"kind": "other-dealing-error", "player": ("KH", "7D")},
        "expected both hands as they really were",
        "3.15",
    ),
    RefusalCase(
        "O60 a virtual shoe has given other cards",
        virtual,
        {"kind": "other-dealing-error", "player": ("9H", "7D"), "banker": ("2S", "3C")},
        "a virtual shoe gives its own cards, and these are not those of that round",
        "5.16",
    ),
    RefusalCase(
        "5.15 that was no error",
        in_phase(Phase.BETTING),
        {"kind": "late-table-of-play", "round": 1, **RIGHT},
        "KH 7D v 2S 3C 4H: that is dealt by the Table of Play",
        "5.15",
    ),
    RefusalCase(
        "5.20 what the board showed",
        in_phase(Phase.SETTLED),
        {"kind": "displays", "shown": " "},
        "expected what the board showed, in at most 2000 characters",
        "5.20",
    ),
    RefusalCase(
        "a note has an end",
        in_phase(Phase.DEALING),
        {"kind": "reset", "note": "x" * 2001},
        "a note has at most 2000 characters",
        "5.12",
    ),
    RefusalCase(
        "4.2.2 where no insurance is offered none is missed",
        in_a_private_room,
        {"kind": "insurance-missed", "after": Moment.FOUR_CARDS},
        "insurance was waived or is not offered here: nothing was missed",
        "5.17",
    ),
    RefusalCase(
        "5.17.1 whom it concerned is gone",
        alone_and_gone,
        {"kind": "insurance-missed", "after": Moment.FOUR_CARDS},
        "nobody could stake a cent at it",
        "5.17",
    ),
    RefusalCase(
        "L3 the record knows of the blue card",
        blue_card_came,
        {"kind": "blue-card"},
        "by the record this hand did not come after the last hand of the shoe",
        "11.2.4",
    ),
    RefusalCase(
        "L3 a round of another shoe",
        new_shoe(g.LIVE),
        {"kind": "blue-card", "round": 1},
        "that round was dealt from another shoe",
        "11.2.4",
    ),
    RefusalCase(
        "L6 while a card is due none is unneeded",
        in_phase(Phase.DEALING, g.LIVE),
        {"kind": "unneeded-card", "cards": ("9C",)},
        "a card is due: the next one belongs to a hand, and is drawn or reported as wrong-dealing",
        "11.3.2",
    ),
    RefusalCase(
        "L8 a past round has hands",
        in_phase(Phase.BETTING, g.LIVE),
        {"kind": "wrong-dealing", "round": 1, "cards": ("9C",)},
        "no card of a past round is still to be laid out: give its hands",
        "11.4.1",
    ),
    RefusalCase(
        "L8 hands of cards",
        in_phase(Phase.BETTING, g.LIVE),
        {"kind": "wrong-dealing", "round": 1, "player": ("KH", "7D"), "banker": ("2S", "zz")},
        "'zz' is no card: expected a rank A 2 3 4 5 6 7 8 9 T J Q K (10 is read too) and a suit S H D C, as in 9H",
        "L1",
    ),
)


RULINGS: Final = (
    RefusalCase(
        "O28 the cards are out of a virtual shoe",
        virtual,
        {"kind": "excess-card", "count": 1},
        "the cards have left the shoe: rule on them",
        "5.8",
        {"by": "sam", "action": "unfounded"},
    ),
    RefusalCase(
        "5.11 an order of other cards",
        in_phase(Phase.COMPLETE),
        {"kind": "simultaneous"},
        "expected an order of exactly the cards of this round",
        "5.11",
        {"by": "sam", "order": ("KH", "9C")},
    ),
    RefusalCase(
        "5.13 a round whose shoe has ended is not reopened",
        in_phase(Phase.NO_SHOE),
        {"kind": "damaged-card", "place": "P1"},
        "the shoe of that round has ended, and it can't be reopened: the card on record, or none and it is void",
        "5.13",
        {"by": "sam", "card": "9C"},
    ),
    RefusalCase(
        "5.13 a virtual shoe knows what it gave",
        virtual,
        {"kind": "damaged-card", "place": "P1"},
        "the record has another card at P1",
        "5.13",
        {"by": "sam", "card": "9C"},
    ),
    RefusalCase(
        "5.15.2 too few cards for a coup",
        in_phase(Phase.BETTING, g.LIVE),
        {"kind": "wrong-dealing", "round": 1, "player": ("KH", "3D"), "banker": ("2S", "3C")},
        "the cards of that round do not make a whole coup: it can't be put right",
        "11.4.1",
        {"by": "mia"},
    ),
    RefusalCase(
        "5.15.2 an order of other cards",
        in_phase(Phase.BETTING),
        {"kind": "late-table-of-play", "round": 1, "player": ("KH", "7D"), "banker": ("2S", "3C", "4H", "9H")},
        "expected an order of exactly the cards of that round",
        "5.15",
        {"by": "mia", "order": ("KH", "9C")},
    ),
    RefusalCase(
        "L2 more cards than the shoe has",
        in_phase(Phase.READY, g.LIVE),
        {"kind": "commencement"},
        "that many cards can't be skipped",
        "11.1.2",
        {"by": "mia", "skip": 999},
    ),
    RefusalCase(
        "L6 an order of other cards",
        in_phase(Phase.DEALING, g.LIVE),
        {"kind": "wrong-dealing", "cards": ("9C",)},
        "expected an order of exactly the cards that were reported",
        "11.4.1",
        {"by": "mia", "order": ("9H",)},
    ),
    RefusalCase(
        "L6 a round whose shoe has ended is not reopened",
        in_phase(Phase.NO_SHOE, g.LIVE),
        {"kind": "wrong-dealing", **FOUR},
        "the shoe of that round has ended: the round is void or stands, and can't be reopened",
        "11.4.1",
        {"by": "mia"},
    ),
    RefusalCase(
        "L8 a shoe ends once",
        new_shoe(g.LIVE),
        {"kind": "wrong-dealing", "round": 1, "player": ("KH", "7D"), "banker": ("2S", "3C", "9H")},
        "the shoe of that round has ended already",
        "11.4.2",
        {"by": "mia", "end_shoe": True},
    ),
    RefusalCase(
        "5.23 which action",
        in_phase(Phase.DEALING),
        {"kind": "discretion"},
        "expected an action that fits: unfounded, resettle, stand, void, options, pay",
        "5.23",
        {"by": "tess"},
    ),
    RefusalCase(
        "a reason has an end",
        in_phase(Phase.DEALING),
        {"kind": "discretion"},
        "a reason has at most 2000 characters",
        "5.23",
        {"by": "tess", "action": "stand", "reason": "x" * 2001},
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


def test_5_17_1_whoever_left_after_the_report_is_offered_nothing_late() -> None:
    table = alone()
    g.report(table, "insurance-missed", after=Moment.FOUR_CARDS)
    do(table, c.Leave(patron="ann"))
    answer = table.send(c.DecideIrregularity(by="mia", reason=g.WHY))
    assert isinstance(answer, Refusal)
    assert (answer.message, answer.paragraph) == ("none of the patrons concerned can take the offer now", "5.17.1")


def test_5_8_cards_of_a_live_shoe_that_are_only_counted_lie_face_down() -> None:
    table = g.init_round(C25, "KH 2S")
    g.report(table, "excess-card", count=2)
    assert table.table.irregularity is not None
    assert [(card.face, card.exposed) for card in table.table.irregularity.cards] == [(None, False)] * 2


@pytest.mark.parametrize("first", [True, False])
def test_5_17_2_who_took_the_first_offer_may_have_missed_the_second(first: bool) -> None:
    """Player 5 against Banker 4, then 9 against 4; the Banker's five makes a tie, and insurance at 9 is paid on it."""
    table = g.init_round(C25, "KH QS 5D 4C", ("ann", "player", 10_000))
    if first:
        g.insure(table, 1_000)
    g.draw(table, "4H 5S")
    missed = c.ReportIrregularity(by="dora", kind="insurance-missed", after=Moment.PLAYER_THIRD)
    if first:
        do(table, missed)
    else:
        assert g.refused(table, missed) == ("bad-report", "5.17"), "who let the first pass had no second (5.3)"


def test_i3_the_banker_s_third_card_passes_with_the_squeeze_to_the_next_highest_wager() -> None:
    table = g.init_round(C25, "? ? ? ?", ("ann", "player", 20_000), ("bob", "player", 10_000), facing="down")
    for place, face in (("P1", "KH"), ("B1", "2S"), ("P2", "4D"), ("B2", "KC")):
        do(table, c.ExposeCard(by="dora", place=place, card=face))
    do(table, c.AskBankerFirst(patron="ann", way="squeeze"), c.GrantBankerFirst(by="sam"))
    g.report(table, "discretion")
    g.decide(table, "tess", action="options")
    g.choose(table, ann="returned")
    assert table.table.current.banker_first is not None
    assert table.table.current.banker_first.patron == "bob"


def test_5_8_twelve_cards_may_lie_there_and_no_more() -> None:
    """More than this never leaves a shoe by mistake."""
    fives = ("5S", "5H", "5D", "5C", "6S", "6H", "6D")
    for more, answer in ((fives, None), ((*fives, "6C"), ("bad-report", "3.15"))):
        table = standing(C25, Phase.COMPLETE)
        assert table is not None
        hands = c.ReportIrregularity(
            by="dora", kind="excess-card", player=("KH", "7D"), banker=("2S", "3C", "4H", *more)
        )
        if answer is None:
            do(table, hands)
        else:
            assert g.refused(table, hands) == answer


def test_5_17_1_a_late_offer_that_was_declined_is_open_to_nobody() -> None:
    table = alone()
    g.report(table, "insurance-missed", after=Moment.FOUR_CARDS)
    g.decide(table, "mia")
    assert late_patrons(table) == ("ann",)
    do(table, c.DeclineInsurance(patron="ann", after=Moment.FOUR_CARDS))
    assert late_patrons(table) == ()


def late_patrons(table: Ruled) -> tuple[str, ...]:
    late = table.table.current.late_offer
    return () if late is None else late.patrons
