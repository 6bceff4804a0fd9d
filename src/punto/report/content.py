"""Compute a report's content. The date and the program's version are arguments: nothing here reads a clock."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import copysign, sqrt
from typing import Final

from punto.odds.composition import Composition, full
from punto.odds.insurance import cells
from punto.odds.removal import countable
from punto.odds.value import Value, Way, count, covariances, values
from punto.report.insurance import offer_tables, whole_rounds_of
from punto.report.records import (
    Band,
    BetSheet,
    ByDecks,
    Counting,
    Cover,
    Event,
    Moved,
    Paragraph,
    Report,
    ReportError,
    Section,
)
from punto.report.simulation import Simulated, simulation
from punto.rulebook.model import Bet, BetRule, Disposition, Rulebook

Z_95: Final = 1.959963984540054
Z_9973: Final = 3.0
"""Deviations either side of the mean that hold 95 % and 99.73 % of a normal distribution."""
BAND_ROUNDS: Final = tuple(10**power for power in range(4, 10))
CUT_CARDS: Final = 14
"""Cards behind the cut card in the section on counting, as most published analyses assume."""
STEPS: Final = ("bets", "insurance", "simulation", "covariance", "removal", "decks")
Step = Callable[[str], None]


def build(
    rules: Rulebook,
    *,
    date: str,
    version: str,
    decks: int | None = None,
    layout: str | None = None,
    simulated: Simulated | None = None,
    step: Step = lambda _: None,
) -> Report:
    """The content of a report. `step` is called with the name of each step before it begins."""
    if layout is not None and layout not in rules.layouts:
        raise ReportError(f"there is no layout {layout!r}: expected one of {' '.join(rules.layouts)}")
    shoe = full(rules, decks)
    front = cover(rules, shoe, date=date, version=version, decks=decks, layout=layout)
    shown = tuple(rules.bets) if layout is None else rules.layouts[layout].bets
    step("bets")
    bets = _bets(rules, shoe, shown)
    step("insurance")
    insurance = offer_tables(rules, shoe)
    whole_rounds = whole_rounds_of(rules, shoe)
    step("simulation")
    checked = None if simulated is None else simulation(simulated, rules, front, bets, insurance)
    step("covariance")
    moved = _moved(rules, shoe, shown)
    step("removal")
    counting = tuple(_counting(rules, shoe, bet) for bet in shown)
    step("decks")
    by_decks = tuple(_by_decks(rules, number, shown) for number in rules.procedure.decks)
    limit = rules.insurance.limit.cite
    return Report(
        cover=front,
        sections=_sections(rules),
        rulings=tuple(
            Paragraph(number=ruling.id, kind="ruling", gist=ruling.gist) for ruling in rules.readings.values()
        ),
        errata=rules.source.errata,
        bets=bets,
        insurance=insurance,
        insurance_limit=Paragraph(number=limit, kind="rule", gist=rules.gist(limit)),
        whole_rounds=whole_rounds,
        moved=moved,
        counting=counting,
        cut_cards=CUT_CARDS,
        by_decks=by_decks,
        simulation=checked,
    )


def cover(
    rules: Rulebook, shoe: Composition, *, date: str, version: str, decks: int | None, layout: str | None
) -> Cover:
    """The cover: which rules, data, program and shoe the report is about."""
    source = rules.source
    return Cover(
        game=source.game,
        edition=source.edition,
        title=source.title,
        version=source.version,
        authority=source.authority,
        operator=source.operator,
        in_force_from=source.in_force_from.isoformat() if source.in_force_from else None,
        document=source.document,
        document_sha256=source.sha256,
        data_sha256=rules.data_sha256,
        punto_version=version,
        date=date,
        decks=decks or rules.procedure.decks_default,
        decks_paragraph=rules.procedure.decks_cite,
        cards=shoe.cards,
        coups=count(rules, shoe).total,
        layout=layout,
        names=source.names,
    )


def _sections(rules: Rulebook) -> tuple[Section, ...]:
    """Paragraphs under the titles of the document. Appendices, which only show the layouts, come last."""
    titles: dict[str, str] = {}
    members: dict[str, list[Paragraph]] = {}
    for paragraph in rules.paragraphs.values():
        head = (
            paragraph.number.partition(".")[0] if paragraph.number[:1].isdigit() else paragraph.number.partition(" ")[0]
        )
        title = paragraph.gist.removeprefix("Title: ").removesuffix(".")
        if paragraph.number == head and paragraph.disposition is Disposition.NOTICE:
            titles[head] = title[:1].upper() + title[1:]
            continue
        gist = paragraph.gist.removeprefix("Title: ")
        row = Paragraph(number=paragraph.number, kind=paragraph.disposition.value, gist=gist[:1].upper() + gist[1:])
        members.setdefault(head, []).append(row)
    return tuple(
        Section(number=head if head[:1].isdigit() else "", title=titles.get(head, _lone(head)), paragraphs=tuple(rows))
        for head, rows in members.items()
    )


def _lone(head: str) -> str:
    return "Appendices" if head == "Appendix" else head


def _bets(rules: Rulebook, shoe: Composition, shown: tuple[Bet, ...]) -> tuple[BetSheet, ...]:
    worths = values(rules, shoe)
    return tuple(_sheet(rules, rules.bets[bet], worths[bet]) for bet in shown)


def _sheet(rules: Rulebook, rule: BetRule, value: Value) -> BetSheet:
    return BetSheet(
        bet=rule.bet,
        name=rule.name,
        main=rule.main,
        paragraph=rule.cite,
        layouts=tuple(layout.id for layout in rules.layouts.values() if rule.bet in layout.bets),
        events=tuple(
            Event(
                event=_event(rule, way),
                result=way.result,
                pays=way.pays,
                combinations=way.coups,
                probability=value.probability(way),
                contribution=value.probability(way) * way.pays,
                paragraph=way.paragraph,
            )
            for way in value.ways
        ),
        combinations=value.total,
        expectation=value.expectation,
        hit_frequency=value.hit_frequency,
        variance=value.variance,
        house_edge=value.house_edge,
        standard_deviation=value.standard_deviation,
        favours_patron=value.expectation > 0,
        bands=bands(value.house_edge, value.standard_deviation),
    )


def _event(rule: BetRule, way: Way) -> str:
    """What happened, in the words of the pay table."""
    if way.result == "won":
        return " or ".join(row.case.value for row in rule.pays if row.odds == way.odds)
    return "Tie" if way.result == "returned" else "Any other result"


def bands(edge: float, deviation: float) -> tuple[Band, ...]:
    """Confidence bands of the actual hold by number of rounds."""
    rows = []
    for rounds in BAND_ROUNDS:
        error = deviation / sqrt(rounds)
        rows.append(
            Band(
                rounds=rounds,
                low_95=edge - Z_95 * error,
                high_95=edge + Z_95 * error,
                low_9973=edge - Z_9973 * error,
                high_9973=edge + Z_9973 * error,
            )
        )
    return tuple(rows)


def _moved(rules: Rulebook, shoe: Composition, shown: tuple[Bet, ...]) -> tuple[Moved, ...]:
    products = covariances(rules, shoe)
    return tuple(
        Moved(
            one=bet,
            other=other,
            covariance=products[bet, other],
            correlation=_correlation(products[bet, other], products[bet, bet] * products[other, other]),
        )
        for bet in shown
        for other in shown
    )


def _correlation(covariance: Fraction, variances: Fraction) -> float:
    """The correlation. The root is taken of an exact ratio, so that Big against Small is exactly -1."""
    return copysign(sqrt(covariance**2 / variances), covariance) if covariance else 0.0


def _counting(rules: Rulebook, shoe: Composition, bet: Bet) -> Counting:
    count = countable(rules, shoe, cut_cards=CUT_CARDS, bet=bet)
    return Counting(
        bet=bet,
        effects=count.effects,
        tags=count.tags,
        correlation=count.correlation,
        deviation_at_cut=count.deviation_at_cut,
        gain_per_shoe=count.gain_per_shoe,
    )


def _by_decks(rules: Rulebook, decks: int, shown: tuple[Bet, ...]) -> ByDecks:
    shoe = full(rules, decks)
    worths = values(rules, shoe)
    return ByDecks(
        decks=decks,
        expectations={bet: worths[bet].expectation for bet in shown},
        favourable_offers=sum(cell.favours_patron for cell in cells(rules, shoe)),
    )
