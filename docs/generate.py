"""`make docs`: write the documents that are made from source and transcripts."""

from __future__ import annotations

from pathlib import Path

from docs import commands_page, phases_page
from tests.irregularities import cells

DOCS = Path(__file__).parent


def pages() -> dict[Path, str]:
    """File → what it should hold."""
    return {
        DOCS / "commands.md": commands_page.page(),
        DOCS / "generated" / "phases.md": phases_page.page(),
        DOCS / "generated" / "phases.svg": phases_page.drawing(),
        DOCS / "generated" / "irregularities.md": cells.page(),
    }


if __name__ == "__main__":
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        print(f"docs: {path.relative_to(DOCS.parent)}")
