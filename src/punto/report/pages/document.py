"""A report or a comparison laid out as a document: cover, pages, rules in our words."""

from __future__ import annotations

from punto.report.compare import PER_MILLION, BetChange, Comparison, OfferChange
from punto.report.figures import change, pays, percent, signed, whole
from punto.report.pages import risk as pages_risk
from punto.report.pages import worth as pages_worth
from punto.report.pages.shape import Cell, Document, Page, Table, cell, columns, row
from punto.report.pages.worth import TONES
from punto.report.records import INSURANCE_NAMES, MOMENT_NAMES, Cover, Report


def document(content: Report | Comparison) -> Document:
    """Ready to be set as HTML or PDF."""
    return _report(content) if isinstance(content, Report) else _comparison(content)


def _report(report: Report) -> Document:
    best, worst = report.by_edge()[0], report.by_edge()[-1]
    mains = [one for one in report.bets if one.main or one.bet.value == "tie"]
    return Document(
        kind="Game mathematics report",
        title=report.cover.title,
        subtitle=f"{report.cover.id} · {report.cover.decks} decks",
        date=report.cover.date,
        names=tuple((one.of, one.text) for one in report.cover.names),
        facts=facts(report.cover),
        headlines=(
            *((f"{one.name}, house edge", percent(-one.expectation), TONES.get(one.bet, "")) for one in mains),
            ("Best bet for the patron", _in_one_line(f"{best.name} {percent(-best.expectation, 2)}"), ""),
            ("Worst bet for the patron", _in_one_line(f"{worst.name} {percent(-worst.expectation, 2)}"), ""),
            ("Offers that favour the patron", str(_favourable(report)), "flag" if _favourable(report) else ""),
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
            Page(id="simulation", title="Simulation check", words=(report.simulation,)),
        ),
    )


def _in_one_line(figure: str) -> str:
    """The percent sign stays with its number."""
    return figure.replace(" %", "\N{NO-BREAK SPACE}%")


def _favourable(report: Report) -> int:
    offers = [one.favours_patron for table in report.insurance for one in table.offers]
    return sum(offers) + sum(one.favours_patron for one in report.bets)


def facts(cover: Cover) -> tuple[tuple[str, str], ...]:
    """The cover's lines; what the source does not say is left out."""
    told = (
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
    return tuple((label, value) for label, value in told if value)


def _rules(report: Report) -> Page:
    heading = columns("<Paragraph | <In our words | <Kind")
    tables = [
        Table(
            title=" ".join(filter(None, (section.number, section.title))),
            columns=heading,
            rows=tuple(
                row(cell(one.number, tone="small"), one.gist, cell(one.kind, tone="small"))
                for one in section.paragraphs
            ),
        )
        for section in report.sections
    ]
    if report.rulings:
        lines = tuple(
            row(cell(one.number, tone="small"), one.gist, cell(one.kind, tone="small")) for one in report.rulings
        )
        tables.append(Table(title="Rulings, where the document is silent", columns=heading, rows=lines))
    if report.errata:
        wrong = tuple(
            row(cell(one.cite, tone="small"), one.says, one.read_as, cell(one.ruling, tone="small"))
            for one in report.errata
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


def _comparison(found: Comparison) -> Document:
    counts = {
        status: sum(one.status == status for one in found.bets) for status in ("added", "removed", "odds changed")
    }
    return Document(
        kind="Comparison of two editions",
        title=found.new.title,
        subtitle=f"{found.old.id} → {found.new.id} · {found.new.decks} decks",
        date=found.new.date,
        names=(),
        facts=(
            *((f"Old: {label}", value) for label, value in _which(found.old)),
            *((f"New: {label}", value) for label, value in _which(found.new)),
            *facts(found.new)[-2:],
        ),
        headlines=(
            *(
                (f"Bets {status}" if status != "odds changed" else "Bets with other odds", str(number), "")
                for status, number in counts.items()
            ),
            ("Insurance cells changed", str(len(found.offers)), ""),
            ("Layouts changed", str(len(found.layouts)), ""),
        ),
        pages=(_money(found), _cells(found), _felts(found)),
    )


def _which(cover: Cover) -> list[tuple[str, str]]:
    return [
        pair
        for pair in facts(cover)
        if pair[0] in ("Game", "Edition", "In force from", "Source document", "Document, SHA-256", "Rule data, SHA-256")
    ]


def _money(found: Comparison) -> Page:
    def line(one: BetChange) -> tuple[Cell, ...]:
        old, new = one.old_expectation, one.new_expectation
        return (
            cell(one.name, tone=TONES.get(one.bet, "")),
            cell(one.status, tone="" if one.status == "unchanged" else "flag"),
            cell("–" if old is None else percent(-old), "" if old is None else -old),
            cell("–" if new is None else percent(-new), "" if new is None else -new),
            cell("–" if one.change is None else change(one.change), one.change or ""),
            cell("–" if one.change is None else signed(one.change * PER_MILLION, 2)),
            cell(f"{one.old_paragraph or '–'} → {one.new_paragraph or '–'}", tone="small"),
        )

    odds = [row(one.name, one.old_pays or "–", one.new_pays or "–") for one in found.bets if one.status != "unchanged"]
    tables = [
        Table(
            title="House edge of every bet",
            columns=columns("<Bet | <Status | Old edge | New edge | Change | Per million staked | <Paragraph"),
            rows=tuple(row(*line(one)) for one in found.bets),
            note="Per million staked: what the house gains on that bet for 1,000,000 staked on it.",
        )
    ]
    if odds:
        tables.append(Table(title="Bets and odds", columns=columns("<Bet | <Old | <New"), rows=tuple(odds)))
    return Page(id="money", title="What changed in money", tables=tuple(tables))


def _cells(found: Comparison) -> Page:
    def line(one: OfferChange) -> tuple[object, ...]:
        old, new = one.old_expectation, one.new_expectation
        return (
            cell(INSURANCE_NAMES[one.bet], tone=TONES[one.bet]),
            MOMENT_NAMES[one.after],
            one.player_points,
            one.banker_points,
            "–" if one.old_odds is None else pays(one.old_odds),
            "–" if one.new_odds is None else pays(one.new_odds),
            cell("–" if old is None else percent(-old), "" if old is None else -old),
            cell("–" if new is None else percent(-new), "" if new is None else -new),
            cell("–" if one.change is None else change(one.change), one.change or ""),
        )

    heading = columns("<Insurance | <Offered | Player | Banker | Old odds | New odds | Old edge | New edge | Change")
    tables = (Table(title="Cells that changed", columns=heading, rows=tuple(row(*line(one)) for one in found.offers)),)
    words = f"{len(found.offers)} insurance cells changed, {found.offers_alike} are the same in odds and in worth."
    return Page(id="insurance", title="Insurance", words=(words,), tables=tables if found.offers else ())


def _felts(found: Comparison) -> Page:
    table = Table(
        title="Layouts that changed",
        columns=columns("<Layout | <Status | <Positions | <Bets that came | <Bets that went"),
        rows=tuple(
            row(one.layout, one.status, one.positions, ", ".join(one.bets_added), ", ".join(one.bets_removed))
            for one in found.layouts
        ),
    )
    words = f"{len(found.layouts)} layouts changed, {found.layouts_alike} are the same."
    return Page(id="layouts", title="Layouts", words=(words,), tables=(table,) if found.layouts else ())
