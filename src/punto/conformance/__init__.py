"""The conformance kit: questions with answers that any engine can be measured by, and the run that measures it."""
