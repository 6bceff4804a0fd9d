"""The pack that ships is whole, Punto answers it, and the makers make the same; and packs that are not whole."""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from punto.conformance import pack as packs
from punto.conformance.engine.answers import answer
from punto.conformance.explain import gists
from punto.conformance.export import export
from punto.conformance.judge import Result, judge
from punto.conformance.pack import MANIFEST, SHIPPED, Manifest, Pack, PackError
from punto.conformance.schemas import QUESTIONS, schemas
from punto.conformance.vectors import ANY_EDITION, Level
from punto.rulebook import load
from tests.conformance import make, make_boards, make_boxes, make_hands, make_insurance, make_scripts
from tests.conformance.make_hands import EDITIONS


@pytest.fixture(scope="module")
def pack() -> Pack:
    return packs.load()


def test_punto_gives_every_expected_answer(pack: Pack) -> None:
    for vector in pack.vectors:
        verdict = judge(vector, answer(vector.ask, vector.edition, vector.input))
        assert (verdict.result, verdict.ruling) == (Result.PASSED, None), f"{vector.id} ({vector.why}): {verdict.note}"


def test_the_pack_is_what_the_makers_make(pack: Pack) -> None:
    """What is in every pack is made again and compared; the rest is among the candidates (`make conformance`)."""
    shipped = {vector.id: vector for vector in pack.vectors}
    scripts = (make_scripts.openings, make_scripts.hand_limits, make_scripts.short_rounds)
    parts = (make_hands.slips, make_insurance.rights, make_boxes.boxes, *scripts)
    made = {vector.id: vector for edition in EDITIONS for part in parts for vector in part(edition)}
    for part in (make_scripts.transcripts, make_boards.roads, make_boards.history):
        made |= {vector.id: vector for vector in part()}
    for name, vector in made.items():
        assert shipped.get(name) == vector, f"run: make conformance ({vector.why})"
    edition = EDITIONS[4]
    chosen = {vector.id: vector for vector in make.candidates(edition)}
    mine = [vector for vector in pack.vectors if vector.edition == edition and vector.id not in made]
    assert all(
        chosen.get(vector.id) == vector for vector in mine if vector.level in (Level.DEAL, Level.OUTCOME, Level.SETTLE)
    )
    assert pack.manifest.version == make.VERSION


def test_every_level_and_edition_is_asked_and_cites_what_there_is(pack: Pack) -> None:
    assert packs.levels_of(pack.vectors) == list(Level)
    for edition in EDITIONS:
        rules = load.edition(*edition.split("/"))
        for vector in pack.select(editions=[edition]):
            assert vector.paragraphs, vector.id
            assert all(rules.knows(number) for number in vector.paragraphs), vector
            assert vector.why, vector.id
    assert {vector.level for vector in pack.vectors if vector.edition == ANY_EDITION} == {Level.ROADS, Level.HISTORY}
    assert {vector.ask for vector in pack.vectors} == set(QUESTIONS)


def test_rulings_that_are_named_are_written_down(pack: Pack) -> None:
    """The pack itself has them as docs/rulings.md has them now: whoever has only the pack can read why."""
    named = make.rulings(packs.load(exhaustive=True).vectors)
    assert {"M1", "W2", "E4", "E5", "D3", "D4", "O111"} <= named.keys()
    assert all(named.values())
    assert pack.manifest.rulings == named, "run: make conformance"


# Packs that are not whole


def written(folder: Path, text: bytes, **changed: Any) -> Path:
    """A pack of one file, with a manifest that is right but for what is changed."""
    folder.mkdir(exist_ok=True)
    (folder / "v.jsonl").write_bytes(text)
    count = len(text.splitlines())
    listed = {"path": "v.jsonl", "vectors": count, "sha256": hashlib.sha256(text).hexdigest(), "exhaustive": False}
    plain = {"format": 1, "version": "9", "protocol": 1, "made_by": "a test", "files": [listed]}
    for name in ("path", "vectors", "sha256"):
        if name in changed:
            listed[name] = changed.pop(name)
    (folder / MANIFEST).write_bytes(msgspec.json.encode(plain | changed))
    return folder


