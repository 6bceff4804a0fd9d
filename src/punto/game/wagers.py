"""Betting: opening and closing it, placing, raising, lowering and withdrawing wagers under D1 to D5."""

from __future__ import annotations

from typing import Final

from punto import money
from punto.codes import Code
from punto.game import announcements, insurance_offers, people, settle_round
from punto.game import commands as c
from punto.game import events as e
from punto.game import limits as judged
from punto.game.evolve import evolve_all
from punto.game.irregularities.lines import reversal
from punto.game.refusals import Fact, Refusal, cut, refuse
from punto.game.settlement import not_offered
from punto.game.shoe import cut_card_due, last_round_cite
from punto.game.table import Laid, Patron, Phase, Table, Taken
from punto.money import MAXIMUM_CENTS, Cents
from punto.rulebook.model import Bet, BetRule, Rulebook

Events = tuple[e.AnyEvent, ...]

MOST_STAKE_CENTS = MAXIMUM_CENTS // 1000
"""A wager is at most ten billion, so that what the longest odds pay on it is still an amount that can be written."""


_BETS: Final = {bet.value: bet for bet in Bet}


def open_betting(rules: Rulebook, table: Table, command: c.OpenBetting) -> Events | Refusal:
    """3.3: the next round commences, under the edition given (E2)."""
    if announcements.closes_now(table):
        text = f"round {table.closes_after} was announced as the last: the table closes"
        return refuse(Code.TABLE_CLOSES, text, rules.paragraph("define.house"), round=table.rounds)
    shoe = table.in_use
    if shoe.last_round:
        text = "the cut card has come out: the last round of this shoe is over"
        return refuse(Code.LAST_ROUND, text, last_round_cite(rules))
    if shoe.replace_due:
        text = "a new set of cards was ordered: load it first"
        return refuse(Code.REPLACEMENT_DUE, text, shoe.replace_cite or rules.paragraph("simultaneous.replace"))
    if table.opened.layout not in rules.layouts:
        text = f"layout {table.opened.layout} is not in {rules.id}"
        return refuse(Code.UNKNOWN_LAYOUT, text, rules.paragraph("layout.which"), layout=table.opened.layout)
    if cut_card_due(shoe) and rules.procedure.cut_card_between == "ends-shoe":
        return (e.CutCardDrawn(paragraph=rules.paragraph("blue-card.between"), no_more_rounds=True),)
    return (
        e.BettingOpened(
            paragraph=rules.procedure.opens_cite,
            round=table.rounds + 1,
            hand=shoe.hands + 1,
            edition=rules.id,
            says=rules.procedure.opens_with,
            by=command.by,
        ),
    )


def open_to(rules: Rulebook, table: Table, name: str) -> BetRule | Refusal:
    """3.7, L4: a bet of the layout that is open in this hand of the shoe."""
    layout = rules.layouts[table.opened.layout]
    if name not in layout.bets:
        return not_offered(rules, layout, name)
    rule = rules.bets[_BETS[name]]
    if not open_in_hand(rule, table, table.current.hand):
        text = f"{name} is open for the first {rule.hands} hands of a shoe; this is hand {table.current.hand}"
        return refuse(Code.BET_CLOSED_FOR_HAND, text, rule.hands_cite, bet=name, hands=rule.hands or 0)
    return rule


def open_in_hand(rule: BetRule, table: Table, hand: int) -> bool:
    """L4: virtual tables have no limit by hand."""
    return rule.hands is None or table.opened.source == "virtual" or hand <= rule.hands


def available(rules: Rulebook, table: Table) -> tuple[Bet, ...]:
    """W3: the bets of the layout that are open in this hand."""
    bets = rules.layouts[table.opened.layout].bets
    return tuple(bet for bet in bets if open_in_hand(rules.bets[bet], table, table.current.hand))


