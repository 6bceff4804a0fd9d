"""A table's stream: replayed, decided again and settled again."""
