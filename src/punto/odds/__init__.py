"""The exact value of every bet, in integers and fractions. Uses only the standard library and msgspec."""
