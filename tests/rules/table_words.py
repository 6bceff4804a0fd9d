"""Section 1 of Tiger Buffalo: definitions of things and of the round, as a table keeps them.

Card Shoe, Cut Card, Differential, Electronic Card Shuffler, Reconstruction, Round of play, Void.
"""

from __future__ import annotations

from typing import Any

from punto.codes import Code
from punto.game import commands as c
from punto.game import limits as judged
from punto.game import shoe
from punto.game.irregularities import carried_out, dealing_errors
from punto.game.irregularities import evolve as irregular
from punto.game.refusals import refuse
from punto.game.table import Phase
from punto.rulebook.model import Bet, Rulebook
from tests.rules.breaking_tables import (
    answers,
    at_another_table,
    events_changed,
    heard,
    replace,
    step,
)
from tests.rules.proving import proves
from tests.rules.seating import PLAYER_9, Seating, place, tags, with_paragraphs

# Things


@proves("define.card-shoe", broken_by=step(shoe, "next_face", lambda rules, table, entered: "AS"))
def card_shoe(rules: Rulebook) -> None:
    """Cards leave a shoe one after the other. An electronic shoe gives them itself; from another they are entered."""
    electronic = Seating(rules, order="KH 2S 9D 3C 8H 8S KD KC")
    plain = Seating(rules)
    for cards in ("KH 2S 9D 3C", "8H 8S KD KC"):
        electronic.deal("? ? ? ?")
        plain.deal(cards)
        drawn = dict(zip(("P1", "B1", "P2", "B2"), cards.split(), strict=True))
        assert electronic.faces == plain.faces == drawn
        electronic.settle()
        plain.settle()
    assert electronic.table.in_use.drawn == plain.table.in_use.drawn == 8
    assert Seating(rules, load=False).refused(c.OpenBetting(by="dora"))[0] == "not-now"


@proves(
    "define.shuffler",
    broken_by=(
        answers(c.PlaceCutCard, at_another_table(lambda t: replace(t, settings=replace(t.opened, device="shoe")))),
        answers(c.DrawCutCard, at_another_table(lambda t: replace(t, settings=replace(t.opened, device="shoe")))),
        answers(
            c.OpenTable,
            lambda real: lambda r, t, k: refuse(Code.NOT_NOW, "no") if k.device == "shuffler" else real(r, t, k),
        ),
    ),
)
def shuffler(rules: Rulebook) -> None:
    """Cards are dealt from a shuffler as from a shoe, but it has no cut card and no last round."""
    for order, cards in (("KH 2S 9D 3C", "? ? ? ?"), ("", PLAYER_9)):
        table = Seating(rules, order=order, device="shuffler")
        assert table.refused(c.PlaceCutCard(by="dora", after=20))[0] == "no-cut-card"
        table.deal(cards)
        assert table.refused(c.Settle(by="ann"))[0] == "not-on-duty"
        table.settle()
        assert table.gained("ann", "bob") == (100_00, -100_00)
        table.bet()
        table.close()
        assert table.refused(c.DrawCutCard(by="dora"))[0] == "no-cut-card"


def _not_last(table: Any) -> Any:
    return replace(table, shoe=replace(table.in_use, last_round=False))


@proves(
    "define.cut-card",
    broken_by=(step(shoe, "cut_card_due", lambda _: False), answers(c.OpenBetting, at_another_table(_not_last))),
)
def cut_card(rules: Rulebook) -> None:
    """The cut card is a marker: the round in which it appears is the last of the shoe."""
    table = Seating(rules, order="KH 2S 9D 3C 8H 8S KD KC")
    table.do(c.PlaceCutCard(by="dora", after=6))
    table.play("? ? ? ?")
    table.deal("? ?")
    assert tags(table.draw("?")) == ["cut-card-drawn", "card-drawn"]
    table.draw("?")
    table.settle()
    assert table.shown().last_round
    assert table.refused(c.OpenBetting(by="dora"))[0] == "last-round"
    table.do(c.EndShoe(by="dora"))
    table.load("KH 2S 9D 3C")
    table.play("? ? ? ?")


