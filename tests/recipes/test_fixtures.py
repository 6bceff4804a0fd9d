"""The house's answers in the fixtures of the page's tests are its answers today."""

from __future__ import annotations

from web.tests.fixtures.make import HERE, files


def test_the_fixtures_of_the_page_are_up_to_date() -> None:
    stale = [name for name, text in files().items() if (HERE / name).read_text("utf-8") != text]
    assert not stale, "run: make fixtures"
