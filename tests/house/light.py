"""Passwords that cost next to nothing, and the program with them: `python -m tests.house.light serve …`.

A hash takes 64 MB and a fifth of a second by the house's own parameters, which `test_people.py` holds. Hundreds of
people log in in the tests. A hash names its parameters, so a house made here opens everywhere.
"""

from __future__ import annotations

from argon2 import PasswordHasher

from punto.house.people import passwords

LIGHT = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
OWN = passwords._hasher
"""The house's."""


def lighten() -> None:
    """For as long as this process lives."""
    passwords._hasher = lambda: LIGHT  # type: ignore[assignment]


if __name__ == "__main__":
    from punto.cli.main import run

    lighten()
    run()
