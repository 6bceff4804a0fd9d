"""`punto strategy`: the result of a strategy over many sessions, with its risks and a plot."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.screen import console, fail, print_json, print_table

if TYPE_CHECKING:
    from punto.sim.patron.sessions import Counted, Stake, Strategy
    from punto.sim.patron.stats import Spread, Summary


def strategy(
    game: Annotated[str, typer.Argument(help="game or game/edition")],
    bet: Annotated[
        list[str] | None, typer.Option(help="A bet to place in every round, e.g. banker=100.00; may be repeated.")
    ] = None,
    side: Annotated[str | None, typer.Option(help="A bet at a count of --line or more, e.g. tie=50.00.")] = None,
    tags: Annotated[str, typer.Option(help='What each rank seen adds to the count, e.g. "4=1 5=1 9=-1".')] = "",
    line: Annotated[str, typer.Option(help="The count from which the side bet is placed.")] = "0",
    running: Annotated[
        bool, typer.Option("--running", help="Use the running count instead of the true count (per 52 cards left).")
    ] = False,
    insurance: Annotated[
        str, typer.Option(help="never, always, or worth: only offers that favour the patron on the unseen cards.")
    ] = "never",
    bankroll: Annotated[str | None, typer.Option(help="The patron's money; without it, nobody is ruined.")] = None,
    stop_win: Annotated[str | None, typer.Option(help="Leave after winning this much.")] = None,
    stop_loss: Annotated[str | None, typer.Option(help="Leave after losing this much.")] = None,
    rounds: Annotated[int | None, typer.Option(help="Leave after this many rounds.")] = None,
    shoes: Annotated[int, typer.Option(help="Leave after this many shoes.")] = 1,
    sessions: Annotated[int, typer.Option(help="How many sessions to play.")] = 10_000,
    maximum: Annotated[str | None, typer.Option(help="The table's maximum on main bets: caps insurance.")] = None,
    seed: Annotated[int, typer.Option(help="0 to 2⁶⁴ - 1: the same shoes as `punto simulate` deals.")] = 0,
    decks: Annotated[int | None, typer.Option(help="Decks in a shoe; default: the edition's.")] = None,
    cut: Annotated[int, typer.Option(help="Cards behind the cut card.")] = 16,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Threads; results do not depend on them.")] = 2,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw a .png, .svg or .pdf file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Play a strategy over whole shoes: results per shoe and session, drawdown, chance of ruin.

    Example: punto strategy tiger-buffalo-commission --bet banker=100.00 --bankroll 5000.00 --shoes 3
    """
    from punto.cli.rules import governing
    from punto.game.settlement import Limits

    rules = governing(game)
    try:
        from punto.sim import shoes as dealt
        from punto.sim.patron import sessions as patron
        from punto.sim.patron import stats as patron_stats
        from punto.sim.plot import FORMATS
        from punto.sim.run.files import check_place
    except ImportError as error:
        fail(f"simulation needs NumPy and Numba: install punto[fast] ({error})")
    if insurance not in set(patron.Insure):
        raise typer.BadParameter(f"{insurance!r}: expected {', '.join(patron.Insure)}", param_hint="--insurance")
    try:
        of = dealt.setup(rules, decks=decks, cut=cut, seed=seed)
        if side is None and (tags or running or _number(line)):
            raise ValueError("a count needs a side bet: give --side such as tie=50.00")
        plan = patron.Strategy(
            flat=tuple(_stake(text) for text in bet or ()),
            counted=None if side is None else _counted(side, tags, line, true_count=not running),
            insurance=patron.Insure(insurance),
            bankroll_cents=_cents(bankroll),
            stop_win_cents=_cents(stop_win),
            stop_loss_cents=_cents(stop_loss),
            rounds=rounds,
            shoes=shoes,
            limits=Limits(maximum_cents=_cents(maximum)),
        )
        if plot is not None:
            _check_matplotlib()
            check_place(plot, suffixes=FORMATS)
        started = time.perf_counter()
        played = patron.play(of, plan, sessions, workers=workers)
        seconds = time.perf_counter() - started
        summary = patron_stats.summary(played)
        if plot is not None:
            _draw(plot, f"{rules.id}: {_words(plan)}", of, plan, played, summary)
    except (ValueError, OSError) as error:
        fail(error)
    answer = {
        "game": rules.source.game, "edition": rules.source.edition, "decks": of.decks, "cut": cut, "seed": seed,
        "strategy": _words(plan), "seconds": seconds, **_figures(summary),
    }  # fmt: skip
    if json:
        print_json(answer)
    else:
        _screen(answer)


def _cents(text: str | None) -> int | None:
    from punto import money

    return None if text is None else money.stake_cents(text)


def _stake(text: str) -> Stake:
    """Read "banker=100.00"."""
    from punto import money
    from punto.rulebook.model import Bet
    from punto.sim.patron.sessions import Stake

    name, _, amount = text.partition("=")
    if name not in set(Bet):
        raise ValueError(f"{text!r} names no bet: expected a bet and its stake, as in banker=100.00")
    return Stake(bet=Bet(name), cents=money.stake_cents(amount))


def _counted(side: str, tags: str, line: str, *, true_count: bool) -> Counted:
    from punto.sim.patron.sessions import Counted

    return Counted(stake=_stake(side), tags=_tags(tags), threshold=_number(line), true_count=true_count)


