"""The OpenAPI document, generated from the `doc` of every route, which says what the route takes and answers.

Answers that any route can give (a bad query, too many requests, a house that stops) are added here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from importlib.metadata import version
from typing import Any, Final

import msgspec
from litestar import Litestar, Response, get
from litestar.routes import HTTPRoute

from punto.house.store.answers import Problem
from punto.house.table.request import FROM_SERVER
from punto.house.web.http import HttpRequest
from punto.house.web.json_schema import REF, Shapes

_OPENAPI: Final = ".".join("310")
_FILLED_IN: Final = ("by", "patron", "name", "rank")
_PATHS: Final[dict[str, dict[str, Any]]] = {
    "table": {"type": "string", "pattern": r"^[a-z0-9._-]{1,64}$", "minLength": 1, "maxLength": 64},
    "name": {"type": "string", "pattern": r"^[a-z0-9._-]{1,32}$", "minLength": 1, "maxLength": 32},
    "game": {"type": "string", "pattern": r"^[a-z0-9-]{1,64}$", "minLength": 1, "maxLength": 64},
    "edition": {"type": "string", "pattern": r"^[a-z0-9-]{1,32}$", "minLength": 1, "maxLength": 32},
    "number": {"type": "integer", "minimum": 1, "maximum": 999_999_999},
    "export": {
        "type": "string",
        "enum": ["rounds.csv", "rounds.parquet", "ledger.csv", "ledger.parquet", "recorded.parquet"],
    },
    "alarm": {"type": "string", "pattern": r"^[A-Za-z0-9._-]{1,128}$", "minLength": 1, "maxLength": 128},
    "approval": {"type": "string", "pattern": r"^[a-z0-9]{1,32}$", "minLength": 1, "maxLength": 32},
}
_TITLES: Final = {
    400: "Not strict JSON, an unknown field, or a value out of bounds",
    401: "No session, or a wrong name or password",
    403: "Not allowed: role, CSRF token, Origin, or a second person is needed",
    404: "There is no such thing",
    406: "Not available in this installation",
    409: "The rules, or the state of things, say no",
    413: "The body is too large",
    415: "The body is not application/json",
    421: "The house is not served under this host name",
    429: "Too many requests: wait",
    503: "The house is stopping or its store is broken",
}


class Doc(msgspec.Struct, frozen=True, kw_only=True):
    """What a route takes and answers. `problems` are its own error statuses. Those of every route, and 404 where
    the path has a name, are added."""

    topic: str
    says: str
    answer: Any = None
    media: str = "application/json"
    body: Any = None
    query: type[msgspec.Struct] | None = None
    session: bool = False
    problems: tuple[int, ...] = ()
    also: tuple[str, ...] = ()
    """Further media types of the answer."""
    kept: bool = False
    """The response has an ETag, and may be 304."""


def doc(topic: str, says: str, **facts: Any) -> dict[str, Any]:
    """A `Doc` as `opt` of a route."""
    return {"doc": Doc(topic=topic, says=says, **facts)}


def document(app: Litestar, version: str) -> dict[str, Any]:
    """The whole OpenAPI document."""
    out, taken = Shapes(incoming=False), Shapes(incoming=True)
    out.of(Problem)
    paths: dict[str, dict[str, Any]] = {}
    for path, method, status, about in _routes(app):
        paths.setdefault(path, {})[method.lower()] = _operation(path, method, status, about, out, taken)
    components = {**_commands(taken.components), **out.components}
    return {
        "openapi": _OPENAPI,
        "info": {"title": "Punto: the house", "version": version, "description": _ABOUT},
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": components,
            "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": "punto_session"}},
        },
    }


_ABOUT: Final = (
    "Money is a decimal string, odds are exact fractions. Refusals are application/problem+json with a stable `code` "
    "and, where a rule says no, its `paragraph`. Unsafe methods of a session carry its `X-CSRF-Token`."
)


def _routes(app: Litestar) -> Iterator[tuple[str, str, int, Doc]]:
    """Path, method, success status and `Doc` of every route that has one."""
    for route in app.routes:
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            if (about := handler.opt.get("doc")) is not None:
                path = re.sub(r":[a-z]+\}", "}", route.path_format)
                for method in sorted(handler.http_methods - {"OPTIONS"}):
                    yield path, str(method), handler.status_code, about


def _operation(path: str, method: str, status: int, about: Doc, out: Shapes, taken: Shapes) -> dict[str, Any]:
    # 403: whoever logged in with a password that somebody else gave must first set their own.
    statuses = {400, 403, 421, 429, 503, *about.problems}
    names = re.findall(r"\{([a-z]+)\}", path)
    parameters = [{"name": name, "in": "path", "required": True, "schema": _PATHS[name]} for name in names]
    if about.query is not None:
        parameters += _query_parameters(about.query)
    if about.session:
        statuses |= {401}
    if names:
        statuses |= {404}
    unsafe = method in ("POST", "PUT", "DELETE")
    if unsafe:
        statuses |= {413, 415}
        parameters.append({"name": "X-CSRF-Token", "in": "header", "required": False, "schema": {"type": "string"}})
    shape = out.of(about.answer) if about.answer not in (None, bytes) else {}
    media_types: dict[str, Any] = {media: {"schema": shape} if shape else {} for media in (about.media, *about.also)}
    content = {} if status == 204 else {"content": media_types}
    problem = {"content": {"application/problem+json": {"schema": {"$ref": REF + "Problem"}}}}
    responses: dict[str, Any] = {str(status): {"description": "Done", **content}}
    if about.kept:
        responses["304"] = {"description": "You have it already"}
    for number in sorted(statuses):
        responses[str(number)] = {"description": _TITLES[number], **problem}
    operation: dict[str, Any] = {
        "operationId": re.sub(r"\W+", "-", f"{method.lower()}{path}").strip("-"),
        "summary": about.says,
        "tags": [about.topic],
        "responses": responses,
        "security": [{"session": []}] if about.session else [{}, {"session": []}],
    }
    if parameters:
        operation["parameters"] = parameters
    if about.body is not None:
        shape = taken.of(about.body)
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": shape}}}
    return operation


def _query_parameters(kind: type[msgspec.Struct]) -> list[dict[str, Any]]:
    shapes = Shapes(incoming=True)
    shapes.of(kind)
    record = shapes.components[kind.__name__]
    parameters = []
    for name, schema in record["properties"].items():
        plain = next((option for option in schema.get("anyOf", ()) if option.get("type") != "null"), schema)
        parameters.append({"name": name, "in": "query", "required": name in record["required"], "schema": plain})
    return parameters


def _commands(taken: dict[str, Any]) -> dict[str, Any]:
    """Commands as a client sends them: fields that the session or the house fills in are left out or optional."""
    for shape in taken.values():
        tag = shape["properties"].get("do", {}).get("const")
        if tag is None:
            continue
        for field in FROM_SERVER.get(tag, ()):
            shape["properties"].pop(field, None)
        shape["required"] = [name for name in shape["required"] if name not in _FILLED_IN]
    return taken


@get("/schema/openapi.json", opt=doc("operations", "This description", answer=dict[str, Any]))
async def as_json(request: HttpRequest) -> Response[bytes]:
    return Response(msgspec.json.encode(_document(request.app)), media_type="application/json")


@get("/schema", opt=doc("operations", "This description, for reading", answer=bytes, media="text/html"))
async def as_page(request: HttpRequest) -> Response[bytes]:
    about = _document(request.app)
    rows = [
        f"<tr><td><code>{method.upper()}</code></td><td><code>{escape(path)}</code></td><td>{escape(operation['summary'])}</td>"
        f"<td>{' '.join(operation['responses'])}</td></tr>"
        for path, methods in about["paths"].items()
        for method, operation in methods.items()
    ]
    text = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Punto: API</title><h1>Punto: API</h1>'
        f"<p>{escape(about['info']['description'])}</p>"
        '<p>The whole of it: <a href="/schema/openapi.json">openapi.json</a>. Live tables: '
        "<code>WS /api/tables/{table}/live?after=VERSION</code>.</p><table>" + "".join(rows) + "</table></html>"
    )
    return Response(text.encode(), media_type="text/html")


def _document(app: Litestar) -> dict[str, Any]:
    """Generated on the first request: a start is quick without it."""
    kept: dict[str, Any] | None = getattr(app.state, "document", None)
    if kept is None:
        kept = app.state.document = document(app, version("punto"))
    return kept
