"""Who may see what: the public, a patron, the dealer, the pit. An undealt card is in nobody's view, and one that lies
face down only in that of the patron who squeezes it (O115)."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter, is_
from typing import Any, Final

import msgspec

from punto.cards import points
from punto.game import dealing, insurance_offers, limits, people, squeezing
from punto.game.endings import Insuring, insuring
from punto.game.explain import drawing
from punto.game.possible import Around, around, for_patron, rooms_beside
from punto.game.possible_staff import for_staff
from punto.game.redaction import Audience, concerns, seen, shown
from punto.game.refusals import Refusal
from punto.game.table import Laid, Offered, Phase, Round, Table, TableLimits
from punto.game.views import Box, InsuranceSeen, OnOffer, View, WagerSeen
from punto.game.wagers import available
from punto.money import Cents
from punto.rulebook.model import Bet, Moment, Rulebook, Side

__all__ = [
    "Audience",
    "Box",
    "OnOffer",
    "View",
    "box",
    "boxes",
    "concerns",
    "differential",
    "mine",
    "next_place",
    "on_layout",
    "only_chips",
    "same_for_patrons",
    "seen",
    "shown",
    "view",
]
"""The records are defined in `views`, and what each audience sees of an event in `redaction`. Import both from here."""


def view(
    rules: Rulebook, table: Table, audience: Audience, patron: str | None = None, *, ruled_by: Rulebook | None = None
) -> View:
    """The table as an audience sees it. `patron` names whose view it is; for staff the view says what they can
    do. `ruled_by` is the edition of the past round that an open report is about (E2)."""
    return msgspec.structs.replace(_public(rules, table), **_own(rules, table, audience, patron, None, ruled_by))


def mine(
    rules: Rulebook,
    table: Table,
    audience: Audience,
    patron: str | None = None,
    shared: Around | None = None,
    *,
    ruled_by: Rulebook | None = None,
) -> dict[str, Any]:
    """The fields by which an audience's view differs from the public one, by their names on the wire. The public has
    none of them, so empty ones are left out. A caller that asks for many patrons passes what they share."""
    own = _own(rules, table, audience, patron, shared, ruled_by)
    return {_FIELDS[name]: value for name, value in own.items() if value is not None and value not in ((), {})}


_FIELDS: Final = {field.name: field.encode_name for field in msgspec.structs.fields(View)}


def on_layout(table: Table) -> dict[str, Laid]:
    """The wagers on the layout. In a public view betting changes only them, and which seats are taken."""
    return table.round.wagers if table.round is not None and not table.round.ended else {}


def differential(table: Table) -> Cents:
    return Cents(limits.differential_cents(on_layout(table).values()))


def boxes(table: Table) -> list[Box]:
    """Every box. Each wager is read only once, since most boxes are empty."""
    by_box: dict[int, list[Laid]] = {}
    for wager in on_layout(table).values():
        by_box.setdefault(wager.box, []).append(wager)
    taken = {patron.box for patron in table.patrons.values()}
    return [
        _box(table, number, number in taken, by_box.get(number, [])) for number in range(1, table.opened.positions + 1)
    ]


def box(table: Table, number: int) -> Box:
    """One box, as in `boxes`."""
    here = [wager for wager in on_layout(table).values() if wager.box == number]
    return _box(table, number, people.occupant(table, number) is not None, here)


def only_chips(before: Table, after: Table) -> bool:
    """Whether the public sees only the layout change. Fields are compared by identity: an equal copy is a change."""
    if before.round is None or after.round is None:
        return False
    return all(map(is_, _of_table(before), _of_table(after))) and all(
        map(is_, _of_round(before.round), _of_round(after.round))
    )


_of_table: Final = attrgetter(
    *("settings", "phase", "insurance_offered", "shoe", "irregularity", "owed_cents", "next_limits", "closes_after")
)
_of_round: Final = attrgetter("number", "hand", "edition", "cards", "offer", "late_offer", "winner", "ended", "shoe")


def same_for_patrons(before: Table, after: Table) -> bool:
    """Whether all that a patron's own part of the view depends on is the same, except their record and the seats.
    Cards that are dealt face up do not matter. While betting is open `only_chips` is used instead: a patron who bets
    has another record afterwards."""
    held, now = before.round, after.round
    if held is None or now is None or not all(map(is_, _for_patrons(before), _for_patrons(after))):
        return False
    dealt = held.cards is now.cards or after.opened.facing == "up"
    return dealt and all(map(is_, _for_patrons_of_round(held), _for_patrons_of_round(now)))


_for_patrons: Final = attrgetter("settings", "phase", "irregularity", "owed_cents")
_for_patrons_of_round: Final = attrgetter(
    *("number", "edition", "ended", "wagers", "insurance", "offer", "late_offer", "lines", "forgone", "declined"),
    *("squeeze", "banker_first"),
)


def _own(
    rules: Rulebook,
    table: Table,
    audience: Audience,
    patron: str | None,
    shared: Around | None,
    ruled_by: Rulebook | None,
) -> dict[str, Any]:
    """The fields of a view that are not the public's."""
    if audience is Audience.PUBLIC:
        return {}
    if audience is Audience.PATRON:
        assert patron is not None, "a patron's view is somebody's"
        shared = shared or around(rules, table)
        return {**_patron(rules, table, patron, shared), "can": for_patron(rules, table, patron, shared)}
    staff: dict[str, Any] = {
        "wagers": _wagers(table.round.wagers.values()) if table.round else (),
        "insurance": _insurance(table, None),
        "may_insure_cents": _rights(rules, table, None),
        "may_insure_late_cents": _late_rights(rules, table, None),
        "unanswered": insurance_offers.unanswered(table) if table.phase is Phase.OFFER else (),
        "lines": table.round.lines if table.round else (),
        "can": for_staff(rules, table, patron, ruled_by) if patron is not None else (),
        "ahead": table.current.coup.winner if table.phase is Phase.COMPLETE else None,
        "next_place": next_place(rules, table),
        "squeezing": _squeezing(table),
        "squeeze": squeezing.request(table),
        "banker_first": squeezing.banker_first_request(table),
        "choices": table.irregularity.choices if table.irregularity else {},
        "staff": {name: rank.value for name, rank in table.staff.items()},
    }
    if audience is Audience.DEALER:
        return staff
    return {
        **staff,
        "patrons": {name: Cents(patron.balance_cents) for name, patron in table.patrons.items()},
        "owed_by": {name: Cents(cents) for name, cents in table.owed_cents.items()},
        "house_cents": Cents(table.house_cents),
    }


