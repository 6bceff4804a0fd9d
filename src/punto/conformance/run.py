"""Run the kit: a few workers put every vector to an engine. Each vector gets one result, whatever the engine does.

A run is limited as a whole: it ends after too many faults, or after a total time.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from queue import Empty, Queue
from typing import Final

import msgspec

from punto.conformance.judge import Result, judge
from punto.conformance.pack import Pack, PackError
from punto.conformance.process import Bounds, Engine, Fault
from punto.conformance.protocol import VERSION, Hello
from punto.conformance.report import About, Outcome, Report, outcome, report
from punto.conformance.vectors import Level, Vector

PATIENCE: Final = 5
"""After this many faults in a row at one level, the rest of that level is not asked."""
MOST_FAULTS: Final = 100
"""After this many faults the run ends."""

Progress = Callable[[int, int, Outcome], None]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a run."""

    command: str
    jobs: int = 1
    answer_seconds: float = 10.0
    hello_seconds: float = 30.0
    memory_bytes: int = 2 << 30
    total_seconds: float = 1800.0
    selection: dict[str, tuple[str, ...]] = {}

    @property
    def bounds(self) -> Bounds:
        return Bounds(
            answer_seconds=self.answer_seconds, hello_seconds=self.hello_seconds, memory_bytes=self.memory_bytes
        )


class Journal:
    """A file with a line for each result, so that an interrupted run can continue."""

    def __init__(self, path: Path, heading: dict[str, object]) -> None:
        self._path, self._heading = path, msgspec.json.encode(heading)

    def before(self) -> list[Outcome]:
        """The results of an earlier run with the same heading. Raises PackError for the journal of another run."""
        if not self._path.exists():
            self._path.write_bytes(self._heading + b"\n")
            return []
        first, *rest = self._path.read_bytes().split(b"\n")
        if first != self._heading:
            raise PackError(f"{self._path} is the journal of another run: give another file, or delete it")
        outcomes = []
        for line in rest[:-1]:  # a vector whose line is incomplete is asked again
            try:
                outcomes.append(msgspec.json.decode(line, type=Outcome))
            except msgspec.DecodeError:
                raise PackError(
                    f"{self._path} has a line that is not a result: give another file, or delete it"
                ) from None
        whole = self._heading + b"\n" + b"".join(line + b"\n" for line in rest[:-1])
        self._path.write_bytes(whole)
        return outcomes

    def add(self, outcome: Outcome) -> None:
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(outcome) + b"\n")


def run(
    pack: Pack, vectors: Sequence[Vector], plan: Plan, *, journal: Path | None = None, progress: Progress | None = None
) -> Report:
    """Put every vector to the engine. The report has every vector, in the given order."""
    begun = time.monotonic()
    introduced = _introduce(pack, plan)
    if isinstance(introduced, str):
        untested = [outcome(vector, Result.UNTESTED, introduced) for vector in vectors]
        return report(_about(pack, plan, None), untested, time.monotonic() - begun, trouble=introduced)
    about = _about(pack, plan, introduced)
    book = None if journal is None else Journal(journal, _heading(about))
    done = {known.id: known for known in (book.before() if book is not None else ())}
    work = _Work(pack, plan, introduced, [vector for vector in vectors if vector.id not in done], begun)
    for judged in work.results():
        done[judged.id] = judged
        if book is not None and judged.result is not Result.UNTESTED:
            book.add(judged)
        if progress is not None:
            progress(len(done), len(vectors), judged)
    trouble = work.trouble
    return report(about, [done[vector.id] for vector in vectors], time.monotonic() - begun, trouble=trouble)


def _introduce(pack: Pack, plan: Plan) -> Hello | str:
    """The hello of the engine, or the reason why it can't be asked."""
    try:
        engine = Engine(plan.command, plan.bounds, pack.manifest.version)
    except Fault as fault:
        return f"the engine did not say hello: {fault}"
    except OSError as error:
        return f"the engine can't be started: {error.strerror}"
    engine.close()
    return engine.hello


