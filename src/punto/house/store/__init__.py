"""The store: streams of rows, chained by hashes, on SQLite or PostgreSQL. Start with `interface`."""
