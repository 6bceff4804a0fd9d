"""Every revision of every edition, by the hashes in the rows of a house."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from punto.rulebook import load
from punto.rulebook.model import Rulebook

OVER_BYTES: Final = {
    "288574350dffff1a877fd07e28e965adcf44603c15755c58e80b8bf57bd0dab6": (
        "220d39c5c780b320c51bc9d9fc6761909d93f11886220882a5d75e6159aecedb"
    ),
    "66b961b4da70c4a3d9cfcc25c24a85001b7c7322d6b691b52bd4ee4c2bd0ecd0": (
        "70befb418d631fff31932c5c36a02a83ca03129d73c623256eb02ceff3f9d05f"
    ),
    "676833f8bc6f74e83b647ebb0a70c61a4f63d157acdeaee9bf7af9eb036f1d6d": (
        "c9cccb1b60129e2833974be5b7f414c8b93a7134191fee6fc415dd465016c255"
    ),
    "00c9d8685edeed1659dc4117ebfbe45f485bd55c4f247a4667a4df16644478f4": (
        "fe21b5c05a63ac74e9664c6aaf350bf07767c1a473d81fe42469df33e2ce39ae"
    ),
    "355b6243930d4c4f6177e0d1bb47b3fa1b9fc8f13f1bb5e1a4d754caff6e1c4f": (
        "e1f2ddb82d6995bd0191206d3bd0f802c5a839cfe941fa5722fba18e162fe348"
    ),
    "75a76026b96e34ca0c1384c0b5c39c9f6d747202cbcd2d86206112143288081e": (
        "0d5bc22ef3d6a74a99d15e34be8121ace54c2a4b1edcbf47d7222faa24d84ddb"
    ),
}
"""The first houses recorded a hash over the bytes of revision 1. Each maps to the hash by `files.digest`. So a
corrected word makes no house unreadable, and a changed value is not mistaken for the rules that were played."""


def library(root: Path = load.EDITIONS) -> dict[str, Rulebook]:
    """Rulebooks by every hash that a house may have recorded."""
    held = {rules.data_sha256: rules for source in load.catalogue(root) for rules in load.revisions(source, root)}
    return held | {old: held[new] for old, new in OVER_BYTES.items() if new in held}
