"""Schemathesis over the whole schema as every role: no 5xx, no answer that is not described."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi import checks as openapi
from tests.house.web.running import GAME, Person, Server, guest, staff

ROLES = ("nobody", "patron", "dealer", "pit-supervisor", "pit-manager", "shift-manager", "auditor")
EXAMPLES = 5
ENDS_THE_SESSION = {("POST", "/api/guests"), ("POST", "/api/sessions"), ("DELETE", "/api/sessions/current")}
"""Only nobody tries these; logging in and out has tests of its own."""
REAL = {"table": GAME, "game": GAME, "edition": "2025-11-21", "number": 1, "name": "dealer"}
CHECKS = (
    schemathesis.checks.not_a_server_error,
    openapi.status_code_conformance,
    openapi.content_type_conformance,
    openapi.response_schema_conformance,
)


@pytest.fixture(scope="module")
def described(server: Server) -> Any:
    return schemathesis.openapi.from_url(f"{server.url}/schema/openapi.json")


@pytest.mark.parametrize("role", ROLES)
def test_every_answer_is_described(server: Server, described: Any, role: str) -> None:
    with Person(server) as nobody, guest(server) if role == "patron" else _staff(server, role) or nobody as person:
        headers = {"Cookie": person.cookie, "X-CSRF-Token": person.csrf} if person.name else {}
        tried = 0
        for found in described.get_all_operations():
            operation = found.ok()
            act = (operation.method.upper(), operation.path)
            if person.name and act in ENDS_THE_SESSION:
                continue
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                tried += _tried(operation, mode, headers)
        assert tried > 100


def _staff(server: Server, role: str) -> Person | None:
    return staff(server, role) if role != "nobody" else None


def _tried(operation: Any, mode: GenerationMode, headers: dict[str, str]) -> int:
    """As many examples of an operation as are asked for; every other one names things that there are."""
    count = 0

    @settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def one(case: Any) -> None:
        nonlocal count
        count += 1
        if count % 2 and case.path_parameters:
            case.path_parameters.update({name: REAL[name] for name in case.path_parameters if name in REAL})
        case.headers.update(headers)
        answer = case.call()
        case.validate_response(answer, checks=CHECKS)

    try:
        one()
    except schemathesis.core.errors.SchemathesisError as error:
        assert "negat" in str(error).lower() or "unsatisf" in str(error).lower(), error
    return count
