"""A patron with a way of betting, over whole shoes."""
