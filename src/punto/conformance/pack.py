"""The pack: a manifest and files of vectors. It is read whole, or refused with a sentence. Pure apart from that.

The pack in the package is compressed; an exported pack is plain JSON lines. Both hash the plain lines.
"""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

import msgspec

from punto.conformance.protocol import VERSION as PROTOCOL
from punto.conformance.vectors import Level, Vector, id_of

FORMAT: Final = 1
SHIPPED: Final = Path(__file__).with_name("pack")
MANIFEST: Final = "manifest.json"
LARGEST_FILE: Final = 256 << 20
"""The most bytes of one decompressed file of vectors."""


class PackError(ValueError):
    """A pack, journal or report can't be used. The message says what is wrong."""


class PackFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file of vectors. `exhaustive`: only a run with --exhaustive uses it."""

    path: str
    vectors: int
    sha256: str
    exhaustive: bool = False


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`version` is the pack's own: a new minor version adds, a new major one corrects an answer."""

    format: int
    version: str
    protocol: int
    made_by: str
    files: tuple[PackFile, ...]
    withdrawn: dict[str, str] = {}
    """Ids of earlier versions that were removed → the reason."""
    rulings: dict[str, str] = {}
    """Every ruling that a vector names → how Punto reads the text."""


class Pack(msgspec.Struct, frozen=True, kw_only=True):
    manifest: Manifest
    sha256: str
    """The hash of the manifest, which has the hash of every file."""
    vectors: tuple[Vector, ...]

    def find(self, name: str) -> Vector:
        matches = [vector for vector in self.vectors if vector.id == name]
        if not matches:
            gone = self.manifest.withdrawn.get(name)
            raise PackError(f"{name} was withdrawn: {gone}" if gone else f"there is no vector {name!r} in this pack")
        return matches[0]

    def select(
        self, *, levels: Collection[str] = (), editions: Collection[str] = (), paragraphs: Collection[str] = ()
    ) -> tuple[Vector, ...]:
        """The vectors of these levels, editions and paragraphs. An empty list selects all."""
        return tuple(
            vector
            for vector in self.vectors
            if (not levels or vector.level.value in levels)
            and (not editions or vector.edition in editions)
            and (not paragraphs or any(number in paragraphs for number in vector.paragraphs))
        )


def load(folder: Path = SHIPPED, *, exhaustive: bool = False) -> Pack:
    """Read a whole pack. Raises PackError for a file that is missing, changed, or of an unknown version."""
    manifest = _manifest(folder)
    vectors: list[Vector] = []
    for file in manifest.files:
        if exhaustive or not file.exhaustive:
            vectors += _vectors(folder, file)
    names = {vector.id for vector in vectors}
    if len(names) != len(vectors):
        raise PackError(f"{folder}: two vectors of the pack have the same id")
    return Pack(manifest=manifest, sha256=sha256_of(manifest), vectors=tuple(vectors))


def sha256_of(manifest: Manifest) -> str:
    return hashlib.sha256(msgspec.json.encode(manifest, order="sorted")).hexdigest()


def lines(vectors: Iterable[Vector]) -> bytes:
    """Vectors as plain lines, over which the hashes are made."""
    return b"".join(msgspec.json.encode(vector) + b"\n" for vector in vectors)


def _manifest(folder: Path) -> Manifest:
    path = folder / MANIFEST
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except OSError as error:
        raise PackError(f"{path} can't be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise PackError(f"{path} is no manifest of a pack: {error}") from None
    if manifest.format != FORMAT:
        raise PackError(f"{path}: the pack has format {manifest.format}, this Punto reads format {FORMAT}")
    if manifest.protocol != PROTOCOL:
        raise PackError(f"{path}: the pack is for protocol {manifest.protocol}, this Punto speaks {PROTOCOL}")
    return manifest


def _vectors(folder: Path, listed: PackFile) -> list[Vector]:
    path = folder / listed.path
    if path.resolve().parent != folder.resolve() and folder.resolve() not in path.resolve().parents:
        raise PackError(f"{listed.path!r} lies outside of the pack")
    text = _text(path)
    if hashlib.sha256(text).hexdigest() != listed.sha256:
        raise PackError(f"{path} is not the file that the manifest names: its SHA-256 differs")
    decoder = msgspec.json.Decoder(Vector)
    try:
        vectors = decoder.decode_lines(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise PackError(f"{path} holds a line that is no vector: {error}") from None
    if len(vectors) != listed.vectors:
        raise PackError(f"{path} holds {len(vectors)} vectors: the manifest names {listed.vectors}")
    for vector in vectors:
        if vector.id != id_of(vector):
            raise PackError(f"{path}: {vector.id} is not the id of its question and answers")
    return vectors


def _text(path: Path) -> bytes:
    """The plain lines of a file, decompressed if necessary. Raises PackError above `LARGEST_FILE`."""
    try:
        with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file:
            text: bytes = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise PackError(f"{path} can't be read: {error.strerror or error}") from None
    except (lzma.LZMAError, EOFError) as error:
        raise PackError(f"{path} can't be unpacked: {error}") from None
    if len(text) > LARGEST_FILE:
        raise PackError(f"{path} holds more than {LARGEST_FILE} bytes")
    return text


def levels_of(vectors: Iterable[Vector]) -> list[Level]:
    """The levels that occur, in the order of `Level`."""
    have = {vector.level for vector in vectors}
    return [level for level in Level if level in have]
