"""Section 11 of the Live page: commencement, blue card, exposed cards, wrong dealing, dropped cards (L2, L3, L6 to L8)."""

from __future__ import annotations

from typing import Any

from punto.cards import POINTS
from punto.game import commands as c
from punto.game import events as e
from punto.game.irregularities import carried_out, live, report
from punto.game.table import Phase
from punto.rulebook.model import Rulebook
from tests.rules.breaking_tables import (
    Step,
    answers,
    at_another_table,
    events_changed,
    nothing_done,
    procedure,
    remedy,
    replace,
    reportable,
    row,
    step,
    with_another_command,
)
from tests.rules.proving import proves
from tests.rules.seating import (
    PLAYER_9,
    SEVEN_FIVE,
    Seating,
    banker_pays,
    insure,
    reported,
    ruled,
    tags,
    told,
)

OPEN = c.OpenBetting(by="dora")
BLUE = c.DrawCutCard(by="dora")
NEW_SHOE = c.LoadShoe(by="dora", count=416, shuffled=True)

# 11.1: commencement


def _by_points(one: Any) -> Any:
    return replace(one, skipped=POINTS[one.card[0]])


@proves("commencement.skip", broken_by=(procedure(burn="none"), answers(c.Burn, events_changed(_by_points))))
def skips(rules: Rulebook) -> None:
    """Every new shoe opens its first card, and as many are skipped as it says; ten for a picture."""
    for card, drawn in (("AS", 2), ("7D", 8), ("TC", 11), ("JC", 11), ("QD", 11), ("KH", 11)):
        table = Seating(rules, load=False)
        table.do(NEW_SHOE)
        assert table.refused(OPEN)[0] == "not-now", "not before that"
        assert told(table.do(c.Burn(by="dora", card=card))) == [("cards-burnt", "11.1.1")]
        assert table.table.in_use.drawn == drawn, card


@proves(
    "commencement.failure",
    broken_by=(
        step(live, "begun", lambda table: False),
        step(live, "begun", lambda table: True),
        row("commencement", decided_by="pit-supervisor"),
    ),
)
def failure(rules: Rulebook) -> None:
    """Put right on the spot until the first hand is dealt; after that the shoe is invalid and replaced."""
    table = Seating(rules)
    table.bet()
    table.report("commencement")
    assert table.refused(ruled("sam", skip=3)) == ("wrong-rank", "11.1.2")
    assert told(table.decide("mia", skip=3))[1:] == [("cards-discarded", "11.1.2"), ("play-resumed", "11.1.2")]
    assert (table.table.in_use.drawn, table.phase) == (5, Phase.BETTING)
    table.close()
    table.draw("KH")
    table.report("commencement")
    assert told(table.decide("mia"))[-1] == ("shoe-ended", "11.1.2")
    assert (table.phase, table.gained("ann", "bob")) == (Phase.NO_SHOE, (0, 0))
    table.load()
    table.play(PLAYER_9)


@proves("commencement.void", broken_by=remedy("commencement", with_another_command(lambda k: replace(k, void_rounds=()))))
def rounds_of_an_invalid_shoe(rules: Rulebook) -> None:
    """Management may void finished rounds of it, those that it names."""
    for void, ann in (((1,), 100_00), ((), 200_00), ((1, 2), 0)):
        table = Seating(rules)
        table.play(PLAYER_9)
        table.play("KD 2H 9H 3D")
        table.report("commencement")
        events = table.decide("mia", void_rounds=void)
        assert [cite for tag, cite in told(events) if "void" in tag or "corrected" in tag] == ["11.1.3"] * len(void)
        assert table.gained("ann") == (ann,)


# 11.2: the blue card


def _not_last(table: Any) -> Any:
    return replace(table, shoe=replace(table.in_use, last_round=False))


ONE_MORE = answers(c.OpenBetting, at_another_table(_not_last))


@proves("blue-card.last", broken_by=ONE_MORE)
def blue_card(rules: Rulebook) -> None:
    """It marks the last hand: the next is dealt from a new shoe."""
    table = Seating(rules)
    table.deal("KH 2S 9D")
    assert told(table.do(BLUE)) == [("cut-card-drawn", "11.2.1")]
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
    """That hand is dealt to its end and settled, and is the last."""
    for first, second in (("", PLAYER_9), ("KH 2S", "9D 3C")):
        table = Seating(rules)
        table.deal(first)
        table.do(BLUE)
        table.draw(second)
        table.settle()
        assert table.gained("ann", "bob") == (100_00, -100_00)
        assert table.refused(OPEN)[0] == "last-round"


