"""`punto deal`: deal a coup, random or given, and explain each step with its paragraph."""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.screen import console, fail, print_json
from punto.money import said


def deal(
    coup: Annotated[
        str | None,
        typer.Argument(help='A coup such as "KH 7D v 2S 3C 4H", or cards in deal order; default: random.'),
    ] = None,
    game: Annotated[str, typer.Option(help="game or game/edition")] = "tiger-buffalo-commission",
    layout: Annotated[
        str | None, typer.Option(help="Show what this layout's bets come to; default: the first.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the random coup; the same seed deals the same coup again.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Deal a coup and say what happened, step by step, and what every bet of a layout comes to.

    Example: punto deal "KH 7D v 2S 3C 4H" --game tiger-buffalo-non-commission --layout C
    """
    import random

    from punto import api
    from punto.cli.rules import governing
    from punto.game.explain import explain
    from punto.game.outcome import outcome_of
    from punto.game.settlement import pay_table

    rules = governing(game)
    try:
        if coup is not None:
            dealt = api.coup(rules, coup)
        else:
            dealt = api.deal(rules, random.Random(seed) if seed is not None else None)
        felt = api.find_layout(rules, next(iter(rules.layouts)) if layout is None else layout)
    except ValueError as error:
        fail(error)
    steps = explain(rules, dealt)
    verdicts = {bet: pay_table(rules)[outcome_of(dealt)][bet] for bet in felt.bets}
    if json:
        print_json(
            {
                "game": rules.source.game,
                "edition": rules.source.edition,
                "layout": felt.id,
                "coup": str(dealt),
                "winner": dealt.winner,
                "player_points": dealt.player_points,
                "banker_points": dealt.banker_points,
                "steps": steps,
                "bets": {
                    bet: {
                        "result": verdict.result,
                        "odds": verdict.odds and str(verdict.odds),
                        "paragraph": verdict.paragraph,
                    }
                    for bet, verdict in verdicts.items()
                },
            }
        )
        return
    screen = console()
    screen.print(f"[bold]{rules.source.title}[/] [dim]{rules.source.edition}, layout {felt.id}[/]")
    screen.print(str(dealt))
    colours = {"player": "blue", "banker": "red", "tie": "green"}
    for at, step in enumerate(steps, 1):
        last = colours[dealt.winner] if at == len(steps) else "default"
        screen.print(f" {at}. [{last}]{step.text}[/] [dim]({step.paragraph})[/]")
    shown = {"won": "green", "lost": "dim", "returned": "yellow"}
    for bet, verdict in verdicts.items():
        odds = f" {said(verdict.odds)}" if verdict.odds is not None else ""
        screen.print(f"    {bet:<17} [{shown[verdict.result]}]{verdict.result}{odds}[/] [dim]({verdict.paragraph})[/]")
