"""The `punto` command. Groups are imported when they are called, so that `punto rules list` starts in a blink."""

from __future__ import annotations

import sys

import typer

from punto.cli import deal, roads, rules, settle

app = typer.Typer(
    name="punto",
    help="Regulated baccarat: rules as data, rounds settled by them, every line with its paragraph.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)
app.add_typer(rules.app, name="rules")
app.command("settle")(settle.settle)
app.command("roads")(roads.roads)
app.command("deal")(deal.deal)


def run() -> None:
    """Entry point: 0 done, 1 refused or failed the check (reason on stderr), 2 usage."""
    try:
        app()
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


if __name__ == "__main__":
    run()
