"""The second checker finds every broken promise: each is broken in turn."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.house.failover.promises import Row, Said, Transfer, faults

STREAM = "table/f1"
ORDER = ["2S", "KH", "7D", "3C", "9C"]


def row(version: int, key: str | None, count: int, event: str, **fields: object) -> Row:
    return Row(STREAM, version, key, count, {"event": event, **fields})


def said(key: str, sent: float, answered: float, status: int = 200, version: int = 0) -> Said:
    body = json.dumps({"version": version} if status == 200 else {"code": "no"}).encode()
    return Said(STREAM, key, sent, answered, status, body if status else b"")


def rows() -> list[Row]:
    return [
        row(1, "house/1", 1, "shoe-loaded", order=ORDER),
        row(2, "house/2", 2, "cards-burnt", card="2S", skipped=1),
        row(3, None, 0, "betting-opened", round=1),
        row(4, "ann/1", 1, "wager-placed", patron="ann"),
        row(5, "bob/1", 1, "wager-placed", patron="bob"),
        row(6, "house/3", 2, "card-drawn", card="7D", place="P1"),
        row(7, None, 0, "card-drawn", card="3C", place="B1"),
    ]


def answers() -> list[Said]:
    return [
        said("ann/1", 1.0, 9.0, status=0),
        said("ann/1", 9.0, 10.0, version=4),
        said("bob/1", 2.0, 3.0, version=5),
        said("bob/2", 4.0, 5.0, status=409),
        said("bob/2", 6.0, 7.0, status=409),
        said("bob/3", 8.0, 9.0, status=503),
    ]


def transfers() -> list[Transfer]:
    return [
        Transfer(STREAM, 4, "chips/f1/ann", "escrow/f1", 1000),
        Transfer(STREAM, 5, "chips/f1/bob", "escrow/f1", 1000),
        Transfer(STREAM, 7, "escrow/f1", "house/f1", 2000),
    ]


def test_a_house_that_kept_its_word() -> None:
    """Also where an answer was lost and the key sent again: ann/1 is on record first, but was answered last."""
    assert faults(answers(), rows(), transfers()) == []


Break = Callable[[list[Said], list[Row], list[Transfer]], object]

BREAKS: dict[str, Break] = {
    "bob/1 was accepted and is lost": lambda a, r, t: r.__setitem__(4, row(5, "house/9", 1, "limits-set")),
    "ann/1 has a second effect": lambda a, r, t: r.append(row(8, "ann/1", 1, "limits-set")),
    "was answered in two ways": lambda a, r, t: a.append(said("bob/1", 11.0, 12.0, version=6)),
    "is on record at 4": lambda a, r, t: a.__setitem__(1, said("ann/1", 9.0, 10.0, version=5)),
    "bob/2 was refused and is on record": lambda a, r, t: r.append(row(8, "bob/2", 1, "limits-set")),
    "bob/9 is on record and was never sent": lambda a, r, t: r.append(row(8, "bob/9", 1, "limits-set")),
    "ann/1 stands before bob/1, which was answered before": lambda a, r, t: a.__setitem__(
        slice(0, 2), [said("ann/1", 3.5, 10.0, version=4)]
    ),
    "version 8 follows 6": lambda a, r, t: r.__setitem__(6, row(8, None, 0, "card-drawn", card="3C", place="B1")),
    "it begins with version 2": lambda a, r, t: r.pop(0),
    "is no whole command": lambda a, r, t: r.pop(),
    "deals another card": lambda a, r, t: r.append(row(8, "house/4", 1, "card-drawn", card="3C", place="P2")),
    "burns another card": lambda a, r, t: r.__setitem__(1, row(2, "house/2", 2, "cards-burnt", card="KH", skipped=1)),
    "B1 of round 1 is dealt twice": lambda a, r, t: r.append(row(8, "house/4", 1, "card-drawn", card="9C", place="B1")),
    "round 1 follows 1": lambda a, r, t: r.append(row(8, "house/4", 1, "betting-opened", round=1)),
    "version 4 moves 0 stakes": lambda a, r, t: t.pop(0),
    "version 5 moves 2 stakes": lambda a, r, t: t.append(t[1]),
}


@pytest.mark.parametrize("message", BREAKS)
def test_a_promise_that_was_broken_is_found(message: str) -> None:
    replies, kept, moved = answers(), rows(), transfers()
    BREAKS[message](replies, kept, moved)
    problems = faults(replies, kept, moved)
    assert any(message in problem for problem in problems), problems
