"""5.4, technical interruptions; 5.5, what voids a round; 5.21 (2024: 5.16), what that means for its wagers."""

from __future__ import annotations

from typing import Any

from punto.game import commands as c
from punto.game import events as e
from punto.game import shoe
from punto.game.irregularities import carried_out, dealing_errors, report
from punto.game.irregularities.late import whole_void
from punto.game.irregularities.lines import all_returned
from punto.game.table import Phase
from punto.rulebook.model import Rulebook
from tests.rules.breaking_tables import (
    Step,
    answers,
    no_cause,
    nothing_done,
    remedy,
    reportable,
    row,
    step,
    with_another_command,
)
from tests.rules.breaking_tables import replace as changed
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
    with_paragraphs,
)

# 5.4: technical interruptions


@proves("interruption", broken_by=(row("interruption", decided_by="dealer"), reportable("interruption", Phase.BETTING)))
def interruption(rules: Rulebook) -> None:
    """An interruption stops a round after “No more Bets” (I9). Nobody chooses: the round goes on or is void at once."""
    table = Seating(rules)
    assert table.refused(reported("interruption")) == ("not-then", "5.4")
    table.bet()
    assert table.refused(reported("interruption")) == ("betting-open", "5.4")
    table.close()
    for cards, last in (("KH 2S 9D", "play-resumed"), ("", "round-voided")):
        table.draw(cards)
        events = table.report("interruption")
        assert with_paragraphs(events)[0] == ("irregularity-reported", "5.4")
        assert tags(events)[-1] == last
        assert table.phase not in (Phase.IRREGULARITY, Phase.OPTIONS)
        if cards:
            table.draw("3C")
            table.settle()
            table.bet()
            table.close()


@proves("interruption.concluded", broken_by=step(report, "is_established", lambda *arguments: False))
def interruption_concluded(rules: Rulebook) -> None:
    """Player Pair is decided: the round is played to its end and settled."""
    table = Seating(rules)
    table.deal("KH 2S 7D")
    assert with_paragraphs(table.report("interruption"))[-1] == ("play-resumed", "5.4.1")
    table.draw("3C 4H")
    table.settle()
    assert table.gained("ann", "bob") == (-100_00, banker_pays(rules))


@proves("interruption.void", broken_by=step(report, "is_established", lambda *arguments: True))
def interruption_void(rules: Rulebook) -> None:
    """No bet is decided by one card of each hand: the round is void."""
    for cards in ("", "KH", "KH 2S"):
        table = Seating(rules)
        table.deal(cards)
        assert with_paragraphs(table.report("interruption"))[-1] == ("round-voided", "5.4.2")
        assert table.current.void
        assert table.gained("ann", "bob") == (0, 0)


# 5.5: void


def _all_void(rules: Any, table: Any, paragraph: str) -> Any:
    """Earlier rounds are voided too."""
    past = tuple(whole_void(rules, table, past_round, paragraph) for past_round in table.past.values())
    return (*past, *carried_out.void(rules, table, paragraph))


@proves(
    "void",
    broken_by=(
        row("void", decided_by="dealer"),
        remedy("void", nothing_done),
        step(dealing_errors, "voided", _all_void),
    ),
)
def void(rules: Rulebook) -> None:
    """A Pit Supervisor finds one of the five causes: this round is void, earlier ones and their settlement stand."""
    table = Seating(rules)
    table.play(PLAYER_9)
    table.deal(SEVEN_FIVE)
    table.report("void", cause="foreign-card")
    assert table.refused(c.DrawCard(by="dora", card="4H"))[0] == "not-now"
    assert table.refused(ruled("dora")) == ("wrong-rank", "5.5")
    table.decide("sam")
    assert (table.current.void, table.current.winner) == (True, None)
    assert table.gained("ann", "bob") == (100_00, -100_00)
    assert table.table.in_use.results == {1: "P"}


def voids(table: Seating, cause: str, paragraph: str) -> None:
    """A report of this cause, found true, voids the round under its own paragraph."""
    table.report("void", cause=cause)
    assert with_paragraphs(table.decide("sam"))[1] == ("round-voided", paragraph)
    assert table.current.void
    assert table.gained("ann", "bob") == (0, 0)


@proves(
    "void.foreign-card",
    broken_by=(no_cause("foreign-card"), step(shoe, "known_face", lambda rules, table, entered: entered)),
)
def foreign_card(rules: Rulebook) -> None:
    """A ninth king of hearts is no card of eight decks."""
    table = Seating(rules, decks=8)
    for _ in range(2):
        table.deal("KH KH KH KH", ("ann", "tie", 100_00))
        table.report("void", cause="foreign-card")
        table.decide("sam")
    table.deal("")
    assert table.refused(c.DrawCard(by="dora", card="KH"))[0] == "too-many-of-a-card"
    assert table.refused(c.DrawCard(by="dora", card="XX"))[0] == "unknown-card"
    voids(table, "foreign-card", "5.5.1")


