"""Columns of recorded rounds: the type that each must have, and its values as arrays (docs/audit-rounds.md)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from punto.cards import DECK, CardError, card
from punto.sim.audit.kernel import NO_AMOUNT, NO_CARD, UNKNOWN, look_up

CARDS: Final = ("player_1", "player_2", "player_3", "banker_1", "banker_2", "banker_3")
ROUND_COLUMNS: Final = ("round", "layout", *CARDS, "wagers")
MOST_NAMES: Final = 1 << 16
"""Most different texts in a column of bets, cards, moments or layouts. With more, it can't be such a column."""

Codes = npt.NDArray[np.uint8]
Cents = npt.NDArray[np.int64]


class BadFile(ValueError):
    """A file that does not hold recorded rounds. The message says why in a sentence."""


def check(path: Path, schema: Any) -> dict[str, bool]:
    """Amount → whether it is in whole cents (else a decimal). Raises BadFile for the first column of a wrong type."""
    import pyarrow as pa

    missing = [name for name in ROUND_COLUMNS if name not in schema.names]
    if missing:
        raise BadFile(f"{path} has no column {missing[0]!r}: expected {', '.join(ROUND_COLUMNS)}")
    if not (is_text(schema.field("round").type) or pa.types.is_integer(schema.field("round").type)):
        raise BadFile(f"{path}: column round is {schema.field('round').type}: expected text or an integer")
    for name in CARDS:
        kind = schema.field(name).type
        undrawn = name.endswith("_3") and pa.types.is_null(kind)
        if not (is_text(kind) or kind == pa.uint8() or undrawn):
            raise BadFile(f"{path}: column {name} is {kind}: expected text such as 9H, or uint8, a place in the deck")
    if not is_text(schema.field("layout").type):
        raise BadFile(f"{path}: column layout is {schema.field('layout').type}: expected text such as C")
    kind = schema.field("wagers").type
    if not (pa.types.is_list(kind) or pa.types.is_large_list(kind)) or not pa.types.is_struct(kind.value_type):
        raise BadFile(f"{path}: column wagers is {kind}: expected a list of structs")
    fields = {field.name: field.type for field in kind.value_type}
    for name in ("bet", "after"):
        kind = fields.get(name, pa.null())
        if not (is_text(kind) or (name == "after" and pa.types.is_null(kind))):
            raise BadFile(f"{path}: a wager's {name} is {fields.get(name, 'missing')}: expected text")
    patron = fields.get("patron", pa.null())
    if not (is_text(patron) or pa.types.is_integer(patron) or pa.types.is_null(patron)):
        raise BadFile(f"{path}: a wager's patron is {fields['patron']}: expected text or an integer")
    cents = {}
    for name in ("stake", "handed_back"):
        whole, decimal = fields.get(f"{name}_cents"), fields.get(name)
        cents[name] = whole is not None
        right = pa.types.is_integer(whole) if whole is not None else decimal is not None and _decimal(decimal)
        if not right:
            raise BadFile(
                f"{path}: a wager's {name} is {whole or decimal or 'missing'}: "
                f"expected {name}_cents as an integer, or {name} as a decimal of at most 18 digits, 2 of them cents"
            )
    return cents


def is_text(kind: Any) -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _decimal(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_decimal(kind)) and kind.scale == 2 and kind.precision <= 18


def codes(column: Any, read: Callable[[str], int], absent: int) -> Codes:
    """Texts as small integers; null as `absent`."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    if len(column.dictionary) > MOST_NAMES:
        names = ", ".join(column.dictionary[:3].to_pylist())
        raise BadFile(
            f"more than {MOST_NAMES} different values in one column ({names} …): "
            "expected bets, cards, moments or layouts"
        )
    known = [absent if name is None else read(name) for name in column.dictionary.to_pylist()]
    places: Codes = np.array([*known, absent], np.uint8)
    codes_of_rows: Codes = np.empty(len(column), np.uint8)
    look_up(*_stored(column.indices), places, codes_of_rows)
    return codes_of_rows


def card_codes(column: Any) -> Codes:
    """Cards as indices in the deck; NO_CARD for null, UNKNOWN for a value that is not a card."""
    import pyarrow as pa

    if not pa.types.is_integer(column.type):
        return codes(column, _card, NO_CARD)
    places = _filled(column, UNKNOWN)
    codes_of_rows: Codes = np.where(places < len(DECK), places, UNKNOWN).astype(np.uint8)
    if column.null_count:
        codes_of_rows[column.is_null().to_numpy(zero_copy_only=False)] = NO_CARD
    return codes_of_rows


def cents(column: Any) -> Cents:
    """Amounts as whole cents. Arrow stores a decimal of two places as its number of cents, in 128 bits."""
    import pyarrow as pa

    if pa.types.is_decimal(column.type):
        column = column.cast(pa.decimal128(column.type.precision, 2))
        low: Cents = np.frombuffer(column.buffers()[1], np.int64)[::2][column.offset : column.offset + len(column)]
        if column.null_count:
            low = np.where(column.is_null().to_numpy(zero_copy_only=False), NO_AMOUNT, low)
        return np.ascontiguousarray(low)
    return np.ascontiguousarray(_filled(column, NO_AMOUNT), dtype=np.int64)


def patrons(column: Any) -> npt.NDArray[np.int32]:
    """A number for each patron, the same throughout this batch. All null values count as one further patron."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    return _filled(column.indices, -1).astype(np.int32, copy=False)


def _stored(indices: Any) -> tuple[npt.NDArray[np.uint32], Codes, int]:
    """Indices as Arrow stores them, the validity bits (empty if no index is null), and the bit offset of the first."""
    import pyarrow as pa

    bits, values = indices.cast(pa.int32()).buffers()
    numbers = np.frombuffer(values, np.uint32)[indices.offset : indices.offset + len(indices)]
    return numbers, np.frombuffer(bits if indices.null_count else b"", np.uint8), indices.offset


def _filled(column: Any, absent: int) -> npt.NDArray[Any]:
    """Integers with `absent` instead of null."""
    import pyarrow as pa

    if not column.null_count:
        values: npt.NDArray[Any] = column.to_numpy()
        return values
    wide = column.cast(pa.int64()) if absent < 0 or column.type.bit_width == 8 else column
    filled: npt.NDArray[Any] = wide.fill_null(absent).to_numpy()
    return filled


def _card(text: str) -> int:
    try:
        return _PLACE[card(text)]
    except CardError:
        return UNKNOWN


_PLACE: Final = {card: at for at, card in enumerate(DECK)}
