"""The desk of the watch over HTTP: alarms with their evidence, exposure, patrons, and acknowledging an alarm.

No view, frame, export or route of anybody else contains any of this.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Annotated, Final, TypeVar

import msgspec
from litestar import Response, get, post, websocket

from punto.codes import Code
from punto.game import notation
from punto.house import logs
from punto.house.instants import iso
from punto.house.live.channel import TOO_SLOW
from punto.house.live.frames import PING
from punto.house.live.hub import PING_S
from punto.house.store.names import DESKS, SURVEILLANCE
from punto.house.store.watch_events import Book, KnownAlarm, Thresholds
from punto.house.watch import exposure as table_exposure
from punto.house.watch import health
from punto.house.watch.cards_and_stakes import Checkpoint
from punto.house.watch.checkpoints import kept_states
from punto.house.watch.checkpoints import read as kept_tables
from punto.house.watch.exposure import TableExposure
from punto.house.watch.health import WatchState
from punto.house.watch.prepared_report import Report, newest_missing, report_of, report_paragraph
from punto.house.watch.recorded_alarms import AlarmReader
from punto.house.web import http
from punto.house.web.caller import caller, need
from punto.house.web.http import HttpRequest, answer
from punto.house.web.openapi import doc
from punto.house.web.parts import Parts, parts
from punto.house.web.problems import Stop, not_found
from punto.house.web.rate_limits import charge
from punto.house.web.sockets import GONE, LOST, NOT_ALLOWED, SESSION_ENDED, FrameSender, Socket, close, refusal
from punto.watch.live import WorthRound

MOST_SHOWN: Final = 500
"""Most in one response: the newest alarms, the most suspicious patrons."""
_COSTS: Final = 5
"""Rate-limit tokens: every table is looked at."""
T = TypeVar("T")


class AlarmShown(KnownAlarm, frozen=True, kw_only=True):
    """An alarm as it stands, and the report (5.5) that somebody may confirm while its cards are in use."""

    raised: str
    report: Report | None
    report_paragraph: str | None
    """The paragraph that the report would be on record under, by the table's own edition."""


