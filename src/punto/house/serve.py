"""`punto serve`: open the store, recover, make sure that there are staff and tables, deal, listen.

The exit status is 0 after a requested stop, and 1 with the reason where the house can't go on.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from punto.house import delete_expired, logs, metrics
from punto.house.dealer.demo import open_demo_tables
from punto.house.history.floor import Floor
from punto.house.live.channel import RESTARTING
from punto.house.live.hub import Hub
from punto.house.people.absent_patrons import AbsentPatrons
from punto.house.people.accounts import Accounts
from punto.house.people.approvals import Approvals
from punto.house.people.approved_acts import Acts
from punto.house.people.first_staff import open_staff
from punto.house.people.guests import Guests
from punto.house.people.older_approvals import carry_over
from punto.house.people.sessions import Sessions
from punto.house.python_gc import tidied
from punto.house.store.default_url import default_url
from punto.house.store.interface import Store, open_store
from punto.house.table.directory import Directory
from punto.house.table.house import House
from punto.house.table.node_clock import NodeClock
from punto.house.table.recovery import recover
from punto.house.watch.follower import Watch
from punto.house.watch.recorded_alarms import WatchBook
from punto.house.web import hosts
from punto.house.web.parts import Parts
from punto.house.web.settings import Settings

if TYPE_CHECKING:
    from uvicorn import Config, Server

    from punto.house.dealer.dealers import Dealers

STOP_SECONDS: Final = 2
_BACKLOG: Final = 4096
_TAKES_NOTHING_MS: Final = 20_000
_LOOK_SECONDS: Final = 0.2
_SWITCH_SECONDS: Final = 0.00005

_REFUSED: Final = "returned without completing handshake"

Say = Callable[[str], None]


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `punto serve`."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = ""
    patience_s: float = 15.0
    """How long the node tries to reach a lost PostgreSQL server before it gives up."""
    demo: bool = True
    quiet: bool = False
    settings: Settings = Settings()


class CantServe(Exception):
    """Why the house can't start, for the terminal."""


def serve(options: Options, say: Say = print) -> int:
    """Run until stopped, and return the exit status."""
    import uvloop

    logs.configure(quiet=options.quiet)
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    # The store's writer thread gives up the interpreter at every statement. It must soon get it back, or commits wait.
    sys.setswitchinterval(_SWITCH_SECONDS)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_served(options, say))


async def _served(options: Options, say: Say) -> int:
    hosts.check_origins(options.settings.origins)
    hosts.check_names(options.settings.host_names)
    if options.settings.behind_tls and not options.settings.host_names:
        raise CantServe("--behind-tls needs --host-name: the name by which people reach the house")
    listening = _bound(options)
    store = await open_store(options.database or _default(), options.patience_s)
    parts = Parts(options.settings)
    try:
        dealers = await _set_up(parts, store, options, say)
        return await _listen(parts, dealers, listening, options, say)
    finally:
        listening.close()
        with suppress(Exception):
            await store.close()


async def _set_up(parts: Parts, store: Store, options: Options, say: Say) -> Dealers:
    """Set up all that the first connection needs. Each step needs the ones before it."""
    from punto.house.dealer.dealers import Dealers

    parts.store = store
    store.on_wake(metrics.moved)
    clock = NodeClock(store)
    parts.accounts = Accounts(store, clock)
    parts.guests = Guests(parts.accounts)
    parts.sessions = Sessions(store, clock=clock)
    parts.directory = Directory(store, clock)
    await parts.directory.load()
    parts.house = House(store, clock=clock, pace_of=parts.directory.pace_of)
    parts.house.listeners.append(parts.directory.moved)
    parts.hub = Hub(parts.house)
    parts.floor = Floor(parts.house)
    parts.watch_book = WatchBook(parts.house)
    for table in await recover(parts.house, parts.directory):
        say(f"table {table}: the round that the restart interrupted was put right")
    await carry_over(store)
    days = options.settings.reset_days
    parts.acts = Acts(parts.house, parts.accounts, parts.guests, parts.sessions, days)
    parts.approvals = Approvals(store, parts.acts.carry_out, clock, days)
    await parts.approvals.finish_all()
    await open_staff(parts.accounts, say)
    if options.demo:
        await open_demo_tables(parts.house, parts.directory)
    dealers = Dealers(parts.house)
    parts.directory.virtual = dealers.start
    for known in parts.directory.known.values():
        if known.pace is not None:
            dealers.start(known.id)
    parts.ready = True
    return dealers


