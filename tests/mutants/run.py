"""Change the source in places drawn at random and see what no test notices: `python -m tests.mutants.run TOOL`.

mutmut makes the changes, in a copy of the project under `build/mutants`, and `trials.py` runs the tests that reach
each. A change that can't matter is listed in `equivalent.toml` with the reason, and counts neither way. Parts of one
name, such as `game/coup` and `game/table`, have a score together too, each by the number of its mutants. Exit status 1
where `game` or `money` falls under 95 %.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tests.mutants.parts import AT_IMPORT, PARTS, Part
from tests.mutants.trials import PLAN, Plan, Result

ROOT: Final = Path(__file__).parents[2]
BUILD: Final = ROOT / "build" / "mutants"
WANTED: Final = {"money": 0.95, "game": 0.95}
COPIED: Final = ("src", "tests", "docs", "web/src", "pyproject.toml", "README.md")
_MUTANT: Final = re.compile(r"\S+__mutmut_\d+")
NOTICED: Final = ("killed", "timeout")
_SETTINGS: Final = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = {source}
do_not_mutate = {without}
also_copy = ["tests", "docs", "web/src", "README.md"]
# mutmut makes the changes; `tests/mutants/trials.py` runs the tests.
pytest_add_cli_args = ["--collect-only"]
pytest_add_cli_args_test_selection = ["tests/test_money.py"]
"""
_NO_TESTS: Final = "could not find any test case for any mutant"
"""The error that mutmut ends with when it runs no tests."""
_PLUGINS: Final = ("tests.mutants.trials", "tests.mutants.empty_caches", "no:cacheprovider", "no:xdist")


class Equivalent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A change that can't matter: the function, the line that the change puts in, and why the effect is the same."""

    function: str
    line: str
    why: str


class Change(NamedTuple):
    """One mutant: `name` is mutmut's, the lines are what was taken out and put in."""

    name: str
    removed: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def function(self) -> str:
        return self.name.partition("__mutmut_")[0]


