"""Reports for laboratories, operators and regulators: computed once, exactly, and written in many formats."""
