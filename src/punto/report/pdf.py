"""A report as PDF. Typst typesets it from `report.typ` with the fonts that are part of Typst."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from punto.report.pages.shape import Document

TEMPLATE: Final = Path(__file__).with_name("report.typ")
CHINESE: Final = ("Noto Serif CJK SC", "Noto Sans CJK SC", "Source Han Serif SC", "Songti SC", "SimSun")
"""Typst has no Chinese font. If the machine has none of these, Chinese names are left out, not shown as boxes."""


def pdf(document: Document) -> bytes:
    """The content of the PDF file. It carries the document's own date, so the same report gives the same bytes."""
    import typst

    font = _chinese_font() if document.names else None
    if font is None:
        document = msgspec.structs.replace(document, names=())
    made = typst.compile(
        TEMPLATE.read_bytes(),
        format="pdf",
        ignore_system_fonts=font is None,
        sys_inputs={"document": msgspec.json.encode(document).decode(), "chinese": font or ""},
    )
    assert isinstance(made, bytes), "one PDF is one file"
    return made


def _chinese_font() -> str | None:
    import typst

    families = {str(family) for family in typst.Fonts().families()}
    return next((name for name in CHINESE if name in families), None)
