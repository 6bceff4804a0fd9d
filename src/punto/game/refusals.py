"""The one way to say no: a value with a code, its facts, a sentence and the paragraph. Nothing is raised for it.

The sentence is in English. Whoever says it in another language takes the code and the facts.

A refusal is stored and sent again. So it repeats only as much of the request as identifies it: a name that no rule
knows is cut, and so is a long sentence.
"""

from __future__ import annotations

from typing import Final

import msgspec

from punto.codes import Code

LONGEST_NAME: Final = 40
"""Letters of a name that a refusal repeats. No name that the rules know is longer."""
LONGEST_SENTENCE: Final = 600
"""Bytes of a refusal's sentence. The longest that the game says by itself lists every irregularity, in some 400."""
_MORE: Final = "…"


Fact = str | int
"""An amount is a decimal string, a bet or a rank its id."""


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something asked for that the rules do not allow. `paragraph` is None where no rule is concerned."""

    code: Code
    message: str
    paragraph: str | None
    facts: dict[str, Fact] = {}


def refuse(code: Code, message: str, paragraph: str | None = None, **facts: Fact) -> Refusal:
    if len(message) * 4 > LONGEST_SENTENCE and len(message.encode()) > LONGEST_SENTENCE:
        kept = message.encode()[: LONGEST_SENTENCE - len(_MORE.encode())]
        message = kept.decode(errors="ignore") + _MORE
    for name, fact in facts.items():
        if isinstance(fact, str) and len(fact) > LONGEST_NAME:
            facts[name] = cut(fact)
    return Refusal(code, message, paragraph, facts)


def named(text: str) -> str:
    """A name as somebody asked for it, between quotes, cut where it is long."""
    return repr(cut(text))


def cut(text: str) -> str:
    """A name that the rules may not know, without quotes."""
    return text if len(text) <= LONGEST_NAME else text[:LONGEST_NAME] + _MORE
