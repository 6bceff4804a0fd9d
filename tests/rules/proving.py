"""What a proof is: a claim about a topic that holds under the rulebook and fails as soon as the paragraph is broken.

Run as a program (`python -m tests.rules.proving`) it writes the list of proofs that is shipped with the package.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec
import pytest

from punto.rulebook import trace
from punto.rulebook.model import Rulebook

Break = Callable[[pytest.MonkeyPatch, Rulebook], Rulebook]
"""Breaks what a paragraph says: gives a changed copy of the rulebook, or patches the code and gives a fresh copy."""

Claim = Callable[[Rulebook], None]


@dataclass(frozen=True, kw_only=True)
class Proof:
    """A claim, the topics that it proves in the games whose name starts with `game`, and the breaks it must notice."""

    topics: tuple[str, ...]
    game: str
    breaks: tuple[Break, ...]
    claim: Claim

    @property
    def name(self) -> str:
        """As `punto rules trace` writes it: file and function."""
        return f"{self.claim.__module__.rpartition('.')[2]}.py::{self.claim.__name__}"

    def concerns(self, rules: Rulebook, topic: str) -> bool:
        return topic in self.topics and rules.source.game.startswith(self.game)


def proves(*topics: str, broken_by: Break | tuple[Break, ...], game: str = "") -> Callable[[Claim], Proof]:
    """Make a claim a proof. Each break is tried on its own, and the claim must fail under every one of them."""
    breaks = broken_by if isinstance(broken_by, tuple) else (broken_by,)

    def proof(claim: Claim) -> Proof:
        return Proof(topics=topics, game=game, breaks=breaks, claim=claim)

    return proof


def shipped(proofs: tuple[trace.Proof, ...]) -> bytes:
    """The list of proofs as it is shipped: JSON, one proof a line."""
    return b"[\n" + b",\n".join(msgspec.json.encode(proof) for proof in proofs) + b"\n]\n"


if __name__ == "__main__":
    listed = trace.proofs()
    trace.SHIPPED.write_bytes(shipped(listed))
    print(f"{trace.SHIPPED}: {len(listed)} proofs")
