"""The first schema: streams, money, refusals, snapshots, rounds, people, the list of tables."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


FORBID = (
    "CREATE FUNCTION punto_append_only() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' is append-only'; END $$"
)
"""What the triggers call on PostgreSQL."""


def _key(name: str, kind: sa.types.TypeEngine[Any] = NAME) -> sa.Column[Any]:
    return sa.Column(name, kind, primary_key=True, autoincrement=False)


def _is(name: str, kind: type[sa.types.TypeEngine[Any]] | sa.types.TypeEngine[Any]) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def upgrade() -> None:
    _streams()
    _found_quickly()
    _people()
    dialect = op.get_context().dialect.name
    if dialect == "postgresql":
        op.execute(FORBID)
    for table in ("events", "transfers"):
        for statement in _triggers(table, dialect):
            op.execute(statement)


def _streams() -> None:
    op.create_table(
        "events",
        _key("stream"),
        _key("version", sa.BigInteger()),
        _is("at", sa.BigInteger),
        _is("actor", sa.Text),
        sa.Column("key", NAME),
        sa.Column("body", sa.LargeBinary),
        _is("count", sa.Integer),
        _is("rules", sa.Text),
        _is("schema", sa.Integer),
        _is("event", sa.LargeBinary),
        _is("hash", sa.LargeBinary),
        sa.CheckConstraint("version > 0", name="events_version"),
    )
    known = sa.text("key IS NOT NULL")
    op.create_index("events_key", "events", ["stream", "key"], unique=True, sqlite_where=known, postgresql_where=known)
    op.create_table(
        "transfers",
        _key("stream"),
        _key("version", sa.BigInteger()),
        _key("n", sa.Integer()),
        _is("giver", NAME),
        _is("taker", NAME),
        _is("cents", sa.BigInteger),
        sa.CheckConstraint("cents > 0", name="transfers_cents"),
        sa.CheckConstraint("giver <> taker", name="transfers_between_two"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "wallets",
        _key("person"),
        _is("cents", sa.BigInteger),
        sa.CheckConstraint("cents >= 0", name="wallets_never_negative"),
        sqlite_with_rowid=False,
    )


def _found_quickly() -> None:
    op.create_table(
        "refusals",
        _key("stream"),
        _key("key"),
        _is("body", sa.LargeBinary),
        _is("answer", sa.LargeBinary),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "snapshots",
        _key("stream"),
        _is("version", sa.BigInteger),
        _is("hash", sa.LargeBinary),
        _is("schema", sa.Integer),
        _is("state", sa.LargeBinary),
    )
    op.create_table(
        "rounds",
        _key("stream"),
        _key("round", sa.BigInteger()),
        _is("version", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "played",
        _key("person"),
        _key("at", sa.BigInteger()),
        _key("stream"),
        _key("round", sa.BigInteger()),
        _is("version", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tables",
        _key("id"),
        _is("game", sa.Text),
        sa.Column("pace", sa.Text),
        _is("demo", sa.Boolean),
        _is("opened_at", sa.BigInteger),
    )


def _people() -> None:
    op.create_table(
        "people",
        _key("name", sa.Text()),
        _is("role", sa.Text),
        _is("guest", sa.Boolean),
        _is("locked", sa.Boolean),
        sa.Column("password", sa.Text),
        _is("failures", sa.Integer),
        _is("waits_until", sa.BigInteger),
        _is("opened_at", sa.BigInteger),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary, primary_key=True),
        _is("person", sa.Text),
        _is("csrf", sa.Text),
        _is("began_at", sa.BigInteger),
        _is("seen_at", sa.BigInteger),
    )
    op.create_index("ix_sessions_person", "sessions", ["person"])
    op.create_index("ix_sessions_seen_at", "sessions", ["seen_at"])
    op.create_table(
        "approvals",
        _key("id", sa.Text()),
        _is("hash", sa.Text),
        _is("act", sa.Text),
        _is("what", sa.Text),
        _is("asked_by", sa.Text),
        _is("asked_at", sa.BigInteger),
        _is("state", sa.Text),
        sa.Column("decided_by", sa.Text),
        sa.Column("decided_at", sa.BigInteger),
        sa.Column("outcome", sa.Text),
    )
    op.create_index("ix_approvals_state", "approvals", ["state"])


def _triggers(table: str, dialect: str) -> tuple[str, ...]:
    """The statements that make a table append-only."""
    if dialect == "sqlite":
        return tuple(
            f"CREATE TRIGGER {table}_no_{act} BEFORE {act} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            for act in ("update", "delete")
        )
    return (
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION punto_append_only()",
        f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION punto_append_only()",
    )
