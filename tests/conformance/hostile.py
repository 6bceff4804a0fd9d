"""Engines that misbehave, each in a few lines, started as programs of their own."""

from __future__ import annotations

import shlex
import sys
from typing import Final

HELLO: Final = """
import json, os, signal, sys, time
LEVELS = ["deal", "outcome", "settle", "insurance", "limits", "table", "irregularities", "roads", "odds", "history"]
def say(value):
    sys.stdout.write(json.dumps(value) + "\\n"); sys.stdout.flush()
def hello(**more):
    sys.stdin.readline()
    about = {"protocol": 1, "name": "hostile", "version": "0", "editions": ["*"], "levels": LEVELS}
    say({"hello": {**about, **more}})
def asked():
    for line in sys.stdin:
        yield json.loads(line)
"""

GREETING: Final = {
    "never says hello": "time.sleep(3600)",
    "ends at once": "sys.exit(3)",
    "says hello in another protocol": "hello(protocol=99)",
    "says hello with a level that is none": 'hello(levels=["poker"])',
    "says hello as garbage": 'sys.stdin.readline(); print("hello world", flush=True); time.sleep(3600)',
    "says hello in bytes that are no text": (
        'sys.stdin.readline(); sys.stdout.buffer.write(b"\\xff\\xfe\\n"); sys.stdout.flush(); time.sleep(3600)'
    ),
}
"""Engines that fail at the hello, so that nothing can be asked of them."""

ANSWERING: Final = {
    "crashes": "hello()\nfor one in asked(): os.kill(os.getpid(), signal.SIGSEGV)",
    "ends with a status": "hello()\nfor one in asked(): sys.exit(7)",
    "hangs": "hello()\nfor one in asked(): time.sleep(3600)",
    "hangs with a child": "hello()\nfor one in asked(): os.fork(); time.sleep(3600)",
    "reads nothing": "hello()\ntime.sleep(3600)",
    "closes its output": "hello()\nos.close(1)\ntime.sleep(3600)",
    "answers garbage": 'hello()\nfor one in asked(): print("{" * 50, flush=True)',
    "answers nothing": 'hello()\nfor one in asked(): say({"question": one["question"]})',
    "answers NaN": 'hello()\nfor one in asked(): say({"question": one["question"], "answer": {"most": float("nan")}})',
    "nests deeply": (
        'hello()\nfor one in asked():\n    print(\'{"question":%d,"answer":{"a":%s}}\' % '
        '(one["question"], "[" * 5000 + "]" * 5000), flush=True)'
    ),
    "answers another question": 'hello()\nfor one in asked(): say({"question": one["question"] + 1, "answer": {}})',
    "answers twice": (
        'hello()\nfor one in asked():\n    say({"question": one["question"], "answer": {"a": 1}})\n'
        '    say({"question": one["question"], "answer": {"a": 1}})'
    ),
    "sends a megabyte without a newline": (
        'hello()\nfor one in asked():\n    while True: sys.stdout.write("x" * 65536); sys.stdout.flush()'
    ),
    "drips without a newline": (
        'hello()\nfor one in asked():\n    while True: sys.stdout.write("x"); sys.stdout.flush(); time.sleep(0.001)'
    ),
    "eats memory": "hello()\nfor one in asked():\n    hoard = []\n    while True: hoard.append(bytearray(1 << 24))",
}
"""Engines that say hello and then give no answer that can be judged."""


PUNTO: Final = f"{shlex.quote(sys.executable)} -m punto.cli.main conformance engine"
"""Punto itself, which is not hostile."""


def command(program: str) -> str:
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(HELLO + program)}"