def _find(table: Table, patron: str, box: int, bet: str) -> Laid | None:
    """D1: a patron's wagers on one bet in one box are one."""
    for laid in table.current.wagers.values():
        if laid.patron == patron and laid.box == box and laid.bet == bet:
            return laid
    return None


def place(rules: Rulebook, table: Table, command: c.PlaceWager) -> Events | Refusal:
    """A new wager."""
    if _find(table, command.patron, command.box, command.bet) is not None:
        text = f"{command.patron} has a wager on {command.bet} in box {command.box}: raise it"
        return refuse(Code.WAGER_EXISTS, text, rules.paragraph("bets.which"), **_which(command))
    return _add(rules, table, command, None)


def raise_(rules: Rulebook, table: Table, command: c.RaiseWager) -> Events | Refusal:
    """More on a wager that lies there."""
    laid = _find(table, command.patron, command.box, command.bet)
    if laid is None:
        return no_such_wager(rules, command)
    return _add(rules, table, command, laid)


def no_such_wager(rules: Rulebook, command: c.RaiseWager | c.LowerWager | c.WithdrawWager) -> Refusal:
    text = f"{command.patron} has no wager on {cut(command.bet)} in box {command.box}"
    return refuse(Code.NO_SUCH_WAGER, text, rules.paragraph("bets.which"), **_which(command))


def _which(command: c.WagerCommand) -> dict[str, Fact]:
    return {"patron": command.patron, "bet": command.bet, "box": command.box}


def _add(rules: Rulebook, table: Table, command: c.PlaceWager | c.RaiseWager, laid: Laid | None) -> Events | Refusal:
    """D3: what fits is placed, the excess rejected; a seated patron's wager pushes out standing ones."""
    checked = _checked(rules, table, command)
    if isinstance(checked, Refusal):
        return checked
    rule, seated = checked
    limits = table.limits
    before = laid.stake_cents if laid is not None else 0
    if before + command.stake_cents > MOST_STAKE_CENTS:
        return refuse(Code.BAD_AMOUNT, "a wager is ten billion at most", rules.paragraph("limits.patron-duty"))
    fit = judged.fit(limits, table.current.wagers, command.box, rule.bet, command.stake_cents, seated=seated)
    rejected = command.stake_cents - fit.fits_cents
    least = judged.minimum_cents(limits, rule.bet)
    if not fit.fits_cents or (rejected and before + fit.fits_cents < least):
        return _over(rules, table, fit, command)
    events: list[e.AnyEvent] = [_cut(rules, cut) for cut in fit.cuts]
    cite = added_cite(rules, command.by)
    wager = laid.id if laid is not None else f"w{table.placed + 1}"
    if laid is not None:
        events.append(
            e.WagerRaised(
                paragraph=cite,
                wager=wager,
                patron=command.patron,
                stake_cents=Cents(fit.fits_cents),
                by=command.by,
            )
        )
    else:
        events.append(
            e.WagerPlaced(
                paragraph=cite,
                wager=wager,
                patron=command.patron,
                box=command.box,
                bet=rule.bet,
                seated=seated,
                stake_cents=Cents(fit.fits_cents),
                by=command.by,
            )
        )
    if rejected:
        events.append(
            e.ExcessRejected(
                paragraph=rules.paragraph("limit.excess"),
                patron=command.patron,
                box=command.box,
                bet=rule.bet,
                bound=fit.bound,
                stake_cents=Cents(rejected),
            )
        )
    if before + fit.fits_cents < least:
        cite = rules.paragraph("minimum.noticed")
        events.append(e.MinimumNoticed(paragraph=cite, wager=wager, patron=command.patron, minimum_cents=Cents(least)))
    if not fit.cuts:
        return tuple(events)
    # A standing wager that went back whole may have left the other side too far ahead.
    return (*events, *_rebalance(rules, evolve_all(table, tuple(events))))


