"""The one way to say no: a value with a stable code, a sentence and the paragraph. Nothing is raised for it."""

from __future__ import annotations

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """Something asked for that the rules do not allow. `paragraph` is None where no rule is concerned."""

    code: str
    message: str
    paragraph: str | None


def refuse(code: str, message: str, paragraph: str | None = None) -> Refusal:
    return Refusal(code, message, paragraph)
