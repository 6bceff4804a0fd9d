"""Remedies as events: void, options, going on. Who may order them is not judged here."""

from __future__ import annotations

from typing import Final

from punto.cards import card
from punto.game import dealing, insurance_offers
from punto.game import events as e
from punto.game.coup import Coup, in_deal_order
from punto.game.evolve import evolve, evolve_all
from punto.game.irregularities.kinds import Events, Fields, Kind
from punto.game.irregularities.lines import all_returned, collected, entries, misoffered, returned, reversal
from punto.game.irregularities.reconstruction import all_drawn, is_established, reconstruct_round
from punto.game.squeezing import turned_for_all
from punto.game.table import CarriedCard, Irregular, Phase, PlacedCard, Table
from punto.rulebook.model import Irregularity, Rulebook

IN_DEALING: Final = (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER, Phase.COMPLETE)


def opened(table: Table) -> Irregular:
    assert table.irregularity is not None, "the phase table keeps this to an open irregularity"
    return table.irregularity


def with_hands(rules: Rulebook, table: Table, fields: Fields) -> bool:
    """Both hands were reported."""
    return opened(table).hands is not None


def without_hands(rules: Rulebook, table: Table, fields: Fields) -> bool:
    """No hands were reported."""
    return opened(table).hands is None


def of_a_past_round(rules: Rulebook, table: Table, fields: Fields) -> bool:
    """A past round was reported."""
    return opened(table).round is not None


def reported_hands(table: Table) -> Coup:
    """The hands as the open report says they truly lay: `true_coup` has checked them when it came."""
    hands = opened(table).hands
    assert hands is not None, "the ruling fits a report with hands"
    player, banker = (tuple(card(text) for text in hand) for hand in hands)
    return Coup(player, banker)


def to_order(table: Table) -> tuple[CarriedCard, ...]:
    """The cards whose order a ruling may state, in the order on record: those of the report, those of the hands in it,
    or those of the round where cards were drawn together and lie open by now."""
    open_ = opened(table)
    together = open_.kind == Kind.SIMULTANEOUS and table.dealt_from is not None and table.current.all_open
    if open_.cards or (open_.hands is None and not together):
        return open_.cards
    coup = table.current.coup if open_.hands is None else reported_hands(table)
    return tuple(CarriedCard(str(dealt), True) for dealt in in_deal_order(coup))


def void(rules: Rulebook, table: Table, paragraph: str) -> Events:
    """5.21: every wager of the round goes back, decided ones and insurance included (I5)."""
    current = table.current
    lines = all_returned(current, rules.paragraph("void.returns"))
    moved = entries(table, current.lines, lines) if current.ended else ()
    voided = e.RoundVoided(paragraph=paragraph, round=current.number, lines=lines, entries=moved)
    if current.ended:
        return (voided,)
    return (voided, *collected(rules, evolve(table, voided), lines))


def as_it_stood(table: Table, paragraph: str) -> Events:
    """Nothing at the table has changed: play goes on where it was."""
    return (e.PlayResumed(paragraph=paragraph, phase=opened(table).phase),)


def resumed(rules: Rulebook, table: Table, paragraph: str, silent: tuple[str, ...] = ()) -> Events:
    """Play goes on, with whatever the open cards call for now."""
    phase = opened(table).phase
    if phase not in IN_DEALING:
        return (e.PlayResumed(paragraph=paragraph, phase=phase, silent=silent),)
    current = table.current
    assert not current.ended, "a round that was reported while it was dealt is not over"
    if phase is Phase.CUT_CARD and not current.cards:
        return (e.PlayResumed(paragraph=paragraph, phase=phase, silent=silent),)
    if current.offer is not None or current.late_offer is not None:
        return (e.PlayResumed(paragraph=paragraph, phase=Phase.OFFER, silent=silent),)
    going = e.PlayResumed(paragraph=paragraph, phase=Phase.DEALING, silent=silent)
    return (going, *dealing.then(rules, evolve(table, going)))


