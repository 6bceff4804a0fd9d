"""The style guide as a test: sizes, names, no paragraph numbers in code, no machine's paths in the repository."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.tidy.source import MODULES, PACKAGE, ROOT, kept_files, name, tree

LONGEST_MODULE = 450
LONGEST_FUNCTION = 80
LONGEST_MODULE_IN_THE_HOUSE = 300
LONGEST_FUNCTION_IN_THE_HOUSE = 60
BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"}
RIDDLES = {"one", "found", "told", "asked", "given", "it", "stated", "happened", "lay", "beyond", "matter"}
KEPT_RIDDLES = {
    ("src/punto/house/store/approval_events.py", "Asked"),  # the approval's own word, and its tag
    ("tests/table/given.py", "given"),  # given, when, then
}
CODE = [path for folder in ("src", "tests", "models", "bench", "docs") for path in (ROOT / folder).rglob("*.py")]
PAGE = [path for path in (ROOT / "web" / "src").rglob("*") if path.suffix in (".ts", ".svelte")]
# In the page's code: what is declared, what a function takes, and what `{#each}` goes over.
ANY_RIDDLE = "|".join(sorted(RIDDLES))
DECLARED = re.compile(rf"\b(?:const|let|function|class|type|interface)\s+({ANY_RIDDLE})\b")
TAKEN = re.compile(rf"\((?:[^()]*,\s*)?({ANY_RIDDLE})\b[^()]*\)\s*(?::[^=()]*)?=>")
GONE_OVER = re.compile(rf"\{{#each\b.*?\bas\s+({ANY_RIDDLE})\b")


def _in_the_house(path: Path) -> bool:
    return path.is_relative_to(PACKAGE / "house")


def test_a_module_is_short_and_says_what_it_is() -> None:
    for path in MODULES:
        longest = LONGEST_MODULE_IN_THE_HOUSE if _in_the_house(path) else LONGEST_MODULE
        assert len(path.read_text("utf-8").splitlines()) <= longest, name(path)
        assert ast.get_docstring(tree(path)), name(path)


def test_a_function_fits_on_a_screen() -> None:
    functions = [
        (path, node)
        for path in MODULES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    for path, function in functions:
        longest = LONGEST_FUNCTION_IN_THE_HOUSE if _in_the_house(path) else LONGEST_FUNCTION
        assert (function.end_lineno or 0) - function.lineno < longest, f"{name(path)} {function.name}"


def test_no_module_is_named_for_nothing() -> None:
    """STYLE 9: a name says what the module is about."""
    names = [name(path) for path in (*MODULES, *(ROOT / "tests").rglob("*.py"))]
    assert not [
        module for module in names if BANNED_NAMES & set(module.removesuffix(".py").replace("/", "_").split("_"))
    ]


def own_names(module: ast.Module) -> Iterator[str]:
    """The names of functions, classes, parameters and local variables. Fields of records are data and left out."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
    bodies = [
        node
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.comprehension)
    ]
    for body in bodies:
        yield from (
            node.id for node in ast.walk(body) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )


def test_a_name_is_no_riddle() -> None:
    """STYLE 19: a name says what the thing is to somebody who has not read the rest."""
    riddles = {
        (name(path), word) for path in CODE for word in own_names(tree(path)) if word.strip("_").lower() in RIDDLES
    }
    assert riddles == KEPT_RIDDLES


def test_the_search_for_riddles_finds_them() -> None:
    text = "class Told:\n    found: int\n    def ask(self, it):\n        one = [given for given in it]\n"
    assert {word for word in own_names(ast.parse(text)) if word.lower() in RIDDLES} == {"Told", "it", "one", "given"}


def riddles_of_the_page(text: str) -> list[str]:
    return [word for search in (DECLARED, TAKEN, GONE_OVER) for word in search.findall(text)]


def test_a_name_of_the_page_is_no_riddle() -> None:
    riddles = [(name(path), word) for path in PAGE for word in riddles_of_the_page(path.read_text("utf-8"))]
    assert not riddles


def test_the_search_for_riddles_of_the_page_finds_them() -> None:
    text = (
        "const found = all.map((one) => one.id); sum(0, (a, told: number): number => a + 1)\n{#each rows as it (it.id)}"
    )
    assert riddles_of_the_page(text) == ["found", "one", "told", "it"]


# STYLE 4: paragraph numbers are data. Comments and docstrings may cite, strings that the program uses may not.

PARAGRAPH = re.compile(r"(?<![\w.-])(?:[1-9]|1[0-9])\.[0-9]{1,2}(?:\.[0-9]{1,2})*(?:\.[a-z])?(?![\w-])")


def working_strings(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Strings that are no docstrings, and the text between the values of f-strings."""
    idle = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in idle:
            yield node.lineno, node.value


def test_no_paragraph_number_stands_in_code() -> None:
    # The text that shows a command's help is a docstring too, so its examples are not looked at.
    texts = [(name(path), line, text) for path in MODULES for line, text in working_strings(tree(path))]
    assert not [row for row in texts if PARAGRAPH.search(row[2])]


def test_the_search_for_paragraph_numbers_finds_them() -> None:
    texts = [text for _, text in working_strings(ast.parse('"""3.17"""\nx = "see 3.17"\ny = f"{x} (4.2.1.a)"\n# 3.1'))]
    assert [bool(PARAGRAPH.search(text)) for text in texts if text.strip()] == [True, True]
    assert not any(PARAGRAPH.search(text) for text in ("100.00", "2025-06-01", "0.95", "x1.2", "3.11-slim", "1.234"))


def test_no_topic_is_asked_for_by_its_number() -> None:
    """rules.paragraph("tie.returns"), never a comparison with a number of one edition."""
    topics = [
        node.args[0].value
        for path in MODULES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("paragraph", "cite")
        and node.args
        and isinstance(node.args[0], ast.Constant)
    ]
    assert not [topic for topic in topics if isinstance(topic, str) and topic[:1].isdigit()]


# What belongs to one machine stays out of the repository.

REGISTRIES = (
    "pypi" + ".org",
    "files.pythonhosted" + ".org",
    "artifac" + "tory",
    "--index" + "-url",
    "extra-index" + "-url",
)
PLACES = ("/wo" + "rk/", "/ro" + "ot/", "/Us" + "ers/", "/ho" + "me/", "C:" + "\\Users")


def test_no_registry_and_no_machine_is_named_in_the_repository() -> None:
    mentions = []
    for path in kept_files():
        text = path.read_bytes().decode("utf-8", "replace")
        mentions += [f"{name(path)}: {word}" for word in (*REGISTRIES, *PLACES) if word in text]
    assert not mentions


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


def test_every_folder_of_tests_says_what_it_holds() -> None:
    tests = ROOT / "tests"
    listed = re.findall(r"^\| `([a-z/]+)` \| \S", (tests / "README.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(
        {path.parent.relative_to(tests).as_posix() for path in tests.rglob("test_*.py")} - {"."}
    )


def test_only_the_package_is_looked_at() -> None:
    assert PACKAGE / "rulebook" / "load.py" in MODULES
