"""Heads: the newest version and hash of every stream, kept apart from the database.

A chain of hashes shows every change except rows removed from its end. The heads of an earlier audit show that too.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

from punto.house.audit.findings import Findings

Heads = dict[str, tuple[int, str]]


class HeadsFile(msgspec.Struct, frozen=True, kw_only=True):
    """The file as JSON."""

    punto: str = "heads"
    root: str
    heads: Heads


class BadHeads(ValueError):
    """A file that holds no heads."""


def root(heads: Heads) -> str:
    """One hash over all heads, to be written down or published."""
    digest = hashlib.sha256()
    for stream in sorted(heads):
        version, hash_ = heads[stream]
        digest.update(f"{stream} {version} {hash_}\n".encode())
    return digest.hexdigest()


def read(path: Path) -> Heads:
    """The heads of an earlier audit; none where there is no file yet."""
    try:
        file = msgspec.json.decode(path.read_bytes(), type=HeadsFile)
    except FileNotFoundError:
        return {}
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadHeads(f"{path} is not a heads file of punto audit: {error}") from error
    if file.root != root(file.heads):
        raise BadHeads(f"{path} was changed: its root does not match its heads")
    return file.heads


def write(path: Path, heads: Heads) -> None:
    """Write the file atomically."""
    beside = path.with_name(f".{path.name}.part")
    text = msgspec.json.format(msgspec.json.encode(HeadsFile(root=root(heads), heads=heads)), indent=1)
    with beside.open("wb") as file:
        file.write(text + b"\n")
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def compare(stream: str, known: tuple[int, str] | None, version: int, digest: bytes, findings: Findings) -> None:
    """The hash at the version that an earlier audit saw is still the same."""
    if known is not None and known[0] == version and known[1] != digest.hex():
        findings.add(stream, version, "head", "an earlier audit saw another hash here: the stream was rewritten since")


def compare_length(stream: str, known: tuple[int, str] | None, version: int, findings: Findings) -> None:
    """A stream is at least as long as an earlier audit saw it."""
    if known is not None and known[0] > version:
        text = f"an earlier audit saw version {known[0]}: {known[0] - version} rows were taken off the end"
        findings.add(stream, version, "head", text)
