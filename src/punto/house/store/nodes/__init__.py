"""The nodes that serve one database: which of them is alone, which live, and what each has claimed."""
