"""The migrations of the schema. Alembic writes each as SQL, `upgrade` collects that, and the store runs it.

They are run as text, because the program has no second, blocking driver for PostgreSQL.
"""
