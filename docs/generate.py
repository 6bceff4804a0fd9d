"""`make docs`: write the documents that are generated from source and transcripts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from docs import commands_page, page_shapes, phases_page
from tests.irregularities import cells

DOCS = Path(__file__).parent


PAGES: Final[dict[Path, Callable[[], str]]] = {
    DOCS / "commands.md": commands_page.page,
    DOCS / "generated" / "phases.md": phases_page.page,
    DOCS / "generated" / "phases.svg": phases_page.drawing,
    DOCS / "generated" / "irregularities.md": cells.page,
    DOCS.parent / "web" / "shapes.json": page_shapes.page,
}
"""File → its generator."""


if __name__ == "__main__":
    for path, made in PAGES.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(made(), "utf-8")
        print(f"docs: {path.relative_to(DOCS.parent)}")
