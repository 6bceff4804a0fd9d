"""A report as facts, one a line, for programs: what is measured, of what, exactly and as a float beside it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from punto.report.compare import Comparison
from punto.report.records import Cover, OfferSheet, OfferTable, Report


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """`exact` is an integer, a fraction in lowest terms, or a text; `value` is its float where it is a number."""

    section: str
    bet: str = ""
    after: str = ""
    player_points: int | None = None
    banker_points: int | None = None
    event: str = ""
    result: str = ""
    pays: str = ""
    key: str = ""
    """What else tells the fact apart: another bet, a rank, decks, rounds, a paragraph, a layout."""
    measure: str
    exact: str = ""
    value: float | None = None
    paragraph: str = ""


def facts(content: Report | Comparison) -> Iterator[Fact]:
    """All that the report says, in its order."""
    return _report(content) if isinstance(content, Report) else _comparison(content)


def _number(value: Fraction | int) -> tuple[str, float]:
    return str(value), float(value)


def _cover(cover: Cover, section: str) -> Iterator[Fact]:
    for name, value in msgspec.structs.asdict(cover).items():
        if name == "names":
            for one in cover.names:
                yield Fact(section=section, key=one.of, measure="name", exact=one.text, paragraph=one.cite)
        elif value is not None:
            number = float(value) if isinstance(value, int) else None
            yield Fact(section=section, measure=name, exact=str(value), value=number)


def _report(report: Report) -> Iterator[Fact]:
    yield from _cover(report.cover, "cover")
    yield from _bets(report)
    for table in report.insurance:
        for one in table.offers:
            yield from _offer(table, one)
        where = {"section": "insurance total", "bet": table.bet.value, "after": table.after.value}
        for measure, figure in (
            ("combinations", table.made),
            ("reached", table.reached),
            ("expectation", table.expectation),
        ):
            exact, value = _number(figure)
            yield Fact(**where, measure=measure, exact=exact, value=value)
    yield from _risk(report)
    for section in report.sections:
        for line in section.paragraphs:
            yield Fact(section="rules", key=section.title, measure=line.kind, exact=line.gist, paragraph=line.number)
    for line in report.rulings:
        yield Fact(section="rules", key="rulings", measure=line.kind, exact=line.gist, paragraph=line.number)
    for wrong in report.errata:
        text = f"{wrong.says}; read as: {wrong.read_as}"
        yield Fact(section="errata", key=wrong.ruling, measure="erratum", exact=text, paragraph=wrong.cite)
    yield Fact(section="simulation", measure="note", exact=report.simulation)


def _bets(report: Report) -> Iterator[Fact]:
    for one in report.bets:
        for event in one.events:
            for measure, figure in (
                ("combinations", event.combinations),
                ("probability", event.probability),
                ("return", event.contribution),
            ):
                exact, value = _number(figure)
                yield Fact(
                    section="bets",
                    bet=one.bet.value,
                    event=event.event,
                    result=event.result,
                    pays=str(event.pays),
                    measure=measure,
                    exact=exact,
                    value=value,
                    paragraph=event.paragraph,
                )
        for measure, figure in (
            ("combinations", one.combinations),
            ("expectation", one.expectation),
            ("house_edge", -one.expectation),
            ("hit_frequency", one.hit_frequency),
            ("variance", one.variance),
        ):
            exact, value = _number(figure)
            yield Fact(
                section="bets total",
                bet=one.bet.value,
                measure=measure,
                exact=exact,
                value=value,
                paragraph=one.paragraph,
            )
        yield Fact(
            section="bets total",
            bet=one.bet.value,
            measure="standard_deviation",
            value=one.standard_deviation,
            paragraph=one.paragraph,
        )


def _offer(table: OfferTable, one: OfferSheet) -> Iterator[Fact]:
    exact_figures: dict[str, Fraction | int] = {
        "combinations": one.made,
        "combinations_won": one.won,
        "combinations_returned": one.returned,
        "combinations_lost": one.lost,
        "reached": one.reached,
        "won": one.won_share,
        "returned": one.returned_share,
        "lost": one.lost_share,
        "expectation": one.expectation,
        "house_edge": -one.expectation,
        "stake": one.stake,
        "expectation_alone": one.alone,
        "expectation_together": one.together,
    }
    floats = {
        "standard_deviation": one.standard_deviation,
        "deviation_alone": one.deviation_alone,
        "deviation_together": one.deviation_together,
    }
    figures = [(name, *_number(figure)) for name, figure in exact_figures.items()]
    figures += [(name, "", figure) for name, figure in floats.items()]
    for measure, exact, value in figures:
        yield Fact(
            section="insurance",
            bet=table.bet.value,
            after=table.after.value,
            player_points=one.player_points,
            banker_points=one.banker_points,
            pays=str(one.pays),
            measure=measure,
            exact=exact,
            value=value,
            paragraph=one.paragraph,
        )


def _risk(report: Report) -> Iterator[Fact]:
    for one in report.bets:
        for band in one.bands:
            for measure in ("low_95", "high_95", "low_9973", "high_9973"):
                figure = getattr(band, measure)
                yield Fact(section="hold", bet=one.bet.value, key=str(band.rounds), measure=measure, value=figure)
    for pair in report.moved:
        exact, value = _number(pair.covariance)
        names = {"section": "covariance", "bet": pair.one.value, "key": pair.other.value}
        yield Fact(**names, measure="covariance", exact=exact, value=value)
        yield Fact(**names, measure="correlation", value=pair.correlation)
    for count in report.counting:
        for rank, effect in count.effects.items():
            exact, value = _number(effect)
            yield Fact(section="removal", bet=count.bet.value, key=rank, measure="effect", exact=exact, value=value)
            tag, number = _number(count.tags[rank])
            yield Fact(section="removal", bet=count.bet.value, key=rank, measure="tag", exact=tag, value=number)
        for measure in ("correlation", "deviation_at_cut", "gain_per_shoe"):
            figure = getattr(count, measure)
            yield Fact(
                section="counting", bet=count.bet.value, key=str(report.cut_cards), measure=measure, value=figure
            )
    for decks in report.by_decks:
        for bet, expectation in decks.expectations.items():
            exact, value = _number(expectation)
            yield Fact(
                section="decks", bet=bet.value, key=str(decks.decks), measure="expectation", exact=exact, value=value
            )
        exact, value = _number(decks.favourable_offers)
        yield Fact(section="decks", key=str(decks.decks), measure="favourable_offers", exact=exact, value=value)


def _comparison(found: Comparison) -> Iterator[Fact]:
    yield from _cover(found.old, "old")
    yield from _cover(found.new, "new")
    for bet in found.bets:
        where = {"section": "bets", "bet": bet.bet.value, "paragraph": bet.new_paragraph or bet.old_paragraph or ""}
        yield Fact(**where, measure="status", exact=bet.status)
        for measure, text in (("old_pays", bet.old_pays), ("new_pays", bet.new_pays)):
            if text is not None:
                yield Fact(**where, measure=measure, exact=text)
        for measure in ("old_expectation", "new_expectation", "change"):
            if (figure := getattr(bet, measure)) is not None:
                exact, value = _number(figure)
                yield Fact(**where, measure=measure, exact=exact, value=value)
    for offer in found.offers:
        for measure in ("old_odds", "new_odds", "old_expectation", "new_expectation", "change"):
            if (figure := getattr(offer, measure)) is not None:
                exact, value = _number(figure)
                yield Fact(
                    section="insurance",
                    bet=offer.bet.value,
                    after=offer.after.value,
                    player_points=offer.player_points,
                    banker_points=offer.banker_points,
                    measure=measure,
                    exact=exact,
                    value=value,
                    paragraph=offer.new_paragraph or offer.old_paragraph or "",
                )
    for felt in found.layouts:
        yield Fact(section="layouts", key=felt.layout, measure="status", exact=felt.status)
        yield Fact(section="layouts", key=felt.layout, measure="positions", exact=felt.positions)
        for measure, names in (("bet_added", felt.bets_added), ("bet_removed", felt.bets_removed)):
            for name in names:
                yield Fact(section="layouts", key=felt.layout, measure=measure, exact=name)