def _checked(
    rules: Rulebook, table: Table, command: c.PlaceWager | c.RaiseWager, *, gone: bool = False
) -> tuple[BetRule, bool] | Refusal:
    """Check person, box, bet and chips, before any limit. Chips found late may belong to a patron who has left."""
    patron = table.patrons.get(command.patron)
    if patron is None or not (patron.present or gone):
        return people.unknown_patron(rules, command.patron)
    rule = open_to(rules, table, command.bet)
    if isinstance(rule, Refusal):
        return rule
    if not 1 <= command.box <= table.opened.positions:
        text = f"there is no box {command.box}: this table has 1 to {table.opened.positions}"
        cite = rules.paragraph("layout.boxes")
        return refuse(Code.NO_SUCH_BOX, text, cite, box=command.box, boxes=table.opened.positions)
    if not takes_wagers(table, command.box, gone=gone):
        text = f"nobody sits at box {command.box}: a standing wager needs a seated patron there"
        return refuse(Code.BOX_EMPTY, text, rules.paragraph("define.standing"), box=command.box)
    if not 0 < command.stake_cents <= MOST_STAKE_CENTS:
        return refuse(
            Code.BAD_AMOUNT,
            "expected a stake of more than 0.00, and of ten billion at most",
            rules.paragraph("limits.patron-duty"),
        )
    if command.stake_cents > patron.balance_cents:
        return people.not_enough_chips(rules, patron)
    return rule, patron.box == command.box


def takes_wagers(table: Table, box: int, *, gone: bool) -> bool:
    """Whether somebody sits at a box; for chips that are found late, whether somebody did at the close."""
    on_record = gone and any(laid.box == box for laid in table.current.lay.values())
    return on_record or people.occupant(table, box) is not None


def most_cents(patron: Patron, before_cents: int) -> int:
    """The chips that a patron can add to a wager, whatever room the limits leave."""
    return min(patron.balance_cents, MOST_STAKE_CENTS - before_cents)


def _over(rules: Rulebook, table: Table, fit: judged.Fit, command: c.PlaceWager | c.RaiseWager) -> Refusal:
    """5.1, 3.5: no part of the stake can stand."""
    room = money.amount(fit.fits_cents)
    if fit.bound == "maximum":
        text = f"the maximum on {command.bet} in box {command.box} leaves room for {room}, less than must be staked"
        return refuse(Code.OVER_MAXIMUM, text, rules.paragraph("limits.patron-duty"), room=room, **_which(command))
    text = f"the {fit.bound} leaves room for {room} on {command.bet} in box {command.box}, less than must be staked"
    facts = {"bound": fit.bound, "room": room, **_which(command)}
    return refuse(Code.OVER_DIFFERENTIAL, text, rules.paragraph("limit.excess"), **facts)


def _cut(rules: Rulebook, cut: judged.Cut) -> e.WagerCut:
    return e.WagerCut(
        paragraph=rules.paragraph("limit.excess"),
        wager=cut.wager.id,
        patron=cut.wager.patron,
        stake_cents=Cents(cut.amount_cents),
    )


def added_cite(rules: Rulebook, by: str | None) -> str:
    """The paragraph for chips put down, by the patron or by staff for them."""
    return rules.paragraph("staff-place" if by else "bets.which")


def taken_off_cite(rules: Rulebook, table: Table) -> str:
    """The paragraph for chips taken off again, while betting is open or after the cut card (5.7.1)."""
    return rules.paragraph("cut-card.withdraw" if table.phase is Phase.CUT_CARD else "bets.which")


