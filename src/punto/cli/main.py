"""The `punto` command. Groups are imported when they are called, so that `punto rules list` starts in a blink."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from punto.cli import (
    audit,
    audit_rounds,
    backup,
    conformance,
    deal,
    odds,
    replay,
    report,
    rng,
    roads,
    rules,
    serve,
    settle,
    simulate,
    strategy,
    streams,
    verify_shoe,
    watch,
)

app = typer.Typer(
    name="punto",
    help="""Regulated baccarat: rules as data, rounds settled by them, every line with its paragraph.

    Example: punto deal "KH 7D v 2S 3C 4H"
    """,
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"punto {version('punto')}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None: ...


app.add_typer(rules.app, name="rules")
app.add_typer(conformance.app, name="conformance")
app.command("settle")(settle.settle)
app.command("roads")(roads.roads)
app.command("deal")(deal.deal)
app.command("replay")(replay.replay)
app.command("odds")(odds.odds)
app.command("report")(report.report)
app.command("simulate")(simulate.simulate)
app.command("rng")(rng.rng)
app.command("audit-rounds")(audit_rounds.audit_rounds)
app.add_typer(watch.app, name="watch")
app.command("strategy")(strategy.strategy)
app.command("serve")(serve.serve)
app.command("audit")(audit.audit)
app.command("backup")(backup.backup)
app.command("restore")(backup.restore)
app.command("verify-shoe")(verify_shoe.verify_shoe)


def run() -> None:
    """Entry point: 0 done, 1 refused or failed the check (reason on stderr), 2 usage."""
    streams.prepare()
    status: str | int | None = 0
    try:
        try:
            app()
        except SystemExit as done:
            status = done.code
        sys.stdout.flush()
    except streams.NobodyReads:
        streams.drop_output()
    except streams.OutputLost as lost:
        streams.drop_output()
        sys.stderr.write(f"punto: standard output: {lost}\n")
        status = 1
    sys.exit(status)


if __name__ == "__main__":
    run()
