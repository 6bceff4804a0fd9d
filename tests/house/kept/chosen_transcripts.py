"""Which transcripts are played in a kept house, and how its people send their commands over HTTP."""

from __future__ import annotations

from typing import Any, Final

from tests.transcripts.reading import Transcript, every_transcript

STAFF: Final = {
    "sam": "pit-supervisor",
    "dora": "dealer",
    "mia": "pit-manager",
    "max": "pit-manager",
    "tess": "shift-manager",
}
"""The staff that the first start opens, by their names in the transcripts."""
PATRONS: Final = ("ann", "bob")
GUESTS: Final = ("ben", "cat", "dee", "eve", "zoe")
_NAMES: Final = ("by", "patron", "name", "asked_by")
_FROM_SERVER: Final = {"open-table": ("on", "by", "do", "table"), "open-betting": ("on",)}
_MOST_STEPS: Final = 60


def chosen() -> list[Transcript]:
    """A few transcripts that together show every event, every kind of irregularity, every ruling and every edition."""
    left = {candidate.name: (candidate, _shows(candidate)) for candidate in every_transcript() if _playable(candidate)}
    wanted = set().union(*(shown for _, shown in left.values()))
    picks = []
    while wanted:
        name = max(left, key=lambda name: (len(left[name][1] & wanted), name))
        transcript, shown = left.pop(name)
        picks.append(transcript)
        wanted -= shown
    return sorted(picks, key=lambda pick: (max(pick.editions), pick.name))


def _playable(transcript: Transcript) -> bool:
    """Whether a house's people can play it: it has one live table, only people known here, and few enough commands."""
    known = {*STAFF, *PATRONS, *GUESTS}
    commands = [step.command for step in transcript.steps]
    opened = [command for command in commands if command["do"] == "open-table"]
    live = all(command.get("source") is None and "edition" in command for command in opened)
    named = {command.get(name) or "sam" for command in commands for name in _NAMES}
    return live and len(opened) == 1 and named <= known and len(commands) <= _MOST_STEPS


def _shows(transcript: Transcript) -> set[tuple[str, ...]]:
    events = [event for step in transcript.steps for event in step.events]
    features: set[tuple[str, ...]] = {("edition", edition) for edition in transcript.editions}
    features |= {("event", event["event"]) for event in events}
    features |= {
        ("kind", event["irregularity"]["kind"]) for event in events if event["event"] == "irregularity-reported"
    }
    features |= {("act", str(event.get("action"))) for event in events if event["event"] == "irregularity-decided"}
    return features


def asker(command: dict[str, Any]) -> str:
    """Who gives the command, by their name in the transcript."""
    return next(str(command[name]) for name in ("by", "name", "patron") if command.get(name))


def with_names(command: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """The command as the house's people send it."""
    left_out = _FROM_SERVER.get(command["do"], ())
    return {
        name: names.get(value, value) if name in _NAMES else value
        for name, value in command.items()
        if name not in left_out and not (name == "rank" and command["do"] == "start-duty")
    }
