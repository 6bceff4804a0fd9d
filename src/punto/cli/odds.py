"""`punto odds`: what every bet and every insurance offer is worth, exactly."""

from __future__ import annotations

import sys
from enum import StrEnum
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.screen import console, fail, print_json, print_table

if TYPE_CHECKING:
    from punto.odds.sheet import Sheet
    from punto.rulebook.model import Rulebook


class Sort(StrEnum):
    """What comes first."""

    EDITION = "edition"
    EDGE = "edge"
    WINS = "wins"
    DEVIATION = "deviation"
    NAME = "name"


def odds(
    game: Annotated[str, typer.Argument(help="game or game/edition")],
    decks: Annotated[int | None, typer.Option(help="Decks in the shoe; default the edition's.")] = None,
    removed: Annotated[str, typer.Option(help='Cards that have left the shoe, e.g. "9H 9D".')] = "",
    layout: Annotated[str | None, typer.Option(help="Only the bets of this layout.")] = None,
    seen: Annotated[str | None, typer.Option(help='Cards open in this round, e.g. "KH 5D v 2S 3C".')] = None,
    sort: Annotated[
        Sort | None,
        typer.Option(help="Lowest edge, most wins, largest deviation, name, or the edition's order first."),
    ] = None,
    beyond: Annotated[
        bool, typer.Option("--beyond", help="Also edge by decks, covariance, effects of removal, whole rounds.")
    ] = False,
    cut: Annotated[int, typer.Option(help="Cards behind the cut card, for --beyond.")] = 14,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV for programs.")] = False,
) -> None:
    """Print exact probabilities, expectation and deviation of every bet and insurance offer.

    Example: punto odds tiger-buffalo-commission --decks 8 --layout C
    """
    from punto.cli.rules import governing
    from punto.odds.sheet import to_json

    if json and csv:
        raise typer.BadParameter("one answer has one form: expected --json or --csv", param_hint="--csv")
    rules = governing(game)
    try:
        found = _sheet(rules, decks, removed, layout, seen)
        more = _beyond(rules, found, cut) if beyond else {}
    except ValueError as error:
        fail(error)
    answer = to_json(found) | more
    answer["bets"] = _sorted(answer["bets"], sort or (Sort.EDITION if json or csv else Sort.EDGE))
    if json:
        print_json(answer)
    elif csv:
        _csv(answer)
    else:
        _table(answer)


def _sheet(rules: Rulebook, decks: int | None, removed: str, layout: str | None, seen: str | None) -> Sheet:
    """The sheet that the options ask for. Raises ValueError with a sentence where there is none."""
    from punto.api import find_layout
    from punto.cards import cards
    from punto.game.coup import parse
    from punto.odds.sheet import sheet, sheet_given

    bets = rules.bets if layout is None else find_layout(rules, layout).bets
    gone = cards(removed)
    found = sheet(rules, decks, gone) if seen is None else sheet_given(rules, parse(rules, seen), decks, gone)
    return found.only(bets)


def _beyond(rules: Rulebook, found: Sheet, cut: int) -> dict[str, Any]:
    """What a house edge does not say. Floats: every figure here has its exact form in `punto.odds`."""
    from punto.odds.beyond import study

    return study(rules, found, cut_cards=cut)


def _sorted(bets: dict[str, Any], by: Sort) -> dict[str, Any]:
    keys = {
        Sort.EDITION: lambda one: 0,
        Sort.EDGE: lambda one: one[1]["house_edge"],
        Sort.WINS: lambda one: -Fraction(one[1]["hit_frequency"]),
        Sort.DEVIATION: lambda one: -one[1]["standard_deviation"],
        Sort.NAME: lambda one: one[0],
    }
    return dict(sorted(bets.items(), key=keys[by]))


def _csv(answer: dict[str, Any]) -> None:
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["bet", "after", "player_points", "banker_points", "result", "odds", "probability", "expectation"])
    for name, bet in answer["bets"].items():
        for way in bet["outcomes"]:
            writer.writerow([name, "", "", "", way["result"], way["odds"], way["probability"], bet["expectation"]])
    for cell in answer["insurance"]:
        where = [cell["bet"], cell["after"], cell["player_points"], cell["banker_points"]]
        for result in ("won", "returned", "lost"):
            odds = cell["odds"] if result == "won" else None
            writer.writerow([*where, result, odds, cell[result], cell["expectation"]])


def _table(answer: dict[str, Any]) -> None:
    from rich.table import Table

    from punto.cli.plain_tables import plain_tables

    screen = console()
    what = f"after {answer['seen']}" if "seen" in answer else f"{answer['coups']} coups"
    screen.print(
        f"[bold]{answer['game']}/{answer['edition']}[/], {answer['decks']} decks, {answer['cards']} cards left, {what}"
    )
    bets = Table("bet", "pays", "wins", "house edge", "deviation", "paragraph", title="Bets")
    for name, bet in answer["bets"].items():
        pays = " / ".join(_to_one(way["odds"]) for way in bet["outcomes"] if way["result"] == "won")
        bets.add_row(
            name,
            pays,
            _percent(bet["hit_frequency"]),
            _edge(bet, "seen" in answer),
            f"{bet['standard_deviation']:.4f}",
            bet["paragraph"],
        )
    print_table(screen, bets)
    offers = Table(
        "insurance", "after", "P", "B", "odds", "reached", "won", "returned", "house edge", title="Insurance"
    )
    for cell in answer["insurance"]:
        shares = (_percent(cell[key]) for key in ("reached", "won", "returned"))
        points = (str(cell["player_points"]), str(cell["banker_points"]))
        offers.add_row(cell["bet"], cell["after"], *points, _to_one(cell["odds"]), *shares, _edge(cell))
    if answer["insurance"]:
        print_table(screen, offers)
    else:
        screen.print("No insurance is on offer here.")
    for name, (title, form) in BEYOND.items():
        if name in answer:
            rows = _correlations(answer[name]) if name == "covariance" else answer[name]
            for shown in plain_tables(title, rows, form, screen.width):
                print_table(screen, shown)


BEYOND = {
    "edge_by_decks": ("House edge by decks", ".6f"),
    "covariance": ("Correlation of bets in one round, columns numbered like rows", ".2f"),
    "removal": ("Effect on the expectation of removing one card, in thousandths of a percent of the stake", ".1f"),
    "counting": ("How countable: the best linear count, dealt to the cut card", ".4f"),
    "whole_rounds": ("Original Bet with insurance, per unit and round", ".6f"),
    "best_offers": ("Best insurance offers, alone and as one play with the Original Bet", ".4f"),
    "worst_offers": ("Worst insurance offers", ".4f"),
}


def _correlations(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Covariances divided by both deviations: narrow figures, easy to compare."""
    deviation = {row["bet"]: sqrt(row[row["bet"]]) or 1.0 for row in rows}
    return [
        {"bet": row["bet"]} | {name: row[name] / deviation[row["bet"]] / deviation[name] for name in deviation}
        for row in rows
    ]


def _percent(share: str) -> str:
    return f"{100 * float(Fraction(share)):.4f} %"


def _edge(one: dict[str, Any], closed: bool = False) -> str:
    """With a flag where it favours the patron and can still be taken."""
    good = one["favours_patron"] and not closed
    return f"{100 * one['house_edge']:.4f} %" + (" [bold green]favours the patron[/]" if good else "")


def _to_one(odds: str) -> str:
    exact = Fraction(odds)
    return f"{exact.numerator} to {exact.denominator}"
