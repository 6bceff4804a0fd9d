"""The database tables about people, with their own metadata. Events about a person are in the stream `person/<name>`.

The hashes of passwords and session tokens are stored here and in no event.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

METADATA: Final = sa.MetaData()

people = sa.Table(
    "people",
    METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("guest", sa.Boolean, nullable=False),
    sa.Column("locked", sa.Boolean, nullable=False),
    sa.Column("password", sa.Text, nullable=True),
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("waits_until", sa.BigInteger, nullable=False),
    sa.Column("opened_at", sa.BigInteger, nullable=False),
    sa.Column("password_by", sa.Text, nullable=True),
)

sessions = sa.Table(
    "sessions",
    METADATA,
    sa.Column("token_hash", sa.LargeBinary, primary_key=True),
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("csrf", sa.Text, nullable=False),
    sa.Column("began_at", sa.BigInteger, nullable=False),
    sa.Column("seen_at", sa.BigInteger, nullable=False, index=True),
)

# The addresses from which a person has logged in: see `known_addresses.py`.
known_addresses = sa.Table(
    "known_addresses",
    METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("address_hash", sa.LargeBinary, primary_key=True),
    sa.Column("seen_at", sa.BigInteger, nullable=False, index=True),
)

approvals = sa.Table(
    "approvals",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Column("act", sa.Text, nullable=False),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("asked_by", sa.Text, nullable=False),
    sa.Column("asked_at", sa.BigInteger, nullable=False),
    sa.Column("state", sa.Text, nullable=False, index=True),
    sa.Column("decided_by", sa.Text, nullable=True),
    sa.Column("decided_at", sa.BigInteger, nullable=True),
    sa.Column("outcome", sa.Text, nullable=True),
)
