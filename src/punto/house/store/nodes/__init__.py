"""The nodes that serve one database: which of them is alone, which are alive, and what each has claimed."""
