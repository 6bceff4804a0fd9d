"""Many shoes: compiled, fast, reproducible. NumPy and Numba live here (`punto[fast]`), and nowhere else."""
