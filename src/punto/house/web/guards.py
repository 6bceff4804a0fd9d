"""The checks before every route, and what every response carries.

These are request id, Host, rate limits, the session of the cookie, Origin and CSRF token, security headers, log line
and metrics. `Guards` wraps Litestar and is no middleware of it: that never sees a path which has no route.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from typing import Any, Final
from urllib.parse import urlsplit

from litestar import Request

from punto.codes import Code
from punto.house import logs, metrics
from punto.house.store.records import StoreBroken
from punto.house.web.caller import Caller, Headers, Scope, address_of, caller
from punto.house.web.hosts import judge_host
from punto.house.web.parts import Parts
from punto.house.web.problems import PROBLEM_JSON, Stop, bug, no_session, own_password_first
from punto.house.web.rate_limits import take
from punto.house.web.settings import Settings

COOKIE: Final = "punto_session"
TLS_COOKIE: Final = f"__Host-{COOKIE}"
"""Behind TLS: browsers accept this name from this host alone, so no neighbouring host can plant a session."""
UNSAFE: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_WITHOUT_CSRF: Final = frozenset({"/api/guests", "/api/sessions"})
"""Paths where a session begins: there is no token yet. The Origin is still checked."""
_WITH_ANY_PASSWORD: Final = frozenset(
    {
        ("GET", "/api/me"),
        ("HEAD", "/api/me"),
        ("GET", "/api/sessions/current"),
        ("HEAD", "/api/sessions/current"),
        ("POST", "/api/me/password"),
        ("DELETE", "/api/sessions/current"),
        *(("POST", path) for path in _WITHOUT_CSRF),
    }
)
"""All that is allowed after login with a password that somebody else gave: set one's own, look, log in or out."""
_QUIET: Final = frozenset({"/health", "/ready", "/metrics"})
_POLICY: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_ALWAYS: Final = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
_TLS: Final = ((b"strict-transport-security", b"max-age=31536000; includeSubDomains"),)
_NOT_KEPT: Final = (b"cache-control", b"no-store")


def _record(scope: Scope, who: Caller, status: int, seconds: float) -> None:
    """Count a request in the metrics, and log it."""
    metrics.requested(scope["method"] if scope["method"] in _METHODS else "OTHER", status).inc()
    metrics.request_seconds.observe(seconds)
    if scope["path"] not in _QUIET:
        path = scope["path"][:_LONGEST_PATH]
        facts = {"method": scope["method"], "path": path, "status": status, "person": who.name}
        logs.say("request", id=who.id, **facts, ms=round(seconds * 1000, 1), **who.noted)


