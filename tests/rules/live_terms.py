"""Section 11 of the Live page, first half: commencement and blue card (L2, L3)."""

from __future__ import annotations

from typing import Any

from punto.cards import POINTS
from punto.game import commands as c
from punto.game import events as e
from punto.game.irregularities import late
from punto.game.table import Phase
from punto.rulebook.model import Rulebook
from tests.rules.breaking_tables import (
    Step,
    another_ruling,
    answers,
    at_another_table,
    events_changed,
    fits,
    nothing_done,
    procedure,
    remedy,
    replace,
    row,
    step,
    with_another_command,
)
from tests.rules.proving import proves
from tests.rules.seating import (
    PLAYER_9,
    Seating,
    ruled,
    with_paragraphs,
)

OPEN = c.OpenBetting(by="dora")
BLUE = c.DrawCutCard(by="dora")
NEW_SHOE = c.LoadShoe(by="dora", count=416, shuffled=True)

# 11.1: commencement


def _by_points(event: Any) -> Any:
    return replace(event, skipped=POINTS[event.card[0]])


@proves("commencement.skip", broken_by=(procedure(burn="none"), answers(c.Burn, events_changed(_by_points))))
def skips(rules: Rulebook) -> None:
    """A new shoe opens its first card and skips as many cards as its rank says; ten for a ten or a picture."""
    for card, drawn in (("AS", 2), ("7D", 8), ("TC", 11), ("JC", 11), ("QD", 11), ("KH", 11)):
        table = Seating(rules, load=False)
        table.do(NEW_SHOE)
        assert table.refused(OPEN)[0] == "not-now", "not before that"
        assert with_paragraphs(table.do(c.Burn(by="dora", card=card))) == [("cards-burnt", "11.1.1")]
        assert table.table.in_use.drawn == drawn, card


@proves(
    "commencement.failure",
    broken_by=(
        fits("commencement", lambda *arguments: False),
        fits("commencement", lambda *arguments: True),
        row("commencement", decided_by="pit-supervisor"),
    ),
)
def failure(rules: Rulebook) -> None:
    """A mistake at commencement is put right until the first hand is dealt; after that the shoe is replaced."""
    table = Seating(rules)
    table.bet()
    table.report("commencement")
    assert with_paragraphs(table.decide("dora", skip=3))[1:] == [
        ("cards-discarded", "11.1.2"),
        ("play-resumed", "11.1.2"),
    ]
    assert (table.table.in_use.drawn, table.phase) == (5, Phase.BETTING)
    table.close()
    table.draw("KH")
    table.report("commencement")
    assert table.refused(ruled("sam")) == ("wrong-rank", "11.1.2")
    assert with_paragraphs(table.decide("mia"))[-1] == ("shoe-ended", "11.1.2")
    assert (table.phase, table.gained("ann", "bob")) == (Phase.NO_SHOE, (0, 0))
    table.load()
    table.play(PLAYER_9)


@proves("commencement.void", broken_by=another_ruling(with_another_command(lambda k: replace(k, void_rounds=()))))
def rounds_of_an_invalid_shoe(rules: Rulebook) -> None:
    """Management may void finished rounds of an invalid shoe, those that it names."""
    for void, ann in (((1,), 100_00), ((), 200_00), ((1, 2), 0)):
        table = Seating(rules)
        table.play(PLAYER_9)
        table.play("KD 2H 9H 3D")
        table.report("commencement")
        events = table.decide("mia", void_rounds=void)
        assert [cite for tag, cite in with_paragraphs(events) if "void" in tag or "corrected" in tag] == [
            "11.1.3"
        ] * len(void)
        assert table.gained("ann") == (ann,)


# 11.2: the blue card


def _not_last(table: Any) -> Any:
    return replace(table, shoe=replace(table.in_use, last_round=False))


ONE_MORE = answers(c.OpenBetting, at_another_table(_not_last))


@proves("blue-card.last", broken_by=ONE_MORE)
def blue_card(rules: Rulebook) -> None:
    """The blue card marks the last hand: the next is dealt from a new shoe."""
    table = Seating(rules)
    table.deal("KH 2S 9D")
    table.do(BLUE)
    table.draw("3C")
    table.settle()
    assert table.refused(OPEN) == ("last-round", "11.2.1")
    table.do(c.EndShoe(by="dora"))
    table.load()
    table.do(OPEN)


def _ends_the_hand(real: Step) -> Step:
    return lambda rules, table, command: (*real(rules, table, command), e.RoundConcluded(paragraph="11.2.2"))


@proves("blue-card.during", broken_by=(answers(c.DrawCutCard, _ends_the_hand), ONE_MORE))
def blue_card_during_a_hand(rules: Rulebook) -> None:
    """A hand in which the blue card comes is dealt to its end and settled, and is the last."""
    for first, second in (("", PLAYER_9), ("KH 2S", "9D 3C")):
        table = Seating(rules)
        table.deal(first)
        assert with_paragraphs(table.do(BLUE)) == [("cut-card-drawn", "11.2.2")]
        table.draw(second)
        table.settle()
        assert table.gained("ann", "bob") == (100_00, -100_00)
        assert table.refused(OPEN)[0] == "last-round"


@proves("blue-card.between", broken_by=(procedure(cut_card_between="last-round"), ONE_MORE))
def blue_card_between_hands(rules: Rulebook) -> None:
    """After a blue card between hands no further hand starts, from a live shoe or a virtual one."""
    table = Seating(rules)
    table.play(PLAYER_9)
    assert with_paragraphs(table.do(BLUE)) == [("cut-card-drawn", "11.2.3")]
    assert table.refused(OPEN)[0] == "last-round"
    virtual = Seating(rules, order=f"AS 2D {PLAYER_9}")
    virtual.do(c.PlaceCutCard(by="dora", after=6))
    virtual.play("? ? ? ?")
    assert with_paragraphs(virtual.do(OPEN)) == [("cut-card-drawn", "11.2.3")]
    assert (virtual.phase, virtual.table.rounds) == (Phase.SETTLED, 1)


def _stands(rules: Any, table: Any, past: Any, paragraph: str) -> Any:
    """A past round stays as it was."""
    return e.PastRoundCorrected(
        paragraph=paragraph, round=past.number, void=False, winner=past.winner, lines=past.lines, entries=()
    )


@proves("blue-card.after", broken_by=(remedy("blue-card", nothing_done), step(late, "whole_void", _stands)))
def dealt_after_the_last(rules: Rulebook) -> None:
    """Hands 2, 3 and 4 were dealt after the blue card: all are void, hand 1 stands."""
    table = Seating(rules)
    table.play(PLAYER_9)
    table.play("KD 2H 9H 3D")
    table.play("KC 2C 9C 3H")
    table.deal("KS")
    table.report("blue-card", round=2)
    decided = table.decide("dora")
    corrected = ("past-round-corrected", "11.2.4")
    assert with_paragraphs(decided)[1:4] == [corrected, corrected, ("round-voided", "11.2.4")]
    assert table.gained("ann", "bob") == (100_00, -100_00)
    assert table.table.in_use.results == {1: "P"}
    assert table.refused(OPEN)[0] == "last-round"
