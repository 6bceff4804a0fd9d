"""Live views of tables."""
