"""Exports for auditors and pit managers: rounds and the ledger as CSV or Parquet, in bounded memory."""

from __future__ import annotations

import asyncio
import csv
import io
import tempfile
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Final

import msgspec
import sqlalchemy as sa
from litestar import Request, Response, get
from litestar.response import Stream

from punto.codes import Code
from punto.game.audience import Audience
from punto.house import logs
from punto.house.clock import iso
from punto.house.governing import named
from punto.house.people.names import Role
from punto.house.permissions import MANAGER
from punto.house.schema import events, transfers
from punto.house.store import Store
from punto.house.web import reading, recall, recorded, strict
from punto.house.web.described import doc
from punto.house.web.orders import is_table_id
from punto.house.web.problems import Stop, not_found
from punto.house.web.recall import Dated, Whole
from punto.house.web.rooms import need, rooms
from punto.money import amount
from punto.rulebook import in_force
from punto.rulebook.check import RuleError

Asked = Request[Any, Any, Any]
PAGE: Final = 2_000
ROUNDS: Final = (
    *("table", "round", "hand", "edition", "at", "ended_at", "state", "winner", "player_points", "banker_points"),
    *("cards", "wagers", "staked", "handed_back", "net", "paid"),
)
EXPORTS: Final = frozenset(
    {("recorded", "parquet"), *((what, kind) for what in ("rounds", "ledger") for kind in ("csv", "parquet"))}
)
LEDGER: Final = ("stream", "version", "n", "at", "actor", "giver", "taker", "amount")
Rows = AsyncIterator[list[tuple[Any, ...]]]


class ExportQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from", "until": "to"}):
    """`from` and `to` are instants, or dates: the day begins at 08:00 +08:00 (E5). `to` itself is not in it. `edition`
    is for recorded.parquet."""

    table: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    edition: Annotated[str, msgspec.Meta(max_length=100)] | None = None
    since: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    until: Annotated[str, msgspec.Meta(max_length=40)] | None = None


class Span(msgspec.Struct, frozen=True):
    tables: tuple[str, ...]
    since: int
    until: int


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
        rows = _recorded(here.store, span, edition)
        body = await _parquet(recorded.RECORDED, rows, lambda pa: recorded.schema(pa, edition))
        return Stream(body, media_type="application/vnd.apache.parquet", headers=headers)
    rows = _rounds(here.store, span) if what == "rounds" else _ledger(here.store, span, asked.table)
    head = ROUNDS if what == "rounds" else LEDGER
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


async def _rounds(store: Store, span: Span) -> Rows:
    """One row for each round, table by table."""
    async for page in _wholes(store, span):
        yield [_told(one) for one in page]


async def _recorded(store: Store, span: Span, edition: str) -> Rows:
    """The rounds of an edition that the rules alone settled."""
    layouts = {table: await recorded.layout(store, table) for table in span.tables}
    async for page in _wholes(store, span):
        found = [recorded.row(one, layouts[one.table]) for one in page if one.edition == edition]
        if rows := [row for row in found if row is not None]:
            yield rows


async def _wholes(store: Store, span: Span) -> AsyncIterator[list[Whole]]:
    """Rounds table by table, a page of events at a time."""
    for table in span.tables:
        held: list[Dated] = []
        later = await reading.corrections(store, table, 0)
        after = 0
        while True:
            page = await reading.between(store, table, after, after + PAGE)
            told: list[Whole] = []
            for row in page:
                if row[2].__struct_config__.tag == "betting-opened":
                    told += _whole(table, held, later, span)
                    held = []
                held.append(row)
            if told:
                yield told
            if len(page) < PAGE:
                break
            after = page[-1][0]
        rest = _whole(table, held, later, span)
        if rest:
            yield rest


def _whole(table: str, held: list[Dated], later: list[Dated], span: Span) -> list[Whole]:
    """A round as it was put right by now: the ledger has every step."""
    if not held or not span.since <= held[0][1] < span.until:
        return []
    one = recall.recalled(table, None, held, Audience.PIT, None)
    if one is None:
        return []
    recall.corrected(one, [row for row in later if row[0] > held[-1][0]], Audience.PIT, None)
    return [one]


def _told(one: Whole) -> tuple[Any, ...]:
    staked = sum(line.stake_cents for line in one.lines)
    back = sum(line.handed_back_cents for line in one.lines)
    cards = " ".join(f"{place}={card or '?'}" for place, card in one.cards.items())
    facts = (one.table, one.round, one.hand, one.edition, one.at, one.ended_at, one.state, one.winner)
    points = (one.player_points, one.banker_points)
    paid = recall.paid_cents(one)
    money = (amount(staked), amount(back), amount(back - staked + paid), amount(paid))
    return (*facts, *points, cards, len(one.lines), *money)


async def _ledger(store: Store, span: Span, table: str | None) -> Rows:
    """Every transfer with who caused it, by stream and version."""
    last = ("", 0, 0)
    joined = transfers.join(
        events, sa.and_(events.c.stream == transfers.c.stream, events.c.version == transfers.c.version)
    )
    key = sa.tuple_(transfers.c.stream, transfers.c.version, transfers.c.n)
    while True:
        asked = sa.select(transfers, events.c.at, events.c.actor).select_from(joined)
        asked = asked.where(key > sa.tuple_(*last), events.c.at >= span.since, events.c.at < span.until)
        if table is not None:
            asked = asked.where(transfers.c.stream == f"table/{table}")
        found = await store.fetch(asked.order_by(*key.clauses).limit(PAGE))
        if found:
            yield [
                (
                    *(row[name] for name in ("stream", "version", "n")),
                    iso(row["at"]),
                    *(row[name] for name in ("actor", "giver", "taker")),
                    amount(row["cents"]),
                )
                for row in found
            ]
        if len(found) < PAGE:
            return
        last = (found[-1]["stream"], found[-1]["version"], found[-1]["n"])


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
