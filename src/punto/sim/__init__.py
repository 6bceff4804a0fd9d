"""Simulation of many shoes: compiled, fast, reproducible. `sim`, `rng` and `watch` use NumPy, Numba (`punto[fast]`)."""
