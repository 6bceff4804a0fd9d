"""Insurance at the table (P2–P6): who is offered how much, taking and declining it, and what the next card ends."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from punto import money
from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game import insurance, people
from punto.game import limits as judged
from punto.game.evolve import evolve_all
from punto.game.insurance import Offer
from punto.game.refusals import Refusal, cut, named, refuse
from punto.game.table import Offered, Phase, Round, Table, Taken
from punto.money import Cents
from punto.rulebook.model import Bet, Insurance, Moment, Rulebook, Side

Events = tuple[e.AnyEvent, ...]


def original_cents(current: Round, patron: str, side: Side) -> int:
    """P4: the patron's stakes in play on a hand over all boxes."""
    bet = Bet(side)
    return sum(
        [wager.in_play_cents for wager in current.wagers.values() if wager.bet is bet and wager.patron == patron]
    )


def opened(rules: Rulebook, table: Table, newcomer: str | None = None) -> e.InsuranceOffered | None:
    """The offer that the open cards call for, if anybody has a right to it.

    An offer is made once, or again where a `newcomer` whose chips were found late has a right to it too (D4).
    """
    current = table.current
    after = Moment.FOUR_CARDS if len(current.cards) == 4 else Moment.PLAYER_THIRD
    if not current.insurance_offered or (current.waived and after is Moment.PLAYER_THIRD):
        return None
    if newcomer is None and any(offer.after is after and not offer.late for offer in current.offers):
        return None
    offer = insurance.offer(rules, after, current.coup)
    if offer is None or (after is Moment.PLAYER_THIRD and len(current.coup.banker) == 3):
        return None
    maximum = {
        name: Cents(most)
        for name, patron in table.patrons.items()
        if patron.present and has_right(rules, current, name, offer)
        for most in [most_cents(rules, table, name, offer)]
        if most
    }
    known = current.offer.patrons if current.offer is not None else ()
    if not maximum or (newcomer is not None and (newcomer in known or newcomer not in maximum)):
        return None
    return e.InsuranceOffered(
        paragraph=offer.paragraph,
        after=after,
        bet=offer.bet,
        odds=offer.odds,
        player_points=offer.player_points,
        banker_points=offer.banker_points,
        tie_paragraph=offer.tie_paragraph,
        maximum=maximum,
    )


def has_right(rules: Rulebook, current: Round, name: str, offer: Offer | Offered) -> bool:
    """P2 (c), P3, P6: an Original Bet on that hand, not on both where the game forbids it, and nothing forgone."""
    if name in current.forgone or offer.after in current.declined.get(name, ()):
        return False
    if not original_cents(current, name, offer.bet.side):
        return False
    return not _on_both(rules, current, name)


def _on_both(rules: Rulebook, current: Round, name: str) -> bool:
    """P3: wagers on both hands, where the game then offers no insurance."""
    sides = (Side.PLAYER, Side.BANKER)
    return rules.insurance.both_hands == "none" and all(original_cents(current, name, side) for side in sides)


def let_pass(rules: Rulebook, table: Table, name: str, bet: Bet) -> bool:
    """P6: whether a patron whose chips on this hand were found late took nothing while insurance of it was on offer."""
    current = table.current
    if rules.insurance.forgone_scope != "round" or not current.insurance_offered or len(current.cards) < 5:
        return False
    offer = insurance.offer(rules, Moment.FOUR_CARDS, current.coup)
    took = any(taken.patron == name and taken.after is Moment.FOUR_CARDS for taken in current.insurance)
    return offer is not None and offer.bet.side.value == bet.value and not took


def in_play_cents(rules: Rulebook, table: Table) -> dict[str, int]:
    """P4: how much of each insurance stake the Original Bets in play still allow, first taken first."""
    cents: dict[str, int] = {}
    bare = msgspec.structs.replace(table.current, insurance=())
    for taken in table.current.insurance:
        state = msgspec.structs.replace(table, round=bare)
        limit = late_most_cents if _late(table.current, taken) else most_cents
        most = 0 if _on_both(rules, bare, taken.patron) else limit(rules, state, taken.patron, _taken_at(taken))
        cents[taken.id] = min(taken.stake_cents, most)
        kept = msgspec.structs.replace(taken, stake_cents=cents[taken.id])
        bare = msgspec.structs.replace(bare, insurance=(*bare.insurance, kept))
    return cents


def _late(current: Round, taken: Taken) -> bool:
    """5.17.1: whether this insurance was taken at a late offer."""
    made = (offer for offer in current.offers if offer.late and offer.after is taken.after)
    return any(taken.patron in offer.patrons for offer in made)


def _taken_at(taken: Taken) -> Offer:
    """The offer at which insurance was taken."""
    return Offer(
        bet=taken.bet,
        after=taken.after,
        player_points=taken.player_points,
        banker_points=taken.banker_points,
        odds=taken.odds,
        paragraph=taken.paragraph,
        tie_paragraph=taken.tie_paragraph,
    )


