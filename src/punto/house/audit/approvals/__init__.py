"""Acts of two persons and their approvals."""
