"""A refusal's facts hold what its sentence names, so that it can be translated without reading the English."""

from __future__ import annotations

import json
import re
from typing import Any

from punto.codes import Code
from punto.rulebook.model import Bet, Insurance
from tests.transcripts import reading

NAMED = re.compile(r"\b(?:box \d+|\d+\.\d\d|[a-z]+(?:_[a-z]+)+)\b")
BETS = {*Bet, *Insurance}


def spoken_of(sentence: str) -> set[str]:
    """The boxes, amounts and bets that a sentence names before the word “expected”."""
    said, _, _ = sentence.partition("expected")
    words = {word.removeprefix("box ") for word in NAMED.findall(said)}
    return {word for word in words if word[0].isdigit() or word in BETS}


def test_a_refusal_carries_what_its_sentence_speaks_of() -> None:
    lines = [
        json.loads(line)
        for name in (*reading.names(), *reading.irregular_names())
        for line in reading.printed(name).read_text("utf-8").splitlines()
    ]
    refusals: list[dict[str, Any]] = [line["refused"] for line in lines if "refused" in line]
    assert sum(1 for refused in refusals if "facts" in refused) > 100
    for refusal in refusals:
        if refusal["code"] == Code.BAD_COMMAND:
            continue  # its sentence quotes what can't be read
        facts = {str(fact) for fact in refusal.get("facts", {}).values()}
        assert spoken_of(refusal["message"]) <= facts, refusal
