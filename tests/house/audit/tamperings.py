"""Ways to tamper with a house's database by hand, and what an audit says to each. `None`: nothing, which
`docs/house.md` says too; `heads` is then what an audit that knows earlier heads says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from punto.house.people import events as p
from punto.house.people.names import Role
from punto.house.store import chain, codec, snapshots
from punto.house.store.records import Row, Snapshot
from punto.money import Cents
from tests.house.audit.attacking import ROWS, Attacker, rehash

TABLE: Final = "table/t1-0"
RECORD: Final = "snapshot/t1-0"
SPARE: Final = "spare"
"""A guest who has never played."""
Act = str | Callable[[Attacker], None]


class Tampering(msgspec.Struct, frozen=True, kw_only=True):
    """`finds` is a code of the audit's findings; `anew` the stream whose hashes are made anew afterwards."""

    name: str
    acts: tuple[Act, ...]
    finds: str | None
    heads: str | None = None
    anew: str | None = None
    engine: str | None = None

    def __str__(self) -> str:
        return self.name

    def carry_out(self, attacker: Attacker) -> None:
        for act in self.acts:
            if isinstance(act, str):
                attacker.run(act)
            else:
                act(attacker)
        if self.anew is not None:
            rehash(attacker, self.anew)


def tampering(name: str, finds: str | None, *acts: Act, **more: Any) -> Tampering:
    return Tampering(name=name, finds=finds, acts=acts, **more)


AT: Final = f'"stream" = \'{TABLE}\' AND "version"'
LAST: Final = f'(SELECT max("version") FROM "events" WHERE "stream" = \'{TABLE}\')'
UNKEPT: Final = f'DELETE FROM "snapshots" WHERE "stream" = \'{TABLE}\''
GONE: Final = f'DELETE FROM "events" WHERE "stream" = \'{RECORD}\''
HOUR_US: Final = 3_600_000_000


def said(tag: str, **fields: Any) -> Callable[[Attacker], None]:
    """Other words in the first event of a kind at the table. What the event had not is not given."""

    def act(attacker: Attacker) -> None:
        for values in attacker.rows(ROWS, TABLE):
            row = Row(*values)
            event = msgspec.json.decode(row.event)
            if event["event"] == tag:
                assert fields.keys() <= event.keys(), event
                inside = {name: {**event[name], **one} for name, one in fields.items() if isinstance(one, dict)}
                changed = msgspec.json.encode({**event, **fields, **inside})
                attacker.run(f'UPDATE "events" SET "event" = $1 WHERE {AT} = {row.version}', changed)
                return
        raise AssertionError(tag)

    return act


def stream_of(name: str, *events: p.AnyPersonEvent, row: bool = True) -> Callable[[Attacker], None]:
    """A person's stream written by hand, every hash as it should be, and the row that a login looks at."""

    def act(attacker: Attacker) -> None:
        stream, actor = f"person/{name}", events[0].by
        ((at,),) = attacker.rows('SELECT max("at") FROM "events"')
        lines = tuple(p.encode(one) for one in events)
        for one in codec.rows(stream, 0, chain.start(stream), at, [codec.Said(lines, actor)]):
            put(attacker, one)
        if row:
            values = f"'{name}', '{_role(events)}', false, false, NULL, 0, 0, {at}, NULL"
            attacker.run(f'INSERT INTO "people" VALUES ({values})')

    return act


def _role(events: tuple[p.AnyPersonEvent, ...]) -> str:
    return [one.role for one in events if isinstance(one, p.AccountOpened | p.RoleChanged)][-1].value


def put(attacker: Attacker, row: Row) -> None:
    places = ", ".join(f"${at}" for at in range(1, 12))
    attacker.run(f'INSERT INTO "events" VALUES ({places})', *msgspec.structs.astuple(row))


def forge(attacker: Attacker, *, recorded: bool = False) -> None:
    """The house owes a million in the state kept of the table, which is of today's shape and of the right row."""
    ((*values,),) = attacker.rows(f'SELECT * FROM "snapshots" WHERE "stream" = \'{TABLE}\'')
    kept = Snapshot(*values)
    rich = msgspec.structs.replace(snapshots.decode(kept.state), house_cents=-100_000_000)
    forged = msgspec.structs.replace(kept, state=snapshots.encode(rich))
    attacker.run(f'UPDATE "snapshots" SET "state" = $1 WHERE "stream" = \'{TABLE}\'', forged.state)
    if recorded:
        last = [Row(*values) for values in attacker.rows(ROWS, RECORD)][-1]
        line = msgspec.json.encode(snapshots.recorded(forged))
        for row in codec.rows(RECORD, last.version, last.hash, last.at, [codec.Said((line,), "house")]):
            put(attacker, row)


def reorder(attacker: Attacker) -> None:
    """The numbers of two transfers of one event changed for each other."""
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
BLOB: Final = {"sqlite": "x'00'", "postgresql": "'\\x00'::bytea"}

