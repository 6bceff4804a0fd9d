"""Lay out a report or a comparison as a document: cover, pages, and the rules in our words."""

from __future__ import annotations

from punto.report.compare import PER_MILLION, BetChange, Comparison, OfferChange
from punto.report.figures import change, pays, percent, signed, whole
from punto.report.pages import risk as pages_risk
from punto.report.pages import simulation as pages_simulation
from punto.report.pages import worth as pages_worth
from punto.report.pages.shape import Cell, Document, Page, Table, cell, columns, row
from punto.report.pages.worth import TONES
from punto.report.records import INSURANCE_NAMES, MOMENT_NAMES, Cover, Report


def document(content: Report | Comparison) -> Document:
    """The document, ready to be written as HTML or PDF."""
    return _report(content) if isinstance(content, Report) else _comparison(content)


def _report(report: Report) -> Document:
    best, worst = report.by_edge()[0], report.by_edge()[-1]
    mains = [bet for bet in report.bets if bet.main or bet.bet.value == "tie"]
    return Document(
        kind="Game mathematics report",
        title=report.cover.title,
        subtitle=f"{report.cover.id} · {report.cover.decks} decks",
        date=report.cover.date,
        names=tuple((name.of, name.text) for name in report.cover.names),
        facts=facts(report.cover),
        headlines=(
            *((f"{bet.name}, house edge", percent(-bet.expectation), TONES.get(bet.bet, "")) for bet in mains),
            ("Best bet for the patron", _in_one_line(f"{best.name} {percent(-best.expectation, 2)}"), ""),
            ("Worst bet for the patron", _in_one_line(f"{worst.name} {percent(-worst.expectation, 2)}"), ""),
            ("Offers that favour the patron", str(_favourable(report)), "flag" if _favourable(report) else ""),
            *_checked(report),
        ),
        pages=(
            pages_worth.glance(report),
            pages_worth.bets(report),
            pages_worth.insurance(report),
            pages_worth.heat(report),
            pages_worth.together(report),
            pages_risk.hold(report),
            pages_risk.moved(report),
            pages_risk.removal(report),
            pages_risk.decks(report),
            _rules(report),
            pages_simulation.simulation(report),
        ),
    )


def _in_one_line(figure: str) -> str:
    """Keep the percent sign on the same line as its number."""
    return figure.replace(" %", "\N{NO-BREAK SPACE}%")


def _checked(report: Report) -> tuple[tuple[str, str, str], ...]:
    run = report.simulation
    if run is None:
        return ()
    return (("Simulation check", "agrees" if run.agrees else "differs", "" if run.agrees else "flag"),)


def _favourable(report: Report) -> int:
    offers = [offer.favours_patron for table in report.insurance for offer in table.offers]
    return sum(offers) + sum(bet.favours_patron for bet in report.bets)


def facts(cover: Cover) -> tuple[tuple[str, str], ...]:
    """The lines of the cover. What the source does not state is left out."""
    rows = (
        ("Game", cover.game),
        ("Edition", " · ".join(filter(None, (cover.edition, cover.version)))),
        ("In force from", cover.in_force_from or "always (the source gives no date)"),
        ("Authority", cover.authority),
        ("Operator", cover.operator),
        ("Layout", cover.layout or "all layouts"),
        ("Decks", f"{cover.decks} ({cover.decks_paragraph}), {cover.cards} cards"),
        ("Combinations", whole(cover.coups)),
        ("Source document", cover.document),
        ("Document, SHA-256", cover.document_sha256),
        ("Rule data, SHA-256", cover.data_sha256),
        ("Made with", f"Punto {cover.punto_version}"),
        ("Date", cover.date),
    )
    return tuple((label, value) for label, value in rows if value)


def _rules(report: Report) -> Page:
    heading = columns("<Paragraph | <In our words | <Kind")
    tables = [
        Table(
            title=" ".join(filter(None, (section.number, section.title))),
            columns=heading,
            rows=tuple(
                row(cell(paragraph.number, tone="small"), paragraph.gist, cell(paragraph.kind, tone="small"))
                for paragraph in section.paragraphs
            ),
        )
        for section in report.sections
    ]
    if report.rulings:
        lines = tuple(
            row(cell(ruling.number, tone="small"), ruling.gist, cell(ruling.kind, tone="small"))
            for ruling in report.rulings
        )
        tables.append(Table(title="Rulings, where the document is silent", columns=heading, rows=lines))
    if report.errata:
        wrong = tuple(
            row(cell(erratum.cite, tone="small"), erratum.says, erratum.read_as, cell(erratum.ruling, tone="small"))
            for erratum in report.errata
        )
        tables.append(
            Table(title="Errata", columns=columns("<Paragraph | <The document | <Read as | <Ruling"), rows=wrong)
        )
    return Page(
        id="rules",
        title="The rules in our words",
        words=("One line a paragraph, in Punto's own words. The document itself is the law.",),
        tables=tuple(tables),
    )


