"""Vectors at a table: the transcripts under both games of their day, and every remedy of every edition by rank.

A transcript's balances were worked out by hand. It becomes a vector only if the vector ends with the same balances.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, Final

import msgspec
import pytest

from punto.conformance.engine import play
from punto.conformance.vectors import Acceptable, Level, Vector, vector
from punto.game import commands as c
from punto.game.notation import encode
from punto.game.refusals import Refusal
from punto.game.table import Phase
from punto.house.table import governing_edition as editions
from punto.rulebook.model import Layout, Rulebook
from tests.conformance import oracle_answers as oracle
from tests.irregularities import test_remedies as remedies
from tests.irregularities.given import WHY
from tests.irregularities.laws import BOOKS, Ruled
from tests.irregularities.standing import STAFF
from tests.transcripts import reading

Command = dict[str, Any]

NUMBERED: Final = re.compile(r"[0-9]+(?:\.[0-9]+)*(?:\.[a-z])?")
"""A paragraph number of a document. A ruling's id does not match."""

LEFT_OUT: Final = frozenset(
    {
        "another-round",
        "committed-shoe",
        "limits-and-closing-announced",
        "people-come-and-go",
        "table-is-full",
        "irregularities/fields-of-another-kind-2025",
        "irregularities/kinds-that-are-not-reported-2025",
    }
)
"""Transcripts of how Punto's own commands are written and how its house is run. No rule document decides these."""

DECIDED: Final = frozenset(
    {
        "bad-decks",
        "bad-positions",
        "banker-may-stand",
        "bet-closed-for-hand",
        "bet-not-on-layout",
        "insurance-forgone",
        "insurance-must-be-offered",
        "insurance-over-limit",
        "last-round",
        "no-more-bets",
        "no-original-bet",
        "no-such-offer",
        "no-such-remedy",
        "not-highest-bet",
        "not-then",
        "over-differential",
        "over-maximum",
        "replacement-due",
        "too-few-cards",
        "too-late-to-squeeze",
        "wrong-rank",
    }
)
"""Refusals that follow from a document. Any other is about how a command is written, and no engine is asked for it.
That a ruling is recorded with its reason is Punto's own bookkeeping."""

SIBLINGS: Final = {
    "tiger-buffalo-commission": "tiger-buffalo-non-commission",
    "tiger-buffalo-non-commission": "tiger-buffalo-commission",
    "live-baccarat-insurance-commission": "live-baccarat-insurance-no-commission",
    "live-baccarat-insurance-no-commission": "live-baccarat-insurance-commission",
}
"""Two games of one day differ in what Banker pays and in paragraph numbers."""


def transcripts() -> Iterator[Vector]:
    for transcript in reading.every_transcript():
        if transcript.name in LEFT_OUT:
            continue
        kept = [step.command for step in transcript.steps if step.refused is None or _decided(step.refused)]
        level = Level.IRREGULARITIES if transcript.name.startswith("irregularities/") else Level.TABLE
        why = _why(transcript)
        edition, rests_on = transcript.editions[-1], _rests_on(transcript)
        cited = tuple(sorted(number for number in transcript.cited if BOOKS[edition].knows(number)))
        if not cited:
            continue  # it rests on rulings alone: no document decides it
        made = _script(edition, level, cited, kept, why, rests_on)
        _agree(transcript, made)
        yield made
        yield _script(*_sibling(edition, level, transcript.cited, kept), why, rests_on)


def _decided(refused: dict[str, Any]) -> bool:
    return refused["code"] in DECIDED and NUMBERED.fullmatch(refused["paragraph"] or "") is not None


OPEN: Final = re.compile(r"\b(?:D[1-5]|I(?:[3-9]|1[0-3])|L[79]|O[0-9]{1,2})\b")
"""Rulings that answer what the documents leave open. The others say in other words what a document says."""

