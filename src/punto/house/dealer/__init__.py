"""Virtual tables: what is dealt next, when, and from which shoe."""
