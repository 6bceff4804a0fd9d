"""Explain a vector and an answer to a person: the question, the paragraphs, and the first difference."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from punto.cards import CardError, card
from punto.conformance.judge import Difference, Verdict, difference, judge, shown
from punto.conformance.vectors import ANY_EDITION, Vector, rulings_of
from punto.game import coup as coups
from punto.game.explain import explain as steps_of
from punto.rulebook.load import edition
from punto.rulebook.model import Rulebook

WIDTH = 100


def explain(vector: Vector, answer: dict[str, Any] | None, rulings: Mapping[str, str]) -> str:
    """The full explanation, or without an answer only the question and the expected answer. `rulings`: the pack's."""
    return "\n".join(_lines(vector, answer, rulings)) + "\n"


def gists(vectors: Iterable[Vector]) -> dict[str, dict[str, str]]:
    """Every edition that a vector is about → its paragraphs in our words."""
    editions = sorted({vector.edition for vector in vectors} - {ANY_EDITION})
    return {
        name: {number: paragraph.gist for number, paragraph in edition(*name.split("/")).paragraphs.items()}
        for name in editions
    }


def _lines(vector: Vector, answer: dict[str, Any] | None, rulings: Mapping[str, str]) -> Iterator[str]:
    yield f"{vector.id}: {vector.why}"
    yield f"edition {vector.edition}, level {vector.level.value}, question {vector.ask}"
    rules = None if vector.edition == ANY_EDITION else edition(*vector.edition.split("/"))
    for number in vector.paragraphs:
        if rules is not None and rules.knows(number):
            yield from _wrapped(f"  {number}: {rules.gist(number)}", "    ")
    for ruling in rulings_of(vector):
        yield f"  {ruling}: other readings of the text are accepted here"
        if ruling in rulings:
            yield from _wrapped(f"    Punto's reading: {rulings[ruling]}", "    ")
    yield ""
    verdict = None if answer is None else judge(vector, answer)
    gap = None if answer is None else difference(vector.expected, answer)
    yield from _walk(vector, rules, gap)
    yield ""
    yield from _both(vector, answer, gap, verdict)


def _walk(vector: Vector, rules: Rulebook | None, gap: Difference | None) -> Iterator[str]:
    """The question step by step, up to the first difference."""
    if vector.ask == "play":
        yield from _commands(vector, gap)
    elif rules is not None and "player" in vector.input:
        yield from _cards(vector, rules)
        yield from _question(vector)
    elif rules is not None and vector.ask == "deal":
        yield f"The shoe: {' '.join(vector.input['cards'])}"
        coup, _ = coups.deal(rules.table_of_play, tuple(map(card, vector.input["cards"])))
        yield from (f"  {step.text} ({step.paragraph})" for step in steps_of(rules, coup))
    else:
        yield from _question(vector)


def _cards(vector: Vector, rules: Rulebook) -> Iterator[str]:
    try:
        hands = [tuple(map(card, vector.input[hand])) for hand in ("player", "banker")]
    except CardError as error:
        yield f"The cards: {error}"
        return
    coup = coups.Coup(hands[0], hands[1])
    fault = coups.wrong(rules, coup)
    yield f"The cards: {coup}"
    finished = fault is None
    if finished:
        yield from (f"  {step.text} ({step.paragraph})" for step in steps_of(rules, coup))
    elif vector.ask == "settle":
        yield f"  {fault}"


def _question(vector: Vector) -> Iterator[str]:
    for name, value in vector.input.items():
        if name in ("player", "banker"):
            continue
        for part in value if isinstance(value, list) and value and isinstance(value[0], dict) else [value]:
            yield f"  {name}: {shown(part, WIDTH)}"


def _commands(vector: Vector, gap: Difference | None) -> Iterator[str]:
    """The commands up to the first different answer. Only the last few are shown."""
    commands = vector.input["commands"]
    at = gap.path[1] if gap is not None and len(gap.path) > 1 and gap.path[0] == "steps" else len(commands)
    last = int(at)
    first = max(0, last - 12)
    if first:
        yield f"  … {first} commands before"
    for number, command in enumerate(commands[first:last], start=first + 1):
        step = vector.expected["steps"][number - 1]
        sign = "→" if gap is not None and number == last else " "
        answered = "accepted" if step["accepted"] else "refused"
        yield f"{sign} {number}. {shown(command, WIDTH)}  {answered}, {step['phase']}"


def _both(
    vector: Vector, answer: dict[str, Any] | None, gap: Difference | None, verdict: Verdict | None
) -> Iterator[str]:
    if answer is None or verdict is None:
        yield f"Expected: {shown(vector.expected, 2000)}"
        return
    yield f"Result: {verdict.result.value}" + (f" ({verdict.note})" if verdict.note else "")
    if gap is None:
        yield f"Answer: {shown(answer, 2000)}"
        return
    expected, actual = _around(vector.expected, gap), _around(answer, gap)
    yield f"First difference at {gap.place}:"
    yield f"  expected   {shown(expected, 600)}"
    yield f"  the engine {shown(actual, 600)}"
    for other in vector.acceptable:
        yield f"  also right {shown(_around(other.answer, gap), 600)} by {other.ruling}"


def _around(value: Any, gap: Difference) -> Any:
    """The step, line or hand that contains the difference."""
    for part in gap.path[:-1]:
        try:
            value = value[part - 1] if isinstance(part, int) else value[part]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent)
