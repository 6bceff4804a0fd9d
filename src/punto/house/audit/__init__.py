"""The audit: every stored row read again from the first, and everything that follows from it worked out anew."""
