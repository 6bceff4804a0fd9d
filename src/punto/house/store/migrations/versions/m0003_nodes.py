"""Who serves this database, and who deals at which table: rows that outlive a lost connection."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    name = sa.Text(collation="C") if op.get_context().dialect.name == "postgresql" else sa.Text()
    op.create_table(
        "nodes",
        sa.Column("term", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("process", sa.Text, nullable=False),
        sa.Column("database", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "claims",
        sa.Column("name", name, primary_key=True),
        sa.Column("term", sa.BigInteger, nullable=False),
    )
