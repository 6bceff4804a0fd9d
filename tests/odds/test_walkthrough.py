"""docs/odds-walkthrough.md is run from top to bottom in one session, and each block prints what the page shows."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "odds-walkthrough.md"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_walk_through_prints_what_it_shows() -> None:
    blocks = FENCE.findall(PAGE.read_text("utf-8"))
    assert [language for language, _ in blocks] == ["python", "text"] * (len(blocks) // 2)
    assert len(blocks) >= 12
    names: dict[str, Any] = {"__name__": "walkthrough"}
    for (_, code), (_, shown) in zip(blocks[::2], blocks[1::2], strict=True):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, PAGE.name, "exec"), names)
        assert printed.getvalue() == shown, code
