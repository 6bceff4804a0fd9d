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
from punto.codes import Code
from punto.game import coup as coups
from punto.game import settlement
from punto.game.record_lookup import look_up
from punto.game.refusals import Refusal, refuse
from punto.rulebook.model import Moment, Rulebook

LONGEST_BYTES: Final = 1 << 20
"""A record is at most a mebibyte: some ten thousand wagers."""

MOST_CARDS_IN_RECORD: Final = 64

Governing = Callable[[str, str | None, str | None], tuple[Rulebook, str | None]]
"""(game, edition, on) → the rulebook, and a note on it. Raises ValueError with a sentence where there is none."""


Id = str | int | float | None
"""What a record or a wager may be called. It is handed back as it came."""

_NOTHING: Final = msgspec.Raw(b"null")


class WagerIn(msgspec.Struct, forbid_unknown_fields=True):
    """`found`: the chips were found after the close, as the table's `report-chips` has it."""

    bet: str
    stake: msgspec.Raw
    found: bool = False
    id: Id = None
    patron: str = settlement.ONE_PATRON


class InsuranceIn(msgspec.Struct, forbid_unknown_fields=True):
    bet: str
    after: str
    stake: msgspec.Raw
    id: Id = None
    patron: str = settlement.ONE_PATRON


class LimitsIn(msgspec.Struct, forbid_unknown_fields=True):
    maximum: msgspec.Raw = _NOTHING
    maximum_differential: msgspec.Raw = _NOTHING
    player_maximum: msgspec.Raw = _NOTHING
    banker_maximum: msgspec.Raw = _NOTHING


