"""The command line, a thin layer. Each command reads, calls one function, and prints."""
