"""A run of many shoes, and its files."""
