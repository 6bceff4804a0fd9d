"""Ways to tamper with a house's database by hand, and what an audit finds: those of `tamperings.sql`, and those that
need more than SQL. `finds` is None where an audit finds nothing; `docs/house.md` says so too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from punto.house.store import chain, codec, snapshots
from punto.house.store import person as p
from punto.house.store.names import Role
from punto.house.store.records import Row, Snapshot
from punto.money import Cents
from tests.house.audit.attacker import ROWS, Attacker, rehash

TABLE: Final = "table/t1-0"
RECORD: Final = "snapshot/t1-0"
SPARE: Final = "spare"
"""A guest who has never played."""
Act = str | Callable[[Attacker], None]


class Tampering(msgspec.Struct, frozen=True, kw_only=True):
    """`finds` is a code of the audit's findings, `alone` whether no other code is found, `stream` the stream in which
    it is the only finding. `by_heads`: an audit that knows earlier heads finds it. `anew`: the hashes of the table's
    stream are recomputed afterwards."""

    name: str
    acts: tuple[Act, ...]
    finds: str | None
    alone: bool = False
    stream: str | None = None
    by_heads: bool = False
    anew: bool = False
    engine: str | None = None

    def __str__(self) -> str:
        return self.name

    def carry_out(self, attacker: Attacker) -> None:
        for act in self.acts:
            if isinstance(act, str):
                attacker.run(act)
            else:
                act(attacker)
        if self.anew:
            rehash(attacker, TABLE)


def tampering(name: str, finds: str | None, *acts: Act, **more: Any) -> Tampering:
    return Tampering(name=name, finds=finds, acts=acts, **more)


AT: Final = f'"stream" = \'{TABLE}\' AND "version"'
LAST: Final = f'(SELECT max("version") FROM "events" WHERE "stream" = \'{TABLE}\')'
UNKEPT: Final = f'DELETE FROM "snapshots" WHERE "stream" = \'{TABLE}\''
GONE: Final = f'DELETE FROM "events" WHERE "stream" = \'{RECORD}\''
WORDS: Final = {"@table": f"'{TABLE}'", "@record": f"'{RECORD}'", "@hour": "3600000000", "@last": LAST, "@at": AT}


def of_file() -> Iterator[Tampering]:
    """Those of `tamperings.sql`."""
    for part in Path(__file__).with_name("tamperings.sql").read_text().split("\n-- ")[1:]:
        header, *lines = part.splitlines()
        name, _, rest = header.partition(" | ")
        code, *options = rest.split(" | ")
        if not code:
            continue  # a line about the file
        text = "\n".join(line for line in lines if line and not line.startswith("--"))
        for word, meaning in WORDS.items():
            text = text.replace(word, meaning)
        engine, stream = (
            next((option.removeprefix(word) for option in options if option.startswith(word)), None)
            for word in ("on ", "at ")
        )
        flags = {"alone": "alone" in options, "by_heads": "seen by heads" in options, "anew": "hashes anew" in options}
        acts = tuple(line.removesuffix(";") for line in text.splitlines())
        finds = None if code == "nothing" else code
        yield Tampering(name=name, finds=finds, acts=acts, engine=engine, stream=stream, **flags)


def changed_event(tag: str, **fields: Any) -> Callable[[Attacker], None]:
    """Change fields of the first event of a kind at the table. Only fields that the event has may be given."""

    def act(attacker: Attacker) -> None:
        for values in attacker.rows(ROWS, TABLE):
            row = Row(*values)
            event = msgspec.json.decode(row.event)
            if event["event"] == tag:
                assert fields.keys() <= event.keys(), event
                inside = {
                    name: {**event[name], **nested} for name, nested in fields.items() if isinstance(nested, dict)
                }
                changed = msgspec.json.encode({**event, **fields, **inside})
                attacker.run(f'UPDATE "events" SET "event" = $1 WHERE {AT} = {row.version}', changed)
                return
        raise AssertionError(tag)

    return act


def stream_of(name: str, *events: p.AnyPersonEvent, row: bool = True) -> Callable[[Attacker], None]:
    """Write a person's stream by hand with correct hashes, and the row that a login reads."""

    def act(attacker: Attacker) -> None:
        stream, actor = f"person/{name}", events[0].by
        ((at,),) = attacker.rows('SELECT max("at") FROM "events"')
        for event_row in codec.rows(stream, 0, chain.start(stream), at, [codec.CommandEvents(tuple(events), actor)]):
            put(attacker, event_row)
        if row:
            values = f"'{name}', '{_role(events)}', false, false, NULL, 0, 0, {at}, NULL"
            attacker.run(f'INSERT INTO "people" VALUES ({values})')

    return act


def _role(events: tuple[p.AnyPersonEvent, ...]) -> str:
    return [event.role for event in events if isinstance(event, p.AccountOpened | p.RoleChanged)][-1].value