def most_cents(rules: Rulebook, table: Table, name: str, offer: Offer | Offered) -> int:
    """P4: how much more the patron may stake at this offer."""
    current = table.current
    mine = [taken for taken in current.insurance if taken.patron == name and taken.bet is offer.bet]
    if isinstance(offer, Offered):
        offer = as_offer(offer)
    return insurance.maximum_stake_cents(
        rules,
        offer,
        original_cents(current, name, offer.bet.side),
        staked_cents=sum(taken.stake_cents for taken in mine if taken.after is offer.after),
        could_win=sum(
            (taken.stake_cents * taken.odds for taken in mine if taken.after is not offer.after), Fraction(0)
        ),
        table_maximum_cents=table_maximum_cents(table, offer.bet.side),
    )


def table_maximum_cents(table: Table, side: Side) -> int:
    """P4: the maximum on that hand, or the maximum Differential where there is none."""
    limits = table.limits
    highest = judged.maximum_cents(limits, Bet(side))
    return highest if highest is not None else limits.maximum_differential_cents


def as_offer(offered: Offered) -> Offer:
    return Offer(
        bet=offered.bet,
        after=offered.after,
        player_points=offered.player_points,
        banker_points=offered.banker_points,
        odds=offered.odds,
        paragraph=offered.paragraph,
        tie_paragraph=offered.tie_paragraph,
    )


def join(rules: Rulebook, table: Table, command: c.Join) -> Events | Refusal:
    """P2: a patron who is back before the next card has the offer too, unless they have forgone it (5.3)."""
    joined = people.join(rules, table, command)
    if isinstance(joined, Refusal) or table.phase not in (Phase.DEALING, Phase.OFFER):
        return joined
    if len(table.current.cards) < 4 or not table.current.all_open:
        return joined
    offer = opened(rules, evolve_all(table, joined), newcomer=command.patron)
    return joined if offer is None else (*joined, offer)


def take(rules: Rulebook, table: Table, command: c.TakeInsurance) -> Events | Refusal:
    """A patron insures at the open offer."""
    patron = people.present(rules, table, command.patron)
    if isinstance(patron, Refusal):
        return patron
    offer = open_offer(table.current, command.after)
    if offer is None:
        return none_open(rules, table, command.patron)
    if command.odds not in (None, str(offer.odds)):
        text = f"insurance is at odds of {offer.odds} now, and not of {cut(command.odds)}"
        return refuse(Code.NO_SUCH_OFFER, text, rules.paragraph("insurance.when"), odds=str(offer.odds))
    refusal = _may_take(rules, table, command, offer)
    if refusal is not None:
        return refusal
    most = open_most_cents(rules, table, command.patron, offer)
    if not command.stake_cents > 0:
        return refuse(Code.BAD_AMOUNT, "expected a stake of more than 0.00", rules.paragraph("limits.patron-duty"))
    if command.stake_cents > most:
        text = f"{command.patron} may stake at most {money.amount(most)} more at this offer"
        cite = rules.paragraph("insurance-missed.before") if offer.late else rules.insurance.limit.cite
        return refuse(Code.INSURANCE_OVER_LIMIT, text, cite, patron=command.patron, room=money.amount(most))
    if command.stake_cents > patron.balance_cents:
        return people.not_enough_chips(rules, patron)
    return (
        e.InsuranceTaken(
            paragraph=rules.insurance.right_cite,
            insurance=f"i{table.placed + 1}",
            patron=command.patron,
            bet=offer.bet,
            after=offer.after,
            stake_cents=command.stake_cents,
            by=command.by,
            area=command.area if command.area is not offer.bet else None,
        ),
    )


def none_open(rules: Rulebook, table: Table, patron: str) -> Refusal:
    """Refuse because nothing is on offer, under the paragraph that excludes it, if one does."""
    current = table.round
    if current is None or current.ended:
        pass
    elif not current.insurance_offered:
        text = "no insurance is offered at this table, as the notice says"
        return refuse(Code.NO_SUCH_OFFER, text, rules.insurance.not_offered_cite)
    elif _on_both(rules, current, patron):
        text = f"{patron} has wagers on both hands, and is offered no insurance"
        return refuse(Code.NO_SUCH_OFFER, text, rules.insurance.both_hands_cite)
    elif patron in current.forgone:
        return _forgone(rules, patron)
    elif current.waived and len(current.cards) > 4:
        text = "the Banker's third card is opened first, which waives the second offer for all"
        return refuse(Code.NO_SUCH_OFFER, text, rules.procedure.banker_first_cite)
    return refuse(Code.NO_SUCH_OFFER, "no insurance is on offer at this moment", rules.paragraph("insurance.when"))


def open_offer(current: Round, after: Moment | None) -> Offered | None:
    """The offer that is open, ordinary before late, at this moment if one is named."""
    both = (current.offer, current.late_offer)
    return next((offer for offer in both if offer is not None and after in (None, offer.after)), None)


def open_most_cents(rules: Rulebook, table: Table, name: str, offer: Offered) -> int:
    """How much more a patron may stake at an offer that is open, in time or late."""
    return (late_most_cents if offer.late else most_cents)(rules, table, name, offer)


