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
from punto.game import dealing, offers, people, shoe, wagers
from punto.game import limits as judged
from punto.game.decide import decide
from punto.game.refusals import Refusal
from punto.game.round import ALLOWED
from punto.game.table import Laid, Patron, Phase, Table
from punto.money import Cents
from punto.rulebook.model import Rank, Rulebook

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
    second_person: bool = False


def for_patron(rules: Rulebook, table: Table, name: str) -> tuple[Possible, ...]:
    """What a patron can do. One who is not at the table can join it."""
    patron = table.patrons.get(name)
    most = Cents(people.most_chips_cents(table))
    chips = Amounts(least_cents=Cents(0), most_cents=most)
    if patron is None:
        return _only(_heard(rules, table, c.Join(patron=name), amounts={"chips": chips}))
    free = tuple(box for box in range(1, table.opened.positions + 1) if people.occupant(table, box) is None)
    return _only(
        _heard(rules, table, c.Join(patron=name), amounts={"chips": chips}),
        _heard(rules, table, c.BuyChips(patron=name, chips_cents=CENT), amounts={"chips": _up_to(most)}),
        _heard(
            rules, table, c.CashChips(patron=name, chips_cents=CENT), amounts={"chips": _up_to(patron.balance_cents)}
        ),
        _heard(rules, table, c.Sit(patron=name, box=free[0]), choices={"box": free}) if free else None,
        _heard(rules, table, c.StandUp(patron=name)),
        _heard(rules, table, c.Leave(patron=name)),
        *_wagering(rules, table, (patron,)),
        *_insurance(rules, table, (name,)),
        *_squeezing(rules, table, name),
        _heard(
            rules, table, c.ChooseOption(patron=name, option="continue"), choices={"option": ("continue", "returned")}
        ),
    )


def for_staff(rules: Rulebook, table: Table, name: str) -> tuple[Possible, ...]:
    """What somebody of the staff can do, by the rank on duty. One who is not on duty can begin."""
    if table.phase is Phase.CLOSED:
        return _only(_heard(rules, table, _opening(table, name)))
    if name not in table.staff:
        return _only(_heard(rules, table, c.StartDuty(name=name, rank=Rank.DEALER)))
    present = tuple(one for one in table.patrons.values() if one.present)
    waiting = table.irregularity.choices if table.irregularity is not None else {}
    silent = tuple(one.name for one in present if waiting.get(one.name) == "")
    return _only(
        *(_heard(rules, table, plain(by=name)) for plain in _PLAIN),
        _heard(rules, table, c.EndDuty(name=name), choices={"name": tuple(table.staff)}),
        _heard(
            rules,
            table,
            c.SetInsurance(by=name, offered=not table.insurance_offered, asked_by=name),
            choices={"offered": (not table.insurance_offered,)},
            enters=("asked_by",),
        ),
        *_cards(rules, table, name),
        *_wagering(rules, table, present, by=name),
        *_insurance(rules, table, tuple(one.name for one in present), by=name),
        _found_chips(rules, table, name),
        *(
            _heard(
                rules,
                table,
                c.ChooseOption(patron=silent[0], option="continue"),
                choices={"patron": silent, "option": ("continue", "returned")},
            )
            for _ in silent[:1]
        ),
        _report(table),
        _ruling(rules, table, name),
    )


_PLAIN = (
    c.CloseTable,
    c.DrawCutCard,
    c.EndShoe,
    c.OpenBetting,
    c.CloseBetting,
    *(c.GrantSqueeze, c.GrantBankerFirst, c.Settle, c.ResumePlay),
)
"""Commands of staff without further fields."""


def _only(*found: Possible | None) -> tuple[Possible, ...]:
    return tuple(one for one in found if one is not None)


def _up_to(most_cents: int) -> Amounts:
    return Amounts(least_cents=CENT, most_cents=Cents(most_cents))


