"""Punto itself as an engine of the kit. It answers each question with the modules that any caller would use."""
