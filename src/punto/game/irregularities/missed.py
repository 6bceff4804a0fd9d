"""Insurance that was not offered (5.17, I7), and insurance chips put on the wrong side (5.18, I11)."""

from __future__ import annotations

from punto.game import commands as c
from punto.game import events as e
from punto.game import insurance as insured
from punto.game.evolve import evolve_all
from punto.game.insurance import Offer
from punto.game.irregularities.carried_out import opened, resumed
from punto.game.irregularities.lines import entries, returned
from punto.game.offers import late_most_cents, original_cents
from punto.game.refusals import Refusal, refuse
from punto.game.settling import settled_insurance
from punto.game.table import Entry, Phase, Round, SettledLine, Table
from punto.money import Cents
from punto.rulebook.model import Bet, Irregularity, Moment, Rulebook, Side

Events = tuple[e.AnyEvent, ...]


def decide(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.17: late while a card is still to be exposed; once the result is known the Original Bet goes back."""
    open_ = opened(table)
    current = table.past[open_.round] if open_.round is not None else table.current
    after = open_.after
    assert after is not None, "the report names the moment"
    offer = insured.offer(rules, after, current.coup)
    if offer is None:
        return refuse("bad-ruling", "insurance was not on offer at that moment", rules.insurance.cite)
    if not table.insurance_offered or (current.waived and after is Moment.PLAYER_THIRD):
        return refuse("bad-ruling", "insurance was waived or is not offered here: nothing was missed", row.cite)
    known = current.ended or open_.phase is Phase.COMPLETE
    if known:
        return _original_back(rules, table, row, command, current, offer)
    return _late_offer(rules, table, row, current, offer)


def _concerned(rules: Rulebook, current: Round, offer: Offer) -> list[str]:
    """Who had the right, took nothing at that moment, and had not let an earlier offer pass."""
    took = {one.patron for one in current.insurance if one.after is offer.after}
    earlier = current.declined
    if offer.after is Moment.PLAYER_THIRD and rules.insurance.forgone_scope == "round":
        first = next((one for one in current.offers if one.after is Moment.FOUR_CARDS), None)
        took_first = {one.patron for one in current.insurance if one.after is Moment.FOUR_CARDS}
        if first is not None:
            earlier = earlier | (set(first.patrons) - took_first)
    names = dict.fromkeys(laid.patron for laid in current.wagers.values())
    return [
        name
        for name in names
        if original_cents(current, name, offer.bet.side) and name not in took and name not in earlier
    ]


def _late_offer(rules: Rulebook, table: Table, row: Irregularity, current: Round, offer: Offer) -> Events | Refusal:
    """5.17.1: at the row and odds that it had; it counts as placed when it was missed."""
    maximum = {
        name: Cents(most)
        for name in _concerned(rules, current, offer)
        if table.patrons[name].present
        for most in [late_most_cents(rules, table, name, offer)]
        if most
    }
    if not maximum:
        return refuse("bad-ruling", "nobody missed an offer there", row.cite)
    return (
        e.InsuranceOffered(
            paragraph=rules.paragraph("insurance-missed.before"),
            after=offer.after,
            bet=offer.bet,
            odds=offer.odds,
            player_points=offer.player_points,
            banker_points=offer.banker_points,
            tie_paragraph=offer.tie_paragraph,
            maximum=maximum,
            late=True,
        ),
    )


def _original_back(
    rules: Rulebook,
    table: Table,
    row: Irregularity,
    command: c.DecideIrregularity,
    current: Round,
    offer: Offer,
) -> Events | Refusal:
    """5.17.2: each patron named whose insurance would have won gets the whole Original Bet on that hand back."""
    concerned = _concerned(rules, current, offer)
    if not command.patrons or any(name not in concerned for name in command.patrons):
        return refuse("bad-ruling", f"expected who meant to insure, of: {', '.join(concerned) or 'nobody'}", row.cite)
    winner = current.coup.winner
    result, _ = insured.result(rules, offer, winner)
    cite = rules.paragraph("insurance-missed.after")
    events: Events = ()
    if result == "won":
        for name in command.patrons:
            state = evolve_all(table, events)
            events = (*events, _back(state, current, name, offer.bet.side, cite))
    return (*events, *resumed(rules, evolve_all(table, events), cite))


def _back(table: Table, current: Round, name: str, side: Side, cite: str) -> e.OriginalReturned:
    bet = Bet(side.value)
    wagers = [one for one in current.wagers.values() if one.patron == name and one.bet is bet]
    lines: tuple[SettledLine, ...] = ()
    moved: tuple[Entry, ...] = ()
    if current.ended:
        lines = tuple(returned(one, cite) for one in wagers)
        names = {one.id for one in wagers}
        old = tuple(line for line in current.lines if line.wager in names)
        moved = entries(table, old, lines)
    return e.OriginalReturned(
        paragraph=cite,
        round=current.number,
        patron=name,
        wagers=tuple(one.id for one in wagers),
        lines=lines,
        entries=moved,
    )


def repositioned(rules: Rulebook, table: Table, row: Irregularity, command: c.DecideIrregularity) -> Events | Refusal:
    """5.18: the chips go where they belong, at any time, and settle there."""
    current = table.current
    taken = next(one for one in current.insurance if one.id == opened(table).insurance)
    topic = f"insurance-misplaced.{taken.bet.side.value}"
    cite = rules.topics.get(topic, row.cite)
    lines: tuple[SettledLine, ...] = ()
    moved: tuple[Entry, ...] = ()
    if current.ended and current.winner is not None:
        lines = (settled_insurance(rules, taken, current.winner, area=taken.bet),)
        moved = entries(table, tuple(one for one in current.lines if one.wager == taken.id), lines)
    put = e.InsuranceRepositioned(
        paragraph=cite, insurance=taken.id, patron=taken.patron, bet=taken.bet, lines=lines, entries=moved
    )
    return (put, *resumed(rules, evolve_all(table, (put,)), row.cite))
