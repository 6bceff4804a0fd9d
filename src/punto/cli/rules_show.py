"""Show an edition: tables for people, one JSON document for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from punto.cli.screen import print_table
from punto.money import said
from punto.rulebook.diff import pays
from punto.rulebook.model import Moment, Rulebook

if TYPE_CHECKING:
    from rich.console import Console


def as_text(screen: Console, rules: Rulebook) -> None:
    """Title, bets by layout, insurance, Table of Play, paragraphs, errata."""
    source = rules.source
    screen.print(f"[bold]{source.title}[/] {source.version or ''}")
    since = f"in force from {source.in_force_from}" if source.in_force_from else "always in force"
    screen.print(f"{rules.id}, {since}; data sha256 {rules.data_sha256[:16]}…")
    decks = " ".join(str(number) for number in rules.procedure.decks)
    screen.print(f"Decks: {decks} ({rules.procedure.decks_cite})")
    for name in source.names:
        screen.print(f"{name.of}: {name.text} ({name.cite})")
    bets = Table("bet", "pays", "layouts", "paragraph", title="Bets")
    for rule in rules.bets.values():
        where = " ".join(layout.id for layout in rules.layouts.values() if rule.bet in layout.bets)
        bets.add_row(rule.bet.value, pays(rule).replace("; ", "\n"), where, rule.cite)
    print_table(screen, bets)
    layouts = Table("layout", "positions", "bets", title="Layouts")
    for layout in rules.layouts.values():
        low, high = layout.positions
        layouts.add_row(layout.id, f"{low}–{high}", ", ".join(layout.bets))
    print_table(screen, layouts)
    for after in Moment:
        offers = Table("bet", "Player", "Banker", "odds", "a tie", "paragraph", title=f"Insurance after {after}")
        for row in (row for row in rules.insurance.rows if row.after is after):
            spans = (" ".join(str(point) for point in points) for points in (row.player_points, row.banker_points))
            tie = f"pays ({row.tie_cite})" if row.tie_cite else "returned"
            offers.add_row(row.bet.value, *spans, said(row.odds), tie, row.cite)
        print_table(screen, offers)
    _paragraphs(screen, rules)


def _paragraphs(screen: Console, rules: Rulebook) -> None:
    table = Table("paragraph", "kind", "in our words", title="Paragraphs", show_lines=False)
    for paragraph in rules.paragraphs.values():
        table.add_row(paragraph.number, paragraph.disposition, paragraph.gist)
    for ruling in rules.readings.values():
        table.add_row(ruling.id, "ruling", ruling.gist)
    print_table(screen, table)
    for erratum in rules.source.errata:
        screen.print(f"Erratum {erratum.cite}: {erratum.says}; read as: {erratum.read_as} ({erratum.ruling})")


def as_json(rules: Rulebook) -> dict[str, Any]:
    """The whole edition, odds as exact fractions."""
    source = rules.source
    return {
        "game": source.game,
        "edition": source.edition,
        "title": source.title,
        "in_force_from": source.in_force_from and source.in_force_from.isoformat(),
        "data_sha256": rules.data_sha256,
        "revision": rules.revision,
        "decks": list(rules.procedure.decks),
        "layouts": {
            layout.id: {"positions": list(layout.positions), "bets": list(layout.bets), "paragraph": layout.cite}
            for layout in rules.layouts.values()
        },
        "bets": {
            rule.bet.value: {
                "name": rule.name,
                "main": rule.main,
                "paragraph": rule.cite,
                "pays": [{"case": r.case, "odds": str(r.odds), "paragraph": r.cite} for r in rule.pays],
                "hands": rule.hands,
            }
            for rule in rules.bets.values()
        },
        "insurance": [
            {
                "bet": row.bet,
                "after": row.after,
                "player_points": list(row.player_points),
                "banker_points": list(row.banker_points),
                "odds": str(row.odds),
                "tie_pays": row.tie_cite is not None,
                "paragraph": row.cite,
            }
            for row in rules.insurance.rows
        ],
        "paragraphs": [
            {"number": p.number, "kind": p.disposition, "topics": list(p.topics), "gist": p.gist}
            for p in rules.paragraphs.values()
        ],
        "rulings": [{"id": r.id, "topics": list(r.topics), "gist": r.gist} for r in rules.readings.values()],
        "errata": list(source.errata),
        "names": list(source.names),
    }
