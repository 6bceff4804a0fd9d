"""The small steps that `evolve` is made of: chips between patrons, layout and house; cards seen; seats freed."""

from __future__ import annotations

import msgspec

from punto.game.table import Entry, Patron, Round, SettledLine, Shoe, Table

replace = msgspec.structs.replace

MOST_PATRONS = 256
"""At one table."""


def in_round(table: Table, **changes: object) -> Table:
    """The table with these fields of its current round changed."""
    return replace(table, round=replace(table.current, **changes))


def with_patron(table: Table, patron: Patron) -> Table:
    return replace(table, patrons={**table.patrons, patron.name: patron})


def without_patron(table: Table, name: str | None) -> Table:
    return replace(table, patrons={other: patron for other, patron in table.patrons.items() if other != name})


def _named(held: Round) -> set[str]:
    """Everybody whom a round may still pay, ask or wait for."""
    laid = {wager.patron for wager in (*held.wagers.values(), *held.lay.values())}
    paid = {*(taken.patron for taken in held.insurance), *(line.patron for line in held.lines)}
    askers = tuple(wish.patron for wish in (held.squeeze, held.banker_first) if wish is not None)
    offered = (
        name for offer in (held.offer, held.late_offer, *held.offers) if offer is not None for name in offer.patrons
    )
    return {*laid, *paid, *askers, *offered, *held.owed_cents, *held.forgone, *held.walked}


def concerned(table: Table, name: str) -> bool:
    """Whether the round on the table, or what went wrong in it, may still pay, ask or wait for somebody."""
    waited_for = table.irregularity is not None and name in table.irregularity.choices
    return waited_for or (table.round is not None and name in _named(table.round))


def held_by_round(table: Table, name: str) -> bool:
    """Whether chips of somebody lie in a round that is not over, or a choice of theirs is waited for."""
    over = table.round is None or (table.round.ended and table.irregularity is None)
    return not over and concerned(table, name)


def spare_patron(table: Table) -> str | None:
    """Whom a full table can forget: the first who walked away without chips, seat or debt, and is in no round that it
    still holds."""
    named = {*table.owed_cents, *(table.irregularity.choices if table.irregularity is not None else ())}
    for held in (*table.past.values(), *((table.round,) if table.round is not None else ())):
        named |= _named(held)
    for patron in table.patrons.values():
        if not patron.present and not patron.balance_cents and patron.box is None and patron.name not in named:
            return patron.name
    return None


def pay(table: Table, name: str, cents: int) -> Table:
    """Chips to a patron; a negative amount takes them. One whom the table has forgotten (O82) is absent."""
    patron = table.patrons.get(name) or Patron(name, present=False)
    return with_patron(table, replace(patron, balance_cents=patron.balance_cents + cents))


def hand_back(table: Table, lines: tuple[SettledLine, ...]) -> Table:
    """Chips off the layout: to the patrons what is handed back, to the house the rest."""
    patrons = dict(table.patrons)
    kept = 0
    for line in lines:
        patron = patrons[line.patron]
        patrons[line.patron] = replace(patron, balance_cents=patron.balance_cents + line.handed_back_cents)
        kept += line.stake_cents - line.handed_back_cents
    return replace(table, patrons=patrons, house_cents=table.house_cents + kept)


def compensate(table: Table, entries: tuple[Entry, ...]) -> Table:
    """Compensating entries between patrons and house."""
    owed = dict(table.owed_cents)
    house = table.house_cents
    for entry in entries:
        moved = entry.paid_cents - entry.taken_cents
        table = pay(table, entry.patron, moved)
        house -= moved
        left = owed.get(entry.patron, 0) + entry.owed_cents - entry.cleared_cents
        owed[entry.patron] = left
        if not left:
            del owed[entry.patron]
    return replace(table, owed_cents=owed, house_cents=house)


def seats_freed(patrons: dict[str, Patron]) -> dict[str, Patron]:
    """At the end of a round the seats of those who walked away are free."""
    return {
        name: replace(patron, box=None) if patron.box is not None and not patron.present else patron
        for name, patron in patrons.items()
    }


def saw(shoe: Shoe, face: str) -> Shoe:
    return replace(shoe, seen={**shoe.seen, face: shoe.seen.get(face, 0) + 1})
