"""strace, where it is installed and allowed."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache

import pytest

from tests.patience import LONG_S


@cache
def _missing(*options: str) -> str:
    """Why strace can't do this here; empty where it can."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    done = subprocess.run(
        ["strace", "-f", "--seccomp-bpf", *options, "true"], capture_output=True, text=True, timeout=LONG_S
    )
    return "" if done.returncode == 0 else f"strace can't be used here: {done.stderr.strip()[-200:]}"


_FLUSH = ("-e", "trace=fdatasync")
_INJECT = (*_FLUSH, "-e", "inject=fdatasync:error=EIO:when=1")

needs_tracing = pytest.mark.skipif(bool(_missing(*_FLUSH)), reason=_missing(*_FLUSH) or "strace works")
needs_injection = pytest.mark.skipif(bool(_missing(*_INJECT)), reason=_missing(*_INJECT) or "strace works")
