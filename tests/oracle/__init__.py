"""The second opinion: plain implementations that import nothing from punto and read none of its data.

The rules in here were typed in from the rule documents a second time, so that a typing mistake in one place
shows against the other.
"""
