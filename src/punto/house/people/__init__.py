"""People: accounts, passwords, sessions, roles, and acts that need two persons."""
