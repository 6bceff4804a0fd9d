"""An audit of recorded rounds."""
