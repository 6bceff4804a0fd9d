"""How a command was answered, as the bytes that leave the house: the same bytes whenever its key is sent again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

import msgspec

from punto.codes import Code
from punto.game import notation
from punto.game.audience import Audience, shown
from punto.game.commands import AnyCommand
from punto.game.refusals import Fact, Refusal
from punto.house.store.codec import Moved

ACCEPTED: Final = 200
REFUSED: Final = 409
"""The rules say no: the command was understood, and the table does not allow it."""

KEY_REUSED: Final = Refusal(Code.KEY_REUSED, "this key came with another command before: take a new one", None)
NO_FUNDS: Final = Refusal(Code.NOT_ENOUGH_FUNDS, "the wallet does not hold that much", None)


class Answer(msgspec.Struct, frozen=True):
    """`status` is the HTTP one. `json` is `{"table","version","events"}`, or a problem with code and paragraph."""

    status: int
    json: bytes

    @property
    def accepted(self) -> bool:
        return self.status == ACCEPTED

    @property
    def code(self) -> str | None:
        """Why it was refused; None where it was not."""
        return None if self.accepted else msgspec.json.decode(self.json, type=_Code).code


class _Code(msgspec.Struct):
    code: str


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A problem as RFC 9457 has it, with our code and the paragraph."""

    type: str = "about:blank"
    title: str
    status: int
    code: Code
    detail: str
    paragraph: str | msgspec.UnsetType = msgspec.UNSET
    facts: dict[str, Fact] | msgspec.UnsetType = msgspec.UNSET
    """What the sentence speaks of, for whoever says it in another language."""


def body_of(commands: Sequence[AnyCommand]) -> bytes:
    """What tells one list of commands from another under the same key."""
    return sha256(notation.encode(commands)).digest()


def accepted(table: str, version: int, moved: Iterable[Moved], audience: Audience, patron: str) -> Answer:
    """The events of one command as its asker may see them; `version` is the table's after the last of them."""
    told = []
    for one in moved:
        seen = shown(one.event, audience, patron)
        if seen is not None:
            told.append(one.written if seen is one.event else notation.encode(seen))
    start = b'{"table":%s,"version":%d,"events":[' % (notation.quoted(table), version)
    return Answer(ACCEPTED, b"%s%s]}" % (start, b",".join(told)))


def refused(refusal: Refusal, status: int = REFUSED) -> Answer:
    problem = Problem(
        title="Refused",
        status=status,
        code=refusal.code,
        detail=refusal.message,
        paragraph=refusal.paragraph if refusal.paragraph is not None else msgspec.UNSET,
        facts=refusal.facts or msgspec.UNSET,
    )
    return Answer(status, notation.encode(problem))


def remembered(json: bytes) -> Answer:
    """A refusal as the store kept it."""
    return Answer(REFUSED, json)
