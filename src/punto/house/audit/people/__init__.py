"""The streams of the people, and the rows of their accounts."""
