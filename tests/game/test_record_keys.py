"""A usual record is settled without its keys being looked through one by one; one that has a key twice is refused."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

from punto.game import record
from punto.game.record import settle_in_full
from punto.rulebook import load
from punto.rulebook.model import Rulebook
from tests.every import of_every

PLAIN: dict[str, Any] = {
    "game": "tiger-buffalo-commission",
    "layout": "A",
    "player": ["KH", "7D"],
    "banker": ["2S", "3C", "4H"],
}
EDITION = {"edition": "2025-11-21"}
WAGER = {"bet": "player", "stake": "100.00"}
INSURANCE = {"bet": "player_insurance", "after": "four-cards", "stake": "10.00"}
NAMED = {"id": "w1", "patron": "ann"}
LIMITS = {"maximum": "500.00", "maximum_differential": "1000.00"}


def parts(of: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same record with every subset of its keys."""
    for keys in itertools.product((False, True), repeat=len(of)):
        yield {key: value for (key, value), there in zip(of.items(), keys, strict=True) if there}


def shapes() -> Iterator[dict[str, Any]]:
    for more in parts({"id": "r1", "decks": 8, "limits": LIMITS}):
        yield {**PLAIN, **EDITION, **more}
    yield {**PLAIN, "on": "2025-12-01T08:00:00+08:00", "wagers": [WAGER]}
    for limits in parts(LIMITS):
        yield {**PLAIN, **EDITION, "limits": limits, "wagers": [WAGER]}
    for named in parts(NAMED):
        for number in (1, 3):
            yield {**PLAIN, **EDITION, "wagers": [{**WAGER, **named}, WAGER][:number] + [WAGER] * (number - 1)}
            patron = {key: value for key, value in named.items() if key == "patron"}
            rows = [{**INSURANCE, **named}] * number
            yield {**PLAIN, **EDITION, "wagers": [{**WAGER, **patron}], "insurance": rows}


def governing(game: str, edition: str | None, on: str | None) -> tuple[Rulebook, str | None]:
    return load.edition(game, edition or "2025-11-21"), None


def test_a_usual_record_is_known_by_the_number_of_its_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_through: list[bytes] = []
    monkeypatch.setattr(record, "key_twice", looked_through.append)
    for shape in shapes():
        answer, _ = settle_in_full(json.dumps(shape).encode(), governing)
        assert not looked_through, looked_through
        assert b"bad-record" not in answer, answer


@of_every(tuple(json.dumps(shape) for shape in shapes()))
def test_each_key_of_a_record_stands_once(line: str) -> None:
    for name in dict.fromkeys(json.loads(line)):
        value = json.dumps(json.loads(line)[name])
        twice = line.replace(f'"{name}": ', f'"{name}": {value}, "{name}": ', 1)
        answer, good = settle_in_full(twice.encode(), governing)
        assert not good
        assert json.loads(answer)["error"]["message"] == f"{name!r} is given twice: expected every key once"
