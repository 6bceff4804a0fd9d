"""Cards too many, misplaced, shown or drawn together (5.8 to 5.11; 2024: 5.7 to 5.10); errors found late (5.14)."""

from __future__ import annotations

from typing import Any

from punto.game import commands as c
from punto.game import events as e
from punto.game.irregularities import carried_out, dealing_errors
from punto.rulebook.model import Rulebook
from tests.rules.breaking_tables import Step, answers, at_another_table, other_value, remedy, replace, row, step
from tests.rules.printed_pays import TB_2024, TB_FREE_2024
from tests.rules.proving import Break, proves
from tests.rules.seating import (
    PLAYER_9,
    SEVEN_FIVE,
    Seating,
    options_given,
    ruled,
    with_paragraphs,
)


def _laid(change: Any) -> Break:
    """Cards are laid out in another order."""
    real = carried_out.reconstructed

    def laid(rules: Any, table: Any, cards: Any, cite: str) -> Any:
        return real(rules, table, change(cards), cite)

    return step(dealing_errors, "reconstructed", laid)


BACKWARDS = _laid(lambda cards: cards[::-1])

# 5.8: cards too many


@proves(
    "excess-card",
    broken_by=(
        BACKWARDS,
        _laid(lambda cards: cards[:2]),
        other_value("excess-card", "discretion", "reasonable", "absolute"),
        row("excess-card", decided_by="dealer"),
    ),
)
def excess_card(rules: Rulebook) -> None:
    """A Pit Supervisor has excess cards reconstructed, in 2025 with a reason; those left over open the next round."""
    table = Seating(rules)
    cite = table.number("excess-card")
    table.deal("KH 2S")
    table.report("excess-card", cards=("9D", "3C", "4H"))
    assert table.refused(ruled("dora")) == ("wrong-rank", cite)
    if rules.id in (TB_2024, TB_FREE_2024):
        decided = table.decide("sam", reason="")
    else:
        assert table.refused(ruled("sam", reason="")) == ("reason-needed", cite)
        decided = table.decide("sam")
    assert ("cards-reconstructed", cite) in with_paragraphs(decided)
    assert list(table.faces.values()) == PLAYER_9.split()
    table.settle()
    assert table.gained("ann", "bob") == (100_00, -100_00)
    table.deal("?")
    assert table.faces == {"P1": "4H"}


@proves(
    "excess-card.options",
    broken_by=(row("excess-card", options="never"), row("excess-card", options="always")),
)
def excess_card_options(rules: Rulebook) -> None:
    """All patrons have the options while no outcome is established; the card too many counts for nothing (I2)."""
    table = Seating(rules)
    table.deal("KH")
    table.report("excess-card", cards=("2S",))
    opened = table.decide("sam")[-1]
    assert opened == e.OptionsOpened(
        paragraph=table.number("excess-card.options"), patrons=("ann", "bob"), reconstructed=True
    )
    table = Seating(rules)
    table.deal("KH 2S 9D")
    table.report("excess-card", cards=("3C",))
    assert not options_given(table.decide("sam"))


# 5.9: the wrong hand


@proves(
    "wrong-hand",
    broken_by=(
        row("wrong-hand", options="never"),
        row("wrong-hand", options="always"),
        row("wrong-hand", options="unless-established"),
        row("wrong-hand", decided_by="dealer"),
        BACKWARDS,
    ),
)
def wrong_hand(rules: Rulebook) -> None:
    """The cards are put right; patrons have the options, unless that was done and an outcome is established."""
    for dealt, cards, rebuilt, expected in (
        ("KH", ("2S",), True, True),
        ("KH 2S", ("9D", "3C"), True, False),
        (PLAYER_9, (), True, False),
        (PLAYER_9, (), False, True),
    ):
        table = Seating(rules)
        table.deal(dealt)
        table.report("wrong-hand", cards=cards)
        assert table.refused(ruled("dora")) == ("wrong-rank", table.number("wrong-hand"))
        decided = table.decide("sam", reconstruct=rebuilt)
        assert options_given(decided) == expected, f"{dealt} and {cards}, reconstructed: {rebuilt}"
        assert {event.paragraph for event in decided if not isinstance(event, e.CoupCompleted)} == {
            table.number("wrong-hand")
        }
        assert list(table.faces.values()) == [*dealt.split(), *cards]


def _left_lying(real: Step) -> Step:
    """The cards stay in the wrong hand."""

    def stays(rules: Any, table: Any, row: Any, command: Any) -> Any:
        return carried_out.options_or_on(rules, table, row, rebuilt=False)

    return stays


@proves("wrong-hand.area", broken_by=(BACKWARDS, remedy("wrong-hand", _left_lying)))
def wrong_area(rules: Rulebook) -> None:
    """9D and 3C were laid in the area of the other hand: each goes where it belongs."""
    table = Seating(rules)
    table.deal("KH 2S")
    told_of = table.report("wrong-hand", cause="area", cards=("9D", "3C"))
    assert [event.paragraph for event in told_of] == [table.number("wrong-hand.area")]
    table.decide("sam")
    assert table.faces == {"P1": "KH", "B1": "2S", "P2": "9D", "B2": "3C"}
    table.settle()
    assert table.gained("ann", "bob") == (100_00, -100_00)


