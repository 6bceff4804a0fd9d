"""The laws that every table keeps after every command, whatever the command.

`Watched` is a table with the laws around it: send it commands; it fails on the first law that is broken.
Cheap laws are checked after every command, expensive ones (JSON, a deep copy) at tables watched `closely`.
"""

from __future__ import annotations

import re
from collections import Counter

import msgspec

from punto import money
from punto.game import commands as c
from punto.game import dealing, notation
from punto.game import events as e
from punto.game.audience import Audience, view
from punto.game.decide import Answer, decide
from punto.game.evolve import evolve
from punto.game.record import settle_line
from punto.game.refusals import Refusal
from punto.game.round import HEARD
from punto.game.settle_round import record
from punto.game.table import NEW, Laid, Phase, Table, conserved
from punto.rulebook import load
from punto.rulebook.model import Bet, Rulebook
from tests.table import plain_insurance, plain_limits

_CODE = re.compile(r"[a-z]+(-[a-z0-9]+)*")
_MAIN = (Bet.PLAYER, Bet.BANKER)


class Watched:
    """A table, the rulebook that governs it, and every command with its answer."""

    def __init__(self, rules: Rulebook, *, closely: bool = False) -> None:
        self.rules = rules
        self.closely = closely
        self.table: Table = NEW
        self.asked: list[tuple[Rulebook, c.AnyCommand]] = []
        self.answers: list[Answer] = []
        self.rounds = 0
        self.happened: Counter[str] = Counter()
        self._withdrawn_late = False

    def send(self, command: c.AnyCommand, rules: Rulebook | None = None) -> Answer:
        """Decide and evolve, under every law. `rules` is given where a round opens under another edition (E2)."""
        before, rules = self.table, rules or self.rules
        kept = _snapshot(before) if self.closely else None
        answer = decide(rules, before, command)
        self.asked.append((rules, command))
        self.answers.append(answer)
        if kept is not None:
            assert kept == _snapshot(before), f"{command} changed the table while it was decided"
            _as_json(command, answer)
        if isinstance(command, c.TakeInsurance):
            _insured(rules, before, command, answer)
        if isinstance(answer, Refusal):
            assert _CODE.fullmatch(answer.code), answer
            assert answer.message, answer
            assert rules.knows(answer.paragraph or ""), f"{command}: {answer}"
            self.happened[answer.code] += 1
            return answer
        assert type(command) in HEARD[before.phase], f"{command} was heard while the table was {before.phase}"
        assert answer, f"{command} was accepted, and nothing happened"
        table = before
        for event in answer:
            assert rules.knows(event.paragraph), f"{rules.id} has no {event.paragraph}: {event}"
            table = evolve(table, event)
            self.happened[type(event).__name__] += 1
            if isinstance(event, e.InsuranceOffered):
                _offered(rules, table, event)
        self.table = table
        if self.closely and table.settings is not None and len(self.asked) % 5 == 0:
            views(rules, table)
        if type(answer[0]) is e.BettingOpened:
            self.rules = rules
            self._withdrawn_late = False
        self._phase(before.phase, command)
        self._money(command)
        if table.round is not None:
            self._stakes(before, command, answer)
        if table.phase is Phase.SETTLED and before.phase is not Phase.SETTLED:
            self.rounds += 1
            if table.current.winner is not None:
                self._settlement()
        return answer

    def _phase(self, before: Phase, command: c.AnyCommand) -> None:
        after = self.table.phase
        assert after in HEARD[before][type(command)], f"{command} led from {before} to {after}"

    def _money(self, command: c.AnyCommand) -> None:
        assert conserved(self.table), f"chips were made or lost by {command}"
        for patron in self.table.patrons.values():
            assert patron.balance_cents >= 0, f"{patron} after {command}"

    def _stakes(self, before: Table, command: c.AnyCommand, answer: tuple[e.AnyEvent, ...]) -> None:
        """D1–D5: what lies in the boxes and what of it is in play."""
        table = self.table
        limits = table.opened.limits
        kind = type(command)
        if isinstance(command, c.ReportChips) and not self._withdrawn_late:
            self._pro_rata(command, answer)
        if kind is c.WithdrawWager and before.phase is Phase.CUT_CARD:
            self._withdrawn_late = True
        wagers = _laid(table)
        for wager in wagers:
            assert 0 <= wager.in_play_cents <= wager.stake_cents, wager
            assert wager.stake_cents > 0, wager
        if table.phase is Phase.BETTING:
            for wager in wagers:
                out = before.round is not None and wager.in_play_cents != wager.stake_cents
                assert not out, f"{wager} is not all in play while betting is open"
                warned = wager.noticed or wager.stake_cents >= plain_limits.minimum(limits, wager.bet)
                assert warned, f"{wager} is under the minimum, and the patron was not told"
        if table.phase is Phase.BETTING or kind is c.CloseBetting:
            fault = plain_limits.fault(limits, wagers)
            assert fault is None, f"{fault} after {command}: {answer}"
        if kind is c.CloseBetting:
            for wager in wagers:
                assert wager.stake_cents >= plain_limits.minimum(limits, wager.bet), f"{wager} outlived the close"

    def _pro_rata(self, command: c.ReportChips, answer: tuple[e.AnyEvent, ...]) -> None:
        here = [wager for wager in _laid(self.table) if wager.box == command.box]
        expected = plain_limits.in_play(self.table.opened.limits, here)
        assert {wager.id: wager.in_play_cents for wager in here} == expected, f"{command}: {answer}"

    def _settlement(self) -> None:
        """Every line is as `punto settle` gives it, and each excess that was not in play has a line."""
        current, table = self.table.current, self.table
        request = record(table)
        answer, settled = settle_line(msgspec.json.encode(request), _governing)
        slip = msgspec.json.decode(answer)
        assert settled, f"{slip['error']} for {request}"
        assert slip["winner"] == current.winner
        lines = iter(slip["lines"])
        expected = []
        back = self.rules.paragraph("limit.pro-rata")
        for wager in current.wagers.values():
            if wager.in_play_cents:
                expected.append(next(lines))
            excess = money.amount(wager.stake_cents - wager.in_play_cents)
            if excess != "0.00":
                expected.append(_line(wager.id, wager.bet, "returned", excess, None, "0.00", excess, back))
        for taken in current.insurance:
            if taken.in_play_cents:
                expected.append(next(lines))
            excess = money.amount(taken.stake_cents - taken.in_play_cents)
            if excess != "0.00":
                insurance = self.rules.insurance
                never = not taken.in_play_cents and insurance.both_hands == "none"
                limit = insurance.both_hands_cite if never else insurance.limit.cite
                expected.append(_line(taken.id, taken.bet, "returned", excess, None, "0.00", excess, limit))
        ours = [
            _line(
                line.wager,
                line.bet,
                line.result,
                money.amount(line.stake_cents),
                None if line.odds is None else str(line.odds),
                money.amount(line.winnings_cents),
                money.amount(line.handed_back_cents),
                line.paragraph,
            )
            for line in current.lines
        ]
        assert ours == expected
        for line in current.lines:
            assert self.rules.knows(line.paragraph), line

    def replayed(self) -> None:
        """The table is what its events add up to."""
        table = NEW
        for answer in self.answers:
            if not isinstance(answer, Refusal):
                for event in answer:
                    table = evolve(table, event)
        assert table == self.table


