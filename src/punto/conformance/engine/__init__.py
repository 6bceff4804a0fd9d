"""Punto itself as an engine of the kit: each question answered by the room that any caller would ask."""
