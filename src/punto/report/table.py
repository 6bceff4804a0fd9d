"""A report as one table with a fact per line: as CSV, or as Parquet with exact integers as decimals."""

from __future__ import annotations

import csv
import re
from decimal import Decimal
from io import BytesIO, StringIO
from typing import Any, Final

from punto.report.compare import Comparison
from punto.report.facts import Fact, facts
from punto.report.records import Report

COLUMNS: Final = tuple(Fact.__struct_fields__)
INTEGER: Final = re.compile(r"-?[0-9]{1,38}", re.ASCII)
"""An integer that fits into a decimal of 38 digits."""


def csv_table(content: Report | Comparison) -> bytes:
    """The table as CSV: UTF-8, a heading, a line feed after each line. Floats read back as the same value."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for fact in facts(content):
        cells = (getattr(fact, name) for name in COLUMNS)
        writer.writerow(["" if cell is None else repr(cell) if isinstance(cell, float) else cell for cell in cells])
    return out.getvalue().encode()


def parquet_table(content: Report | Comparison) -> bytes:
    """The table as Parquet: the same columns, and `integer` as decimal128(38, 0) if a figure is an integer."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = list(facts(content))
    kinds: dict[str, Any] = dict.fromkeys(COLUMNS, pa.string())
    kinds |= {"player_points": pa.int8(), "banker_points": pa.int8(), "value": pa.float64()}
    arrays = {name: pa.array([getattr(fact, name) for fact in rows], kind) for name, kind in kinds.items()}
    wholes = [_whole(fact) for fact in rows]
    arrays["integer"] = pa.array(wholes, pa.decimal128(38, 0))
    made = BytesIO()
    pq.write_table(pa.table(arrays), made, compression="zstd")
    return made.getvalue()


def _whole(fact: Fact) -> Decimal | None:
    """The exact integer of a fact; None if it is no number. A layout or an edition may look like a number."""
    return Decimal(fact.exact) if fact.value is not None and INTEGER.fullmatch(fact.exact) else None