@proves("blue-card.between", broken_by=(procedure(cut_card_between="last-round"), ONE_MORE))
def blue_card_between_hands(rules: Rulebook) -> None:
    """No further hand starts, from a live shoe or a virtual one."""
    table = Seating(rules)
    table.play(PLAYER_9)
    assert told(table.do(BLUE)) == [("cut-card-drawn", "11.2.3")]
    assert table.refused(OPEN)[0] == "last-round"
    virtual = Seating(rules, order=f"AS 2D {PLAYER_9}")
    virtual.do(c.PlaceCutCard(by="dora", after=6))
    virtual.play("? ? ? ?")
    assert told(virtual.do(OPEN)) == [("cut-card-drawn", "11.2.3")]
    assert (virtual.phase, virtual.table.rounds) == (Phase.SETTLED, 1)


@proves(
    "blue-card.after", broken_by=(remedy("blue-card", nothing_done), step(live, "whole_void", lambda *given: _none(*given)))
)
def dealt_after_the_last(rules: Rulebook) -> None:
    """Hands 2 and 3 were dealt after the blue card: both are void, hand 1 stands."""
    table = Seating(rules)
    table.play(PLAYER_9)
    table.play("KD 2H 9H 3D")
    table.deal("KC")
    table.report("blue-card", round=2)
    decided = table.decide("dora")
    assert told(decided)[1:3] == [("past-round-corrected", "11.2.4"), ("round-voided", "11.2.4")]
    assert table.gained("ann", "bob") == (100_00, -100_00)
    assert table.table.in_use.results == {1: "P"}
    assert table.refused(OPEN)[0] == "last-round"


def _none(rules: Any, table: Any, past: Any, paragraph: str) -> Any:
    """A past round stays as it was."""
    return e.PastRoundCorrected(
        paragraph=paragraph, round=past.number, void=False, winner=past.winner, lines=past.lines, entries=()
    )


# 11.3: exposed cards


def _goes_on(rules: Any, table: Any, row: Any, command: Any) -> Any:
    return carried_out.as_it_stood(table, row.cite)


def _void_at_once(rules: Any, table: Any, row: Any, command: Any) -> Any:
    if table.round is None or table.round.ended:
        return (*_goes_on(rules, table, row, command), e.ShoeEnded(paragraph=row.cite, shoe=1, by=command.by))
    return carried_out.void(rules, table, row.cite)


@proves("exposed.betting", broken_by=(step(carried_out, "at_once", _goes_on), row("exposed-while-betting", decided_by="pit-manager")))
def exposed_while_bets_are_on_offer(rules: Rulebook) -> None:
    """The hand is void, at once: while betting is open, and while insurance is (L8)."""
    betting = Seating(rules)
    betting.bet()
    offer = Seating(rules)
    offer.deal(SEVEN_FIVE)
    offer.do(insure("ann", 10_00))
    for table in (betting, offer):
        assert told(table.report("exposed-while-betting", cards=("9C",)))[-1] == ("round-voided", "11.3.1")
        assert table.gained("ann", "bob") == (0, 0)


@proves(
    "exposed.unneeded",
    broken_by=(
        remedy("unneeded-card", lambda real: lambda r, t, row, k: carried_out.void(r, t, row.cite)),
        remedy("unneeded-card", with_another_command(lambda k: replace(k, end_shoe=False))),
        remedy("unneeded-card", with_another_command(lambda k: replace(k, end_shoe=True))),
        row("unneeded-card", decided_by="dealer"),
    ),
)
def unneeded(rules: Rulebook) -> None:
    """The result by the card rules stands, the card is burnt, and management may end the shoe."""
    for end in (True, False):
        table = Seating(rules)
        table.deal(PLAYER_9)
        table.report("unneeded-card", cards=("4H",))
        assert table.refused(ruled("sam")) == ("wrong-rank", "11.3.2")
        assert told(table.decide("mia", end_shoe=end))[1] == ("cards-discarded", "11.3.2")
        table.settle()
        assert table.gained("ann", "bob") == (100_00, -100_00)
        assert table.table.in_use.carried == ()
        assert table.table.in_use.last_round == end


@proves(
    "exposed.shuffling",
    broken_by=(
        row("exposed-while-shuffling", decided_by="pit-supervisor"),
        row("exposed-while-shuffling", decided_by="nobody"),
        remedy("exposed-while-shuffling", nothing_done),
    ),
)
def exposed_in_the_shuffle(rules: Rulebook) -> None:
    """Management decides, by the stage and the number of cards: so with its reason on record."""
    table = Seating(rules, load=False)
    table.report("exposed-while-shuffling", note="three cards, at the second riffle")
    assert table.phase is Phase.IRREGULARITY
    assert table.refused(ruled("sam")) == ("wrong-rank", "11.3.3")
    assert table.refused(ruled("mia", reason="")) == ("reason-needed", "11.3.3")
    assert told(table.decide("mia"))[-1] == ("play-resumed", "11.3.3")
    table.load()
    table.play(PLAYER_9)


