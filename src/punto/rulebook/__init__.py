"""What the rules say: editions as data, and the loader that refuses what is not cited."""
