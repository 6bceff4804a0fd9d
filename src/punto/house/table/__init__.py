"""One command's way: from who asks to the answer, and what a node knows of a table."""
