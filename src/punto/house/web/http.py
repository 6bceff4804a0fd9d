"""How routes read the query and the body as records, and write records as JSON (`punto.game.notation`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from litestar import Request, Response
from litestar.datastructures import Cookie

from punto.codes import Code
from punto.game import notation
from punto.house.web import strict_json
from punto.house.web.problems import Stop
from punto.rulebook import in_force
from punto.rulebook.check import RuleError

HttpRequest = Request[Any, Any, Any]
T = TypeVar("T")


def query(request: HttpRequest, kind: type[T]) -> T:
    return strict_json.query(request.query_params.multi_items(), kind)


async def body(request: HttpRequest, kind: type[T]) -> T:
    return strict_json.read(await request.body(), kind)


async def no_body(request: HttpRequest) -> None:
    raw = await request.body()
    if raw and strict_json.plain(raw) != {}:
        raise Stop(400, Code.BAD_REQUEST, "expected no body with this request")


def answer(value: Any, status: int = 200, cookies: Sequence[Cookie] = ()) -> Response[bytes]:
    """Answer a record, or bytes that are JSON already."""
    json = value if isinstance(value, bytes) else notation.encode(value)
    return Response(json, status_code=status, media_type="application/json", cookies=list(cookies))


def instant(text: str | None, otherwise: int) -> int:
    """A date or an instant of a query, as microseconds. A day begins at 08:00 +08:00 (E5)."""
    if text is None:
        return otherwise
    try:
        return round(in_force.instant(text).timestamp() * 1_000_000)
    except (RuleError, ValueError, OverflowError):
        raise Stop(400, Code.BAD_QUERY, "expected a date, or an instant such as 2025-06-01T08:00:00+08:00") from None
