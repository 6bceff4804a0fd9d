"""OpenAPI, written from what stands beside every route. Each route says what it takes and everything it can answer.

Answers that any route can give (a bad query, too many requests, a house that stops) are added here.
"""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec
from litestar import Litestar
from litestar.routes import HTTPRoute

from punto.house.people.permissions import FROM_SERVER
from punto.house.table.answers import Problem
from punto.house.web.shapes import REF, Shapes

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
    421: "The house is not served under this name",
    429: "Too many requests: wait",
    503: "The house is stopping or its store is broken",
}


class Doc(msgspec.Struct, frozen=True, kw_only=True):
    """What a route takes and answers. `problems` are the statuses of its own, beside those of every route."""

    topic: str
    says: str
    answer: Any = None
    media: str = "application/json"
    status: int = 200
    body: Any = None
    query: type[msgspec.Struct] | None = None
    session: bool = False
    problems: tuple[int, ...] = ()
    also: tuple[str, ...] = ()
    """Further media types of the answer."""
    kept: bool = False
    """The answer has a tag; who sends it back may get 304."""


def doc(**facts: Any) -> dict[str, Any]:
    """For `opt` of a route."""
    return {"doc": Doc(**facts)}


def document(app: Litestar, version: str) -> dict[str, Any]:
    """The whole OpenAPI document."""
    found = _found(app)
    out, taken = Shapes(incoming=False), Shapes(incoming=True)
    out.of(Problem)
    paths: dict[str, dict[str, Any]] = {}
    for path, method, one in found:
        paths.setdefault(path, {})[method.lower()] = _operation(path, method, one, out, taken)
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


def _found(app: Litestar) -> list[tuple[str, str, Doc]]:
    found: list[tuple[str, str, Doc]] = []
    for route in app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        path = re.sub(r":[a-z]+\}", "}", route.path_format)
        for handler in route.route_handlers:
            one = handler.opt.get("doc")
            if one is not None:
                found += [(path, str(method), one) for method in sorted(handler.http_methods) if method != "OPTIONS"]
    return found


def _operation(path: str, method: str, one: Doc, out: Shapes, taken: Shapes) -> dict[str, Any]:
    # 403: a session that began with a password which somebody else gave does nothing but set its own.
    statuses = {400, 403, 421, 429, 503, *one.problems}
    parameters = [_path_parameter(name) for name in re.findall(r"\{([a-z]+)\}", path)]
    if one.query is not None:
        parameters += _query_parameters(one.query)
    if one.session:
        statuses |= {401}
    unsafe = method in ("POST", "PUT", "DELETE")
    if unsafe:
        statuses |= {413, 415}
        parameters.append({"name": "X-CSRF-Token", "in": "header", "required": False, "schema": {"type": "string"}})
    shape = out.of(one.answer) if one.answer not in (None, bytes) else {}
    told: dict[str, Any] = {media: {"schema": shape} if shape else {} for media in (one.media, *one.also)}
    content = {} if one.status == 204 else {"content": told}
    problem = {"content": {"application/problem+json": {"schema": {"$ref": REF + "Problem"}}}}
    responses: dict[str, Any] = {str(one.status): {"description": "Done", **content}}
    if one.kept:
        responses["304"] = {"description": "You have it already"}
    for status in sorted(statuses):
        responses[str(status)] = {"description": _TITLES[status], **problem}
    operation: dict[str, Any] = {
        "operationId": re.sub(r"\W+", "-", f"{method.lower()}{path}").strip("-"),
        "summary": one.says,
        "tags": [one.topic],
        "responses": responses,
        "security": [{"session": []}] if one.session else [{}, {"session": []}],
    }
    if parameters:
        operation["parameters"] = parameters
    if one.body is not None:
        shape = taken.of(one.body)
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": shape}}}
    return operation


def _path_parameter(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": _PATHS[name]}


def _query_parameters(kind: type[msgspec.Struct]) -> list[dict[str, Any]]:
    shapes = Shapes(incoming=True)
    shapes.of(kind)
    record = shapes.components[kind.__name__]
    found = []
    for name, schema in record["properties"].items():
        plain = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
        found.append({"name": name, "in": "query", "required": name in record["required"], "schema": plain})
    return found


def _commands(taken: dict[str, Any]) -> dict[str, Any]:
    """Commands as a client sends them: what the session or the house fills in is left out or need not be there."""
    for shape in taken.values():
        tag = shape["properties"].get("do", {}).get("const")
        if tag is None:
            continue
        for field in FROM_SERVER.get(tag, ()):
            shape["properties"].pop(field, None)
        shape["required"] = [name for name in shape["required"] if name not in _FILLED_IN]
    return taken
