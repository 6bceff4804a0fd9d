"""The rules: editions as data, and the loader, which refuses a value without a citation."""