NEUTRAL: Final = frozenset(
    {
        "betting-closed",
        "betting-opened",
        "burnt",
        "card-drawn",
        "card-exposed",
        "chips-bought",
        "chips-cashed",
        "cut-card-drawn",
        "cut-card-placed",
        "duty-ended",
        "duty-started",
        "insurance-declined",
        "patron-joined",
        "patron-left",
        "seat-left",
        "seat-taken",
        "shoe-ended",
        "shoe-loaded",
        "table-closed",
        "table-opened",
        "wager-lowered",
        "wager-placed",
        "wager-raised",
        "wager-withdrawn",
    }
)
"""Events of any table. They cite a ruling where the Live page has no paragraph, and that leaves nothing open."""


def _rests_on(transcript: reading.Transcript) -> tuple[str, ...]:
    """Rulings that the transcript's comments name, or that an event not in NEUTRAL cites in place of a paragraph."""
    comments = " ".join(line for line in transcript.script.splitlines() if line.startswith("#"))
    cited = {event["paragraph"] for step in transcript.steps for event in step.events if event["event"] not in NEUTRAL}
    return tuple(sorted({*OPEN.findall(comments), *(number for number in cited if OPEN.fullmatch(number))}))


def _why(transcript: reading.Transcript) -> str:
    first = next(line for line in transcript.script.splitlines() if line.startswith("# "))[2:]
    name = transcript.name.removeprefix("irregularities/").replace("-", " ")
    return f"{name}: {first.split('. ')[0].rstrip('.:,')}"[:200]


def _agree(transcript: reading.Transcript, made: Vector) -> None:
    """The hand-worked balances hold, and each command was accepted or refused as the transcript records."""
    last = made.expected["steps"][-1]["balances"]
    for patron, balance in transcript.expected.items():
        assert last[patron] == balance, f"{transcript.name}: {patron} has {last[patron]}, by hand {balance}"
    kept = [step for step in transcript.steps if step.refused is None or _decided(step.refused)]
    for step, expected in zip(kept, made.expected["steps"], strict=True):
        assert expected["accepted"] == (step.refused is None), f"{transcript.name}: command {step.number}"


def _sibling(
    edition: str, level: Level, cited: set[str], commands: list[Command]
) -> tuple[str, Level, tuple[str, ...], list[Command]]:
    """The same script in the other game of the day."""
    game, day = oracle.split(edition)
    other = f"{SIBLINGS[game]}/{day}"
    text = msgspec.json.encode(commands).decode().replace(f'"{edition}"', f'"{other}"')
    text = text.replace(f'"game":"{game}"', f'"game":"{SIBLINGS[game]}"')
    topics = [topic for number in cited for topic in _topics(edition, number)]
    paragraphs = {BOOKS[other].topics[topic] for topic in topics if topic in BOOKS[other].topics}
    return other, level, tuple(sorted(paragraphs)), msgspec.json.decode(text)


def _topics(edition: str, number: str) -> tuple[str, ...]:
    paragraph = BOOKS[edition].paragraphs.get(number)
    return paragraph.topics if paragraph is not None else ()


def _script(
    edition: str,
    level: Level,
    paragraphs: tuple[str, ...],
    commands: list[Command],
    why: str,
    rests_on: tuple[str, ...] = (),
) -> Vector:
    return vector(
        edition=edition,
        level=level,
        ask="play",
        paragraphs=paragraphs,
        input={"commands": commands},
        expected=_expected(commands),
        rests_on=rests_on,
        why=why,
    )


def _expected(commands: list[Command]) -> dict[str, Any]:
    """The decider's answer, with balances only where they change and at the end, so that the line stays readable."""
    answer = play.play(commands)
    before: dict[str, str] = {}
    for at, step in enumerate(answer["steps"], start=1):
        here = step["balances"]
        if here == before and at < len(answer["steps"]):
            del step["balances"]
        before = here
    return answer


# Every remedy of every edition


