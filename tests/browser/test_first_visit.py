"""A first visit: no error, nothing that jumps, and a table in few bytes."""

from __future__ import annotations

import pytest

from tests.browser.first_visit import MOST_BYTES, MOST_SHIFT, visited
from tests.browser.visitors import Hall


@pytest.mark.parametrize("locale", ["en-GB", "zh-HK", "zh-CN"])
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_first_visit(hall: Hall, locale: str, phone: bool) -> None:
    if "first" not in hall.opened:
        hall.open("first", ("dealer",), shoe=True)
    seen = visited(hall, "/tables/first", "[data-bet]", phone=phone, locale=locale)
    assert seen.errors == ()
    assert seen.shift < MOST_SHIFT
    assert 50_000 < seen.bytes_received < MOST_BYTES
    assert seen.scripts
    # The runtime is too small to be worth compressing.
    assert {how for name, how in seen.scripts.items() if "runtime" not in name} == {"gzip"}, seen.scripts
