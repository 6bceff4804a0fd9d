"""The house: tables run for people. What they ask is decided by `game`, kept by a store, shown to whom it concerns."""