def _public(rules: Rulebook, table: Table) -> View:
    settings, current, shoe = table.opened, table.round, table.shoe
    return View(
        table=settings.table,
        edition=current.edition if current is not None else settings.edition,
        layout=settings.layout,
        bets=available(rules, table) if current is not None else rules.layouts[settings.layout].bets,
        phase=table.phase,
        currency=settings.currency,
        limits=limits.effective(table.limits, rules.layouts[settings.layout].bets),
        notice=None if table.insurance_offered else "No insurance is offered at this table",
        device=settings.device,
        facing=settings.facing,
        source=settings.source,
        decks=settings.decks,
        differential_cents=differential(table),
        shoe=shoe.number if shoe else None,
        hand=current.hand if current else None,
        round=current.number if current else None,
        last_round=shoe is not None and shoe.last_round,
        cards={card.place: card.face if card.exposed else None for card in current.cards} if current else {},
        boxes=tuple(boxes(table)),
        on_offer=_on_offer(current.offer if current else None),
        late_offer=_on_offer(current.late_offer if current else None),
        winner=current.winner if current else None,
        irregularity=table.irregularity.kind if table.irregularity else None,
        next_limits=_next_limits(rules, table),
        closes_after=table.closes_after,
        waiting=tuple(card.face if card.exposed else None for card in shoe.carried) if shoe else (),
        points=_points(current),
        drawing=drawing(rules, table.current) if table.phase in _DEALING else (),
        results="".join(shoe.results.values()) if shoe else "",
        commitment=shoe.commitment if shoe else None,
        name=settings.name,
    )


def _next_limits(rules: Rulebook, table: Table) -> TableLimits | None:
    ahead = table.next_limits
    return None if ahead is None else limits.effective(ahead, rules.layouts[table.opened.layout].bets)


def _points(current: Round | None) -> dict[str, int]:
    if current is None:
        return {}
    hands = zip(Side, (current.coup.player, current.coup.banker), strict=True)
    return {side.value: points(hand) for side, hand in hands if hand}


def _box(table: Table, number: int, occupied: bool, here: list[Laid]) -> Box:
    stakes: dict[Bet, Cents] = {}
    for wager in here:
        bet = wager.bet
        stakes[bet] = Cents(stakes[bet] + wager.stake_cents if bet in stakes else wager.stake_cents)
    room, seated_room = _NO_ROOM
    if occupied and table.phase is Phase.BETTING:
        room, seated_room = rooms_beside(table.limits, table.current.wagers, here)
    return Box(
        box=number,
        occupied=occupied,
        stakes=stakes,
        differential_cents=Cents(limits.differential_cents(here)),
        room=room,
        seated_room=seated_room,
    )


_NO_ROOM: Final[tuple[dict[Bet, Cents], dict[Bet, Cents]]] = ({}, {})
"""The room in a box where no wager can be laid: betting is not open, or nobody sits there."""


