"""`punto odds`: what every bet and every insurance offer is worth, exactly."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.screen import console, fail, print_json

if TYPE_CHECKING:
    from punto.odds.composition import Composition
    from punto.rulebook.model import Layout, Rulebook


def odds(
    game: Annotated[str, typer.Argument(help="game or game/edition")],
    decks: Annotated[int | None, typer.Option(help="Decks in the shoe; default the edition's.")] = None,
    removed: Annotated[str, typer.Option(help='Cards that have left the shoe, e.g. "9H 9D".')] = "",
    layout: Annotated[str | None, typer.Option(help="Only the bets of this layout.")] = None,
    seen: Annotated[str | None, typer.Option(help='Cards open in this round, e.g. "KH 5D v 2S 3C".')] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV for programs.")] = False,
) -> None:
    """Print exact probabilities, expectation and deviation of every bet and insurance offer.

    Example: punto odds tiger-buffalo-commission --decks 8 --layout C
    """
    from punto.cards import CardError, cards
    from punto.cli.rules import governing
    from punto.odds.composition import OddsError, remaining

    rules = governing(game)
    if layout is not None and layout not in rules.layouts:
        fail(f"there is no layout {layout!r}: expected one of {' '.join(rules.layouts)}")
    felt = rules.layouts[layout] if layout is not None else None
    try:
        gone = cards(removed)
        if seen is not None:
            answer = _seen(rules, decks, gone, seen, felt)
        else:
            left = remaining(rules, decks, gone)
            answer = as_json(rules, decks or rules.procedure.decks_default, left, felt)
    except (OddsError, CardError, ValueError) as error:
        fail(error)
    if json:
        print_json(answer)
    elif csv:
        _csv(answer)
    else:
        _table(answer)


def as_json(rules: Rulebook, decks: int, left: Composition, layout: Layout | None) -> dict[str, Any]:
    """The shape of CONTRACTS: exact fractions as strings, floats beside them for reading."""
    from punto.odds.insurance import cells
    from punto.odds.value import count, values

    total = count(rules, left).total
    bets = {
        bet.value: _bet(value) for bet, value in values(rules, left).items() if layout is None or bet in layout.bets
    }
    insurance = [
        {
            "bet": cell.bet.value,
            "after": cell.after.value,
            "player_points": cell.player_points,
            "banker_points": cell.banker_points,
            "odds": str(cell.odds),
            "reached": str(cell.reached),
            "won": str(cell.won),
            "returned": str(cell.returned),
            "lost": str(cell.lost),
            "expectation": str(cell.expectation),
            "house_edge": cell.house_edge,
            "standard_deviation": cell.standard_deviation,
            "favours_patron": cell.favours_patron,
            "paragraph": cell.paragraph,
        }
        for cell in cells(rules, left)
    ]
    return {
        "game": rules.source.game,
        "edition": rules.source.edition,
        "decks": decks,
        "cards": left.cards,
        "coups": str(total),
        "bets": bets,
        "insurance": insurance,
    }


def _bet(value: Any) -> dict[str, Any]:
    return {
        "paragraph": value.paragraph,
        "expectation": str(value.expectation),
        "house_edge": value.house_edge,
        "standard_deviation": value.standard_deviation,
        "hit_frequency": str(value.hit_frequency),
        "outcomes": [
            {
                "result": way.result,
                "odds": None if way.odds is None else str(way.odds),
                "probability": str(value.probability(way)),
                "coups": str(way.coups),
            }
            for way in value.ways
        ],
    }


def _seen(rules: Rulebook, decks: int | None, gone: Any, text: str, layout: Layout | None) -> dict[str, Any]:
    """In the middle of a round: the bets and the open offer on the real remaining shoe."""
    from punto.game.coup import in_deal_order, parse
    from punto.odds.composition import remaining
    from punto.odds.given import priced, values_given

    coup = parse(rules, text)
    left = remaining(rules, decks, (*gone, *in_deal_order(coup)))
    bets = values_given(rules, coup, left)
    offer = priced(rules, coup, left)
    return {
        "game": rules.source.game,
        "edition": rules.source.edition,
        "decks": decks or rules.procedure.decks_default,
        "cards": left.cards,
        "seen": str(coup),
        "bets": {bet.value: _bet(value) for bet, value in bets.items() if layout is None or bet in layout.bets},
        "insurance": []
        if offer is None
        else [
            {
                "bet": offer.offer.bet.value,
                "after": offer.offer.after.value,
                "player_points": offer.offer.player_points,
                "banker_points": offer.offer.banker_points,
                "odds": str(offer.offer.odds),
                "reached": "1",
                "won": str(offer.won),
                "returned": str(offer.returned),
                "lost": str(offer.lost),
                "expectation": str(offer.expectation),
                "house_edge": float(-offer.expectation),
                "favours_patron": offer.favours_patron,
                "paragraph": offer.offer.paragraph,
            }
        ],
    }


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

    screen = console()
    what = f"after {answer['seen']}" if "seen" in answer else f"{answer['coups']} coups"
    screen.print(
        f"[bold]{answer['game']}/{answer['edition']}[/], {answer['decks']} decks, {answer['cards']} cards left, {what}"
    )
    bets = Table("bet", "pays", "wins", "house edge", "deviation", "paragraph", title="Bets, best first")
    for name, bet in sorted(answer["bets"].items(), key=lambda one: float(one[1]["house_edge"])):
        pays = " / ".join(_to_one(way["odds"]) for way in bet["outcomes"] if way["result"] == "won")
        edge = f"{100 * bet['house_edge']:.4f} %"
        wins = f"{100 * float(Fraction(bet['hit_frequency'])):.4f} %"
        bets.add_row(name, pays, wins, edge, f"{bet['standard_deviation']:.4f}", bet["paragraph"])
    screen.print(bets)
    offers = Table(
        "insurance", "after", "P", "B", "odds", "reached", "won", "returned", "house edge", title="Insurance"
    )
    for cell in answer["insurance"]:
        shares = (f"{100 * float(Fraction(cell[key])):.4f} %" for key in ("reached", "won", "returned"))
        points = (str(cell["player_points"]), str(cell["banker_points"]))
        edge = f"{100 * cell['house_edge']:.4f} %" + (
            " [bold green]favours the patron[/]" if cell["favours_patron"] else ""
        )
        offers.add_row(cell["bet"], cell["after"], *points, _to_one(cell["odds"]), *shares, edge)
    screen.print(offers)


def _to_one(odds: str) -> str:
    exact = Fraction(odds)
    return f"{exact.numerator} to {exact.denominator}"
