"""Every key that was answered, once, on PostgreSQL: nodes that refuse and accept one at once can't both be recorded.

SQLite has one writer, who sees everything, and needs no such table.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_context().dialect.name != "postgresql":
        return
    name = sa.Text(collation="C")
    op.create_table("keys", sa.Column("stream", name, primary_key=True), sa.Column("key", name, primary_key=True))
    op.execute("INSERT INTO keys (stream, key) SELECT stream, key FROM events WHERE key IS NOT NULL")
    # A key that stands in both already is found by an audit.
    op.execute("INSERT INTO keys (stream, key) SELECT stream, key FROM refusals ON CONFLICT DO NOTHING")
    op.execute(
        "CREATE TRIGGER keys_append_only BEFORE UPDATE OR DELETE ON keys "
        "FOR EACH ROW EXECUTE FUNCTION punto_append_only()"
    )
    op.execute(
        "CREATE TRIGGER keys_no_truncate BEFORE TRUNCATE ON keys "
        "FOR EACH STATEMENT EXECUTE FUNCTION punto_append_only()"
    )