@proves("wrong-hand.person", broken_by=remedy("wrong-hand", _left_lying))
def wrong_person(rules: Rulebook) -> None:
    """Unseen, P2 and B2 were handed to whoever holds the other hand: they come back, and the round is played on."""
    table = Seating(rules, facing="down")
    table.deal("? ?")
    told_of = table.report("wrong-hand", cause="person", count=2)
    assert [event.paragraph for event in told_of] == [table.number("wrong-hand.person")]
    assert options_given(table.decide("sam"))
    table.choose()
    assert list(table.faces) == ["P1", "B1", "P2", "B2"]
    table.turn(P1="KH", B1="2S", P2="9D", B2="3C")
    table.settle()
    assert table.gained("ann", "bob") == (100_00, -100_00)


# 5.10: face up


def _void(real: Step) -> Step:
    return lambda rules, table, row, command: carried_out.void(rules, table, row.cite)


@proves(
    "face-up",
    broken_by=(row("face-up", options="never"), row("face-up", options="always"), remedy("face-up", _void)),
)
def face_up(rules: Rulebook) -> None:
    """A card is turned up at a face-down table: play goes on, the result counts; options while none is established."""
    table = Seating(rules, facing="down")
    table.deal("? ? ? ?")
    table.report("face-up", place="P1", card="KH")
    assert with_paragraphs(table.decide("dora"))[-1] == ("options-opened", table.number("face-up"))
    table.choose(bob="returned")
    table.turn(B1="2S", B2="3C")
    table.report("face-up", place="P2", card="9D")
    assert not options_given(table.decide("dora"))
    table.settle()
    assert table.gained("ann", "bob") == (100_00, 0)


# 5.11: together


def drawn_together(rules: Rulebook) -> Seating:
    table = Seating(rules)
    table.deal("KH 2S")
    table.report("simultaneous", cards=("3C", "9D"))
    return table


@proves(
    "simultaneous",
    broken_by=(
        row("simultaneous", decided_by="dealer"),
        step(dealing_errors, "in_named_order", lambda cards, order: cards),
    ),
)
def simultaneous(rules: Rulebook) -> None:
    """A Pit Supervisor states the order of exactly the cards that came together."""
    table = drawn_together(rules)
    cite = table.number("simultaneous")
    assert table.refused(ruled("dora", order=("9D", "3C"))) == ("wrong-rank", cite)
    for wrong in ((), ("9D",), ("9D", "9D"), ("9D", "4H")):
        assert table.refused(ruled("sam", order=wrong)) == ("bad-ruling", cite)
    table.decide("sam", order=("9D", "3C"))
    assert list(table.faces.values()) == PLAYER_9.split()
    other = drawn_together(rules)
    other.decide("mia", order=("3C", "9D"))
    assert other.faces == {"P1": "KH", "B1": "2S", "P2": "3C", "B2": "9D"}


@proves(
    "simultaneous.options",
    broken_by=(row("simultaneous", options="never"), row("simultaneous", options="unless-established")),
)
def simultaneous_options(rules: Rulebook) -> None:
    """All patrons have the options, also after an outcome is established."""
    table = drawn_together(rules)
    decided = table.decide("sam", order=("9D", "3C"))
    assert with_paragraphs(decided)[-1] == ("options-opened", table.number("simultaneous.options"))
    table.choose(bob="returned")
    table.settle()
    assert table.gained("ann", "bob") == (100_00, 0)


def _no_new_cards(table: Any) -> Any:
    return replace(table, shoe=replace(table.in_use, replace_due=False))


@proves("simultaneous.replace", broken_by=answers(c.OpenBetting, at_another_table(_no_new_cards)))
def simultaneous_replace(rules: Rulebook) -> None:
    """The Pit Supervisor may order new cards from the next round on; without that, play goes on with these."""
    table = drawn_together(rules)
    cite = table.number("simultaneous.replace")
    assert table.refused(ruled("dora", order=("9D", "3C"), replace_cards=True))[0] == "wrong-rank"
    assert ("replacement-ordered", cite) in with_paragraphs(table.decide("sam", order=("9D", "3C"), replace_cards=True))
    table.choose()
    table.settle()
    assert table.refused(c.OpenBetting(by="dora")) == ("replacement-due", cite)
    table.do(c.EndShoe(by="dora"))
    table.load()
    table.bet()
    same = drawn_together(rules)
    same.decide("sam", order=("9D", "3C"))
    same.choose()
    same.settle()
    same.bet()


# 5.14: found later


def _voids_this_round(rules: Any, table: Any, row: Any, command: Any) -> Any:
    return carried_out.void(rules, table, row.cite)


@proves("late-discovery", broken_by=remedy("late-discovery", lambda real: _voids_this_round))
def late_discovery(rules: Rulebook) -> None:
    """An error in round 1, seen in round 3: rounds 2 and 3 are as they were."""
    table = Seating(rules)
    table.play(PLAYER_9)
    table.play(f"{SEVEN_FIVE} 4H")
    table.deal("KD 2H")
    before = (table.table.past[2], table.current, table.gained("ann", "bob"))
    events = table.report("late-discovery", round=1)
    assert {event.paragraph for event in events} == {table.number("late-discovery")}
    assert (table.table.past[2], table.current, table.gained("ann", "bob")) == before
    table.draw("9H 3D")
    table.settle()
    assert table.current.winner == "player"