def put(attacker: Attacker, row: Row) -> None:
    places = ", ".join(f"${at}" for at in range(1, 12))
    attacker.run(f'INSERT INTO "events" VALUES ({places})', *msgspec.structs.astuple(row))


def forge(attacker: Attacker, *, recorded: bool = False) -> None:
    """Forge the table's snapshot so that the house owes a million. Its shape, version and hash are right."""
    ((*values,),) = attacker.rows(f'SELECT * FROM "snapshots" WHERE "stream" = \'{TABLE}\'')
    kept = Snapshot(*values)
    rich = replace(snapshots.decode(kept.state), house_cents=-100_000_000)
    forged = replace(kept, state=snapshots.encode(rich))
    attacker.run(f'UPDATE "snapshots" SET "state" = $1 WHERE "stream" = \'{TABLE}\'', forged.state)
    if recorded:
        last = [Row(*values) for values in attacker.rows(ROWS, RECORD)][-1]
        line = msgspec.json.encode(snapshots.recorded(forged))
        for row in codec.rows(RECORD, last.version, last.hash, last.at, [codec.CommandEvents((line,), "house")]):
            put(attacker, row)


def reorder(attacker: Attacker) -> None:
    """Swap the numbers of two transfers of one event."""
    ((stream, version),) = attacker.rows('SELECT "stream", "version" FROM "transfers" WHERE "n" = 2 LIMIT 1')
    where = f'"stream" = \'{stream}\' AND "version" = {version}'
    for before, after in ((1, 99), (2, 1), (99, 2)):
        attacker.run(f'UPDATE "transfers" SET "n" = {after} WHERE {where} AND "n" = {before}')


def without_spare(attacker: Attacker) -> None:
    stream = f"person/{SPARE}"
    for table, column, value in (
        ("events", "stream", stream),
        ("transfers", "stream", stream),
        ("people", "name", SPARE),
        ("wallets", "person", SPARE),
    ):
        attacker.run(f'DELETE FROM "{table}" WHERE "{column}" = \'{value}\'')


OPENED: Final = p.AccountOpened(by="shift-manager", name="eve", role=Role.PIT_SUPERVISOR)
RAISED: Final = p.RoleChanged(by="shift-manager", role=Role.PIT_MANAGER)
ADJUSTED: Final = p.BalanceAdjusted(by="shift-manager", cents=Cents(1), reason="x", approval="x", asked_by="sue")
OTHER_EDITION: Final = "tiger-buffalo-commission/2024-05-14"
BLOB: Final = {"sqlite": "x'00'", "postgresql": "'\\x00'::bytea"}

IN_PYTHON: Final = (
    tampering("another stake", "ledger", changed_event("wager-placed", stake="77.00"), anew=True),
    tampering("another patron's wager", "ledger", changed_event("wager-placed", patron="bob"), anew=True),
    tampering("another amount of chips", "ledger", changed_event("chips-bought", chips="1.00"), anew=True),
    tampering("another edition", "wrong-edition", changed_event("betting-opened", edition=OTHER_EDITION), anew=True),
    tampering("another paragraph", "not-decided", changed_event("betting-closed", paragraph="1.1"), anew=True),
    tampering(
        "a report of a kind that there is not",
        "not-decided",
        changed_event("irregularity-reported", irregularity={"kind": "earthquake"}),
        anew=True,
    ),
    tampering(
        "another note of a report",
        None,
        *(changed_event("irregularity-reported", note="seen by nobody"), UNKEPT, GONE),
        anew=True,
        by_heads=True,
    ),
    tampering("transfers in another order", "ledger", reorder),
    tampering("a state with other money", "snapshot", forge),
    tampering("a state with other money, on record", "snapshot", lambda attacker: forge(attacker, recorded=True)),
    tampering(
        "a session of somebody else's making",
        None,
        lambda a: a.run(f"INSERT INTO \"sessions\" VALUES ({BLOB[a.engine]}, 'pit-manager', 'token', 1, 1)"),
    ),
    tampering("a stream without an account", "account", stream_of("eve", OPENED, row=False)),
    tampering("a stream that a supervisor opened", "account", stream_of("eve", replace(OPENED, by="sue"))),
    tampering("a stream that nobody opened", "account", stream_of("eve", replace(OPENED, by="nobody"))),
    tampering("a stream that the first start did not open", "account", stream_of("eve", replace(OPENED, by="house"))),
    tampering("a stream of a manager whom nobody approved", "approval", stream_of("eve", OPENED, RAISED)),
    tampering("a stream with money of its own", "approval", stream_of("eve", OPENED, ADJUSTED)),
    tampering("a stream that a Shift Manager is said to have opened", None, stream_of("eve", OPENED)),
    tampering("a guest taken out with everything", None, without_spare, by_heads=True),
)
ALL: Final = (*of_file(), *IN_PYTHON)
