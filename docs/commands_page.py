"""docs/commands.md: every command and event of a table, with an example and the paragraphs behind it.

Descriptions come from docstrings and fields, examples and paragraphs from the transcripts, so they can't become
outdated. Only `SAYS` below and the meanings of refusals are written by hand.
"""

from __future__ import annotations

import enum
import json
import types
import typing
from fractions import Fraction
from functools import cache
from typing import Any, Final

import msgspec

from docs import kinds_page
from docs.refusals import MEANINGS
from punto.game import commands as c
from punto.game import events as e
from punto.game.round import HEARD
from punto.game.table import (
    BetLimits,
    CarriedCard,
    Entry,
    Irregular,
    LateLimits,
    PlacedCard,
    Settings,
    SettledLine,
    TableLimits,
)
from punto.money import Cents
from tests.transcripts import reading
from tests.transcripts.reading import Step, Transcript

SHORT: Final = {
    "tiger-buffalo-commission/2024-05-14": "commission 2024",
    "tiger-buffalo-non-commission/2024-05-14": "non-commission 2024",
    "tiger-buffalo-commission/2025-11-21": "commission 2025",
    "tiger-buffalo-non-commission/2025-11-21": "non-commission 2025",
    "live-baccarat-insurance-commission/undated": "Live commission",
    "live-baccarat-insurance-no-commission/undated": "Live no commission",
}

SHAPES: Final = (TableLimits, BetLimits, LateLimits, Settings, SettledLine, Entry, PlacedCard, CarriedCard, Irregular)

SAYS: Final = {
    "close-table": "No more play here. Heard between rounds.",
    "end-duty": "A staff member goes off duty. The last one stays.",
    "buy-chips": "More chips for a patron.",
    "cash-chips": "Chips back for money; also by a patron who has left.",
    "sit": "Take the seat of a box.",
    "stand-up": "Give up a seat. While wagers lie in the box it stays taken.",
    "end-shoe": "Take the cards away.",
    "raise-wager": "Put `stake` more on a wager that lies there.",
    "withdraw-wager": "Take a whole wager back.",
    "close-betting": "“No more Bets”. Wagers noticed under the minimum and not mended go back.",
    "ask-squeeze": "Ask to squeeze cards at these places, before they are drawn.",
    "grant-squeeze": "The Dealer permits the squeeze that was asked for.",
    "grant-banker-first": "A Pit Supervisor consents.",
    "settle": "Pay, take and return.",
    "table-opened": "With everything that the rules want displayed.",
    "table-closed": "The table is closed.",
    "duty-started": "A staff member is on duty, with a rank.",
    "duty-ended": "A staff member is off duty.",
    "patron-joined": "A patron is at the table.",
    "chips-bought": "Chips were issued to a patron.",
    "chips-cashed": "Chips were taken back from a patron.",
    "seat-taken": "A patron sits at a box.",
    "seat-left": "A seat is free again.",
    "insurance-notice": "The notice that no insurance is offered was put up or taken down.",
    "cut-card-placed": "The cut card lies behind `after` cards.",
    "cards-burnt": "The first card of a new shoe was opened, and `skipped` cards after it are out of play.",
    "betting-opened": "A round begins, under the edition named.",
    "wager-placed": "A new wager lies in a box.",
    "wager-raised": "`stake` more on a wager.",
    "wager-lowered": "`stake` less on a wager.",
    "wager-withdrawn": "A wager was taken back.",
    "betting-closed": "No more wagers in this round.",
    "chips-reported": "Chips found after the close count as a wager.",
    "squeeze-asked": "A patron asked to squeeze these places.",
    "squeeze-granted": "The patron turns these cards.",
    "banker-first-asked": "A patron asked for the Banker's third card to be opened first.",
    "card-exposed": "A card was turned.",
    "insurance-taken": "A patron insured a hand.",
    "insurance-declined": "A patron said no to an offer.",
    "round-settled": "A line for every wager and every insurance, each with its paragraph.",
    "card-determined": "What a lost or damaged card was.",
    "options-opened": "These patrons may continue or have their bets returned.",
    "insurance-repositioned": "Insurance that lay on the wrong side was put right.",
}
"""For commands and events without a docstring."""


ABOUT: Final = """\
Made by `make docs` from the source and the transcripts in `tests/transcripts`; not written by hand. `punto replay`
plays a script of these commands, one JSON object a line; lines that start with `#` are comments.

A command asks. The answer is events, or a refusal that changes nothing. Money is a decimal string, odds are fractions,
a card is a rank and a suit (`9H`, `TD` or `10D`). For a virtual shoe a script may give `load-shoe` the field `top`, the
first cards of the order, in place of `order`: the rest follows as in new decks.

A command that means the round on the table may name it by its number, `round`: in any other round it is refused with
`another-round`. Without it the round on the table is meant.

Paragraphs are those that the transcripts cite, by edition. [Phases](generated/phases.md) shows when a command is heard.
"""


def page() -> str:
    return "\n\n".join(
        [
            "# Commands, events and refusals",
            ABOUT.strip(),
            "## Commands",
            *[_command(kind) for kind in typing.get_args(c.AnyCommand)],
            "## By kind and by layout",
            "A field with ? may be left out.",
            kinds_page.page(),
            "## Events",
            *[_event(kind) for kind in typing.get_args(e.AnyEvent)],
            "## Shapes",
            *[_shape(kind) for kind in SHAPES],
            "## Refusals",
            "A refusal has a stable `code`, a sentence for people and a paragraph (none where no rule is concerned).",
            _refusals(),
        ]
    )


def tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


@cache
def played() -> tuple[tuple[Transcript, Step], ...]:
    return tuple((transcript, step) for transcript in reading.every_transcript() for step in transcript.steps)


