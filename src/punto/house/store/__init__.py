"""What is kept: streams of rows, chained by hashes, on SQLite or PostgreSQL. `interface` is the way in."""
