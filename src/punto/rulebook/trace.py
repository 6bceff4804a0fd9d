"""The matrix paragraph → data → code → tests. A test proves a binding paragraph if it fails when the rule is broken.

A proof is a function in the tests decorated `@proves("topic", broken_by=…)`. The suite runs each one twice: as it is,
and with `broken_by` in place, when it must fail. Only such proofs are counted here. Without a checkout, the list of
proofs in the package is used; a test keeps that list up to date.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from punto.rulebook.check import cites
from punto.rulebook.model import Rulebook

HERE: Final = Path(__file__).parent
SHIPPED: Final = HERE / "proofs.json"
SOURCE: Final = HERE.parent
TESTS: Final = SOURCE.parent.parent / "tests" / "rules"


class Proof(msgspec.Struct, frozen=True, order=True):
    """A test that proves a topic, in the games whose name starts with `game`."""

    topic: str
    game: str
    test: str


class Row(msgspec.Struct, frozen=True, kw_only=True):
    paragraph: str
    disposition: str
    topics: tuple[str, ...]
    data: tuple[str, ...]
    code: tuple[str, ...]
    tests: tuple[str, ...]


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """How much of an edition is proved. `unproved` are the binding paragraphs without a proof."""

    game: str
    edition: str
    paragraphs: int
    binding: int
    proved: int
    unproved: tuple[str, ...]


def proofs(tests: Path | None = None) -> tuple[Proof, ...]:
    """Every proof in a checkout's tests, or the list in the package if there is no checkout."""
    folder = TESTS if tests is None else tests
    if folder.is_dir():
        return tuple(sorted(_scan(folder)))
    if not SHIPPED.is_file():
        return ()
    return msgspec.json.decode(SHIPPED.read_bytes(), type=tuple[Proof, ...])


def matrix(rules: Rulebook, known: tuple[Proof, ...]) -> tuple[Row, ...]:
    """A row for each paragraph: the values that cite it, the code that uses its topics, the tests that prove it."""
    data: dict[str, list[str]] = {}
    for file, key, paragraph in cites(rules):
        data.setdefault(paragraph, []).append(f"{file}: {key}")
    code = answered()
    return tuple(
        Row(
            paragraph=number,
            disposition=paragraph.disposition,
            topics=paragraph.topics,
            data=tuple(dict.fromkeys(data.get(number, ()))),
            code=tuple(sorted({place for topic in paragraph.topics for place in code.get(topic, ())})),
            tests=tuple(
                proof.test
                for proof in known
                if proof.topic in paragraph.topics and rules.source.game.startswith(proof.game)
            ),
        )
        for number, paragraph in rules.paragraphs.items()
    )


def trace(rules: Rulebook, known: tuple[Proof, ...]) -> Trace:
    """The count for one edition. Every topic of a paragraph needs a proof of its own."""
    proved_topics = {proof.topic for proof in known if rules.source.game.startswith(proof.game)}
    binding = [paragraph for paragraph in rules.paragraphs.values() if paragraph.binds]
    unproved = tuple(paragraph.number for paragraph in binding if not proved_topics.issuperset(paragraph.topics))
    return Trace(
        game=rules.source.game,
        edition=rules.source.edition,
        paragraphs=len(rules.paragraphs),
        binding=len(binding),
        proved=len(binding) - len(unproved),
        unproved=unproved,
    )


def answered() -> dict[str, set[str]]:
    """Topic → the modules that ask for it by name: rules.paragraph("…") and rules.cite("…")."""
    places: dict[str, set[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                for topic in _named(node.args[0]) if node.func.attr in ("paragraph", "cite") else ():
                    places.setdefault(topic, set()).add(path.relative_to(SOURCE).as_posix())
    return places


def _named(expression: ast.expr) -> Iterator[str]:
    """The topics in an argument: a string, or both strings of a conditional expression."""
    if isinstance(expression, ast.IfExp):
        yield from _named(expression.body)
        yield from _named(expression.orelse)
    elif isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        yield expression.value


def _scan(folder: Path) -> Iterator[Proof]:
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for decorator in node.decorator_list:
                    yield from _proof(decorator, f"{path.relative_to(folder).as_posix()}::{node.name}")


def _proof(decorator: ast.expr, test: str) -> Iterator[Proof]:
    if not (isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == "proves"):
        return
    words = {word.arg: word.value for word in decorator.keywords}
    if "broken_by" not in words:
        return
    game = words.get("game")
    prefix = game.value if isinstance(game, ast.Constant) and isinstance(game.value, str) else ""
    for topic in decorator.args:
        if isinstance(topic, ast.Constant) and isinstance(topic.value, str):
            yield Proof(topic.value, prefix, test)