def _about(pack: Pack, plan: Plan, hello: Hello | None) -> About:
    return About(
        engine=hello.name if hello else "unknown",
        version=hello.version if hello else "unknown",
        command=plan.command,
        editions=hello.editions if hello else (),
        levels=hello.levels if hello else (),
        pack=pack.manifest.version,
        pack_sha256=pack.sha256,
        protocol=VERSION,
        selection=plan.selection,
    )


def _heading(about: About) -> dict[str, object]:
    """What must be equal to continue a journal."""
    same = {"engine": about.engine, "version": about.version, "command": about.command}
    return {"journal": 1, "pack": about.pack_sha256, **same}


class _Work:
    """A queue of vectors for several workers, each with its own engine."""

    def __init__(self, pack: Pack, plan: Plan, hello: Hello, vectors: list[Vector], begun: float) -> None:
        self._pack, self._plan, self._hello = pack, plan, hello
        self._until = begun + plan.total_seconds
        self._todo: Queue[Vector] = Queue()
        self._results: Queue[Outcome | None] = Queue()
        self._lock = threading.Lock()
        self._faults = 0
        self._in_a_row: Counter[Level] = Counter()
        self.trouble = ""
        self._skipped: list[Outcome] = []
        for vector in vectors:
            if hello.claims(vector):
                self._todo.put(vector)
            else:
                self._skipped.append(
                    outcome(vector, Result.INAPPLICABLE, "the engine does not claim this level or edition")
                )

    def results(self) -> Iterator[Outcome]:
        """Each result as it comes. Vectors left when all workers have ended are untested."""
        yield from self._skipped
        workers = [threading.Thread(target=self._worker, daemon=True) for _ in range(self._plan.jobs)]
        for worker in workers:
            worker.start()
        running = len(workers)
        while running:
            judged = self._results.get()
            if judged is None:
                running -= 1
            else:
                yield judged
        for left in _drained(self._todo):
            yield outcome(left, Result.UNTESTED, self.trouble)

    def _worker(self) -> None:
        engine: Engine | None = None
        try:
            while (vector := self._next()) is not None:
                if self._in_a_row[vector.level] >= PATIENCE:
                    note = f"not asked after {PATIENCE} faults in a row at this level"
                    self._results.put(outcome(vector, Result.UNTESTED, note))
                    continue
                started = time.monotonic()
                try:
                    engine = engine or Engine(self._plan.command, self._plan.bounds, self._pack.manifest.version)
                    judged = _judged(vector, engine, started)
                    self._replied(vector.level)
                except (Fault, OSError) as fault:
                    ms = 1000 * (time.monotonic() - started)
                    judged = outcome(vector, Result.FAILED, f"the engine gave no usable answer: {fault}", ms=ms)
                    self._fault(vector.level)
                    if engine is not None:
                        engine.kill()
                    engine = None
                self._results.put(judged)
        finally:
            if engine is not None:
                engine.close()
            self._results.put(None)

    def _next(self) -> Vector | None:
        """The next vector, or None if the queue is empty or the run has ended."""
        if self._faults >= MOST_FAULTS:
            self._give_up(f"the run was stopped after {MOST_FAULTS} faults of the engine")
        elif time.monotonic() > self._until:
            self._give_up(f"the run was ended after {self._plan.total_seconds:g} seconds")
        if self.trouble:
            return None
        try:
            return self._todo.get_nowait()
        except Empty:
            return None

    def _replied(self, level: Level) -> None:
        with self._lock:
            self._in_a_row[level] = 0

    def _fault(self, level: Level) -> None:
        with self._lock:
            self._faults += 1
            self._in_a_row[level] += 1

    def _give_up(self, reason: str) -> None:
        with self._lock:
            self.trouble = self.trouble or reason


def _judged(vector: Vector, engine: Engine, started: float) -> Outcome:
    reply = engine.ask(vector)
    ms = 1000 * (time.monotonic() - started)
    if reply.answer is None:
        return outcome(vector, Result.INAPPLICABLE, f"unsupported: {(reply.unsupported or '')[:200]}", ms=ms)
    verdict = judge(vector, reply.answer)
    return outcome(vector, verdict.result, verdict.note, verdict.ruling, ms)


def _drained(queue: Queue[Vector]) -> Iterable[Vector]:
    while True:
        try:
            yield queue.get_nowait()
        except Empty:
            return
