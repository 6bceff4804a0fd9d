"""What the tests of the house share: databases of both engines."""

from __future__ import annotations

from tests.house.databases import database_url, postgres_url, sqlite_url

__all__ = ["database_url", "postgres_url", "sqlite_url"]