def reconstructed(rules: Rulebook, table: Table, cards: tuple[CarriedCard, ...], paragraph: str) -> Events:
    """I4: put the drawn cards in their places; the rest are the first to be dealt next."""
    if table.round is None or table.round.ended or opened(table).phase is Phase.BETTING:
        return (e.CardsReconstructed(paragraph=paragraph, cards=(), carried=all_drawn(table, cards)),)
    placed, left = reconstruct_round(rules, table, cards)
    built = e.CardsReconstructed(paragraph=paragraph, cards=placed, carried=left)
    return (*_ended_offers(rules, table, placed), built)


def _ended_offers(rules: Rulebook, table: Table, placed: tuple[PlacedCard, ...]) -> Events:
    """A card drawn too soon ends an open offer. Only who declined has forgone it: for others it was not due yet."""
    return () if len(placed) == len(table.current.cards) else offers_ended(rules, table)


def offers_ended(rules: Rulebook, table: Table) -> Events:
    """No insurance is open any more: the card that it depended on is known."""
    current = table.current
    cite = rules.insurance.forgone_cite
    events = []
    for offer in (current.late_offer, current.offer):
        if offer is not None:
            forgone = insurance_offers.said_no(current, offer.after) if rules.insurance.forgone_scope == "round" else ()
            events.append(e.InsuranceClosed(paragraph=cite, after=offer.after, forgone=forgone))
    return tuple(events)


def put_right(
    rules: Rulebook, table: Table, placed: tuple[PlacedCard, ...], carried: tuple[CarriedCard, ...], paragraph: str
) -> Events:
    """The cards of the round as they truly lay. A settled round is reopened for it, by compensating entries (I10)."""
    built: e.AnyEvent
    if table.current.ended:
        built = e.RoundReopened(paragraph=paragraph, cards=placed, carried=carried, entries=reversal(table))
    else:
        built = e.CardsReconstructed(paragraph=paragraph, cards=placed, carried=carried)
    after = evolve(table, built)
    changed = not table.current.ended and (after.current.offer, after.current.late_offer) == (None, None)
    events: Events = (*(offers_ended(rules, table) if changed else ()), built)
    after = evolve_all(table, events)
    lines = tuple(returned(taken, paragraph) for taken in misoffered(rules, after.current))
    if lines:
        events = (*events, e.InsuranceReturned(paragraph=paragraph, lines=lines))
        events = (*events, *collected(rules, evolve_all(table, events), lines))
    return events


def options_or_on(rules: Rulebook, table: Table, row: Irregularity, *, rebuilt: bool) -> Events:
    """I2, I3: the options where the paragraph gives them to this case, else play goes on."""
    open_ = opened(table)
    established = open_.established or _seen_established(rules, table)
    due = {
        "always": True,
        "never": False,
        "unless-established": not established,
        "unless-reconstructed-and-established": not (rebuilt and established),
    }[row.options]
    if not due or open_.phase is Phase.BETTING:
        return resumed(rules, table, row.cite)
    return options(rules, table, row.options_cite or row.cite, rebuilt=rebuilt)


def _seen_established(rules: Rulebook, table: Table) -> bool:
    """O129: whether an outcome is established on the cards that lie open and those that one patron has seen."""
    turned = turned_for_all(rules, table)
    return bool(turned) and is_established(rules, evolve_all(table, turned), (), None)


def options(rules: Rulebook, table: Table, paragraph: str, *, rebuilt: bool) -> Events:
    """5.16: to every patron with a wager in the round; a round that ended without result has none left to choose on.
    What one of them has seen is turned first, so that all choose on the same cards (O129); a late offer ends then."""
    current = table.round
    over = current is None or (current.ended and current.winner is None)
    patrons = () if over or current is None else tuple(dict.fromkeys(laid.patron for laid in current.wagers.values()))
    if not patrons:
        return resumed(rules, table, paragraph)
    opening = e.OptionsOpened(paragraph=paragraph, patrons=patrons, reconstructed=rebuilt)
    turned = turned_for_all(rules, table)
    return (*(offers_ended(rules, table) if turned else ()), *turned, opening)
