"""Commands that somebody might give at a table, in and out of their bounds, and whether what is offered covers them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any, get_args

import msgspec

from punto.game import commands as c
from punto.game import events as e
from punto.game import limits as judged
from punto.game import possible, possible_staff
from punto.game.decide import decide
from punto.game.possible import Possible
from punto.game.refusals import Refusal
from punto.game.table import Laid, Patron, Table
from punto.money import MAXIMUM_CENTS, Cents
from punto.rulebook.model import Bet, Insurance, Moment, Rank, Rulebook

WAGERS = (c.PlaceWager, c.RaiseWager, c.LowerWager, c.WithdrawWager)
ADDS = (c.PlaceWager, c.RaiseWager)


def whole(rules: Rulebook, table: Table, command: c.AnyCommand) -> bool:
    """Whether a command is accepted, and with its whole stake."""
    answer = decide(rules, table, command)
    return not isinstance(answer, Refusal) and not any(isinstance(event, e.ExcessRejected) for event in answer)


def covered(offered: tuple[Possible, ...], table: Table, command: c.AnyCommand) -> bool:
    """Whether what is offered covers a command, as a page would see it from the list and the room in the boxes."""
    tag = str(type(command).__struct_config__.tag)
    return any(offer.do == tag and _within(offer, table, command) for offer in offered)


def fields_fault(offer: Possible) -> str | None:
    """What is wrong with the fields that an offer names, else None. Each must exist, and where it names any, no
    required field may be missing. The sender knows `patron` and `by`; a wager stands for its box and its bet, amounts
    for stake or chips."""
    kind = _COMMANDS[offer.do]
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    named = {*offer.choices, *offer.numbers, *offer.enters, *offer.may_enter} - {"wager"}
    if not named <= set(fields):
        return f"{offer.do} has no {named - set(fields)}"
    named |= {"stake", "chips"} if offer.amounts else set()
    named |= {"box", "bet"} if "wager" in offer.choices else set()
    missing = {name for name, field in fields.items() if field.required} - named - {"patron", "by"}
    return f"{offer.do} needs {missing}" if named and missing else None


_COMMANDS = {str(kind.__struct_config__.tag): kind for kind in get_args(c.AnyCommand)}


def _within(offer: Possible, table: Table, command: Any) -> bool:
    lying = _lying(table, command) if isinstance(command, WAGERS) else None
    if isinstance(command, c.PlaceWager) and lying is not None:
        return False
    fields = {**msgspec.structs.asdict(command), "wager": lying.id if lying is not None else None}
    for name, choices in offer.choices.items():
        value = fields[name]
        if not (set(value) <= set(choices) and value) if isinstance(value, tuple) else value not in choices:
            return False
        if isinstance(value, tuple) and len(set(value)) < len(value):
            return False
    if isinstance(command, c.Burn | c.DrawCard | c.ExposeCard) and not _card_fits(offer, command.card):
        return False
    if any(not bounds.least <= fields[name] <= bounds.most for name, bounds in offer.numbers.items()):
        return False
    return _amount_fits(offer, table, command, fields)


def _amount_fits(offer: Possible, table: Table, command: Any, fields: dict[str, Any]) -> bool:
    cents: int | None = fields.get("stake_cents", fields.get("chips_cents"))
    if cents is None:
        return True
    keys = ("stake", "chips", str(fields["wager"]), str(fields.get("patron")))
    bounds = next((offer.amounts[key] for key in keys if key in offer.amounts), None)
    if isinstance(command, c.Join | c.BuyChips):
        least = 0 if isinstance(command, c.Join) else 1
        return least <= cents <= MAXIMUM_CENTS - table.issued_cents
    if bounds is not None and not bounds.least_cents <= cents <= bounds.most_cents:
        return False
    # What staff enter for a patron is bounded by the chips that the patron has.
    handed = bool(fields.get("by")) and not isinstance(command, c.LowerWager)
    if handed and not 0 < cents <= table.patrons[command.patron].balance_cents:
        return False
    return not isinstance(command, ADDS) or cents <= _room(table, command)


def _card_fits(offer: Possible, card: str | None) -> bool:
    return "card" not in offer.enters if card is None else "card" in (*offer.enters, *offer.may_enter)


def _lying(table: Table, command: Any) -> Laid | None:
    wanted = (command.patron, command.box, command.bet)
    lying = table.round.wagers.values() if table.round is not None else ()
    return next((wager for wager in lying if (wager.patron, wager.box, wager.bet) == wanted), None)


def _room(table: Table, command: Any) -> int:
    room, seated = possible.rooms(table, command.box)
    bet, sits = Bet(command.bet), table.patrons[command.patron].box == command.box
    return seated[bet] if sits and bet in seated else room.get(bet, Cents(judged.UNLIMITED_CENTS))


def of_patron(chance: random.Random, rules: Rulebook, table: Table, name: str) -> Iterator[c.AnyCommand]:
    """Commands that a patron might give."""
    patron = table.patrons.get(name, Patron(name))
    left = MAXIMUM_CENTS - table.issued_cents
    yield from (c.Join(patron=name, chips_cents=Cents(cents)) for cents in (0, 1, left, left + 1))
    yield from (c.BuyChips(patron=name, chips_cents=Cents(cents)) for cents in (0, 1, left, left + 1))
    yield from (c.CashChips(patron=name, chips_cents=Cents(cents)) for cents in around(patron.balance_cents))
    yield from (c.Sit(patron=name, box=box) for box in range(table.opened.positions + 2))
    yield from (kind(patron=name) for kind in (c.StandUp, c.Leave, c.DeclineInsurance))
    yield from (c.ChooseOption(patron=name, option=option) for option in ("continue", "returned", "stay"))
    yield from (c.AskBankerFirst(patron=name, way=way) for way in ("squeeze", "expose", "burn"))
    places = ("P1", "B1", "P2", "B2", "P3", "B3")
    yield from (c.AskSqueeze(patron=name, places=chosen) for chosen in (*zip(places, strict=True), ("P3", "P3"), ()))
    yield from _turned(table, name)
    yield from _wagered(chance, rules, table, name, None)
    yield from _insured(chance, rules, table, name, None)


def of_staff(chance: random.Random, rules: Rulebook, table: Table, name: str) -> Iterator[c.AnyCommand]:
    """Commands that staff might give, without reports and rulings."""
    for kind in (c.CloseTable, c.DrawCutCard, c.EndShoe, c.OpenBetting, c.CloseBetting, c.Settle, c.ResumePlay):
        yield kind(by=name)
    yield from (kind(by=name) for kind in (c.GrantSqueeze, c.GrantBankerFirst))
    yield c.EndDuty(name=name)
    if name not in table.staff:
        yield c.StartDuty(name=name, rank=Rank.DEALER)
    yield from (c.SetInsurance(by=name, offered=offered, asked_by="ann") for offered in (True, False))
    limits = msgspec.structs.replace(table.limits, minimum_cents=Cents(table.limits.minimum_cents + 1))
    if limits != (table.next_limits or table.limits) and name in table.staff:
        yield c.SetLimits(by=name, limits=limits)
    yield from (
        c.AnnounceClosing(by=name, rounds=rounds)
        for rounds in (-1, 0, 7, 100, 101)
        if table.rounds + rounds != table.closes_after
    )
    shoe = table.shoe
    if shoe is not None:
        yield from (
            c.PlaceCutCard(by=name, after=after) for after in (shoe.drawn, shoe.drawn + 1, shoe.cards - 1, shoe.cards)
        )
        face = possible.any_left(table)
        yield from (kind(by=name, card=card) for kind in (c.Burn, c.DrawCard) for card in (None, face))
        yield from _turned(table, name)
    for who in (*table.patrons, "nobody"):
        if name in table.staff:
            yield from (c.ChooseOption(patron=who, option=option) for option in ("continue", "returned"))
        yield from _wagered(chance, rules, table, who, name)
        yield from _insured(chance, rules, table, who, name)


def _turned(table: Table, name: str) -> Iterator[c.AnyCommand]:
    cards = table.round.cards if table.round is not None and table.shoe is not None else ()
    for card in cards:
        faces = (None, possible.any_left(table)) if card.face is None else (None,)
        yield from (c.ExposeCard(by=name, place=card.place, card=face) for face in faces)


def around(most: int) -> tuple[int, ...]:
    return (0, 1, most, most + 1)


def _wagered(chance: random.Random, rules: Rulebook, table: Table, name: str, by: str | None) -> Iterator[c.AnyCommand]:
    bets = [*rules.layouts[table.opened.layout].bets, *chance.sample(tuple(Bet), 2)]
    spots = list(product(range(table.opened.positions + 2), bets))
    chance.shuffle(spots)
    mine = [wager for wager in (table.round.wagers.values() if table.round else ()) if wager.patron == name]
    chips = table.patrons[name].balance_cents if name in table.patrons else 1
    for box, bet in [*spots[:4], *((wager.box, wager.bet) for wager in mine)]:
        lying = next((wager.stake_cents for wager in mine if (wager.box, wager.bet) == (box, bet)), 1)
        room = possible.rooms(table, box)[0].get(bet, chips) if table.round else 1
        stakes = {
            *around(chips),
            *around(room),
            *around(min(room, chips)),
            lying - 1,
            lying,
            chance.randint(1, chips + 1),
        }
        for stake in sorted(max(0, cents) for cents in stakes):
            for kind in (c.PlaceWager, c.RaiseWager, c.LowerWager):
                yield kind(patron=name, box=box, bet=bet, stake_cents=Cents(stake), by=by)
            if by is not None:
                yield c.ReportChips(by=by, patron=name, box=box, bet=bet, stake_cents=Cents(stake))
        yield c.WithdrawWager(patron=name, box=box, bet=bet, by=by)


def _insured(chance: random.Random, rules: Rulebook, table: Table, name: str, by: str | None) -> Iterator[c.AnyCommand]:
    offers = possible_staff.for_staff(rules, table, next(iter(table.staff), "")) if table.round and table.staff else ()
    rights = [offer.amounts.get(name) for offer in offers if offer.do == "take-insurance"]
    most = next((bounds.most_cents for bounds in rights if bounds is not None), 1)
    chips = table.patrons[name].balance_cents if name in table.patrons else 1
    for bet, after in product(Insurance, Moment):
        for stake in {*around(most), chips, chips + 1}:
            yield c.TakeInsurance(patron=name, bet=bet, after=after, stake_cents=Cents(stake), by=by)
