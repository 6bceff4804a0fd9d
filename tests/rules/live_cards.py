"""Section 11 of the Live page, second half: exposed, wrongly dealt and dropped cards (L6 to L8)."""

from __future__ import annotations

from typing import Any

from punto.game import commands as c
from punto.game import events as e
from punto.game.irregularities import carried_out, live
from punto.game.table import Phase
from punto.rulebook.model import Rulebook
from tests.rules.breaking_tables import another_ruling, remedy, replace, row, step, unwritten, with_another_command
from tests.rules.proving import proves
from tests.rules.seating import (
    PLAYER_9,
    SEVEN_FIVE,
    Seating,
    banker_pays,
    insure,
    ruled,
    with_paragraphs,
)

OPEN = c.OpenBetting(by="dora")
BLUE = c.DrawCutCard(by="dora")
NEW_SHOE = c.LoadShoe(by="dora", count=416, shuffled=True)

# 11.3: exposed cards


def _goes_on(rules: Any, table: Any, row: Any, command: Any) -> Any:
    return carried_out.as_it_stood(table, row.cite)


def _void_at_once(rules: Any, table: Any, row: Any, command: Any) -> Any:
    if table.round is None or table.round.ended:
        return (*_goes_on(rules, table, row, command), e.ShoeEnded(paragraph=row.cite, shoe=1, by="dora"))
    return carried_out.void(rules, table, row.cite)


@proves(
    "exposed.betting",
    broken_by=(
        remedy("exposed-while-betting", lambda real: _goes_on),
        row("exposed-while-betting", decided_by="pit-manager"),
    ),
)
def exposed_while_bets_are_on_offer(rules: Rulebook) -> None:
    """A card exposed while betting is open, or while insurance is offered, voids the hand at once (L8)."""
    betting = Seating(rules)
    betting.bet()
    offer = Seating(rules)
    offer.deal(SEVEN_FIVE)
    offer.do(insure("ann", 10_00))
    for table in (betting, offer):
        assert with_paragraphs(table.report("exposed-while-betting", cards=("9C",)))[-1] == ("round-voided", "11.3.1")
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
    """A needless card is burnt, the result by the card rules stands, and management may end the shoe."""
    for end in (True, False):
        table = Seating(rules)
        table.deal(PLAYER_9)
        table.report("unneeded-card", cards=("4H",))
        assert table.refused(ruled("sam")) == ("wrong-rank", "11.3.2")
        assert with_paragraphs(table.decide("mia", end_shoe=end))[1] == ("cards-discarded", "11.3.2")
        table.settle()
        assert table.gained("ann", "bob") == (100_00, -100_00)
        assert table.table.in_use.carried == ()
        assert table.table.in_use.replace_due == end


@proves(
    "exposed.shuffling",
    broken_by=(
        row("exposed-while-shuffling", decided_by="pit-supervisor"),
        row("exposed-while-shuffling", decided_by="nobody"),
        unwritten("exposed-while-shuffling"),
    ),
)
def exposed_in_the_shuffle(rules: Rulebook) -> None:
    """Management decides by the stage of the shuffle and the number of cards, and its reason is recorded."""
    table = Seating(rules, load=False)
    table.report("exposed-while-shuffling", note="three cards, at the second riffle")
    assert table.phase is Phase.IRREGULARITY
    assert table.refused(ruled("sam")) == ("wrong-rank", "11.3.3")
    assert table.refused(ruled("mia", reason="")) == ("reason-needed", "11.3.3")
    assert with_paragraphs(table.decide("mia"))[-1] == ("play-resumed", "11.3.3")
    table.load()
    table.play(PLAYER_9)


@proves("exposed.commencement", broken_by=remedy("exposed-at-commencement", lambda real: _void_at_once))
def exposed_at_commencement(rules: Rulebook) -> None:
    """A card exposed at commencement changes nothing: the shoe is as it was, and is played."""
    table = Seating(rules, load=False)
    table.do(NEW_SHOE)
    before = table.table.shoe
    assert with_paragraphs(table.report("exposed-at-commencement"))[-1] == ("play-resumed", "11.3.4")
    assert (table.table.shoe, table.phase) == (before, Phase.COMMENCING)
    table.do(c.Burn(by="dora", card="AS"))
    table.play(PLAYER_9)


