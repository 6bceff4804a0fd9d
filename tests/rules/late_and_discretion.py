"""5.15, an error against the Table of Play that is found late (2025); 5.23, what the rules leave open (2024: 5.18)."""

from __future__ import annotations

from typing import Any

from punto.game.irregularities import late
from punto.game.irregularities.carried_out import as_it_stood
from punto.money import Cents
from punto.rulebook.model import Rulebook
from tests.rules.breaking_tables import another_ruling, believed, remedy, replace, row, step, with_another_command
from tests.rules.proving import proves
from tests.rules.seating import (
    PLAYER_9,
    SEVEN_FIVE,
    Seating,
    banker_pays,
    reported,
    ruled,
    tags,
    with_paragraphs,
)

# 5.15 (2025): the Table of Play was broken, and the next round has begun

MISSING: dict[str, Any] = {"player": ("3H", "3D"), "banker": ("2S", "3C")}
"""Player 6 with a pair stands, Banker 5 was due a third card and got none."""
EXTRA: dict[str, Any] = {"player": ("KH", "6D", "9H"), "banker": ("2S", "3C", "4H")}
"""Player 6 should have stood. 9H is then the Banker's third card: Banker has 4 and Player wins. 4H is too many."""


def _late(rules: Rulebook, cards: str, hands: dict[str, Any]) -> Seating:
    """Round 1 was settled on these cards; in round 2 its true hands are reported."""
    table = Seating(rules)
    table.play(cards, ("ann", "player", 100_00), ("ann", "player_pair", 10_00), ("bob", "banker", 100_00))
    table.deal("KD 2H", ("ann", "tie", 50_00))
    table.report("late-table-of-play", round=1, **hands)
    return table


@proves(
    "late-table-of-play",
    broken_by=(row("late-table-of-play", decided_by="pit-supervisor"), believed("late-table-of-play")),
)
def late_table_of_play(rules: Rulebook) -> None:
    """A breach of the Table of Play that is found only after the next round began is decided by a Pit Manager."""
    table = _late(rules, "3H 2S 3D 3C 4H", MISSING)
    assert table.refused(ruled("sam")) == ("wrong-rank", "5.15")
    assert tags(table.decide("mia"))[1] == "past-round-corrected"
    right = reported("late-table-of-play", round=1, player=("KH", "9D"), banker=("2S", "3C"))
    table = Seating(rules)
    table.play(PLAYER_9)
    assert table.refused(right) == ("bad-report", "5.15"), "round 1 is still the current one"
    table.bet()
    assert table.refused(right) == ("bad-report", "5.15"), "it was dealt rightly"


@proves("late-table-of-play.missing-card", broken_by=step(late, "third_missing", lambda rules, coup: False))
def third_card_missing(rules: Rulebook) -> None:
    """A past round that lacks a due third card is void, whatever was settled; the later one is untouched."""
    table = _late(rules, "3H 2S 3D 3C 4H", MISSING)
    before = table.current
    assert with_paragraphs(table.decide("mia"))[1] == ("past-round-corrected", "5.15.1")
    past = table.table.past[1]
    assert (past.void, past.winner, table.table.in_use.results) == (True, None, {})
    back = [(line.bet, line.result, line.paragraph) for line in past.lines if line.bet in ("player", "banker")]
    assert back == [("player", "returned", "5.21"), ("banker", "returned", "5.21")]
    assert table.current == before
    assert table.gained("bob") == (0,)


def _void_instead(rules: Any, table: Any, row: Any, command: Any) -> Any:
    return late.voided(rules, table, row, keep=True)


@proves("late-table-of-play.extra-card", broken_by=remedy("late-table-of-play", lambda real: _void_instead))
def cards_too_many(rules: Rulebook) -> None:
    """A round with too many cards counts as it should have been dealt; the surplus is discarded, not dealt later."""
    table = _late(rules, "KH 2S 6D 3C 4H", EXTRA)
    before = table.current
    assert table.gained("ann", "bob") == (-110_00 - 50_00, banker_pays(rules))
    assert with_paragraphs(table.decide("mia"))[1] == ("past-round-corrected", "5.15.2")
    assert (table.table.past[1].winner, table.table.in_use.results) == ("player", {1: "P"})
    assert table.gained("ann", "bob") == (100_00 - 10_00 - 50_00, -100_00)
    assert table.current == before
    assert table.table.in_use.carried == ()


@proves(
    "late-table-of-play.discretion",
    broken_by=(
        row("late-table-of-play", discretion=None),
        another_ruling(with_another_command(lambda k: replace(k, reconstruct=True))),
    ),
)
def whether_it_can_be_put_right(rules: Rulebook) -> None:
    """The Pit Manager judges whether the round can be put right, and gives the reason; if it can't be, it is void."""
    table = _late(rules, "KH 2S 6D 3C 4H", EXTRA)
    assert table.refused(ruled("mia", reason="", reconstruct=False)) == ("reason-needed", "5.15")
    assert with_paragraphs(table.decide("mia", reconstruct=False))[1] == ("past-round-corrected", "5.15.3")
    assert table.table.past[1].void
    assert table.gained("bob") == (0,)


@proves("late-table-of-play.side-bets", broken_by=step(late, "kept_side_bets", lambda rules, past, truth: {}))
def side_bets_keep_their_result(rules: Rulebook) -> None:
    """In the void round a pair bet is paid if the pair was dealt and lost if not; only the rest goes back."""
    pair = _late(rules, "3H 2S 3D 3C 4H", MISSING)
    pair.decide("mia")
    assert ("player_pair", "won", pair.number("pay.pairs")) in _lines(pair)
    assert pair.gained("ann") == (110_00 - 50_00,)
    none = _late(rules, "KH 2S 6D 3C 4H", EXTRA)
    none.decide("mia", reconstruct=False)
    assert ("player_pair", "lost", none.number("pay.pairs")) in _lines(none)
    assert none.gained("ann") == (-10_00 - 50_00,)


def _lines(table: Seating) -> list[tuple[str, str, str]]:
    return [(line.bet, line.result, line.paragraph) for line in table.table.past[1].lines]


# 5.23 (2024: 5.18)


@proves(
    "discretion",
    broken_by=(
        row("discretion", decided_by="pit-manager"),
        remedy("discretion", lambda real: lambda rules, table, row, words: as_it_stood(table, row.cite)),
    ),
)
def discretion(rules: Rulebook) -> None:
    """The Table Game Shift Manager decides what the rules leave open, at reasonable discretion and with a reason."""
    table = Seating(rules)
    cite = table.number("discretion")
    table.deal(SEVEN_FIVE)
    table.report("discretion", note="a glass was spilt over box 1")
    assert table.refused(ruled("mia", action="stand")) == ("wrong-rank", cite)
    assert table.refused(ruled("tess", action="stand", reason=" ")) == ("reason-needed", cite)
    paid = table.decide("tess", action="pay", pay_cents={"ann": Cents(5_00)})
    assert with_paragraphs(paid)[1:] == [("ruling-paid", cite), ("play-resumed", cite)]
    table.report("discretion")
    assert with_paragraphs(table.decide("tess", action="void"))[1] == ("round-voided", cite)
    assert table.gained("ann", "bob") == (5_00, 0)
