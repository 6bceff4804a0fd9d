"""The application: every route, how problems are answered, and the door around it all."""

from __future__ import annotations

from typing import Any, Final

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from punto.house.store.records import Away, StoreBroken
from punto.house.table.desk import Halted
from punto.house.web import (
    approvals,
    commands,
    exports,
    history,
    live,
    page,
    people,
    problems,
    reference,
    resets,
    schema,
    tables,
)
from punto.house.web.guards import Door
from punto.house.web.rooms import Rooms

ROUTES: Final[list[Any]] = [
    *(people.enter, people.log_in, people.log_out, people.me, people.change_password),
    *(people.people, people.open_account, people.set_role, people.set_locked, resets.reset),
    *(tables.tables, tables.one_table, tables.open_table, commands.command, live.live),
    *(approvals.ask, approvals.previewed, approvals.approvals, approvals.approve, approvals.reject),
    *(history.events, history.past_rounds, history.one_round, history.round_frames, history.my_rounds),
    *(history.one_shoe, history.roads, exports.exported),
    *(reference.editions, reference.one_edition, reference.difference, reference.odds),
    *(schema.openapi, schema.readable, page.health, page.ready, page.figures, page.page),
]


def application(rooms: Rooms) -> Any:
    """The ASGI application over a server's rooms."""
    handlers: dict[Any, Any] = {
        problems.Stop: problems.on_stop,
        StoreBroken: problems.on_broken,
        Halted: problems.on_broken,
        Away: problems.on_away,
        HTTPException: problems.on_http,
        Exception: problems.on_bug,
    }
    inner = Litestar(
        route_handlers=ROUTES,
        exception_handlers=handlers,
        openapi_config=None,
        state=State({"rooms": rooms}),
        logging_config=None,
    )
    return Door(inner, rooms)