@proves("exposed.commencement", broken_by=step(carried_out, "at_once", _void_at_once))
def exposed_at_commencement(rules: Rulebook) -> None:
    """It changes nothing: the shoe is as it was, and is played."""
    table = Seating(rules, load=False)
    table.do(NEW_SHOE)
    before = table.table.shoe
    assert told(table.report("exposed-at-commencement"))[-1] == ("play-resumed", "11.3.4")
    assert (table.table.shoe, table.phase) == (before, Phase.COMMENCING)
    table.do(c.Burn(by="dora", card="AS"))
    table.play(PLAYER_9)


# 11.4: wrong dealing


@proves(
    "wrong-dealing",
    broken_by=(
        row("wrong-dealing", decided_by="pit-supervisor"),
        remedy("wrong-dealing", with_another_command(lambda k: replace(k, reconstruct=True))),
        remedy("wrong-dealing", with_another_command(lambda k: replace(k, reconstruct=False))),
        step(live, "put_right", lambda rules, table, placed, carried, paragraph: ()),
    ),
)
def wrong_dealing(rules: Rulebook) -> None:
    """Management has the hand reconstructed, corrects its result, or voids it."""
    table = Seating(rules)
    table.deal("KH 2S")
    table.report("wrong-dealing", cards=("9D", "3C"))
    assert table.refused(ruled("sam")) == ("wrong-rank", "11.4.1")
    assert ("cards-reconstructed", "11.4.1") in told(table.decide("mia"))
    table.settle()
    assert table.gained("ann", "bob") == (100_00, -100_00)
    table.report("wrong-dealing", player=("KH", "6D"), banker=("2S", "3C", "4H"))
    assert ("round-reopened", "11.4.1") in told(table.decide("mia"))
    table.settle()
    assert table.gained("ann", "bob") == (-100_00, banker_pays(rules))
    table.report("wrong-dealing", player=("KH", "5D"), banker=("2S", "3C"))
    assert ("round-voided", "11.4.1") in told(table.decide("mia", reconstruct=False))
    assert table.gained("ann", "bob") == (0, 0)


@proves(
    "wrong-dealing.shoe",
    broken_by=(
        remedy("wrong-dealing", with_another_command(lambda k: replace(k, end_shoe=True))),
        remedy("wrong-dealing", with_another_command(lambda k: replace(k, end_shoe=False))),
    ),
)
def wrong_dealing_and_the_shoe(rules: Rulebook) -> None:
    """Management goes on with the shoe, or has done with it."""
    for end in (False, True):
        table = Seating(rules)
        table.deal("KH 2S")
        table.report("wrong-dealing", cards=("9D", "3C"))
        events = table.decide("mia", end_shoe=end)
        assert (("cut-card-drawn", "11.4.2") in told(events)) == end
        table.settle()
        if end:
            assert table.refused(OPEN)[0] == "last-round"
        else:
            table.do(OPEN)


# 11.5: dropped cards


@proves("dropped.outside-play", broken_by=step(carried_out, "at_once", _void_at_once))
def dropped_outside_play(rules: Rulebook) -> None:
    """In the shuffle, at commencement, while burning or scooping: it is picked up and used again."""
    for bring in (lambda t: None, lambda t: t.do(NEW_SHOE), lambda t: t.load(), _played):
        table = Seating(rules, load=False)
        bring(table)
        before = (table.phase, table.table.shoe, table.gained("ann", "bob"))
        for seen in (True, False):
            assert told(table.report("dropped-card", exposed=seen))[-1] == ("play-resumed", "11.5.1")
            assert (table.phase, table.table.shoe, table.gained("ann", "bob")) == before


def _played(table: Seating) -> None:
    table.load()
    table.play(PLAYER_9)


@proves(
    "dropped.dealing", broken_by=(step(carried_out, "at_once", _goes_on), step(carried_out, "at_once", _void_at_once))
)
def dropped_in_the_deal(rules: Rulebook) -> None:
    """Seen before it fell out of sight it counts; else the hand is void, and the shoe goes on."""
    seen = Seating(rules)
    seen.deal("KH 2S")
    assert told(seen.report("dropped-card", exposed=True))[-1] == ("play-resumed", "11.5.2")
    seen.draw("9D 3C")
    seen.settle()
    assert seen.gained("ann", "bob") == (100_00, -100_00)
    unseen = Seating(rules)
    unseen.deal("KH 2S")
    assert told(unseen.report("dropped-card", exposed=False))[-1] == ("round-voided", "11.5.2")
    assert unseen.gained("ann", "bob") == (0, 0)
    unseen.play("KD 2H 9H 3D")
    assert unseen.table.in_use.number == 1
