"""Ways to break one thing that a paragraph says: a value in a copy of the rulebook, or one step of the code."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import msgspec
import pytest

from punto import cards
from punto.cards import Card
from punto.game import coup as coups
from punto.game import insurance, outcome, settlement
from punto.game.outcome import Outcome
from punto.rulebook.model import Bet, BetRule, Case, InsuranceRow, Layout, PayRow, Rulebook
from tests.rules.proving import Break

replace = msgspec.structs.replace


def code(module: object, name: str, changed: object) -> Break:
    """One function of the code is replaced."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        patch.setattr(module, name, changed)
        return replace(rules)

    return broken


def _copy(patch: pytest.MonkeyPatch, rules: Rulebook, **changed: Any) -> Rulebook:
    """A copy with the same Table of Play. To save time, only the bets that changed are compiled into its pay table."""
    broken = replace(rules, **changed)
    anew = [rule for bet, rule in broken.bets.items() if rule is not rules.bets[bet]]
    compiled = {
        ending: verdicts | {rule.bet.value: settlement.verdict(rule, ending) for rule in anew}
        for ending, verdicts in settlement.pay_table(rules).items()
    }
    patch.setattr(settlement, "pay_table", lambda _: compiled)
    return broken


# Bets


def _bet(bet: str, change: Callable[[BetRule], BetRule]) -> Break:
    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        return _copy(patch, rules, bets=MappingProxyType(dict(rules.bets) | {Bet(bet): change(rules.bets[Bet(bet)])}))

    return broken


def _pay_row(bet: str, case: Case | None, change: Callable[[PayRow], PayRow]) -> Break:
    def changed(rule: BetRule) -> BetRule:
        assert case is None or case in [row.case for row in rule.pays], f"{bet} has no row {case}"
        return replace(rule, pays=tuple(change(row) if case in (None, row.case) else row for row in rule.pays))

    return _bet(bet, changed)


def odds(bet: str, pays: Fraction | int, case: Case | None = None) -> Break:
    """The bet, or one row of it, pays other odds."""
    return _pay_row(bet, case, lambda row: replace(row, odds=Fraction(pays)))


def wins_on(bet: str, case: Case, instead_of: Case | None = None) -> Break:
    """The bet wins on another event."""
    return _pay_row(bet, instead_of, lambda row: replace(row, case=case))


def unpaid(bet: str, case: Case) -> Break:
    """One row of the pay table is missing."""
    return _bet(bet, lambda rule: replace(rule, pays=tuple(row for row in rule.pays if row.case is not case)))


def kept_on_tie(bet: str) -> Break:
    """A tie loses the wager."""
    return _bet(bet, lambda rule: replace(rule, returned_on_tie=None))


def never(*cases: Case, when: Callable[[Outcome], bool]) -> Break:
    """These events are not recognised on some outcomes."""
    real = outcome.holds
    return code(settlement, "holds", lambda case, o: real(case, o) and not (case in cases and when(o)))


def also(*cases: Case, when: Callable[[Outcome], bool]) -> Break:
    """These events are seen on other outcomes too."""
    real = outcome.holds
    return code(settlement, "holds", lambda case, o: real(case, o) or (case in cases and when(o)))


# Layouts


def _layouts(change: Callable[[Layout], Layout]) -> Break:
    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        return _copy(patch, rules, layouts=MappingProxyType({n: change(layout) for n, layout in rules.layouts.items()}))

    return broken


def off_layout(bet: str, layout: str) -> Break:
    """One layout no longer has the bet."""

    def changed(original: Layout) -> Layout:
        return (
            replace(original, bets=tuple(b for b in original.bets if b != bet)) if original.id == layout else original
        )

    return _layouts(changed)


def on_layout(bet: str, layout: str) -> Break:
    """One more layout has the bet."""
    return _layouts(
        lambda original: replace(original, bets=(*original.bets, Bet(bet))) if original.id == layout else original
    )


def without_layout(name: str) -> Break:
    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        kept = {n: layout for n, layout in rules.layouts.items() if n != name}
        return _copy(patch, rules, layouts=MappingProxyType(kept))

    return broken


