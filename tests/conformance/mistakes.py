"""Mistakes in code: those that public engines really make, and wrong limits, roads, dates and cents."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import msgspec
import pytest

from punto import cards, money
from punto.conformance.vectors import Level
from punto.game import coup as coups
from punto.game import insurance, limits, outcome, roads, settlement
from punto.game.coup import Coup
from punto.game.outcome import Pairs
from punto.game.roads import Colour
from punto.game.table import Laid, TableLimits
from punto.rulebook import in_force
from punto.rulebook.model import Case, Moment, Side, TableOfPlay
from tests.conformance.planting import Defect, Plant
from tests.rules import breaking
from tests.rules.proving import Break

replace = msgspec.structs.replace

HANDS: Final = (Level.DEAL, Level.OUTCOME, Level.SETTLE)
MONEY: Final = (Level.OUTCOME, Level.SETTLE, Level.INSURANCE)
BOXES: Final = (Level.LIMITS,)
ROADS: Final = (Level.ROADS,)


def every_mistake() -> Iterator[Defect]:
    for name, levels, plant in (*_DRAWING, *_PAIRS_AND_POINTS, *_INSURANCE, *_MONEY):
        yield Defect(name, "mistake of engines", "*", levels, plant)
    for name, plant in _ROADS:
        yield Defect(name, "mistake of engines", "*", ROADS, plant)
    for name, plant in _LIMITS:
        yield Defect(name, "limit", "*", BOXES, plant)
    for name, plant in _DATES:
        yield Defect(name, "date", "*", (Level.HISTORY,), plant)
    for rank in cards.RANKS:
        for points in (cards.POINTS[rank] + 1, cards.POINTS[rank] - 1):
            if points >= 0:
                plant = _item(cards.POINTS, rank, points)
                yield Defect(f"{rank} counts {points}", "card", "*", HANDS, plant)


def _attribute(module: object, name: str, changed: object) -> Plant:
    return lambda patch: patch.setattr(module, name, changed)


def _item(table: dict[Any, Any], key: object, value: object) -> Plant:
    return lambda patch: patch.setitem(table, key, value)


# Drawing


def _banker_by(rule: Callable[[int, int, int | None], bool]) -> Plant:
    """The Banker draws by another rule: (its points, two-card points of Player, third card of Player)."""

    def draws(self: TableOfPlay, banker: int, player: int, third: int | None) -> bool:
        return not self.natural(player, banker) and rule(banker, player, third)

    return _attribute(TableOfPlay, "banker_draws", draws)


def _right(banker: int, third: int | None) -> bool:
    if third is None:
        return banker <= 5
    reach = {3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 4: (2, 3, 4, 5, 6, 7), 5: (4, 5, 6, 7), 6: (6, 7)}
    return banker <= 2 or third in reach.get(banker, ())


def _order(*sides: Side) -> Plant:
    """The first four cards are dealt in another order."""

    def deal(play: TableOfPlay, sequence: tuple[cards.Card, ...]) -> tuple[Coup, tuple[cards.Card, ...]]:
        hands: dict[Side, tuple[cards.Card, ...]] = {Side.PLAYER: (), Side.BANKER: ()}
        for side, card in zip(sides, sequence, strict=False):
            hands[side] += (card,)
        left = sequence[4:]
        while (side_due := coups.next_side(play, hands[Side.PLAYER], hands[Side.BANKER])) and left:
            hands[side_due] += left[:1]
            left = left[1:]
        return Coup(hands[Side.PLAYER], hands[Side.BANKER]), left

    return _attribute(coups, "deal", deal)


_DRAWING: Final[tuple[tuple[str, tuple[Level, ...], Plant], ...]] = (
    (
        "Banker looks at the total of Player, not at the third card",
        HANDS,
        _banker_by(lambda banker, player, third: _right(banker, None if third is None else (player + third) % 10)),
    ),
    ("Banker draws on 0 to 5 whatever Player drew", HANDS, _banker_by(lambda banker, player, third: banker <= 5)),
    ("Banker never draws on 6", HANDS, _banker_by(lambda banker, player, third: banker < 6 and _right(banker, third))),
    (
        "Banker draws on 3 against an 8",
        HANDS,
        _banker_by(lambda banker, player, third: banker == 3 or _right(banker, third)),
    ),
    (
        "Banker draws on 6 against 6 and 7 also where Player stood",
        HANDS,
        _banker_by(lambda banker, player, third: _right(banker, player if third is None else third)),
    ),
    (
        "Player draws against a natural of Banker",
        HANDS,
        _attribute(TableOfPlay, "player_draws", lambda self, player, banker: player <= 5),
    ),
    (
        "only a natural of Player ends the draw",
        HANDS,
        _attribute(TableOfPlay, "natural", lambda self, player, banker: player in (8, 9)),
    ),
    (
        "only a natural of Banker ends the draw",
        HANDS,
        _attribute(TableOfPlay, "natural", lambda self, player, banker: banker in (8, 9)),
    ),
    ("two cards to Player, then two to Banker", HANDS, _order(Side.PLAYER, Side.PLAYER, Side.BANKER, Side.BANKER)),
    ("the first card to Banker", HANDS, _order(Side.BANKER, Side.PLAYER, Side.BANKER, Side.PLAYER)),
)


# Pairs and points


def _pairs(pair: Callable[[tuple[cards.Card, ...]], bool]) -> Plant:
    def pairs_of(player: tuple[cards.Card, ...], banker: tuple[cards.Card, ...]) -> Pairs:
        mine, theirs = pair(player), pair(banker)
        if mine and theirs:
            return Pairs.TWIN if player[0].rank == banker[0].rank else Pairs.BOTH
        return Pairs.PLAYER if mine else Pairs.BANKER if theirs else Pairs.NONE

    return _attribute(outcome, "pairs_of", pairs_of)


def _broken(break_: Break) -> Plant:
    """A break of the code that needs no rulebook of its own: every pay table is compiled anew under it."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        from punto.rulebook import load

        break_(patch, load.edition("tiger-buffalo-commission", "2025-11-21"))
        patch.setattr(settlement, "pay_table", lru_cache(maxsize=64)(settlement.pay_table.__wrapped__))

    return plant