def _heard(rules: Rulebook, table: Table, command: c.AnyCommand, **fields: Any) -> Possible | None:
    """As `decide` answers it."""
    if type(command) not in ALLOWED[table.phase]:
        return None
    answer = decide(rules, table, command)
    if isinstance(answer, Refusal):
        return None
    # What comes next out of a virtual shoe is not to be told by the paragraph it would come under.
    cite = rules.procedure.opens_cite if isinstance(command, c.OpenBetting) else answer[0].paragraph
    return _named(command, cite, **fields)


def _named(command: c.AnyCommand, paragraph: str | None, **fields: Any) -> Possible:
    return Possible(do=str(type(command).__struct_config__.tag), paragraph=paragraph, **fields)


def _opening(table: Table, name: str) -> c.OpenTable:
    """The table opened as it was."""
    settings = msgspec.structs.asdict(table.opened)
    del settings["pinned"]
    return c.OpenTable(by=name, **settings)


def _wagering(
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
    return _heard(rules, table, command, choices={"wager": tuple(one.id for one in lying)})


def _lowering(rules: Rulebook, table: Table, lying: list[Laid], by: str | None) -> Possible | None:
    parts = [one for one in lying if one.stake_cents > CENT]
    if not parts:
        return None
    one = parts[0]
    command = c.LowerWager(patron=one.patron, box=one.box, bet=one.bet, stake_cents=CENT, by=by)
    most = {one.id: _up_to(one.stake_cents - CENT) for one in parts}
    return _heard(rules, table, command, choices={"wager": tuple(most)}, amounts=most)


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


def _found_chips(rules: Rulebook, table: Table, name: str) -> Possible | None:
    """D4, I10."""
    if table.round is None or c.ReportChips not in ALLOWED[table.phase]:
        return None
    rich = [one.name for one in table.patrons.values() if one.balance_cents > 0]
    patrons = tuple(one for one in rich if not wagers.out_of_round(rules, table, one))
    boxes = tuple(box for box in range(1, table.opened.positions + 1) if wagers.takes_wagers(table, box, gone=True))
    bets = wagers.available(rules, table)
    if not (patrons and boxes and bets):
        return None
    command = c.ReportChips(by=name, patron=patrons[0], box=boxes[0], bet=bets[0], stake_cents=CENT)
    return _heard(rules, table, command, choices={"patron": patrons, "box": boxes, "bet": bets}, enters=("stake",))


def _insurance(rules: Rulebook, table: Table, names: tuple[str, ...], by: str | None = None) -> list[Possible | None]:
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
        found.append(_heard(rules, table, c.DeclineInsurance(patron=names[0])))
    return found


def _squeezing(rules: Rulebook, table: Table, name: str) -> list[Possible | None]:
    if table.phase not in (Phase.DEALING, Phase.OFFER):
        return []
    left = dealing.undrawn(table)
    ask = _heard(rules, table, c.AskSqueeze(patron=name, places=left[:1]), choices={"places": left})
    first = _heard(rules, table, c.AskBankerFirst(patron=name, way="squeeze"), choices={"way": ("squeeze", "expose")})
    return [ask, first, *_turning(rules, table, name)]


def _turning(rules: Rulebook, table: Table, name: str) -> list[Possible | None]:
    """Cards that lie face down: those whose face is on record, and those whose face is entered as they are turned."""
    if c.ExposeCard not in ALLOWED[table.phase]:
        return []
    down = [one for one in table.current.cards if not one.exposed]
    found = []
    for lying in down:
        card = any_left(table) if lying.face is None else None
        heard = _heard(rules, table, c.ExposeCard(by=name, place=lying.place, card=card))
        found.append(heard and msgspec.structs.replace(heard, choices={"place": (lying.place,)}, enters=_entered(card)))
    return found


def _entered(card: str | None) -> tuple[str, ...]:
    return ("card",) if card is not None else ()


def _cards(rules: Rulebook, table: Table, name: str) -> list[Possible | None]:
    """The shoe, and the cards out of it. A face is entered where the shoe does not give it."""
    if table.phase is Phase.NO_SHOE:
        return [_loading(rules, table, name)]
    if table.shoe is None:
        return []
    places = shoe.cut_places(table.in_use)
    cut = c.PlaceCutCard(by=name, after=places.start)
    found = [_heard(rules, table, cut, numbers={"after": Numbers(least=places.start, most=places.stop - 1)})]
    for kind in (c.Burn, c.DrawCard):
        bare, faced = (_heard(rules, table, kind(by=name, card=card)) for card in (None, any_left(table)))
        card = ("card",) if faced is not None else ()
        heard = faced and msgspec.structs.replace(faced, enters=card) if bare is None else bare
        heard = heard and msgspec.structs.replace(heard, may_enter=card if heard is bare else ())
        if heard is not None and kind is c.DrawCard:
            place = dealing.next_place(rules, table)
            assert isinstance(place, str), "a card that can be drawn has a place"
            heard = msgspec.structs.replace(heard, paragraph=dealing.drawn_cite(rules, table, place))
        found.append(heard)
    return found + _turned_by_staff(rules, table, name)


def _turned_by_staff(rules: Rulebook, table: Table, name: str) -> list[Possible | None]:
    """Also a card that a patron squeezes, where staff enter the face that they see."""
    found = _turning(rules, table, name)
    if not found:
        return []
    for lying in table.current.cards:
        holder = dealing.squeezer(table, lying.place)
        if not lying.exposed and lying.face is None and holder is not None:
            command = c.ExposeCard(by=holder, place=lying.place, card=any_left(table))
            choices = {"place": (lying.place,), "by": (holder,)}
            found.append(_heard(rules, table, command, choices=choices, enters=("card",)))
    return found


def any_left(table: Table) -> str | None:
    """A card that the shoe may still hold."""
    seen, decks = table.in_use.seen, table.opened.decks
    return next((face for face in _faces() if seen.get(face, 0) < decks), None)


@cache
def _faces() -> tuple[str, ...]:
    return tuple(str(one) for one in DECK)


def _loading(rules: Rulebook, table: Table, name: str) -> Possible | None:
    """A virtual shoe comes with its order."""
    decks = table.opened.decks
    order = _faces() * decks if table.opened.source == "virtual" else None
    count = decks * len(_faces())
    command = c.LoadShoe(by=name, count=count, shuffled=True, order=order)
    enters = ("order",) if order is not None else ()
    return _heard(rules, table, command, choices={"count": (count,), "shuffled": (True,)}, enters=enters)


def _report(table: Table) -> Possible | None:
    """That something can be reported; what, and with which facts, is in the edition's rows."""
    if c.ReportIrregularity not in ALLOWED[table.phase]:
        return None
    return Possible(do="report-irregularity", paragraph=None, enters=("kind",))


def _ruling(rules: Rulebook, table: Table, name: str) -> Possible | None:
    """That somebody of this rank can rule on what is open, and whether in writing."""
    kind = table.irregularity.kind if table.irregularity is not None else ""
    row = rules.irregularities.get(kind)
    if row is None or c.DecideIrregularity not in ALLOWED[table.phase]:
        return None
    answer = decide(rules, table, c.DecideIrregularity(by=name))
    if isinstance(answer, Refusal) and answer.code == "wrong-rank":
        return None
    reason = isinstance(answer, Refusal) and answer.code == "reason-needed"
    return Possible(do="decide-irregularity", paragraph=row.cite, reason=reason)


def rooms(table: Table, box: int, bets: tuple[Any, ...]) -> tuple[dict[Any, Cents], dict[Any, Cents]]:
    """What every bet in a box can still take under the limits: of a standing patron, and where that is more of one who
    sits there. A bet without a bound is left out."""
    limits, lying = table.opened.limits, table.current.wagers
    found = {bet: judged.room_in(limits, lying, box, bet) for bet in bets}
    bound = {bet: room for bet, room in found.items() if room.bound != "nothing"}
    more = {bet: Cents(room.seated_cents) for bet, room in bound.items() if room.standing}
    return {bet: Cents(room.cents) for bet, room in bound.items()}, more
