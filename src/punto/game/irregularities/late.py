"""Errors found after the next round began (5.14, 5.15, I6): past rounds void or settled anew, later ones untouched."""

from __future__ import annotations

from punto.cards import Card, card, points
from punto.codes import Code
from punto.game import events as e
from punto.game.coup import Coup, deal, next_side
from punto.game.established import conclusive
from punto.game.irregularities import records as r
from punto.game.irregularities.carried_out import as_it_stood, opened, reported_hands, to_order
from punto.game.irregularities.kinds import Events, Fields
from punto.game.irregularities.lines import all_returned, entries, returned, still_offered
from punto.game.irregularities.reconstruction import in_named_order
from punto.game.moves import replace
from punto.game.outcome import outcome_of
from punto.game.refusals import Refusal, refuse
from punto.game.settle_round import insurance_lines, settled_wager
from punto.game.settlement import Verdict, pay_table
from punto.game.table import PlacedCard, Round, SettledLine, Table
from punto.rulebook.model import Bet, Irregularity, Rulebook


def missing_third(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    """5.15.1: a third card was due and not dealt, whatever else went wrong."""
    return voided(rules, table, rules.paragraph("late-table-of-play.missing-card"), keep=True)


def not_rectified(rules: Rulebook, table: Table, row: Irregularity, words: r.Words) -> Events | Refusal:
    """5.15.3: the error can't be put right."""
    return voided(rules, table, rules.paragraph("late-table-of-play.discretion"), keep=True)


def at_discretion(rules: Rulebook, table: Table, row: Irregularity, words: r.KeepWords) -> Events | Refusal:
    return voided(rules, table, row.cite, keep=words.keep_side_bets)


def _past(table: Table) -> Round:
    number = opened(table).round
    assert number is not None, "the report names the round"
    return table.past[number]


def lacks_third(rules: Rulebook, table: Table, fields: Fields) -> bool:
    """A third card was due and is not in the hands that were reported."""
    return third_missing(rules, reported_hands(table))


def third_missing(rules: Rulebook, coup: Coup) -> bool:
    """Whether a third card was due and not dealt, whatever else went wrong."""
    play = rules.table_of_play
    player, banker = points(coup.player[:2]), points(coup.banker[:2])
    third: int | None = None
    if play.player_draws(player, banker):
        if len(coup.player) == 2:
            return True
        third = coup.player[2].points
    return len(coup.banker) == 2 and play.banker_draws(banker, player, third)


def voided(rules: Rulebook, table: Table, paragraph: str, *, keep: bool) -> Events:
    """The past round void. Side bets that the rightly dealt cards decide keep their result, where the rules say so."""
    past = _past(table)
    kept = kept_side_bets(rules, past, reported_hands(table)) if keep else {}
    back = rules.paragraph("void.returns")
    lines: list[SettledLine] = []
    for laid in past.wagers.values():
        lines += settled_wager(rules, past, laid, kept[laid.bet]) if laid.bet in kept else [returned(laid, back)]
    lines += [returned(taken, back) for taken in past.insurance]
    fixed = e.PastRoundCorrected(
        paragraph=paragraph,
        round=past.number,
        void=True,
        winner=None,
        lines=tuple(lines),
        entries=entries(table, past.lines, tuple(lines)),
    )
    return (fixed, *_on(rules, table))


def whole_void(rules: Rulebook, table: Table, past: Round, paragraph: str) -> e.PastRoundCorrected:
    """A past round void, and every wager of it back."""
    lines = all_returned(past, rules.paragraph("void.returns"))
    moved = entries(table, past.lines, lines)
    return e.PastRoundCorrected(
        paragraph=paragraph, round=past.number, void=True, winner=None, lines=lines, entries=moved
    )


def kept_side_bets(rules: Rulebook, past: Round, truth: Coup) -> dict[Bet, Verdict]:
    """5.15.4: side bets of the round conclusively won or lost on the cards that were rightly dealt."""
    right = _rightly_dealt(rules, truth)
    places = {f"P{at}": card.rank for at, card in enumerate(right.player, 1)}
    places |= {f"B{at}": card.rank for at, card in enumerate(right.banker, 1)}
    side = tuple({laid.bet: None for laid in past.wagers.values() if not rules.bets[laid.bet].main})
    verdicts = pay_table(rules)[outcome_of(_some_end(rules, right))]
    return {bet: verdicts[bet] for bet in conclusive(rules, side, places)}


def _rightly_dealt(rules: Rulebook, truth: Coup) -> Coup:
    """Each hand as far as the Table of Play called for its cards: a Banker's third card only after a Player's hand
    that has neither a card too many nor one too few. Otherwise another card was due to the Banker."""
    play = rules.table_of_play
    player, banker = truth.player[:2], truth.banker[:2]
    own, other = points(player), points(banker)
    third: int | None = None
    if play.player_draws(own, other):
        player = truth.player[:3]
        third = player[2].points if len(player) == 3 else None
    drew_as_due = len(truth.player) == (3 if play.player_draws(own, other) else 2)
    if drew_as_due and play.banker_draws(other, own, third):
        banker = truth.banker[:3]
    return Coup(player, banker)


def _some_end(rules: Rulebook, coup: Coup) -> Coup:
    """One way in which these cards may be completed: what is conclusive is the same in all of them."""
    any_card: Card = card("KS")
    while next_side(rules.table_of_play, coup.player, coup.banker) is not None:
        if next_side(rules.table_of_play, coup.player, coup.banker) == "player":
            coup = Coup((*coup.player, any_card), coup.banker)
        else:
            coup = Coup(coup.player, (*coup.banker, any_card))
    return coup


def resettled(rules: Rulebook, table: Table, row: Irregularity, words: r.OrderWords) -> Events | Refusal:
    """5.15.2: the drawn cards played again in the order they left the shoe; what is not needed is discarded."""
    coup = _replayed(rules, table, row, words)
    if isinstance(coup, Refusal):
        return coup
    past = _past(table)
    cards = tuple(
        PlacedCard(f"{letter}{at}", str(card), True)
        for letter, hand in (("P", coup.player), ("B", coup.banker))
        for at, card in enumerate(hand, 1)
    )
    anew = replace(past, cards=cards)
    verdicts = pay_table(rules)[outcome_of(coup)]
    cite = rules.topics.get(f"{row.id}.extra-card", row.cite)
    lines: list[SettledLine] = []
    for laid in past.wagers.values():
        lines += settled_wager(rules, anew, laid, verdicts[laid.bet])
    for taken in past.insurance:
        if still_offered(rules, anew, taken):
            lines += insurance_lines(rules, taken, coup.winner)
        else:
            lines.append(returned(taken, cite))
    fixed = e.PastRoundCorrected(
        paragraph=cite,
        round=past.number,
        void=False,
        winner=coup.winner,
        lines=tuple(lines),
        entries=entries(table, past.lines, tuple(lines)),
        cards=cards,
    )
    return (fixed, *_on(rules, table))


def _replayed(rules: Rulebook, table: Table, row: Irregularity, words: r.OrderWords) -> Coup | Refusal:
    """The cards of the past round dealt again, in the order of the deal or as it is stated."""
    order = to_order(table)
    if words.order:
        in_order = in_named_order(order, words.order)
        if in_order is None:
            return refuse(Code.BAD_RULING, "expected an order of exactly the cards of that round", row.cite)
        order = in_order
    coup, _ = deal(rules.table_of_play, tuple(card(drawn.face or "") for drawn in order))
    if next_side(rules.table_of_play, coup.player, coup.banker) is not None:
        text = "the cards of that round do not make a whole coup: it can't be put right"
        return refuse(Code.BAD_RULING, text, row.cite)
    return coup


def _on(rules: Rulebook, table: Table) -> Events:
    """5.14: no later round is touched."""
    return as_it_stood(table, rules.paragraph("late-discovery"))
