"""The watch beside the tables: it follows their streams, raises alarms, and touches no table."""
