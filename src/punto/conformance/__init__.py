"""The conformance kit: questions with their expected answers, and the runner that puts them to any engine."""
