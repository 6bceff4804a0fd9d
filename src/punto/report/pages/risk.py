"""The pages on risk: bands of the actual hold, covariance, removal, counting, decks."""

from __future__ import annotations

from punto.cards import RANKS
from punto.report import drawing
from punto.report.content import BAND_ROUNDS
from punto.report.figures import decimal, percent, power, signed
from punto.report.pages.shape import Cell, Column, Page, Row, Table, cell, row
from punto.report.pages.worth import TONES, edge
from punto.report.records import BetSheet, Counting, Report
from punto.rulebook.model import Bet


def hold(report: Report) -> Page:
    """The page on where the actual hold lies after n rounds."""
    return Page(
        id="hold",
        title="Bands of the actual hold",
        words=(
            "Actual hold is what the house has kept of all stakes on a bet. After n rounds of equal stakes it lies "
            "within house edge ± z × deviation ÷ √n: z = 1.959964 for 95 % of all runs, z = 3 for 99.73 %. The bands "
            "take the number of rounds as large; for rare, high-paying bets they are rough at 10⁴ and 10⁵.",
        ),
        tables=(_bands(report, "95 %", wide=False), _bands(report, "99.73 %", wide=True)),
        chart=drawing.hold_bands(report),
        wide=True,
    )


def _bands(report: Report, level: str, *, wide: bool) -> Table:
    def span(sheet: BetSheet, at: int) -> Cell:
        band = sheet.bands[at]
        low, high = (band.low_9973, band.high_9973) if wide else (band.low_95, band.high_95)
        return cell(f"{decimal(100 * low, 3)} to {decimal(100 * high, 3)}")

    return Table(
        title=f"{level} of all runs, hold in percent",
        columns=(Column("Bet", "left"), Column("House edge"), *(Column(power(rounds)) for rounds in BAND_ROUNDS)),
        rows=tuple(
            row(named(report, bet.bet), edge(bet.expectation), *(span(bet, at) for at in range(len(BAND_ROUNDS))))
            for bet in report.bets
        ),
    )


def named(report: Report, bet: Bet) -> Cell:
    return cell(report.name_of(bet), tone=TONES.get(bet, ""))


def moved(report: Report) -> Page:
    """The page on covariance and correlation of bets."""
    return Page(
        id="covariance",
        title="Covariance and correlation",
        words=(
            "Of two bets on one round, one unit each. The diagonal of the covariance is the variance of "
            "the bet. Bets that win together are red, bets that win instead of each other green.",
        ),
        tables=(_matrix(report, "Correlation"), _matrix(report, "Covariance")),
        wide=True,
    )


def _matrix(report: Report, title: str) -> Table:
    pairs = {(pair.one, pair.other): pair for pair in report.moved}
    shown = [bet.bet for bet in report.bets]

    def figure(bet: Bet, other: Bet) -> Cell:
        pair = pairs[bet, other]
        heat = None if bet is other else pair.correlation
        if title == "Correlation":
            return cell("1" if bet is other else decimal(pair.correlation, 3), heat=heat)
        return cell(decimal(pair.covariance, 3), pair.covariance, heat=heat)

    return Table(
        title=title,
        kind="matrix",
        columns=(Column("", "left"), *(Column(report.name_of(bet)) for bet in shown)),
        rows=tuple(row(named(report, bet), *(figure(bet, other) for other in shown)) for bet in shown),
    )


def removal(report: Report) -> Page:
    """The page on how removing a card of each rank changes each bet."""
    strongest = max((abs(effect) for count in report.counting for effect in count.effects.values()), default=0) or 1
    table = Table(
        title="Change of expectation when one card of the rank is removed, in percent of the stake",
        kind="matrix",
        columns=(Column("", "left"), *(Column(rank) for rank in RANKS)),
        rows=tuple(
            row(
                named(report, count.bet),
                *(
                    cell(signed(100 * effect, 4), effect, heat=-float(effect / strongest))
                    if (effect := count.effects.get(rank)) is not None
                    else cell("")
                    for rank in RANKS
                ),
            )
            for count in report.counting
        ),
    )
    return Page(
        id="removal",
        title="Effect of removal and counting",
        words=(
            "One card is taken from the whole shoe. Green: the patron gains. No single card moves a pair bet.",
            f"The count: add a card's tag when it leaves; a high count favours the bet. Kept is the correlation of the "
            f"whole tags with the best linear count. Deviation and gain are by the normal approximation, dealing until "
            f"{report.cut_cards} cards are left: the gain is what a patron wins in a shoe who stakes one unit whenever "
            "the count makes the bet favourable, and nothing else.",
        ),
        tables=(table, _counts(report)),
        wide=True,
    )


def _counts(report: Report) -> Table:
    def line(count: Counting) -> Row:
        flat = not any(count.tags.values())
        return row(
            named(report, count.bet),
            *(cell(signed(count.tags[rank], 0) if count.tags.get(rank) else "0") for rank in RANKS),
            "–" if flat else decimal(count.correlation, 4),
            percent(count.deviation_at_cut),
            decimal(count.gain_per_shoe, 5),
        )

    return Table(
        title="The best linear count in small whole tags",
        kind="matrix",
        columns=(
            Column("", "left"),
            *(Column(rank) for rank in RANKS),
            *(Column(title) for title in ("Kept", "Deviation at cut", "Gain per shoe")),
        ),
        rows=tuple(line(count) for count in report.counting),
    )


def decks(report: Report) -> Page:
    """The page on the house edge by number of decks."""
    table = Table(
        title="House edge by number of decks",
        columns=(Column("Bet", "left"), *(Column(f"{figures.decks} decks") for figures in report.by_decks)),
        rows=(
            *(
                row(named(report, bet.bet), *(edge(figures.expectations[bet.bet], 5) for figures in report.by_decks))
                for bet in report.bets
            ),
            row(
                "Insurance offers that favour the patron",
                *(
                    cell(figures.favourable_offers, tone="flag" if figures.favourable_offers else "")
                    for figures in report.by_decks
                ),
                tone="total",
            ),
        ),
    )
    return Page(
        id="decks",
        title="Decks",
        words=(
            f"The edition allows {', '.join(str(figures.decks) for figures in report.by_decks)} decks "
            f"({report.cover.decks_paragraph}).",
        ),
        tables=(table,),
    )
