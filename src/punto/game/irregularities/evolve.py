"""How irregularities and their remedies change a table. Nothing is judged here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import assert_never

from punto.cards import card, points
from punto.game import events as e
from punto.game.moves import compensate, hand_back, in_round, replace, saw, seats_freed
from punto.game.table import (
    CarriedCard,
    Irregular,
    Offered,
    Phase,
    PlacedCard,
    Round,
    SettledLine,
    Shoe,
    Table,
    lying_cents,
)
from punto.rulebook.model import Moment

MARKS = {"banker": "B", "player": "P", "tie": "T"}


def evolve_irregular(table: Table, event: e.IrregularEvent) -> Table:
    match event:
        case e.IrregularityReported():
            return _reported(table, event)
        case e.IrregularityDecided() | e.DisplayCorrected():
            return table
        case e.ReportWithdrawn():
            named = _faces(_open(table).cards)
            return replace(table, shoe=recounted(table.in_use, named, []) if named else table.shoe)
        case e.OptionsOpened():
            choices = dict.fromkeys(event.patrons, "")
            open_ = replace(_open(table), reconstructed=event.reconstructed, choices=choices)
            return replace(table, irregularity=open_)
        case e.OptionChosen():
            return _chosen(table, event)
        case e.SqueezePassed():
            return _passed(table, event)
        case e.PlayResumed():
            return replace(table, irregularity=None)
        case (
            e.CardsReconstructed()
            | e.CardDetermined()
            | e.CardsDiscarded()
            | e.ReplacementOrdered()
            | e.RoundReopened()
        ):
            return _cards(table, event)
        case _:
            return _money(table, event)


def _cards(
    table: Table,
    event: e.CardsReconstructed | e.CardDetermined | e.CardsDiscarded | e.ReplacementOrdered | e.RoundReopened,
) -> Table:
    match event:
        case e.CardsReconstructed():
            return _reconstructed(table, event)
        case e.CardDetermined():
            return _determined(table, event)
        case e.CardsDiscarded():
            shoe = table.in_use
            more = event.count if event.from_shoe else 0
            waiting = shoe.carried if event.from_shoe else ()
            return replace(table, shoe=replace(shoe, drawn=shoe.drawn + more, carried=waiting))
        case e.ReplacementOrdered():
            return replace(table, shoe=replace(table.in_use, replace_due=True, replace_cite=event.paragraph))
        case e.RoundReopened():
            return _reopened(table, event)
        case _:
            assert_never(event)


def _money(
    table: Table,
    event: e.RoundVoided
    | e.InsuranceReturned
    | e.OwedCollected
    | e.PastRoundCorrected
    | e.OriginalReturned
    | e.InsuranceRepositioned
    | e.RulingPaid,
) -> Table:
    match event:
        case e.RoundVoided():
            return _voided(table, event)
        case e.InsuranceReturned():
            names = {line.wager for line in event.lines}
            kept = tuple(taken for taken in table.current.insurance if taken.id not in names)
            gone = {taken.after for taken in table.current.insurance} - {taken.after for taken in kept}
            offers = tuple(offer for offer in table.current.offers if offer.after not in gone)
            back = hand_back(table, event.lines)
            return in_round(back, insurance=kept, offers=offers, lines=(*table.current.lines, *event.lines))
        case e.OwedCollected():
            after = compensate(table, event.entries)
            left = Counter(table.current.owed_cents)
            left.subtract({entry.patron: entry.cleared_cents for entry in event.entries})
            return in_round(after, owed_cents={name: cents for name, cents in left.items() if cents})
        case e.PastRoundCorrected():
            return _corrected(table, event)
        case e.OriginalReturned() | e.InsuranceRepositioned():
            moment = _open(table).after
            return compensate(
                _with_round(table, event.round, lambda card: corrected(card, event, moment)), event.entries
            )
        case e.RulingPaid():
            return compensate(table, event.entries)
        case _:
            assert_never(event)


def _open(table: Table) -> Irregular:
    assert table.irregularity is not None, "the phase table keeps this to an open irregularity"
    return table.irregularity


def _reported(table: Table, event: e.IrregularityReported) -> Table:
    """Cards that left the shoe are out of it, wherever they will go."""
    if event.irregularity.cards:
        shoe = table.in_use
        for card in event.irregularity.cards:
            shoe = replace(shoe, drawn=shoe.drawn + 1)
            if card.face is not None:
                shoe = saw(shoe, card.face)
        table = replace(table, shoe=shoe)
    return replace(table, irregularity=event.irregularity)


def _faces(cards: tuple[PlacedCard, ...] | tuple[CarriedCard, ...]) -> list[str | None]:
    return [card.face for card in cards]


def recounted(shoe: Shoe, before: list[str | None], after: list[str | None]) -> Shoe:
    """The count of cards drawn and seen, where the record had `before` and `after` is the truth."""
    seen = Counter(shoe.seen)
    seen.subtract(face for face in before if face is not None)
    seen.update(face for face in after if face is not None)
    drawn = shoe.drawn + (len(after) - len(before) if shoe.order is None else 0)
    return replace(shoe, seen={face: count for face, count in seen.items() if count > 0}, drawn=drawn)


def _as_they_lie(table: Table, cards: tuple[PlacedCard, ...], shoe: Shoe) -> Table:
    """Put the round's cards right. Offers on points that were wrong are dropped; a new card ends an open offer."""
    return replace(table, round=replace(_real_offers(table.current, cards), cards=cards), shoe=shoe)


