"""What every bet is worth: exact, in integers and fractions. Standard library and msgspec alone."""
