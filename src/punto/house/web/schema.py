"""The API described: OpenAPI as JSON, and as a plain page that needs no script."""

from __future__ import annotations

from html import escape
from typing import Any

import msgspec
from litestar import Litestar, Request, Response, get

from punto.house.web.described import doc, document

Asked = Request[Any, Any, Any]


@get("/schema/openapi.json", opt=doc(topic="operations", says="This description", answer=dict[str, Any]))
async def openapi(request: Asked) -> Response[bytes]:
    return Response(msgspec.json.encode(_document(request.app)), media_type="application/json")


@get("/schema", opt=doc(topic="operations", says="This description, for reading", answer=bytes, media="text/html"))
async def readable(request: Asked) -> Response[bytes]:
    found = _document(request.app)
    rows = [
        f"<tr><td><code>{method.upper()}</code></td><td><code>{escape(path)}</code></td><td>{escape(one['summary'])}</td>"
        f"<td>{' '.join(one['responses'])}</td></tr>"
        for path, methods in found["paths"].items()
        for method, one in methods.items()
    ]
    text = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Punto: API</title><h1>Punto: API</h1>'
        f"<p>{escape(found['info']['description'])}</p>"
        '<p>The whole of it: <a href="/schema/openapi.json">openapi.json</a>. Live tables: '
        "<code>WS /api/tables/{table}/live?after=VERSION</code>.</p><table>" + "".join(rows) + "</table></html>"
    )
    return Response(text.encode(), media_type="text/html")


def _document(app: Litestar) -> dict[str, Any]:
    """Written on first demand: a start is quick without it."""
    kept: dict[str, Any] | None = getattr(app.state, "document", None)
    if kept is None:
        from importlib.metadata import version

        kept = app.state.document = document(app, version("punto"))
    return kept
