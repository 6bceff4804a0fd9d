"""What must not grow for ever: refusals have an age, and addresses that a person is known by have their own table.

On PostgreSQL a key that was only refused may be taken out of `keys` again; one that stands on an event may not.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

KEPT = (
    "CREATE FUNCTION punto_key_of_an_event() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN IF EXISTS (SELECT 1 FROM events WHERE stream = OLD.stream AND key = OLD.key) THEN "
    "RAISE EXCEPTION 'a key that stands on an event is kept'; END IF; RETURN OLD; END $$"
)
"""What the trigger on DELETE calls on PostgreSQL."""


def upgrade() -> None:
    postgresql = op.get_context().dialect.name == "postgresql"
    op.create_table(
        "known_addresses",
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("address_hash", sa.LargeBinary, primary_key=True),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_known_addresses_seen_at", "known_addresses", ["seen_at"])
    op.add_column("refusals", sa.Column("at", sa.BigInteger, nullable=False, server_default=sa.text("0")))
    # Those that are there may be sent again for a while, as those that follow.
    now = (
        "(extract(epoch FROM now()) * 1000000)::bigint"
        if postgresql
        else "CAST(strftime('%s', 'now') AS INTEGER) * 1000000"
    )
    op.execute(f"UPDATE refusals SET at = {now}")
    op.create_index("refusals_at", "refusals", ["at"])
    if not postgresql:
        return
    op.execute("DROP TRIGGER keys_append_only ON keys")
    op.execute("CREATE TRIGGER keys_no_update BEFORE UPDATE ON keys FOR EACH ROW EXECUTE FUNCTION punto_append_only()")
    op.execute(KEPT)
    op.execute("CREATE TRIGGER keys_kept BEFORE DELETE ON keys FOR EACH ROW EXECUTE FUNCTION punto_key_of_an_event()")
