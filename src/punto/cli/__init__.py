"""The command line: thin. Each command reads, calls one function, and prints."""
