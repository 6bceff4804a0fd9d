"""Records for `punto settle`: the contract's example, and others that differ from it in one thing."""

from __future__ import annotations

import json
from typing import Any

EXAMPLE: dict[str, Any] = {
    "id": "r1",
    "game": "tiger-buffalo-non-commission",
    "edition": "2025-11-21",
    "layout": "C",
    "player": ["KH", "7D"],
    "banker": ["2S", "3C", "4H"],
    "wagers": [{"id": "w1", "patron": "ann", "bet": "player", "stake": "100.00"}],
    "insurance": [{"id": "i1", "patron": "ann", "bet": "player_insurance", "after": "four-cards", "stake": "50.00"}],
}

SETTLED: dict[str, Any] = {
    "id": "r1",
    "game": "tiger-buffalo-non-commission",
    "edition": "2025-11-21",
    "winner": "banker",
    "player_points": 7,
    "banker_points": 9,
    "lines": [
        {
            "id": "w1",
            "bet": "player",
            "result": "lost",
            "stake": "100.00",
            "odds": None,
            "winnings": "0.00",
            "handed_back": "0.00",
            "paragraph": "4.1.1",
        },
        {
            "id": "i1",
            "bet": "player_insurance",
            "result": "won",
            "stake": "50.00",
            "odds": "4",
            "winnings": "200.00",
            "handed_back": "250.00",
            "paragraph": "4.1.14",
        },
    ],
    "staked": "150.00",
    "handed_back": "250.00",
}


def record(**changes: Any) -> dict[str, Any]:
    """The example with some keys changed; None leaves a key out."""
    return {key: value for key, value in {**EXAMPLE, **changes}.items() if value is not None}


def line(**changes: Any) -> bytes:
    return json.dumps(record(**changes), ensure_ascii=False).encode()


def staked(text: str) -> bytes:
    """The example with this JSON in the place of its first stake."""
    return line().replace(b'"100.00"', text.encode(), 1)
