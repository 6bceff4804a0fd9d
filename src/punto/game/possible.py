"""What can be done at a table now, by a patron or by staff: the commands that would be heard and within which bounds.

Every answer comes from the functions that decide: `decide` is asked about a command as somebody would give it, and the
bounds are those that it judges by. The room for a stake in each box is in the view's boxes, since it is the same for
everybody. What a house adds (who may give what, where a second person is needed) is not known here.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import msgspec

from punto.cards import DECK
from punto.game import citation, dealing, insurance_offers, wagers
from punto.game import commands as c
from punto.game import limits as judged
from punto.game.decide import decide
from punto.game.refusals import Refusal
from punto.game.round import HEARD
from punto.game.table import Laid, Patron, Phase, Table, TableLimits
from punto.money import MAXIMUM_CENTS, Cents
from punto.rulebook.model import Bet, Rulebook

CENT = Cents(1)


class Amounts(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest and the largest amount that is heard."""

    least_cents: Cents = msgspec.field(name="least")
    most_cents: Cents = msgspec.field(name="most")


class Numbers(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest and the largest number that is heard."""

    least: int
    most: int


class Possible(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A command that would be heard, and its fields: one of `choices`, within `amounts` or `numbers`, or entered.

    `wager` among the choices stands for patron, box and bet of a wager that lies; amounts are of the field, or of the
    wager or the patron that they name.
    """

    do: str
    paragraph: str | None
    choices: dict[str, tuple[str | int | bool, ...]] = {}
    amounts: dict[str, Amounts] = {}
    numbers: dict[str, Numbers] = {}
    enters: tuple[str, ...] = ()
    may_enter: tuple[str, ...] = ()
    reason: bool = False
    """It is recorded with a reason."""
    round: int | None = None
    """Of a report: the round that it is about where it names none."""
    second_person: bool = False


class Around(msgspec.Struct, frozen=True):
    """What all patrons at a table have in common: worked out once for all who look."""

    wagers: dict[str, list[Laid]]
    """The wagers of the round, by patron."""
    in_use: set[int]
    """Boxes in which wagers lie."""
    seats: list[int | None]
    taken: tuple[int, ...]
    spots: dict[str, tuple[Any, ...]]
    """Boxes and bets in which a wager can be placed; empty where there are none."""
    moves: dict[tuple[bool, ...], tuple[tuple[Possible, ...], tuple[Possible, ...]]]
    """What patrons in the same situation can do. See `_moves`."""


def around(rules: Rulebook, table: Table, before: Around | None = None) -> Around:
    """`before` was made for this table: since then only chips have moved, or people come and gone."""
    by_patron: dict[str, list[Laid]] = {}
    lying = table.round.wagers.values() if table.round is not None else ()
    for wager in lying:
        if wager.patron in by_patron:
            by_patron[wager.patron].append(wager)
        else:
            by_patron[wager.patron] = [wager]
    in_use = {wager.box for wager in lying} if table.round is not None and not table.round.ended else set()
    seats = [patron.box for patron in table.patrons.values()]
    if before is not None and before.seats == seats:
        return Around(by_patron, in_use, before.seats, before.taken, before.spots, before.moves)
    taken = tuple(sorted({box for box in seats if box is not None}))
    bets = wagers.available(rules, table) if table.phase is Phase.BETTING else ()
    return Around(by_patron, in_use, seats, taken, {"box": taken, "bet": bets} if taken and bets else {}, {})


def for_patron(rules: Rulebook, table: Table, name: str, shared: Around | None = None) -> tuple[Possible, ...]:
    """What a patron can do. One who is not at the table can join it."""
    patron = table.patrons.get(name)
    if patron is None:
        return only(_joining(rules, table, name))
    shared = shared or around(rules, table)
    moves, moving = _moves(rules, table, patron, shared)
    if patron.balance_cents:
        # Chips can be cashed at any time.
        most = {"chips": _up_to(patron.balance_cents)}
        moves += (Possible(do="cash-chips", paragraph=rules.paragraph("define.patron"), amounts=most),)
    moves += moving
    match table.phase:
        case Phase.BETTING | Phase.CUT_CARD:
            lying = shared.wagers.get(name, []) if patron.present else []
            return (*moves, *wagering(rules, table, (patron,), lying, shared))
        case Phase.DEALING | Phase.OFFER:
            return (*moves, *only(*insurance(rules, table, (name,)), *_squeezing(rules, table, name)))
        case Phase.OPTIONS:
            chooses = c.ChooseOption(patron=name, option="continue")
            return (*moves, *only(heard(rules, table, chooses, choices={"option": ("continue", "returned")})))
        case _:
            return moves


def _moves(
    rules: Rulebook, table: Table, patron: Patron, shared: Around
) -> tuple[tuple[Possible, ...], tuple[Possible, ...]]:
    """Joining and buying chips; sitting and leaving. `decide` is asked once for all patrons in the same situation."""
    at_work = patron.name in shared.wagers and table.round is not None and not table.round.ended
    full = table.issued_cents >= MAXIMUM_CENTS
    holds = (patron.present, patron.box is None, patron.box in shared.in_use, at_work, full)
    moves = shared.moves.get(holds)
    if moves is None:
        name = patron.name
        free = tuple(box for box in range(1, table.opened.positions + 1) if box not in shared.taken)
        coming = only(
            _joining(rules, table, name),
            heard(rules, table, c.BuyChips(patron=name, chips_cents=CENT), enters=("chips",)),
        )
        going = only(
            heard(rules, table, c.Sit(patron=name, box=free[0]), choices={"box": free}) if free else None,
            heard(rules, table, c.StandUp(patron=name)),
            heard(rules, table, c.Leave(patron=name)),
        )
        moves = shared.moves[holds] = (coming, going)
    return moves


def _joining(rules: Rulebook, table: Table, name: str) -> Possible | None:
    """The chips have no upper bound: it would reveal what others have bought, and a wallet is empty long before."""
    return heard(rules, table, c.Join(patron=name), may_enter=("chips",))


def only(*possible: Possible | None) -> tuple[Possible, ...]:
    return tuple(move for move in possible if move is not None)


@lru_cache(maxsize=4_096)
def _up_to(most_cents: int) -> Amounts:
    return Amounts(least_cents=CENT, most_cents=Cents(most_cents))


def heard(rules: Rulebook, table: Table, command: c.AnyCommand, **fields: Any) -> Possible | None:
    """The command; None where `decide` refuses it."""
    if type(command) not in HEARD[table.phase]:
        return None
    answer = decide(rules, table, command)
    if isinstance(answer, Refusal):
        return None
    tag = str(type(command).__struct_config__.tag)
    return Possible(do=tag, paragraph=citation.of_act(rules, table, command, answer), **fields)


def wagering(
    rules: Rulebook,
    table: Table,
    patrons: tuple[Patron, ...],
    lying: list[Laid],
    shared: Around,
    by: str | None = None,
) -> list[Possible]:
    """Wagers of these patrons; `lying` are on the layout. How many chips a patron has is theirs to know: staff enter
    what they are handed."""
    if table.phase not in (Phase.BETTING, Phase.CUT_CARD):
        return []
    ids = tuple([wager.id for wager in lying])
    cite = wagers.taken_off_cite(rules, table)
    moves = [Possible(do="withdraw-wager", paragraph=cite, choices={"wager": ids})] if ids else []
    if table.phase is not Phase.BETTING:
        return moves
    parts = {wager.id: _up_to(wager.stake_cents - CENT) for wager in lying if wager.stake_cents > CENT}
    if parts:
        moves.append(Possible(do="lower-wager", paragraph=cite, choices={"wager": tuple(parts)}, amounts=parts))
    return moves + _adding(rules, table, patrons, lying, shared, by)


def _adding(
    rules: Rulebook, table: Table, patrons: tuple[Patron, ...], lying: list[Laid], shared: Around, by: str | None
) -> list[Possible]:
    """Place a wager, or raise one that lies."""
    rich = [patron for patron in patrons if patron.present and patron.balance_cents > 0]
    if not rich:
        return []
    most = [(wager.id, wagers.most_cents(table.patrons[wager.patron], wager.stake_cents)) for wager in lying]
    amounts = {wager: _up_to(cents) for wager, cents in most if cents > 0}
    cite, moves = wagers.added_cite(rules, by), []
    if amounts:
        bounds: dict[str, Any] = {"enters": ("stake",)} if by else {"amounts": amounts}
        moves.append(Possible(do="raise-wager", paragraph=cite, choices={"wager": tuple(amounts)}, **bounds))
    if shared.spots and by:
        choices = {"patron": tuple(patron.name for patron in rich), **shared.spots}
        moves.append(Possible(do="place-wager", paragraph=cite, choices=choices, enters=("stake",)))
    elif shared.spots:
        stake = {"stake": _up_to(wagers.most_cents(rich[0], 0))}
        moves.append(Possible(do="place-wager", paragraph=cite, choices=shared.spots, amounts=stake))
    return moves


def insurance(rules: Rulebook, table: Table, names: tuple[str, ...], by: str | None = None) -> list[Possible | None]:
    """At every open offer, those of these patrons who may insure, and how much."""
    if table.phase is not Phase.OFFER:
        return []
    moves: list[Possible | None] = []
    open_now = {offer.after: offer for offer in (table.current.late_offer, table.current.offer) if offer is not None}
    for offer in open_now.values():
        most = {}
        cite = rules.insurance.right_cite
        for name in names:
            command = c.TakeInsurance(patron=name, bet=offer.bet, after=offer.after, stake_cents=CENT)
            if not isinstance(decide(rules, table, command), Refusal):
                right = insurance_offers.open_most_cents(rules, table, name, offer)
                most[name] = right if by else min(right, table.patrons[name].balance_cents)
        if not most:
            continue
        choices: dict[str, Any] = {"bet": (offer.bet,), "after": (offer.after,)}
        if by:
            choices["patron"] = tuple(most)
        amounts = {name if by else "stake": _up_to(cents) for name, cents in most.items()}
        moves.append(Possible(do="take-insurance", paragraph=cite, choices=choices, amounts=amounts))
    if by is None:
        moves.append(heard(rules, table, c.DeclineInsurance(patron=names[0])))
    return moves


def _squeezing(rules: Rulebook, table: Table, name: str) -> list[Possible | None]:
    if table.opened.facing == "up":
        return []
    left = dealing.undrawn(rules, table)
    ask = heard(rules, table, c.AskSqueeze(patron=name, places=left[:1]), choices={"places": left})
    first = heard(rules, table, c.AskBankerFirst(patron=name, way="squeeze"), choices={"way": ("squeeze", "expose")})
    return [ask, first, *turning(rules, table, name)]


def turning(rules: Rulebook, table: Table, name: str) -> list[Possible | None]:
    """Cards that lie face down: those whose face is on record, and those whose face is entered as they are turned."""
    if c.ExposeCard not in HEARD[table.phase]:
        return []
    moves = []
    for lying in table.current.cards:
        if not lying.exposed:
            card = any_left(table) if lying.face is None else None
            command = c.ExposeCard(by=name, place=lying.place, card=card)
            enters = () if card is None else ("card",)
            moves.append(heard(rules, table, command, choices={"place": (lying.place,)}, enters=enters))
    return moves


def any_left(table: Table) -> str | None:
    """A card that the shoe may still hold."""
    seen, decks = table.in_use.seen, table.opened.decks
    return next((face for face in faces() if seen.get(face, 0) < decks), None)


@cache
def faces() -> tuple[str, ...]:
    return tuple(str(card) for card in DECK)


def rooms(table: Table, box: int) -> tuple[dict[Bet, Cents], dict[Bet, Cents]]:
    """How much the limits still allow on each bet in a box: to a standing patron, and to the one who sits there if that
    is more. A bet that no limit bounds is left out."""
    limits, lying = table.limits, table.current.wagers
    return rooms_beside(limits, lying, judged.in_box(lying, box))


def rooms_beside(
    limits: TableLimits, lying: dict[str, Laid], here: list[Laid]
) -> tuple[dict[Bet, Cents], dict[Bet, Cents]]:
    """`rooms`, given the wagers `here` in the box."""
    rooms, more = {}, {}
    for bet in judged.bounded(limits):
        room = judged.room_in(limits, lying, here, bet)
        rooms[bet] = Cents(room.cents)
        if room.standing:
            more[bet] = Cents(room.seated_cents)
    return rooms, more
