"""The score boards of the shoe in use, with the hands that began with a pair."""

from __future__ import annotations

from typing import Any

from punto.game import roads as drawn
from punto.game.table import Shoe
from punto.house.history.pairs import paired
from punto.house.store import Store


async def boards(store: Store, table: str, shoe: Shoe | None) -> dict[str, Any]:
    """The boards of a shoe; of a shuffler that was never loaded anew, those of its newest hands."""
    rounds = list(shoe.results)[-drawn.LONGEST :] if shoe is not None else []
    results = "".join(shoe.results[number] for number in rounds) if shoe is not None else ""
    pairs = await paired(store, table, shoe, rounds) if shoe is not None else []
    counts = {
        "player": results.count("P"),
        "banker": results.count("B"),
        "tie": results.count("T"),
        "player_pair": sum(one.player for one in pairs),
        "banker_pair": sum(one.banker for one in pairs),
    }
    number = shoe.number if shoe is not None else None
    found = drawn.to_json(drawn.roads(results))
    return {**found, "results": results, "pairs": pairs, "counts": counts, "shoe": number}