def _tags(text: str) -> tuple[Fraction, ...]:
    """Read "4=1 5=1 T=-1". A rank that is not named counts 0."""
    from punto.cards import RANKS

    tags = dict.fromkeys(RANKS, Fraction(0))
    for word in text.replace(",", " ").split():
        rank, _, value = word.partition("=")
        rank = "T" if rank == "10" else rank.upper()
        if rank not in tags:
            raise ValueError(f"{word!r} is no tag: expected a rank {' '.join(RANKS)} and what it adds, as in 9=-1")
        tags[rank] = _number(value)
    if not any(tags.values()):
        raise ValueError('a side bet needs a count: give --tags such as "4=1 5=1 9=-1"')
    return tuple(tags.values())


def _number(text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{text!r} is no number: expected one such as 4, -0.5 or 1/3") from None


def _check_matplotlib() -> None:
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        raise ValueError("--plot needs Matplotlib: install punto[reports]")


def _draw(plot: Path, title: str, of: Any, plan: Strategy, played: Any, summary: Summary) -> None:
    from punto.sim.patron import sessions as patron
    from punto.sim.plot import picture
    from punto.sim.run.files import replace

    walks = patron.paths(of, plan, min(WALKS, summary.sessions))
    unit = min(stake.cents for stake in plan.stakes)
    replace(plot, picture(title, played, summary, walks, unit, plot.suffix))


WALKS = 500
"""The sessions whose course is plotted."""


def _words(plan: Strategy) -> str:
    """The strategy in one line."""
    from punto import money

    parts = [f"{stake.bet} {money.amount(stake.cents)}" for stake in plan.flat]
    if plan.counted is not None:
        kind = "true" if plan.counted.true_count else "running"
        stake = plan.counted.stake
        parts.append(f"{stake.bet} {money.amount(stake.cents)} from a {kind} count of {plan.counted.threshold}")
    parts.append(f"insurance {plan.insurance}")
    for name, cents in (
        ("bankroll", plan.bankroll_cents),
        ("stop-win", plan.stop_win_cents),
        ("stop-loss", plan.stop_loss_cents),
    ):
        if cents is not None:
            parts.append(f"{name} {money.amount(cents)}")
    if plan.rounds is not None:
        parts.append(f"{plan.rounds} rounds")
    parts.append("one shoe" if plan.shoes == 1 else f"{plan.shoes} shoes")
    return ", ".join(parts)


def _figures(summary: Summary) -> dict[str, Any]:
    """The shape of --json: amounts as text, means and errors as floats."""
    import msgspec

    from punto import money

    return {
        "sessions": summary.sessions,
        "rounds": summary.rounds,
        "staked": money.amount(summary.staked),
        "net": money.amount(summary.net),
        "net_of_stakes": summary.net_of_stakes,
        "net_of_stakes_error": summary.net_of_stakes_error,
        "per_session": _spread(summary.per_session),
        "per_shoe": _spread(summary.per_shoe),
        "drawdown": _spread(summary.drawdown),
        "rounds_a_session": {"mean": summary.rounds_a_session.mean, "most": summary.rounds_a_session.most},
        "ends_ahead": msgspec.to_builtins(summary.won),
        "ruin": msgspec.to_builtins(summary.ruin),
        "ended": {ending.value: msgspec.to_builtins(how) for ending, how in summary.ended.items()},
        "counted": {"times": summary.counted[0], "net": money.amount(summary.counted[1])},
        "insurance": {
            "times": summary.insured[0],
            "staked": money.amount(summary.insured[1]),
            "net": money.amount(summary.insured[2]),
        },
    }


def _spread(spread: Spread) -> dict[str, Any]:
    from punto import money

    return {
        "count": spread.count,
        "mean": spread.mean / 100,
        "standard_error": None if spread.standard_error is None else spread.standard_error / 100,
        "deviation": None if spread.deviation is None else spread.deviation / 100,
        "least": money.amount(spread.least),
        "most": money.amount(spread.most),
        "quantiles": {str(share): money.amount(value) for share, value in spread.quantiles.items()},
    }


def _screen(answer: dict[str, Any]) -> None:
    from rich.table import Table

    screen = console()
    screen.print(f"[bold]{answer['game']}/{answer['edition']}[/]: {answer['strategy']}")
    screen.print(f"{answer['sessions']:,} sessions, {answer['rounds']:,} rounds, {answer['seconds']:.2f} s")
    shares = ("0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99")
    table = Table("", "mean", "± error", "deviation", *(f"{float(share):.0%}" for share in shares), title="Won")
    for key, name in (("per_session", "a session"), ("per_shoe", "a shoe"), ("drawdown", "drawdown")):
        figures = answer[key]
        spread = ["" if figures[part] is None else f"{figures[part]:,.2f}" for part in ("standard_error", "deviation")]
        table.add_row(name, f"{figures['mean']:,.2f}", *spread, *(figures["quantiles"][share] for share in shares))
    print_table(screen, table)
    if answer["net_of_stakes"] is not None:
        error = f" ± {100 * answer['net_of_stakes_error']:.4f}" if answer["net_of_stakes_error"] is not None else ""
        screen.print(f"{100 * answer['net_of_stakes']:+.4f} %{error} of {answer['staked']} staked")
    for name, key in (("Ends ahead", "ends_ahead"), ("Ruined", "ruin")):
        screen.print(f"{name}: {100 * answer[key]['share']:.3f} % ± {100 * answer[key]['standard_error']:.3f}")
    ends = ", ".join(f"{name} {share['times']:,}" for name, share in answer["ended"].items() if share["times"])
    screen.print(f"Sessions ended by: {ends}")
    if answer["counted"]["times"]:
        screen.print(f"Side bet by the count: {answer['counted']['times']:,} times, net {answer['counted']['net']}")
    if answer["insurance"]["times"]:
        taken = answer["insurance"]
        screen.print(f"Insurance: {taken['times']:,} times, {taken['staked']} staked, net {taken['net']}")
