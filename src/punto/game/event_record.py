"""What every event has: the paragraph of the governing edition that it happened under."""

from __future__ import annotations

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    paragraph: str
