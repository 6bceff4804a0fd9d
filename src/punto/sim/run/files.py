"""A run's files: checkpoints, and results as JSON, CSV or Parquet. Every file is replaced atomically."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from punto.sim.shoes import Setup, Tally, no_tally

SPECIFICATION: Final = 1
"""Version of the specification of a shoe that the tallies follow; docs/simulation.md states it."""


LEAST_CARDS: Final = 4
"""Cards of the shortest round."""


class RunFileError(ValueError):
    """A file of a run that can't be read or written. The message says why in a sentence."""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """The settings by which two runs are the same run, whatever their progress."""

    edition: str
    rules_sha256: str
    decks: int
    cut: int
    seed: int
    specification: int


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True, tag="punto-simulate-checkpoint", tag_field="file"):
    run: Identity
    shoes: int
    cells: list[list[int]]
    sure: list[list[int]]
    sha256: str
    """Hash of all fields above, by `_digest`."""


def identity(of: Setup) -> Identity:
    return Identity(
        edition=of.rules.id,
        rules_sha256=of.rules.data_sha256,
        decks=of.decks,
        cut=of.cut,
        seed=of.seed,
        specification=SPECIFICATION,
    )


def save(path: Path, of: Setup, tally: Tally) -> None:
    """Write a checkpoint and replace the last one."""
    run, cells, sure = identity(of), tally.cells.tolist(), tally.sure.tolist()
    digest = _digest(run, tally.shoes, cells, sure)
    replace(path, msgspec.json.encode(Checkpoint(run=run, shoes=tally.shoes, cells=cells, sure=sure, sha256=digest)))


def _digest(run: Identity, shoes: int, cells: list[list[int]], sure: list[list[int]]) -> str:
    return sha256(msgspec.json.encode((run, shoes, cells, sure))).hexdigest()


def resume(path: Path, of: Setup, shoes: int) -> Tally:
    """The tally to continue from; an empty one if there is no file. Raises RunFileError."""
    if not path.exists():
        return no_tally(of)
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Checkpoint)
    except (OSError, msgspec.DecodeError) as error:
        raise RunFileError(f"{path} is no checkpoint of a simulation: {error}") from None
    wanted, empty = identity(of), no_tally(of)
    for name in Identity.__struct_fields__:
        had, has = getattr(kept.run, name), getattr(wanted, name)
        if had != has:
            raise RunFileError(f"{path} is a checkpoint of another run: its {name} is {had}, expected {has}")
    if kept.shoes > shoes:
        raise RunFileError(f"{path} holds {kept.shoes} shoes already: expected at most the {shoes} asked for")
    try:
        tally = Tally(
            shoes=kept.shoes,
            cells=np.array(kept.cells, np.int64).reshape(empty.cells.shape),
            sure=np.array(kept.sure, np.int64).reshape(empty.sure.shape),
        )
    except ValueError:
        raise RunFileError(f"{path} is no checkpoint of this edition: its tally has another shape") from None
    least, most = of.sure_rounds * kept.shoes, of.cards // LEAST_CARDS * kept.shoes
    if not least <= tally.rounds <= most or int(tally.sure.sum()) != least:
        raise RunFileError(f"{path} is damaged: {kept.shoes} shoes have {least} to {most} rounds, not {tally.rounds}")
    if kept.sha256 != _digest(kept.run, kept.shoes, kept.cells, kept.sure):
        raise RunFileError(f"{path} is damaged: its counts are not those that were saved")
    return tally


# Results. A row for every way in which a bet or an offer can end.

COLUMNS: Final = {
    "bet": str,
    "after": str,
    "player_points": int,
    "banker_points": int,
    "result": str,
    "odds": str,
    "times": int,
    "expectation": float,
    "standard_error": float,
    "exact": float,
    "z": float,
    "z_all_rounds": float,
}


def rows(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """The bets and offers of `punto simulate --json` as plain rows."""
    written = []
    for line in [*({"bet": name, **bet} for name, bet in answer["bets"].items()), *answer["insurance"]]:
        ways = [("won", odds, times) for odds, times in line["won"].items()]
        ways += [(result, None, line[result]) for result in ("returned", "lost")]
        for result, odds, times in ways:
            row = {name: line.get(name) for name in COLUMNS}
            written.append(row | {"result": result, "odds": odds, "times": times})
    return written


def _json(answer: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(answer), indent=2) + b"\n"


def _csv(answer: dict[str, Any]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(answer))
    return text.getvalue().encode()


def _parquet(answer: dict[str, Any]) -> bytes:
    """The rows as Parquet. The rest of the answer, the run itself, is JSON in the metadata under the key `punto`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {str: pa.string(), int: pa.int64(), float: pa.float64()}
    run = {name: value for name, value in answer.items() if name not in ("bets", "insurance")}
    schema = pa.schema(
        [(name, types[kind]) for name, kind in COLUMNS.items()], metadata={"punto": msgspec.json.encode(run)}
    )
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows(answer), schema=schema), buffer)
    return buffer.getvalue()


FORMATS: Final[dict[str, Callable[[dict[str, Any]], bytes]]] = {".json": _json, ".csv": _csv, ".parquet": _parquet}


def check_place(path: Path, *, suffixes: tuple[str, ...] | None = None) -> None:
    """Check, before the run starts, that its file can be written here. Raises RunFileError."""
    if suffixes is not None and path.suffix not in suffixes:
        raise RunFileError(f"{path} has an unknown ending: expected {', '.join(suffixes)}")
    if path.suffix == ".parquet":
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise RunFileError("writing Parquet needs PyArrow: install punto[reports]") from None
    if path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise RunFileError(f"{path} can't be written: expected a file in an existing folder that you may write to")


def write(path: Path, answer: dict[str, Any]) -> None:
    """Write results in the format that the file name's ending says."""
    replace(path, FORMATS[path.suffix](answer))


def replace(path: Path, content: bytes) -> None:
    """Replace a file atomically: on failure the old one stays."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
