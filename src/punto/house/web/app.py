"""The application: every route, the exception handlers, and the checks before routes."""

from __future__ import annotations

from typing import Any, Final

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from punto.codes import Code
from punto.house.people.accounts import Contended
from punto.house.people.passwords import TooBusy
from punto.house.store.own_stream import Crowded
from punto.house.store.records import Away, StoreBroken
from punto.house.table.loaded_table import Halted
from punto.house.web import (
    accounts,
    approvals,
    commands,
    day,
    exports,
    floor,
    health,
    history,
    live,
    login,
    openapi,
    page,
    person,
    problems,
    reference,
    scanner,
    tables,
    tiles,
    watch,
)
from punto.house.web.guards import Guards, with_body
from punto.house.web.parts import Parts
from punto.house.web.problems import unavailable
from punto.house.web.strict_json import LARGEST_BODY

ROUTES: Final[list[Any]] = [
    *(login.enter, login.log_in, login.log_out, login.me, login.signed_in, login.change_password),
    *(accounts.people, accounts.open_account, accounts.set_role, accounts.set_locked, accounts.reset_password),
    *(person.whole_person, person.end_sessions, person.rounds),
    *(tables.tables, tables.table_view, tables.open_table, commands.command),
    *(live.live, tiles.tiles, scanner.scanner),
    *(approvals.ask, approvals.previewed, approvals.approvals, approvals.approve, approvals.reject),
    *(watch.watch, watch.exposures, watch.exposure_of, watch.patrons, watch.acknowledge, watch.watch_live),
    *(floor.floor, day.day, day.day_csv, day.day_xlsx),
    *(history.events, history.past_rounds, history.whole_round, history.round_frames, history.my_rounds),
    *(history.virtual_shoe, history.roads, exports.exported),
    *(reference.editions, reference.whole_edition, reference.difference, reference.odds),
    *(openapi.as_json, openapi.as_page, health.health, health.ready, health.figures, page.page),
]


def handlers() -> dict[Any, Any]:
    """The handler of each exception."""
    stopping = unavailable(Code.STORE_BROKEN, "the house can't write any more and stops")
    return {
        problems.Stop: problems.on_stop,
        StoreBroken: stopping,
        Halted: stopping,
        Away: unavailable(Code.UNAVAILABLE, "the connection to the database was lost: check whether it was done"),
        Contended: unavailable(Code.BUSY, "somebody else is changing this account at the same time: try again"),
        Crowded: unavailable(Code.BUSY, "somebody else is writing to the same record at the same time: try again"),
        TooBusy: unavailable(Code.BUSY, "too many people log in at once: try again"),
        HTTPException: problems.on_http,
        Exception: lambda request, error: problems.on_stop(request, problems.bug(request.url.path, error)),
    }


def application(parts: Parts) -> Any:
    """The ASGI application over a server's parts."""
    inner = Litestar(
        route_handlers=ROUTES,
        before_request=with_body,
        request_max_body_size=LARGEST_BODY,
        exception_handlers=handlers(),
        openapi_config=None,
        state=State({"parts": parts}),
        logging_config=None,
    )
    return Guards(inner, parts)
