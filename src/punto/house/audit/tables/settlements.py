"""A settlement worked out again as `punto settle` would: from the cards and the stakes, line by line."""

from __future__ import annotations

import msgspec

from punto import money
from punto.game import events as e
from punto.game.record import settle_line
from punto.game.settling import record
from punto.game.table import Laid, Round, SettledLine, Table, Taken
from punto.rulebook.model import Rulebook


def difference(rules: Rulebook, table: Table, event: e.RoundSettled, *, touched: bool) -> str | None:
    """What is wrong with a settlement; None if nothing is. `table` is the one before it.

    In a round that an irregularity touched, insurance may rest on offers that a record can't tell (made late, or put
    on the wrong side): its wagers alone are settled again here, and all of it is decided again elsewhere.
    """
    asked = record(table)
    if touched:
        asked["insurance"] = []
    answer, settled = settle_line(msgspec.json.encode(asked), lambda game, edition, on: (rules, None))
    slip = msgspec.json.decode(answer)
    if not settled:
        return f"the round can't be settled: {slip['error']['message']}"
    for name in ("winner", "player_points", "banker_points"):
        if slip[name] != getattr(event, name):
            return f"{name} is {getattr(event, name)}: by the cards it is {slip[name]}"
    due = {line["id"]: line for line in slip["lines"]}
    return _lines(table.current, event.lines, due)


def _lines(current: Round, lines: tuple[SettledLine, ...], due: dict[str, dict[str, str | None]]) -> str | None:
    """A line for what was in play of every wager, one for what was not, and no other."""
    left = list(lines)
    wagers: list[Laid | Taken] = [*current.wagers.values(), *current.insurance]
    for one in wagers:
        mine = [line for line in lines if line.wager == one.id]
        left = [line for line in left if line.wager != one.id]
        parts = [cents for cents in (one.in_play_cents, one.stake_cents - one.in_play_cents) if cents]
        fault: str | None = None
        if [line.stake_cents for line in mine] != parts or any(line.patron != one.patron for line in mine):
            fault = "its lines are not for what was staked"
        for at, line in enumerate(mine if fault is None else ()):
            if at or not one.in_play_cents:
                whole = line.result == "returned" and line.handed_back_cents == line.stake_cents
                fault = None if whole else "what was not in play did not go back whole"
            else:
                known = line.wager in due and line.wager not in current.spared
                fault = _line(line, due[line.wager]) if known else _sum(line)
            if fault is not None:
                break
        if fault is not None:
            return f"{one.id} of {one.patron} on {one.bet}: {fault}"
    return f"there is a line for {left[0].wager}, which is no wager of the round" if left else None


def _line(line: SettledLine, due: dict[str, str | None]) -> str | None:
    recorded = {
        "bet": str(line.bet),
        "result": line.result,
        "stake": money.amount(line.stake_cents),
        "odds": None if line.odds is None else str(line.odds),
        "winnings": money.amount(line.winnings_cents),
        "handed_back": money.amount(line.handed_back_cents),
        "paragraph": line.paragraph,
    }
    for name, value in recorded.items():
        if due[name] != value:
            return f"{name} is {value} on record and {due[name]} by the rules"
    return None


def _sum(line: SettledLine) -> str | None:
    """A line that only the table can judge still adds up."""
    stake = 0 if line.result == "lost" else line.stake_cents
    return None if line.handed_back_cents == stake + line.winnings_cents else "stake and winnings don't add up"
