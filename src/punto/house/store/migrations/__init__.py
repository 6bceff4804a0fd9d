"""How a database's schema came to be, step by step. Alembic writes each step as SQL; `upgrade` runs it.

The steps are run as text, because the program has no second, blocking driver for PostgreSQL.
"""