def with_layout(name: str) -> Break:
    """A layout that no appendix shows, with the bets of layout A."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        more = replace(rules.layouts["A"], id=name)
        return _copy(patch, rules, layouts=MappingProxyType(dict(rules.layouts) | {name: more}))

    return broken


# Cards and drawing


def card(rank: str, points: int) -> Break:
    """A rank counts something else."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        patch.setitem(cards.POINTS, rank, points)
        return replace(rules)

    return broken


def counted(points: Callable[[tuple[Card, ...]], int]) -> Break:
    """A hand is counted in another way."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        patch.setattr(coups, "points", points)
        patch.setattr(outcome, "points", points)
        return replace(rules)

    return broken


def ranked(worth: Callable[[int], int]) -> Break:
    """Point totals are compared in another order."""

    def winner(coup: coups.Coup) -> str:
        ahead = worth(coup.player_points) - worth(coup.banker_points)
        return "player" if ahead > 0 else "banker" if ahead < 0 else "tie"

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        patch.setattr(coups.Coup, "winner", property(winner))
        patch.setattr(Outcome, "lead", property(lambda o: worth(o.player_points) - worth(o.banker_points)))
        return replace(rules)

    return broken


def play(**changed: Any) -> Break:
    """The Table of Play has other values."""
    return lambda patch, rules: replace(rules, table_of_play=replace(rules.table_of_play, **changed))


def _flipped(row: tuple[bool, ...], at: int) -> tuple[bool, ...]:
    return tuple(value != (n == at) for n, value in enumerate(row))


def player_cell(points: int) -> Break:
    """Player draws where it should stand, or stands where it should draw."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        drawing = rules.table_of_play
        return replace(rules, table_of_play=replace(drawing, player=_flipped(drawing.player, points)))

    return broken


def alone_cell(points: int) -> Break:
    """Banker draws where it should stand, or stands where it should draw, when Player stood."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        drawing = rules.table_of_play
        return replace(rules, table_of_play=replace(drawing, banker_alone=_flipped(drawing.banker_alone, points)))

    return broken


def banker_cell(points: int, third: int) -> Break:
    """Banker draws where it should stand, or stands where it should draw, against one third card of Player."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        drawing = rules.table_of_play
        grid = tuple(_flipped(row, third) if at == points else row for at, row in enumerate(drawing.banker))
        return replace(rules, table_of_play=replace(drawing, banker=grid))

    return broken


def decks(*allowed: int) -> Break:
    return lambda patch, rules: _copy(patch, rules, procedure=replace(rules.procedure, decks=allowed))


# Insurance


def insurance_rule(**changed: Any) -> Break:
    """The insurance rule treats ties, rights or forfeits in another way."""
    return lambda patch, rules: _copy(patch, rules, insurance=replace(rules.insurance, **changed))


def insurance_limit(**changed: Any) -> Break:
    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        limit = replace(rules.insurance.limit, **changed)
        return _copy(patch, rules, insurance=replace(rules.insurance, limit=limit))

    return broken


def insurance_rows(change: Callable[[InsuranceRow], InsuranceRow | None]) -> Break:
    """Rows of the insurance tables are changed, or taken out where `change` gives None."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        rows = tuple(new for row in rules.insurance.rows if (new := change(row)) is not None)
        assert rows != rules.insurance.rows, "the break changes no row"
        return _copy(patch, rules, insurance=replace(rules.insurance, rows=rows))

    return broken


def insurance_row(at: int, change: Callable[[InsuranceRow], InsuranceRow | None]) -> Break:
    """One row of the insurance tables is changed or taken out. Rows count from 0 in the order of the document."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        chosen = rules.insurance.rows[at]
        return insurance_rows(lambda row: change(row) if row is chosen else row)(patch, rules)

    return broken


def card_due(answer: Callable[[Any], Any]) -> Break:
    """Insurance, and nothing else, is given another answer on whether a card is still due."""
    real = coups.next_side
    return code(insurance, "next_side", lambda drawing, player, banker: answer(real(drawing, player, banker)))
