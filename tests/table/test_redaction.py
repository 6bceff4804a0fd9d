"""What each audience sees of an event: every kind is decided on, and nobody sees another's name or chips."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import msgspec

from punto.game import events as e
from punto.game.audience import Audience, concerns, seen, shown
from punto.game.decide import apply
from punto.game.notation import encode
from punto.game.notation import event as read
from punto.game.refusals import Refusal
from punto.game.table import NEW, CarriedCard, Irregular, Phase, PlacedCard, Table
from punto.house.table.governing_edition import governing
from punto.house.table.replay_script import command_of
from tests.every import of_every
from tests.transcripts.reading import FOLDER

SCRIPTS = sorted(FOLDER.rglob("*.jsonl"))


@cache
def played(script: Path) -> tuple[tuple[e.AnyEvent, ...], Table]:
    """The events of a transcript as they are recorded, and the table at its end."""
    table, rules = NEW, None
    events: list[e.AnyEvent] = []
    for line in script.read_bytes().splitlines():
        if not line.strip() or line.startswith(b"#"):
            continue
        try:
            command = command_of(table, line)
            rules = governing(table, command, rules)
        except ValueError:
            continue
        table, answer = apply(rules, table, command)
        events += [] if isinstance(answer, Refusal) else answer
    return tuple(events), table


def every_event() -> Iterator[e.AnyEvent]:
    return (event for script in SCRIPTS for event in played(script)[0])


def test_every_kind_of_event_is_decided_on() -> None:
    """A new kind fails the type check of `shown`; and here it needs a transcript in which it occurs."""
    events = list(every_event())
    assert {type(event) for event in events} == set(get_args(e.AnyEvent))
    for event in events:
        for audience in Audience:
            shown(event, audience, "ann" if audience is Audience.PATRON else None)


@of_every(SCRIPTS)
def test_nobody_is_told_of_anybody_else(script: Path) -> None:
    """Each event is shown to the patrons it names, to two others, and to somebody who is not at the table."""
    events, table = played(script)
    people = {*table.patrons, *table.staff}
    written = {name: encode(name) for name in people}
    for event in events:
        public, whole = encode(shown(event, Audience.PUBLIC)), encode(event)
        named = {name for name in people if written[name] in whole}
        assert not {name for name in named if written[name] in public}, public
        others = [name for name in table.patrons if name not in named][:2]
        for patron in (*(named & table.patrons.keys()), *others, "stranger"):
            sent = encode(shown(event, Audience.PATRON, patron))
            assert not {name for name in named - {patron} if written[name] in sent}, sent
            if patron == "stranger":
                assert sent == public
            assert concerns(event, patron) == (sent != public)


@of_every(SCRIPTS)
def test_who_served_a_table_is_told_to_no_patron(script: Path) -> None:
    """Nor to a patron who once served there. Whoever turns a card or reports something may be a patron (3.9, O140)."""
    for event in played(script)[0]:
        by = getattr(event, "by", None)
        if by is None or isinstance(event, e.CardExposed | e.IrregularityReported):
            continue
        sent = shown(event, Audience.PATRON, by)
        assert sent is None or getattr(sent, "by", None) == "", sent


@of_every(SCRIPTS)
def test_no_words_of_staff_get_out(script: Path) -> None:
    """A note or a reason may name anybody."""
    for event in played(script)[0]:
        public = encode(shown(event, Audience.PUBLIC))
        for words in (getattr(event, "note", ""), getattr(event, "reason", "")):
            assert not words or encode(words) not in public


@of_every(SCRIPTS)
def test_a_patron_is_told_his_own(script: Path) -> None:
    """An event of one patron is shown to that patron with its amounts, but without staff's names and words."""
    events, table = played(script)
    for event in events:
        patron = getattr(event, "patron", None)
        if patron in table.patrons:
            sent = shown(event, Audience.PATRON, patron)
            assert sent is not None
            assert getattr(sent, "patron", None) == patron
            for field in ("stake_cents", "chips_cents", "lines", "entries"):
                assert getattr(sent, field, None) == getattr(event, field, None)


