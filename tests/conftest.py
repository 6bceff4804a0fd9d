"""How all tests run: Hypothesis the same way every time in CI, at random and longer where a developer asks for it.

HYPOTHESIS_PROFILE chooses: ci (the default) or dev.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=100, print_blob=True)
settings.register_profile("dev", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# The proofs are plain functions in plain modules: let their asserts explain themselves too.
pytest.register_assert_rewrite("tests.rules")
