"""5.15, a Table of Play broken and found late; 5.17 and 5.18, insurance missed or misplaced; 5.23, all else."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from punto.game import commands as c
from punto.game import events as e
from punto.game import insurance as insured
from punto.game import offers
from punto.game.irregularities import discretion as at_discretion
from punto.game.irregularities import late
from punto.game.irregularities import missed as missing
from punto.game.irregularities.carried_out import as_it_stood
from punto.game.table import Phase
from punto.money import Cents
from punto.rulebook.model import Insurance, Moment, Rulebook
from tests.rules.breaking_tables import (
    Step,
    believed,
    nothing_done,
    remedy,
    replace,
    row,
    step,
    with_another_command,
)
from tests.rules.printed import NUMBERS
from tests.rules.proving import Break, proves
from tests.rules.seating import (
    PLAYER_9,
    SEVEN_FIVE,
    Seating,
    banker_pays,
    insure,
    missed,
    reported,
    ruled,
    tags,
    told,
)

# 5.15 (2025): the Table of Play was broken, and the next round has begun

MISSING: dict[str, Any] = {"player": ("3H", "3D"), "banker": ("2S", "3C")}
"""Player 6 with a pair stands, Banker 5 was due a third card and got none."""
EXTRA: dict[str, Any] = {"player": ("KH", "6D", "9H"), "banker": ("2S", "3C", "4H")}
"""Player 6 should have stood: 9H is the Banker's third card, who has 4 then, and Player wins; 4H is too many."""


def _late(rules: Rulebook, cards: str, hands: dict[str, Any]) -> Seating:
    """Round 1 was settled on these cards; in round 2 its true hands are reported."""
    table = Seating(rules)
    table.play(cards, ("ann", "player", 100_00), ("ann", "player_pair", 10_00), ("bob", "banker", 100_00))
    table.deal("KD 2H", ("ann", "tie", 50_00))
    table.report("late-table-of-play", round=1, **hands)
    return table


@proves("late-table-of-play", broken_by=(row("late-table-of-play", decided_by="pit-supervisor"), believed("late-table-of-play")))
def late_table_of_play(rules: Rulebook) -> None:
    """A round that was not dealt by it, found only after the next began: a Pit Manager sees to it."""
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
    """That round is void, whatever was settled; the later one is untouched."""
    table = _late(rules, "3H 2S 3D 3C 4H", MISSING)
    before = table.current
    assert told(table.decide("mia"))[1] == ("past-round-corrected", "5.15.1")
    past = table.table.past[1]
    assert (past.void, past.winner, table.table.in_use.results) == (True, None, {})
    back = [(line.bet, line.result, line.paragraph) for line in past.lines if line.bet in ("player", "banker")]
    assert back == [("player", "returned", "5.21"), ("banker", "returned", "5.21")]
    assert table.current == before
    assert table.gained("bob") == (0,)


def _void_instead(rules: Any, table: Any, row: Any, command: Any) -> Any:
    return late.voided(rules, table, row, keep=True)


@proves("late-table-of-play.extra-card", broken_by=step(late, "resettled", _void_instead))
def cards_too_many(rules: Rulebook) -> None:
    """The round holds, as it should have been dealt; the surplus is discarded and opens no later round."""
    table = _late(rules, "KH 2S 6D 3C 4H", EXTRA)
    before = table.current
    assert table.gained("ann", "bob") == (-110_00 - 50_00, banker_pays(rules))
    assert told(table.decide("mia"))[1] == ("past-round-corrected", "5.15.2")
    assert (table.table.past[1].winner, table.table.in_use.results) == ("player", {1: "P"})
    assert table.gained("ann", "bob") == (100_00 - 10_00 - 50_00, -100_00)
    assert table.current == before
    assert table.table.in_use.carried == ()


@proves(
    "late-table-of-play.discretion",
    broken_by=(
        row("late-table-of-play", discretion=None),
        remedy("late-table-of-play", with_another_command(lambda k: replace(k, reconstruct=True))),
    ),
)
def whether_it_can_be_put_right(rules: Rulebook) -> None:
    """The Pit Manager judges that, and gives the reason; if it can't be, the round is void."""
    table = _late(rules, "KH 2S 6D 3C 4H", EXTRA)
    assert table.refused(ruled("mia", reason="", reconstruct=False)) == ("reason-needed", "5.15")
    assert told(table.decide("mia", reconstruct=False))[1] == ("past-round-corrected", "5.15.3")
    assert table.table.past[1].void
    assert table.gained("bob") == (0,)


