"""A reference to a rule: an edition and one of its paragraphs, without the text of the paragraph."""

from __future__ import annotations

import msgspec


class Cite(msgspec.Struct, frozen=True, kw_only=True):
    """A paragraph (or a ruling, where the document is silent) of one edition."""

    edition: str
    paragraph: str

    def __str__(self) -> str:
        return f"{self.edition} {self.paragraph}"
