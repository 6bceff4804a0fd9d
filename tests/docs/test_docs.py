"""The documents tell the truth: what they cite, link, name and list exists."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from punto.cli.main import app
from punto.house import metrics
from punto.rulebook import load
from punto.rulebook.model import Rulebook, Source
from tests.every import of_every

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *(path for path in (ROOT / "docs").rglob("*.md") if "generated" not in path.parts)]
)
RULINGS = (ROOT / "docs" / "rulings.md").read_text("utf-8")
DIFFERENCES = (ROOT / "docs" / "differences.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")

NUMBER = r"[0-9]{1,2}(?:\.[0-9]{1,2})+(?:\.[a-z]\b)?"
CITED = re.compile(rf"\b([a-z][a-z-]+)/(\d{{4}}-\d{{2}}-\d{{2}}|undated)`?,? ((?:{NUMBER})|Appendix [A-Z]\b)")
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
RULING = re.compile(r"\b(?:[EWPMDIL](?:[1-9]|1[0-9])|O[1-9][0-9]{0,2})\b")
DEFINED = re.compile(r"^- \*\*([A-Z][0-9]+)\*\* \S", re.MULTILINE)
EXPECTED_RULINGS = {"E": 5, "W": 8, "P": 9, "M": 4, "D": 5, "I": 13, "L": 9}

each_document = of_every(DOCUMENTS)
each_edition = pytest.mark.parametrize("source", load.catalogue(), ids=lambda source: source.id)


def rulebook(name: str) -> Rulebook:
    game, _, edition = name.partition("/")
    return load.edition(game, edition)


# Paragraphs


@each_document
def test_cited_paragraphs_exist(path: Path) -> None:
    for game, edition, number in CITED.findall(path.read_text("utf-8")):
        assert rulebook(f"{game}/{edition}").knows(number), f"{path.name}: {game}/{edition} has no {number}"


def test_cites_are_found_at_all() -> None:
    """The test above would pass over a document whose cites it can't read."""
    assert len(CITED.findall(DIFFERENCES)) >= 6
    assert CITED.findall("in `live-baccarat-insurance-commission/undated` 5.6.1 and") == [
        ("live-baccarat-insurance-commission", "undated", "5.6.1")
    ]
    assert not load.edition("tiger-buffalo-commission", "2025-11-21").knows("9.9")


def numbers_by_year(text: str) -> dict[str, set[str]]:
    """The numbers of docs/rulings.md: those after "2024:" are of 2024, all others of 2025. Tables are left out."""
    text = "\n".join(line for line in text.splitlines() if not line.startswith("|"))
    older = rf"2024: ({NUMBER}(?:, {NUMBER})*)"
    return {
        "2024-05-14": {number for numbers in re.findall(older, text) for number in numbers.split(", ")},
        "2025-11-21": set(re.findall(rf"(?<![\d.:–-]){NUMBER}(?![\d%])", re.sub(older, "", text))),
    }


@pytest.mark.parametrize("game", ["tiger-buffalo-commission", "tiger-buffalo-non-commission"])
def test_the_numbers_of_the_rulings_exist(game: str) -> None:
    by_year = numbers_by_year(RULINGS)
    assert all(len(numbers) >= 5 for numbers in by_year.values())
    for edition, numbers in by_year.items():
        unknown = {number for number in numbers if not load.edition(game, edition).knows(number)}
        assert not unknown, f"{game}/{edition} has no {sorted(unknown)}"


def test_numbers_are_told_apart_by_year() -> None:
    text = "void 5.21 (2024: 5.16, 5.17.1) and 4.2.1.a; at 08:00, 25 %\n| 9.9 | in a table |"
    assert numbers_by_year(text) == {"2024-05-14": {"5.16", "5.17.1"}, "2025-11-21": {"5.21", "4.2.1.a"}}


# Links, files, functions, targets


@each_document
def test_links_resolve(path: Path) -> None:
    for target in LINK.findall(path.read_text("utf-8")):
        assert "://" not in target, f"{path.name} links away: {target}"
        file, _, anchor = target.partition("#")
        assert (path.parent / file).exists(), f"{path.name} links to {target}, which does not exist"
        assert not anchor, f"{path.name} links to the anchor {target}, which nothing checks"


