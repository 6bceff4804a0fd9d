"""Exports for auditors and pit managers: rounds and the ledger as CSV or Parquet, in bounded memory."""

from __future__ import annotations

import asyncio
import csv
import io
import tempfile
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, get
from litestar.response import Stream

from punto.codes import Code
from punto.house import logs
from punto.house.history import recorded
from punto.house.history.export import LEDGER, ROUNDS, Rows, Span, all_rounds, judged_rounds, ledger
from punto.house.people.names import Role
from punto.house.people.permissions import MANAGER
from punto.house.table.governing import named
from punto.house.web import strict
from punto.house.web.described import doc
from punto.house.web.orders import is_table_id
from punto.house.web.problems import Stop, not_found
from punto.house.web.rooms import need, rooms
from punto.rulebook import in_force
from punto.rulebook.check import RuleError

Asked = Request[Any, Any, Any]
EXPORTS: Final = frozenset(
    {("recorded", "parquet"), *((what, kind) for what in ("rounds", "ledger") for kind in ("csv", "parquet"))}
)


class ExportQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from", "until": "to"}):
    """`from` and `to` are instants, or dates: the day begins at 08:00 +08:00 (E5). `to` itself is not in it. `edition`
    is for recorded.parquet."""

    table: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    edition: Annotated[str, msgspec.Meta(max_length=100)] | None = None
    since: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    until: Annotated[str, msgspec.Meta(max_length=40)] | None = None


@get(
    "/api/exports/{export:str}",
    opt=doc(
        topic="exports",
        says="rounds.csv, rounds.parquet, ledger.csv or ledger.parquet; recorded.parquet for punto audit-rounds",
        answer=bytes,
        media="text/csv",
        query=ExportQuery,
        session=True,
        problems=(403, 404, 406),
        also=("application/vnd.apache.parquet",),
    ),
)
async def exported(request: Asked, export: str) -> Response[Any]:
    found = need(request, MANAGER | {Role.AUDITOR})
    what, _, kind = export.partition(".")
    if (what, kind) not in EXPORTS:
        raise not_found("export")
    here = rooms(request)
    asked = strict.query(request.query_params.multi_items(), ExportQuery)
    if asked.table is not None and (not is_table_id(asked.table) or asked.table not in here.directory.known):
        raise not_found("table")
    tables = (asked.table,) if asked.table is not None else tuple(here.directory.known)
    span = Span(tables, _instant(asked.since, 0), _instant(asked.until, 2**62))
    edition = _edition(what, asked.edition)
    logs.say("export", person=found.name, export=export, table=asked.table)
    headers = {"content-disposition": f'attachment; filename="{export}"'}
    if edition is not None:
        rows = judged_rounds(here.store, span, edition)
        body = await _parquet(recorded.RECORDED, rows, lambda pa: recorded.schema(pa, edition))
        return Stream(body, media_type="application/vnd.apache.parquet", headers=headers)
    if what == "rounds":
        head, rows = ROUNDS, all_rounds(here.store, span)
    else:
        head, rows = LEDGER, ledger(here.store, span, asked.table)
    if kind == "csv":
        return Stream(_csv(head, rows), media_type="text/csv", headers=headers)
    body = await _parquet(head, rows)
    return Stream(body, media_type="application/vnd.apache.parquet", headers=headers)


def _edition(what: str, given: str | None) -> str | None:
    """Rounds that are judged together were played by the same rules."""
    if (what == "recorded") != (given is not None):
        raise Stop(
            400, Code.BAD_QUERY, "recorded.parquet needs an `edition`, such as game/edition, and it alone has one"
        )
    try:
        return None if given is None else named(given).source.id
    except ValueError:
        raise not_found("edition") from None


def _instant(text: str | None, otherwise: int) -> int:
    if text is None:
        return otherwise
    try:
        return round(in_force.instant(text).timestamp() * 1_000_000)
    except (RuleError, ValueError, OverflowError):
        raise Stop(400, Code.BAD_QUERY, "expected a date, or an instant such as 2025-06-01T08:00:00+08:00") from None


async def _csv(head: tuple[str, ...], rows: Rows) -> AsyncIterator[bytes]:
    yield (",".join(head) + "\r\n").encode()
    async for page in rows:
        text = io.StringIO()
        csv.writer(text).writerows(page)
        yield text.getvalue().encode()


async def _parquet(
    head: tuple[str, ...], rows: Rows, shaped: Callable[[Any], Any] | None = None
) -> AsyncIterator[bytes]:
    """Written to a file that lies on disk once it is large, then sent. `shaped`: a schema other than the plain one."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise Stop(406, Code.NOT_INSTALLED, "Parquet needs pyarrow: install punto[reports], or take the CSV") from None
    whole = {"round", "hand", "player_points", "banker_points", "wagers", "version", "n"}
    plain = pa.schema([(name, pa.int64() if name in whole else pa.string()) for name in head])
    schema = plain if shaped is None else shaped(pa)
    file = tempfile.SpooledTemporaryFile(max_size=8 << 20)  # noqa: SIM115 (closed where it has been sent)

    def written(page: list[tuple[Any, ...]]) -> None:
        columns = list(zip(*page, strict=True))
        writer.write_table(
            pa.table([pa.array(one, kind.type) for one, kind in zip(columns, schema, strict=True)], schema=schema)
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
