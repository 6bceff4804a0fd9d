"""A command's way from request to answer, and what a node keeps of a table in memory."""
