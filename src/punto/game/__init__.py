"""What happens at the table: pure functions over frozen records. No files, clock, randomness or logging."""
