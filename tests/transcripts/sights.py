"""What people see while a script is played: everybody's view after each command, and what they can do then.

`NAME.seen` lies beside the script. A line has the step, who looks, and what is new to them since the step before;
people who see the same share a line. The public view is given whole. A patron and the dealer have what the public view
lacks, the pit what the dealer's lacks, and each of the staff what they can do. Rows of a list are named by their
command, wager or box. `-` names what is gone, `+` what is new in a list. `told` is how the shown events of the step
differ from those in `NAME.out`; for a patron it is given where it differs from the public's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from punto.game import notation
from punto.game.audience import Audience, mine, seen, shown, view
from punto.game.events import AnyEvent
from punto.game.possible import around
from punto.game.refusals import Refusal
from punto.game.table import Table
from punto.house.table import replay_script
from punto.house.table.governing_edition import in_use, ruled_by
from punto.rulebook.model import Rank, Rulebook
from tests.transcripts import reading

SHOWN: Final = (
    *("another-round", "banker-third-first-exposed", "banker-third-first-squeezed", "big-tiger-non-commission-2024"),
    *("chips-found-after-settlement", "chips-found-late-pro-rata", "committed-shoe", "cut-card-first-withdrawal"),
    *("cut-card-last-round", "differential-of-the-table", "edition-changes-at-eight", "face-down-refusals"),
    *("insurance-declined-and-forgone", "insurance-on-both-hands", "insurance-over-the-limit"),
    *("limits-and-closing-announced", "live-blue-card-in-a-hand", "live-commission", "live-no-commission"),
    *("pairs-commission-2024", "people-come-and-go", "private-table-opened-without-insurance", "shuffler"),
    *("squeeze-anyone-2025", "squeeze-seated-2024", "staff-place-2025", "standing-pushed-out", "ten-to-one-cap"),
    *("tiger-buffalo-non-commission-2025", "walked-away"),
    *(
        f"irregularities/{name}"
        for name in (
            *("cut-card-not-offered-2025", "damaged-card-determined-2025", "discretion-gives-options-2025"),
            *("discretion-pays-2025", "discretion-voids-a-past-round-2025", "excess-card-next-round-2025"),
            *("excess-card-options-2025", "face-up-2025", "insurance-misplaced-after-settlement-2025"),
            *("insurance-missed-late-offer-2025", "insurance-missed-live", "interruption-concluded-2025"),
            *("interruption-void-2024", "late-discovery-2025", "late-extra-card-2025", "late-missing-card-2024"),
            *("late-round-of-an-older-edition", "live-blue-card-two-hands-after-the-last"),
            *(
                "live-commencement-corrected",
                "live-commencement-invalid",
                "live-exposed-outside-play",
                "live-wrong-dealing-reconstructed",
            ),
            *("lost-card-determined-2025", "owed-kept-from-a-payment-2025", "reopened-and-owed-2025"),
            *("report-withdrawn-2025", "reset-options-2025", "simultaneous-2025", "squeeze-passes-on-2025"),
            *("third-card-forgotten-2025", "void-live", "wrong-hand-options-2024"),
        )
    ),
)
"""Scripts whose views are kept: every edition, cards face up and face down, insurance, limits ahead, section 5."""
STRANGER: Final = "stranger"
"""Neither a patron nor on duty."""
_GONE: Final = "-"
_NOTHING: Final = "nothing"
_KNOWN_BY: Final = ("do", "wager", "insurance", "box")
"""The fields that name a row of a list: the first of these that it has."""

Sight = dict[str, Any]


def kept(name: str) -> Path:
    return reading.FOLDER / f"{name}.seen"


def written(name: str) -> str:
    """The views as they are now, in the form in which they are kept."""
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in _sights(name))


def difference(before: Sight, after: Sight) -> Sight:
    """What is new in the second, and the names of what it lacks."""
    new: Sight = {}
    for name, value in after.items():
        old = before.get(name)
        if name not in before or old != value:
            if isinstance(old, dict) and isinstance(value, dict):
                new[name] = difference(old, value)
            else:
                new[name] = _turnover(old, value)
    gone = [name for name in before if name not in after]
    return {**new, _GONE: gone} if gone else new


def _turnover(old: Any, value: Any) -> Any:
    """What came into a list of words and what left it, where some stayed; any other value is given whole."""
    if not (isinstance(old, list) and isinstance(value, list) and any(word in old for word in value)):
        return value
    came, gone = [word for word in value if word not in old], [word for word in old if word not in value]
    if not (came or gone) or not all(isinstance(word, str) for word in (*old, *value)):
        return value
    return {sign: words for sign, words in (("+", came), (_GONE, gone)) if words}


def _sights(name: str) -> Iterator[Sight]:
    lines = [line for line in reading.script(name).read_bytes().splitlines() if line.strip() and line[:1] != b"#"]
    last: dict[str, Sight] = {}
    for number, (line, step) in enumerate(zip(lines, replay_script.played(lines), strict=True), 1):
        now = _looked_at(step.table)
        events = () if isinstance(step.answer, Refusal) else step.answer
        alike: list[tuple[list[str], Sight]] = []
        for who in dict.fromkeys((*now, *last)):
            news = _news(last.get(who, {}), now.get(who), events, who)
            same = next((names for names, other in alike if other == news), None)
            if same is not None:
                same.append(who)
            elif news:
                alike.append(([who], news))
        for names, news in alike:
            yield {"step": number, "do": json.loads(line).get("do"), "who": names, **news}
        last = now


def _news(before: Sight, after: Sight | None, events: tuple[AnyEvent, ...], who: str) -> Sight:
    if after is None:
        return {_GONE: ["looks no longer"]}
    news, messages = difference(before, after), _messages(events, who)
    tells = any(messages) if who == "public" else messages not in ([], _messages(events, "public"))
    return {**news, "told": messages} if tells else news


def _looked_at(table: Table) -> dict[str, Sight]:
    """What each audience sees beyond the one that sees less."""
    rules = in_use(table)
    if rules is None:
        return {}
    public, dealer, pit = (_whole(rules, table, viewer) for viewer in (Audience.PUBLIC, Audience.DEALER, Audience.PIT))
    sights = {"public": public, "dealer": _beside(public, dealer), "pit": _beside(dealer, pit)}
    for name, rank in {**table.staff, STRANGER: None}.items():
        audience, less = (Audience.DEALER, dealer) if rank is Rank.DEALER else (Audience.PIT, pit)
        sights[f"{audience.value} {name}"] = _beside(less, _whole(rules, table, audience, name))
    shared = around(rules, table)
    for name in (*table.patrons, STRANGER):
        own = mine(rules, table, Audience.PATRON, name, shared)
        sights[f"patron {name}"] = _by_name(notation.plain(own))
    return sights


def _beside(less: Sight, more: Sight) -> Sight:
    """The fields of `more` that `less` does not have, or has with another value."""
    lacking = [name for name in less if name not in more]
    own = {name: value for name, value in more.items() if name not in less or less[name] != value}
    return {**own, "lacking": lacking} if lacking else own


def _whole(rules: Rulebook, table: Table, audience: Audience, name: str | None = None) -> Sight:
    whole: Sight = _by_name(notation.plain(view(rules, table, audience, name, ruled_by=ruled_by(table))))
    return whole


def _messages(events: tuple[AnyEvent, ...], who: str) -> list[Any]:
    """How the events that somebody is shown differ from the output; nothing for staff, who see the output."""
    audience, _, name = who.partition(" ")
    if audience in (Audience.DEALER, Audience.PIT):
        return []
    messages: list[Any] = []
    for event in events:
        message = shown(event, Audience(audience), name or None)
        whole = _by_name(notation.plain(seen(event)))
        messages.append(_NOTHING if message is None else difference(whole, _by_name(notation.plain(message))))
    return messages


def _by_name(value: Any) -> Any:
    """Rows of a list by name, with a number where a name occurs twice."""
    if isinstance(value, dict):
        return {name: _by_name(inner) for name, inner in value.items()}
    if not isinstance(value, list | tuple):
        return value
    key = next((key for key in _KNOWN_BY if value and isinstance(value[0], dict) and key in value[0]), None)
    if key is None:
        return [_by_name(row) for row in value]
    rows: Sight = {}
    for row in value:
        name = " ".join([str(row[key]), *row.get("choices", {}).get("place", ())])
        twice = sum(known == name or known.startswith(f"{name} ") for known in rows)
        rows[f"{name} {twice + 1}" if twice else name] = {
            field: _by_name(inner) for field, inner in row.items() if field != key
        }
    return rows
