"""The tables of the database, and the migration they belong to. SQLite and PostgreSQL differ only in the table `keys`.

The tables about people are in `people_tables.py`. A change here or there needs a migration, and `HEAD` to name it.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

HEAD: Final = "0007"
"""The newest migration. A database at this migration is opened without Alembic."""

METADATA: Final = sa.MetaData()
ON_POSTGRESQL: Final = sa.MetaData()
"""Tables that only PostgreSQL has."""
REBUILT: Final = sa.MetaData()
"""Nodes, claims, presence and the watch's progress. No books: without these rows a node starts anew."""

# Names compare by their bytes on both engines, so that a prefix is a range.
_name: Final = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_whole: Final = sa.BigInteger()

events = sa.Table(
    "events",
    METADATA,
    sa.Column("stream", _name, primary_key=True),
    sa.Column("version", _whole, primary_key=True, autoincrement=False),
    sa.Column("at", _whole, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("key", _name),
    sa.Column("body", sa.LargeBinary),
    sa.Column("count", sa.Integer, nullable=False),
    sa.Column("rules", sa.Text, nullable=False),
    sa.Column("schema", sa.Integer, nullable=False),
    sa.Column("event", sa.LargeBinary, nullable=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
    sa.CheckConstraint("version > 0", name="events_version"),
)
# On PostgreSQL a migration adds the same condition: declared here, it would load that dialect on every start.
sa.Index("events_key", events.c.stream, events.c.key, unique=True, sqlite_where=sa.text("key IS NOT NULL"))

transfers = sa.Table(
    "transfers",
    METADATA,
    sa.Column("stream", _name, primary_key=True),
    sa.Column("version", _whole, primary_key=True, autoincrement=False),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("giver", _name, nullable=False),
    sa.Column("taker", _name, nullable=False),
    sa.Column("cents", _whole, nullable=False),
    sa.CheckConstraint("cents > 0", name="transfers_cents"),
    sa.CheckConstraint("giver <> taker", name="transfers_between_two"),
    sqlite_with_rowid=False,
)

wallets = sa.Table(
    "wallets",
    METADATA,
    sa.Column("person", _name, primary_key=True),
    sa.Column("cents", _whole, nullable=False),
    sa.CheckConstraint("cents >= 0", name="wallets_never_negative"),
    sqlite_with_rowid=False,
)

refusals = sa.Table(
    "refusals",
    METADATA,
    sa.Column("stream", _name, primary_key=True),
    sa.Column("key", _name, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("answer", sa.LargeBinary, nullable=False),
    sa.Column("at", _whole, nullable=False, server_default=sa.text("0")),
    sqlite_with_rowid=False,
)
sa.Index("refusals_at", refusals.c.at)

# Every key that was answered, by events or by a refusal. The node that answers it inserts it here in the same commit,
# and the primary key lets only one of two nodes succeed. On SQLite the one writer sees both tables.
keys = sa.Table(
    "keys",
    ON_POSTGRESQL,
    sa.Column("stream", _name, primary_key=True),
    sa.Column("key", _name, primary_key=True),
)

snapshots = sa.Table(
    "snapshots",
    METADATA,
    sa.Column("stream", _name, primary_key=True),
    sa.Column("version", _whole, nullable=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
    sa.Column("schema", sa.Integer, nullable=False),
    sa.Column("state", sa.LargeBinary, nullable=False),
)

rounds = sa.Table(
    "rounds",
    METADATA,
    sa.Column("stream", _name, primary_key=True),
    sa.Column("round", _whole, primary_key=True, autoincrement=False),
    sa.Column("version", _whole, nullable=False),
    sqlite_with_rowid=False,
)

played = sa.Table(
    "played",
    METADATA,
    sa.Column("person", _name, primary_key=True),
    sa.Column("at", _whole, primary_key=True, autoincrement=False),
    sa.Column("stream", _name, primary_key=True),
    sa.Column("round", _whole, primary_key=True, autoincrement=False),
    sa.Column("version", _whole, nullable=False),
    sqlite_with_rowid=False,
)

# The list of gaming tables, beside their streams.

tables = sa.Table(
    "tables",
    METADATA,
    sa.Column("id", _name, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("pace", sa.Text),
    sa.Column("demo", sa.Boolean, nullable=False),
    sa.Column("opened_at", _whole, nullable=False),
)

# A node that serves has a row here, beside its lock (`nodes/membership.py`). The newest row stays, so terms only grow.

nodes = sa.Table(
    "nodes",
    REBUILT,
    sa.Column("term", _whole, primary_key=True, autoincrement=False),
    sa.Column("process", sa.Text, nullable=False),
    sa.Column("database", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("seen_at", _whole, nullable=False),
)

RECOVERING, SERVING, ENDED = "recovering", "serving", "ended"
"""States of a node."""

# The node that deals at a table, by its term, as long as it renews its row.

claims = sa.Table(
    "claims",
    REBUILT,
    sa.Column("name", _name, primary_key=True),
    sa.Column("term", _whole, nullable=False),
)

# When a patron was last at a table (`people/absent_patrons.py`). Without a row they count as there from the next look.

presence = sa.Table(
    "presence",
    REBUILT,
    sa.Column("table", _name, primary_key=True),
    sa.Column("person", _name, primary_key=True),
    sa.Column("seen_at", _whole, nullable=False),
)

# How far the watch has read a table, and its state (`watch/follower.py`). Without a row it begins at the table's
# first event. The row with an empty name says when the watch looked last (`watch/health.py`).

watched = sa.Table(
    "watched",
    REBUILT,
    sa.Column("table", _name, primary_key=True),
    sa.Column("version", _whole, nullable=False),
    sa.Column("schema", sa.Integer, nullable=False),
    sa.Column("state", sa.LargeBinary, nullable=False),
)

APPEND_ONLY: Final = (events.name, transfers.name)
"""Tables whose rows are never changed or deleted: triggers of the first migration prevent it."""

STREAMS: Final = (
    "WITH RECURSIVE names(stream) AS (SELECT min(stream) FROM events WHERE stream >= {0} AND stream < {1} "
    "UNION ALL SELECT (SELECT min(stream) FROM events WHERE stream > names.stream AND stream < {1}) "
    "FROM names WHERE names.stream IS NOT NULL) "
    "SELECT stream, (SELECT max(version) FROM events WHERE events.stream = names.stream) "
    "FROM names WHERE stream IS NOT NULL"
)
"""Finds every stream by jumping from name to name, whatever the number of events."""
