"""`punto roads`: the score boards of a shoe."""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.screen import fail, print_json


def roads(
    sequence: Annotated[str, typer.Argument(help="Results in order: B, P and T.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Draw bead plate, Big Road, the three derived roads and the ask roads. Roads record the past and change no odds.

    Example: punto roads BBPTPPBPBB
    """
    from punto.game import roads as drawn

    try:
        boards = drawn.to_json(drawn.roads(sequence))
    except ValueError as error:
        fail(error)
    if json:
        print_json(boards)
        return
    from punto.cli.roads_drawn import draw
    from punto.cli.screen import console

    draw(console(), boards)
