"""The application: every route, how problems are answered, and the door around it all."""

from __future__ import annotations

from typing import Any, Final

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from punto.house.store.records import Away, StoreBroken
from punto.house.table.loaded import Halted
from punto.house.web import (
    accounts,
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
from punto.house.web.guards import Door, with_body
from punto.house.web.rooms import Rooms
from punto.house.web.strict import LARGEST_BODY

ROUTES: Final[list[Any]] = [
    *(people.enter, people.log_in, people.log_out, people.me, people.change_password),
    *(accounts.people, accounts.open_account, accounts.set_role, accounts.set_locked, resets.reset),
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
        before_request=with_body,
        request_max_body_size=LARGEST_BODY,
        exception_handlers=handlers,
        openapi_config=None,
        state=State({"rooms": rooms}),
        logging_config=None,
    )
    return Door(inner, rooms)
