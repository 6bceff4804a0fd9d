"""The page: its built files, and the index for any other path that is not the API's."""

from __future__ import annotations

import asyncio
import mimetypes
import re
from pathlib import Path
from typing import Final

from litestar import Response, get

from punto.house.web.compressed import compressed
from punto.house.web.http import HttpRequest
from punto.house.web.problems import not_found

PAGE: Final = Path(__file__).parents[1] / "page"
LARGEST_KEPT: Final = 4 << 20
_HASHED: Final = re.compile(r"[.-][A-Za-z0-9_-]{8,}\.[a-z0-9]+$")
_TYPES: Final = {".js": "text/javascript", ".mjs": "text/javascript", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
_FIRST_WORD: Final = re.compile(r"^\w*")
_RESERVED: Final = ("api", "schema", "metrics", "health", "ready")
_MISSING: Final = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Punto</title>
<h1>Punto: the house is open</h1>
<p>The page is not built in this checkout. Build it with <code>make page</code> and reload.</p>
<p>The API is described at <a href="/schema">/schema</a>; tables are at <a href="/api/tables">/api/tables</a>.</p>
</html>"""

_files: dict[Path, tuple[float, bytes]] = {}
"""By resolved path: a file has many names, such as `x/../index.html`, and outsiders can invent more."""


@get(["/", "/{path:path}"])
async def page(request: HttpRequest, path: str = "") -> Response[bytes]:
    """A built file, or the index for the page's own addresses."""
    wanted = path.strip("/")
    if _FIRST_WORD.findall(wanted.lower())[0] in _RESERVED or {".", ".."} & {*wanted.split("/")}:
        raise not_found("address")
    name = wanted or "index.html"
    body = await asyncio.to_thread(_file, name)
    if body is None and "." in name.rsplit("/", 1)[-1]:
        raise not_found("file")
    if body is None:
        name, body = "index.html", await asyncio.to_thread(_file, "index.html")
    if body is None:
        return Response(_MISSING, media_type="text/html")
    hashed = name.startswith("assets/") and _HASHED.search(name) is not None
    kept = "public, max-age=31536000, immutable" if hashed else "no-cache"
    sent, headers = await asyncio.to_thread(compressed, request, body)
    return Response(sent, media_type=_type(name), headers={"cache-control": kept, **headers})


def _type(name: str) -> str:
    ending = "." + name.rpartition(".")[2]
    return _TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def _file(name: str) -> bytes | None:
    """A file of the built page, from memory while it has not changed. Nothing outside the folder is ever read."""
    try:
        path = (PAGE / name).resolve()
        if not path.is_relative_to(PAGE.resolve()) or not path.is_file():
            return None
        changed = path.stat().st_mtime
        kept = _files.get(path)
        if kept is not None and kept[0] == changed:
            return kept[1]
        body = path.read_bytes()
    except (OSError, ValueError):
        return None
    if len(body) <= LARGEST_KEPT:
        _files[path] = (changed, body)
    return body
