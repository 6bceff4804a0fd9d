"""What has happened: a table's stream folded once into past rounds, for history, score boards and exports."""