def a_line(pack: Pack) -> bytes:
    return packs.lines(pack.vectors[:1])


BAD: dict[str, tuple[Callable[[Path, bytes], object], str]] = {
    "no manifest": (lambda folder, line: folder.mkdir(), "can't be read"),
    "manifest is no JSON": (
        lambda f, line: (written(f, line) / MANIFEST).write_bytes(b"{"),
        "no manifest of a pack",
    ),
    "newer format": (lambda f, line: written(f, line, format=2), "format 2, this Punto reads format 1"),
    "newer protocol": (lambda f, line: written(f, line, protocol=7), "protocol 7, this Punto speaks 1"),
    "wrong hash": (lambda f, line: written(f, line, sha256="0" * 64), "SHA-256 differs"),
    "changed file": (lambda f, line: (written(f, line), (f / "v.jsonl").write_bytes(b"x")), "SHA-256 differs"),
    "missing file": (lambda f, line: written(f, line, path="w.jsonl"), "can't be read"),
    "file elsewhere": (lambda f, line: written(f, line, path="../v.jsonl"), "lies outside"),
    "no vector": (lambda f, line: written(f, b'{"id":"x"}\n'), "no vector"),
    "unknown field": (lambda f, line: written(f, line.replace(b'"why"', b'"wherefore"')), "no vector"),
    "other number": (lambda f, line: written(f, line, vectors=2), "holds 1 vectors: the manifest names 2"),
    "answer changed": (
        lambda f, line: written(f, line.replace(b'"expected":{', b'"expected":{"x":1,', 1)),
        "is not the id",
    ),
    "twice": (lambda f, line: written(f, line + line), "have the same id"),
    "not packed": (
        lambda f, line: (written(f, line, path="v.jsonl.xz"), (f / "v.jsonl.xz").write_bytes(b"no xz")),
        "can't be unpacked",
    ),
    "cut short": (
        lambda f, line: (written(f, line, path="v.jsonl.xz"), (f / "v.jsonl.xz").write_bytes(lzma.compress(line)[:-9])),
        "can't be unpacked",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_pack_that_is_not_whole_is_refused_with_a_sentence(name: str, pack: Pack, tmp_path: Path) -> None:
    spoil, said = BAD[name]
    spoil(tmp_path / "pack", a_line(pack))
    with pytest.raises(PackError, match=said):
        packs.load(tmp_path / "pack")


def test_a_withdrawn_vector_says_why(pack: Pack, tmp_path: Path) -> None:
    folder = written(tmp_path / "pack", a_line(pack), withdrawn={"deal-0": "the text was misread"})
    loaded = packs.load(folder)
    assert loaded.find(pack.vectors[0].id) == pack.vectors[0]
    with pytest.raises(PackError, match="was withdrawn: the text was misread"):
        loaded.find("deal-0")
    with pytest.raises(PackError, match="no vector 'deal-1'"):
        loaded.find("deal-1")


def test_an_exported_pack_is_the_same_pack_in_plain_files(pack: Pack, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    manifest = export(pack, pack, folder, gists(pack.vectors))
    again = packs.load(folder)
    rules = load.edition("tiger-buffalo-commission", "2025-11-21")
    assert {vector.id: vector for vector in again.vectors} == {vector.id: vector for vector in pack.vectors}
    assert msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest) == manifest
    assert {path.name for path in (folder / "schemas").iterdir()} == set(schemas())
    words = msgspec.json.decode((folder / "paragraphs" / "tiger-buffalo-commission-2025-11-21.json").read_bytes())
    assert words == {number: rules.gist(number) for number in rules.paragraphs}
    assert (folder / "vectors" / "tiger-buffalo-commission-2025-11-21" / "deal.jsonl").is_file()
    with pytest.raises(PackError, match="not empty"):
        export(pack, pack, folder, {})


def test_the_exhaustive_files_are_whole_too(pack: Pack) -> None:
    whole = packs.load(exhaustive=True)
    assert len(whole.vectors) > 5 * len(pack.vectors)
    assert whole.vectors[: len(pack.vectors)] == pack.vectors
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 3 << 20