class Copy:
    """The project as mutmut has changed it for one part."""

    def __init__(self, name: str, part: Part, tool: Path) -> None:
        self.folder, self._part, self._tool = BUILD / name.replace("/", "-"), part, tool
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for path in COPIED:
            source, target = ROOT / path, self.folder / path
            if source.is_dir():
                shutil.copytree(
                    source, target, ignore=shutil.ignore_patterns("__pycache__", "page", "kept", "pictures")
                )
            else:
                shutil.copyfile(source, target)
        lists = {field: msgspec.json.encode(value).decode() for field, value in part._asdict().items()}
        settings = _SETTINGS.format(**lists)
        with (self.folder / "pyproject.toml").open("a") as file:
            file.write(settings)

    def mutmut(self, *words: str, ends: str = "") -> str:
        """Run mutmut and return what it prints. `ends` is part of an error message that is expected."""
        environment = {**os.environ, "PYTHONPATH": str(self._tool)}
        command = [sys.executable, "-m", "mutmut", *words]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)
        if done.returncode and not (ends and ends in done.stdout):
            raise SystemExit(f"mutmut {words[0]} in {self.folder}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done.stdout

    def mutants(self) -> list[str]:
        """The names of all mutants that can be tried."""
        self.mutmut("run", "--max-children", "1", ends=_NO_TESTS)
        made = _MUTANT.findall(self.mutmut("results", "--all", "true"))
        return sorted(name for name in made if name.partition("__mutmut_")[0] not in AT_IMPORT)

    def results(self, names: list[str], children: int) -> dict[str, str]:
        """The status of each mutant."""
        changed, kept = self.folder / "mutants", self.folder / "results.jsonl"
        plan = Plan(names=names, measured=str(self.folder / "measured.json"), results=str(kept), children=children)
        file = self.folder / "plan.json"
        file.write_bytes(msgspec.json.encode(plan))
        paths = os.pathsep.join(map(str, (changed / "src", changed, self._tool)))
        plugins = [word for plugin in _PLUGINS for word in ("-p", plugin)]
        command = [sys.executable, "-m", "pytest", "-q", "-s", "--rootdir", ".", "-W", "ignore", *plugins]
        ran = subprocess.run(
            [*command, "-k", self._part.only, *self._part.tests],
            cwd=changed,
            env={**os.environ, "PYTHONPATH": paths, PLAN: str(file)},
            stdout=subprocess.DEVNULL,
        )
        known = (
            {result.name: result.status for result in map(_result, kept.read_bytes().splitlines())}
            if kept.exists()
            else {}
        )
        if len(known) < len(names):
            raise SystemExit(f"pytest ended in {changed} with {ran.returncode}: {len(known)} of {len(names)} tried")
        return known

    def change(self, name: str) -> Change:
        lines = [line for line in self.mutmut("show", name).splitlines() if not line.startswith(("---", "+++"))]
        return Change(name, *(tuple(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+"))


def _result(line: bytes) -> Result:
    return msgspec.json.decode(line, type=Result)


def words_of_an_assert(change: Change) -> bool:
    """Whether the change is only in the message of an assert: a bug is a bug in any words."""
    try:
        (was,), (now,) = (ast.parse("\n".join(lines)).body for lines in (change.removed, change.added))
    except (SyntaxError, ValueError):
        return False
    return isinstance(was, ast.Assert) and isinstance(now, ast.Assert) and ast.dump(was.test) == ast.dump(now.test)


def equivalents() -> set[tuple[str, str]]:
    read = tomllib.loads((Path(__file__).parent / "equivalent.toml").read_text())["equivalent"]
    return {(equivalent.function, equivalent.line) for equivalent in msgspec.convert(read, list[Equivalent])}


class Score(NamedTuple):
    """What share of a part's mutants was noticed, by a sample, and how many mutants the part has."""

    part: str
    noticed: float
    mutants: int

    @property
    def group(self) -> str:
        return self.part.partition("/")[0]


def together(scores: list[Score]) -> dict[str, float]:
    """The share of mutants that was noticed in each group; a part counts by the number of its mutants."""
    groups: dict[str, list[Score]] = {}
    for score in scores:
        groups.setdefault(score.group, []).append(score)
    return {
        group: sum(part.noticed * part.mutants for part in parts) / sum(part.mutants for part in parts)
        for group, parts in groups.items()
    }


def run(name: str, tool: Path, sample: int, seeds: list[int], children: int) -> list[Score]:
    """Prints the score of a part at each seed, and what was not noticed."""
    print(f"{name}: changing and measuring", file=sys.stderr, flush=True)
    copy = Copy(name, PARTS[name], tool)
    every = copy.mutants()
    drawn = {seed: sorted(random.Random(f"{seed} {name}").sample(every, min(sample, len(every)))) for seed in seeds}
    names = sorted({mutant for names in drawn.values() for mutant in names})
    print(f"{name}: {len(names)} of {len(every)} mutants", file=sys.stderr, flush=True)
    # In random order, so that the mutants tried before a run is broken off are a sample too.
    results = copy.results(random.Random(name).sample(names, len(names)), children)
    unnoticed = {mutant: copy.change(mutant) for mutant, result in results.items() if result not in NOTICED}
    return [
        Score(
            name, _printed(name, seed, len(every), {mutant: results[mutant] for mutant in names}, unnoticed), len(every)
        )
        for seed, names in drawn.items()
    ]


def _printed(name: str, seed: int, mutants: int, results: dict[str, str], unnoticed: dict[str, Change]) -> float:
    """The share of a sample that was noticed."""
    known = equivalents()
    equal: list[Change] = []
    survivors: list[Change] = []
    for change in (unnoticed[mutant] for mutant in results if mutant in unnoticed):
        explained = words_of_an_assert(change) or any((change.function, line) in known for line in change.added)
        (equal if explained else survivors).append(change)
    judged = len(results) - len(equal)
    score = (judged - len(survivors)) / judged if judged else 1.0
    counts = ", ".join(f"{count} {result}" for result, count in sorted(Counter(results.values()).items()))
    print(
        f"{name}: {len(results)} of {mutants} mutants, seed {seed}: {counts}; "
        f"{len(equal)} can't matter; score {score:.1%}",
        flush=True,
    )
    for change in survivors:
        print(f"  {change.name}: {results[change.name]}")
        for sign, lines in (("-", change.removed), ("+", change.added)):
            print("".join(f"    {sign} {line}\n" for line in lines), end="")
    return score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool", type=Path, help="the folder that mutmut is installed in")
    parser.add_argument("--sample", type=int, default=200, help="mutants of each part")
    parser.add_argument("--seed", type=int, action="append", help="0 if none is named; as often as wanted")
    parser.add_argument("--children", type=int, default=2, help="processes at a time")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; as often as wanted")
    options = parser.parse_args()
    parts = options.part or list(PARTS)
    seeds = options.seed or [0]
    scores = [run(name, options.tool.absolute(), options.sample, seeds, options.children) for name in parts]
    good = True
    for at, seed in enumerate(seeds):
        of_seed = [score[at] for score in scores]
        for group, noticed in together(of_seed).items():
            of = [score.part for score in of_seed if score.group == group]
            if len(of) > 1:
                print(f"{group}, seed {seed}: {', '.join(of)} together: score {noticed:.1%}")
            good = good and noticed >= WANTED.get(group, 0.0)
    sys.exit(not good)


if __name__ == "__main__":
    main()
