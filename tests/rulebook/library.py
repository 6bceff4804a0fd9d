"""A copy of part of the library that a test may break, and the six editions as they are."""

from __future__ import annotations

import shutil
from pathlib import Path

from punto.rulebook import load
from punto.rulebook.model import Rulebook

TIGER = ("tiger-buffalo-commission", "tiger-buffalo-non-commission")
LIVE = ("live-baccarat-insurance-commission", "live-baccarat-insurance-no-commission")
DATES = ("2024-05-14", "2025-11-21")


def every_edition() -> list[Rulebook]:
    return [load.edition(source.game, source.edition) for source in load.catalogue()]


class Copy:
    """One edition in a folder of its own, to be changed and loaded again."""

    def __init__(self, root: Path, game: str = TIGER[0], edition: str = DATES[1]) -> None:
        self.root, self.game, self.edition = root, game, edition
        self.folder = root / game / edition
        shutil.copytree(load.EDITIONS / game / edition, self.folder)

    def file(self, name: str) -> Path:
        return self.folder / f"{name}.toml"

    def change(self, name: str, old: str, new: str) -> None:
        """Replace the first place where a file says `old`."""
        text = self.file(name).read_text("utf-8")
        assert old in text, f"{name}.toml does not say {old!r}: the row of the test is out of date"
        self.file(name).write_text(text.replace(old, new, 1), "utf-8")

    def load(self) -> Rulebook:
        return load.edition(self.game, self.edition, self.root)