def test_the_readme_links_every_document() -> None:
    linked = {(ROOT / target).resolve() for target in LINK.findall((ROOT / "README.md").read_text("utf-8"))}
    missing = {path.relative_to(ROOT).as_posix() for path in DOCUMENTS if path.resolve() not in linked} - {"README.md"}
    assert not missing, "name them under More in README.md"


def test_the_layers_are_those_of_the_import_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["id"] == "layers")
    line = " → ".join(layers).replace("(", "").replace(")", "").replace("|", "│")
    assert f"\n{line}\n" in (ROOT / "docs" / "architecture.md").read_text("utf-8")


@each_document
def test_named_files_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    for name in re.findall(r"`((?:src|tests|docs|bench|\.ci)/[\w./-]+)`", text):
        assert (ROOT / name).exists(), f"{path.name} names {name}, which does not exist"


@each_document
def test_named_functions_stand_where_they_are_said_to(path: Path) -> None:
    for name, file in re.findall(r"`(\w+)(?:\(\))?` in\s+`([\w/]+\.py)`", path.read_text("utf-8")):
        tree = ast.parse((ROOT / file).read_text("utf-8"))
        assert name in top_level_names(tree), f"{path.name} says that {name} is in {file}"


def top_level_names(tree: ast.Module) -> set[str]:
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


@each_document
def test_make_targets_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for target in re.findall(r"`make ([a-z]+)`", path.read_text("utf-8")):
        assert target in targets, f"{path.name} names make {target}"


def test_the_glossary_names_real_things() -> None:
    source = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "src").rglob("*.py")))
    glossary = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    named = [
        name for line in glossary.splitlines() for name in re.findall(r"`([\w.]+)(?:\(\))?`", line.split("|")[-2:][0])
    ]
    assert len(named) > 25
    for name in named:
        for part in name.split("."):
            assert re.search(rf"^ *(?:class|(?:async )?def) {part}\b|^ +{part}: ", source, re.MULTILINE), (
                f"there is no {name}"
            )


def test_contributing_names_functions() -> None:
    """The recipes are of use only as long as they name the real places."""
    assert len(re.findall(r"`\w+(?:\(\))?` in\s+`[\w/]+\.py`", CONTRIBUTING)) >= 8


@each_document
def test_no_machine_path_and_no_address(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"(?<![\w.])/(?:home|root|work|tmp|usr|opt|Users)/", text)
    # A database's address and this machine's own may be shown: instructions for running the house need them.
    assert not re.search(r"(?<!sqlite)(?<!postgresql)://(?!127\.0\.0\.1)", text)


# Commands


@cache
def command(*words: str) -> Any:
    """The command of these words, a group where there are more words to come, None where there is none."""
    subcommand: Any = typer.main.get_command(app)
    for word in words:
        subcommand = getattr(subcommand, "commands", {}).get(word)
        if subcommand is None:
            return None
    return subcommand


def faults(text: str) -> list[str]:
    """The untrue things that a document says of the punto command."""
    problems = []
    for code in (code for code in CODE.findall(text) if not code.startswith("```python")):
        for line in re.findall(r"(?:^|[`\s/])punto ((?:[a-z]|--)[^`\n|]*)", code):
            words = re.findall(r"^[a-z][a-z-]*", line)
            words += re.findall(r"^(?:rules|conformance) ([a-z][a-z-]*)", line)
            known = command(*words)
            if known is None:
                problems.append(f"there is no command punto {' '.join(words)}")
                continue
            options = {option for parameter in known.params for option in parameter.opts} | {"--help"}
            problems += [
                f"{words} has no {option}" for option in re.findall(r"--[a-z][a-z-]*", line) if option not in options
            ]
    return problems


@each_document
def test_mentioned_commands_and_options_exist(path: Path) -> None:
    text = re.sub(r"^punto settle: .*$", "", path.read_text("utf-8"), flags=re.MULTILINE)
    assert faults(text) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("`punto rules list --json`", 0),
        ("`.venv/bin/punto deal`", 0),
        ("`punto fly`", 1),
        ("`punto rules burn`", 1),
        ("`punto roads BPB --colour`", 1),
        ("```sh\n$ punto settle --fast x\n```", 1),
        ("prose about punto alone", 0),
    ],
)
def test_a_wrong_command_is_seen(text: str, wrong: int) -> None:
    assert len(faults(text)) == wrong


# Rulings and errata