class WatchingShown(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the watch is running: if not, a lack of alarms means nothing."""

    watches: bool
    looked: str | None
    """When the watch last looked at the tables; null before the first time."""
    behind: int
    """Tables whose record is not read to its end yet."""
    failing: tuple[str, ...]
    """Tables that can't be followed for now."""
    failure: str
    """The last failure, in the words of the log; empty where there was none."""
    failed: str | None


class WatchShown(msgspec.Struct, frozen=True, kw_only=True):
    """`can`: what the viewer may do here."""

    now: str
    version: int
    thresholds: Thresholds
    run_cards: int
    """Cards in a row that raise an alarm at eight decks, by these thresholds."""
    watching: WatchingShown
    alarms: list[AlarmShown]
    open: int
    """Alarms that nobody has acknowledged."""
    can: tuple[str, ...]


class SuspicionShown(msgspec.Struct, frozen=True, kw_only=True):
    """A patron, or a group that sits together. `named`: to be looked into."""

    patrons: tuple[str, ...]
    shoes: int
    evidence: float
    p: float
    named: bool
    rounds: tuple[tuple[str, WorthRound], ...]


class PatronsShown(msgspec.Struct, frozen=True, kw_only=True):
    false_discoveries: float
    patrons: list[SuspicionShown]
    groups: list[SuspicionShown]
    watched: int
    """Patrons who staked in a shoe that ended."""


class Note(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    note: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


def _doc(says: str, kind: type, problems: tuple[int, ...] = (403,)) -> dict[str, object]:
    return doc("watch", says, answer=kind, session=True, problems=problems)


@get("/api/watch", opt=_doc("Alarms, newest first, with their evidence; for surveillance", WatchShown))
async def watch(request: HttpRequest) -> Response[bytes]:
    user = need(request, DESKS["watch"])
    here = parts(request)
    book = await here.watch_book.newest()
    newest = [*book.alarms.values()][-MOST_SHOWN:][::-1]
    return answer(
        WatchShown(
            now=iso(here.house.clock.now()),
            version=book.version,
            thresholds=book.thresholds,
            run_cards=here.watch_book.run_cards(),
            watching=_watching(await health.read(here.store), here.house.clock.now()),
            alarms=await _alarms(here, book, newest),
            open=sum(not alarm.acknowledged for alarm in book.alarms.values()),
            can=("acknowledge", "report", "thresholds") if user.role in SURVEILLANCE else (),
        )
    )


def _watching(known: WatchState, now: int) -> WatchingShown:
    return WatchingShown(
        watches=known.watches(now),
        looked=iso(known.looked_at) if known.looked_at else None,
        behind=known.behind,
        failing=known.failing,
        failure=known.failure,
        failed=iso(known.failed_at) if known.failed_at else None,
    )


async def _alarms(here: Parts, book: Book, alarms: list[KnownAlarm]) -> list[AlarmShown]:
    missing, kept = newest_missing(book.alarms.values()), dict[str, tuple[int, Checkpoint]]()
    for name in missing.keys() & {known.alarm.table for known in alarms}:
        kept |= await kept_tables(here.store, name)
    shown = []
    for known in alarms:
        name = known.alarm.table
        table, (_, place) = (await here.house.state(name)).table, kept.get(name, (0, Checkpoint()))
        report = report_of(known, table, place, missing.get(name, ""))
        paragraph = report_paragraph(report, table) if report is not None else None
        facts = msgspec.structs.asdict(known)
        shown.append(AlarmShown(**facts, raised=iso(known.at), report=report, report_paragraph=paragraph))
    return shown


@get("/api/watch/exposure", opt=_doc("Every open table on the very cards left", list[TableExposure], (403, 406)))
async def exposures(request: HttpRequest) -> Response[bytes]:
    need(request, DESKS["watch"])
    here = parts(request)
    charge(here, caller(request), _COSTS)
    tables = {name: (await here.house.state(name)).table for name in here.directory.known}
    kept = await kept_states(here.store)
    return _answer(await _computed(lambda: table_exposure.exposures(tables, kept)))


@get(
    "/api/watch/exposure/{table:str}",
    opt=_doc("One table: every bet and every offer that may come, in fractions", TableExposure, (403, 404, 406)),
)
async def exposure_of(request: HttpRequest, table: str) -> Response[bytes]:
    need(request, DESKS["watch"])
    here = parts(request)
    if table not in here.directory.known:
        raise not_found("table")
    now, kept = (await here.house.state(table)).table, await kept_states(here.store, table)
    exposed = await _computed(lambda: table_exposure.exact(table, now, kept.get(table)))
    if exposed is None:
        raise Stop(404, Code.NOT_FOUND, "there is no shoe at this table, or too few cards are left")
    return _answer(exposed)


@get("/api/watch/patrons", opt=_doc("Whose stakes follow the cards, most evidence first", PatronsShown, (403, 406)))
async def patrons(request: HttpRequest) -> Response[bytes]:
    need(request, DESKS["watch"])
    here = parts(request)
    charge(here, caller(request), _COSTS)
    book, kept = await here.watch_book.newest(), await kept_states(here.store)
    share = float(book.thresholds.false_discoveries)

    def weighed() -> PatronsShown:
        from punto.watch.live_stakes import judged

        alone, together = judged(kept, share)
        return PatronsShown(
            false_discoveries=share,
            patrons=[SuspicionShown(**msgspec.structs.asdict(suspicion)) for suspicion in alone[:MOST_SHOWN]],
            groups=[SuspicionShown(**msgspec.structs.asdict(suspicion)) for suspicion in together[:MOST_SHOWN]],
            watched=len(alone),
        )

    return _answer(await _computed(weighed))


@post(
    "/api/watch/alarms/{alarm:str}/acknowledge",
    status_code=200,
    opt=doc(
        "watch",
        "Say that an alarm was looked into, with a note; it is put on record",
        body=Note,
        answer=AlarmShown,
        session=True,
        problems=(403, 404, 503),
    ),
)
async def acknowledge(request: HttpRequest, alarm: str) -> Response[bytes]:
    user = need(request, SURVEILLANCE)
    body, here = await http.body(request, Note), parts(request)
    note = body.note.strip()
    if not note:
        raise Stop(400, Code.BAD_REQUEST, "`note` says nothing: expected what was looked into")
    if alarm not in (await here.watch_book.newest()).alarms:
        raise not_found("alarm")
    need(request, SURVEILLANCE)
    await here.watch_book.acknowledge(alarm, user.name, note)
    logs.say("alarm-acknowledged", alarm=alarm, by=user.name)
    book = await here.watch_book.newest()
    return answer((await _alarms(here, book, [book.alarms[alarm]]))[0])


async def _computed(work: Callable[[], T]) -> T:
    try:
        return await asyncio.to_thread(work)
    except ImportError:
        raise Stop(406, Code.NOT_INSTALLED, "exposure and stakes need compiled code: install punto[fast]") from None


def _answer(shown: object) -> Response[bytes]:
    return answer(notation.encode(shown))


@websocket("/api/watch/live")
async def watch_live(socket: Socket) -> None:
    """Say that there is something new, but not what it is: the desk requests it."""
    here, session = parts(socket), caller(socket).session
    await socket.accept()
    if session is None or session.ended or session.role not in DESKS["watch"]:
        await close(socket, refusal(session))
        return
    reader = AlarmReader()
    unwatch = session.watch(partial(reader.end, SESSION_ENDED))
    here.watch_book.readers.add(reader)
    listening = asyncio.create_task(_until_gone(socket, reader))
    try:
        code = await _tell(socket, reader)
        if code != GONE:
            await close(socket, code)
    finally:
        listening.cancel()
        unwatch()
        here.watch_book.readers.discard(reader)


async def _tell(socket: Socket, reader: AlarmReader) -> int:
    try:
        async with FrameSender(socket) as sender:
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(PING_S):
                        await reader.moved.wait()
                # News may come in the moment in which the time runs out.
                frame = b'{"frame":"watch"}' if reader.moved.is_set() else PING
                reader.moved.clear()
                if reader.ended is not None:
                    return reader.ended
                await sender.put(frame)
    except TimeoutError:
        return TOO_SLOW
    except LOST:
        return GONE


async def _until_gone(socket: Socket, reader: AlarmReader) -> None:
    """End the reader if the client leaves or sends anything."""
    try:
        while (await socket.receive())["type"] == "websocket.receive":
            reader.end(NOT_ALLOWED)
        reader.end(GONE)
    except LOST:
        reader.end(GONE)
