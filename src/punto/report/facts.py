"""A report as facts for programs, one per line: what is measured, of what, its exact value, and its float value."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from punto.report.compare import BetChange, Comparison, OfferChange
from punto.report.records import Cover, OfferSheet, OfferTable, Report, SimulatedLine, Simulation


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
    """What else identifies the fact: another bet, a rank, decks, rounds, a paragraph, a layout."""
    measure: str = ""
    exact: str = ""
    value: float | None = None
    paragraph: str = ""


def facts(content: Report | Comparison) -> Iterator[Fact]:
    """All facts of the report, in its order."""
    return _report(content) if isinstance(content, Report) else _comparison(content)


def _cover(cover: Cover, section: str) -> Iterator[Fact]:
    for name, value in msgspec.structs.asdict(cover).items():
        if name == "names":
            for term in cover.names:
                yield Fact(section=section, key=term.of, measure="name", exact=term.text, paragraph=term.cite)
        elif isinstance(value, int):
            yield _exactly(Fact(section=section), name, value)
        elif value is not None:
            yield Fact(section=section, measure=name, exact=str(value))


def _exactly(about: Fact, measure: str, figure: Fraction | int) -> Fact:
    """A fact with an exact figure."""
    return msgspec.structs.replace(about, measure=measure, exact=str(figure), value=float(figure))


def _roughly(about: Fact, measure: str, figure: float) -> Fact:
    """A fact whose figure is known only as a float, for example because it has a root in it."""
    return msgspec.structs.replace(about, measure=measure, value=figure)


def _report(report: Report) -> Iterator[Fact]:
    yield from _cover(report.cover, "cover")
    yield from _bets(report)
    for table in report.insurance:
        for offer in table.offers:
            yield from _offer(table, offer)
        whole = Fact(section="insurance total", bet=table.bet.value, after=table.after.value)
        yield _exactly(whole, "combinations", table.made)
        yield _exactly(whole, "reached", table.reached)
        yield _exactly(whole, "expectation", table.expectation)
    for play in report.whole_rounds:
        whole_play = Fact(section="whole rounds", bet=play.bet.side.value, key=play.strategy)
        yield _exactly(whole_play, "expectation", play.expectation)
        yield _roughly(whole_play, "standard_deviation", play.standard_deviation)
        yield _exactly(whole_play, "insured", play.insured)
        yield _exactly(whole_play, "taken", play.taken)
    yield from _risk(report)
    for section in report.sections:
        for line in section.paragraphs:
            yield Fact(section="rules", key=section.title, measure=line.kind, exact=line.gist, paragraph=line.number)
    for line in report.rulings:
        yield Fact(section="rules", key="rulings", measure=line.kind, exact=line.gist, paragraph=line.number)
    for wrong in report.errata:
        text = f"{wrong.says}; read as: {wrong.read_as}"
        yield Fact(section="errata", key=wrong.ruling, measure="erratum", exact=text, paragraph=wrong.cite)
    if report.simulation is not None:
        yield from _simulation(report.simulation)


def _bets(report: Report) -> Iterator[Fact]:
    for bet in report.bets:
        for event in bet.events:
            row = Fact(
                section="bets",
                bet=bet.bet.value,
                event=event.event,
                result=event.result,
                pays=str(event.pays),
                paragraph=event.paragraph,
            )
            yield _exactly(row, "combinations", event.combinations)
            yield _exactly(row, "probability", event.probability)
            yield _exactly(row, "return", event.contribution)
        total = Fact(section="bets total", bet=bet.bet.value, paragraph=bet.paragraph)
        yield _exactly(total, "combinations", bet.combinations)
        yield _exactly(total, "expectation", bet.expectation)
        yield _exactly(total, "house_edge", -bet.expectation)
        yield _exactly(total, "hit_frequency", bet.hit_frequency)
        yield _exactly(total, "variance", bet.variance)
        yield _roughly(total, "standard_deviation", bet.standard_deviation)


def _offer(table: OfferTable, sheet: OfferSheet) -> Iterator[Fact]:
    offer = Fact(
        section="insurance",
        bet=table.bet.value,
        after=table.after.value,
        player_points=sheet.player_points,
        banker_points=sheet.banker_points,
        pays=str(sheet.pays),
        paragraph=sheet.paragraph,
    )
    yield _exactly(offer, "combinations", sheet.made)
    yield _exactly(offer, "combinations_won", sheet.won)
    yield _exactly(offer, "combinations_returned", sheet.returned)
    yield _exactly(offer, "combinations_lost", sheet.lost)
    yield _exactly(offer, "reached", sheet.reached)
    yield _exactly(offer, "won", sheet.won_share)
    yield _exactly(offer, "returned", sheet.returned_share)
    yield _exactly(offer, "lost", sheet.lost_share)
    yield _exactly(offer, "expectation", sheet.expectation)
    yield _exactly(offer, "house_edge", -sheet.expectation)
    yield _roughly(offer, "standard_deviation", sheet.standard_deviation)
    yield _exactly(offer, "stake", sheet.stake)
    yield _exactly(offer, "expectation_alone", sheet.alone)
    yield _exactly(offer, "expectation_together", sheet.together)
    yield _roughly(offer, "deviation_alone", sheet.deviation_alone)
    yield _roughly(offer, "deviation_together", sheet.deviation_together)


def _risk(report: Report) -> Iterator[Fact]:
    for bet in report.bets:
        for band in bet.bands:
            rounds = Fact(section="hold", bet=bet.bet.value, key=str(band.rounds))
            for measure in ("low_95", "high_95", "low_9973", "high_9973"):
                yield _roughly(rounds, measure, getattr(band, measure))
    for pair in report.moved:
        both = Fact(section="covariance", bet=pair.one.value, key=pair.other.value)
        yield _exactly(both, "covariance", pair.covariance)
        yield _roughly(both, "correlation", pair.correlation)
    for count in report.counting:
        for rank, effect in count.effects.items():
            card = Fact(section="removal", bet=count.bet.value, key=rank)
            yield _exactly(card, "effect", effect)
            yield _exactly(card, "tag", count.tags[rank])
        cut = Fact(section="counting", bet=count.bet.value, key=str(report.cut_cards))
        for measure in ("correlation", "deviation_at_cut", "gain_per_shoe"):
            yield _roughly(cut, measure, getattr(count, measure))
    for decks in report.by_decks:
        for kind, expectation in decks.expectations.items():
            yield _exactly(Fact(section="decks", bet=kind.value, key=str(decks.decks)), "expectation", expectation)
        yield _exactly(Fact(section="decks", key=str(decks.decks)), "favourable_offers", decks.favourable_offers)


def _simulation(run: Simulation) -> Iterator[Fact]:
    about = Fact(section="simulation")
    for measure in ("command", "engine", "file_sha256"):
        yield msgspec.structs.replace(about, measure=measure, exact=getattr(run, measure))
    whole = ("seed", "cut", "specification", "shoes", "rounds_dealt", "rounds_compared", "rounds_per_shoe", "degrees")
    for measure in whole:
        if getattr(run, measure) is not None:
            yield _exactly(about, measure, getattr(run, measure))
    yield from _estimates(about, run, "largest_z", "chance_of_largest", "chi_square", "p")
    yield msgspec.structs.replace(about, measure="agrees", exact="yes" if run.agrees else "no")
    for figures in run.lines:
        line = Fact(
            section="simulation",
            bet=figures.bet.value,
            after=figures.after.value if figures.after else "",
            player_points=figures.player_points,
            banker_points=figures.banker_points,
        )
        yield _exactly(line, "times", figures.times)
        for odds, times in figures.won.items():
            yield _exactly(msgspec.structs.replace(line, result="won", pays=odds), "times", times)
        yield _exactly(msgspec.structs.replace(line, result="returned"), "times", figures.returned)
        yield _exactly(msgspec.structs.replace(line, result="lost"), "times", figures.lost)
        yield _exactly(line, "expectation", figures.exact)
        yield from _estimates(line, figures, "simulated", "standard_error", "z")
    for ended in run.outcomes:
        outcome = Fact(section="simulation outcomes", event=ended.outcome)
        yield _exactly(outcome, "times", ended.times)
        yield _exactly(outcome, "combinations", ended.combinations)


def _estimates(about: Fact, of: Simulation | SimulatedLine, *measures: str) -> Iterator[Fact]:
    for measure in measures:
        if getattr(of, measure) is not None:
            yield _roughly(about, measure, getattr(of, measure))


def _comparison(comparison: Comparison) -> Iterator[Fact]:
    yield from _cover(comparison.old, "old")
    yield from _cover(comparison.new, "new")
    for bet in comparison.bets:
        about = Fact(section="bets", bet=bet.bet.value, paragraph=bet.new_paragraph or bet.old_paragraph or "")
        for measure, text in (("status", bet.status), ("old_pays", bet.old_pays), ("new_pays", bet.new_pays)):
            if text is not None:
                yield msgspec.structs.replace(about, measure=measure, exact=text)
        yield from _known(about, bet, "old_expectation", "new_expectation", "change")
    for offer in comparison.offers:
        about = Fact(
            section="insurance",
            bet=offer.bet.value,
            after=offer.after.value,
            player_points=offer.player_points,
            banker_points=offer.banker_points,
            paragraph=offer.new_paragraph or offer.old_paragraph or "",
        )
        yield from _known(about, offer, "old_odds", "new_odds", "old_expectation", "new_expectation", "change")
    for felt in comparison.layouts:
        about = Fact(section="layouts", key=felt.layout)
        words = [("status", felt.status), ("positions", felt.positions)]
        words += [("bet_added", name) for name in felt.bets_added]
        words += [("bet_removed", name) for name in felt.bets_removed]
        for measure, text in words:
            yield msgspec.structs.replace(about, measure=measure, exact=text)


def _known(about: Fact, change: BetChange | OfferChange, *measures: str) -> Iterator[Fact]:
    """The facts of a change. A figure is missing where only one of the editions has the bet or offer."""
    for measure in measures:
        figure: Fraction | None = getattr(change, measure)
        if figure is not None:
            yield _exactly(about, measure, figure)
