"""One module a step, named by its number. A step is never changed once a release has run it."""
