"""Ways to break one thing that a paragraph says about a table: a value of the edition, or one step of the decider.

None of them touches a bet's pays, so the compiled pay table of the true rulebook serves its broken copy too.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import msgspec
import pytest

from punto.codes import Code
from punto.game import commands as c
from punto.game import decide as deciding
from punto.game import established, settle_round, settlement
from punto.game.irregularities import late, missed, rows
from punto.game.irregularities.carried_out import as_it_stood
from punto.game.irregularities.kinds import Kind, Row, Ruling
from punto.game.refusals import Refusal, refuse
from punto.game.round import HEARD
from punto.game.table import Phase, Table
from punto.rulebook.model import Bet, Rulebook
from tests.rules.proving import Break

replace = msgspec.structs.replace
Step = Callable[..., Any]
Wrap = Callable[[Step], Step]


def _copy(patch: pytest.MonkeyPatch, rules: Rulebook, **changed: Any) -> Rulebook:
    compiled = settlement.pay_table(rules)
    for module in (established, late, missed, settle_round):
        patch.setattr(module, "pay_table", lambda _: compiled)
    return replace(rules, **changed)


# Values


def row(kind: str, **changed: Any) -> Break:
    """One row of the irregularities has other values."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        rows = {**rules.irregularities, kind: replace(rules.irregularities[kind], **changed)}
        assert rows[kind] != rules.irregularities[kind], "the break changes nothing"
        return _copy(patch, rules, irregularities=MappingProxyType(rows))

    return broken


def other_value(kind: str, name: str, first: str, second: str) -> Break:
    """A value of a row that differs between editions: each edition gets the other's."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        has = getattr(rules.irregularities[kind], name)
        return row(kind, **{name: second if has == first else first})(patch, rules)

    return broken


def procedure(**changed: Any) -> Break:
    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        return _copy(patch, rules, procedure=replace(rules.procedure, **changed))

    return broken


def squeezed_by_others(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
    """The right to squeeze is as in the other year."""
    by = "any" if rules.procedure.squeeze_by == "seated" else "seated"
    return procedure(squeeze_by=by)(patch, rules)


def insurance(**changed: Any) -> Break:
    return lambda patch, rules: _copy(patch, rules, insurance=replace(rules.insurance, **changed))


def positions(low: int, high: int) -> Break:
    """Every layout allows from `low` to `high` boxes."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        layouts = {name: replace(layout, positions=(low, high)) for name, layout in rules.layouts.items()}
        return _copy(patch, rules, layouts=MappingProxyType(layouts))

    return broken


def hands(number: int | None, *bets: str) -> Break:
    """These bets are open for another number of hands."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        changed = {Bet(bet): replace(rules.bets[Bet(bet)], hands=number) for bet in bets}
        return _copy(patch, rules, bets=MappingProxyType({**rules.bets, **changed}))

    return broken


# Steps


def step(module: object, name: str, changed: object) -> Break:
    """One function of the code is replaced."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        patch.setattr(module, name, changed)
        return _copy(patch, rules)

    return broken


def answers(command: type, wrap: Wrap) -> Break:
    """A command is decided in another way."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        patch.setitem(deciding._ANSWERS, command, wrap(deciding._ANSWERS[command]))
        return _copy(patch, rules)

    return broken


def _kind(kind: str, change: Callable[[Row], Row]) -> Break:
    """A kind of irregularity has another row."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        patch.setitem(rows.ROWS, Kind(kind), change(rows.ROWS[Kind(kind)]))
        return _copy(patch, rules)

    return broken


def remedy(kind: str, wrap: Wrap) -> Break:
    """A ruling on one kind of irregularity leads to something else."""

    def wrapped(them: tuple[Ruling, ...]) -> tuple[Ruling, ...]:
        return tuple(replace(ruling, carry_out=wrap(ruling.carry_out)) for ruling in them)

    def change(original: Row) -> Row:
        return replace(original, rulings=wrapped(original.rulings), at_discretion=wrapped(original.at_discretion))

    return _kind(kind, change)


def unwritten(kind: str) -> Break:
    """A ruling on a kind needs no reason."""

    def change(original: Row) -> Row:
        return replace(original, rulings=tuple(replace(ruling, in_writing=False) for ruling in original.rulings))

    return _kind(kind, change)


def another_ruling(wrap: Wrap) -> Break:
    """The table decides another ruling than was given."""
    return answers(c.DecideIrregularity, wrap)


def fits(kind: str, answer: Callable[..., bool]) -> Break:
    """Where the table's state determines which ruling is meant, it determines another."""

    def change(original: Row) -> Row:
        return replace(
            original, rulings=tuple(replace(ruling, fits=ruling.fits and answer) for ruling in original.rulings)
        )

    return _kind(kind, change)


def heard(phase: Phase, *commands: type) -> Break:
    """Commands are accepted in a phase that is closed to them."""

    def broken(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        patch.setitem(HEARD, phase, {**HEARD[phase], **dict.fromkeys(commands, tuple(Phase))})
        return _copy(patch, rules)

    return broken


def reportable(kind: str, *phases: Phase) -> Break:
    """A kind can be reported in other phases too."""
    return _kind(kind, lambda original: replace(original, phases=(*original.phases, *phases)))


def believed(kind: str) -> Break:
    """A report of this kind is accepted without a check."""
    return _kind(kind, lambda original: replace(original, check=None))


def no_cause(cause: str) -> Break:
    """One of the five causes of 5.5 is refused."""

    def change(original: Row) -> Row:
        real = original.check
        assert real is not None
        return replace(
            original, check=lambda rules, table, report: "no" if report.cause == cause else real(rules, table, report)
        )

    return _kind("void", change)


# Wraps


def at_another_table(change: Callable[[Table], Table]) -> Wrap:
    """The step is given a changed table."""
    return lambda real: lambda rules, table, *rest, **more: real(rules, change(table), *rest, **more)


def with_another_command(change: Callable[[Any], Any]) -> Wrap:
    """The step is given a changed command, which is its last argument."""
    return lambda real: lambda *arguments: real(*arguments[:-1], change(arguments[-1]))


def events_changed(change: Callable[[Any], Any | None]) -> Wrap:
    """The events of a step are changed; one that becomes None is left out."""

    def wrap(real: Step) -> Step:
        def changed(*arguments: Any) -> Any:
            answer = real(*arguments)
            if isinstance(answer, Refusal):
                return answer
            return tuple(new for event in answer if (new := change(event)) is not None)

        return changed

    return wrap


def refusing(real: Step) -> Step:
    """The step refuses."""
    return lambda *arguments: refuse(Code.NOT_ALLOWED, "no")


def nothing_done(real: Step) -> Step:
    """The ruling changes nothing: play goes on as it stood."""
    return lambda rules, table, row, command: as_it_stood(table, row.cite)
