"""How the house answers: records as JSON by the table's own notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Response
from litestar.datastructures import Cookie

from punto.game import notation


def answer(
    value: Any, status: int = 200, cookies: Sequence[Cookie] = (), headers: dict[str, str] | None = None
) -> Response[bytes]:
    """A record, or JSON that is written already."""
    body = value if isinstance(value, bytes) else notation.encode(value)
    return Response(
        body, status_code=status, media_type="application/json", cookies=list(cookies), headers=headers or {}
    )
