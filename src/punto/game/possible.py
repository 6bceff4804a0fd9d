"""What can be done at a table now, by a patron or by staff: the commands that would be heard and within which bounds.

Every answer comes from the functions that decide: a command is asked of `decide` as somebody would give it, and bounds
are those that it judges by. Under which room a stake falls in which box is in the view's boxes, as it is the same for
all. What a house adds (who may give what, where a second person is needed) is not known here.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from punto.cards import DECK
from punto.game import commands as c
from punto.game import dealing, offers, wagers
from punto.game import limits as judged
from punto.game.decide import decide
from punto.game.events import AnyEvent
from punto.game.refusals import Refusal
from punto.game.round import ALLOWED
from punto.game.table import Laid, Patron, Phase, Table
from punto.money import Cents
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


def for_patron(rules: Rulebook, table: Table, name: str) -> tuple[Possible, ...]:
    """What a patron can do. One who is not at the table can join it."""
    patron = table.patrons.get(name)
    # How much a table can still hold would tell what others have bought: a wallet is empty long before.
    join = heard(rules, table, c.Join(patron=name), may_enter=("chips",))
    if patron is None:
        return only(join)
    taken = {one.box for one in table.patrons.values()} if patron.box is None else set()
    free = tuple(box for box in range(1, table.opened.positions + 1) if box not in taken)
    return only(
        join,
        heard(rules, table, c.BuyChips(patron=name, chips_cents=CENT), enters=("chips",)),
        heard(
            rules, table, c.CashChips(patron=name, chips_cents=CENT), amounts={"chips": _up_to(patron.balance_cents)}
        ),
        heard(rules, table, c.Sit(patron=name, box=free[0]), choices={"box": free}) if free else None,
        heard(rules, table, c.StandUp(patron=name)),
        heard(rules, table, c.Leave(patron=name)),
        *wagering(rules, table, (patron,)),
        *insurance(rules, table, (name,)),
        *_squeezing(rules, table, name),
        heard(
            rules, table, c.ChooseOption(patron=name, option="continue"), choices={"option": ("continue", "returned")}
        ),
    )


def only(*found: Possible | None) -> tuple[Possible, ...]:
    return tuple(one for one in found if one is not None)


def _up_to(most_cents: int) -> Amounts:
    return Amounts(least_cents=CENT, most_cents=Cents(most_cents))


def heard(rules: Rulebook, table: Table, command: c.AnyCommand, **fields: Any) -> Possible | None:
    """As `decide` answers it."""
    if type(command) not in ALLOWED[table.phase]:
        return None
    answer = decide(rules, table, command)
    if isinstance(answer, Refusal):
        return None
    return _named(command, _cite(rules, table, command, answer), **fields)


def _cite(rules: Rulebook, table: Table, command: c.AnyCommand, answer: tuple[AnyEvent, ...]) -> str:
    """What comes next out of a virtual shoe is not to be told by the paragraph that it would come under."""
    if isinstance(command, c.OpenBetting):
        return rules.procedure.opens_cite
    place = dealing.next_place(rules, table) if isinstance(command, c.DrawCard) else None
    return dealing.drawn_cite(rules, table, place) if isinstance(place, str) else answer[0].paragraph


def _named(command: c.AnyCommand, paragraph: str | None, **fields: Any) -> Possible:
    return Possible(do=str(type(command).__struct_config__.tag), paragraph=paragraph, **fields)


def wagering(
    rules: Rulebook, table: Table, patrons: tuple[Patron, ...], by: str | None = None
) -> list[Possible | None]:
    """Wagers of these patrons. How many chips somebody has is known to themselves: staff enter what they are handed."""
    if table.phase not in (Phase.BETTING, Phase.CUT_CARD):
        return []
    names = {one.name for one in patrons if one.present}
    lying = [one for one in table.current.wagers.values() if one.patron in names]
    found = [_withdrawing(rules, table, lying, by)]
    if table.phase is Phase.BETTING:
        found += [_lowering(rules, table, lying, by), _raising(rules, table, patrons, lying, by)]
        found.append(_placing(rules, table, patrons, by))
    return found


def _withdrawing(rules: Rulebook, table: Table, lying: list[Laid], by: str | None) -> Possible | None:
    if not lying:
        return None
    one = lying[0]
    command = c.WithdrawWager(patron=one.patron, box=one.box, bet=one.bet, by=by)
    return heard(rules, table, command, choices={"wager": tuple(one.id for one in lying)})


def _lowering(rules: Rulebook, table: Table, lying: list[Laid], by: str | None) -> Possible | None:
    parts = [one for one in lying if one.stake_cents > CENT]
    if not parts:
        return None
    one = parts[0]
    command = c.LowerWager(patron=one.patron, box=one.box, bet=one.bet, stake_cents=CENT, by=by)
    most = {one.id: _up_to(one.stake_cents - CENT) for one in parts}
    return heard(rules, table, command, choices={"wager": tuple(most)}, amounts=most)


def _raising(
    rules: Rulebook, table: Table, patrons: tuple[Patron, ...], lying: list[Laid], by: str | None
) -> Possible | None:
    most = {one.id: wagers.most_cents(table.patrons[one.patron], one.stake_cents) for one in lying}
    amounts = {name: _up_to(cents) for name, cents in most.items() if cents > 0}
    if not amounts:
        return None
    cite = rules.paragraph("staff-place" if by else "bets.which")
    shown: dict[str, Any] = {"enters": ("stake",)} if by else {"amounts": amounts}
    command = c.RaiseWager(patron="", box=0, bet="", stake_cents=CENT)
    return _named(command, cite, choices={"wager": tuple(amounts)}, **shown)


def _placing(rules: Rulebook, table: Table, patrons: tuple[Patron, ...], by: str | None) -> Possible | None:
    """Where a wager lies it is raised."""
    rich = tuple(one for one in patrons if one.present and one.balance_cents > 0)
    boxes = tuple(box for box in range(1, table.opened.positions + 1) if wagers.takes_wagers(table, box))
    bets = wagers.available(rules, table)
    if not (rich and boxes and bets):
        return None
    cite = rules.paragraph("staff-place" if by else "bets.which")
    choices: dict[str, Any] = {"box": boxes, "bet": bets}
    command = c.PlaceWager(patron="", box=0, bet="", stake_cents=CENT)
    if by:
        names = tuple(one.name for one in rich)
        return _named(command, cite, choices={"patron": names, **choices}, enters=("stake",))
    return _named(command, cite, choices=choices, amounts={"stake": _up_to(wagers.most_cents(rich[0], 0))})


def insurance(rules: Rulebook, table: Table, names: tuple[str, ...], by: str | None = None) -> list[Possible | None]:
    """At every open offer, those of these patrons who may insure, and how much."""
    if table.phase is not Phase.OFFER:
        return []
    found: list[Possible | None] = []
    open_now = {one.after: one for one in (table.current.late_offer, table.current.offer) if one is not None}
    for offer in open_now.values():
        most = {}
        cite = rules.insurance.right_cite
        for name in names:
            command = c.TakeInsurance(patron=name, bet=offer.bet, after=offer.after, stake_cents=CENT, by=by)
            if not isinstance(decide(rules, table, command), Refusal):
                right = offers.open_most_cents(rules, table, name, offer)
                most[name] = right if by else min(right, table.patrons[name].balance_cents)
        if not most:
            continue
        choices: dict[str, Any] = {"bet": (offer.bet,), "after": (offer.after,)}
        if by:
            choices["patron"] = tuple(most)
        amounts = {name if by else "stake": _up_to(cents) for name, cents in most.items()}
        found.append(Possible(do="take-insurance", paragraph=cite, choices=choices, amounts=amounts))
    if by is None:
        found.append(heard(rules, table, c.DeclineInsurance(patron=names[0])))
    return found


def _squeezing(rules: Rulebook, table: Table, name: str) -> list[Possible | None]:
    if table.phase not in (Phase.DEALING, Phase.OFFER):
        return []
    left = dealing.undrawn(table)
    ask = heard(rules, table, c.AskSqueeze(patron=name, places=left[:1]), choices={"places": left})
    first = heard(rules, table, c.AskBankerFirst(patron=name, way="squeeze"), choices={"way": ("squeeze", "expose")})
    return [ask, first, *turning(rules, table, name)]


def turning(rules: Rulebook, table: Table, name: str) -> list[Possible | None]:
    """Cards that lie face down: those whose face is on record, and those whose face is entered as they are turned."""
    if c.ExposeCard not in ALLOWED[table.phase]:
        return []
    found = []
    for lying in table.current.cards:
        if not lying.exposed:
            card = any_left(table) if lying.face is None else None
            command = c.ExposeCard(by=name, place=lying.place, card=card)
            enters = () if card is None else ("card",)
            found.append(heard(rules, table, command, choices={"place": (lying.place,)}, enters=enters))
    return found


def any_left(table: Table) -> str | None:
    """A card that the shoe may still hold."""
    seen, decks = table.in_use.seen, table.opened.decks
    return next((face for face in faces() if seen.get(face, 0) < decks), None)


@cache
def faces() -> tuple[str, ...]:
    return tuple(str(one) for one in DECK)


def rooms(table: Table, box: int) -> tuple[dict[Bet, Cents], dict[Bet, Cents]]:
    """What the bets in a box can still take under the limits: of a standing patron, and where that is more of one who
    sits there. A bet that no limit bounds is left out."""
    limits, lying = table.opened.limits, table.current.wagers
    found = {bet: judged.room_in(limits, lying, box, bet) for bet in judged.bounded(limits)}
    more = {bet: Cents(room.seated_cents) for bet, room in found.items() if room.standing}
    return {bet: Cents(room.cents) for bet, room in found.items()}, more
