"""Rounds as `punto audit-rounds` reads them: cards and wagers of one edition, so that a second program checks every
payment. Rounds with a ruling are left out: `punto audit` recomputes those."""

from __future__ import annotations

from typing import Any, Final

from punto.house.history.past_round import PastRound, is_excess

PLACES: Final = ("P1", "P2", "P3", "B1", "B2", "B3")
RECORDED: Final[tuple[str, ...]] = (
    *("table", "round", "at", "layout"),
    *("player_1", "player_2", "player_3", "banker_1", "banker_2", "banker_3", "wagers"),
)


def schema(pa: Any, edition: str) -> Any:
    """The schema of the file. Its metadata names the edition."""
    texts, cents = ("wager", "patron", "bet", "after"), ("stake_cents", "handed_back_cents")
    wager = pa.struct([*((name, pa.string()) for name in texts), *((name, pa.int64()) for name in cents)])
    columns = [(name, pa.string() if name != "wagers" else pa.list_(wager)) for name in RECORDED]
    return pa.schema(columns, metadata={"punto.edition": edition})


def row(past: PastRound, layout: str) -> tuple[Any, ...] | None:
    """`layout` is the one that it was played on. None if the rules alone did not settle the round."""
    if past.state != "settled" or past.ruled_on or past.corrected:
        return None
    after = {held.insurance: held.after.value for held in past.insurance}
    wagers = [
        {
            "wager": line.wager,
            "patron": line.patron,
            "bet": line.bet,
            "after": after.get(line.wager),
            "stake_cents": int(line.stake_cents),
            "handed_back_cents": int(line.handed_back_cents),
        }
        for line in past.lines
        if not is_excess(line, past.lines)
    ]
    cards = (past.cards.get(place) for place in PLACES)
    return (past.table, f"{past.table}/{past.round}", past.at, layout, *cards, wagers)
