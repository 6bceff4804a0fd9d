"""Write the pack as plain files: vectors by edition and level, schemas, paragraphs, a manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from punto.conformance.pack import MANIFEST, Manifest, Pack, PackError, PackFile, lines
from punto.conformance.schemas import schemas
from punto.conformance.vectors import ANY_EDITION, Level, Vector


def export(pack: Pack, default: Pack, folder: Path, gists: Mapping[str, Mapping[str, str]]) -> Manifest:
    """Write the pack into a new or empty folder. `default` has the vectors of a run without --exhaustive. `gists`:
    edition → paragraph → its gist."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PackError(f"{folder} is not empty: expected a new folder")
    usual = {vector.id for vector in default.vectors}
    files = []
    for (edition, level, more), vectors in _grouped(pack, usual).items():
        name = f"{'exhaustive' if more else 'vectors'}/{_folder(edition)}/{level.value}.jsonl"
        text = lines(vectors)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
        sha256 = hashlib.sha256(text).hexdigest()
        files.append(PackFile(path=name, vectors=len(vectors), sha256=sha256, exhaustive=more))
    manifest = msgspec.structs.replace(pack.manifest, files=tuple(files), made_by="punto conformance export")
    (folder / "schemas").mkdir(parents=True, exist_ok=True)
    for name, schema in schemas().items():
        (folder / "schemas" / name).write_bytes(_pretty(schema))
    (folder / "paragraphs").mkdir()
    for edition, words in gists.items():
        (folder / "paragraphs" / f"{_folder(edition)}.json").write_bytes(_pretty(words))
    (folder / MANIFEST).write_bytes(_pretty(manifest))
    return manifest


def _grouped(pack: Pack, usual: set[str]) -> dict[tuple[str, Level, bool], list[Vector]]:
    groups: dict[tuple[str, Level, bool], list[Vector]] = {}
    for vector in pack.vectors:
        groups.setdefault((vector.edition, vector.level, vector.id not in usual), []).append(vector)
    return groups


def _folder(edition: str) -> str:
    return "any" if edition == ANY_EDITION else edition.replace("/", "-")


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