def _real_offers(current: Round, cards: tuple[PlacedCard, ...]) -> Round:
    """5.3: only offers on wrong points are dropped, and who let one pass has forgone nothing by it.

    An offer stays on record while insurance taken at it is held. Where the card that ended it was never drawn, it is
    made again as play goes on, to those who have not declined.
    """
    real = _real_moments(current.cards, cards)
    held = {taken.after for taken in current.insurance}
    fixed = replace(
        current,
        offer=_still_open(current.offer, real, same=len(cards) == len(current.cards)),
        late_offer=_still_open(current.late_offer, real, same=len(cards) == len(current.cards)),
        offers=tuple(offer for offer in current.offers if offer.after in real or offer.after in held),
        declined=_declined(current, real),
        forgone=_forgone(current, real),
    )
    if len(cards) >= len(current.cards):
        return fixed
    moment = {4: Moment.FOUR_CARDS, 5: Moment.PLAYER_THIRD}.get(len(cards))
    again = next(
        (offer for offer in current.offers if offer.after is moment and moment in real and not offer.late), None
    )
    if again is None:
        return fixed
    to = set(again.patrons) - fixed.declined.keys() - current.walked.keys()
    offers = tuple(offer for offer in fixed.offers if offer is not again)
    return replace(fixed, offers=offers, forgone=fixed.forgone - to)


def _declined(current: Round, real: set[Moment]) -> dict[str, tuple[Moment, ...]]:
    """Who declined which real offers."""
    still = {name: tuple(moment for moment in moments if moment in real) for name, moments in current.declined.items()}
    return {name: moments for name, moments in still.items() if moments}


def _still_open(offer: Offered | None, real: set[Moment], *, same: bool) -> Offered | None:
    return offer if offer is not None and same and offer.after in real else None


def _real_moments(old: tuple[PlacedCard, ...], new: tuple[PlacedCard, ...]) -> set[Moment]:
    """The moments whose points were as the record had them."""
    before, after = _points(old), _points(new)
    if before[:2] != after[:2]:
        return set()
    return {Moment.FOUR_CARDS, Moment.PLAYER_THIRD} if before[2] == after[2] else {Moment.FOUR_CARDS}


def _points(cards: tuple[PlacedCard, ...]) -> tuple[int | None, int | None, int | None]:
    """Of the Player's first two cards, the Banker's, and the Player's third; None while they are not all known."""
    faces = {placed.place: card(placed.face) for placed in cards if placed.face is not None}

    def of(*places: str) -> int | None:
        return points(tuple(faces[place] for place in places)) if faces.keys() >= set(places) else None

    return of("P1", "P2"), of("B1", "B2"), of("P3")


def _forgone(current: Round, real: set[Moment]) -> frozenset[str]:
    """P6: who has still forgone insurance. The second offer was made only to those who had not forgone it by then."""
    if Moment.FOUR_CARDS not in real:
        return frozenset(current.walked)
    took = {taken.patron for taken in current.insurance if taken.after is Moment.FOUR_CARDS}
    passed = {name for offer in current.offers if offer.after is Moment.FOUR_CARDS for name in offer.patrons} - took
    wrongly = {name for offer in current.offers if offer.after not in real for name in offer.patrons} - passed
    return (current.forgone - wrongly) | frozenset(current.walked)


def _reconstructed(table: Table, event: e.CardsReconstructed) -> Table:
    shoe = replace(table.in_use, carried=event.carried)
    if table.round is None or table.round.ended:
        return replace(table, shoe=shoe)
    before = [*_faces(table.round.cards), *_faces(table.in_use.carried), *_faces(_open(table).cards)]
    shoe = recounted(shoe, before, [*_faces(event.cards), *_faces(event.carried)])
    return _as_they_lie(table, event.cards, shoe)


def _determined(table: Table, event: e.CardDetermined) -> Table:
    old = table.current.cards
    cards = tuple(PlacedCard(card.place, event.card, True) if card.place == event.place else card for card in old)
    shoe = recounted(table.in_use, _faces(old), _faces(cards))
    return _as_they_lie(table, cards, shoe)