class RecordIn(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    layout: str
    player: list[str]
    banker: list[str]
    id: Id = None
    edition: str | None = None
    on: str | None = None
    decks: int | None = None
    wagers: list[WagerIn] = []
    insurance: list[InsuranceIn] = []
    limits: LimitsIn | None = None


class LineOut(msgspec.Struct):
    id: object
    bet: str
    result: str
    stake: str
    odds: str | None
    winnings: str
    handed_back: str
    paragraph: str


class SlipOut(msgspec.Struct, omit_defaults=True):
    id: object
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
    id: object
    error: Refusal


_decode = msgspec.json.Decoder(RecordIn).decode
_decode_stake = msgspec.json.Decoder(str).decode
_encode = msgspec.json.Encoder().encode


def settle_line(line: bytes, governing: Governing) -> tuple[bytes, bool]:
    """Settle one record. The second answer is False when the record was refused."""
    answer = look_up(line, governing)
    return settle_in_full(line, governing) if answer is None else (answer, True)


def settle_in_full(line: bytes, governing: Governing) -> tuple[bytes, bool]:
    """The reference for `settle_line`: any record, judged and written step by step."""
    try:
        record = _decode(line)
        refused = _repeated(line, record)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        refused = _unreadable(line, error, governing)
    else:
        if refused is None:
            slip = settle_record(record, governing)
            return _encode(slip), not isinstance(slip, ErrorOut)
    return _encode(refused), False


def too_long() -> bytes:
    """The answer to a record that was not even read."""
    text = f"the record is longer than {LONGEST_BYTES} bytes and was not read: expected one round a line"
    return _encode(ErrorOut(None, refuse(Code.BAD_RECORD, text)))


def key_twice(line: bytes) -> str | None:
    """What is wrong with a line of JSON in which an object has one key twice, if one has."""
    twice: list[str] = []

    def pairs(members: list[tuple[str, object]]) -> None:
        names: set[str] = set()
        for name, _ in members:
            if name in names:
                twice.append(name)
            names.add(name)

    json.loads(line, object_pairs_hook=pairs, parse_int=str, parse_float=str)
    return f"{twice[0]!r} is given twice: expected every key once" if twice else None


def settle_record(record: RecordIn, governing: Governing) -> SlipOut | ErrorOut:
    """Judge the record in the order in which a reader would: edition, layout, cards, amounts, wagers."""
    try:
        rules, note = governing(record.game, record.edition, record.on)
    except ValueError as error:
        return ErrorOut(record.id, refuse(Code.UNKNOWN_EDITION, str(error)))
    layout = rules.layouts.get(record.layout)
    if layout is None:
        return ErrorOut(record.id, settlement.unknown_layout(rules, record.layout))
    coup = _coup(rules, record)
    if isinstance(coup, Refusal):
        return ErrorOut(record.id, coup)
    try:
        wagers = tuple([settlement.Wager(w.bet, _stake(w.stake), w.patron, w.id, w.found) for w in record.wagers])
        insurance = _insurance(record)
        limits = _limits(record.limits)
    except money.MoneyError as error:
        return ErrorOut(record.id, refuse(Code.BAD_AMOUNT, str(error), rules.paragraph("limits.patron-duty")))
    except ValueError as error:
        return ErrorOut(record.id, refuse(Code.BAD_RECORD, str(error), rules.insurance.cite))
    slip = settlement.settle(rules, layout, coup, wagers, insurance, limits)
    if isinstance(slip, Refusal):
        return ErrorOut(record.id, slip)
    return _shown(record, rules, slip, note)


def _coup(rules: Rulebook, record: RecordIn) -> coups.Coup | Refusal:
    decks = rules.procedure.decks_default if record.decks is None else record.decks
    if decks not in rules.procedure.decks:
        allowed = " ".join(str(number) for number in rules.procedure.decks)
        return refuse(Code.BAD_RECORD, f"{decks} decks are not allowed: expected {allowed}", rules.procedure.decks_cite)
    if len(record.player) + len(record.banker) > MOST_CARDS_IN_RECORD:
        return refuse(Code.TABLE_OF_PLAY, "a coup has at most six cards", rules.paragraph("table-of-play"))
    try:
        coup = coups.Coup(tuple([card(text) for text in record.player]), tuple([card(text) for text in record.banker]))
    except CardError as error:
        return refuse(Code.UNKNOWN_CARD, str(error), rules.procedure.decks_cite)
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
    for row in record.insurance:
        if row.after not in set(Moment):
            raise ValueError(f"{row.after!r} is no moment of insurance: expected four-cards or player-third")
        taken.append(settlement.Insured(row.bet, Moment(row.after), _stake(row.stake), row.patron, row.id))
    return tuple(taken)


def _limits(limits: LimitsIn | None) -> settlement.Limits:
    if limits is None:
        return settlement.Limits()
    return settlement.Limits(
        maximum_cents=_limit(limits.maximum),
        maximum_differential_cents=_limit(limits.maximum_differential),
        player_maximum_cents=_limit(limits.player_maximum),
        banker_maximum_cents=_limit(limits.banker_maximum),
    )


def _limit(raw: msgspec.Raw) -> int | None:
    return None if bytes(raw) == b"null" else _stake(raw)


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


def _repeated(line: bytes, record: RecordIn) -> ErrorOut | None:
    """Refuse a record that gives one key twice: which of two stakes was meant is not ours to guess.

    Quick for the usual record: as many keys are written as were read, so none was read twice.
    """
    in_the_time = record.on.count(":") if record.on else 0
    if line.count(b":") - in_the_time == line.count(b'":') == _keys(record) and b"\\" not in line:
        return None
    fault = key_twice(line)
    return None if fault is None else ErrorOut(record.id, refuse(Code.BAD_RECORD, fault))


def _keys(record: RecordIn) -> int:
    """How many keys a record surely has: those without a default, and those that differ from it."""
    optional = (record.id, record.edition, record.on, record.decks)
    count = 4 + len(optional) - optional.count(None)
    if record.limits is not None:
        count += 1 + (record.limits.maximum != _NOTHING) + (record.limits.maximum_differential != _NOTHING)
    for rows, needed in ((record.wagers, 2), (record.insurance, 3)):
        if rows:
            ids, patrons = [row.id for row in rows], [row.patron for row in rows]
            keys = 2 * len(rows) - ids.count(None) - patrons.count(settlement.ONE_PATRON)
            count += 1 + needed * len(rows) + keys
    return count


def _unreadable(line: bytes, error: Exception, governing: Governing) -> ErrorOut:
    """Say what is wrong with a record that has not the shape of one, with its id where that can still be read."""
    if not line.strip():
        return ErrorOut(None, refuse(Code.BAD_RECORD, "the line is empty: expected a JSON object"))
    constants: list[str] = []

    def keep(word: str) -> str:
        constants.append(word)
        return word

    try:
        # Python's reader takes NaN and Infinity, which are no JSON.
        loose = json.loads(line.decode(), parse_constant=keep)
    except (ValueError, RecursionError):
        return ErrorOut(None, refuse(Code.BAD_RECORD, f"the record is no JSON object on one line: {error}"))
    if constants:
        # Judged as if it were text: as a stake it is an amount gone wrong, with the paragraph for that.
        try:
            slip = settle_record(_decode(_encode(loose)), governing)
        except (msgspec.MsgspecError, ValueError):
            slip = None
        if isinstance(slip, ErrorOut):
            return slip
        return ErrorOut(_id(loose), refuse(Code.BAD_RECORD, f"{constants[0]} is no JSON value"))
    return ErrorOut(_id(loose), refuse(Code.BAD_RECORD, str(error)))


def _id(loose: Any) -> str | int | None:
    """The id of a record that could not be read, if it is one that can be written."""
    name = loose.get("id") if isinstance(loose, dict) else None
    if isinstance(name, str):
        return name if name.isascii() or name.encode(errors="replace").decode() == name else None
    return name if isinstance(name, int) else None