def _comparison(comparison: Comparison) -> Document:
    counts = {
        status: sum(bet.status == status for bet in comparison.bets) for status in ("added", "removed", "odds changed")
    }
    return Document(
        kind="Comparison of two editions",
        title=comparison.new.title,
        subtitle=f"{comparison.old.id} → {comparison.new.id} · {comparison.new.decks} decks",
        date=comparison.new.date,
        names=(),
        facts=(
            *((f"Old: {label}", value) for label, value in _which(comparison.old)),
            *((f"New: {label}", value) for label, value in _which(comparison.new)),
            *facts(comparison.new)[-2:],
        ),
        headlines=(
            *(
                (f"Bets {status}" if status != "odds changed" else "Bets with changed odds", str(number), "")
                for status, number in counts.items()
            ),
            ("Insurance cells changed", str(len(comparison.offers)), ""),
            ("Layouts changed", str(len(comparison.layouts)), ""),
        ),
        pages=(_money(comparison), _cells(comparison), _felts(comparison)),
    )


def _which(cover: Cover) -> list[tuple[str, str]]:
    return [
        pair
        for pair in facts(cover)
        if pair[0] in ("Game", "Edition", "In force from", "Source document", "Document, SHA-256", "Rule data, SHA-256")
    ]


def _money(comparison: Comparison) -> Page:
    def line(bet: BetChange) -> tuple[Cell, ...]:
        old, new = bet.old_expectation, bet.new_expectation
        return (
            cell(bet.name, tone=TONES.get(bet.bet, "")),
            cell(bet.status, tone="" if bet.status == "unchanged" else "flag"),
            cell("–" if old is None else percent(-old), "" if old is None else -old),
            cell("–" if new is None else percent(-new), "" if new is None else -new),
            cell("–" if bet.change is None else change(bet.change), bet.change or ""),
            cell("–" if bet.change is None else signed(bet.change * PER_MILLION, 2)),
            cell(f"{bet.old_paragraph or '–'} → {bet.new_paragraph or '–'}", tone="small"),
        )

    odds = [
        row(bet.name, bet.old_pays or "–", bet.new_pays or "–") for bet in comparison.bets if bet.status != "unchanged"
    ]
    tables = [
        Table(
            title="House edge of every bet",
            columns=columns("<Bet | <Status | Old edge | New edge | Change | Per million staked | <Paragraph"),
            rows=tuple(row(*line(bet)) for bet in comparison.bets),
            note="Per million staked: what the house gains on that bet for 1,000,000 staked on it.",
        )
    ]
    if odds:
        tables.append(Table(title="Bets and odds", columns=columns("<Bet | <Old | <New"), rows=tuple(odds)))
    return Page(id="money", title="What changed in money", tables=tuple(tables))


def _cells(comparison: Comparison) -> Page:
    def line(offer: OfferChange) -> tuple[object, ...]:
        old, new = offer.old_expectation, offer.new_expectation
        return (
            cell(INSURANCE_NAMES[offer.bet], tone=TONES[offer.bet]),
            MOMENT_NAMES[offer.after],
            offer.player_points,
            offer.banker_points,
            "–" if offer.old_odds is None else pays(offer.old_odds),
            "–" if offer.new_odds is None else pays(offer.new_odds),
            cell("–" if old is None else percent(-old), "" if old is None else -old),
            cell("–" if new is None else percent(-new), "" if new is None else -new),
            cell("–" if offer.change is None else change(offer.change), offer.change or ""),
        )

    heading = columns("<Insurance | <Offered | Player | Banker | Old odds | New odds | Old edge | New edge | Change")
    tables = (
        Table(
            title="Cells that changed", columns=heading, rows=tuple(row(*line(offer)) for offer in comparison.offers)
        ),
    )
    alike = f"{comparison.offers_alike} are the same in odds and in worth"
    words = f"{len(comparison.offers)} insurance cells changed, {alike}."
    return Page(id="insurance", title="Insurance", words=(words,), tables=tables if comparison.offers else ())


def _felts(comparison: Comparison) -> Page:
    table = Table(
        title="Layouts that changed",
        columns=columns("<Layout | <Status | <Positions | <Bets added | <Bets removed"),
        rows=tuple(
            row(
                layout.layout,
                layout.status,
                layout.positions,
                ", ".join(layout.bets_added),
                ", ".join(layout.bets_removed),
            )
            for layout in comparison.layouts
        ),
    )
    words = f"{len(comparison.layouts)} layouts changed, {comparison.layouts_alike} are the same."
    return Page(id="layouts", title="Layouts", words=(words,), tables=(table,) if comparison.layouts else ())
