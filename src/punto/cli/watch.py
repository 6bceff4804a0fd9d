"""`punto watch`: what surveillance should notice in recorded rounds, and the exposure of an edition."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperGroup

from punto.cli.screen import console, fail, literal, print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from punto.report.pages.shape import Document
    from punto.rulebook.model import Rulebook
    from punto.watch.recorded import Watched
    from punto.watch.settings import Settings

SHOWN: Final = 20
ENDINGS: Final = (".json", ".html", ".xlsx")


class FileOrCommand(TyperGroup):
    """`punto watch FILE.parquet` stands for `punto watch rounds FILE.parquet`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and not args[0].startswith("-") and args[0] not in self.commands and args[0].endswith(".parquet"):
            args = ["rounds", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=FileOrCommand,
    help="""The watch: recorded rounds (`punto watch FILE.parquet`), and the exposure of an edition.

    Example: punto watch exposure tiger-buffalo-commission/2025-11-21 --shoes 20
    """,
    no_args_is_help=True,
)


@app.command("rounds")
def rounds(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.parquet", help="Recorded rounds with their shoes; docs/watch.md.")
    ],
    edition: Annotated[
        str | None, typer.Option(help="game or game/edition; default: the edition named in the file.")
    ] = None,
    decks: Annotated[int | None, typer.Option(help="Decks in the shoes; default: the edition's.")] = None,
    pick_up: Annotated[
        list[str] | None,
        typer.Option(
            help="Order in which the cards of a round are picked up, e.g. P1,P2,P3,B1,B2,B3; may be repeated."
        ),
    ] = None,
    new_deck: Annotated[
        list[str] | None, typer.Option(help="The 52 cards of a new deck, in order; may be repeated.")
    ] = None,
    tables: Annotated[
        int, typer.Option(min=1, help="Number of tables in the house; the alarm thresholds depend on it.")
    ] = 100,
    shoes_a_day: Annotated[int, typer.Option(min=1, help="Shoes of one table in a day.")] = 10,
    false_alarms: Annotated[
        float, typer.Option(help="False alarms about shoes to accept per year, in the whole house.")
    ] = 1.0,
    false_discoveries: Annotated[
        float, typer.Option(help="Share of honest patrons to accept among those named.")
    ] = 0.01,
    late_limit: Annotated[
        str,
        typer.Option(help="Limit on side bets late in the shoe; --json and --report show what it would cost and save."),
    ] = "100.00",
    report: Annotated[Path | None, typer.Option(help="Write a .json, .html or .xlsx file.")] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Threads.")] = 2,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Search recorded rounds for anything suspicious: shoes, sets of cards, shuffles, exposure and patrons.

    Exit 1 if an alarm is raised or a patron named.

    Example: punto watch rounds rounds.parquet --edition tiger-buffalo-commission/2025-11-21
    """
    try:
        from punto import money
        from punto.sim.audit.columns import BadFile
        from punto.sim.run.files import check_place
        from punto.watch.file import RecordedShoes
        from punto.watch.recorded import watch
    except ImportError as error:
        fail(f"the watch needs NumPy, Numba and PyArrow: install punto[fast,reports] ({error})")
    try:
        if report is not None:
            check_place(report, suffixes=ENDINGS)
        rules = _rules(file, edition)
        settings = _settings(rules, decks, pick_up, new_deck, tables, shoes_a_day, false_alarms, false_discoveries)
        opened = RecordedShoes(file, tuple(bet.value for bet in rules.bets))
        started = time.perf_counter()
        seen = watch(
            rules,
            settings,
            opened.stretches,
            opened.names,
            rounds=opened.rounds,
            late_limit_cents=money.stake_cents(late_limit),
            workers=workers,
        )
        answer = _answer(file, rules, settings, seen, time.perf_counter() - started)
        if report is not None:
            _write(report, answer, _watched)
    except (BadFile, ValueError, OSError) as error:
        fail(error)
    if json:
        print_json(answer)
    else:
        _screen(answer)
    if seen.alarms_in_all or seen.suspects or seen.suspect_groups:
        named = len(seen.suspects) + len(seen.suspect_groups)
        fail(f"{seen.alarms_in_all} alarms about shoes, {named} patrons or groups named: look at each")


def _rules(file: Path, name: str | None) -> Rulebook:
    from punto.cli.rules import governing
    from punto.sim.audit.file import RecordedRounds

    name = name or RecordedRounds(file).edition
    if name is None:
        raise ValueError(f"{file} names no edition: give --edition game/edition")
    return governing(name)


def _settings(
    rules: Rulebook,
    decks: int | None,
    pick_up: list[str] | None,
    new_deck: list[str] | None,
    tables: int,
    shoes_a_day: int,
    false_alarms: float,
    false_discoveries: float,
) -> Settings:
    from punto.watch.settings import Procedure, Settings, check, new_deck_order, pick_up_order

    orders = {"pick_up": tuple(pick_up_order(text) for text in pick_up)} if pick_up else {}
    procedure = Procedure(
        decks=decks or rules.procedure.decks_default,
        new_decks=tuple(new_deck_order(text) for text in new_deck or ()),
        **orders,
    )
    settings = Settings(
        procedure=procedure,
        tables=tables,
        shoes_a_day=shoes_a_day,
        false_alarms_a_year=false_alarms,
        false_discoveries=false_discoveries,
    )
    check(settings)
    return settings


def _answer(file: Path, rules: Rulebook, settings: Settings, seen: Watched, seconds: float) -> dict[str, Any]:
    """The shape of --json and of the report. Each alarm has the report that a person may confirm."""
    import msgspec

    from punto.watch.alarms import report
    from punto.watch.bounds import BY_RANK, SUITED, thresholds

    watched = msgspec.to_builtins(seen)
    for alarm, watched_alarm in zip(watched["alarms"], seen.alarms, strict=True):
        alarm["report"] = {
            name: value for name, value in msgspec.to_builtins(report(watched_alarm, by="")).items() if value
        }
    places = 4_000
    runs = [thresholds(settings, places, symbols).run for symbols in (SUITED, BY_RANK)]
    words = (
        f"{settings.false_alarms_a_year:g} a year at {settings.tables} tables with {settings.shoes_a_day} shoes a day; "
        f"alarms for runs of about {runs[0]} cards or more with suits, {runs[1]} by rank"
    )
    return {
        "file": file.name,
        "game": rules.source.game,
        "edition": rules.source.edition,
        "seconds": seconds,
        "settings": msgspec.to_builtins(settings),
        "thresholds": words,
        "watched": watched,
    }


def _watched(answer: dict[str, Any]) -> Document:
    from punto.report.pages.watched import watched

    return watched(answer)


def _exposed(answer: dict[str, Any]) -> Document:
    from punto.report.pages.watched import exposure

    return exposure(answer)


def _write(report: Path, answer: dict[str, Any], document: Callable[[dict[str, Any]], Document]) -> None:
    import msgspec

    from punto.sim.run.files import replace

    match report.suffix:
        case ".json":
            replace(report, msgspec.json.format(msgspec.json.encode(answer), indent=2) + b"\n")
        case ".html":
            from punto.report.html import page

            replace(report, page(document(answer)))
        case _:
            from punto.report.xlsx.pages import workbook

            replace(report, workbook(document(answer)))


def _screen(answer: dict[str, Any]) -> None:
    from rich.table import Table

    screen, seen = console(), answer["watched"]
    screen.print(f"[bold]{literal(answer['file'])}[/] under [bold]{answer['game']}/{answer['edition']}[/]")
    screen.print(
        f"{seen['rounds']:,} rounds of {seen['shoes']:,} shoes and {seen['patrons']:,} patrons in "
        f"{answer['seconds']:.2f} s; false alarms: {answer['thresholds']}"
    )
    if seen["flaws"]:
        screen.print("flaws in the record: " + ", ".join(f"{count:,} {code}" for code, count in seen["flaws"].items()))
    if seen["alarms"]:
        rows = Table("table", "shoe", "round", "card", "what", "a year", title="Alarms")
        for alarm in seen["alarms"][:SHOWN]:
            what = f"{alarm['kind']}: {alarm['length']} cards, {alarm['resembles']}"
            rows.add_row(
                literal(alarm["table"]),
                literal(alarm["shoe"]),
                str(alarm["round"] or ""),
                str(alarm["first_card"] or ""),
                literal(what),
                f"{alarm['times_a_year']:.2g}",
            )
        print_table(screen, rows)
    if seen["suspects"] or seen["suspect_groups"]:
        rows = Table("patrons", "shoes", "evidence", "p at most", title="Stakes that follow the cards")
        for suspect in [*seen["suspects"], *seen["suspect_groups"]][:SHOWN]:
            names = literal(", ".join(suspect["patrons"]))
            rows.add_row(names, str(suspect["shoes"]), f"{suspect['evidence']:.3g}", f"{suspect['p']:.2g}")
        print_table(screen, rows)
    if not seen["alarms"] and not seen["suspects"] and not seen["suspect_groups"]:
        screen.print("[green]Nothing suspicious.[/]")


@app.command("exposure")
def exposure(
    edition: Annotated[str, typer.Argument(metavar="EDITION", help="game or game/edition")],
    decks: Annotated[int | None, typer.Option(help="Decks in the shoe; default: the edition's.")] = None,
    cut: Annotated[list[int] | None, typer.Option(help="Cards behind the cut card; may be repeated.")] = None,
    shoes: Annotated[
        int, typer.Option(min=2, max=200_000, help="How many honest shoes to deal and value exactly.")
    ] = 500,
    seed: Annotated[int, typer.Option(min=0)] = 0,
    limit: Annotated[
        str | None,
        typer.Option(help="Maximum stake on one bet; --json and --report then show the worst case in money."),
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write a .json, .html or .xlsx file.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Write the plot as an .svg file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """How often each bet favours a patron who counts perfectly, and what it is worth, by depth of the cut card.

    Example: punto watch exposure tiger-buffalo-commission/2025-11-21 --shoes 20
    """
    from punto.cli.rules import governing

    try:
        from punto.sim.run.files import check_place, replace
        from punto.watch.exposure import CUTS, counted, sample
    except ImportError as error:
        fail(f"exposure needs NumPy and Numba: install punto[fast] ({error})")
    rules = governing(edition)
    try:
        for path, endings in ((report, ENDINGS), (plot, (".svg",))):
            if path is not None:
                check_place(path, suffixes=endings)
        number, cuts = decks or rules.procedure.decks_default, tuple(sorted(set(cut or CUTS)))
        sampled = sample(rules, decks=number, cut=cuts[0], shoes=shoes, seed=seed)
        answer = {
            "game": rules.source.game,
            "edition": rules.source.edition,
            "decks": number,
            "shoes": shoes,
            "seed": seed,
            "counted": _counted(rules, counted(sampled, cuts), limit),
        }
        if report is not None:
            _write(report, answer, _exposed)
        if plot is not None:
            from punto.report.pages.watched import chart

            replace(plot, chart(answer).encode())
    except (ValueError, OSError) as error:
        fail(error)
    if json:
        print_json(answer)
    else:
        _exposure_screen(answer, cuts)


def _counted(rules: Rulebook, counts: list[Any], limit: str | None) -> list[dict[str, Any]]:
    """Every row with the most that one wager at the limit can win."""
    import msgspec

    from punto import money
    from punto.sim.atoms import compiled

    known = compiled(rules)
    pays = {bet.value: float(known.net[:, at].max()) for at, bet in enumerate(known.bets)}
    pays |= {
        f"insurance {offer.after} {offer.player_points}:{offer.banker_points}": float(offer.odds)
        for offer in known.offers
    }
    cents = None if limit is None else money.stake_cents(limit)
    return [
        {
            **msgspec.to_builtins(count),
            "worst": None if cents is None else money.amount(int(cents * pays[count.name])),
        }
        for count in counts
    ]


def _exposure_screen(answer: dict[str, Any], cuts: tuple[int, ...]) -> None:
    from rich.table import Table

    screen = console()
    screen.print(f"[bold]{answer['game']}/{answer['edition']}[/], {answer['decks']} decks, {answer['shoes']:,} shoes")
    for cut in cuts:
        rows = Table("bet", "favourable", "average edge", "units for 100 rounds", "±", title=f"Cut card at {cut}")
        held = [count for count in answer["counted"] if count["cut"] == cut]
        for count in sorted(held, key=lambda row: -row["per_100_rounds"])[:SHOWN]:
            rows.add_row(
                count["name"],
                f"{count['favourable']:.3%}",
                f"{count['average_edge']:+.2%}",
                f"{count['per_100_rounds']:.4f}",
                f"{count['standard_error']:.4f}",
            )
        print_table(screen, rows)