# 11.4: wrong dealing


@proves(
    "wrong-dealing",
    broken_by=(
        row("wrong-dealing", decided_by="pit-supervisor"),
        another_ruling(with_another_command(lambda k: replace(k, reconstruct=True))),
        another_ruling(with_another_command(lambda k: replace(k, reconstruct=False))),
        step(live, "put_right", lambda rules, table, placed, carried, paragraph: ()),
    ),
)
def wrong_dealing(rules: Rulebook) -> None:
    """Management has the hand reconstructed, corrects its result, or voids it."""
    table = Seating(rules)
    table.deal("KH 2S")
    table.report("wrong-dealing", cards=("9D", "3C"))
    assert table.refused(ruled("sam")) == ("wrong-rank", "11.4.1")
    assert ("cards-reconstructed", "11.4.1") in with_paragraphs(table.decide("mia"))
    table.settle()
    assert table.gained("ann", "bob") == (100_00, -100_00)
    table.report("wrong-dealing", player=("KH", "6D"), banker=("2S", "3C", "4H"))
    assert ("round-reopened", "11.4.1") in with_paragraphs(table.decide("mia"))
    table.settle()
    assert table.gained("ann", "bob") == (-100_00, banker_pays(rules))
    table.report("wrong-dealing", player=("KH", "5D"), banker=("2S", "3C"))
    assert ("round-voided", "11.4.1") in with_paragraphs(table.decide("mia", reconstruct=False))
    assert table.gained("ann", "bob") == (0, 0)


@proves(
    "wrong-dealing.shoe",
    broken_by=(
        remedy("wrong-dealing", with_another_command(lambda k: replace(k, end_shoe=True))),
        remedy("wrong-dealing", with_another_command(lambda k: replace(k, end_shoe=False))),
    ),
)
def wrong_dealing_and_the_shoe(rules: Rulebook) -> None:
    """After a wrongly dealt hand management goes on with the shoe, or ends it."""
    for end in (False, True):
        table = Seating(rules)
        table.deal("KH 2S")
        table.report("wrong-dealing", cards=("9D", "3C"))
        events = table.decide("mia", end_shoe=end)
        assert (("replacement-ordered", "11.4.2") in with_paragraphs(events)) == end
        table.settle()
        if end:
            assert table.refused(OPEN) == ("replacement-due", "11.4.2")
        else:
            table.do(OPEN)


# 11.5: dropped cards


@proves("dropped.outside-play", broken_by=remedy("dropped-card", lambda real: _void_at_once))
def dropped_outside_play(rules: Rulebook) -> None:
    """A card dropped in the shuffle, at commencement, while burning or scooping is picked up and used again."""
    for bring in (lambda t: None, lambda t: t.do(NEW_SHOE), lambda t: t.load(), _played):
        table = Seating(rules, load=False)
        bring(table)
        before = (table.phase, table.table.shoe, table.gained("ann", "bob"))
        for seen in (True, False):
            assert with_paragraphs(table.report("dropped-card", exposed=seen))[-1] == ("play-resumed", "11.5.1")
            assert (table.phase, table.table.shoe, table.gained("ann", "bob")) == before


def _played(table: Seating) -> None:
    table.load()
    table.play(PLAYER_9)


@proves(
    "dropped.dealing",
    broken_by=(remedy("dropped-card", lambda real: _goes_on), remedy("dropped-card", lambda real: _void_at_once)),
)
def dropped_in_the_deal(rules: Rulebook) -> None:
    """A card dropped in the deal counts if it was exposed first; else the hand is void, and the shoe goes on."""
    seen = Seating(rules)
    seen.deal("KH 2S")
    assert with_paragraphs(seen.report("dropped-card", exposed=True))[-1] == ("play-resumed", "11.5.2")
    seen.draw("9D 3C")
    seen.settle()
    assert seen.gained("ann", "bob") == (100_00, -100_00)
    unseen = Seating(rules)
    unseen.deal("KH 2S")
    assert with_paragraphs(unseen.report("dropped-card", exposed=False))[-1] == ("round-voided", "11.5.2")
    assert unseen.gained("ann", "bob") == (0, 0)
    unseen.play("KD 2H 9H 3D")
    assert unseen.table.in_use.number == 1
