"""`punto conformance`: test an engine with the kit, export the kit, and serve Punto as an engine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.screen import console, fail, literal, print_json, print_table

if TYPE_CHECKING:
    from punto.conformance.pack import Pack
    from punto.conformance.report import Comparison, Outcome, Report

app = typer.Typer(
    help="""Measure any engine against the rule documents.

    Example: punto conformance run --engine "punto conformance engine" --level deal
    """,
    no_args_is_help=True,
)

EngineOption = Annotated[str, typer.Option("--engine", help="The command that starts the engine, as in a shell.")]
PackOption = Annotated[
    Path | None, typer.Option("--pack", help="Folder of an exported pack; default: the pack that comes with Punto.")
]
LevelOption = Annotated[list[str] | None, typer.Option("--level", help="Only this level; may be repeated.")]
EditionOption = Annotated[list[str] | None, typer.Option("--edition", help="Only this game/edition; may be repeated.")]
ParagraphOption = Annotated[
    list[str] | None, typer.Option("--paragraph", help="Only vectors of this paragraph; may be repeated.")
]
ExhaustiveOption = Annotated[
    bool, typer.Option("--exhaustive", help="Include the exhaustive vectors: every outcome, deal and offer.")
]


@app.command("run")
def run(
    engine: EngineOption,
    level: LevelOption = None,
    edition: EditionOption = None,
    paragraph: ParagraphOption = None,
    exhaustive: ExhaustiveOption = False,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Engines that run at once.")] = 1,
    seconds: Annotated[float, typer.Option(min=0.05, help="Time for one answer.")] = 10.0,
    memory: Annotated[int, typer.Option(min=16, help="Writable memory of an engine, in MiB (Linux).")] = 2048,
    minutes: Annotated[float, typer.Option(min=0.001, help="Time for the whole run.")] = 30.0,
    journal: Annotated[
        Path | None,
        typer.Option(help="Save each result to this file; given again, an interrupted run continues from it."),
    ] = None,
    pack: PackOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    out: Annotated[Path | None, typer.Option(help="Also write the report as JSON into this file.")] = None,
    junit: Annotated[Path | None, typer.Option(help="Also write JUnit XML into this file.")] = None,
    html: Annotated[Path | None, typer.Option(help="Also write an HTML page into this file.")] = None,
) -> None:
    """Run the vectors against an engine and report each result. Exit 0 only if nothing failed.

    Example: punto conformance run --engine "punto conformance engine" --level deal --jobs 2
    """
    from punto.conformance.pack import PackError
    from punto.conformance.run import Plan
    from punto.conformance.run import run as started

    chosen = _loaded(pack, exhaustive=exhaustive)
    _known(level or [], edition or [], chosen)
    vectors = chosen.select(levels=level or (), editions=edition or (), paragraphs=paragraph or ())
    if not vectors:
        fail("the pack has no vector with this combination of --level, --edition and --paragraph")
    plan = Plan(
        command=engine,
        jobs=jobs,
        answer_seconds=seconds,
        hello_seconds=max(30.0, seconds),
        memory_bytes=memory << 20,
        total_seconds=60 * minutes,
        selection=_selection(level, edition, paragraph, exhaustive),
    )
    try:
        report = started(chosen, vectors, plan, journal=journal, progress=_progress())
        _write(report, out, junit, html)
    except PackError as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
    _tell(report, as_json=json)


def _selection(
    level: list[str] | None, edition: list[str] | None, paragraph: list[str] | None, exhaustive: bool
) -> dict[str, tuple[str, ...]]:
    named = {"levels": level, "editions": edition, "paragraphs": paragraph}
    chosen = {name: tuple(values) for name, values in named.items() if values}
    return chosen | ({"vectors": ("exhaustive",)} if exhaustive else {})


def _known(levels: list[str], editions: list[str], pack: Pack) -> None:
    """Refuse unknown levels and editions, which would otherwise select nothing."""
    from punto.conformance.vectors import Level

    for level in levels:
        if level not in set(Level):
            raise typer.BadParameter(f"there is no level {level!r}: expected one of {', '.join(Level)}")
    have = sorted({vector.edition for vector in pack.vectors})
    for edition in editions:
        if edition not in have:
            raise typer.BadParameter(f"the pack has no edition {edition!r}: expected one of {', '.join(have)}")


def _loaded(folder: Path | None, *, exhaustive: bool) -> Pack:
    from punto.conformance.pack import SHIPPED, PackError, load

    try:
        return load(folder or SHIPPED, exhaustive=exhaustive)
    except PackError as error:
        fail(error)


def _progress() -> Callable[[int, int, Outcome], None] | None:
    """Show a line that counts the vectors, on a terminal."""
    if not sys.stderr.isatty():
        return None
    failed = 0

    def shown(done: int, total: int, outcome: Outcome) -> None:
        nonlocal failed
        failed += outcome.result == "failed"
        sys.stderr.write(f"\rconformance: {done} of {total}, {failed} failed" + ("\n" if done == total else ""))
        sys.stderr.flush()

    return shown


def _write(report: Report, out: Path | None, junit: Path | None, html: Path | None) -> None:
    import msgspec

    from punto.conformance import written

    if out is not None:
        out.write_bytes(msgspec.json.encode(report) + b"\n")
    if junit is not None:
        junit.write_text(written.junit(report), "utf-8")
    if html is not None:
        html.write_text(written.html(report), "utf-8")


def _tell(report: Report, *, as_json: bool) -> None:
    if as_json:
        print_json(report)
    else:
        _table(report)
    if report.trouble:
        fail(f"conformance: {literal(report.trouble)}")
    if not report.good:
        fail(f"conformance: {report.results['failed']} of {len(report.outcomes)} vectors failed")


MOST_SHOWN = 10


def _table(report: Report) -> None:
    from rich.table import Table

    from punto.conformance.judge import Result
    from punto.conformance.report import by_level, by_paragraph

    screen = console()
    about = report.about
    name = literal(f"{about.engine} {about.version}")
    screen.print(f"{name}: {len(report.outcomes)} vectors of pack {about.pack} ({about.pack_sha256[:12]})")
    table = Table("level", *(result.value for result in Result))
    for level, counts in by_level(report.outcomes).items():
        table.add_row(level.value, *(str(counts[result.value]) for result in Result))
    table.add_row("all", *(str(report.results[result.value]) for result in Result))
    print_table(screen, table)
    failed = [outcome for outcome in report.outcomes if outcome.result is Result.FAILED]
    if not failed:
        return
    wrong = Table("edition", "paragraph", "failed", "of")
    for number, cells in by_paragraph(report.outcomes).items():
        for edition, counts in cells.items():
            if counts[Result.FAILED.value]:
                wrong.add_row(edition, number, str(counts[Result.FAILED.value]), str(sum(counts.values())))
    print_table(screen, wrong)
    for outcome in failed[:MOST_SHOWN]:
        screen.print(literal(f"{outcome.id} {outcome.edition}: {outcome.note}"))
    if len(failed) > MOST_SHOWN:
        screen.print(f"… and {len(failed) - MOST_SHOWN} more; --json and --html have them all")
    screen.print(f"To see the first difference: punto conformance explain {failed[0].id} --engine …")


@app.command("explain")
def explain(
    vector: Annotated[str, typer.Argument(help="The id of a vector.")],
    engine: Annotated[
        str | None,
        typer.Option(
            "--engine",
            help="The command that starts the engine; without it, the question and the expected answer are printed.",
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.05, help="Time for one answer.")] = 10.0,
    pack: PackOption = None,
) -> None:
    """Walk through one vector to the first difference: which card, wager or command, and both answers.

    Example: punto conformance explain deal-0123456789ab --engine "punto conformance engine"
    """
    from punto.conformance.explain import explain as story
    from punto.conformance.pack import PackError

    chosen = _loaded(pack, exhaustive=False)
    if vector not in {known.id for known in chosen.vectors}:
        chosen = _loaded(pack, exhaustive=True)
    try:
        question = chosen.find(vector)
    except PackError as error:
        fail(error)
    answer = None if engine is None else _answer(chosen, vector, engine, seconds)
    sys.stdout.write(story(question, answer, chosen.manifest.rulings))


def _answer(pack: Pack, vector: str, command: str, seconds: float) -> dict[str, object]:
    from punto.conformance.process import Bounds, Engine, Fault

    try:
        engine = Engine(command, Bounds(answer_seconds=seconds), pack.manifest.version)
        try:
            reply = engine.ask(pack.find(vector))
        finally:
            engine.close()
    except Fault as fault:
        fail(f"the engine gave no usable answer: {literal(str(fault))}")
    if reply.answer is None:
        fail(f"the engine says that this is unsupported: {literal(str(reply.unsupported))}")
    return reply.answer


@app.command("compare")
def compare(
    before: Annotated[Path, typer.Argument(help="The report of an older run, written by --out.")],
    after: Annotated[Path, typer.Argument(help="The report of a newer run.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Compare two reports: what the newer version fixes and breaks. Exit 1 if it breaks anything.

    Example: punto conformance compare a.json b.json
    """
    from punto.conformance import report as reports
    from punto.conformance.pack import PackError

    try:
        old, new = (reports.read(path.read_bytes(), path.name) for path in (before, after))
    except PackError as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
    comparison = reports.compare(old, new)
    if json:
        print_json(comparison)
    else:
        _compared(comparison)
    if comparison.broken:
        fail(f"conformance: {len(comparison.broken)} vectors fail that did not fail before")


