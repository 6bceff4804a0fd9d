"""Scripts too long to write by hand: a whole shoe of hands, a shoe that runs out, a table that is full."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from punto.cards import DECK

PICTURES: Final = "TJQK"


def long_scripts() -> dict[str, str]:
    """Name → script."""
    return {
        "live-hand-limits": _text(_HAND_LIMITS, _hand_limits()),
        "shoe-runs-out": _text(_RUNS_OUT, _runs_out()),
        "table-is-full": _text(_FULL, _full()),
    }


_HAND_LIMITS: Final = """\
# Live: Big and Small are open for hands 1 to 30 of a live shoe; pairs, naturals and Super 6+ for hands 1 to 60 (L4).
# Written by tests/transcripts/long_scripts.py. Paragraphs: 7.3, 8.2, 9.3, 10.4, 3.4, 3.8, 3.9, 3.10.
# Burn AS: one card is skipped. Every hand is a Player natural: 9 against 7 up to hand 32, then 8 against 6.
# Hand 30: Small 10 x 1.5 = +15, Big -10. Hand 31: both closed.
# Hand 60: Natural 8 10 x 8 = +80, Player Pair -10, Super 6+ -10.
# Hand 61: all closed; Player +100. Together +165.
# expect ann 1165.00
"""


def _hand_limits() -> Iterator[dict[str, Any]]:
    yield from _opening("live-baccarat-insurance-commission/undated", "live", 7)
    yield {"do": "load-shoe", "by": "dora", "count": 416, "shuffled": True}
    yield {"do": "burn", "by": "dora", "card": "AS"}
    faces = {rank: [str(card) for card in DECK * 8 if card.rank in rank] for rank in ("9", "8", "7", "6", PICTURES)}
    wagers = {30: ("small", "big"), 31: ("small", "big"), 60: ("player_pair", "player_natural_8", "super_6_plus")}
    wagers[61] = (*wagers[60], "banker_pair", "banker_natural_9")
    for hand in range(1, 62):
        high, low = ("9", "7") if hand <= 32 else ("8", "6")
        yield {"do": "open-betting", "by": "dora"}
        for bet in wagers.get(hand, ()):
            yield {"do": "place-wager", "patron": "ann", "box": 1, "bet": bet, "stake": "10.00"}
        if hand == 61:
            yield {"do": "place-wager", "patron": "ann", "box": 1, "bet": "player", "stake": "100.00"}
        yield {"do": "close-betting", "by": "dora"}
        for rank in (high, low, PICTURES, PICTURES):
            yield {"do": "draw-card", "by": "dora", "card": faces[rank].pop()}
        yield {"do": "settle", "by": "dora"}


_RUNS_OUT: Final = """\
# A shoe without a cut card is dealt to its last card: the next round has too few. 2025 with commission, four decks.
# Written by tests/transcripts/long_scripts.py. Paragraphs: 5.5, 2.2.1.
# 52 rounds of four cards each, for every Player hand is a natural. ann's wager of the last still lies on the layout.
# expect ann 900.00
"""


def _runs_out() -> Iterator[dict[str, Any]]:
    yield from _opening("tiger-buffalo-commission/2025-11-21", "A", 6, decks=4, source="virtual")
    left = Counter(str(card) for card in DECK * 4)

    def take(ranks: str) -> str:
        face = next(face for face, count in left.items() if count and face[0] in ranks)
        left[face] -= 1
        return face

    ranks = [("9", PICTURES)] * 16 + [("8", PICTURES)] * 16 + [("4", "5")] * 16 + [("7", "A")] * 4
    naturals = [(take(first), take(second)) for first, second in ranks]
    rest = list(left.elements())
    top = [face for first, second in naturals for face in (first, rest.pop(), second, rest.pop())]
    yield {"do": "load-shoe", "by": "dora", "count": 208, "shuffled": True, "top": top}
    for number in range(1, 54):
        yield {"do": "open-betting", "by": "dora"}
        if number == 53:
            yield {"do": "place-wager", "patron": "ann", "box": 1, "bet": "player", "stake": "100.00"}
        yield {"do": "close-betting", "by": "dora"}
        yield from [{"do": "draw-card", "by": "dora"}] * (4 if number < 53 else 1)
        if number < 53:
            yield {"do": "settle", "by": "dora"}


_FULL: Final = """\
# A table has at most 256 patrons. One who walked away keeps a place while there are chips. 2025 without commission.
# Written by tests/transcripts/long_scripts.py. Paragraphs: 1.20.
# expect ann 1000.00
"""


def _full() -> Iterator[dict[str, Any]]:
    yield from _opening("tiger-buffalo-non-commission/2025-11-21", "A", 6)
    for number in range(2, 258):
        yield {"do": "join", "patron": f"guest {number}"}
    yield {"do": "leave", "patron": "guest 2"}
    yield {"do": "join", "patron": "guest 258"}
    yield {"do": "join", "patron": "guest 2"}
    yield {"do": "leave", "patron": "ann"}
    yield {"do": "join", "patron": "guest 259"}


def _opening(edition: str, layout: str, positions: int, **more: Any) -> Iterator[dict[str, Any]]:
    limits = {"minimum": "50.00", "maximum_differential": "1000.00"}
    opening = {"do": "open-table", "by": "sam", "table": "T1", "edition": edition, "layout": layout}
    yield {**opening, "positions": positions, "limits": limits, **more}
    yield {"do": "start-duty", "name": "dora", "rank": "dealer"}
    yield {"do": "join", "patron": "ann", "chips": "1000.00"}
    yield {"do": "sit", "patron": "ann", "box": 1}


def _text(header: str, commands: Iterator[dict[str, Any]]) -> str:
    return header + "".join(json.dumps(command) + "\n" for command in commands)
