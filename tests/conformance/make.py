"""`make conformance`: the pack made anew, byte for byte the same each time (`python -m tests.conformance.make`)."""

from __future__ import annotations

import hashlib
import lzma
import re
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import msgspec

from punto.conformance.engine.answers import answer
from punto.conformance.judge import Result, judge
from punto.conformance.pack import FORMAT, MANIFEST, SHIPPED, Manifest, PackFile, lines
from punto.conformance.protocol import VERSION as PROTOCOL
from punto.conformance.vectors import Level, Vector, rulings_of
from tests.conformance import make_boards, make_boxes, make_hands, make_insurance, make_scripts
from tests.conformance.defects import every_defect
from tests.conformance.make_hands import EDITIONS
from tests.conformance.mistakes import every_mistake
from tests.conformance.planting import Defect, choose

VERSION: Final = "1.1.1"
"""Version of the pack. Words or paragraphs corrected: a new patch version. Something added: a new minor version. An
answer corrected: a new major version, with the old id under `withdrawn`."""

PROCESSES: Final = 2

RULING: Final = re.compile(r"^- \*\*(\w+)\*\* (.*?)(?=^- \*\*|^#|^$)", re.MULTILINE | re.DOTALL)
LINK: Final = re.compile(r"\[([^]]*)\]\([^)]*\)")

FILES: Final = {"default.jsonl.xz": False, "exhaustive.jsonl.xz": True}


def candidates(edition: str) -> list[Vector]:
    """The vectors that the default pack chooses from, at the levels where all of them would be too many."""
    parts = (make_hands.deals, make_hands.outcomes, make_hands.settlements, make_insurance.offers)
    return [vector for part in (*parts, make_insurance.settlements) for vector in part(edition)]


def whole(edition: str) -> list[Vector]:
    """The vectors that are always in the default pack."""
    parts = (make_hands.slips, make_insurance.rights, make_boxes.boxes, make_boards.odds)
    scripts = (make_scripts.openings, make_scripts.hand_limits, make_scripts.short_rounds)
    return [vector for part in (*parts, *scripts) for vector in part(edition)]


def default_pack() -> Iterator[Vector]:
    """Every vector of the small levels, and of the others as many as it takes to find each defect twice."""
    with ProcessPoolExecutor(PROCESSES) as pool:
        for chosen in pool.map(chosen_for, EDITIONS):
            yield from chosen
    for part in (make_scripts.transcripts, make_scripts.remedied, make_boards.roads, make_boards.history):
        yield from part()


def chosen_for(edition: str) -> list[Vector]:
    """The vectors of one edition: what is in every pack, and what its defects and the mistakes of engines call for."""
    kept, pool = whole(edition), candidates(edition)
    return [*kept, *choose(pool, kept, _concerning(edition, pool, list(every_mistake())))]


def _concerning(edition: str, pool: list[Vector], mistakes: list[Defect]) -> Iterator[Defect]:
    levels = {vector.level for vector in pool}
    for defect in (*every_defect(edition), *mistakes):
        if levels & set(defect.levels):
            yield defect


def exhaustive_pack() -> Iterator[Vector]:
    """All outcomes, deals, offers and ends of insurance, with random boxes and roads."""
    for edition in EDITIONS:
        yield from make_hands.deals(edition)
        yield from make_hands.whole_outcomes(edition)
        yield from make_hands.settlements(edition)
        yield from make_insurance.offers(edition)
        yield from make_insurance.settlements(edition)
        yield from make_boxes.random_boxes(edition)
    yield from make_boards.random_roads(60, "exhaustive")


def in_order(vectors: Iterable[Vector], without: set[str]) -> list[Vector]:
    """The vectors, each once, sorted by edition, level and id; those in `without` are left out."""
    levels = list(Level)
    by_id = {vector.id: vector for vector in vectors if vector.id not in without}
    return sorted(by_id.values(), key=lambda vector: (vector.edition, levels.index(vector.level), vector.id))


def checked(vectors: list[Vector]) -> list[Vector]:
    """Punto answers every one as expected: two implementations agree, or no pack is written."""
    for vector in vectors:
        verdict = judge(vector, answer(vector.ask, vector.edition, vector.input))
        assert verdict.result is Result.PASSED, f"{vector.id} ({vector.why}): {verdict.note}"
        assert verdict.ruling is None, f"{vector.id}: Punto gives the answer of another reading"
    return vectors


def pack() -> tuple[Manifest, dict[str, bytes]]:
    default = checked(in_order(default_pack(), set()))
    exhaustive = checked(in_order(exhaustive_pack(), {vector.id for vector in default}))
    texts = {"default.jsonl.xz": lines(default), "exhaustive.jsonl.xz": lines(exhaustive)}
    counts = {"default.jsonl.xz": len(default), "exhaustive.jsonl.xz": len(exhaustive)}
    files = tuple(
        PackFile(path=name, vectors=counts[name], sha256=hashlib.sha256(text).hexdigest(), exhaustive=FILES[name])
        for name, text in texts.items()
    )
    manifest = Manifest(
        format=FORMAT,
        version=VERSION,
        protocol=PROTOCOL,
        made_by="make conformance",
        files=files,
        rulings=rulings([*default, *exhaustive]),
    )
    return manifest, texts


def rulings(vectors: Iterable[Vector]) -> dict[str, str]:
    """Every ruling that a vector names, in the words of docs/rulings.md."""
    text = (Path(__file__).parents[2] / "docs" / "rulings.md").read_text("utf-8")
    words = {name: " ".join(said.split()) for name, said in RULING.findall(text)}
    names = sorted({name for vector in vectors for name in rulings_of(vector)})
    return {name: LINK.sub(r"\1", words[name]) for name in names}


def main() -> None:
    begun = time.monotonic()
    manifest, texts = pack()
    SHIPPED.mkdir(exist_ok=True)
    for name, text in texts.items():
        path = SHIPPED / name
        if not path.exists() or lzma.decompress(path.read_bytes()) != text:
            path.write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
            print(f"{path.name}: written anew")
        print(f"{name}: {len(text.splitlines())} vectors, {len(text)} bytes, {path.stat().st_size} packed")
    (SHIPPED / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    print(f"conformance: pack {manifest.version} in {time.monotonic() - begun:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