def _points(patch: pytest.MonkeyPatch) -> None:
    """Totals above 9 lose ten once, not as often as it takes."""

    def total(hand: tuple[cards.Card, ...]) -> int:
        raw_total = sum(card.points for card in hand)
        return raw_total - 10 if raw_total > 9 else raw_total

    for module in (coups, outcome, insurance):
        patch.setattr(module, "points", total)


_PAIRS_AND_POINTS: Final[tuple[tuple[str, tuple[Level, ...], Plant], ...]] = (
    ("a pair is read off hands of two cards only", MONEY, _pairs(lambda hand: len(hand) == 2 and _same(hand[:2]))),
    ("a pair is read off the last two cards", MONEY, _pairs(lambda hand: _same(hand[-2:]))),
    ("a pair is any two cards alike", MONEY, _pairs(lambda hand: len({card.rank for card in hand}) < len(hand))),
    ("a pair is of equal points", MONEY, _pairs(lambda hand: hand[0].points == hand[1].points)),
    ("a pair is of one suit too", MONEY, _pairs(lambda hand: hand[0] == hand[1])),
    ("only one ten is taken off a total", HANDS, _points),
    (
        "Char Siu counts the cards of the winner alone",
        MONEY,
        _broken(
            breaking.never(
                Case.BANKER_BY_ONE_6, Case.PLAYER_BY_ONE_6, when=lambda o: o.player_cards + o.banker_cards == 6
            )
        ),
    ),
    (
        "Char Siu wins by one on any points",
        MONEY,
        _broken(
            breaking.also(
                Case.BANKER_BY_ONE_4,
                Case.BANKER_BY_ONE_5,
                Case.BANKER_BY_ONE_6,
                when=lambda o: o.lead == -1 and o.banker_points < 7,
            )
        ),
    ),
    (
        "a natural bet wins on a tie of naturals",
        MONEY,
        _broken(
            breaking.also(
                Case.PLAYER_NATURAL_8,
                Case.BANKER_NATURAL_8,
                when=lambda o: o.lead == 0 and o.player_points == 8 and o.player_cards == 2 and o.banker_cards == 2,
            )
        ),
    ),
    (
        "a six wins though the hands tie",
        MONEY,
        _broken(breaking.also(Case.BANKER_6_TWO, when=lambda o: o.lead == 0 and o.banker_points == 6)),
    ),
    (
        "Banker on 6 pays half with three cards only",
        MONEY,
        _broken(breaking.never(Case.BANKER_WINS_ON_6, when=lambda o: o.banker_cards == 2)),
    ),
    (
        "Wu Dalang wins on a 1 that loses",
        MONEY,
        _broken(breaking.also(Case.PLAYER_WINS_ON_1, when=lambda o: o.player_points == 1 and o.lead < 0)),
    ),
)


