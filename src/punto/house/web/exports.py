"""Exports for auditors and pit managers: rounds and the ledger as CSV or Parquet, in bounded memory."""

from __future__ import annotations

import asyncio
import csv
import io
import tempfile
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, get
from litestar.response import Stream

from punto.codes import Code
from punto.house import logs
from punto.house.history import recorded_rounds
from punto.house.history.export import LEDGER, ROUNDS, Rows, Span, all_rounds, judged_rounds, ledger
from punto.house.store.names import MANAGER, Role
from punto.house.table.governing_edition import named
from punto.house.web import http
from punto.house.web.caller import need
from punto.house.web.command_requests import is_table_id
from punto.house.web.http import HttpRequest
from punto.house.web.openapi import doc
from punto.house.web.parts import parts
from punto.house.web.problems import Stop, not_found

EXPORTS: Final = frozenset(
    {("recorded", "parquet"), *((what, kind) for what in ("rounds", "ledger") for kind in ("csv", "parquet"))}
)


class ExportQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from", "until": "to"}):
    """`from` and `to` are instants, or dates: the day begins at 08:00 +08:00 (E5). `to` itself is excluded. `edition`
    is for recorded.parquet."""

    table: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    edition: Annotated[str, msgspec.Meta(max_length=100)] | None = None
    since: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    until: Annotated[str, msgspec.Meta(max_length=40)] | None = None


@get(
    "/api/exports/{export:str}",
    opt=doc(
        "exports",
        "rounds.csv, rounds.parquet, ledger.csv or ledger.parquet; recorded.parquet for punto audit-rounds",
        answer=bytes,
        media="text/csv",
        query=ExportQuery,
        session=True,
        problems=(406,),
        also=("application/vnd.apache.parquet",),
    ),
)
async def exported(request: HttpRequest, export: str) -> Response[Any]:
    user = need(request, MANAGER | {Role.AUDITOR})
    what, _, kind = export.partition(".")
    if (what, kind) not in EXPORTS:
        raise not_found("export")
    here = parts(request)
    query = http.query(request, ExportQuery)
    if query.table is not None and (not is_table_id(query.table) or query.table not in here.directory.known):
        raise not_found("table")
    tables = (query.table,) if query.table is not None else tuple(here.directory.known)
    span = Span(tables, http.instant(query.since, 0), http.instant(query.until, 2**62))
    edition = _edition(what, query.edition)
    logs.say("export", person=user.name, export=export, table=query.table)
    headers = {"content-disposition": f'attachment; filename="{export}"'}
    if edition is not None:
        head, rows = recorded_rounds.RECORDED, judged_rounds(here.store, span, edition)
    elif what == "rounds":
        head, rows = ROUNDS, all_rounds(here.store, span)
    else:
        head, rows = LEDGER, ledger(here.store, span, query.table)
    if kind == "csv":
        return Stream(_csv(head, rows), media_type="text/csv", headers=headers)
    body = await _parquet(head, rows, edition)
    return Stream(body, media_type="application/vnd.apache.parquet", headers=headers)


def _edition(what: str, edition: str | None) -> str | None:
    """Rounds that are judged together must have the same edition."""
    if (what == "recorded") != (edition is not None):
        needed, extra = "recorded.parquet needs an `edition` (game/edition)", "only recorded.parquet takes an `edition`"
        raise Stop(400, Code.BAD_QUERY, needed if edition is None else extra)
    try:
        return None if edition is None else named(edition).source.id
    except ValueError:
        raise not_found("edition") from None


async def _csv(head: tuple[str, ...], rows: Rows) -> AsyncIterator[bytes]:
    yield (",".join(head) + "\r\n").encode()
    async for page in rows:
        text = io.StringIO()
        csv.writer(text).writerows(page)
        yield text.getvalue().encode()


async def _parquet(head: tuple[str, ...], rows: Rows, edition: str | None) -> AsyncIterator[bytes]:
    """Write a temporary file, on disk once large, and stream it. `edition`: recorded rounds, by their schema."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise Stop(406, Code.NOT_INSTALLED, "Parquet needs pyarrow: install punto[reports], or take the CSV") from None
    whole = {"round", "hand", "player_points", "banker_points", "wagers", "version", "n"}
    plain = pa.schema([(name, pa.int64() if name in whole else pa.string()) for name in head])
    schema = plain if edition is None else recorded_rounds.schema(pa, edition)
    file = tempfile.SpooledTemporaryFile(max_size=8 << 20)  # noqa: SIM115 (`_sent` closes it)

    def written(page: list[tuple[Any, ...]]) -> None:
        columns = list(zip(*page, strict=True))
        writer.write_table(
            pa.table([pa.array(column, kind.type) for column, kind in zip(columns, schema, strict=True)], schema=schema)
        )

    with pq.ParquetWriter(file, schema) as writer:
        async for page in rows:
            await asyncio.to_thread(written, page)
    file.seek(0)
    return _sent(file.read, file.close)


async def _sent(read: Callable[[int], bytes], close: Callable[[], None]) -> AsyncIterator[bytes]:
    try:
        while chunk := read(1 << 18):
            yield chunk
    finally:
        close()
