"""A copy of the project in which a recipe of CONTRIBUTING.md is carried out, by edits of its files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.tidy.source import ROOT

PARTS = (
    "src",
    "tests",
    "docs",
    "bench",
    "web/src/words",
    "web/tests",
    "pyproject.toml",
    "README.md",
    "CONTRIBUTING.md",
    "Makefile",
)
LEFT_OUT = shutil.ignore_patterns("page", "pictures", "browser", "*.egg-info")
"""Compiled files are copied too, so that an unchanged file is not compiled again."""
MOST_SECONDS = 600
NO_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""Installed plugins of pytest take a second to import, and no recipe needs one."""


class Project:
    """The copy. `python` runs it with the copied source in the place of ours."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for part in PARTS:
            here, there = ROOT / part, folder / part
            there.parent.mkdir(parents=True, exist_ok=True)
            if here.is_dir():
                shutil.copytree(here, there, ignore=LEFT_OUT)
            else:
                shutil.copy(here, there)

    def insert(self, path: str, after: str, text: str) -> None:
        """Insert text after the one place where the file says `after`."""
        self.replace(path, after, after + text)

    def replace(self, path: str, old: str, new: str) -> None:
        file = self.folder / path
        content = file.read_text("utf-8")
        assert content.count(old) == 1, f"{path} says {content.count(old)} times: {old}"
        file.write_text(content.replace(old, new), "utf-8")

    def append(self, path: str, text: str) -> None:
        with (self.folder / path).open("a", encoding="utf-8") as file:
            file.write(text)

    def python(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        paths = os.pathsep.join((str(self.folder / "src"), str(self.folder)))
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": paths, **environment},
            capture_output=True,
            text=True,
            timeout=MOST_SECONDS,
            check=False,
        )

    def runs(self, script: str) -> str:
        """Run a script, which must succeed: what it prints."""
        done = self.python("-c", script)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def red(self, *tests: str) -> set[str]:
        """Run these tests: the names of those that fail."""
        done = self.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", "-rfE", *tests, **NO_PLUGINS)
        assert done.returncode in (0, 1), done.stdout + done.stderr
        red = (line for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR ")))
        return {line.split("::")[1].split("[")[0].split(" ")[0] for line in red}
