"""The fold of past rounds, compared with the game: after every event of every transcript it agrees with the table."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

from punto.game import events as e
from punto.game import notation
from punto.game.audience import Audience, view
from punto.game.decide import apply
from punto.game.evolve import evolve
from punto.game.table import NEW, Phase, Round, Table
from punto.house.history import fold, queries
from punto.house.history.fold import Dated
from punto.house.history.past_round import PastRound
from punto.house.history.round_frames import framed
from punto.house.table.governing_edition import governing, named
from tests.irregularities.laws import BOOKS
from tests.irregularities.playing import Table as RandomTable
from tests.transcripts.reading import irregular_names, names, script

Steps = list[tuple[Dated, Table]]
"""Each event with its version and instant, and the table after it."""


def steps(events: Iterator[e.AnyEvent]) -> Steps:
    table, history = NEW, []
    for event in events:
        table = evolve(table, event)
        history.append(((table.version, table.version * 1_000_000, event), table))
    return history


def of_transcript(name: str) -> Steps:
    """The script played again: its printed events lack the faces of cards that lie face down."""
    table, rules = NEW, None
    events: list[e.AnyEvent] = []
    for line in script(name).read_bytes().splitlines():
        if line.strip() and not line.startswith(b"#"):
            try:
                command = notation.command(line)
                rules = governing(table, command, rules)
            except ValueError:
                continue
            table, answer = apply(rules, table, command)
            events += answer if isinstance(answer, tuple) else ()
    return steps(iter(events))


def of_chance(edition: str, seed: int) -> Steps:
    """A random table at which much goes wrong."""
    played = RandomTable(random.Random(f"{edition} {seed}"), BOOKS[edition], often=0.15)
    played.play(14)
    return steps(iter(played.ruled.events))


def compared(past: PastRound, known: Round) -> None:
    """Compare a round by the fold with the same round by the game."""
    lying = {card.place: card.face if card.exposed else None for card in known.cards}
    wagers = {wager.wager: (wager.patron, wager.box, wager.stake_cents, wager.in_play_cents) for wager in past.wagers}
    held = {cover.insurance: (cover.patron, cover.bet, cover.after, cover.stake_cents) for cover in past.insurance}
    state = "void" if known.void else "settled" if known.winner else "concluded" if known.ended else "open"
    assert (past.round, past.hand, past.edition) == (known.number, known.hand, known.edition)
    assert list(past.cards.items()) == list(lying.items())
    assert wagers == {
        wager.id: (wager.patron, wager.box, wager.stake_cents, wager.in_play_cents) for wager in known.wagers.values()
    }
    assert held == {cover.id: (cover.patron, cover.bet, cover.after, cover.stake_cents) for cover in known.insurance}
    assert sorted(past.lines, key=repr) == sorted(known.lines, key=repr)
    assert (past.state, past.winner) == (state, known.winner)


def seen_then(past: PastRound, table: Table) -> None:
    """Compare a round with what the pit saw at that event."""
    seen, now = view(named(past.edition), table, Audience.PIT), framed(past)
    assert (now.phase, now.cards, now.next_place, now.winner) == (seen.phase, seen.cards, seen.next_place, seen.winner)
    assert (now.irregularity and now.irregularity.kind) == seen.irregularity
    assert now.choices == seen.choices
    offers = (seen.on_offer, seen.late_offer) if table.phase is Phase.OFFER else ()
    assert {(offer.after, offer.odds) for offer in now.open_offers} == {
        (offer.after, offer.odds) for offer in offers if offer
    }
    coup = table.current.coup
    assert (now.player_points, now.banker_points) == (coup.player_points, coup.banker_points)


def check(history: Steps) -> int:
    """Check every round of a table, event by event and at the end. Returns how many there were."""
    starts = [at for at, (row, _) in enumerate(history) if isinstance(row[2], e.BettingOpened)]
    later = queries.by_round([row for row, _ in history if isinstance(row[2], CORRECTIONS)])
    last = history[-1][1]
    for at, following in pairwise([*starts, len(history)]):
        past: PastRound | None = None
        for row, table in history[at:following]:
            past = fold.after(past, row)
            assert past is not None
            if table.round is not None and table.round.number == past.round:
                compared(past, table.round)
                seen_then(past, table)
        assert past is not None
        for row in later.get(past.round, ()):
            if row[0] > history[following - 1][0][0]:
                past = fold.after(past, row)
                assert past is not None
        known = last.round if last.round is not None and last.round.number == past.round else last.past.get(past.round)
        if known is not None:
            compared(past, known)
    return len(starts)


CORRECTIONS = (
    e.IrregularityReported,
    e.PastRoundCorrected,
    e.OriginalReturned,
    e.InsuranceRepositioned,
    e.RulingPaid,
)


def test_every_transcript_adds_up_as_the_table_does() -> None:
    wrong = {}
    for name in (*names(), *irregular_names()):
        try:
            check(of_transcript(name))
        except AssertionError as fault:
            wrong[name] = str(fault)
    assert not wrong, wrong


def test_random_tables_add_up_as_the_table_does() -> None:
    """However much goes wrong, in every edition."""
    assert sum(check(of_chance(edition, seed)) for edition in BOOKS for seed in range(5)) > 400