def _passed(table: Table, event: e.SqueezePassed) -> Table:
    squeeze, first = table.current.squeeze, table.current.banker_first
    playing = {laid.patron for laid in table.current.wagers.values()}
    if squeeze is not None and squeeze.granted and squeeze.patron not in playing:
        squeeze = replace(squeeze, patron=event.patron)
    if first is not None and first.granted and first.patron not in playing:
        first = replace(first, patron=event.patron)
    return in_round(table, squeeze=squeeze, banker_first=first)


def _chosen(table: Table, event: e.OptionChosen) -> Table:
    """Who takes their bets back has no more part in the round."""
    open_ = _open(table)
    choices = {**open_.choices, event.patron: event.option}
    after = replace(table, irregularity=replace(open_, choices=choices))
    if event.option != "returned":
        return after
    current = table.current
    after = compensate(after, event.entries) if current.ended else hand_back(after, event.lines)
    return in_round(
        replace(after, round=_rewritten(after.current, event.lines)),
        wagers={name: laid for name, laid in current.wagers.items() if laid.patron != event.patron},
        insurance=tuple(taken for taken in current.insurance if taken.patron != event.patron),
    )


def without_result(table: Table) -> Table:
    """The round is over: no result and no road mark."""
    shoe = None if table.shoe is None else _unmarked(table.shoe, table.current.number)
    over = in_round(table, ended=True, winner=None, offer=None, late_offer=None)
    return replace(over, shoe=shoe, irregularity=None, patrons=seats_freed(over.patrons))


def _voided(table: Table, event: e.RoundVoided) -> Table:
    """The cards of the round are out of play; those that wait for the next one still do (I4)."""
    current = table.current
    after = compensate(table, event.entries) if current.ended else hand_back(table, event.lines)
    return without_result(replace(after, round=replace(_rewritten(after.current, event.lines), void=True)))


def _unmarked(shoe: Shoe, number: int) -> Shoe:
    return replace(shoe, results={played: mark for played, mark in shoe.results.items() if played != number})


def _reopened(table: Table, event: e.RoundReopened) -> Table:
    """The settlement is taken back: chips lie on the layout again, and the house makes good what a patron owes."""
    current = table.current
    lying = {*current.wagers, *(taken.id for taken in current.insurance)}
    after = compensate(table, event.entries)
    owed = Counter(current.owed_cents) + Counter({entry.patron: int(entry.owed_cents) for entry in event.entries})
    after = in_round(
        replace(after, round=_real_offers(current, event.cards)),
        lines=tuple(line for line in current.lines if line.wager not in lying),
        winner=None,
        ended=False,
        owed_cents=dict(owed),
        cards=event.cards,
    )
    shoe = table.dealt_from
    if shoe is not None:
        before = [*_faces(current.cards), *_faces(shoe.carried)]
        shoe = recounted(shoe, before, [*_faces(event.cards), *_faces(event.carried)])
        shoe = replace(_unmarked(shoe, current.number), carried=event.carried)
    after = replace(
        after, shoe=shoe or table.shoe, irregularity=_dealing(table) if table.irregularity is not None else None
    )
    return replace(after, house_cents=after.house_cents - lying_cents(after))


def _dealing(table: Table) -> Irregular:
    return replace(_open(table), phase=Phase.DEALING)


def _corrected(table: Table, event: e.PastRoundCorrected) -> Table:
    after = compensate(_with_round(table, event.round, lambda card: corrected(card, event, None)), event.entries)
    shoe = after.shoe
    if shoe is None or event.round not in shoe.results:
        return after
    if event.winner is None:
        return replace(after, shoe=_unmarked(shoe, event.round))
    return replace(after, shoe=replace(shoe, results={**shoe.results, event.round: MARKS[event.winner]}))


def corrected(past: Round, event: e.AnyEvent, moment: Moment | None) -> Round:
    """A round after an event that corrected it. `moment`: when insurance was missed, as reported."""
    match event:
        case e.PastRoundCorrected():
            fixed = replace(past, winner=event.winner, void=event.void, cards=event.cards or past.cards)
        case e.OriginalReturned():
            assert moment is not None, "the report names the moment"
            fixed = replace(past, spared={**past.spared, **dict.fromkeys(event.wagers, moment)})
        case e.InsuranceRepositioned():
            lying = (
                replace(taken, area=event.bet) if taken.id == event.insurance else taken for taken in past.insurance
            )
            fixed = replace(past, insurance=tuple(lying))
        case _:
            return past
    return _rewritten(fixed, event.lines)


def _rewritten(past: Round, lines: tuple[SettledLine, ...]) -> Round:
    """New lines take the place of those of the same wagers."""
    names = {line.wager for line in lines}
    return replace(past, lines=(*(line for line in past.lines if line.wager not in names), *lines))


def _with_round(table: Table, number: int, fix: Callable[[Round], Round]) -> Table:
    """Change the current round or a past one. One that the table no longer holds is read from events (`recall`)."""
    if table.round is not None and table.round.number == number:
        return replace(table, round=fix(table.round))
    if number not in table.past:
        return table
    return replace(table, past={**table.past, number: fix(table.past[number])})
