"""Schemathesis over the whole schema as every role: no 5xx, no answer that is not described.

Each request is drawn once and sent by everybody, because drawing it takes longer than answering it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi import checks as openapi

from tests.house.web.running import GAME, STAFF, Person, Server, guest, serving, staff
from tests.patience import LONG_S

EXAMPLES = 5
ENDS_THE_SESSION = {("POST", "/api/guests"), ("POST", "/api/sessions"), ("DELETE", "/api/sessions/current")}
"""Only the visitor without a session tries these; logging in and out has tests of its own."""
REAL = {"table": GAME, "game": GAME, "edition": "2025-11-21", "number": 1, "name": "dealer"}
CHECKS = (
    schemathesis.checks.not_a_server_error,
    openapi.status_code_conformance,
    openapi.content_type_conformance,
    openapi.response_schema_conformance,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of its own: what is tried here locks people out."""
    with serving(tmp_path_factory.mktemp("schema"), "--no-rate-limits") as house:
        yield house


@pytest.fixture(scope="module")
def everybody(server: Server) -> Iterator[list[Person]]:
    with ExitStack() as held:
        people = [Person(server), guest(server), *(staff(server, role) for role in STAFF)]
        yield [held.enter_context(person) for person in people]


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=lambda mode: mode.value)
def test_every_answer_is_described(server: Server, everybody: list[Person], mode: GenerationMode) -> None:
    described: Any = schemathesis.openapi.from_url(f"{server.url}/schema/openapi.json")
    with requests.Session() as session:
        tried = {
            (result.ok().method, result.ok().path): _tried(result.ok(), mode, everybody, session)
            for result in described.get_all_operations()
        }
    assert len(tried) > 30
    assert sum(tried.values()) > 500


def _tried(operation: Any, mode: GenerationMode, everybody: list[Person], session: requests.Session) -> int:
    """Send some examples of an operation as everybody. Every other example names things that exist."""
    count = 0
    ends = (operation.method.upper(), operation.path) in ENDS_THE_SESSION

    @settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def try_case(case: Any) -> None:
        nonlocal count
        if count % 2 and case.path_parameters:
            case.path_parameters.update({name: REAL[name] for name in case.path_parameters if name in REAL})
        for person in everybody[:1] if ends else everybody:
            count += 1
            headers = {"Cookie": person.cookie, "X-CSRF-Token": person.csrf} if person.name else {}
            answer = case.call(session=session, headers=headers, timeout=LONG_S)
            case.validate_response(answer, checks=CHECKS)
            session.cookies.clear()

    with suppress(Unsatisfiable):  # an operation that takes nothing has nothing to get wrong
        try_case()
    return count