def _compared(comparison: Comparison) -> None:
    screen = console()
    names = [literal(f"{side.engine} {side.version}") for side in (comparison.before, comparison.after)]
    screen.print(f"{names[0]} → {names[1]}: {comparison.same} vectors with the same result")
    if not comparison.same_pack:
        screen.print(f"the packs differ: {comparison.before.pack} and {comparison.after.pack}")
    for word, changes in (("mended", comparison.mended), ("broken", comparison.broken), ("other", comparison.other)):
        screen.print(f"{word}: {len(changes)}")
        for change in changes[:MOST_SHOWN]:
            was, now = (str(result) if result is not None else "not there" for result in (change.before, change.after))
            screen.print(literal(f"  {change.id}: {was} → {now} {change.note}"))


@app.command("export")
def export(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder.")],
    exhaustive: ExhaustiveOption = False,
) -> None:
    """Write the pack as plain files: JSON lines by edition and level, JSON Schemas, a manifest with hashes.

    Example: punto conformance export pack
    """
    from punto.conformance.explain import gists
    from punto.conformance.export import export as written
    from punto.conformance.pack import PackError

    chosen = _loaded(None, exhaustive=exhaustive)
    try:
        manifest = written(chosen, _loaded(None, exhaustive=False), folder, gists(chosen.vectors))
    except PackError as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
    total = sum(file.vectors for file in manifest.files)
    typer.echo(f"{folder}: pack {manifest.version}, {total} vectors in {len(manifest.files)} files")


@app.command("engine")
def engine() -> None:
    """Act as an engine: answer the kit's questions from standard input, one JSON line each, with Punto's own rules.

    Example: punto conformance engine
    """
    from punto.conformance.engine.serve import serve

    serve(sys.stdin.buffer, sys.stdout.buffer)
