"""Virtual tables: what their dealers do next and when, and the tables of a demo."""
