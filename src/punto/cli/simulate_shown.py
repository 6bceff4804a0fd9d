"""What `punto simulate` prints for people: the tables of a run, and one shoe round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from punto.cli.screen import console, print_json, print_table

if TYPE_CHECKING:
    from rich.console import Console

    from punto.sim.shoes import Setup


def tables(answer: dict[str, Any]) -> None:
    """Print a run."""
    from rich.table import Table

    screen = console()
    screen.print(
        f"[bold]{answer['game']}/{answer['edition']}[/], {answer['decks']} decks, cut card {answer['cut']} from the "
        f"end, seed {answer['seed']}: {answer['shoes']:,} shoes, {answer['rounds']:,} rounds"
    )
    figures = ("won", "returned", "lost", "estimate", "error", "exact", "z")
    bets = Table("bet", *figures, title="Bets")
    for name, line in answer["bets"].items():
        bets.add_row(name, *_line(line))
    offers = Table("insurance", "after", "P", "B", *figures, title="Insurance")
    for offer in answer["insurance"]:
        points = (str(offer["player_points"]), str(offer["banker_points"]))
        offers.add_row(offer["bet"].removesuffix("_insurance"), offer["after"], *points, *_line(offer))
    print_table(screen, bets)
    print_table(screen, offers)
    compared, per_shoe = answer["compared"], answer["compared"]["rounds_per_shoe"]
    screen.print(
        f"z is computed from the first {per_shoe} rounds of every shoe, which are always dealt, whatever the cards"
    )
    _chi_square(screen, "these rounds", compared["chi_square"])
    _chi_square(screen, "all rounds", answer["chi_square_all_rounds"])
    screen.print(
        f"{answer['rounds_per_second'] / 1e6:.1f} million rounds a second ({answer['engine']}, {answer['workers']} "
        f"workers, {answer['seconds']:.2f} s, and {answer['compile_seconds']:.2f} s to compile or load)"
    )


def _chi_square(screen: Console, over: str, test: dict[str, Any] | None) -> None:
    if test is not None:
        screen.print(f"chi-square over {over}: {test['statistic']:.1f}, {test['degrees']} degrees, p {test['p']:.4f}")


def _line(line: dict[str, Any]) -> list[str]:
    times = [f"{count:,}" for count in (sum(line["won"].values()), line["returned"], line["lost"])]
    forms = {"expectation": "+.6f", "standard_error": ".6f", "exact": "+.6f", "z": "+.2f"}
    return times + ["–" if line[name] is None else format(line[name], form) for name, form in forms.items()]


def shoe(of: Setup, number: int, *, json: bool) -> None:
    """Print one shoe, dealt by the readable engine."""
    from punto.cards import show
    from punto.sim.run import answer
    from punto.sim.shoes import deal_shoe

    dealt = deal_shoe(of, number)
    if json:
        print_json(answer.shoe(of, number, dealt))
        return
    screen = console()
    screen.print(f"[bold]{of.rules.id}[/], {of.decks} decks, seed {of.seed}, shoe {number}")
    if dealt.burnt:
        screen.print(f"burnt: {show(dealt.burnt)}")
    for round in dealt.rounds:
        offers = "; ".join(f"{offer.bet.value} {offer.odds} {offer.after.value}" for offer in round.offers)
        points = f"{round.coup.player_points}:{round.coup.banker_points}"
        mark = "  cut card" if round.cut_card else ""
        screen.print(f"{round.number:3}  {round.coup!s:21} {points} {round.coup.winner:7} {offers}{mark}".rstrip())
    screen.print(f"{dealt.left} cards left")
