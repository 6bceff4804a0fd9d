"""Whether this server is up and ready, and its figures for Prometheus."""

from __future__ import annotations

import hmac
from functools import cache
from importlib.metadata import version

import msgspec
from litestar import Response, get

from punto.codes import Code
from punto.house import metrics
from punto.house.web.http import HttpRequest
from punto.house.web.openapi import doc
from punto.house.web.parts import parts
from punto.house.web.problems import Stop, not_found


@get("/health", opt=doc("operations", "The process is up, and its version", answer=dict[str, str]))
async def health(request: HttpRequest) -> Response[bytes]:
    return Response(_up(), media_type="application/json")


@cache
def _up() -> bytes:
    return msgspec.json.encode({"status": "up", "version": version("punto")})


@get("/ready", opt=doc("operations", "The store can be written and tables are recovered", answer=dict[str, str]))
async def ready(request: HttpRequest) -> Response[bytes]:
    here = parts(request)
    if not here.ready or here.draining or here.store.broken is not None:
        raise Stop(503, Code.NOT_READY, "the house is starting, stopping, or its store is broken")
    if here.store.unsure:
        raise Stop(503, Code.UNSURE, "this node could not renew its row in the database")
    return Response(b'{"status":"ready"}', media_type="application/json")


@get("/metrics", opt=doc("operations", "Figures for Prometheus", answer=bytes, media="text/plain"))
async def figures(request: HttpRequest) -> Response[bytes]:
    if request.scope["raw_path"] != b"/metrics":
        # The router also takes `/metrics/`, `//metrics` and `/%6detrics`. With these refused, a proxy can block it.
        raise not_found("address")
    here = parts(request)
    wanted, sent = f"Bearer {here.settings.metrics_token}", request.headers.get("authorization", "")
    if here.settings.metrics_token and not hmac.compare_digest(sent.encode(), wanted.encode()):
        raise Stop(403, Code.NOT_ALLOWED, "the token is missing or wrong: send it as Authorization: Bearer TOKEN")
    if here.ready:
        metrics.store_broken.set(here.store.broken is not None)
    return Response(metrics.text(), media_type=metrics.CONTENT_TYPE)