def remedied() -> Iterator[Vector]:
    """Each remedy ordered by every rank that is too low, then by the lowest that may, and the round played on."""
    with pytest.MonkeyPatch.context() as patch:
        _record(patch)
        for edition, kind, remedy in remedies.ALL:
            row = BOOKS[edition].irregularities[kind]
            cite = row.cite_of(remedy)
            if NUMBERED.fullmatch(row.cite) is None:
                continue
            table, command = remedies.example(edition, kind, remedy)
            _ordered(table, command)
            _played_on(table)
            why = f"{kind.replace('-', ' ')}: {remedy.replace('-', ' ')}, and who may order it"
            yield _script(edition, Level.IRREGULARITIES, tuple(dict.fromkeys((row.cite, cite))), _sent(table), why)


def _record(patch: pytest.MonkeyPatch) -> None:
    """Tables keep the commands that they were sent; refused ones only where a document decides the refusal."""
    real_send, real_fork = Ruled.send, Ruled.fork

    def send(self: Ruled, command: c.AnyCommand, *rest: Any) -> Any:
        answer = real_send(self, command, *rest)
        refused = {"code": answer.code, "paragraph": answer.paragraph} if isinstance(answer, Refusal) else None
        if refused is None or _decided(refused):
            self.__dict__.setdefault("sent", []).append(command)
        return answer

    def fork(self: Ruled) -> Ruled:
        other = real_fork(self)
        other.__dict__["sent"] = list(_sent_commands(self))
        return other

    patch.setattr(Ruled, "send", send)
    patch.setattr(Ruled, "fork", fork)


def _sent_commands(table: Ruled) -> list[c.AnyCommand]:
    commands: list[c.AnyCommand] = table.__dict__.get("sent", [])
    return commands


def _sent(table: Ruled) -> list[Command]:
    return [_plain(command) for command in _sent_commands(table)]


def _plain(command: c.AnyCommand) -> Command:
    """A command as a script writes it: without the fields that have their default value."""
    whole: Command = msgspec.json.decode(encode(command))
    defaults = {
        field.encode_name: field.default for field in msgspec.structs.fields(command) if field.required is False
    }
    return {name: value for name, value in whole.items() if name not in defaults or value != defaults[name]}


def _ordered(table: Ruled, command: c.AnyCommand) -> None:
    """Sent by the lowest rank first, then by higher ones until it is accepted. Refused orders stay in the script."""
    if not isinstance(command, c.DecideIrregularity):
        table.send(command)
        return
    for name in STAFF.values():
        if not isinstance(table.send(msgspec.structs.replace(command, by=name)), Refusal):
            return


TAIL: Final = ("5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC")


def _played_on(table: Ruled) -> None:
    """ann takes the bets back where allowed, bob goes on, the cards due are drawn, and the round is settled."""
    for patron, option in (("ann", "returned"), ("bob", "continue")):
        if table.table.phase is Phase.OPTIONS:
            table.send(c.ChooseOption(patron=patron, option=option))
    if table.table.phase is Phase.OPTIONS:
        table.send(c.ResumePlay(by="dora"))
    for face in TAIL:
        if table.table.phase not in (Phase.DEALING, Phase.OFFER):
            break
        down = table.table.opened.facing == "down"
        table.send(c.DrawCard(by="dora", card=None if down else face))
        hidden = [card.place for card in table.table.current.cards if not card.exposed]
        for at, place in enumerate(hidden):
            table.send(c.ExposeCard(by="dora", place=place, card=TAIL[(at + 3) % len(TAIL)]))
    if table.table.phase is Phase.COMPLETE:
        table.send(c.Settle(by="dora"))


# What only an opening or a whole shoe shows