def late_most_cents(rules: Rulebook, table: Table, name: str, offer: Offer | Offered) -> int:
    """5.17.1: a late offer's stakes may win at most the Original Bet, on the exact product (W6), and P4 holds too."""
    current = table.current
    mine = [taken for taken in current.insurance if taken.patron == name and taken.bet is offer.bet]
    staked = sum(taken.stake_cents for taken in mine if taken.after is offer.after)
    room = Fraction(original_cents(current, name, offer.bet.side)) / offer.odds - staked
    return max(0, min(room.numerator // room.denominator, most_cents(rules, table, name, offer)))


def _forgone(rules: Rulebook, patron: str) -> Refusal:
    text = f"{patron} let insurance pass and is offered none for the rest of the round"
    return refuse(Code.INSURANCE_FORGONE, text, rules.insurance.forgone_cite, patron=patron)


def _may_take(rules: Rulebook, table: Table, command: c.TakeInsurance, offer: Offered) -> Refusal | None:
    name = command.patron
    if name in table.current.forgone:
        return _forgone(rules, name)
    if name not in offer.patrons and offer.after in table.current.declined.get(name, ()):
        text = f"{name} has said no to this offer"
        return refuse(Code.INSURANCE_FORGONE, text, rules.insurance.forgone_cite, patron=name)
    if command.bet not in set(Insurance):
        text = f"{named(command.bet)} is no insurance: expected player_insurance or banker_insurance"
        return refuse(Code.UNKNOWN_BET, text, rules.insurance.right_cite, bet=command.bet)
    side = Insurance(command.bet).side
    if not original_cents(table.current, name, side):
        text = f"{name} has no wager on {side.value}"
        return refuse(Code.NO_ORIGINAL_BET, text, rules.insurance.right_cite, patron=name, bet=side.value)
    if command.area not in (None, offer.bet) and command.by is None:
        text = f"{command.area} is not on offer to {name}: only staff can have put the chips on the wrong side"
        return refuse(Code.NO_SUCH_OFFER, text, rules.insurance.right_cite, patron=name, bet=command.area or "")
    if _on_both(rules, table.current, name):
        return none_open(rules, table, name)
    if command.bet != offer.bet or name not in offer.patrons:
        text, cite = f"{command.bet} is not on offer to {name}", rules.paragraph("insurance.when")
        return refuse(Code.NO_SUCH_OFFER, text, cite, patron=name, bet=command.bet)
    return None


def decline(rules: Rulebook, table: Table, command: c.DeclineInsurance) -> Events | Refusal:
    """P6: saying no to an offer forgoes insurance for the round, where the edition has that forfeit."""
    patron = people.present(rules, table, command.patron)
    if isinstance(patron, Refusal):
        return patron
    both = (table.current.offer, table.current.late_offer)
    open_now = [offer for offer in both if offer is not None and command.after in (None, offer.after)]
    mine = [
        offer for offer in open_now if command.patron in offer.patrons and command.patron not in table.current.forgone
    ]
    if not mine:
        return none_open(rules, table, command.patron)
    if any(taken.patron == command.patron and taken.after is mine[0].after for taken in table.current.insurance):
        text = f"{command.patron} has taken insurance at this offer: it stands"
        return refuse(Code.INSURANCE_TAKEN, text, rules.insurance.right_cite, patron=command.patron)
    return (e.InsuranceDeclined(paragraph=rules.insurance.forgone_cite, patron=command.patron),)


def said_no(current: Round, after: Moment) -> tuple[str, ...]:
    """Who declined at that moment. An offer that was made again to others no longer names them."""
    return tuple(name for name, moments in current.declined.items() if after in moments)


def closed(rules: Rulebook, table: Table) -> Events:
    """P6: the next card ends the offer; who took nothing at it has forgone the rest, where the edition says so."""
    current = table.current
    events: list[e.AnyEvent] = []
    for offer in (current.late_offer, current.offer):
        if offer is not None:
            took = {taken.patron for taken in current.insurance if taken.after is offer.after}
            made = [past for past in current.offers if past.after is offer.after and past.late == offer.late]
            had = dict.fromkeys((*said_no(current, offer.after), *(name for offer in made for name in offer.patrons)))
            lost = tuple(name for name in had if name not in took)
            forgone = lost if rules.insurance.forgone_scope == "round" else ()
            cite = rules.insurance.forgone_cite
            events.append(e.InsuranceClosed(paragraph=cite, after=offer.after, forgone=forgone))
    return tuple(events)


def unanswered(table: Table) -> tuple[str, ...]:
    """Who is at the table, has insurance on offer, and has neither taken nor declined it, nor taken their bets back."""
    current = table.current
    in_round = {wager.patron for wager in current.wagers.values()}
    owing: list[str] = []
    for offer in (current.offer, current.late_offer):
        took = {bet.patron for bet in current.insurance if offer is not None and bet.after is offer.after}
        names = [name for name in offer.patrons if name in in_round] if offer is not None else []
        owing += [name for name in names if name not in took | current.forgone and table.patrons[name].present]
    return tuple(dict.fromkeys(owing))
