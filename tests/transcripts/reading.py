"""Transcripts as tests and documents read them: a script, what `punto replay` printed, what its comments promise.

A script is `NAME.jsonl`: one command a line, comments in lines that start with `#`. `NAME.out` is what it printed.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from punto.cli import replay
from punto.rulebook import in_force, load
from punto.rulebook.model import Rulebook

FOLDER: Final = Path(__file__).parent

EXPECT: Final = re.compile(r"^# expect (\S+) ([0-9]+\.[0-9]{2})$", re.MULTILINE)
CITED: Final = re.compile(r"(?<![\d.])[0-9]{1,2}(?:\.[0-9]{1,2})+(?:\.[a-z]\b)?(?!\d| to )")


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A command as it stands in the script, and its answer. `edition` is the one that governed the answer."""

    number: int
    text: str
    command: dict[str, Any]
    edition: str | None
    events: tuple[dict[str, Any], ...] = ()
    refused: dict[str, Any] | None = None


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    script: str
    steps: tuple[Step, ...]
    end: dict[str, Any]

    @property
    def expected(self) -> dict[str, str]:
        """The balances that the comments promise, worked out by hand."""
        return dict(EXPECT.findall(self.script))

    @property
    def cited(self) -> set[str]:
        """The paragraphs that the comment on top names."""
        lines = [line for line in self.script.splitlines() if line.startswith("# ") and "Paragraphs: " in line]
        return {number for line in lines for number in CITED.findall(line.partition("Paragraphs: ")[2])}

    @property
    def editions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(step.edition for step in self.steps if step.edition is not None))


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def irregular_names() -> list[str]:
    """The scripts in which something goes wrong; they are tested in tests/irregularities."""
    return sorted(f"irregularities/{path.stem}" for path in (FOLDER / "irregularities").glob("*.jsonl"))


def script(name: str) -> Path:
    return FOLDER / f"{name}.jsonl"


def printed(name: str) -> Path:
    return FOLDER / f"{name}.out"


def played(name: str) -> bytes:
    """What `punto replay` prints for a script now."""
    answers, _ = replay.run(script(name).read_bytes().splitlines())
    return b"\n".join(answers) + b"\n"


@cache
def transcript(name: str) -> Transcript:
    """A script with the output on record. It is read once, since nobody changes it."""
    text = script(name).read_text("utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    *answers, end = (json.loads(line) for line in printed(name).read_text("utf-8").splitlines())
    edition: str | None = None
    steps = []
    for number, (line, answer) in enumerate(zip(lines, answers, strict=True), 1):
        command = json.loads(line)
        events = tuple(answer.get("events", ()))
        edition = _edition(events, edition)
        steps.append(
            Step(
                number=number,
                text=line,
                command=command,
                edition=_refused_edition(command) if "refused" in answer and command["do"] == "open-table" else edition,
                events=events,
                refused=answer.get("refused"),
            )
        )
    return Transcript(name=name, script=text, steps=tuple(steps), end=end)


def transcripts() -> list[Transcript]:
    return [transcript(name) for name in names()]


def every_transcript() -> list[Transcript]:
    """All transcripts, also those in which something goes wrong."""
    return [transcript(name) for name in (*names(), *irregular_names())]


def rulebook(edition: str) -> Rulebook:
    game, _, day = edition.partition("/")
    return load.edition(game, day)


def _edition(events: tuple[dict[str, Any], ...], edition: str | None) -> str | None:
    """E2: the edition that a table was opened under, then the one that a round's betting was opened under."""
    for event in events:
        if event["event"] == "table-opened":
            edition = event["settings"]["edition"]
        elif event["event"] == "betting-opened":
            edition = event["edition"]
    return edition


def _refused_edition(command: dict[str, Any]) -> str | None:
    """The edition under which the opening of a table was refused, if there is one."""
    try:
        name, on = command.get("edition") or command["game"], command.get("on")
        return in_force.governing(name, in_force.instant(on or "2025-11-21")).id
    except (KeyError, ValueError):
        return None
