"""Responses that are the same for everybody, compressed once: files of the page and reference data.

Nothing else is compressed: the length of a compressed response can reveal a secret next to what a client sent.
"""

from __future__ import annotations

import gzip
import re
from functools import lru_cache
from typing import Final

from punto.house.web.http import HttpRequest

_REFUSED: Final = re.compile(r"\s*q=0(\.0*)?\s*")


def compressed(request: HttpRequest, body: bytes) -> tuple[bytes, dict[str, str]]:
    """The body, gzipped if the client accepts it, and its headers."""
    headers = {"vary": "accept-encoding"}
    if not _takes_gzip(request.headers.get("accept-encoding", "")):
        return body, headers
    small = _gzipped(body)
    # Some files are compressed already, or too short.
    return (small, headers | {"content-encoding": "gzip"}) if len(small) < len(body) * 0.9 else (body, headers)


def _takes_gzip(accepted: str) -> bool:
    for encoding in accepted.split(","):
        name, _, weight = encoding.partition(";")
        if name.strip().lower() == "gzip":
            return _REFUSED.fullmatch(weight) is None
    return False


@lru_cache(maxsize=256)
def _gzipped(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)