@proves(
    "void.wrong-count",
    broken_by=(no_cause("wrong-count"), answers(c.LoadShoe, with_another_command(lambda k: changed(k, count=416)))),
)
def wrong_count(rules: Rulebook) -> None:
    """A shoe with too few or too many cards is not loaded; found later, the count voids the round."""
    table = Seating(rules, decks=8, load=False)
    for count in (415, 417):
        assert table.refused(c.LoadShoe(by="dora", count=count, shuffled=True))[0] == "wrong-card-count"
    table.load()
    table.deal("KH 2S")
    voids(table, "wrong-count", "5.5.2")


@proves(
    "void.not-reconstructible",
    broken_by=(no_cause("not-reconstructible"), remedy("excess-card", nothing_done)),
)
def not_reconstructible(rules: Rulebook) -> None:
    """A hand has a wrong number of cards and, as a Pit Supervisor finds, can't be put right: the round is void."""
    table = Seating(rules)
    table.deal(PLAYER_9)
    voids(table, "not-reconstructible", "5.5.3")
    table.deal("KD 2H")
    table.report("excess-card", cards=("9H", "3D", "5C"))
    assert with_paragraphs(table.decide("sam", reconstruct=False))[1] == ("round-voided", "5.5.3")
    assert table.gained("ann", "bob") == (0, 0)


def _never_empty(real: Step) -> Step:
    """An empty shoe gives an ace."""

    def draws(rules: Any, table: Any, command: Any) -> Any:
        if table.in_use.left:
            return real(rules, table, command)
        return (e.CardDrawn(paragraph="3.10", place="P1", card="AS", exposed=True),)

    return draws


@proves(
    "void.too-few-cards",
    broken_by=(
        no_cause("too-few-cards"),
        answers(c.DrawCard, _never_empty),
    ),
)
def too_few_cards(rules: Rulebook) -> None:
    """The shoe runs out in mid-round: no card can be drawn, and the round is void."""
    table = Seating(rules, order="AS", decks=4)
    while table.table.in_use.left >= 6:
        table.bet(("ann", "tie", 10_00))
        table.close()
        while table.phase is not Phase.COMPLETE:
            table.draw("?")
        table.settle()
    before = table.gained("ann", "bob")
    table.bet(("ann", "tie", 10_00))
    table.close()
    while table.table.in_use.left and table.phase is not Phase.COMPLETE:
        table.draw("?")
    if table.phase is Phase.COMPLETE:
        table.settle()
        before = table.gained("ann", "bob")
        table.bet(("ann", "tie", 10_00))
        table.close()
        while table.table.in_use.left:
            table.draw("?")
    assert table.refused(c.DrawCard(by="dora")) == ("too-few-cards", "5.5.4")
    table.report("void", cause="too-few-cards")
    assert with_paragraphs(table.decide("sam"))[1] == ("round-voided", "5.5.4")
    assert table.gained("ann", "bob") == before


@proves(
    "void.unshuffled",
    broken_by=(no_cause("unshuffled"), answers(c.LoadShoe, with_another_command(lambda k: changed(k, shuffled=True)))),
)
def unshuffled(rules: Rulebook) -> None:
    table = Seating(rules, decks=8, load=False)
    assert table.refused(c.LoadShoe(by="dora", count=416, shuffled=False))[0] == "not-shuffled"
    table.load()
    table.deal("KH 2S")
    voids(table, "unshuffled", "5.5.5")


def _kept(keep: str) -> Any:
    """Bets of one kind are not returned."""
    real = all_returned

    def returned(*arguments: Any) -> Any:
        return tuple(changed(line, handed_back_cents=0) if line.bet == keep else line for line in real(*arguments))

    return step(carried_out, "all_returned", returned)


@proves("void.returns", broken_by=(_kept("player"), _kept("player_pair"), _kept("player_insurance")))
def void_returns(rules: Rulebook) -> None:
    """A void round returns every wager: the main bet, a side bet already lost or won, insurance."""
    for cards in (SEVEN_FIVE, "3H 2S 3D 3C"):
        table = Seating(rules)
        table.deal(cards, ("ann", "player", 100_00), ("ann", "player_pair", 10_00), ("bob", "banker", 100_00))
        table.do(insure("ann", 20_00))
        table.report("void", cause="wrong-count")
        table.decide("sam")
        assert [(line.bet, line.result, line.paragraph) for line in table.current.lines] == [
            (bet, "returned", table.number("void.returns"))
            for bet in ("player", "player_pair", "banker", "player_insurance")
        ]
        assert table.gained("ann", "bob") == (0, 0)