def test_every_ruling_is_restated_once() -> None:
    defined = DEFINED.findall(RULINGS)
    wanted = [f"{letter}{number}" for letter, last in EXPECTED_RULINGS.items() for number in range(1, last + 1)]
    own = [ruling for ruling in defined if ruling.startswith("O")]
    assert sorted(ruling for ruling in defined if ruling not in own) == sorted(wanted)
    numbers = [int(ruling[1:]) for ruling in own]
    assert numbers == sorted(set(numbers)), "in order, each once; a number that was never used stays free"


def test_rulings_in_use_are_in_the_document() -> None:
    defined = set(DEFINED.findall(RULINGS))
    used: set[str] = set()
    for path in (ROOT / "src").rglob("*"):
        if path.suffix in (".py", ".toml"):
            used |= set(RULING.findall(path.read_text("utf-8")))
    for path in DOCUMENTS:
        if path.parent.name != "decisions":
            used |= set(RULING.findall(path.read_text("utf-8")))
    assert len(used) > 20
    assert used <= defined


def test_the_rulings_cited_by_an_edition_are_rulings() -> None:
    defined = set(DEFINED.findall(RULINGS))
    for source in load.catalogue():
        assert set(rulebook(source.id).readings) <= defined
        assert {erratum.ruling for erratum in source.errata} <= defined


def test_who_decides_is_what_the_data_says() -> None:
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in RULINGS.splitlines() if line[:2] == "| "]
    _, *rows = table
    columns = {"2024-05-14": 1, "2025-11-21": 2, "undated": 3}
    for source in load.catalogue():
        data = rulebook(source.id).irregularities
        shown = {row[0]: row[columns[source.edition]] for row in rows}
        assert set(data) <= set(shown), f"{source.id}: rows are missing in docs/rulings.md"
        for name, cell in shown.items():
            entry = data.get(name)
            by = f", by {entry.goes_by}" if entry is not None and entry.goes_by else ""
            assert cell == ("–" if entry is None else f"{entry.cite} {entry.decided_by}{by}"), f"{source.id} {name}"


def errata_table(source: Source) -> str:
    """The section of docs/differences.md on an edition, as it should read."""
    rows = [f"| {erratum.cite} | {erratum.says} | {erratum.read_as} | {erratum.ruling} |" for erratum in source.errata]
    heading = [f"## {source.id}", "", "| paragraph | the document | read as | ruling |", "|---|---|---|---|"]
    return "\n".join([*heading, *rows, ""])


@each_edition
def test_every_erratum_is_listed(source: Source) -> None:
    expected = errata_table(source)
    section = "## " + next((s for s in DIFFERENCES.split("\n## ") if s.startswith(f"{source.id}\n")), "")
    assert section.rstrip("\n") + "\n" == expected, f"docs/differences.md should have this section:\n\n{expected}"


def test_no_section_without_an_edition() -> None:
    headings = re.findall(r"^## (\S+/\S+)$", DIFFERENCES, re.MULTILINE)
    assert headings == [source.id for source in load.catalogue()]


# The proof in CONTRIBUTING.md


def test_the_example_proof_holds_and_its_break_is_noticed() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", CONTRIBUTING, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {"__name__": "tests.docs.example"}
    exec(compile(code, "CONTRIBUTING.md", "exec"), names)
    proof = names["tie_pays_eight_to_one"]
    (broken_by,) = proof.breaks
    for source in load.catalogue():
        rules = rulebook(source.id)
        assert proof.concerns(rules, "pay.tie")
        assert "pay.tie" in rules.topics
        proof.claim(rules)
        with pytest.MonkeyPatch.context() as patch, pytest.raises(AssertionError):
            proof.claim(broken_by(patch, rules))


def test_every_figure_that_operations_asks_to_watch_is_there() -> None:
    metrics.requested("GET", 200).inc(0)
    metrics.commands.count("place-wager", "accepted")
    metrics.logins.labels("accepted").inc(0)
    metrics.socket_closes.labels("4408").inc(0)
    metrics.clock_steps.labels("stepped").inc(0)
    kept = set(re.findall(r"^(punto_\w+)", metrics.text().decode(), re.MULTILINE))
    text = (ROOT / "docs" / "operations.md").read_text("utf-8").partition("## Monitoring")[2]
    named = set(re.findall(r"punto_\w+", text))
    assert len(named) > 6
    assert named <= kept