def views(rules: Rulebook, table: Table) -> list[bytes]:
    """What every audience sees, written out. It has no card that lies face down; the face that a patron who squeezes
    sees (O115) is left out here."""
    seen = [view(rules, table, audience) for audience in (Audience.PUBLIC, Audience.DEALER, Audience.PIT)]
    seen += [view(rules, table, Audience.PATRON, name) for name in table.patrons]
    seen += [view(rules, table, Audience.PIT, name) for name in table.staff]
    down = {card.place for card in table.round.cards if not card.exposed} if table.round is not None else set()
    for sight in seen:
        assert {place for place, face in sight.cards.items() if face is None} == down
        for place, face in sight.squeezed_faces.items():
            assert place in down
            assert table.phase is Phase.DEALING
            assert dealing.squeezer(table, place) == sight.patron is not None
            assert face == next(card.face for card in table.current.cards if card.place == place)
    return [notation.encode(msgspec.structs.replace(shown, squeezed_faces={})) for shown in seen]


def _snapshot(table: Table) -> list[dict[object, object]]:
    """Copies of everything in a table that Python could change in place; the records themselves are frozen."""
    parts: list[object] = [table, table.settings and table.opened.limits, table.round, table.shoe]
    values = [getattr(part, name) for part in parts if part for name in type(part).__struct_fields__]  # type: ignore[attr-defined]
    return [dict(value) for value in values if isinstance(value, dict)]


def _laid(table: Table) -> list[Laid]:
    return list(table.current.wagers.values())


def _line(
    name: object, bet: str, result: str, stake: str, odds: str | None, won: str, back: str, paragraph: str
) -> dict[str, object]:
    return {
        "id": name,
        "bet": str(bet),
        "result": result,
        "stake": stake,
        "odds": odds,
        "winnings": won,
        "handed_back": back,
        "paragraph": paragraph,
    }


def _offered(rules: Rulebook, table: Table, event: e.InsuranceOffered) -> None:
    """P2, P4: all present with an Original Bet on the hand who forwent nothing have the offer, up to their maximum."""
    offer = table.current.offer
    assert offer is not None
    both = rules.source.game.startswith("live-")
    mains = {(wager.patron, wager.bet) for wager in _laid(table) if wager.in_play_cents and wager.bet in _MAIN}
    names = [
        name
        for name, patron in table.patrons.items()
        if patron.present and name not in table.current.forgone
        if offer.after not in table.current.declined.get(name, ())
        if not (both and (name, Bet.PLAYER) in mains and (name, Bet.BANKER) in mains)
    ]
    maxima = {name: plain_insurance.most(rules, table, name, offer) for name in names}
    assert event.maximum == {name: most for name, most in maxima.items() if most}


def _insured(rules: Rulebook, table: Table, command: c.TakeInsurance, answer: Answer) -> None:
    """P4: a stake over the limit is refused, and no other stake is refused with that code."""
    offer = table.round.offer if table.round is not None and table.phase is Phase.OFFER else None
    if offer is None:
        assert isinstance(answer, Refusal)
        return
    over = command.stake_cents > plain_insurance.most(rules, table, command.patron, offer)
    if isinstance(answer, Refusal):
        assert over or answer.code != "insurance-over-limit", answer
    else:
        assert not over, command


def _as_json(command: c.AnyCommand, answer: Answer) -> None:
    written = notation.encode(command)
    if b'"-' not in written:  # a negative amount can't be read back
        assert notation.command(written) == command
    if not isinstance(answer, Refusal):
        for event in answer:
            again = notation.event(notation.encode(event))
            assert again == event
            assert type(again) is type(event)


def _governing(game: str, edition: str | None, on: str | None) -> tuple[Rulebook, str | None]:
    assert edition is not None, on
    return load.edition(game, edition), None
