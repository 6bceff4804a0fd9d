"""What must hold for a table's rows after a kill, checked by the rows alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from punto.game import events as e
from punto.game.evolve import evolve
from punto.game.table import NEW, Phase, Table, conserved, lying_cents
from punto.house.store import chain, codec
from punto.house.store.names import HOUSE_RECOVERY
from punto.house.store.records import Row, Transfer
from tests.house.faults.scripts import Script, Step

UNDER_WAY = (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER, Phase.COMPLETE)
"""The phases from “No more Bets” to the result, without those that wait for a ruling or an option."""


class Ack(msgspec.Struct, frozen=True):
    """An answer as somebody received it."""

    accepted: bool
    version: int
    digest: str


class Command(msgspec.Struct, frozen=True):
    """The rows of one key, and the table before and after them."""

    key: str
    rows: tuple[Row, ...]
    events: tuple[e.AnyEvent, ...]
    before: Table
    after: Table

    @property
    def recovery(self) -> bool:
        return self.rows[0].actor == HOUSE_RECOVERY


def commands(stream: str, rows: Sequence[Row]) -> list[Command]:
    """The rows grouped by key. The chain is whole, no key occurs twice, and no command is there only in part."""
    assert chain.broken(chain.start(stream), 0, rows) is None, f"{stream}: the chain is broken"
    history: list[Command] = []
    table, at = NEW, 0
    while at < len(rows):
        first = rows[at]
        part = rows[at : at + max(first.count, 1)]
        assert first.key is not None, f"{stream} {first.version}: a row of no command"
        assert len(part) == first.count, f"{stream} {first.version}: {len(part)} of {first.count} rows of a command"
        assert all(row.key is None and row.count == 0 for row in part[1:]), f"{stream} {first.version}: mixed commands"
        events = tuple(codec.event(row) for row in part)
        before = table
        for event in events:
            table = evolve(table, event)
        history.append(Command(first.key, tuple(part), events, before, table))
        at += len(part)
    keys = [command.key for command in history]
    assert len(keys) == len(set(keys)), f"{stream}: a key has two effects: {keys}"
    return history


def asked_in_order(stream: str, history: Sequence[Command], steps: Sequence[Step]) -> None:
    """Only commands of the script, and of recovery, are in the log, and those of the script are in its order."""
    known = {f"{step.actor}/{step.key}": step.number for step in steps}
    numbers = [known[command.key] for command in history if not command.recovery]
    assert numbers == sorted(numbers), f"{stream}: out of order: {numbers}"


def none_lost(stream: str, history: Sequence[Command], acks: Mapping[str, Ack]) -> None:
    """Every accepted command is in the log, at the version of its answer, and no refused command is."""
    last = {command.key: command.rows[-1].version for command in history}
    for key, ack in acks.items():
        if ack.accepted:
            assert last.get(key) == ack.version, (
                f"{stream}: {key} was acknowledged at {ack.version}, not {last.get(key)}"
            )
        else:
            assert key not in last, f"{stream}: {key} was refused and carried out"


def money(table: str, history: Sequence[Command], transfers: Sequence[Transfer]) -> None:
    """The transfers add up to the chips of the table's state, account by account."""
    state = history[-1].after if history else NEW
    assert conserved(state), f"{table}: chips were made or lost"
    accounts: Counter[str] = Counter()
    for transfer in transfers:
        accounts[transfer.giver] -= transfer.cents
        accounts[transfer.taker] += transfer.cents
    assert sum(accounts.values()) == 0
    due: Counter[str] = Counter({f"escrow/{table}": lying_cents(state), f"house/{table}": state.house_cents})
    for name, patron in state.patrons.items():
        due[f"chips/{table}/{name}"] = patron.balance_cents
    kept = {name: cents for name, cents in accounts.items() if cents and not name.startswith("wallet/")}
    assert kept == {name: cents for name, cents in due.items() if cents}, f"{table}: {kept} in the ledger, not {+due}"
    assert -sum(cents for name, cents in accounts.items() if name.startswith("wallet/")) == state.issued_cents


def established(table: Table) -> bool:
    """W5 on these layouts: an outcome is established once the first two cards of a hand are open."""
    opened = {card.place for card in table.current.cards if card.exposed}
    return {"P1", "P2"} <= opened or {"B1", "B2"} <= opened


def put_right(command: Command) -> None:
    """I9: after “No more Bets” recovery lets a round go on if an outcome was established, and voids it otherwise."""
    before, after = command.before, command.after
    assert before.phase in UNDER_WAY, f"nothing was to be put right in {before.phase}"
    assert not before.current.ended
    (report,) = [event for event in command.events if isinstance(event, e.IrregularityReported)]
    assert report.irregularity.kind == "interruption"
    if established(before):
        (resumed,) = [event for event in command.events if isinstance(event, e.PlayResumed)]
        assert resumed.paragraph.startswith("5.4")
        unchanged = {"staff": {}, "version": 0}
        assert msgspec.structs.replace(after, **unchanged) == msgspec.structs.replace(before, **unchanged)
    else:
        assert after.phase is Phase.SETTLED
        assert after.current.void
        assert lying_cents(after) == 0
        for name, patron in before.patrons.items():
            staked = sum(wager.stake_cents for wager in before.current.wagers.values() if wager.patron == name)
            staked += sum(taken.stake_cents for taken in before.current.insurance if taken.patron == name)
            assert after.patrons[name].balance_cents == patron.balance_cents + staked
        assert after.house_cents == before.house_cents


def restarted(table: str, before: Sequence[Command], after: Sequence[Command], *, recovered: bool) -> None:
    """From a kill until after recovery nothing changes at a table, but that an interrupted round is put right."""
    assert [command.rows for command in after[: len(before)]] == [command.rows for command in before], (
        f"{table}: history has changed"
    )
    added = after[len(before) :]
    state = before[-1].after if before else NEW
    interrupted = state.phase in UNDER_WAY and not state.current.ended
    assert recovered == interrupted, f"{table}: found in {state.phase}, recovered: {recovered}"
    assert [command.recovery for command in added] == [True] * interrupted, (
        f"{table}: {[command.key for command in added]}"
    )
    for repair in added:
        put_right(repair)
    if state.phase is Phase.BETTING:
        assert after[-1].after is not None
        assert after[-1].after.phase is Phase.BETTING, "betting stays open"


def voided(history: Sequence[Command]) -> frozenset[int]:
    """The rounds that recovery voided."""
    return frozenset(
        command.after.current.number for command in history if command.recovery and command.after.current.void
    )


def as_scripted(
    script: Script, steps: Sequence[Step], history: Sequence[Command], acks: Mapping[str, Ack], ends: Mapping[str, int]
) -> None:
    """At the end of a script everybody has the chips of `ends`. If no round was voided, chips and answers are those of
    an unbroken run."""
    void = voided(history)
    held = {name: patron.balance_cents for name, patron in history[-1].after.patrons.items()}
    assert held == ends, f"{script.name} without rounds {set(void)}: {held}, not {dict(ends)}"
    if not void:
        assert held == script.expected_cents
        answers = [acks[f"{step.actor}/{step.key}"].accepted for step in steps]
        assert answers == [step.accepted for step in steps]
