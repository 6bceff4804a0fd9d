"""Password hashes that cost next to nothing, and the program that uses them: `python -m tests.house.light serve …`.

With the house's own parameters, which `test_people.py` checks, a hash takes 64 MB and a fifth of a second. Hundreds of
people log in in the tests. A hash names its parameters, so a password that was hashed here can be checked everywhere.
"""

from __future__ import annotations

from argon2 import PasswordHasher

from punto.house.people import passwords

LIGHT = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
OWN = passwords._hasher
"""The house's own."""


def lighten() -> None:
    """Make passwords cheap for as long as this process lives."""
    passwords._hasher = lambda: LIGHT  # type: ignore[assignment]


if __name__ == "__main__":
    from punto.cli.main import run

    lighten()
    run()