def openings(edition: str) -> Iterator[Vector]:
    """The positions of each layout and the number of decks, on both sides of their bounds."""
    rules = BOOKS[edition]
    if edition.startswith("live-"):
        return
    doubtful = {erratum.cite for erratum in rules.source.errata if "contents" in erratum.says}
    for layout in rules.layouts.values():
        low, high = layout.positions
        tried = [_opening(edition, layout.id, number) for number in (high + 1, low - 1, high)]
        closing = {"do": "close-table", "by": "sam"}
        commands = [*tried, closing, _opening(edition, layout.id, low)]
        why = f"layout {layout.id} has {low} to {high} positions"
        made = _script(edition, Level.TABLE, (layout.cite,), commands, why)
        yield _with_contents(made, rules, layout) if layout.cite in doubtful else made
    decks = rules.procedure.decks
    first = next(iter(rules.layouts.values()))
    commands = []
    for number in (min(decks) - 1, max(decks) + 1, *decks):
        commands.append(_opening(edition, first.id, first.positions[1], decks=number))
        commands += [{"do": "close-table", "by": "sam"}] if number in decks else []
    why = f"{min(decks)} to {max(decks)} decks"
    yield _script(edition, Level.TABLE, (rules.procedure.decks_cite,), commands, why)


def _with_contents(made: Vector, rules: Rulebook, layout: Layout) -> Vector:
    """E4: heading and table of contents give two ranges for this appendix, and an engine may go by either."""
    others = {(10, 16), (1, 6)} - {layout.positions}
    lawful = []
    for positions in sorted(others):
        changed = {**rules.layouts, layout.id: msgspec.structs.replace(layout, positions=positions)}
        read = msgspec.structs.replace(rules, layouts=MappingProxyType(changed))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(editions, "named", lambda name, read=read: read)
            lawful.append(Acceptable(ruling="E4", answer=_expected(made.input["commands"])))
    return vector(
        edition=made.edition,
        level=made.level,
        ask=made.ask,
        paragraphs=made.paragraphs,
        input=made.input,
        expected=made.expected,
        acceptable=tuple(lawful),
        why=made.why,
    )


def _opening(edition: str, layout: str, positions: int, **more: Any) -> Command:
    limits = {"minimum": "10.00", "maximum_differential": "1000.00"}
    opening: Command = {"do": "open-table", "by": "sam", "table": "T1", "edition": edition, "layout": layout}
    return {**opening, "positions": positions, "limits": limits, **more}


