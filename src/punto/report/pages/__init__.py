"""The pages that HTML and PDF share."""
