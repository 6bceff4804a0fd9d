"""A settlement record: one round as JSON in, its slip or an error as JSON out (the shapes of `punto settle`).

Pure: bytes in, bytes out. Which edition a name means is asked of the caller.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import msgspec

from punto import money
from punto.cards import CardError, card
from punto.game import coup as coups
from punto.game import settlement
from punto.game.refusals import Refusal, refuse
from punto.rulebook.model import Moment, Rulebook

LONGEST_BYTES: Final = 1 << 20
"""A record is at most a mebibyte: some ten thousand wagers."""

MOST_CARDS_GIVEN: Final = 64

Governing = Callable[[str, str | None, str | None], tuple[Rulebook, str | None]]
"""(game, edition, on) → the rulebook, and a note on it. Raises ValueError with a sentence where there is none."""


class WagerIn(msgspec.Struct, forbid_unknown_fields=True):
    bet: str
    stake: msgspec.Raw
    id: Any = None
    patron: str = settlement.ONE_PATRON


class InsuranceIn(msgspec.Struct, forbid_unknown_fields=True):
    bet: str
    after: str
    stake: msgspec.Raw
    id: Any = None
    patron: str = settlement.ONE_PATRON


class LimitsIn(msgspec.Struct, forbid_unknown_fields=True):
    maximum: msgspec.Raw | None = None
    maximum_differential: msgspec.Raw | None = None


class RecordIn(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    layout: str
    player: list[str]
    banker: list[str]
    id: Any = None
    edition: str | None = None
    on: str | None = None
    decks: int | None = None
    wagers: list[WagerIn] = []
    insurance: list[InsuranceIn] = []
    limits: LimitsIn | None = None


class LineOut(msgspec.Struct):
    id: Any
    bet: str
    result: str
    stake: str
    odds: str | None
    winnings: str
    handed_back: str
    paragraph: str


class SlipOut(msgspec.Struct, omit_defaults=True):
    id: Any
    game: str
    edition: str
    winner: str
    player_points: int
    banker_points: int
    lines: list[LineOut]
    staked: str
    handed_back: str
    note: str | None = None


class ErrorOut(msgspec.Struct):
    id: Any
    error: Refusal


_decode = msgspec.json.Decoder(RecordIn).decode
_decode_stake = msgspec.json.Decoder(str).decode
_encode = msgspec.json.Encoder().encode


def settle_line(line: bytes, governing: Governing) -> tuple[bytes, bool]:
    """Settle one record. The second answer is False when the record was refused."""
    try:
        record = _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _encode(_unreadable(line, error)), False
    found = settle_record(record, governing)
    return _encode(found), not isinstance(found, ErrorOut)


def too_long() -> bytes:
    """The answer to a record that was not even read."""
    text = f"the record is longer than {LONGEST_BYTES} bytes and was not read: expected one round a line"
    return _encode(ErrorOut(None, refuse("bad-record", text)))


def settle_record(record: RecordIn, governing: Governing) -> SlipOut | ErrorOut:
    """Judge the record in the order in which a reader would: edition, layout, cards, amounts, wagers."""
    try:
        rules, note = governing(record.game, record.edition, record.on)
    except ValueError as error:
        return ErrorOut(record.id, refuse("unknown-edition", str(error)))
    layout = rules.layouts.get(record.layout)
    if layout is None:
        return ErrorOut(record.id, settlement.unknown_layout(rules, record.layout))
    coup = _coup(rules, record)
    if isinstance(coup, Refusal):
        return ErrorOut(record.id, coup)
    try:
        wagers = tuple([settlement.Wager(w.bet, _stake(w.stake), w.patron, w.id) for w in record.wagers])
        insurance = _insurance(record)
        limits = _limits(record.limits)
    except money.MoneyError as error:
        return ErrorOut(record.id, refuse("bad-amount", str(error), rules.paragraph("limits.patron-duty")))
    except ValueError as error:
        return ErrorOut(record.id, refuse("bad-record", str(error), rules.insurance.cite))
    slip = settlement.settle(rules, layout, coup, wagers, insurance, limits)
    if isinstance(slip, Refusal):
        return ErrorOut(record.id, slip)
    return _shown(record, rules, slip, note)


def _coup(rules: Rulebook, record: RecordIn) -> coups.Coup | Refusal:
    decks = rules.procedure.decks_default if record.decks is None else record.decks
    if decks not in rules.procedure.decks:
        allowed = " ".join(str(number) for number in rules.procedure.decks)
        return refuse("bad-record", f"{decks} decks are not allowed: expected {allowed}", rules.procedure.decks_cite)
    if len(record.player) + len(record.banker) > MOST_CARDS_GIVEN:
        return refuse("table-of-play", "a coup has at most six cards", rules.paragraph("table-of-play"))
    try:
        coup = coups.Coup(tuple([card(text) for text in record.player]), tuple([card(text) for text in record.banker]))
    except CardError as error:
        return refuse("unknown-card", str(error), rules.procedure.decks_cite)
    return coups.check_decks(rules, coup.player + coup.banker, decks) or coups.check(rules, coup) or coup


def _stake(raw: msgspec.Raw) -> int:
    return money.stake_cents(_text(raw))


def _text(raw: msgspec.Raw) -> str:
    """The text of a JSON string. A number, true or null is no amount, whatever its value."""
    try:
        return _decode_stake(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        shown = bytes(raw)[:40].decode("utf-8", "replace")
        raise money.MoneyError(f'{shown} is no amount: expected a string such as "100.00"') from None


def _insurance(record: RecordIn) -> tuple[settlement.Insured, ...]:
    taken = []
    for one in record.insurance:
        if one.after not in set(Moment):
            raise ValueError(f"{one.after!r} is no moment of insurance: expected four-cards or player-third")
        taken.append(settlement.Insured(one.bet, Moment(one.after), _stake(one.stake), one.patron, one.id))
    return tuple(taken)


def _limits(given: LimitsIn | None) -> settlement.Limits:
    if given is None:
        return settlement.Limits()
    return settlement.Limits(
        maximum_cents=None if given.maximum is None else money.stake_cents(_text(given.maximum)),
        maximum_differential_cents=None
        if given.maximum_differential is None
        else money.stake_cents(_text(given.maximum_differential)),
    )


def _shown(record: RecordIn, rules: Rulebook, slip: settlement.Slip, note: str | None) -> SlipOut:
    amount = money.amount
    lines = [
        LineOut(
            line.id,
            line.bet,
            line.result,
            amount(line.stake_cents),
            None if line.odds is None else str(line.odds),
            amount(line.winnings_cents),
            amount(line.handed_back_cents),
            line.paragraph,
        )
        for line in slip.lines
    ]
    return SlipOut(
        record.id,
        rules.source.game,
        rules.source.edition,
        slip.winner,
        slip.player_points,
        slip.banker_points,
        lines,
        amount(slip.staked_cents),
        amount(slip.handed_back_cents),
        note,
    )


def _unreadable(line: bytes, error: Exception) -> ErrorOut:
    """Say what is wrong with a record that has not the shape of one, with its id where that can still be read."""
    try:
        loose = json.loads(line)
    except (ValueError, RecursionError):
        text = f"the record is no JSON object on one line: {error}" if line.strip() else "the line is empty"
        return ErrorOut(None, refuse("bad-record", text))
    name = loose.get("id") if isinstance(loose, dict) else None
    if not isinstance(name, str | int | None):
        name = None
    if isinstance(loose, dict) and not isinstance(error, msgspec.ValidationError):
        # Python's reader takes NaN and Infinity, which are no JSON: as a stake they are an amount gone wrong.
        text = f'{error}: an amount is a string such as "100.00"'
        return ErrorOut(name, refuse("bad-amount", text))
    return ErrorOut(name, refuse("bad-record", str(error)))