EVENTS: Final = (
    tampering("another actor", "chain", f'UPDATE "events" SET "actor" = \'eve\' WHERE {AT} = 3'),
    tampering("another time", "chain", f'UPDATE "events" SET "at" = "at" + 1 WHERE {AT} = 3'),
    tampering("another key", "chain", f'UPDATE "events" SET "key" = \'eve/k\' WHERE {AT} = 3'),
    tampering("no hash of what was asked", "chain", f'UPDATE "events" SET "body" = NULL WHERE {AT} = 3'),
    tampering("a row taken out", "version", f'DELETE FROM "events" WHERE {AT} = 3'),
    tampering("the first row taken out", "version", f'DELETE FROM "events" WHERE {AT} = 1'),
    tampering(
        "a row once more at the end",
        "chain",
        'INSERT INTO "events" SELECT "stream", "version" + 1, "at", "actor", NULL, NULL, 1, "rules", "schema", '
        f'"event", "hash" FROM "events" WHERE {AT} = {LAST}',
    ),
    tampering(
        "two rows changed for each other",
        "chain",
        f'UPDATE "events" SET "version" = 1000003 WHERE {AT} = 3',
        f'UPDATE "events" SET "version" = 3 WHERE {AT} = 4',
        f'UPDATE "events" SET "version" = 4 WHERE {AT} = 1000003',
    ),
    tampering(
        "a stream of another kind",
        "stream",
        f'UPDATE "events" SET "stream" = \'cellar/t1-0\' WHERE "stream" = \'{TABLE}\'',
    ),
)
ANEW: Final = (
    tampering("another stake", "ledger", said("wager-placed", stake="77.00"), anew=TABLE),
    tampering("another patron's wager", "ledger", said("wager-placed", patron="bob"), anew=TABLE),
    tampering("another amount of chips", "ledger", said("chips-bought", chips="1.00"), anew=TABLE),
    tampering(
        "another edition",
        "wrong-edition",
        said("betting-opened", edition="tiger-buffalo-commission/2024-05-14"),
        anew=TABLE,
    ),
    tampering("another paragraph", "not-decided", said("betting-closed", paragraph="1.1"), anew=TABLE),
    tampering("somebody else as actor", "actor", f'UPDATE "events" SET "actor" = \'eve\' WHERE {AT} = 3', anew=TABLE),
    tampering(
        "a time before the one before",
        "time",
        f'UPDATE "events" SET "at" = "at" - {HOUR_US} WHERE {AT} = {LAST}',
        anew=TABLE,
    ),
    tampering(
        "a time to come", "time", f'UPDATE "events" SET "at" = "at" + 24 * {HOUR_US} WHERE {AT} = {LAST}', anew=TABLE
    ),
    tampering(
        "rules that there are not", "unknown-rules", f'UPDATE "events" SET "rules" = \'ab\' WHERE {AT} = 3', anew=TABLE
    ),
    tampering("a shape of events to come", "schema", f'UPDATE "events" SET "schema" = 9 WHERE {AT} = 3', anew=TABLE),
    tampering(
        "a command of two rows more",
        "count",
        f'UPDATE "events" SET "count" = "count" + 2 WHERE {AT} = {LAST}',
        anew=TABLE,
    ),
    tampering(
        "a report of a kind that there is not",
        "not-decided",
        said("irregularity-reported", irregularity={"kind": "earthquake"}),
        anew=TABLE,
    ),
    tampering(
        "another note of a report",
        None,
        said("irregularity-reported", note="seen by nobody"),
        UNKEPT,
        GONE,
        anew=TABLE,
        heads="head",
    ),
)
MONEY: Final = (
    tampering("a cent more in a transfer", "ledger", 'UPDATE "transfers" SET "cents" = "cents" + 1 WHERE "n" = 1'),
    tampering("a transfer taken out", "ledger", f'DELETE FROM "transfers" WHERE "stream" = \'{TABLE}\' AND "n" = 1'),
    tampering("transfers in another order", "ledger", reorder),
    tampering(
        "a transfer of no event",
        "ledger",
        f"INSERT INTO \"transfers\" VALUES ('{TABLE}', 1, 1, 'wallet/ann', 'wallet/bob', 5)",
    ),
    tampering("a fuller wallet", "wallet", 'UPDATE "wallets" SET "cents" = "cents" + 100 WHERE "person" = \'ann\''),
    tampering(
        "a wallet less than nothing",
        "wallet",
        'UPDATE "wallets" SET "cents" = -1 WHERE "person" = \'ann\'',
        engine="sqlite",
    ),
    tampering("a wallet taken out", "wallet", 'DELETE FROM "wallets" WHERE "person" = \'ann\''),
    tampering("a wallet of nobody", "wallet", "INSERT INTO \"wallets\" VALUES ('eve', 0)"),
)
BESIDE: Final = (
    tampering("a round found elsewhere", "rounds", 'UPDATE "rounds" SET "version" = "version" + 1 WHERE "round" = 1'),
    tampering("a round not found", "rounds", f'DELETE FROM "rounds" WHERE "stream" = \'{TABLE}\' AND "round" = 1'),
    tampering("a history without its rounds", "played", 'DELETE FROM "played"'),
    tampering(
        "a history of somebody else", "played", 'UPDATE "played" SET "person" = \'eve\' WHERE "person" = \'ann\''
    ),
    tampering(
        "another refusal",
        "refusal",
        "UPDATE \"refusals\" SET \"answer\" = convert_to('{}', 'UTF8')",
        engine="postgresql",
    ),
    tampering(
        "another refusal here", "refusal", 'UPDATE "refusals" SET "answer" = CAST(\'{}\' AS BLOB)', engine="sqlite"
    ),
    tampering(
        "refusals forgotten", None, 'DELETE FROM "refusals" WHERE "key" NOT LIKE \'%approval-%\'', engine="sqlite"
    ),
    tampering("refusals forgotten, and not their keys", "key", 'DELETE FROM "refusals"', engine="postgresql"),
    tampering("keys forgotten", "key", 'DELETE FROM "keys"', engine="postgresql"),
    tampering("a pace of another kind", "table", 'UPDATE "tables" SET "pace" = \'quick\''),
    tampering("another game in the lobby", "table", 'UPDATE "tables" SET "game" = \'chess\''),
    tampering("a table that was never opened", "table", 'UPDATE "tables" SET "id" = \'nowhere\' WHERE "id" = \'t1-0\''),
    tampering("a state with other money", "snapshot", forge),
    tampering("a state with other money, on record", "snapshot", lambda attacker: forge(attacker, recorded=True)),
    tampering(
        "the record of a state changed", "chain", f'UPDATE "events" SET "at" = "at" + 1 WHERE "stream" = \'{RECORD}\''
    ),
    tampering("a state of a later version", "snapshot", 'UPDATE "snapshots" SET "version" = "version" + 1000'),
    tampering("the record of a state gone: it is not believed", None, GONE, heads="head"),
    tampering("a state gone: the house takes longer", None, 'DELETE FROM "snapshots"'),
)
PEOPLE: Final = (
    tampering(
        "a role in the row alone", "account", 'UPDATE "people" SET "role" = \'shift-manager\' WHERE "name" = \'ann\''
    ),
    tampering(
        "a lock in the row alone", "account", 'UPDATE "people" SET "locked" = true WHERE "name" = \'pit-manager\''
    ),
    tampering(
        "an account that waits for a year",
        "account",
        f'UPDATE "people" SET "waits_until" = "opened_at" + 9000 * {HOUR_US} WHERE "name" = \'ann\'',
    ),
    tampering(
        "more wrong passwords than are counted",
        "account",
        'UPDATE "people" SET "failures" = 101 WHERE "name" = \'ann\'',
    ),
    tampering(
        "an account that waits for a minute",
        None,
        f'UPDATE "people" SET "waits_until" = "opened_at" + {HOUR_US // 60} WHERE "name" = \'ann\'',
    ),
    tampering("another password", None, 'UPDATE "people" SET "password" = \'a hash\' WHERE "name" = \'pit-manager\''),
    tampering(
        "a session of somebody else's making",
        None,
        lambda a: a.run(f"INSERT INTO \"sessions\" VALUES ({BLOB[a.engine]}, 'pit-manager', 'token', 1, 1)"),
    ),
    tampering(
        "an account without a stream",
        "account",
        "INSERT INTO \"people\" VALUES ('eve', 'dealer', false, false, NULL, 0, 0, 1, NULL)",
    ),
    tampering("a stream without an account", "account", stream_of("eve", OPENED, row=False)),
    tampering(
        "a stream that a supervisor opened", "account", stream_of("eve", msgspec.structs.replace(OPENED, by="sue"))
    ),
    tampering("a stream that nobody opened", "account", stream_of("eve", msgspec.structs.replace(OPENED, by="nobody"))),
    tampering(
        "a stream that the first start did not open",
        "account",
        stream_of("eve", msgspec.structs.replace(OPENED, by="house")),
    ),
    tampering(
        "a stream of a manager whom nobody approved",
        "approval",
        stream_of("eve", OPENED, p.RoleChanged(by="shift-manager", role=Role.PIT_MANAGER)),
    ),
    tampering(
        "a stream with money of its own",
        "approval",
        stream_of(
            "eve",
            OPENED,
            p.BalanceAdjusted(by="shift-manager", cents=Cents(1), reason="x", approval="x", asked_by="sue"),
        ),
    ),
    tampering("a stream that a Shift Manager is said to have opened", None, stream_of("eve", OPENED)),
    tampering("a guest taken out with everything", None, without_spare, heads="head"),
    tampering(
        "an approval said to be done",
        "approval",
        'UPDATE "approvals" SET "state" = \'done\' WHERE "state" = \'rejected\'',
    ),
    tampering("an approval taken out", "approval", 'DELETE FROM "approvals" WHERE "state" = \'done\''),
)
ALL: Final = (*EVENTS, *ANEW, *MONEY, *BESIDE, *PEOPLE)
