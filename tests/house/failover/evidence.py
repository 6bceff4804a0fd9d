"""The evidence that a run is judged by. If something went wrong it is kept in a folder, to look for the cause later.

`python -m tests.house.failover.evidence FOLDER` judges it again by `promises.py`.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from tests.house.failover import promises
from tests.house.failover.promises import Row, Said, Transfer

NAME: Final = "evidence.json"


class Evidence(msgspec.Struct, frozen=True):
    """The clients' records, and the rows and transfers of tables at one instant."""

    said: list[Said]
    rows: list[Row]
    transfers: list[Transfer]

    @property
    def faults(self) -> list[str]:
        return promises.faults(self.said, self.rows, self.transfers)


def read(folder: Path) -> Evidence:
    return msgspec.json.decode((folder / NAME).read_bytes(), type=Evidence)


def keep(folder: Path, evidence: Evidence, logs: Sequence[Path]) -> None:
    (folder / NAME).write_bytes(msgspec.json.encode(evidence))
    for number, log in enumerate(logs, 1):
        shutil.copyfile(log, folder / f"node-{number}.jsonl")


@contextmanager
def kept_on_fault(folder: Path, write: Callable[[Path], None]) -> Iterator[None]:
    """If an exception is raised, write the evidence to a new folder inside `folder`, which the exception then names."""
    try:
        yield
    except Exception as error:
        own = folder / f"{time.time_ns()}"
        own.mkdir(parents=True)
        try:
            write(own)
        except Exception as second:
            error.add_note(f"not all could be kept: {second!r}")
        error.add_note(f"kept in {own}")
        raise


def main(folder: str) -> int:
    evidence = read(Path(folder))
    faults = evidence.faults
    for fault in faults:
        print(fault)
    print(f"{len(evidence.said)} answers, {len(evidence.rows)} rows: {len(faults)} promises broken")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