def _on_offer(offer: Offered | None) -> OnOffer | None:
    if offer is None:
        return None
    return OnOffer(
        bet=offer.bet,
        after=offer.after,
        odds=offer.odds,
        player_points=offer.player_points,
        banker_points=offer.banker_points,
        paragraph=offer.paragraph,
    )


def _patron(rules: Rulebook, table: Table, name: str, shared: Around) -> dict[str, Any]:
    known = table.patrons.get(name)
    if known is None:
        return {}
    own = {
        "patron": name,
        "seat": known.box,
        "balance_cents": Cents(known.balance_cents),
        "wagers": _wagers(shared.wagers.get(name, ())),
    }
    if table.irregularity is None and not table.owed_cents and (table.round is None or _only_wagers(table.round)):
        return own
    # A card whose face is not on record is left out: the dealer enters it as the patron turns it.
    lying = table.round.cards if table.round else ()
    places = tuple(card.place for card in lying if not card.exposed and card.face is not None)
    return {
        **own,
        "insurance": _insurance(table, name),
        "may_insure_cents": _rights(rules, table, name),
        "may_insure_late_cents": _late_rights(rules, table, name),
        "option": table.irregularity.choices.get(name) if table.irregularity else None,
        "owed_cents": Cents(table.owed_cents[name]) if name in table.owed_cents else None,
        "insuring": _insuring(rules, table, name),
        "may_squeeze": tuple(place for place in places if dealing.squeezer(table, place) == name),
        "squeezed_faces": squeezing.faces(rules, table, name),
        "lines": tuple(line for line in table.round.lines if line.patron == name) if table.round else (),
    }


def _only_wagers(current: Round) -> bool:
    """Whether a round has nothing but wagers yet."""
    return not (current.cards or current.insurance or current.offer or current.late_offer or current.lines)


def _wagers(lying: Iterable[Laid]) -> tuple[WagerSeen, ...]:
    return tuple(
        WagerSeen(
            wager=wager.id,
            patron=wager.patron,
            box=wager.box,
            bet=wager.bet,
            stake_cents=Cents(wager.stake_cents),
            in_play_cents=Cents(wager.in_play_cents),
            seated=wager.seated,
        )
        for wager in lying
    )


def _insurance(table: Table, name: str | None) -> tuple[InsuranceSeen, ...]:
    if table.round is None:
        return ()
    return tuple(
        InsuranceSeen(
            insurance=taken.id,
            patron=taken.patron,
            bet=taken.bet,
            after=taken.after,
            stake_cents=Cents(taken.stake_cents),
            area=None if taken.area is taken.bet else taken.area,
        )
        for taken in table.round.insurance
        if name in (None, taken.patron)
    )


def _rights(rules: Rulebook, table: Table, name: str | None) -> dict[str, Cents]:
    """How much each patron, or this one, may stake at the open offer."""
    offer = table.round.offer if table.round else None
    if offer is None:
        return {}
    return {
        patron: Cents(insurance_offers.most_cents(rules, table, patron, offer))
        for patron in offer.patrons
        if name in (None, patron) and insurance_offers.has_right(rules, table.current, patron, offer)
    }


def _late_rights(rules: Rulebook, table: Table, name: str | None) -> dict[str, Cents]:
    """`_rights` for a late offer."""
    offer = table.round.late_offer if table.round else None
    if offer is None:
        return {}
    return {
        patron: Cents(insurance_offers.late_most_cents(rules, table, patron, offer))
        for patron in offer.patrons
        if name in (None, patron)
    }


def _insuring(rules: Rulebook, table: Table, name: str) -> dict[Moment, tuple[Insuring, ...]]:
    if table.phase is not Phase.OFFER:
        return {}
    open_now = [
        offer
        for offer in (table.current.late_offer, table.current.offer)
        if offer is not None and name in offer.patrons
    ]
    mine = [offer for offer in open_now if offer.late or insurance_offers.has_right(rules, table.current, name, offer)]
    return {offer.after: insuring(rules, table, name, offer) for offer in mine}


def _squeezing(table: Table) -> dict[str, str]:
    lying = [card.place for card in table.round.cards if not card.exposed] if table.round else []
    held = {place: squeezing.holder(table, place) for place in lying}
    return {place: name for place, name in held.items() if name is not None}


_DEALING: Final = (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER, Phase.COMPLETE)


def next_place(rules: Rulebook, table: Table) -> str | None:
    """Where the next card goes; None where none is due now."""
    if table.phase not in _DEALING or table.phase is Phase.COMPLETE:
        return None
    place = dealing.next_place(rules, table)
    return None if isinstance(place, Refusal) else place