def _same(hand: tuple[cards.Card, ...]) -> bool:
    return hand[0].rank == hand[1].rank


# Insurance


def _offered(change: Callable[[Any, Moment, Coup], Any]) -> Plant:
    real = insurance.offer

    def offer(rules: Any, after: Moment, coup: Coup) -> Any:
        return change(real(rules, after, coup), after, coup)

    return _attribute(insurance, "offer", offer)


def _tie_result(paid: Callable[[Any], bool]) -> Plant:
    def tied(rules: Any, offer: Any) -> tuple[str, str]:
        return ("won" if paid(offer) else "returned"), offer.paragraph

    return _attribute(insurance, "_tied", tied)


def _card_is_always_due(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(insurance, "next_side", lambda play, player, banker: Side.BANKER)


_INSURANCE: Final[tuple[tuple[str, tuple[Level, ...], Plant], ...]] = (
    ("every tie returns insurance", (Level.INSURANCE,), _tie_result(lambda offer: False)),
    ("every tie pays insurance", (Level.INSURANCE,), _tie_result(lambda offer: True)),
    (
        "a tie at 9 pays whenever it was taken",
        (Level.INSURANCE,),
        _tie_result(lambda offer: offer.tie_paragraph is not None or offer.odds == 4),
    ),
    ("insurance is offered though no card is due", (Level.INSURANCE,), _card_is_always_due),
    (
        "there is no insurance after the third card",
        (Level.INSURANCE,),
        _offered(lambda offer, after, coup: None if after is Moment.PLAYER_THIRD else offer),
    ),
    (
        "insurance after the third card looks at two cards",
        (Level.INSURANCE,),
        _offered(lambda offer, after, coup: None if len(coup.player) > 2 and after is Moment.FOUR_CARDS else offer),
    ),
)


# Money


def _handed_back(change: Callable[[int, int, str], int]) -> Plant:
    real = settlement.line

    def line(wager: Any, verdict: Any) -> Any:
        made = real(wager, verdict)
        back = change(made.stake_cents, made.winnings_cents, made.result)
        return replace(made, handed_back_cents=back)

    return _attribute(settlement, "line", line)


_MONEY: Final[tuple[tuple[str, tuple[Level, ...], Plant], ...]] = (
    (
        "the stake does not come back with the winnings",
        (Level.SETTLE, Level.INSURANCE),
        _handed_back(lambda stake, won, result: won if result == "won" else stake if result == "returned" else 0),
    ),
    (
        "winnings are whole units",
        (Level.SETTLE,),
        _attribute(money, "winnings_cents", lambda stake, at: int(stake * at) // 100 * 100),
    ),
    (
        "winnings lose a cent",
        (Level.SETTLE,),
        _attribute(money, "winnings_cents", lambda stake, at: max(0, int(stake * at) - 1)),
    ),
    (
        "commission is taken off stake and winnings",
        (Level.SETTLE,),
        _attribute(
            money,
            "winnings_cents",
            lambda stake, at: int(stake * (at - Fraction(1, 20))) if at == Fraction(19, 20) else int(stake * at),
        ),
    ),
)


# Roads


def _mark(change: Callable[..., Colour | None]) -> Plant:
    real = roads._mark

    def mark(lengths: Any, streak: int, depth: int, back: int) -> Colour | None:
        return change(real, lengths, streak, depth, back)

    return _attribute(roads, "_mark", mark)


def _first_column_skipped(real: Any, lengths: Any, streak: int, depth: int, back: int) -> Colour | None:
    colour: Colour | None = real(lengths, streak, depth, back)
    return None if depth >= 2 and streak - back == 1 else colour


def _past_the_gap_is_blue(real: Any, lengths: Any, streak: int, depth: int, back: int) -> Colour | None:
    colour: Colour | None = real(lengths, streak, depth, back)
    deeper = depth >= 2 and streak - back >= 1 and depth > lengths[streak - back - 1] + 1
    return Colour.BLUE if deeper else colour


def _as_drawn(real: Any, lengths: Any, streak: int, depth: int, back: int) -> Colour | None:
    colour: Colour | None = real([min(length, 6) for length in lengths], streak, min(depth, 6), back)
    return colour


def _swapped(real: Any, lengths: Any, streak: int, depth: int, back: int) -> Colour | None:
    colour: Colour | None = real(lengths, streak, depth, back)
    return None if colour is None else Colour.RED if colour is Colour.BLUE else Colour.BLUE


def _back_by_one(real: Any, lengths: Any, streak: int, depth: int, back: int) -> Colour | None:
    colour: Colour | None = real(lengths, streak, depth, max(1, back - 1))
    return colour


def _ties_end_a_streak(patch: pytest.MonkeyPatch) -> None:
    real = roads._checked

    class WithTies(str):
        def replace(self, *_: Any) -> str:
            return str(self).replace("T", "P")

    patch.setattr(roads, "_checked", lambda results: WithTies(real(results)))


_ROADS: Final[tuple[tuple[str, Plant], ...]] = (
    ("derived roads skip the first column", _mark(_first_column_skipped)),
    ("past the first gap a derived road is blue", _mark(_past_the_gap_is_blue)),
    ("derived roads are read off the drawn grid", _mark(_as_drawn)),
    ("red and blue are swapped", _mark(_swapped)),
    ("Small Road and Cockroach Pig look back one column less", _mark(_back_by_one)),
    ("a tie counts as a result of Player", _ties_end_a_streak),
    ("a board has seven rows", _attribute(roads, "ROWS", 7)),
)


# Limits


def _limits(**figures: int) -> Plant:
    """The table's own figures are read with this much added."""

    def changed(name: str, more: int) -> Callable[..., Any]:
        real = getattr(limits, name)
        return lambda figures, bet: None if (figure := real(figures, bet)) is None else figure + more

    def plant(patch: pytest.MonkeyPatch) -> None:
        for name, more in figures.items():
            patch.setattr(limits, name, changed(name, more))

    return plant


def _differential(more: int) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        for name in ("fit", "excess", "pro_rata"):
            real = getattr(limits, name)

            def moved(figures: TableLimits, *rest: Any, real: Any = real, **named: Any) -> Any:
                less = type(figures.maximum_differential_cents)(figures.maximum_differential_cents + more)
                return real(replace(figures, maximum_differential_cents=less), *rest, **named)

            patch.setattr(limits, name, moved)

    return plant


def _equal_shares(wagers: list[Laid], capacity_cents: int, minimum: int) -> dict[str, int]:
    if sum(wager.stake_cents for wager in wagers) <= capacity_cents:
        return {wager.id: wager.stake_cents for wager in wagers}
    return {wager.id: capacity_cents // len(wagers) for wager in wagers}


def _plain_shares(wagers: list[Laid], capacity_cents: int, minimum: int) -> dict[str, int]:
    return limits._proportional(sorted(wagers, key=lambda wager: wager.order), capacity_cents)


_LIMITS: Final[tuple[tuple[str, Plant], ...]] = (
    ("the Differential is a cent less", _differential(-1)),
    ("the Differential is a cent more", _differential(1)),
    ("the maximum is a cent less", _limits(maximum_cents=-1)),
    ("the maximum is a cent more", _limits(maximum_cents=1)),
    ("the minimum is a cent more", _limits(minimum_cents=1)),
    ("the minimum is a cent less", _limits(minimum_cents=-1)),
    ("what is found late is shared in equal parts", _attribute(limits, "shares_cents", _equal_shares)),
    ("the minimum does not stop the sharing", _attribute(limits, "shares_cents", _plain_shares)),
    ("the lighter side makes no room", _attribute(limits, "other", lambda bet: bet)),
    (
        "who stands is pushed out by nobody",
        _attribute(limits.Room, "seated_cents", property(lambda self: self.cents)),
    ),
    (
        "nothing is cut when the other side becomes lighter",
        _attribute(limits, "excess", lambda figures, wagers: []),
    ),
)


# Dates

_DATES: Final[tuple[tuple[str, Plant], ...]] = (
    (
        "zones are left aside",
        _attribute(
            in_force,
            "instant",
            lambda text: dt.datetime.fromisoformat(text).replace(tzinfo=in_force.ZONE),
        ),
    ),
    (
        "an edition begins a second late",
        _attribute(
            in_force,
            "in_force",
            lambda game, on, real=in_force.in_force: real(game, on - dt.timedelta(seconds=1)),
        ),
    ),
    (
        "an edition begins a second early",
        _attribute(
            in_force,
            "in_force",
            lambda game, on, real=in_force.in_force: real(game, on + dt.timedelta(seconds=1)),
        ),
    ),
    (
        "before the first edition the first one governs",
        _attribute(
            in_force,
            "in_force",
            lambda game, on, real=in_force.in_force: real(
                game, max(on, dt.datetime(2024, 5, 14, 8, tzinfo=in_force.ZONE))
            ),
        ),
    ),
)
