"""Insurance that was not offered (5.17, I7), and insurance chips put on the wrong side (5.18, I11)."""

from __future__ import annotations

from typing import Final

from punto.codes import Code
from punto.game import events as e
from punto.game import insurance as insured
from punto.game import insurance_offers
from punto.game.evolve import evolve, evolve_all
from punto.game.insurance import Offer
from punto.game.insurance_offers import late_most_cents, original_cents
from punto.game.irregularities.carried_out import as_it_stood, opened
from punto.game.irregularities.kinds import Events, Fields
from punto.game.irregularities.lines import entries, still_offered
from punto.game.irregularities.records import PatronWords, Words
from punto.game.moves import in_round, replace
from punto.game.outcome import outcome_of
from punto.game.refusals import Refusal, refuse
from punto.game.settle_round import insurance_lines, settled_wager, would_have_won
from punto.game.settlement import pay_table
from punto.game.squeezing import knows_a_card
from punto.game.table import Entry, Phase, Round, SettledLine, Table
from punto.money import Cents
from punto.rulebook.model import Bet, Irregularity, Moment, Rulebook

_CARDS: Final = {Moment.FOUR_CARDS: 4, Moment.PLAYER_THIRD: 5}
"""How many cards lie at that moment."""


def concerned_round(table: Table) -> Round:
    """The round that the report is about: a past one where it names one."""
    number = opened(table).round
    return table.current if number is None else table.past[number]


def fault(rules: Rulebook, table: Table, current: Round, after: Moment) -> str | None:
    """Why nothing was missed at that moment, or nothing can be done about it; None where there is a remedy."""
    offer = insured.offer(rules, after, current.coup)
    if offer is None:
        return "no row of the pay table was open at that moment"
    if not current.insurance_offered or (current.waived and after is Moment.PLAYER_THIRD):
        return "insurance was waived or is not offered here: nothing was missed"
    if any(offer is not None and (offer.late or offer.after is after) for offer in (current.offer, current.late_offer)):
        return "it is on offer now, or another late offer is: that one closes with the next card"
    if not concerned(rules, current, offer):
        return "everybody with a right to it took it, or has forgone it"
    if not _known(table, current) and not _late_maximum(rules, table, current, offer):
        return "nobody could stake a cent at it"
    return None


def _known(table: Table, current: Round) -> bool:
    """W5: the round's result is known once its last card is exposed."""
    phase = table.irregularity.phase if table.irregularity is not None else table.phase
    return current.ended or phase is Phase.COMPLETE


def concerned(rules: Rulebook, current: Round, offer: Offer) -> list[str]:
    """Who had the right, took nothing at that moment, and had forgone nothing by then (5.3)."""
    took = {taken.patron for taken in current.insurance if taken.after is offer.after}
    late = {name for past in current.offers if past.late and past.after is offer.after for name in past.patrons}
    by_then = (Moment.FOUR_CARDS, offer.after)
    said_no = {name for name, moments in current.declined.items() if not set(by_then).isdisjoint(moments)}
    passed: set[str] = set()
    if offer.after is Moment.PLAYER_THIRD and rules.insurance.forgone_scope == "round":
        took_first = {taken.patron for taken in current.insurance if taken.after is Moment.FOUR_CARDS}
        first = {name for offer in current.offers if offer.after is Moment.FOUR_CARDS for name in offer.patrons}
        passed = first - took_first
    spared = {laid.patron for laid in current.wagers.values() if laid.id in current.spared}
    if current.winner is not None:  # a return that lapsed on the true cards (O33) bars no other
        spared = {laid.patron for laid in current.wagers.values() if would_have_won(rules, current, laid)}
    walked = {name for name, cards in current.walked.items() if cards <= _CARDS[offer.after]}
    gone = took | late | said_no | passed | spared | walked
    names = dict.fromkeys(laid.patron for laid in current.wagers.values())
    return [name for name in names if original_cents(current, name, offer.bet.side) and name not in gone]


def result_known(rules: Rulebook, table: Table, fields: Fields) -> bool:
    """The last card of that round is open."""
    return _known(table, concerned_round(table))


def _missed(rules: Rulebook, table: Table) -> tuple[Round, Offer]:
    """The round and the offer that the open report is about."""
    current, after = concerned_round(table), opened(table).after
    assert after is not None, "the report names the moment"
    offer = insured.offer(rules, after, current.coup)
    assert offer is not None, "the report was checked"
    return current, offer