def test_staff_are_told_everything_but_secret_cards() -> None:
    for event in every_event():
        for audience in (Audience.DEALER, Audience.PIT):
            assert shown(event, audience) == seen(event)


def test_what_is_told_is_an_event_again() -> None:
    """A shown event can be read again, with every field of its kind; a name that is withheld is empty."""
    for event in every_event():
        for audience in Audience:
            sent: object = shown(event, audience, "ann")  # with its kinds mypy takes seconds
            assert sent is None or read(encode(sent)) == sent


def test_o140_who_reports_from_the_rail_is_told_so_and_nobody_else_is() -> None:
    irregularity = Irregular(kind="void", paragraph="5.5", phase=Phase.DEALING, established=False)
    event = e.IrregularityReported(paragraph="5.5", by="ann", opens=True, irregularity=irregularity, note="seen it")
    for audience, patron, by, note in (
        (Audience.PATRON, "ann", "ann", ""),
        (Audience.PATRON, "bob", "", ""),
        (Audience.PUBLIC, None, "", ""),
        (Audience.DEALER, None, "ann", "seen it"),
    ):
        assert shown(event, audience, patron) == msgspec.structs.replace(event, by=by, note=note)


def test_a_card_that_lies_face_down_is_told_to_nobody() -> None:
    """O115: with a virtual shoe the record has its face, where cards are reported, laid out or carried over."""
    down, up = CarriedCard("KH", False), CarriedCard("2S", True)
    irregularity = Irregular(
        kind="excess-card", paragraph="5.8", phase=Phase.DEALING, established=False, cards=(down, up)
    )
    events = (
        e.IrregularityReported(paragraph="5.8", by="dora", opens=True, irregularity=irregularity),
        e.CardsReconstructed(paragraph="5.8", cards=(PlacedCard("P1", "KH", False),), carried=(down, up)),
        e.CardsReconstructed(paragraph="5.8", cards=(PlacedCard("P1", "2S", True),), carried=(down,)),
    )
    for event in events:
        for audience in Audience:
            written = encode(shown(event, audience, "ann"))
            assert (b"KH" in written, b"2S" in written) == (False, True), written


def test_a_loaded_shoe_shows_its_commitment_and_an_ended_one_its_order() -> None:
    events, _ = played(FOLDER / "committed-shoe.jsonl")
    loaded = [event for event in events if isinstance(event, e.ShoeLoaded)]
    ended = [event for event in events if isinstance(event, e.ShoeEnded)]
    assert len(loaded) == len(ended) == 2
    for start, end in zip(loaded, ended, strict=True):
        for audience in Audience:
            sent, opened = shown(start, audience, "ann"), shown(end, audience, "ann")
            assert isinstance(sent, e.ShoeLoaded)
            assert isinstance(opened, e.ShoeEnded)
            assert (sent.order, sent.salt, sent.commitment) == (None, None, start.commitment)
            assert (opened.order, opened.salt) == (start.order, start.salt)


def test_no_event_shows_a_shoe_s_order_before_the_shoe_ends() -> None:
    """At tables with virtual shoes an event shows at most twelve cards, and a card drawn face down has no face."""
    for script in SCRIPTS:
        events, table = played(script)
        if table.settings is None or table.settings.source != "virtual":
            continue
        for event in events:
            for audience in Audience:
                sent = shown(event, audience, "ann")
                if sent is not None and not isinstance(sent, e.ShoeEnded):
                    assert len(re.findall(rb'"[A2-9TJQK][SHDC]"', encode(sent))) <= 12, sent
            if isinstance(event, e.CardDrawn) and not event.exposed:
                assert b'"card":null' in encode(shown(event, Audience.PIT))
