"""How the house says no over HTTP: problem+json with a stable code."""

from __future__ import annotations

import traceback
from http import HTTPStatus
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException

from punto.codes import Code
from punto.game.refusals import Fact, Refusal
from punto.house import logs
from punto.house.table.answers import Problem

PROBLEM_JSON: Final = "application/problem+json"

_CODES: Final = {
    400: Code.BAD_REQUEST,
    401: Code.NO_SESSION,
    403: Code.NOT_ALLOWED,
    404: Code.NOT_FOUND,
    405: Code.BAD_METHOD,
    413: Code.TOO_LARGE,
    415: Code.BAD_MEDIA_TYPE,
    429: Code.TOO_MANY,
    503: Code.UNAVAILABLE,
}


class Stop(Exception):
    """Raised anywhere below a route: the answer is this problem."""

    def __init__(
        self,
        status: int,
        code: Code,
        detail: str,
        paragraph: str | None = None,
        wait: float = 0.0,
        facts: dict[str, Fact] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail, self.paragraph, self.wait = status, code, detail, paragraph, wait
        self.facts = facts or {}

    @classmethod
    def refused(cls, refusal: Refusal, status: int = 409) -> Stop:
        return cls(status, refusal.code, refusal.message, refusal.paragraph, facts=refusal.facts)

    @property
    def headers(self) -> dict[str, str]:
        return {"retry-after": str(max(1, round(self.wait)))} if self.wait or self.status in (429, 503) else {}

    def json(self) -> bytes:
        return problem(self.status, self.code, self.detail, self.paragraph, self.facts)


def problem(
    status: int, code: Code, detail: str, paragraph: str | None = None, facts: dict[str, Fact] | None = None
) -> bytes:
    title = HTTPStatus(status).phrase
    cited = paragraph if paragraph is not None else msgspec.UNSET
    known = facts or msgspec.UNSET
    said = Problem(title=title, status=status, code=code, detail=detail[:1000], paragraph=cited, facts=known)
    return msgspec.json.encode(said)


def no_session() -> Stop:
    return Stop(401, Code.NO_SESSION, "log in first, or enter as a guest")


def to_be_set() -> Stop:
    """A password that somebody else gave serves to set one's own."""
    return Stop(403, Code.PASSWORD_TO_BE_SET, "somebody else gave you this password: set your own first")


def not_found(what: str) -> Stop:
    return Stop(404, Code.NOT_FOUND, f"there is no such {what}")


def on_stop(_: Request[Any, Any, Any], stop: Stop) -> Response[bytes]:
    return Response(stop.json(), status_code=stop.status, media_type=PROBLEM_JSON, headers=stop.headers)


def on_broken(request: Request[Any, Any, Any], _: Exception) -> Response[bytes]:
    """The store is broken, or the house stops: it takes nothing more."""
    return on_stop(request, Stop(503, Code.STORE_BROKEN, "the house can't write any more and stops"))


def on_away(request: Request[Any, Any, Any], _: Exception) -> Response[bytes]:
    """The database went just then: whoever asked looks before he asks again."""
    return on_stop(request, Stop(503, Code.UNAVAILABLE, "the database was lost just then; look whether it was done"))


def on_http(_: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """What Litestar itself refuses: no such path, no such method, a path that is none."""
    status = error.status_code if 400 <= error.status_code < 500 else 503
    code = _CODES.get(status, Code.BAD_REQUEST)
    detail = {404: "there is nothing at this address", 405: "this address does not know that method"}
    body = problem(status, code, detail.get(status, "the request can't be read"))
    headers = {name: _methods(value) if name.lower() == "allow" else value for name, value in _given(error)}
    return Response(body, status_code=status, media_type=PROBLEM_JSON, headers=headers)


def _given(error: HTTPException) -> list[tuple[str, str]]:
    return list((error.headers or {}).items())


def _methods(allowed: str) -> str:
    """What may be got may be asked for its head."""
    return f"{allowed}, HEAD" if "GET" in allowed.split(", ") else allowed


def on_bug(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    return on_stop(request, bug(request.url.path, error))


def bug(path: str, error: Exception) -> Stop:
    """A bug. The answer says nothing of it, the log says where."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    place = " < ".join(f"{one.filename.rpartition('/')[2]}:{one.lineno}" for one in reversed(frames))
    logs.fail("bug", error=type(error).__name__, place=place, path=path)
    return Stop(500, Code.BUG, "the house made a mistake; it is on record")
