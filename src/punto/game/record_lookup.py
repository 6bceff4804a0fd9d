"""The usual settlement record, wagers without insurance, by lookup: equal to the byte, and more than twice as fast.

Nothing is judged here. What a bet comes to on a coup is asked of the reference when it is first met, and kept as the
text of a line around its id and amounts. Any other record gets None, and `record.settle_in_full` answers it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import msgspec

from punto import money
from punto.cards import SPELLINGS, card
from punto.game import coup as coups
from punto.game.outcome import Outcome, outcome_of
from punto.game.settlement import ONE_PATRON, Verdict, pay_table
from punto.rulebook.model import Rulebook

if TYPE_CHECKING:
    from punto.game.record import Governing

_CARDS: Final = {text: (card.rank, card.points) for text, card in SPELLINGS.items()}
_NO_THIRD: Final = 10
_KEYS: Final = 5
"""Keys that a record must have."""


class _Wager(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    bet: str
    stake: str
    id: str | int | None = None
    patron: str = ONE_PATRON


class _Record(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    game: str
    layout: str
    player: list[str]
    banker: list[str]
    wagers: list[_Wager]
    id: str | int | None = None
    edition: str | None = None
    on: str | None = None


_Cell = tuple[int, int, int, int, int]
"""All that a bet can depend on: points of the first two cards and of the third, for both hands, and the pairs."""

_Line = tuple[str, str, str, str, tuple[int, int]]
"""The result, the text of a line before its stake, from there to what it earned or got back, its end, and its odds."""

_Slip = tuple[str, dict[str, _Line]]
"""How the slip of an outcome begins, and the line of every bet of the edition."""


class _Kept(msgspec.Struct):
    """What is known of a rulebook: the bets of its layouts, and the cells that were met, 8,105 of them at most."""

    offered: dict[str, frozenset[str]]
    slips: dict[_Cell, _Slip]


_decode = msgspec.json.Decoder(_Record).decode
_encode = msgspec.json.Encoder().encode


def look_up(line: bytes, governing: Governing) -> bytes | None:
    """The slip of a usual record; None where it is not usual, or refused."""
    try:
        record = _decode(line)
        rules, note = governing(record.game, record.edition, record.on)
        kept = _kept(rules)
        cell = _cell(record.player, record.banker)
        begin, texts = kept.slips.get(cell) or _first_met(rules, record, cell)
        lines, keys, staked_cents, back_cents = _lines(record.wagers, texts, kept.offered[record.layout])
    except (msgspec.DecodeError, ValueError, LookupError, RecursionError):
        return None
    # A key that is given twice is refused. Every key has a colon: with as many colons as keys were read, none is.
    keys += (record.id is not None) + (record.edition is not None) + (record.on is not None)
    colons = line.count(b":") - (record.on.count(":") if record.on else 0)
    if colons != keys or b"\\" in line:
        return None
    name = f'"{record.id}"' if isinstance(record.id, str) else "null" if record.id is None else record.id
    totals = f'"staked":"{money.amount(staked_cents)}","handed_back":"{money.amount(back_cents)}"'
    more = "" if note is None else f',"note":{_encode(note).decode()}'
    return f'{{"id":{name}{begin}{",".join(lines)}],{totals}{more}}}'.encode()


def _lines(wagers: list[_Wager], texts: dict[str, _Line], offered: frozenset[str]) -> tuple[list[str], int, int, int]:
    """The wagers settled, how many keys they surely had, their stakes and what is handed back.

    A text without a backslash, and an amount with both decimals, are written as they were read. Raises LookupError for
    a bet that is not offered and ValueError for other stakes. One loop, since a call a wager would cost a tenth.
    """
    lines = []
    keys, staked, back = _KEYS + 2 * len(wagers), 0, 0
    for wager in wagers:
        bet, stake, name = wager.bet, wager.stake, wager.id
        if bet not in offered:
            raise LookupError
        result, before, middle, end, odds = texts[bet]
        whole, _, part = stake.partition(".")
        digits = whole + part
        if len(part) != 2 or whole[0] == "0" or not digits.isdecimal() or not digits.isascii() or len(whole) > 13:
            raise ValueError
        cents = int(digits)
        staked += cents
        if name is None:
            name = "null"
        else:
            keys += 1
            if isinstance(name, str):
                name = f'"{name}"'
        keys += wager.patron != ONE_PATRON
        if result == "lost":
            lines.append(f'{{"id":{name}{before}{stake}{end}')
        elif result == "returned":
            back += cents
            lines.append(f'{{"id":{name}{before}{stake}{middle}{stake}{end}')
        else:
            won = money.round_cents(cents * odds[0], odds[1])
            back += cents + won
            amounts = f'{money.amount(won)}","handed_back":"{money.amount(cents + won)}'
            lines.append(f'{{"id":{name}{before}{stake}{middle}{amounts}{end}')
    return lines, keys, staked, back


def _cell(player: list[str], banker: list[str]) -> _Cell:
    """Raises LookupError for what is no card, and for a hand of fewer than two or more than three."""
    (a, a_points), (b, b_points) = _CARDS[player[0]], _CARDS[player[1]]
    (c, c_points), (d, d_points) = _CARDS[banker[0]], _CARDS[banker[1]]
    player_third = _CARDS[player[2]][1] if len(player) > 2 else _NO_THIRD
    banker_third = _CARDS[banker[2]][1] if len(banker) > 2 else _NO_THIRD
    if len(player) > 3 or len(banker) > 3:
        raise LookupError
    pairs = (a == b) + 2 * (c == d) + 4 * (a == b == c == d)
    return (a_points + b_points) % 10, player_third, (c_points + d_points) % 10, banker_third, pairs


@lru_cache(maxsize=64)
def _kept(rules: Rulebook) -> _Kept:
    assert rules.procedure.decks_default >= coups.MOST_CARDS, "six equal cards are not too many of one"
    return _Kept({name: frozenset(layout.bets) for name, layout in rules.layouts.items()}, {})


def _first_met(rules: Rulebook, record: _Record, cell: _Cell) -> _Slip:
    """Ask the reference, and keep its answer. Raises LookupError for a coup that the Table of Play forbids."""
    coup = coups.Coup(tuple(map(card, record.player)), tuple(map(card, record.banker)))
    if coups.wrong(rules, coup) is not None:
        raise LookupError
    slip = _slip(rules, outcome_of(coup), coup.winner)
    _kept(rules).slips[cell] = slip
    return slip


@lru_cache(maxsize=8192)
def _slip(rules: Rulebook, outcome: Outcome, winner: str) -> _Slip:
    source, points = rules.source, f'"player_points":{outcome.player_points},"banker_points":{outcome.banker_points}'
    begin = f',"game":"{source.game}","edition":"{source.edition}","winner":"{winner}",{points},"lines":['
    return begin, {bet: _line(bet, verdict) for bet, verdict in pay_table(rules)[outcome].items()}


@lru_cache(maxsize=4096)
def _line(bet: str, verdict: Verdict) -> _Line:
    before = f',"bet":"{bet}","result":"{verdict.result}","stake":"'
    end = f'","paragraph":"{verdict.paragraph}"}}'
    if verdict.odds is not None:
        return verdict.result, before, f'","odds":"{verdict.odds}","winnings":"', end, verdict.odds.as_integer_ratio()
    middle = '","odds":null,"winnings":"0.00","handed_back":"'
    if verdict.result == "lost":
        middle, end = "", f"{middle}0.00{end}"
    return verdict.result, before, middle, end, (0, 1)