def _late_maximum(rules: Rulebook, table: Table, current: Round, offer: Offer) -> dict[str, Cents]:
    """What each patron concerned may stake late. One who squeezes and knows a face-down card (O115) is left out."""
    most = {
        name: Cents(late_most_cents(rules, table, name, offer))
        for name in concerned(rules, current, offer)
        if table.patrons[name].present and not (current is table.round and knows_a_card(table, name))
    }
    return {name: cents for name, cents in most.items() if cents}


def offer_late(rules: Rulebook, table: Table, row: Irregularity, words: Words) -> Events | Refusal:
    """5.17.1: at the row and odds that it had; it counts as placed when it was missed."""
    current, offer = _missed(rules, table)
    maximum = _late_maximum(rules, table, current, offer)
    if not maximum:
        return refuse(
            Code.BAD_RULING, "none of the patrons concerned can take the offer now", row.cite_of("late-offer")
        )
    late = e.InsuranceOffered(
        paragraph=rules.paragraph("insurance-missed.before"),
        after=offer.after,
        bet=offer.bet,
        odds=offer.odds,
        player_points=offer.player_points,
        banker_points=offer.banker_points,
        tie_paragraph=offer.tie_paragraph,
        maximum=maximum,
        late=True,
    )
    return (late, *_ordinary_too(rules, evolve(table, late)))


def _ordinary_too(rules: Rulebook, table: Table) -> Events:
    """I7: an ordinary later offer stays, also for those who seemed to have forgone it by the offer that was missed."""
    current = table.current
    if len(current.cards) < 5 or not current.all_open:
        return ()
    anew = insurance_offers.opened(
        rules, in_round(table, offers=tuple(offer for offer in current.offers if offer.late))
    )
    if anew is None or (current.offer is not None and set(anew.maximum) <= set(current.offer.patrons)):
        return ()
    said_no = insurance_offers.said_no(current, anew.after)
    maximum = {name: most for name, most in anew.maximum.items() if name not in said_no}
    return (replace(anew, maximum=maximum),) if maximum else ()


def original_back(rules: Rulebook, table: Table, row: Irregularity, words: PatronWords) -> Events | Refusal:
    """5.17.2: each patron named whose insurance would have won gets the whole Original Bet on that hand back."""
    current, offer = _missed(rules, table)
    may = concerned(rules, current, offer)
    named = tuple(dict.fromkeys(words.patrons))
    if not named or any(name not in may for name in named):
        return refuse(Code.BAD_RULING, f"expected who meant to insure, of: {', '.join(may)}", row.cite_of("return"))
    result, _ = insured.result(rules, offer, current.coup.winner)
    events: Events = ()
    if result == "won":
        for name in named:
            events = (*events, _back(rules, evolve_all(table, events), current, name, offer))
    return (*events, *as_it_stood(table, rules.paragraph("insurance-missed.after")))


def _back(rules: Rulebook, table: Table, current: Round, name: str, offer: Offer) -> e.OriginalReturned:
    bet, after = Bet(offer.bet.side.value), offer.after
    wagers = [wager for wager in current.wagers.values() if wager.patron == name and wager.bet is bet]
    lines: tuple[SettledLine, ...] = ()
    moved: tuple[Entry, ...] = ()
    if current.ended:
        spared = replace(current, spared={**current.spared, **dict.fromkeys((wager.id for wager in wagers), after)})
        verdict = pay_table(rules)[outcome_of(current.coup)][bet]
        lines = tuple(line for wager in wagers for line in settled_wager(rules, spared, wager, verdict))
        moved = entries(table, current.lines, lines)
    return e.OriginalReturned(
        paragraph=rules.paragraph("insurance-missed.after"),
        round=current.number,
        patron=name,
        wagers=tuple(wager.id for wager in wagers),
        lines=lines,
        entries=moved,
    )


def repositioned(rules: Rulebook, table: Table, row: Irregularity, words: Words) -> Events | Refusal:
    """5.18: the chips go where they belong, at any time, and settle there, unless they went back for want of an offer
    on the true cards (I6)."""
    current = concerned_round(table)
    taken = next(taken for taken in current.insurance if taken.id == opened(table).insurance)
    cite = rules.topics.get(f"insurance-misplaced.{taken.bet.side.value}", row.cite)
    lines: tuple[SettledLine, ...] = ()
    moved: tuple[Entry, ...] = ()
    if current.winner is not None and still_offered(rules, current, taken):
        lines = tuple(insurance_lines(rules, replace(taken, area=taken.bet), current.winner))
        moved = entries(table, current.lines, lines)
    put = e.InsuranceRepositioned(
        paragraph=cite,
        round=current.number,
        insurance=taken.id,
        patron=taken.patron,
        bet=taken.bet,
        lines=lines,
        entries=moved,
    )
    return (put, *as_it_stood(table, row.cite))
