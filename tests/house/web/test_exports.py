"""Exports over HTTP: who may have them, and which parameters they take."""

from __future__ import annotations

import io

import pyarrow.parquet as pq

from tests.house.table.playing import TIGER
from tests.house.web.running import Server, staff


def test_what_is_recorded_is_of_one_edition(server: Server) -> None:
    with staff(server, "auditor") as auditor, staff(server, "dealer") as dealer:
        expected = {
            f"recorded.parquet?edition={TIGER}": 200,
            "recorded.parquet": 400,
            "recorded.parquet?edition=tiger-buffalo-commission/1999-01-01": 404,
            "recorded.parquet?edition=tiger-buffalo-commission": 404,
            f"recorded.csv?edition={TIGER}": 404,
            f"ledger.csv?edition={TIGER}": 400,
        }
        assert {what: auditor.get(f"/api/exports/{what}").status_code for what in expected} == expected
        assert dealer.get(f"/api/exports/recorded.parquet?edition={TIGER}").status_code == 403
        schema = pq.read_schema(io.BytesIO(auditor.get(f"/api/exports/recorded.parquet?edition={TIGER}").content))
        assert schema.metadata[b"punto.edition"].decode() == TIGER
