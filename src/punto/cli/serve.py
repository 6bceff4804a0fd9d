"""`punto serve`: the house."""

from __future__ import annotations

import gc
import os
from typing import Annotated

import typer

from punto.cli.screen import fail


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", min=0, max=65535)] = 8000,
    database: Annotated[
        str,
        typer.Option(help="sqlite:///path or postgresql://…; default: PUNTO_DATABASE, or the file in the data folder."),
    ] = "",
    patience: Annotated[
        float,
        typer.Option(help="Seconds to look for a lost PostgreSQL server before the node stops.", min=1),
    ] = 15,
    no_demo: Annotated[bool, typer.Option("--no-demo", help="Open no demo tables.")] = False,
    no_guests: Annotated[bool, typer.Option("--no-guests", help="Let no guests in; patrons need an account.")] = False,
    most_guests: Annotated[int, typer.Option(help="Most guests at one time, on all nodes together.", min=1)] = 10_000,
    behind_tls: Annotated[
        bool,
        typer.Option("--behind-tls", help="Run behind a TLS proxy and trust its X-Forwarded-For. Needs --host-name."),
    ] = False,
    host_name: Annotated[
        list[str] | None,
        typer.Option(help="A host name to answer to, besides localhost and IP addresses; may be repeated."),
    ] = None,
    away_minutes: Annotated[
        float, typer.Option(help="Minutes without a wager or live connection until a patron's seat is freed.", min=0.05)
    ] = 15,
    reset_days: Annotated[
        int,
        typer.Option(
            help="Days after a password reset during which whoever reset it can't be the owner's second person.",
            min=1,
            max=3650,
        ),
    ] = 30,
    origin: Annotated[
        list[str] | None, typer.Option(help="Another Origin that pages may come from; may be repeated.")
    ] = None,
    no_rate_limits: Annotated[
        bool, typer.Option("--no-rate-limits", help="Switch off all rate limits, for benchmarks and tests.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Log warnings and errors only.")] = False,
) -> None:
    """Run the house: tables, people and the page, on one database.

    Example: punto serve --port 8000 --database sqlite:///house.db
    """
    gc.disable()  # the imports leave no garbage, and collections would take a tenth of the start-up time
    from punto.house.serve import CantServe, Options
    from punto.house.serve import serve as run
    from punto.house.store.records import StoreBroken
    from punto.house.web.settings import Settings

    gc.enable()
    token = os.environ.get("PUNTO_METRICS_TOKEN", "")
    settings = Settings(
        behind_tls=behind_tls,
        host_names=tuple(host_name or ()),
        origins=tuple(origin or ()),
        guests=not no_guests,
        guests_in_all=most_guests,
        away_minutes=away_minutes,
        reset_days=reset_days,
        metrics_token=token,
    )
    options = Options(
        host=host,
        port=port,
        database=database,
        patience_s=patience,
        demo=not no_demo,
        quiet=quiet,
        settings=settings.unlimited() if no_rate_limits else settings,
    )
    try:
        status = run(options, typer.echo)
    except (CantServe, StoreBroken, OSError, ValueError) as error:
        fail(error)
    if status:
        raise typer.Exit(status)
