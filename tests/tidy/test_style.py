"""The style guide as a test: sizes, names, no paragraph numbers in code, no machine's paths in the repository."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tidy.source import MODULES, PACKAGE, ROOT, kept_files, name, tree

LONGEST_MODULE = 450
LONGEST_FUNCTION = 80
LONGEST_MODULE_IN_THE_HOUSE = 300
LONGEST_FUNCTION_IN_THE_HOUSE = 60
STILL_LONG = {"web/people.py", "web/guards.py", "live/hub.py", "serve.py", "store/sqlite/store.py"}
"""Files of the house that are to be made shorter."""
BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"}

by_module = pytest.mark.parametrize("path", MODULES, ids=name)


def _is_short(path: Path) -> bool:
    house = PACKAGE / "house"
    return path.is_relative_to(house) and path.relative_to(house).as_posix() not in STILL_LONG


@by_module
def test_a_module_is_short_and_says_what_it_is(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= (LONGEST_MODULE_IN_THE_HOUSE if _is_short(path) else LONGEST_MODULE)
    assert ast.get_docstring(tree(path))


@by_module
def test_a_function_fits_on_a_screen(path: Path) -> None:
    functions = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    longest = LONGEST_FUNCTION_IN_THE_HOUSE if _is_short(path) else LONGEST_FUNCTION
    long = {one.name: lines for one in functions if (lines := (one.end_lineno or 0) - one.lineno + 1) > longest}
    assert not long


@pytest.mark.parametrize("path", [*MODULES, *sorted((ROOT / "tests").rglob("*.py"))], ids=name)
def test_no_module_is_named_for_nothing(path: Path) -> None:
    """STYLE 9: a name says what the module is about."""
    words = set(path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "_").split("_"))
    assert not words & BANNED_NAMES


# STYLE 4: paragraph numbers are data. Comments and docstrings may cite, strings that the program uses may not.

PARAGRAPH = re.compile(r"(?<![\w.-])(?:[1-9]|1[0-9])\.[0-9]{1,2}(?:\.[0-9]{1,2})*(?:\.[a-z])?(?![\w-])")


def working_strings(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Strings that are no docstrings, and the text between the values of f-strings."""
    idle = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in idle:
            yield node.lineno, node.value


@by_module
def test_no_paragraph_number_stands_in_code(path: Path) -> None:
    # The text that shows a command's help is a docstring too, so its examples are not looked at.
    found = [(line, text) for line, text in working_strings(tree(path)) if PARAGRAPH.search(text)]
    assert not found


def test_the_search_for_paragraph_numbers_finds_them() -> None:
    texts = [text for _, text in working_strings(ast.parse('"""3.17"""\nx = "see 3.17"\ny = f"{x} (4.2.1.a)"\n# 3.1'))]
    assert [bool(PARAGRAPH.search(text)) for text in texts if text.strip()] == [True, True]
    assert not any(PARAGRAPH.search(text) for text in ("100.00", "2025-06-01", "0.95", "x1.2", "3.11-slim", "1.234"))


@by_module
def test_no_topic_is_asked_for_by_its_number(path: Path) -> None:
    """rules.paragraph("tie.returns"), never a comparison with a number of one edition."""
    asked = [
        node.args[0].value
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("paragraph", "cite")
        and node.args
        and isinstance(node.args[0], ast.Constant)
    ]
    assert not [topic for topic in asked if isinstance(topic, str) and topic[:1].isdigit()]


# What belongs to one machine stays there.

REGISTRIES = (
    "pypi" + ".org",
    "files.pythonhosted" + ".org",
    "artifac" + "tory",
    "--index" + "-url",
    "extra-index" + "-url",
)
PLACES = ("/wo" + "rk/", "/ro" + "ot/", "/Us" + "ers/", "/ho" + "me/", "C:" + "\\Users")


def test_no_registry_and_no_machine_is_named_in_the_repository() -> None:
    found = []
    for path in kept_files():
        text = path.read_bytes().decode("utf-8", "replace")
        found += [f"{name(path)}: {word}" for word in (*REGISTRIES, *PLACES) if word in text]
    assert not found


def test_every_kept_text_file_is_utf_8_with_plain_line_ends() -> None:
    for path in kept_files():
        data = path.read_bytes()
        if b"\0" not in data:
            assert b"\r\n" not in data, name(path)
            data.decode("utf-8")


def test_nothing_is_imported_by_star_and_nothing_is_left_to_be_done() -> None:
    for path in MODULES:
        text = path.read_text("utf-8")
        assert "import *" not in text, name(path)
        assert not re.search(r"\b(TODO|FIXME|XXX)\b", text), name(path)


def test_only_the_package_is_looked_at() -> None:
    assert PACKAGE / "rulebook" / "load.py" in MODULES
