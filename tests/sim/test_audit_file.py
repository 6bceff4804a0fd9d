"""Every shape in which a casino may write its rounds is read alike; what is no such file is refused in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from punto.cards import DECK, card
from punto.sim.audit import file as audit_file
from punto.sim.audit import kernel
from punto.sim.audit.columns import CARDS, BadFile
from punto.sim.audit.rounds import Audit, audit
from tests.properties.rounds import Edition, book
from tests.sim.recorded import SCHEMA, WAGER, records, row, write

TIGER: Edition = ("tiger-buffalo-commission", "2025-11-21")
ROWS = [row(record) for record in records(TIGER, 300, seed=3)]
TABLE = pa.Table.from_pylist(ROWS, schema=SCHEMA)


@pytest.fixture(scope="module")
def plainly(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    result = audit(write(tmp_path_factory.mktemp("audit") / "rounds.parquet", ROWS), book(TIGER))
    assert result.findings
    return result


def with_wagers(kind: pa.DataType, rows: Callable[[dict[str, Any]], dict[str, Any]]) -> pa.Table:
    """The table with wagers of another type."""
    wagers = [[rows(wager) for wager in line["wagers"]] for line in ROWS]
    at = TABLE.schema.get_field_index("wagers")
    return TABLE.set_column(at, pa.field("wagers", kind), pa.array(wagers, kind))


def decimals() -> pa.Table:
    amount = pa.decimal128(18, 2)
    kind = pa.list_(
        pa.struct(
            {"bet": pa.string(), "stake": amount, "handed_back": amount, "patron": pa.string(), "after": pa.string()}
        )
    )
    names = {"stake_cents": "stake", "handed_back_cents": "handed_back"}

    def changed(wager: dict[str, Any]) -> dict[str, Any]:
        return {names.get(key, key): _decimal(value) if key in names else value for key, value in wager.items()}

    return with_wagers(kind, changed)


def _decimal(cents: int) -> Any:
    return pa.scalar(cents, pa.int64()).cast(pa.decimal128(19, 0)).as_py().scaleb(-2)


def dictionaries() -> pa.Table:
    text = pa.dictionary(pa.int8(), pa.string())
    fields = [pa.field(field.name, text if field.type == pa.string() else field.type) for field in WAGER]
    table = TABLE.set_column(1, "layout", TABLE.column("layout").dictionary_encode())
    for name in CARDS:
        at = table.schema.get_field_index(name)
        table = table.set_column(at, name, table.column(name).dictionary_encode())
    at = table.schema.get_field_index("wagers")
    wagers = TABLE.column("wagers").combine_chunks()
    values = [wagers.values.field(field.name).cast(field.type) for field in fields]
    struct = pa.StructArray.from_arrays(values, fields=fields)
    return table.set_column(at, "wagers", pa.ListArray.from_arrays(wagers.offsets, struct))


def codes() -> pa.Table:
    """Cards as places in the deck."""
    table = TABLE
    for name in CARDS:
        at = table.schema.get_field_index(name)
        places = [None if text is None else DECK.index(card(text)) for text in TABLE.column(name).to_pylist()]
        table = table.set_column(at, name, pa.array(places, pa.uint8()))
    return table


@pytest.mark.parametrize(
    "made",
    [
        decimals,
        dictionaries,
        codes,
        lambda: with_wagers(pa.large_list(WAGER), dict),
        lambda: TABLE.append_column("table", pa.array([7] * len(ROWS))),
        lambda: TABLE.set_column(0, "round", TABLE.column("round").cast(pa.large_string())),
    ],
    ids=["decimals", "dictionaries", "codes", "large-lists", "another-column", "large-strings"],
)
@pytest.mark.parametrize("group", [50, 1_000])
def test_every_shape_is_read_alike(made: Callable[[], pa.Table], group: int, plainly: Audit, tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    pq.write_table(made(), path, row_group_size=group)
    assert audit(path, book(TIGER)) == plainly
    assert len(kernel.judge.signatures) == 1, "compiled again for another shape"


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("group", [1, 7, 1_000])
def test_workers_and_row_groups_change_nothing(workers: int, group: int, plainly: Audit, tmp_path: Path) -> None:
    path = write(tmp_path / "rounds.parquet", ROWS, group=group)
    assert audit(path, book(TIGER), workers=workers) == plainly


def test_a_large_row_group_is_read_batch_by_batch(
    plainly: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_file, "WHOLE_BYTES", 0)
    monkeypatch.setattr(audit_file, "ROWS", 16)
    assert audit(write(tmp_path / "rounds.parquet", ROWS), book(TIGER)) == plainly


def test_names_of_rounds_are_read_where_something_was_found(tmp_path: Path) -> None:
    opened = audit_file.RecordedRounds(write(tmp_path / "rounds.parquet", ROWS, group=100))
    (batch,) = opened.batches(1, (), ())
    assert "round" not in batch.raw.schema.names
    named = opened.with_names(1, batch)
    assert named.raw.column("round").to_pylist() == [line["round"] for line in ROWS[100:200]]
    assert opened.with_names(1, named) is named


def test_patron_and_moment_may_be_missing(tmp_path: Path) -> None:
    kind = pa.list_(pa.struct({"bet": pa.string(), "stake_cents": pa.int32(), "handed_back_cents": pa.int64()}))
    names = ("bet", "stake_cents", "handed_back_cents")
    plain_rows = [line for line in ROWS if not any(wager["after"] for wager in line["wagers"])]
    wagers = [[{name: wager[name] for name in names} for wager in line["wagers"]] for line in plain_rows]
    table = pa.Table.from_pylist(plain_rows, schema=SCHEMA).drop_columns("wagers")
    path = tmp_path / "rounds.parquet"
    pq.write_table(table.append_column("wagers", pa.array(wagers, kind)), path)
    left = audit(path, book(TIGER))
    assert left.rounds == len(plain_rows)
    assert set(left.faults) == {"table-of-play", "bet-not-on-layout", "unknown-bet", "wrong-payment"}
    assert all(finding.patron is None for finding in left.findings)


def test_no_wagers_and_no_rounds(tmp_path: Path) -> None:
    bare = [{**ROWS[0], "wagers": None}, {**ROWS[0], "wagers": []}, {**ROWS[0], "wagers": [None]}]
    result = audit(write(tmp_path / "bare.parquet", bare), book(TIGER))
    assert (result.rounds, result.wagers) == (3, 1)
    assert set(result.faults) == {"bad-amount"}
    nothing = audit(write(tmp_path / "none.parquet", []), book(TIGER))
    assert (nothing.rounds, nothing.faultless) == (0, True)


def without(name: str) -> pa.Table:
    return TABLE.drop_columns(name)


def retyped(name: str, kind: pa.DataType) -> pa.Table:
    at = TABLE.schema.get_field_index(name)
    return TABLE.set_column(at, name, pa.array([None] * len(ROWS), kind))


def wagers_of(**fields: pa.DataType) -> pa.Table:
    return retyped("wagers", pa.list_(pa.struct(fields)))


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (lambda: without("round"), "has no column 'round'"),
        (lambda: without("wagers"), "has no column 'wagers'"),
        (lambda: without("banker_3"), "has no column 'banker_3'"),
        (lambda: retyped("round", pa.float64()), "column round is double"),
        (lambda: retyped("player_1", pa.int64()), "column player_1 is int64: expected text such as 9H"),
        (lambda: retyped("layout", pa.int8()), "column layout is int8"),
        (lambda: retyped("wagers", pa.string()), "column wagers is string: expected a list of structs"),
        (lambda: wagers_of(stake_cents=pa.int64()), "a wager's bet is missing"),
        (lambda: wagers_of(bet=pa.int8()), "a wager's bet is int8"),
        (lambda: wagers_of(bet=pa.string()), "a wager's stake is missing"),
        (lambda: wagers_of(bet=pa.string(), stake=pa.float64()), "a wager's stake is double"),
        (lambda: wagers_of(bet=pa.string(), stake_cents=pa.int64()), "a wager's handed_back is missing"),
        (lambda: wagers_of(bet=pa.string(), stake_cents=pa.int64(), handed_back=pa.decimal128(18, 3)), "decimal128"),
        (lambda: wagers_of(bet=pa.string(), patron=pa.float32()), "a wager's patron is float"),
    ],
)
def test_columns_that_are_not_as_they_must_be(made: Callable[[], pa.Table], sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    pq.write_table(made(), path)
    with pytest.raises(BadFile) as refused:
        audit(path, book(TIGER))
    assert sentence in str(refused.value)


def test_files_that_are_no_parquet(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="No such file"):
        audit(tmp_path / "none.parquet", book(TIGER))
    for content in (b"", b"round,layout\n", b"PAR1" * 4):
        path = tmp_path / "text.parquet"
        path.write_bytes(content)
        with pytest.raises(BadFile, match=r"text\.parquet is no whole Parquet file"):
            audit(path, book(TIGER))
    with pytest.raises(BadFile):
        audit(tmp_path, book(TIGER))


def test_a_truncated_file(tmp_path: Path) -> None:
    whole = write(tmp_path / "rounds.parquet", ROWS).read_bytes()
    (tmp_path / "half.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadFile, match="no whole Parquet file"):
        audit(tmp_path / "half.parquet", book(TIGER))


def test_a_file_damaged_inside(tmp_path: Path) -> None:
    """The footer is whole, the pages are not: a sentence names the row group."""
    damaged = bytearray(write(tmp_path / "rounds.parquet", ROWS).read_bytes())
    damaged[4:400] = bytes(396)
    path = tmp_path / "damaged.parquet"
    path.write_bytes(damaged)
    with pytest.raises(BadFile, match="row group 0 can't be read"):
        audit(path, book(TIGER))


def test_too_many_wagers_in_a_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_file, "MOST_WAGERS", 2)
    with pytest.raises(BadFile, match=r"wagers: expected at most 2"):
        audit(write(tmp_path / "rounds.parquet", ROWS), book(TIGER))


def test_names_that_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.sim.audit.columns.MOST_NAMES", 4)
    with pytest.raises(BadFile, match="more than 4 different values in one column"):
        audit(write(tmp_path / "rounds.parquet", ROWS), book(TIGER))