def lower(rules: Rulebook, table: Table, command: c.LowerWager) -> Events | Refusal:
    """Take a part off. Always allowed while betting is open; under the minimum the patron is told."""
    patron = people.present(rules, table, command.patron)
    if isinstance(patron, Refusal):
        return patron
    laid = _find(table, command.patron, command.box, command.bet)
    if laid is None:
        return no_such_wager(rules, command)
    if not 0 < command.stake_cents < laid.stake_cents:
        text = f"expected more than 0.00 and less than the wager of {money.amount(laid.stake_cents)}"
        below = money.amount(laid.stake_cents)
        return refuse(Code.BAD_AMOUNT, text, rules.paragraph("limits.patron-duty"), below=below)
    lowered = e.WagerLowered(
        paragraph=taken_off_cite(rules, table),
        wager=laid.id,
        patron=laid.patron,
        stake_cents=command.stake_cents,
        by=command.by,
    )
    events: Events = (lowered,)
    least = judged.minimum_cents(table.limits, laid.bet)
    if laid.stake_cents - command.stake_cents < least:
        cite = rules.paragraph("minimum.noticed")
        noticed = e.MinimumNoticed(paragraph=cite, wager=laid.id, patron=laid.patron, minimum_cents=Cents(least))
        events = (*events, noticed)
    return _lightened(rules, table, laid, events)


def withdraw(rules: Rulebook, table: Table, command: c.WithdrawWager) -> Events | Refusal:
    """Whole wagers: while betting is open, or when the cut card came first in a high-limit area (5.7.1)."""
    patron = people.present(rules, table, command.patron)
    if isinstance(patron, Refusal):
        return patron
    laid = _find(table, command.patron, command.box, command.bet)
    if laid is None:
        return no_such_wager(rules, command)
    late = table.phase is Phase.CUT_CARD
    withdrawn = e.WagerWithdrawn(
        paragraph=taken_off_cite(rules, table),
        wager=laid.id,
        patron=laid.patron,
        stake_cents=Cents(laid.stake_cents),
        by=command.by,
    )
    if not late:
        return _lightened(rules, table, laid, (withdrawn,))
    if len(table.current.wagers) > 1:
        return (withdrawn,)
    return (withdrawn, e.RoundConcluded(paragraph=rules.paragraph("cut-card.withdraw"), by=command.by))


def _lightened(rules: Rulebook, table: Table, laid: Laid, events: Events) -> Events:
    """A wager has become smaller. If wagers lie on the other side, those may be too much now."""
    if laid.bet not in judged.MAIN:
        return events
    against = judged.other(laid.bet)
    if all(wager.bet is not against for wager in table.current.wagers.values()):
        return events
    return (*events, *_rebalance(rules, evolve_all(table, events)))


def _rebalance(rules: Rulebook, table: Table) -> Events:
    """D3: an excess left on the other side is cut, standing first, then the latest seated."""
    return tuple(_cut(rules, cut) for cut in judged.excess(table.limits, table.current.wagers))


def close_betting(rules: Rulebook, table: Table, command: c.CloseBetting) -> Events | Refusal:
    """3.8; D5: a wager that was noticed under the minimum and is still under it goes back."""
    limits = table.limits
    cite = rules.paragraph("minimum.noticed")
    returned: Events = tuple(
        e.WagerReturned(paragraph=cite, wager=wager.id, patron=wager.patron, stake_cents=Cents(wager.stake_cents))
        for wager in sorted(table.current.wagers.values(), key=lambda laid: laid.order)
        if wager.noticed and wager.stake_cents < judged.minimum_cents(limits, wager.bet)
    )
    closed = e.BettingClosed(paragraph=rules.procedure.closes_cite, says=rules.procedure.closes_with, by=command.by)
    return (*returned, *_rebalance(rules, evolve_all(table, returned)), closed) if returned else (closed,)