@proves("late-table-of-play.side-bets", broken_by=step(late, "kept_side_bets", lambda rules, past, truth: {}))
def side_bets_keep_their_result(rules: Rulebook) -> None:
    """In the void round a pair that was there is paid, one that was not is lost; only the rest goes back."""
    pair = _late(rules, "3H 2S 3D 3C 4H", MISSING)
    pair.decide("mia")
    assert ("player_pair", "won", PAIRS[rules.id]) in _lines(pair)
    assert pair.gained("ann") == (110_00 - 50_00,)
    none = _late(rules, "KH 2S 6D 3C 4H", EXTRA)
    none.decide("mia", reconstruct=False)
    assert ("player_pair", "lost", PAIRS[rules.id]) in _lines(none)
    assert none.gained("ann") == (-10_00 - 50_00,)


def _lines(table: Seating) -> list[tuple[str, str, str]]:
    return [(line.bet, line.result, line.paragraph) for line in table.table.past[1].lines]


# 5.17 (2024: 5.13): insurance was not offered

FIVE_FOUR = "KH 2S 5D 2C"
"""Player 5 against 4: insured at 3 to 2. A 2 takes Player to 7, and Banker draws."""


@proves(
    "insurance-missed",
    broken_by=(
        row("insurance-missed", decided_by="pit-supervisor"),
        step(missing, "_known", lambda table, current: not table.current.all_open),
    ),
)
def insurance_missed(rules: Rulebook) -> None:
    """A Pit Manager's remedy: a late offer while a card is to come, the Original Bet once the result is known."""
    for cards, tag in (("", "insurance-offered"), ("5C", "original-returned")):
        table = Seating(rules)
        table.deal(f"{FIVE_FOUR} 2H {cards}")
        assert told(table.do(missed()))[0] == ("irregularity-reported", table.number("insurance-missed"))
        assert table.refused(ruled("sam")) == ("wrong-rank", table.number("insurance-missed"))
        assert tags(table.decide("mia", patrons=("ann",)))[1] == tag


def _most(rules: Any, table: Any, name: str, offer: Any) -> int:
    return offers.most_cents(rules, table, name, offer)


@proves(
    "insurance-missed.before",
    broken_by=(
        step(missing, "late_most_cents", _most),
        step(offers, "late_most_cents", _most),
        step(missing, "_known", lambda table, current: True),
        remedy("insurance-missed", nothing_done),
    ),
)
def offered_late(rules: Rulebook) -> None:
    """At the odds it had; its winnings are at most the Original Bet; then play goes on and every card is accepted."""
    table = Seating(rules)
    table.deal(f"{FIVE_FOUR} 2H")
    table.do(missed())
    offered = table.decide("mia")[1]
    assert isinstance(offered, e.InsuranceOffered)
    assert (offered.late, str(offered.odds), offered.paragraph) == (True, "3/2", table.number("insurance-missed.before"))
    assert offered.maximum == {"ann": 66_66}
    late_offer = Moment.FOUR_CARDS
    assert table.refused(insure("ann", 66_67, after=late_offer))[0] == "insurance-over-limit"
    table.do(insure("ann", 60_00, after=late_offer))
    table.draw("5C")
    assert table.phase is Phase.COMPLETE
    table.settle()
    assert table.gained("ann") == (-100_00 + 90_00,)


def _would_have_won(result: str) -> Break:
    """Whatever the result, the insurance that was missed comes to this."""
    answer = SimpleNamespace(offer=insured.offer, result=lambda *given: (result, ""))
    return step(missing, "insured", answer)


@proves(
    "insurance-missed.after",
    broken_by=(
        _would_have_won("won"),
        _would_have_won("lost"),
        step(missing, "fault", lambda *given: None),
        step(missing, "concerned", lambda rules, current, offer: ["ann", "cyd"]),
    ),
)
def original_bet_returned(rules: Rulebook) -> None:
    """To whom it would have won for and who meant to insure; not where a notice says that none is offered (4.2.2)."""
    for last, ann in (("4H", 0), ("AH", 100_00)):
        table = Seating(rules)
        table.deal(f"{SEVEN_FIVE} {last}", ("ann", "player", 100_00), ("bob", "banker", 100_00), ("cyd", "tie", 10_00))
        table.do(missed())
        assert table.refused(ruled("mia", patrons=("cyd",)))[0] == "bad-ruling"
        back = [("original-returned", table.number("insurance-missed.after"))]
        assert told(table.decide("mia", patrons=("ann",)))[1:-1] == ([] if ann else back)
        table.settle()
        assert table.gained("ann") == (ann,)
    private = Seating(rules, private=True)
    private.do(c.SetInsurance(by="sam", offered=False, asked_by="bob"))
    private.deal(f"{SEVEN_FIVE} 4H")
    assert private.refused(missed()) == ("bad-report", private.number("insurance-missed"))


