"""Refusals and errors over HTTP: problem+json with a stable code."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import HTTPException

from punto.codes import Code
from punto.game.refusals import Fact, Refusal
from punto.house import logs
from punto.house.store import answers
from punto.house.store.answers import Denied

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


_DETAILS: Final = {
    404: "there is nothing at this address",
    405: "this address does not know that method",
    413: "the request is too large",
}


class Stop(Exception):
    """Raise it anywhere to answer the request with this problem."""

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
    def of(cls, no: Refusal | Denied, status: int = 409) -> Stop:
        """From a refusal, or from a denial with its own status."""
        if isinstance(no, Denied):
            return cls(no.status, no.code, no.message)
        return cls(status, no.code, no.message, no.paragraph, facts=no.facts)

    @property
    def headers(self) -> dict[str, str]:
        return {"retry-after": str(max(1, round(self.wait)))} if self.wait or self.status in (429, 503) else {}

    def json(self) -> bytes:
        return answers.problem(self.status, Refusal(self.code, self.detail, self.paragraph, self.facts))


NO_SESSION: Final = Denied(Code.NO_SESSION, "log in first, or enter as a guest", 401)


def no_session() -> Stop:
    return Stop.of(NO_SESSION)


def own_password_first() -> Stop:
    """Somebody else gave the password: the person must first set their own."""
    return Stop(403, Code.PASSWORD_TO_BE_SET, "somebody else gave you this password: set your own first")


def not_found(what: str) -> Stop:
    return Stop(404, Code.NOT_FOUND, f"there is no such {what}")


def on_stop(_: Request[Any, Any, Any], stop: Stop) -> Response[bytes]:
    return Response(stop.json(), status_code=stop.status, media_type=PROBLEM_JSON, headers=stop.headers)


def unavailable(code: Code, detail: str) -> Callable[[Request[Any, Any, Any], Exception], Response[bytes]]:
    """A handler that answers an exception with 503."""
    return lambda request, _: on_stop(request, Stop(503, code, detail))


def on_http(_: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Answer what Litestar refuses: an unknown path or method, a body that is too large or breaks off (its 500)."""
    status = error.status_code if 400 <= error.status_code < 500 else 400
    code = _CODES.get(status, Code.BAD_REQUEST)
    detail = _DETAILS.get(status, "the request can't be read")
    body = answers.problem(status, Refusal(code, detail, None))
    sent = (error.headers or {}).items()
    headers = {name: _methods(value) if name.lower() == "allow" else value for name, value in sent}
    return Response(body, status_code=status, media_type=PROBLEM_JSON, headers=headers)


def _methods(allowed: str) -> str:
    """Add HEAD wherever GET is allowed."""
    return f"{allowed}, HEAD" if "GET" in allowed.split(", ") else allowed


def bug(path: str, error: Exception) -> Stop:
    """Log where a bug is. The problem says nothing of it."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    place = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in reversed(frames))
    logs.fail("bug", error=type(error).__name__, place=place, path=path)
    return Stop(500, Code.BUG, "internal error in the house; it has been logged")