def report_chips(rules: Rulebook, table: Table, command: c.ReportChips) -> Events | Refusal:
    """D4, 5.2.1: chips that lay there at the close count; a limit that they pass is shared out."""
    if out_of_round(rules, table, command.patron):
        text = f"{command.patron} has taken the bets back and has no more part in the round"
        return refuse(Code.NOT_NOW, text, rules.paragraph("options.returned"), patron=command.patron)
    if table.round is None or table.round.ended:
        return _after_settlement(rules, table, command)
    checked = _checked(rules, table, _as_place(command), gone=True)
    if isinstance(checked, Refusal):
        return checked
    rule, seated = checked
    there = _find(table, command.patron, command.box, command.bet)
    whole = command.stake_cents + (there.stake_cents if there is not None else 0)
    least = judged.minimum_cents(table.limits, rule.bet)
    reported = e.ChipsReported(
        paragraph=rules.paragraph("minimum.unnoticed" if whole < least else "chips-lie"),
        wager=there.id if there is not None else f"w{table.placed + 1}",
        patron=command.patron,
        box=command.box,
        bet=rule.bet,
        seated=seated,
        by=command.by,
        stake_cents=command.stake_cents,
        forgone=there is None and insurance_offers.let_pass(rules, table, command.patron, rule.bet),
    )
    shared = _shared(rules, evolve_all(table, (reported,)), command.box)
    events: Events = (reported, *shared)
    if table.phase not in (Phase.DEALING, Phase.OFFER) or len(table.current.cards) < 4 or not table.current.all_open:
        return events
    offer = insurance_offers.opened(rules, evolve_all(table, events), newcomer=command.patron)
    return events if offer is None else (*events, offer)


def out_of_round(rules: Rulebook, table: Table, name: str) -> bool:
    """5.16.3: whether a patron has had the bets of the round returned."""
    out = rules.paragraph("options.returned")
    return table.round is not None and any((line.patron, line.paragraph) == (name, out) for line in table.round.lines)


def _after_settlement(rules: Rulebook, table: Table, command: c.ReportChips) -> Events | Refusal:
    """I10: until the next betting opens the settlement is taken back and made anew, with the chips that were found."""
    current, shoe = table.round, table.dealt_from
    if current is None or current.winner is None:
        text = "no round was played, or it ended without result"
        return refuse(Code.NOT_NOW, text, rules.paragraph("define.round"))
    cite = rules.paragraph("chips-lie")
    coup, carried = current.coup, shoe.carried if shoe is not None else ()
    chips = {command.patron: command.stake_cents}
    again: Events = (
        e.RoundReopened(paragraph=cite, cards=current.cards, carried=carried, entries=reversal(table, chips)),
        e.CoupCompleted(paragraph=cite, player_points=coup.player_points, banker_points=coup.banker_points),
    )
    reported = report_chips(rules, evolve_all(table, again), command)
    if isinstance(reported, Refusal):
        return reported
    settled = settle_round.settle(rules, evolve_all(table, (*again, *reported)), c.Settle(by=command.by))
    assert not isinstance(settled, Refusal), "a complete coup settles"
    if table.phase is Phase.SETTLED:
        return (*again, *reported, *settled)
    return (*again, *reported, *settled, e.PlayResumed(paragraph=cite, phase=table.phase))


def _shared(rules: Rulebook, table: Table, box: int) -> Events:
    """D4: what is in play now of the wagers in the box and of their insurance."""
    now = table.current.wagers
    pro_rata = judged.pro_rata(table.limits, table.current.lay, box)
    shares = {name: cents for name, cents in pro_rata.items() if name in now}
    cite = rules.paragraph("limit.pro-rata")
    pro_rated = e.ProRated(paragraph=cite, box=box, in_play={name: Cents(cents) for name, cents in shares.items()})
    shares |= insurance_offers.in_play_cents(rules, evolve_all(table, (pro_rated,)))
    lying: list[Laid | Taken] = [*table.current.wagers.values(), *table.current.insurance]
    if all(wager.in_play_cents == shares.get(wager.id, wager.in_play_cents) for wager in lying):
        return ()
    return (e.ProRated(paragraph=cite, box=box, in_play={name: Cents(cents) for name, cents in shares.items()}),)


def _as_place(command: c.ReportChips) -> c.PlaceWager:
    return c.PlaceWager(
        patron=command.patron, box=command.box, bet=command.bet, stake_cents=command.stake_cents, by=command.by
    )
