"""Who is told: live views of tables."""
