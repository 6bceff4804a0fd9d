"""A real file system of a few megabytes that fills up. It needs the right to mount."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

CHUNK = 64 * 1024


class SmallDisk:
    """A tmpfs, mounted at `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"sqlite:///{folder / 'house.db'}"
        self._foreign = folder / "foreign"

    def grow(self, megabytes: int) -> None:
        """Make space, as an administrator does on a volume."""
        subprocess.run(["mount", "-o", f"remount,size={megabytes}m", str(self.folder)], check=True)

    def fill(self) -> None:
        """Fill the disk with a file that is not the house's. The house may be writing meanwhile."""
        with self._foreign.open("ab", buffering=0) as file:
            for size in (CHUNK, 4096):
                with suppress(OSError):
                    while file.write(bytes(size)) == size:
                        pass
        assert self.free() < CHUNK

    def free_again(self) -> None:
        self._foreign.unlink()

    def free(self) -> int:
        file_system = os.statvfs(self.folder)
        return file_system.f_bavail * file_system.f_frsize


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[SmallDisk]:
    """Mounted until the end of the block, however it ends. Skips the test where it may not be mounted."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("a small file system is mounted by root alone")
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    mounted = subprocess.run(command, capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"a small file system can't be mounted here: {mounted.stderr.strip()}")
    try:
        yield SmallDisk(folder)
    finally:
        if subprocess.run(["umount", str(folder)], capture_output=True).returncode:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
