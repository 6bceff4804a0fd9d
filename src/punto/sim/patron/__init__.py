"""A patron with a betting strategy, over whole shoes."""
