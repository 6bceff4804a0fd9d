"""Errors found after the next round began (5.14, 5.15, I6): past rounds void or settled anew, later ones untouched."""

from __future__ import annotations

from punto.cards import CardError, card, points
from punto.game import commands as c
from punto.game import events as e
from punto.game import insurance as insured
from punto.game.coup import Coup, deal, in_deal_order, next_side, wrong
from punto.game.established import conclusive
from punto.game.evolve import evolve_all
from punto.game.irregularities.carried_out import opened, resumed
from punto.game.irregularities.lay import lay_out
from punto.game.irregularities.lines import entries, returned
from punto.game.outcome import outcome_of
from punto.game.refusals import Refusal, refuse
from punto.game.settlement import Verdict, pay_table, verdict
from punto.game.settling import settled_insurance, settled_wager
from punto.game.table import CarriedCard, PlacedCard, Round, SettledLine, Table
from punto.game.wagers import open_in_hand
from punto.rulebook.model import Irregularity, Rulebook

Events = tuple[e.AnyEvent, ...]


def decide(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.15: a missing third card voids the round; cards too many are put right where that can be done."""
    truth = _truth(rules, table, row)
    if isinstance(truth, Refusal):
        return truth
    if _third_missing(rules, truth):
        return voided(rules, table, row, keep=True, paragraph=rules.paragraph("late-table-of-play.missing-card"))
    if not command.reconstruct:
        return voided(rules, table, row, keep=True, paragraph=rules.paragraph("late-table-of-play.discretion"))
    return resettled(rules, table, row, command)


def _past(table: Table) -> Round:
    number = opened(table).round
    assert number is not None, "the report names the round"
    return table.past[number]


def _truth(rules: Rulebook, table: Table, row: Irregularity) -> Coup | Refusal:
    """The hands as they truly lay, and that something is wrong with them."""
    hands = opened(table).hands
    assert hands is not None, "the report gives the hands"
    try:
        coup = Coup(*(tuple(card(text) for text in hand) for hand in hands))
    except CardError as error:
        return refuse("unknown-card", str(error), rules.paragraph("cards.decks"))
    if wrong(rules, coup) is None:
        return refuse("bad-ruling", f"{coup}: that round was dealt by the Table of Play", row.cite)
    return coup


def _third_missing(rules: Rulebook, coup: Coup) -> bool:
    """Whether a third card was due and not dealt, whatever else went wrong."""
    play = rules.table_of_play
    player, banker = points(coup.player[:2]), points(coup.banker[:2])
    if play.player_draws(player, banker):
        if len(coup.player) == 2:
            return True
        third: int | None = coup.player[2].points
    else:
        third = None
    return len(coup.banker) == 2 and play.banker_draws(banker, player, third)


def voided(
    rules: Rulebook, table: Table, row: Irregularity, *, keep: bool, paragraph: str | None = None
) -> Events | Refusal:
    """The past round void. Side bets that the rightly dealt cards decide keep their result, where the rules say so."""
    truth = _truth(rules, table, row)
    if isinstance(truth, Refusal):
        return truth
    past = _past(table)
    kept = _kept(rules, table, truth) if keep else {}
    lines: list[SettledLine] = []
    for laid in past.wagers.values():
        if laid.bet in kept:
            lines += settled_wager(rules, past, laid, kept[laid.bet])
        else:
            lines.append(returned(laid, rules.paragraph("void.returns")))
    lines += [returned(taken, rules.paragraph("void.returns")) for taken in past.insurance]
    return _corrected(rules, table, tuple(lines), None, paragraph or row.cite)


def _kept(rules: Rulebook, table: Table, truth: Coup) -> dict[str, Verdict]:
    """5.15.4: side bets conclusively won or lost on the cards that were rightly dealt."""
    exposed = dict(zip(("P1", "P2"), (one.rank for one in truth.player), strict=False))
    exposed |= dict(zip(("B1", "B2"), (one.rank for one in truth.banker), strict=False))
    play = rules.table_of_play
    if len(truth.player) > 2 and play.player_draws(points(truth.player[:2]), points(truth.banker[:2])):
        exposed["P3"] = truth.player[2].rank
    past = _past(table)
    layout = rules.layouts[table.opened.layout]
    side = tuple(
        bet for bet in layout.bets if not rules.bets[bet].main and open_in_hand(rules.bets[bet], table, past.hand)
    )
    outcome = outcome_of(truth)
    found = conclusive(rules, side, exposed)
    lost = {bet: Verdict("lost", None, rules.bets[bet].cite) for bet, result in found.items() if result == "lost"}
    won = {bet: verdict(rules.bets[bet], outcome) for bet, result in found.items() if result == "won"}
    assert all(one.result == "won" for one in won.values()), "what is conclusively won wins in the hands as they lay"
    return {bet.value: one for bet, one in (lost | won).items()}


def resettled(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.15.2: the drawn cards played again in the order they left the shoe; what is not needed is discarded."""
    truth = _truth(rules, table, row)
    if isinstance(truth, Refusal):
        return truth
    order = in_deal_order(truth)
    if command.order:
        try:
            stated = tuple(card(text) for text in command.order)
        except CardError as error:
            return refuse("unknown-card", str(error), rules.paragraph("cards.decks"))
        if sorted(stated) != sorted(order):
            return refuse("bad-ruling", "expected an order of exactly the cards of that round", row.cite)
        order = stated
    coup, _ = deal(rules.table_of_play, order)
    if next_side(rules.table_of_play, coup.player, coup.banker) is not None:
        text = "the cards of that round do not make a whole coup: rule that it can't be put right"
        return refuse("bad-ruling", text, row.cite)
    past = _past(table)
    verdicts = pay_table(rules)[outcome_of(coup)]
    cite = rules.topics.get("late-table-of-play.extra-card", row.cite)
    lines: list[SettledLine] = []
    for laid in past.wagers.values():
        lines += settled_wager(rules, past, laid, verdicts[laid.bet])
    for taken in past.insurance:
        offer = insured.offer(rules, taken.after, coup)
        if offer is None or offer.bet is not taken.bet or offer.odds != taken.odds:
            lines.append(returned(taken, cite))
        else:
            lines.append(settled_insurance(rules, taken, coup.winner))
    return _corrected(rules, table, tuple(lines), coup.winner, cite)


def _corrected(
    rules: Rulebook, table: Table, lines: tuple[SettledLine, ...], winner: str | None, paragraph: str
) -> Events:
    past = _past(table)
    fixed = e.PastRoundCorrected(
        paragraph=paragraph,
        round=past.number,
        void=winner is None,
        winner=winner,
        lines=lines,
        entries=entries(table, past.lines, lines),
    )
    on = resumed(rules, evolve_all(table, (fixed,)), rules.paragraph("late-discovery"))
    return (fixed, *on)


def truly_placed(
    rules: Rulebook, table: Table, hands: tuple[tuple[str, ...], tuple[str, ...]]
) -> tuple[PlacedCard, ...] | Refusal:
    """The current round's cards as they truly lay: rightly dealt as far as they go."""
    try:
        coup = Coup(*(tuple(card(text) for text in hand) for hand in hands))
    except CardError as error:
        return refuse("unknown-card", str(error), rules.paragraph("cards.decks"))
    drawn = tuple(CarriedCard(str(one), True) for one in in_deal_order(coup))
    placed, left = lay_out(rules.table_of_play, drawn)
    if left or len(drawn) < 4:
        return refuse("bad-ruling", f"{coup}: more than the Table of Play allows", rules.paragraph("table-of-play"))
    return placed
