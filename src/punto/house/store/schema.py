"""The tables of the database, and which migration they belong to. The same on SQLite and PostgreSQL, but for one.

The people's own tables are in `people/tables.py`. A change here or there needs a migration, and `HEAD` to name it.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

HEAD: Final = "0005"
"""The newest migration. A database that says so is opened without asking Alembic."""

METADATA: Final = MetaData()
ON_POSTGRESQL: Final = MetaData()
"""What only PostgreSQL has."""
PLACES: Final = MetaData()
"""Who serves this database now. No books: nothing of it outlives a restart of the whole."""

# Names compare by their bytes on both engines, so that a prefix is a range.
_name: Final = Text().with_variant(Text(collation="C"), "postgresql")
_whole: Final = BigInteger()

events = Table(
    "events",
    METADATA,
    Column("stream", _name, primary_key=True),
    Column("version", _whole, primary_key=True, autoincrement=False),
    Column("at", _whole, nullable=False),
    Column("actor", Text, nullable=False),
    Column("key", _name),
    Column("body", LargeBinary),
    Column("count", Integer, nullable=False),
    Column("rules", Text, nullable=False),
    Column("schema", Integer, nullable=False),
    Column("event", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    CheckConstraint("version > 0", name="events_version"),
)
# PostgreSQL has the same condition by its migration: to say so here would load that dialect on every start.
Index("events_key", events.c.stream, events.c.key, unique=True, sqlite_where=text("key IS NOT NULL"))

transfers = Table(
    "transfers",
    METADATA,
    Column("stream", _name, primary_key=True),
    Column("version", _whole, primary_key=True, autoincrement=False),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("giver", _name, nullable=False),
    Column("taker", _name, nullable=False),
    Column("cents", _whole, nullable=False),
    CheckConstraint("cents > 0", name="transfers_cents"),
    CheckConstraint("giver <> taker", name="transfers_between_two"),
    sqlite_with_rowid=False,
)

wallets = Table(
    "wallets",
    METADATA,
    Column("person", _name, primary_key=True),
    Column("cents", _whole, nullable=False),
    CheckConstraint("cents >= 0", name="wallets_never_negative"),
    sqlite_with_rowid=False,
)

refusals = Table(
    "refusals",
    METADATA,
    Column("stream", _name, primary_key=True),
    Column("key", _name, primary_key=True),
    Column("body", LargeBinary, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("at", _whole, nullable=False, server_default=text("0")),
    sqlite_with_rowid=False,
)
Index("refusals_at", refusals.c.at)

# Every key that was answered, by events or by a refusal: whoever answers one writes it here in the same commit, and the
# primary key lets one of two nodes through. On SQLite the one writer sees both tables.
keys = Table(
    "keys",
    ON_POSTGRESQL,
    Column("stream", _name, primary_key=True),
    Column("key", _name, primary_key=True),
)

snapshots = Table(
    "snapshots",
    METADATA,
    Column("stream", _name, primary_key=True),
    Column("version", _whole, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("schema", Integer, nullable=False),
    Column("state", LargeBinary, nullable=False),
)

rounds = Table(
    "rounds",
    METADATA,
    Column("stream", _name, primary_key=True),
    Column("round", _whole, primary_key=True, autoincrement=False),
    Column("version", _whole, nullable=False),
    sqlite_with_rowid=False,
)

played = Table(
    "played",
    METADATA,
    Column("person", _name, primary_key=True),
    Column("at", _whole, primary_key=True, autoincrement=False),
    Column("stream", _name, primary_key=True),
    Column("round", _whole, primary_key=True, autoincrement=False),
    Column("version", _whole, nullable=False),
    sqlite_with_rowid=False,
)

# The list of tables, beside their streams.

tables = Table(
    "tables",
    METADATA,
    Column("id", _name, primary_key=True),
    Column("game", Text, nullable=False),
    Column("pace", Text),
    Column("demo", Boolean, nullable=False),
    Column("opened_at", _whole, nullable=False),
)

# A node that serves has a row here, beside its lock (`place.py`). The newest one is never taken out: terms only grow.

nodes = Table(
    "nodes",
    PLACES,
    Column("term", _whole, primary_key=True, autoincrement=False),
    Column("process", Text, nullable=False),
    Column("database", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("seen_at", _whole, nullable=False),
)

RECOVERING, SERVING, ENDED = "recovering", "serving", "ended"
"""States of a node."""

# Who deals at a table: the node of this term, as long as it has its place.

claims = Table(
    "claims",
    PLACES,
    Column("name", _name, primary_key=True),
    Column("term", _whole, nullable=False),
)

APPEND_ONLY: Final = (events.name, transfers.name)
"""Tables in which nothing is ever changed or taken out: triggers of the first migration see to it."""

STREAMS: Final = (
    "WITH RECURSIVE names(stream) AS (SELECT min(stream) FROM events WHERE stream >= {0} AND stream < {1} "
    "UNION ALL SELECT (SELECT min(stream) FROM events WHERE stream > names.stream AND stream < {1}) "
    "FROM names WHERE names.stream IS NOT NULL) "
    "SELECT stream, (SELECT max(version) FROM events WHERE events.stream = names.stream) "
    "FROM names WHERE stream IS NOT NULL"
)
"""Every stream by a jump to the next name, whatever the number of events."""
