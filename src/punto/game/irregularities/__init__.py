"""Section 5: what is done when a round does not go as it should. Reported, decided by rank, carried out, recorded."""