def _config(parts: Parts) -> Config:
    import uvicorn

    from punto.house.web.app import application
    from punto.house.web.live import LARGEST_MESSAGE

    return uvicorn.Config(
        application(parts),
        http="httptools",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=LARGEST_MESSAGE,
        ws_ping_interval=30,
        ws_ping_timeout=30,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_keep_alive=30,
        backlog=_BACKLOG,
    )


async def _listen(parts: Parts, dealers: Dealers, listening: socket.socket, options: Options, say: Say) -> int:
    import uvicorn
    from websockets.exceptions import InvalidState

    server = uvicorn.Server(_config(parts))
    # uvicorn logs a handshake that we refused with our own response as an error; `guards` has logged it already.
    logging.getLogger("uvicorn.error").addFilter(lambda record: _REFUSED not in record.getMessage())
    for number in _stops():
        with suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().add_signal_handler(number, _stop, server, parts)
    broken = asyncio.ensure_future(_stop_if_broken(parts, server))
    absent = AbsentPatrons(parts.house, parts.hub.watching, options.settings.away_minutes * 60)
    background = [
        asyncio.ensure_future(work)
        for work in (
            parts.house.clock.run(),
            parts.sessions.run(),
            parts.directory.run(),
            parts.hub.run(),
            dealers.keep(),
            absent.run(),
            Watch(parts.house, parts.watch_book).run(),
            delete_expired.run(parts.house, parts.sessions, parts.guests, absent),
            tidied(),
        )
    ]
    host, port = listening.getsockname()[:2]
    listening.listen(_BACKLOG)
    say(f"Punto is open at http://{f'[{host}]' if ':' in host else host}:{port}")
    sys.stdout.flush()
    try:
        # uvicorn's shutdown fails at a socket whose client has closed it and reads nothing: the hub ends the rest.
        with suppress(InvalidState):
            await server.serve(sockets=[listening])
    finally:
        for task in (broken, *background):
            task.cancel()
        await asyncio.gather(broken, *background, return_exceptions=True)
        parts.draining = True
        await _end(parts, dealers)
    why = _why(parts)
    if why is not None:
        with suppress(OSError):
            print(f"punto: the house stops: {why}", file=sys.stderr, flush=True)
        return 1
    return 0


async def _end(parts: Parts, dealers: Dealers) -> None:
    """Stop dealers and house within `STOP_SECONDS`: neither waits for the other. uvicorn has closed the sockets that it
    could; the rest end in any case: after the answers to what was queued, if these come in time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(STOP_SECONDS):
            await asyncio.gather(dealers.stop(), parts.house.close())
    parts.hub.close()
    for reading in tuple(parts.tiles):
        reading.end(RESTARTING)
    parts.watch_book.end(RESTARTING)


def _stops() -> tuple[signal.Signals, ...]:
    """The signals that stop the house. SIGHUP (the terminal closes) is one of them, unless it is ignored (nohup)."""
    closes = signal.getsignal(signal.SIGHUP) is signal.SIG_DFL
    return (signal.SIGINT, signal.SIGTERM, *((signal.SIGHUP,) if closes else ()))


def _stop(server: Server, parts: Parts) -> None:
    """Refuse new requests, and close open sockets with the code of a restart."""
    parts.draining = True
    server.should_exit = True


async def _stop_if_broken(parts: Parts, server: Server) -> None:
    """Stop the server once the store is broken. The house reports failed writes of tables; others show in the store."""
    while (why := _why(parts)) is None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_SECONDS):
                await parts.house.broken.wait()
    _stop(server, parts)
    metrics.store_broken.set(1)
    logs.fail("store-broken", reason=why)


def _why(parts: Parts) -> str | None:
    """Why the house can't go on; None where it can."""
    return parts.store.broken or (parts.house.halted if parts.house.broken.is_set() else None)


def _default() -> str:
    """`PUNTO_DATABASE`, or the user's own file. The first start makes the folder of a file."""
    url = default_url()
    if url.startswith("sqlite:///"):
        Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    return url


def _bound(options: Options) -> socket.socket:
    """Bind before anything else is opened, so that a taken port is known first. Listening starts once all is ready."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Connections inherit this: the system ends one whose client acknowledges no data for so long, whatever is queued.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _TAKES_NOTHING_MS)
    try:
        listening.bind((options.host, options.port))
    except OSError as error:
        listening.close()
        raise CantServe(f"{options.host}:{options.port} can't be used: {error.strerror}") from error
    listening.set_inheritable(False)
    return listening
