"""How fast rounds of ten wagers settle, from JSON to JSON, compared with the plain oracle in the same run."""

from __future__ import annotations

import datetime as dt
import json
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from punto import api
from punto.game.record import settle_line
from punto.rulebook import load
from punto.rulebook.model import Rulebook
from tests.oracle import plain

RECORDS = 40_000
ORACLE_RECORDS = 2_000


def records(count: int) -> list[bytes]:
    """Random rounds of every edition and layout, ten wagers each."""
    chance = random.Random(1)
    books = [load.edition(source.game, source.edition) for source in load.catalogue()]
    lines = []
    for number in range(count):
        rules = chance.choice(books)
        layout = rules.layouts[chance.choice(list(rules.layouts))]
        coup = api.deal(rules, chance) if number % 50 == 0 or not lines else coup  # noqa: F821 (a fresh shoe is slow)
        wagers = [
            {
                "id": f"w{at}",
                "patron": "ann",
                "bet": chance.choice(layout.bets),
                "stake": f"{chance.randint(1, 9999)}.50",
            }
            for at in range(10)
        ]
        record = {
            "id": f"r{number}",
            "game": rules.source.game,
            "edition": rules.source.edition,
            "layout": layout.id,
            "player": [str(card) for card in coup.player],
            "banker": [str(card) for card in coup.banker],
            "wagers": wagers,
        }
        lines.append(json.dumps(record).encode())
    return lines


def main() -> None:
    """Print records a second and the ratio to the oracle."""
    lines = records(RECORDS)
    now = dt.datetime.now(dt.UTC)

    def governing(game: str, edition: str | None, on: str | None) -> tuple[Rulebook, str | None]:
        assert edition is not None
        assert on is None, now
        return load.edition(game, edition), None

    for line in lines[:600]:
        settle_line(line, governing)
    start = time.perf_counter()
    for line in lines:
        settle_line(line, governing)
    ours = RECORDS / (time.perf_counter() - start)
    start = time.perf_counter()
    for line in lines[:ORACLE_RECORDS]:
        json.dumps(plain.settle_record(json.loads(line)))
    theirs = ORACLE_RECORDS / (time.perf_counter() - start)
    print(f"punto settle  {ours:>10,.0f} records/s, ten wagers each, JSON in and out, one core")
    print(f"plain oracle  {theirs:>10,.0f} records/s")
    print(f"ratio         {ours / theirs:>10.1f}")


if __name__ == "__main__":
    main()
