"""Is the shuffle what it says? Raw bits, orders and cards as dealt, counted and held against exact distributions."""