# One command, one event


def _command(kind: Any) -> str:
    name = tag(kind)
    answered = [(source, step) for source, step in played() if step.command["do"] == name and step.events]
    refused = sorted({step.refused["code"] for _, step in played() if step.command["do"] == name and step.refused})
    phases = ", ".join(phase.value for phase, heard in HEARD.items() if kind in heard)
    parts = [f"### {name}", _says(kind), _fields(kind), f"Heard while the table is: {phases}."]
    if answered:
        transcript, step = min(
            answered, key=lambda example: (len(example[1].text) + len(_shown(example[1].events)), example[0].name)
        )
        lines = [step.text, *(f"→ {_shown(event)}" for event in step.events)]
        parts.append("```\n" + "\n".join(lines) + "\n```")
        parts.append(f"From {_link(transcript)}. {_paragraphs([step for _, step in answered])}")
    else:
        parts.append("No transcript shows it yet.")
    if refused:
        parts.append("Refused with: " + ", ".join(f"`{code}`" for code in refused) + ".")
    return "\n\n".join(part for part in parts if part)


def _event(kind: Any) -> str:
    name = tag(kind)
    examples = [
        (transcript, step, event) for transcript, step in played() for event in step.events if event["event"] == name
    ]
    parts = [f"### {name}", _says(kind), _fields(kind)]
    if not examples:
        return "\n\n".join([*(part for part in parts if part), "No transcript shows it yet."])
    transcript, _, event = min(
        examples, key=lambda example: (-len(example[2]), len(_shown(example[2])), example[0].name)
    )
    causes = ", ".join(f"`{cause}`" for cause in sorted({step.command["do"] for _, step, _ in examples}))
    parts.append(f"```\n{_shown(event)}\n```")
    only = [msgspec.structs.replace(step, events=(occurrence,)) for _, step, occurrence in examples]
    parts.append(f"From {_link(transcript)}. Follows from {causes}. {_paragraphs(only)}")
    return "\n\n".join(part for part in parts if part)


def _says(kind: Any) -> str:
    own = kind.__dict__.get("__doc__")
    return " ".join(own.split()) if own else SAYS.get(tag(kind), "")


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _link(transcript: Transcript) -> str:
    return f"[{transcript.name}](../tests/transcripts/{transcript.name}.jsonl)"


def _paragraphs(steps: list[Step]) -> str:
    """Group editions that cite the same paragraphs."""
    cited: dict[str, set[str]] = {}
    for step in steps:
        if step.edition is not None:
            cited.setdefault(step.edition, set()).update(event["paragraph"] for event in step.events)
    groups: dict[str, list[str]] = {}
    for edition, name in SHORT.items():
        if edition in cited:
            groups.setdefault(", ".join(sorted(cited[edition], key=_order)), []).append(name)
    return "Paragraphs: " + "; ".join(f"{numbers} ({', '.join(names)})" for numbers, names in groups.items()) + "."


def _order(paragraph: str) -> tuple[object, ...]:
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in paragraph.split("."))


# Fields


def _shape(kind: Any) -> str:
    own = " ".join((kind.__dict__.get("__doc__") or "").split())
    return "\n\n".join([f"### {kind.__name__}", own, _fields(kind)])


def _fields(kind: Any) -> str:
    rows = []
    for field in msgspec.structs.fields(kind):
        if field.required:
            default = "required"
        elif field.default is msgspec.NODEFAULT:
            default = "empty"
        else:
            default = _default(field.default)
        rows.append(f"| `{field.encode_name}` | {_type(field.type)} | {default} |")
    return "\n".join(["| field | is | default |", "|---|---|---|", *rows]) if rows else ""


def _default(value: Any) -> str:
    if value is None:
        return "none"
    if value is msgspec.UNSET:
        return "left out"
    if isinstance(value, Cents):
        return f"{value / 100:.2f}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"`{value.value if isinstance(value, enum.Enum) else value}`" if value not in ("", (), {}) else "empty"


WORDS: Final[dict[object, str]] = {
    str: "text",
    int: "whole number",
    bool: "true or false",
    Cents: "amount",
    Fraction: "fraction",
    Any: "anything",
}


def _type(kind: Any) -> str:
    if kind in WORDS:
        return WORDS[kind]
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(
            "none" if part is type(None) else _type(part) for part in inner if part is not msgspec.UnsetType
        )
    if origin is dict:
        return f"{_type(inner[0])} → {_type(inner[1])}"
    if origin is tuple:
        if inner[-1] is Ellipsis:
            return f"list of {_type(inner[0])}"
        return " and ".join(_type(part) for part in inner)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return kind.__name__.lower() if len(kind) > 12 else " or ".join(f"`{member.value}`" for member in kind)
    return str(kind.__name__)


# Refusals


def _refusals() -> str:
    lines = ["| code | means | topic of its paragraph | shown in |", "|---|---|---|---|"]
    for code in sorted(MEANINGS):
        met = [(source, step) for source, step in played() if step.refused is not None and step.refused["code"] == code]
        shown = (
            _link(min((source for source, _ in met), key=lambda source: (len(source.script), source.name)))
            if met
            else "–"
        )
        topics = sorted({topic for _, step in met for topic in _topics(step)})
        lines.append(f"| `{code}` | {MEANINGS[code]} | {', '.join(topics) or '–'} | {shown} |")
    return "\n".join(lines) + "\n"


def _topics(step: Step) -> list[str]:
    """The topics of the paragraph that a refusal cites. Without one, or for a ruling, there are none."""
    paragraph = (step.refused or {}).get("paragraph")
    if paragraph is None or step.edition is None:
        return []
    known = reading.rulebook(step.edition).paragraphs.get(paragraph)
    return list(known.topics) if known is not None else []
