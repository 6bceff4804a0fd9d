"""Responses to requests, as bytes. A key that was accepted or refused gets the same bytes when it is sent again."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Final

import msgspec

from punto.codes import Code
from punto.game import notation
from punto.game.audience import Audience, shown
from punto.game.refusals import Fact, Refusal
from punto.house.store.codec import RecordedEvent

ACCEPTED: Final = 200
REFUSED: Final = 409
"""The rules say no: the command was understood, and the table does not allow it."""

KEY_REUSED: Final = Refusal(Code.KEY_REUSED, "this key was already used for another request: use a new key", None)
NO_FUNDS: Final = Refusal(Code.NOT_ENOUGH_FUNDS, "the wallet does not hold that much", None)


class Denied(msgspec.Struct, frozen=True):
    """Why somebody may not do something, with the HTTP status. Unlike a refusal it is not stored: it depends on who
    asks and when, not on the rules."""

    code: Code
    message: str
    status: int = 403


class Answer(msgspec.Struct, frozen=True):
    """`status` is the HTTP one. `json` is `{"table","version","events"}`, or a problem with code and paragraph."""

    status: int
    json: bytes

    @property
    def accepted(self) -> bool:
        return self.status == ACCEPTED

    @property
    def code(self) -> str | None:
        """The problem's code; None for an accepted request."""
        return None if self.accepted else msgspec.json.decode(self.json, type=_Code).code


class _Code(msgspec.Struct):
    code: str


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A problem object of RFC 9457, with our code and the paragraph."""

    type: str = "about:blank"
    title: str
    status: int
    code: Code
    detail: str
    paragraph: str | msgspec.UnsetType = msgspec.UNSET
    facts: dict[str, Fact] | msgspec.UnsetType = msgspec.UNSET
    """The values that `detail` mentions, for clients that translate it."""


def accepted(table: str, version: int, recorded: Iterable[RecordedEvent], audience: Audience, patron: str) -> Answer:
    """The events of one request as its actor may see them; `version` is the table's after the last of them."""
    written = []
    for record in recorded:
        event: object = shown(record.event, audience, patron)  # with its precise type mypy takes seconds
        if event is not None:
            written.append(record.written if event is record.event else notation.encode(event))
    start = b'{"table":%s,"version":%d,"events":[' % (notation.quoted(table), version)
    return Answer(ACCEPTED, b"%s%s]}" % (start, b",".join(written)))


def refused(refusal: Refusal) -> Answer:
    """The response where the rules say no."""
    return Answer(REFUSED, problem(REFUSED, refusal, title="Refused"))


def denied(denial: Denied) -> Answer:
    """The response where this person may not, or not now."""
    return Answer(denial.status, problem(denial.status, Refusal(denial.code, denial.message, None)))


def remembered(json: bytes) -> Answer:
    """The response for a stored refusal."""
    return Answer(REFUSED, json)


def problem(status: int, refusal: Refusal, title: str = "") -> bytes:
    """A problem as JSON. Its title is by default that of the HTTP status."""
    record = Problem(
        title=title or HTTPStatus(status).phrase,
        status=status,
        code=refusal.code,
        detail=refusal.message[:1000],
        paragraph=refusal.paragraph if refusal.paragraph is not None else msgspec.UNSET,
        facts=refusal.facts or msgspec.UNSET,
    )
    return notation.encode(record)