class Guards:
    """ASGI around Litestar. What it refuses never reaches a route."""

    def __init__(self, inner: Any, parts: Parts) -> None:
        self.inner, self.parts = inner, parts
        self._headers = _ALWAYS + (_TLS if parts.settings.behind_tls else ())

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self.inner(scope, receive, send)

    async def _request(self, scope: Scope, receive: Any, send: Any) -> None:
        began = time.perf_counter()
        headers: Headers = dict(scope["headers"])
        who = Caller(secrets.token_hex(8), address_of(scope, headers, self.parts.settings))
        scope["punto"] = who
        status, started = 500, False

        async def answer(message: Any) -> None:
            nonlocal status, started
            if message["type"] == "http.response.start":
                status, started = message["status"], True
                extra = [*self._headers, (b"x-request-id", who.id.encode())]
                if not any(name == b"cache-control" for name, _ in message["headers"]):
                    extra.append(_NOT_KEPT)
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        try:
            await self._judged(scope, headers, who)
            # Routes handle HEAD as GET. The server knows the true method and omits the body.
            routed = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
            await self.inner(routed, receive, answer)
        except Stop as stop:
            who.noted.setdefault("code", stop.code)
            await _stopped(stop, answer)
        except asyncio.CancelledError:
            # The house stops and waits no longer. The client may retry under the same key: it has one effect.
            if not started:
                await _stopped(Stop(503, Code.STOPPING, "the house is stopping"), answer)
            raise
        except Exception as error:
            problem = bug(scope["path"][:_LONGEST_PATH], error)
            who.noted.setdefault("code", problem.code)
            if started:
                raise  # part of the response is sent already
            await _stopped(problem, answer)
        finally:
            _record(scope, who, status, time.perf_counter() - began)

    async def _judged(self, scope: Scope, headers: Headers, who: Caller) -> None:
        """All checks before the route but those of the body, in `with_body`."""
        path, method = scope["path"], scope["method"]
        judge_host(scope["headers"], self.parts.settings.host_names)
        if path in _QUIET:
            return
        if self.parts.draining:
            raise Stop(503, Code.STOPPING, "the house is stopping")
        take(self.parts.by_address, who.address)
        who.session = await self._session(headers)
        if who.session is not None:
            who.session.address = who.address
            take(self.parts.by_session, who.session.name)
            if not who.session.own and (method, path) not in _WITH_ANY_PASSWORD:
                # They count as signed out at any other path. Its spelling decides only whether they are told why.
                who.session = None
                if path.lstrip("/").startswith("api"):
                    raise own_password_first()
        if method in UNSAFE:
            judge_origin(headers, scope, self.parts.settings)
            if who.session is not None and path not in _WITHOUT_CSRF:
                token = headers.get(b"x-csrf-token", b"")
                if not hmac.compare_digest(token, who.session.csrf.encode()):
                    raise Stop(403, Code.CSRF, "the X-CSRF-Token is missing or not this session's")

    async def _session(self, headers: Headers) -> Any:
        token = _cookie(headers, cookie_name(self.parts.settings))
        if token is None or not self.parts.ready:
            return None
        try:
            return await self.parts.sessions.find(token)
        except StoreBroken:
            raise Stop(503, Code.STORE_BROKEN, "the store is broken") from None

    async def _socket(self, scope: Scope, receive: Any, send: Any) -> None:
        headers: Headers = dict(scope["headers"])
        who = Caller(secrets.token_hex(8), address_of(scope, headers, self.parts.settings))
        scope["punto"] = who
        try:
            judge_host(scope["headers"], self.parts.settings.host_names)
            if self.parts.draining or not self.parts.ready:
                raise Stop(503, Code.STOPPING, "the house is stopping")
            take(self.parts.handshakes, who.address)
            held = self.parts.sockets
            if held.get(who.address, 0) >= self.parts.settings.sockets_an_address:
                raise Stop(429, Code.TOO_MANY, "too many sockets from this address")
            if sum(held.values()) >= self.parts.settings.sockets_in_all:
                raise Stop(503, Code.TOO_MANY, "the house holds as many sockets as it can")
            judge_origin(headers, scope, self.parts.settings)
            who.session = await self._session(headers)
            if who.session is not None and not who.session.own:
                raise own_password_first()
        except Exception as error:
            stop = error if isinstance(error, Stop) else bug(scope["path"][:_LONGEST_PATH], error)
            logs.say("socket-refused", id=who.id, code=stop.code, status=stop.status)
            await _refused(stop, scope, receive, send)
            return
        self.parts.sockets[who.address] = self.parts.sockets.get(who.address, 0) + 1
        metrics.sockets.inc()
        try:
            await self.inner(scope, receive, send)
        finally:
            metrics.sockets.dec()
            left = self.parts.sockets[who.address] - 1
            if left:
                self.parts.sockets[who.address] = left
            else:
                del self.parts.sockets[who.address]


_LONGEST_PATH: Final = 200
"""Characters of a path that a log line keeps."""
_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", *UNSAFE})


def judge_origin(headers: Headers, scope: Scope, settings: Settings) -> None:
    """Refuse a request from a page of another site. Clients that are no browsers send no Origin."""
    sent = headers.get(b"origin")
    if sent is None:
        return
    origin = sent.decode("latin-1")
    if origin in settings.origins:
        return
    schemes = ("https",) if settings.behind_tls else ("http", "https")
    try:
        split = urlsplit(origin)
    except ValueError:
        split = urlsplit("")
    if split.scheme not in schemes or split.netloc.encode("latin-1") != headers.get(b"host", b""):
        raise Stop(403, Code.BAD_ORIGIN, "this comes from a page of another site")


def cookie_name(settings: Settings) -> str:
    return TLS_COOKIE if settings.behind_tls else COOKIE


def _cookie(headers: Headers, wanted: str) -> str | None:
    for part in headers.get(b"cookie", b"").split(b";"):
        name, _, value = part.strip().partition(b"=")
        if name == wanted.encode():
            return value.decode("latin-1")
    return None


async def with_body(request: Request[Any, Any, Any]) -> None:
    """Before every route: read and check the body of an unsafe request, within Litestar's limit."""
    if request.method not in UNSAFE:
        return
    body, session = await request.body(), caller(request).session
    if session is not None and session.ended and request.scope["path"] not in _WITHOUT_CSRF:
        # A client that delays the last byte of a request must not act with a session that has ended meanwhile.
        raise no_session()
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and kind != "application/json":
        raise Stop(415, Code.BAD_MEDIA_TYPE, "send application/json")


async def _stopped(stop: Stop, send: Any) -> None:
    body = stop.json()
    headers = [(b"content-type", PROBLEM_JSON.encode()), (b"content-length", str(len(body)).encode())]
    headers += [(name.encode(), value.encode()) for name, value in stop.headers.items()]
    await send({"type": "http.response.start", "status": stop.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _refused(stop: Stop, scope: Scope, receive: Any, send: Any) -> None:
    """Refuse a handshake: send the problem if the server can, else close the socket."""
    await receive()
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 4403})
        return
    body = stop.json()
    headers = [(b"content-type", PROBLEM_JSON.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "websocket.http.response.start", "status": stop.status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body})
