"""Past rounds, folded from a table's stream, for history, score boards and exports."""
