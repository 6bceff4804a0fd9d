"""How long a test waits can be shortened for one's own runs."""

from __future__ import annotations

import runpy

import pytest

from tests import patience


def test_the_environment_shortens_the_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNTO_TEST_PATIENCE_S", "20")
    again = runpy.run_path(patience.__file__)
    assert again["LONG_S"] == 20.0
    assert again["SOCKET"]["open_timeout"] == 20.0


def test_without_it_the_patience_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUNTO_TEST_PATIENCE_S", raising=False)
    assert runpy.run_path(patience.__file__)["LONG_S"] == 1_200.0
