"""Reports that laboratories, operators and regulators file: computed once, exactly, and written in many formats."""