def _no_leftovers(real: Any) -> Any:
    def built(*arguments: Any) -> Any:
        return tuple(replace(event, carried=()) if hasattr(event, "carried") else event for event in real(*arguments))

    return built


@proves(
    "define.reconstruction",
    broken_by=(
        step(dealing_errors, "reconstructed", lambda r, t, cards, p: carried_out.reconstructed(r, t, cards[::-1], p)),
        step(dealing_errors, "reconstructed", _no_leftovers(carried_out.reconstructed)),
    ),
)
def reconstruction(rules: Rulebook) -> None:
    """Cards are laid in the order in which they should have been dealt; those left over open the next round."""
    table = Seating(rules)
    table.deal("KH 2S")
    table.report("excess-card", cards=("9D", "3C", "4H", "5S"))
    table.decide("sam")
    assert table.faces == {"P1": "KH", "B1": "2S", "P2": "9D", "B2": "3C"}
    table.settle()
    table.deal("? ? 8C 6D")
    assert table.faces == {"P1": "4H", "B1": "5S", "P2": "8C", "B2": "6D"}


# The round


def _the_other_way(lying: list[Any]) -> int:
    return judged.total_cents(lying, Bet.BANKER) + judged.total_cents(lying, Bet.PLAYER)


def _with_ties(lying: list[Any]) -> int:
    player = judged.total_cents(lying, Bet.PLAYER) + judged.total_cents(lying, Bet.TIE)
    return abs(judged.total_cents(lying, Bet.BANKER) - player)


@proves(
    "define.differential",
    broken_by=(
        step(judged, "differential_cents", _the_other_way),
        step(judged, "differential_cents", _with_ties),
        step(judged, "differential_cents", lambda lying: judged.total_cents(lying, Bet.BANKER)),
    ),
)
def differential(rules: Rulebook) -> None:
    """All wagers on Banker against all on Player, whoever placed them; side bets do not count."""
    table = Seating(rules)
    table.bet(("ann", "player", 300_00), ("cyd", "banker", 100_00), ("bob", "banker", 500_00), ("bob", "tie", 50_00))
    assert table.shown().differential_cents == 300_00
    assert [box.differential_cents for box in table.shown().boxes[:3]] == [200_00, 500_00, 0]


@proves(
    "define.round",
    broken_by=(
        answers(c.OpenBetting, events_changed(lambda event: replace(event, round=1))),
        answers(c.Settle, events_changed(lambda event: replace(event, lines=event.lines[:1]))),
        heard(Phase.SETTLED, c.PlaceWager),
    ),
)
def round_of_play(rules: Rulebook) -> None:
    """A round lasts from the call until every patron is settled. Wagers, cards and settlement belong to one round."""
    table = Seating(rules)
    assert table.refused(c.DrawCard(by="dora", card="KH")) == ("not-now", table.number("define.round"))
    for number in (1, 2):
        table.bet()
        assert (table.current.number, table.current.ended) == (number, False)
        table.close()
        table.draw(PLAYER_9)
        assert table.refused(c.OpenBetting(by="dora")) == ("not-now", table.number("define.round"))
        table.settle()
        assert table.current.ended
        assert [(line.patron, line.result) for line in table.current.lines] == [("ann", "won"), ("bob", "lost")]
        assert table.refused(place("ann", "tie", 10_00))[0] == "betting-not-open"
    assert table.gained("ann", "bob") == (200_00, -200_00)


@proves("define.void", broken_by=step(irregular, "_unmarked", lambda shoe, number: shoe))
def void(rules: Rulebook) -> None:
    """A void round has no result: none is shown, and a result that was shown before is removed."""
    table = Seating(rules)
    table.play(PLAYER_9)
    assert (table.shown().winner, table.shown().results) == ("player", "P")
    table.report("void", cause="not-reconstructible")
    assert with_paragraphs(table.decide("sam"))[1] == ("round-voided", "5.5.3")
    assert table.current.void
    assert (table.current.winner, table.shown().winner, table.shown().results) == (None, None, "")
