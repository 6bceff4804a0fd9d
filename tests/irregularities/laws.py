"""The laws that a table keeps whatever goes wrong at it, checked after every command.

`Ruled` is a table with the laws around it. The chief one is a second set of books: what a patron holds, owes and has on
the layout is what they brought plus what the lines of all rounds came to, so nothing settles twice or not at all.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from punto.game import commands as c
from punto.game import events as e
from punto.game import notation
from punto.game.audience import Audience, seen, view
from punto.game.coup import deal, in_deal_order, next_side
from punto.game.decide import Answer, decide
from punto.game.evolve import evolve
from punto.game.irregularities.evolve import MARKS
from punto.game.refusals import Refusal
from punto.game.table import NEW, Laid, Phase, Round, Table, Taken, conserved
from punto.rulebook import load
from punto.rulebook.model import Rulebook

BOOKS = {book.id: book for book in (load.edition(source.game, source.edition) for source in load.catalogue())}
CODE = re.compile(r"[a-z]+(-[a-z0-9]+)*")
OPEN = (Phase.IRREGULARITY, Phase.OPTIONS)
SEVERAL = ("blue-card", "commencement")
"""Kinds that may void several rounds at once."""


class Ruled:
    """A table, its events, and a second set of books."""

    def __init__(self, rules: Rulebook, *, closely: bool = False) -> None:
        self.opened_under = rules
        self.closely = closely
        self.table: Table = NEW
        self.events: list[e.AnyEvent] = []
        self.happened: Counter[str] = Counter()
        self.brought: Counter[str] = Counter()
        """Chips bought less chips cashed, and what rulings paid."""
        self.out: dict[tuple[int, str], str] = {}
        """Bets that were taken back by option: round and wager → paragraph."""

    def fork(self) -> Ruled:
        """A copy of this table: tables are values, so nothing need be played again."""
        other = Ruled(self.opened_under, closely=self.closely)
        other.table, other.events, other.brought = self.table, list(self.events), self.brought.copy()
        other.out = dict(self.out)
        return other

    def governing(self, command: c.AnyCommand) -> Rulebook:
        """The rulebook that governs a command (E2), as `punto replay` finds it for a table whose edition is fixed."""
        table = self.table
        past = command.round if isinstance(command, c.ReportIrregularity) else None
        if isinstance(command, c.DecideIrregularity) and table.irregularity is not None:
            past = table.irregularity.round
        if past in table.past:
            return BOOKS[table.past[past].edition]
        return BOOKS[table.round.edition] if table.round is not None else self.opened_under

    def send(self, command: c.AnyCommand, rules: Rulebook | None = None) -> Answer:
        before = self.table
        rules = rules or self.governing(command)
        kept = notation.encode(before) if self.closely else None
        answer = decide(rules, before, command)
        if kept is not None:
            assert kept == notation.encode(before), f"{command} changed the table while it was decided"
        if isinstance(answer, Refusal):
            self._refused(rules, command, answer)
            return answer
        assert answer, f"{command} was accepted, and nothing happened"
        table = before
        for event in answer:
            assert rules.knows(event.paragraph), f"{rules.id} has no {event.paragraph}: {event}"
            table = evolve(table, event)
            self.happened[str(type(event).__struct_config__.tag)] += 1
            self._books(event)
            self._secret(event)
            if self.closely:
                assert notation.event(notation.encode(event)) == event
        self.table = table
        self.events += answer
        self._money(command)
        self._rounds(command)
        self._rightly_laid(rules, command)
        self._goes_on(rules, command)
        self._stays_out(answer)
        self._others_untouched(before, command, answer)
        if self.closely and table.settings is not None:
            self._views(rules)
        return answer

    def _refused(self, rules: Rulebook, command: c.AnyCommand, answer: Refusal) -> None:
        assert CODE.fullmatch(answer.code), answer
        assert answer.message, answer
        assert rules.knows(answer.paragraph or ""), f"{command}: {answer}"
        self.happened[answer.code] += 1
        if self.table.round is not None:
            entered = str(command).upper()
            lying = self.table.round.cards
            open_faces = {card.face for card in lying if card.exposed}
            hidden = [card.face for card in lying if not card.exposed]
            hidden += [card.face for card in (self.table.shoe.carried if self.table.shoe else ()) if not card.exposed]
            for face in hidden:
                if face is not None and face not in entered and face not in open_faces:
                    assert face not in answer.message, f"a hidden {face} is told by {answer}"

    def _books(self, event: e.AnyEvent) -> None:
        match event:
            case e.ChipsBought():
                self.brought[event.patron] += event.chips_cents
            case e.ChipsCashed():
                self.brought[event.patron] -= event.chips_cents
            case e.RulingPaid():
                for entry in event.entries:
                    self.brought[entry.patron] += entry.paid_cents + entry.cleared_cents
            case _:
                pass

    def _money(self, command: c.AnyCommand) -> None:
        table = self.table
        assert conserved(table), f"chips were made or lost by {command}"
        assert all(cents > 0 for cents in table.owed_cents.values()), table.owed_cents
        came_to = Counter(self.brought)
        for round_ in self._all_rounds():
            for line in round_.lines:
                assert (
                    0
                    <= line.handed_back_cents
                    == line.stake_cents + line.winnings_cents - (line.stake_cents if line.result == "lost" else 0)
                )
                came_to[line.patron] += line.handed_back_cents - line.stake_cents
        lying: Counter[str] = Counter()
        if table.round is not None and not table.round.ended:
            for laid in _wagers(table.round):
                lying[laid.patron] += laid.stake_cents
        for name, patron in table.patrons.items():
            assert patron.balance_cents >= 0, f"{patron} after {command}"
            holds = patron.balance_cents + lying[name] - table.owed_cents.get(name, 0)
            assert holds == came_to[name], f"{name} holds {holds}, the lines come to {came_to[name]}, after {command}"

    def _all_rounds(self) -> list[Round]:
        table = self.table
        return [*table.past.values(), *([table.round] if table.round is not None else [])]

    def _rounds(self, command: c.AnyCommand) -> None:
        """Lines of an ended round add up to the stakes, a void has no winner, and the road has the shoe's results."""
        marks = {}
        for round_ in self._all_rounds():
            stakes: Counter[str] = Counter()
            for line in round_.lines:
                stakes[line.wager] += line.stake_cents
            assert len(round_.lines) <= 2 * len(stakes)
            if not round_.ended:
                assert round_.winner is None
                assert not round_.void
                continue
            for laid in _wagers(round_):
                assert stakes[laid.id] == laid.stake_cents, f"{laid} settled for {stakes[laid.id]} by {command}"
            assert not (round_.void and round_.winner is not None)
            if round_.winner is not None and self.table.shoe is not None and round_.shoe == self.table.shoe.number:
                marks[round_.number] = MARKS[round_.winner]
        if self.table.shoe is not None:
            assert self.table.shoe.results == marks, f"the road after {command}"
            assert 0 <= self.table.shoe.drawn <= self.table.shoe.cards
        open_now = self.table.irregularity is not None
        assert open_now == (self.table.phase in OPEN), f"{command} left {self.table.irregularity}"
        if self.table.phase in (Phase.NO_SHOE, Phase.COMMENCING, Phase.READY, Phase.SETTLED, Phase.CLOSED):
            assert self.table.round is None or self.table.round.ended, f"{command} left a round open"

    def _rightly_laid(self, rules: Rulebook, command: c.AnyCommand) -> None:
        """I4: when all cards are open, they lie as the Table of Play deals them in their order."""
        current = self.table.round
        if current is not None and current.cards and current.all_open:
            coup, left = deal(rules.table_of_play, in_deal_order(current.coup))
            assert (coup, left) == (current.coup, ()), f"{current.coup} after {command}"

    def _goes_on(self, rules: Rulebook, command: c.AnyCommand) -> None:
        """While a round is dealt something can be done: a card lies face down, or one is due."""
        current = self.table.round
        if self.table.phase is Phase.DEALING and current is not None and current.all_open and len(current.cards) > 3:
            due = next_side(rules.table_of_play, current.coup.player, current.coup.banker)
            assert due is not None, f"nothing can follow {current.coup} after {command}"

    def _stays_out(self, answer: tuple[e.AnyEvent, ...]) -> None:
        """5.16.3: bets taken back stay returned under the same paragraph, whatever comes after."""
        for event in answer:
            if isinstance(event, e.OptionChosen) and event.option == "returned":
                self.out |= {(self.table.current.number, line.wager): line.paragraph for line in event.lines}
        for round_ in self._all_rounds():
            for line in round_.lines:
                paragraph = self.out.get((round_.number, line.wager))
                assert paragraph in (None, line.paragraph), f"{line} was taken back under {paragraph}"

    def _others_untouched(self, before: Table, command: c.AnyCommand, answer: tuple[e.AnyEvent, ...]) -> None:
        """5.14: what is done about one round changes no other."""
        if isinstance(command, c.OpenBetting | c.CloseTable):
            return
        open_ = before.irregularity
        changed = [number for number, round_ in before.past.items() if self.table.past.get(number) != round_]
        if open_ is None or open_.kind in SEVERAL:
            assert open_ is not None or not changed, f"{command} changed rounds {changed}"
            return
        assert set(changed) <= {open_.round}, f"{command} changed rounds {changed}"
        if open_.round is not None and isinstance(command, c.DecideIrregularity):
            assert self.table.round == before.round, f"{command} about round {open_.round} changed the current one"
            assert self.table.phase is open_.phase
            assert self.table.shoe is None or before.shoe is not None
            assert self.table.shoe is None or before.shoe is None or self.table.shoe.carried == before.shoe.carried

    def _secret(self, event: e.AnyEvent) -> None:
        for fields in _objects(notation.plain(seen(event))):
            if fields.get("exposed") is False:
                assert (fields.get("face"), fields.get("card")) == (None, None), f"{seen(event)} shows a hidden card"
            assert not fields.get("order"), f"{seen(event)} shows the shoe"

    def _views(self, rules: Rulebook) -> None:
        current = self.table.round
        if self.table.opened.layout not in rules.layouts:
            return
        for audience in Audience:
            patron = next(iter(self.table.patrons), None)
            if audience is Audience.PATRON and patron is None:
                continue
            shown = view(rules, self.table, audience, patron)
            notation.encode(shown)
            for card in current.cards if current is not None else ():
                assert card.exposed or shown.cards[card.place] is None, f"{audience} sees {card}"

    def replayed(self) -> None:
        """Replaying the events, as they are written down, gives this table."""
        table = NEW
        for event in self.events:
            table = evolve(table, notation.event(notation.encode(event)))
        assert table == self.table


def _wagers(round_: Round) -> list[Laid | Taken]:
    return [*round_.wagers.values(), *round_.insurance]


def _objects(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value, *(nested for inner in value.values() for nested in _objects(inner))]
    if isinstance(value, list | tuple):
        return [nested for inner in value for nested in _objects(inner)]
    return []
