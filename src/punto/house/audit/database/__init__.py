"""The database itself: its file, tables, constraints and triggers."""
