"""Rounds a second of the compiled engine, compared with a plain C program, the readable engine and a public package.

All in one run. The engine and the C program take turns, so that other work slows both. Figures are the best.
The C program (bench/plain.c) tallies the three main bets, the engine every bet and every insurance offer.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from punto.rulebook import load
from punto.sim.kernel.tables import Compiled
from punto.sim.shoes import Setup, deal_range, setup

GAME, EDITION = "tiger-buffalo-commission", "2025-11-21"
PASSES, SHOES = 60, 5_000
"""Passes are short, so that one of them runs on quiet cores."""

READABLE, PEER = 30, 300
"""Shoes for the slow engines."""

TO_C, TWO_THREADS, FIRST_S = 1.2, 1.8, 2.0
"""The targets."""

PACKAGE = "baccarat-engine@1.1.5"
PEER_SCRIPT = """
const { performance } = require('perf_hooks');
const Engine = require('baccarat-engine/src/gameEngine/baccaratGameEngine');
let rounds = 0;
const start = performance.now();
for (let shoe = 0; shoe < Number(process.argv[2]); shoe++) {
  const engine = new Engine();
  engine.shoe.createDecks();
  engine.shoe.shuffle();
  while (!engine.isBurnNeeded) {
    engine.resultsEngine.calculateGameResult(engine.dealGame());
    rounds++;
  }
}
console.log(rounds / (performance.now() - start) * 1000);
"""


def plain(program: Path, shoes: int) -> float:
    """Rounds a second of the C program, by its own clock."""
    words = subprocess.run([program, str(shoes)], capture_output=True, text=True, check=True).stdout.split()
    return int(words[0]) / float(words[-1])


def threads(engine: Compiled, workers: int, shoes: int) -> float:
    """Rounds a second of the compiled engine; each thread deals this many shoes."""
    rounds: list[int] = []

    def work(at: int) -> None:
        rounds.append(engine.deal_range(at * shoes, shoes).rounds)

    crew = [threading.Thread(target=work, args=(at,)) for at in range(workers)]
    start = time.perf_counter()
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join()
    return sum(rounds) / (time.perf_counter() - start)


def readable(of: Setup) -> float:
    start = time.perf_counter()
    return deal_range(of, 0, READABLE).rounds / (time.perf_counter() - start)


def peer(folder: Path) -> float | str:
    """Rounds a second of the public package, or why there is no figure."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        return "no figure: npm is not installed here"
    try:
        install = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), PACKAGE]
        subprocess.run(install, capture_output=True, check=True, timeout=60)
        (folder / "peer.js").write_text(PEER_SCRIPT)
        run = [node, "peer.js", str(PEER)]
        process = subprocess.run(run, cwd=folder, capture_output=True, text=True, check=True, timeout=120)
    except (subprocess.SubprocessError, OSError) as error:
        return f"no figure: {PACKAGE} could not be installed and run ({type(error).__name__})"
    return float(process.stdout)


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def first_result() -> float:
    """Seconds that the whole command takes with a warm cache."""
    punto = Path(sys.executable).with_name("punto")
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([punto, "simulate", f"{GAME}/{EDITION}", "--shoes", "1000"], capture_output=True, check=True)
        taken.append(time.perf_counter() - start)
    return min(taken)


def main() -> None:
    """Print a line for each engine, then ratios and targets."""
    busy, cores = os.getloadavg()[0], os.cpu_count() or 1
    if busy > cores / 2:
        print(f"other work            load {busy:.1f} on {cores} cores: two threads and the first result come out low")
    of = setup(load.edition(GAME, EDITION), seed=8)
    engine = Compiled(of)
    start = time.perf_counter()
    engine.compile()
    print(f"compile or load       {time.perf_counter() - start:9.2f} s")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        compiler = shutil.which("gcc") or shutil.which("cc")
        program = folder / "plain"
        if compiler is not None:
            source = Path(__file__).with_name("plain.c")
            subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        c, single, two = [0.0], [], []
        for _ in range(PASSES):
            if compiler is not None:
                c.append(plain(program, SHOES))
            single.append(threads(engine, 1, SHOES))
            two.append(threads(engine, 2, SHOES))
        package = peer(folder)
    small = peak_mb()
    threads(engine, 2, 100 * SHOES)
    grown = peak_mb() - small
    slow, first = readable(of), first_result()

    print(f"compiled, one thread  {max(single) / 1e6:9.1f} million rounds a second, every bet and insurance offer")
    print(f"compiled, two threads {max(two) / 1e6:9.1f}")
    print(f"plain C, one thread   {max(c) / 1e6:9.1f} three main bets")
    print(f"readable engine       {slow / 1e6:9.3f} card by card through punto.game")
    if isinstance(package, float):
        print(f"baccarat-engine       {package / 1e6:9.3f} public package, Node")
        print(f"ratio to the package  {max(single) / package:9.0f}")
    else:
        print(f"baccarat-engine       {package}")
    print(f"ratio to readable     {max(single) / slow:9.0f}")
    print(f"two threads to one    {max(two) / max(single):9.2f} target {TWO_THREADS}")
    if compiler is not None:
        print(f"ratio to plain C      {max(single) / max(c):9.2f} target {TO_C}")
    else:
        print("ratio to plain C      no figure: there is no C compiler here")
    print(f"memory, 100 × shoes   {grown:+9.1f} MB on {small:.0f} MB")
    print(f"first result          {first:9.2f} s target {FIRST_S:.0f}, the whole command with a warm cache")


if __name__ == "__main__":
    main()
