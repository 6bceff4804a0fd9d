"""The audit: it reads every stored row from the first on, and recomputes everything that follows from it."""
