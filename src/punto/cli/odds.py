"""`punto odds`: the exact value of every bet and every insurance offer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import StrEnum
from math import sqrt
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from punto.cli.screen import console, fail, print_json, print_table
from punto.money import said

if TYPE_CHECKING:
    from fractions import Fraction

    from punto.odds.sheet import Sheet
    from punto.odds.study import Rows
    from punto.odds.value import Value
    from punto.rulebook.model import Bet, Rulebook


class Sort(StrEnum):
    """The order of the bets."""

    EDITION = "edition"
    EDGE = "edge"
    WINS = "wins"
    DEVIATION = "deviation"
    NAME = "name"


def odds(
    game: Annotated[str, typer.Argument(help="game or game/edition")],
    decks: Annotated[int | None, typer.Option(help="Decks in the shoe; default: the edition's.")] = None,
    removed: Annotated[str, typer.Option(help='Cards that have left the shoe, e.g. "9H 9D".')] = "",
    layout: Annotated[str | None, typer.Option(help="Only the bets of this layout.")] = None,
    seen: Annotated[str | None, typer.Option(help='Cards open in this round, e.g. "KH 5D v 2S 3C".')] = None,
    sort: Annotated[
        Sort | None,
        typer.Option(
            help="Order of bets: edge (lowest first), wins (most first), deviation (largest first), name, or edition."
        ),
    ] = None,
    study_too: Annotated[
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
    from punto.odds.study import study

    if json and csv:
        raise typer.BadParameter("expected --json or --csv, not both", param_hint="--csv")
    rules = governing(game)
    try:
        sheet = _sheet(rules, decks, removed, layout, seen)
        more = study(rules, sheet, cut_cards=cut) if study_too else {}
    except ValueError as error:
        fail(error)
    sheet = _sorted(sheet, sort or (Sort.EDITION if json or csv else Sort.EDGE))
    if json:
        print_json(to_json(sheet) | more)
    elif csv:
        _csv(sheet)
    else:
        _tables(sheet, more)


def _sheet(rules: Rulebook, decks: int | None, removed: str, layout: str | None, seen: str | None) -> Sheet:
    """The sheet for the options. Raises ValueError with a sentence if there is none."""
    from punto.api import find_layout
    from punto.cards import cards
    from punto.game.coup import parse
    from punto.odds import sheet as sheets

    bets = rules.bets if layout is None else find_layout(rules, layout).bets
    gone = cards(removed)
    if seen is None:
        return sheets.sheet(rules, decks, gone).only(bets)
    return sheets.sheet_mid_round(rules, parse(rules, seen), decks, gone).only(bets)


def _sorted(sheet: Sheet, by: Sort) -> Sheet:
    keys: dict[Sort, Callable[[tuple[Bet, Value]], Any]] = {
        Sort.EDITION: lambda bet: 0,
        Sort.EDGE: lambda bet: bet[1].house_edge,
        Sort.WINS: lambda bet: -bet[1].hit_frequency,
        Sort.DEVIATION: lambda bet: -bet[1].standard_deviation,
        Sort.NAME: lambda bet: bet[0].value,
    }
    return msgspec.structs.replace(sheet, bets=dict(sorted(sheet.bets.items(), key=keys[by])))


def _csv(sheet: Sheet) -> None:
    import csv

    from punto.odds.sheet import offer_of

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["bet", "after", "player_points", "banker_points", "result", "odds", "probability", "expectation"])
    for bet, value in sheet.bets.items():
        for way in value.ways:
            share = value.probability(way)
            writer.writerow([bet.value, "", "", "", way.result, way.odds, share, value.expectation])
    for cell in sheet.insurance:
        offer = offer_of(cell)
        where = [offer.bet.value, offer.after.value, offer.player_points, offer.banker_points]
        for result, share in (("won", cell.won), ("returned", cell.returned), ("lost", cell.lost)):
            odds = offer.odds if result == "won" else None
            writer.writerow([*where, result, odds, share, cell.expectation])


def _tables(sheet: Sheet, more: dict[str, Rows]) -> None:
    from rich.table import Table

    from punto.cli.plain_tables import plain_tables
    from punto.odds.sheet import offer_of

    screen = console()
    what = f"after {sheet.seen}" if sheet.seen is not None else f"{sheet.coups} coups"
    left = sheet.composition.cards
    screen.print(f"[bold]{sheet.game}/{sheet.edition}[/], {sheet.decks} decks, {left} cards left, {what}")
    bets = Table("bet", "pays", "wins", "house edge", "deviation", "paragraph", title="Bets")
    for bet, value in sheet.bets.items():
        pays = " / ".join(said(way.odds) for way in value.ways if way.odds is not None)
        # Nobody can bet once a card lies open.
        edge = _edge(value.house_edge, good=value.favours_patron and sheet.seen is None)
        wins, deviation = _percent(value.hit_frequency), f"{value.standard_deviation:.4f}"
        bets.add_row(bet.value, pays, wins, edge, deviation, value.paragraph)
    print_table(screen, bets)
    offers = Table(
        "insurance", "after", "P", "B", "odds", "reached", "won", "returned", "house edge", title="Insurance"
    )
    for cell in sheet.insurance:
        offer = offer_of(cell)
        where = (offer.bet.value, offer.after.value, str(offer.player_points), str(offer.banker_points))
        shares = map(_percent, (cell.reached, cell.won, cell.returned))
        offers.add_row(*where, said(offer.odds), *shares, _edge(cell.house_edge, good=cell.favours_patron))
    if sheet.insurance:
        print_table(screen, offers)
    else:
        screen.print("No insurance is on offer here.")
    for name, rows in more.items():
        title, form = STUDIES[name]
        for shown in plain_tables(title, _correlations(rows) if name == "covariance" else rows, form, screen.width):
            print_table(screen, shown)


STUDIES = {
    "edge_by_decks": ("House edge by decks", ".6f"),
    "covariance": ("Correlation of bets in one round, columns numbered like rows", ".2f"),
    "removal": ("Effect on the expectation of removing one card, in thousandths of a percent of the stake", ".1f"),
    "counting": ("Card counting: the best linear count, with the shoe dealt to the cut card", ".4f"),
    "whole_rounds": ("Original Bet with insurance, per unit and round", ".6f"),
    "best_offers": ("Best insurance offers, alone and as one play with the Original Bet", ".4f"),
    "worst_offers": ("Worst insurance offers", ".4f"),
}


def _correlations(rows: Rows) -> Rows:
    """Covariances divided by both deviations: short figures, easy to compare."""
    deviation = {row["bet"]: sqrt(row[row["bet"]]) or 1.0 for row in rows}
    return [
        {"bet": row["bet"]} | {name: row[name] / deviation[row["bet"]] / deviation[name] for name in deviation}
        for row in rows
    ]


def _percent(share: Fraction) -> str:
    return f"{100 * float(share):.4f} %"


def _edge(edge: float, *, good: bool) -> str:
    """With a mark if the bet favours the patron and can still be placed."""
    return f"{100 * edge:.4f} %" + (" [bold green]favours the patron[/]" if good else "")