def hand_limits(edition: str) -> Iterator[Vector]:
    """Live: each bet that a shoe offers for its first hands only is placed in the last of them and in the next hand."""
    rules = BOOKS[edition]
    limited = {rule.bet.value: rule.hands for rule in rules.bets.values() if rule.hands is not None}
    if not limited:
        return
    commands: list[Command] = [
        _opening(edition, "live", 7),
        {"do": "load-shoe", "by": "sam", "count": 416, "shuffled": True},
        {"do": "burn", "by": "sam", "card": "AS"},
        {"do": "join", "patron": "ann", "chips": "10000.00"},
        {"do": "sit", "patron": "ann", "box": 1},
    ]
    for hand in range(1, max(limited.values()) + 2):
        commands.append({"do": "open-betting", "by": "sam"})
        for bet, hands in limited.items():
            if hand in (hands, hands + 1):
                commands.append({"do": "place-wager", "patron": "ann", "box": 1, "bet": bet, "stake": "10.00"})
        commands.append({"do": "close-betting", "by": "sam"})
        nine = "98"[hand > 32] + "SHDC"[hand % 4]
        six = "76"[hand > 32] + "SHDC"[hand % 4]
        zeros = ["TJQK"[hand % 4] + suit for suit in ("SH", "DC")[hand // 4 % 2]]
        faces = (nine, six, zeros[0], zeros[1])
        commands += [{"do": "draw-card", "by": "sam", "card": face} for face in faces]
        commands.append({"do": "settle", "by": "sam"})
    cites = sorted({rule.hands_cite for rule in rules.bets.values() if rule.hands_cite is not None})
    made = _script(
        edition, Level.TABLE, tuple(cites), commands, "bets of the first hands of a shoe, and the hand after"
    )
    refused = [command for command, step in zip(commands, made.expected["steps"], strict=True) if not step["accepted"]]
    assert len(refused) == len(limited), "only the wagers of the hand after are refused"
    yield made


# Short scripts of what no transcript shows under every edition


def _round(edition: str, **settings: Any) -> list[Command]:
    """A table with a shoe, ann on Player and bob on Banker with 100.00 each, and betting closed."""
    rules = BOOKS[edition]
    layout = next(iter(rules.layouts.values()))
    commands = [
        _opening(edition, layout.id, layout.positions[1], **settings),
        {"do": "load-shoe", "by": "sam", "count": 416, "shuffled": True},
    ]
    if rules.procedure.burn != "none":
        commands.append({"do": "burn", "by": "sam", "card": "AS"})
    for box, name in enumerate(("ann", "bob"), start=1):
        commands.append({"do": "join", "patron": name, "chips": "1000.00"})
        commands.append({"do": "sit", "patron": name, "box": box})
    commands.append({"do": "open-betting", "by": "sam"})
    for box, (name, bet) in enumerate((("ann", "player"), ("bob", "banker")), start=1):
        commands.append({"do": "place-wager", "patron": name, "box": box, "bet": bet, "stake": "100.00"})
    return [*commands, {"do": "close-betting", "by": "sam"}]


def _drawn(*faces: str | None) -> list[Command]:
    return [{"do": "draw-card", "by": "sam", **({} if face is None else {"card": face})} for face in faces]


SETTLE: Final[Command] = {"do": "settle", "by": "sam"}


def short_rounds(edition: str) -> Iterator[Vector]:
    rules = BOOKS[edition]
    live = edition.startswith("live-")
    layout = next(iter(rules.layouts.values()))
    request = {"insurance": False, "asked_by": "ann"}
    refused = _opening(edition, layout.id, layout.positions[1], **request)
    private = _opening(edition, layout.id, layout.positions[1], private=True, **request)
    _, *rest = _round(edition)
    cards = _drawn("KH", "2S", "7D", "3C", "4H")
    why = "insurance is left out: at a table that is not private, and at one that is"
    # Under the Live page neither table opens, and nothing else is asked.
    commands = [refused, private] if live else [refused, private, *rest, *cards, SETTLE]
    yield _script(edition, Level.TABLE, (rules.insurance.not_offered_cite,), commands, why)
    if live:
        return
    up = rules.irregularities["face-up"]
    report = {"do": "report-irregularity", "by": "sam", "kind": "face-up", "places": {"P1": "KH", "P2": "7D"}}
    decide = {"do": "decide-irregularity", "by": "sam", "reason": WHY}
    turned = [{"do": "expose-card", "by": "sam", "place": place, "card": face} for place, face in _TURNED]
    last = [*_drawn(None), {"do": "expose-card", "by": "sam", "place": "B3", "card": "4H"}, SETTLE]
    commands = [
        *_round(edition, facing="down"),
        *_drawn(None, None, None),
        report,
        decide,
        *_drawn(None),
        *turned,
        *last,
    ]
    why = "two cards of Player lie face up and are no pair: a bet is decided, and nobody has an option"
    yield _script(edition, Level.IRREGULARITIES, (up.cite,), commands, why)
    withdraw = {"do": "withdraw-wager", "patron": "ann", "box": 1, "bet": "player"}
    cut = {"do": "draw-cut-card", "by": "sam"}
    commands = [*_round(edition, high_limit=True), cut, withdraw, *_drawn("KH", "2S", "7D", "3C", "4H"), SETTLE]
    why = "high-limit area: the cut card comes first, and a whole wager is to be withdrawn"
    cite = rules.irregularities["cut-card"].cite
    yield _script(edition, Level.IRREGULARITIES, (cite,), commands, why)


_TURNED: Final = (("B1", "2S"), ("B2", "3C"))
