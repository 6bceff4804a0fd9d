"""The `punto` command. Commands import what they need when they run, so that `punto rules list` starts fast."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

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


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"punto {version('punto')}")
        raise typer.Exit


def main(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None: ...


class _HelpReadAsFlag:
    """Give `--help` the default False. With Typer's None it is no plain flag, and Typer loads pydantic for those."""

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.default = False
        return option


class _Command(_HelpReadAsFlag, TyperCommand):
    pass


class _Group(_HelpReadAsFlag, TyperGroup):
    pass


def program(completion: bool) -> typer.Typer:
    """The whole command line. `completion`: with the options that set up shell completion."""
    commands = typer.Typer(
        name="punto",
        cls=_Group,
        help="""Regulated baccarat: rules as data, rounds settled by them, every line with its paragraph.

    Example: punto deal "KH 7D v 2S 3C 4H"
    """,
        no_args_is_help=True,
        add_completion=completion,
        pretty_exceptions_enable=False,
    )
    commands.callback()(main)
    commands.add_typer(rules.app, name="rules", cls=_Group)
    commands.add_typer(conformance.app, name="conformance", cls=_Group)
    commands.command("settle")(settle.settle)
    commands.command("roads")(roads.roads)
    commands.command("deal")(deal.deal)
    commands.command("replay")(replay.replay)
    commands.command("odds")(odds.odds)
    commands.command("report")(report.report)
    commands.command("simulate")(simulate.simulate)
    commands.command("rng")(rng.rng)
    commands.command("audit-rounds")(audit_rounds.audit_rounds)
    commands.add_typer(watch.app, name="watch")  # this group has its own class
    commands.command("strategy")(strategy.strategy)
    commands.command("serve")(serve.serve)
    commands.command("audit")(audit.audit)
    commands.command("backup")(backup.backup)
    commands.command("restore")(backup.restore)
    commands.command("verify-shoe")(verify_shoe.verify_shoe)
    for group in (commands, rules.app, conformance.app, watch.app):
        for command in group.registered_commands:
            command.cls = _Command
    return commands


app = program(completion=True)


def run() -> None:
    """Entry point. Exit 0: done; 1: refused or a failed check (reason on stderr); 2: usage."""
    streams.prepare()
    status: str | int | None = 0
    try:
        try:
            # After a command's name no option of the program follows. Reading those of shell completion costs 0.1 s.
            (program(completion=False) if sys.argv[1:2] and not sys.argv[1].startswith("-") else app)()
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
