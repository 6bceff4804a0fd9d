"""What is certain before the last card (W4, W5): bets that win, or lose, in every completion of the exposed cards."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from typing import Final

from punto.cards import POINTS, RANKS
from punto.game.outcome import Outcome, Pairs, ends
from punto.game.settlement import pay_table
from punto.rulebook.model import Bet, Rulebook

POSITIONS: Final = ("P1", "B1", "P2", "B2", "P3", "B3")
"""Places of a coup in the order of the deal."""

Exposed = dict[str, str]
"""Place → rank of the card that lies open there. A face-down or undealt card is simply not in it."""

_Start = tuple[int, str | None]
"""Two cards of one hand: their points, and the rank if they are a pair."""


def conclusive(rules: Rulebook, available: tuple[Bet, ...], exposed: Exposed) -> dict[Bet, str]:
    """W4: the available bets that are conclusively won or lost on these exposed cards, whatever lies hidden."""
    won, lost = _certain(rules, tuple(exposed.get(place) for place in POSITIONS))
    bits = _bits(rules)
    return {bet: "won" if won & bits[bet] else "lost" for bet in available if (won | lost) & bits[bet]}


def established(rules: Rulebook, available: tuple[Bet, ...], exposed: Exposed) -> bool:
    """W5: at least one available bet is conclusively won or lost."""
    return bool(conclusive(rules, available, exposed))


@lru_cache(maxsize=64)
def _bits(rules: Rulebook) -> dict[Bet, int]:
    return {bet: 1 << at for at, bet in enumerate(rules.bets)}


@lru_cache(maxsize=64)
def _masks(rules: Rulebook) -> dict[Outcome, tuple[int, int]]:
    """Outcome → the bets it wins and the bets it loses, as bits."""
    bits = _bits(rules)
    masks = {}
    for outcome, verdicts in pay_table(rules).items():
        won = sum(bit for bet, bit in bits.items() if verdicts[bet].result == "won")
        lost = sum(bit for bet, bit in bits.items() if verdicts[bet].result == "lost")
        masks[outcome] = (won, lost)
    return masks


@lru_cache(maxsize=1 << 16)
def _certain(rules: Rulebook, exposed: tuple[str | None, ...]) -> tuple[int, int]:
    """The bets won, and the bets lost, in all completions. Depletion is ignored (W4)."""
    player_1, banker_1, player_2, banker_2, player_3, banker_3 = exposed
    third, last = (None if rank is None else POINTS[rank] for rank in (player_3, banker_3))
    known = _known(rules, third, last)
    won = lost = (1 << len(rules.bets)) - 1
    possible = False
    for starts in product(_starts(player_1, player_2), _starts(banker_1, banker_2)):
        certain = known.get(starts)
        if certain is None:
            certain = known[starts] = _on(rules, *starts, third, last)
        wins, loses, ended = certain
        possible |= ended
        won &= wins
        lost &= loses
        if not won and not lost:
            return 0, 0
    return (won, lost) if possible else (0, 0)


@lru_cache(maxsize=256)
def _known(rules: Rulebook, third: int | None, last: int | None) -> dict[tuple[_Start, _Start], tuple[int, int, bool]]:
    """The cache of `_on` for these third cards, filled on demand: there are few starts."""
    return {}


def _on(rules: Rulebook, player: _Start, banker: _Start, third: int | None, last: int | None) -> tuple[int, int, bool]:
    """The bets won, and the bets lost, in all completions of two starts, and whether there is one at all."""
    masks, flag = _masks(rules), _flag(player, banker)
    won = lost = (1 << len(rules.bets)) - 1
    ended = False
    for end in ends(rules.table_of_play, player[0], banker[0], third, last):
        ended = True
        wins, loses = masks[Outcome(*end, flag)]
        won &= wins
        lost &= loses
    return won, lost, ended


@cache
def _starts(first: str | None, second: str | None) -> tuple[_Start, ...]:
    """Every two-card start of a hand that these exposed cards allow, reduced to what a bet can depend on."""
    firsts = RANKS if first is None else first
    seconds = RANKS if second is None else second
    starts = {
        ((POINTS[start] + POINTS[second]) % 10, start if start == second else None)
        for start in firsts
        for second in seconds
    }
    return tuple(sorted(starts, key=str))


def _flag(player: _Start, banker: _Start) -> Pairs:
    if player[1] and banker[1]:
        return Pairs.TWIN if player[1] == banker[1] else Pairs.BOTH
    return Pairs.PLAYER if player[1] else Pairs.BANKER if banker[1] else Pairs.NONE
