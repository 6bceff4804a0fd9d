"""For the setup of pybaccarat only: it imports a module that Windows alone has. Python's own must not see it first."""

import subprocess  # noqa: F401
import sys
import types

sys.modules["msvcrt"] = types.ModuleType("msvcrt")
sys.modules["msvcrt"].getch = lambda: b""