# 5.18 (2025): insurance chips on the wrong side


def _misplaced(rules: Rulebook, bet: Insurance, *, settled: bool) -> Seating:
    """ann insures Player 7 against 5, bob Banker 5 against 2: the Dealer put the chips on the other side."""
    table = Seating(rules)
    if bet is Insurance.PLAYER:
        table.deal(SEVEN_FIVE)
        table.do(insure("ann", 25_00, bet, area=Insurance.BANKER))
        table.draw("4H")
    else:
        table.deal("KH 2S 2D 3C")
        table.do(insure("bob", 20_00, bet, area=Insurance.PLAYER))
        table.draw("6H KC")
    if settled:
        table.settle()
    return table


@proves("insurance-misplaced", broken_by=(remedy("insurance-misplaced", nothing_done), believed("insurance-misplaced")))
def misplaced(rules: Rulebook) -> None:
    """Moved whenever it is seen, also after the settlement; it stays valid and settles by the right side."""
    for settled in (False, True):
        table = _misplaced(rules, Insurance.PLAYER, settled=settled)
        assert not settled or table.gained("ann") == (-125_00,)
        assert table.refused(reported("insurance-misplaced", insurance="w1")) == ("bad-report", "5.18")
        table.report("insurance-misplaced", insurance="i3")
        table.decide("dora")
        assert table.refused(reported("insurance-misplaced", insurance="i3")) == ("bad-report", "5.18")
        if not settled:
            table.settle()
        assert table.gained("ann", "bob") == (-100_00 + 100_00, banker_pays(rules))


def _left(bet: Insurance) -> Break:
    """Chips of this insurance are left where they lie."""

    def wrap(real: Step) -> Step:
        def decides(rules: Any, table: Any, row: Any, command: Any) -> Any:
            taken = next(one for one in table.current.insurance if one.id == table.irregularity.insurance)
            return as_it_stood(table, row.cite) if taken.bet is bet else real(rules, table, row, command)

        return decides

    return remedy("insurance-misplaced", wrap)


@proves("insurance-misplaced.player", broken_by=_left(Insurance.PLAYER))
def misplaced_of_player(rules: Rulebook) -> None:
    """Player insurance lay on the Banker's side: Banker wins 9 to 7, and it is paid 4 to 1."""
    table = _misplaced(rules, Insurance.PLAYER, settled=False)
    table.report("insurance-misplaced", insurance="i3")
    assert told(table.decide("dora"))[1] == ("insurance-repositioned", "5.18.1")
    table.settle()
    assert table.gained("ann") == (-100_00 + 100_00,)


@proves("insurance-misplaced.banker", broken_by=_left(Insurance.BANKER))
def misplaced_of_banker(rules: Rulebook) -> None:
    """Banker insurance lay on the Player's side: Player wins 8 to 5, and it is paid 3 to 2."""
    table = _misplaced(rules, Insurance.BANKER, settled=False)
    table.report("insurance-misplaced", insurance="i3")
    assert told(table.decide("dora"))[1] == ("insurance-repositioned", "5.18.2")
    table.settle()
    assert table.gained("bob") == (-100_00 + 30_00,)


# 5.23 (2024: 5.18)


@proves(
    "discretion",
    broken_by=(
        row("discretion", decided_by="pit-manager"),
        step(at_discretion, "decide", lambda rules, table, row, command: as_it_stood(table, row.cite)),
    ),
)
def discretion(rules: Rulebook) -> None:
    """What the rules leave open is for the Table Game Shift Manager, at reasonable discretion: with the reason."""
    table = Seating(rules)
    cite = table.number("discretion")
    table.deal(SEVEN_FIVE)
    table.report("discretion", note="a glass was spilt over box 1")
    assert table.refused(ruled("mia", action="stand")) == ("wrong-rank", cite)
    assert table.refused(ruled("tess", action="stand", reason=" ")) == ("reason-needed", cite)
    paid = table.decide("tess", action="pay", pay_cents={"ann": Cents(5_00)})
    assert told(paid)[1:] == [("ruling-paid", cite), ("play-resumed", cite)]
    table.report("discretion")
    assert told(table.decide("tess", action="void"))[1] == ("round-voided", cite)
    assert table.gained("ann", "bob") == (5_00, 0)
