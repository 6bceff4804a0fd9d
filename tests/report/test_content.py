"""What a report says adds up, exactly, for every edition and several shoes."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest

from punto.cards import RANKS
from punto.odds.composition import OddsError, full
from punto.odds.insurance import cells
from punto.odds.value import count, values
from punto.report.content import BAND_ROUNDS, STEPS, build
from punto.report.records import Report, ReportError
from punto.rulebook import load
from punto.rulebook.model import Bet, Insurance, Moment
from tests.report.made import DATE, LIVE, NEW, VERSION, report, rulebook

SHOES = [
    (source.id, decks)
    for source in load.catalogue()
    for decks in ((6, 8) if source.edition == "undated" else (4, 8, 10))
]
each_shoe = pytest.mark.parametrize(("name", "decks"), SHOES, ids=[f"{name} {decks}" for name, decks in SHOES])
each_edition = pytest.mark.parametrize("name", [source.id for source in load.catalogue()])


@each_shoe
def test_every_pay_table_adds_up(name: str, decks: int) -> None:
    content = report(name, decks)
    total = count(rulebook(name), full(rulebook(name), decks)).total
    assert content.cover.coups == total
    for bet in content.bets:
        assert sum(event.combinations for event in bet.events) == bet.combinations == total
        assert sum(event.probability for event in bet.events) == 1
        assert sum(event.contribution for event in bet.events) == bet.expectation
        assert all(event.contribution == event.probability * event.pays for event in bet.events)
        assert sum(event.probability for event in bet.events if event.result == "won") == bet.hit_frequency
        assert sum(event.probability * event.pays**2 for event in bet.events) - bet.expectation**2 == bet.variance
        assert bet.standard_deviation == pytest.approx(sqrt(bet.variance), rel=1e-15)
        assert bet.favours_patron == (bet.expectation > 0)


@each_shoe
def test_bets_are_those_of_the_odds(name: str, decks: int) -> None:
    rules = rulebook(name)
    exact = values(rules, full(rules, decks))
    assert {bet.bet: bet.expectation for bet in report(name, decks).bets} == {
        bet: value.expectation for bet, value in exact.items()
    }


@each_shoe
def test_every_insurance_cell_is_there_and_adds_up(name: str, decks: int) -> None:
    rules = rulebook(name)
    content = report(name, decks)
    offers = {
        (table.bet, table.after, cell.player_points, cell.banker_points): cell
        for table in content.insurance
        for cell in table.offers
    }
    wanted = {
        (cell.bet, cell.after, cell.player_points, cell.banker_points): cell
        for cell in cells(rules, full(rules, decks))
    }
    assert offers.keys() == wanted.keys()
    for key, offer in offers.items():
        assert offer.won + offer.returned + offer.lost == offer.made
        assert offer.won_share + offer.returned_share + offer.lost_share == 1
        assert offer.reached == Fraction(offer.made, content.cover.coups)
        assert offer.expectation == offer.won_share * offer.pays - offer.lost_share == wanted[key].expectation
        assert offer.together == offer.alone + offer.stake * offer.expectation
    for table in content.insurance:
        assert table.made == sum(cell.made for cell in table.offers)
        assert table.expectation * table.made == sum(cell.made * cell.expectation for cell in table.offers)


@each_edition
def test_whole_rounds_go_from_the_bet_alone_to_all_that_is_offered(name: str) -> None:
    content = report(name)
    edges = {(edge.bet, edge.strategy): edge for edge in content.whole_rounds}
    assert len(edges) == 6
    for bet in Insurance:
        (alone,) = [sheet.expectation for sheet in content.bets if sheet.bet.value == bet.side.value]
        never, always = edges[bet, "never"], edges[bet, "always full"]
        assert never.expectation == alone
        assert never.insured == never.taken == 0
        assert always.expectation < alone
        assert 0 < always.taken < 1


@each_edition
def test_heat_maps_show_every_offer_once(name: str) -> None:
    for table in report(name).insurance:
        shown = [(p, b) for p, line in enumerate(table.heat()) for b, edge in enumerate(line) if edge is not None]
        assert sorted(shown) == sorted((offer.player_points, offer.banker_points) for offer in table.offers)
        assert len(table.heat()) == len(table.heat()[0]) == 10


def test_the_stake_on_insurance_follows_the_edition() -> None:
    """Tiger Buffalo limits the stake to the Original Bet; Live Baccarat Insurance limits what the stake could win."""
    assert {offer.stake for table in report(NEW).insurance for offer in table.offers} == {1}
    for table in report(LIVE).insurance:
        assert all(offer.stake * offer.pays == 1 for offer in table.offers)


@pytest.mark.parametrize("bet", [Bet.BANKER, Bet.WU_DALANG])
def test_bands_are_edge_plus_and_minus_z_errors(bet: Bet) -> None:
    sheet = next(line for line in report().bets if line.bet is bet)
    assert [band.rounds for band in sheet.bands] == list(BAND_ROUNDS) == [10**n for n in range(4, 10)]
    for band in sheet.bands:
        error = sheet.standard_deviation / sqrt(band.rounds)
        assert (band.low_95 + band.high_95) / 2 == pytest.approx(sheet.house_edge)
        assert (band.high_95 - band.low_95) / 2 == pytest.approx(1.959964 * error, rel=1e-6)
        assert (band.high_9973 - band.low_9973) / 2 == pytest.approx(3 * error)


@each_edition
def test_covariance_is_symmetric_and_its_diagonal_the_variance(name: str) -> None:
    content = report(name)
    pairs = {(line.one, line.other): line for line in content.moved}
    assert len(pairs) == len(content.bets) ** 2
    for (first, other), pair in pairs.items():
        assert pair.covariance == pairs[other, first].covariance
        assert -1 <= pair.correlation <= 1
    for bet in content.bets:
        assert pairs[bet.bet, bet.bet].covariance == bet.variance
        assert pairs[bet.bet, bet.bet].correlation == 1


@each_edition
def test_removal_of_all_ranks_cancels_out(name: str) -> None:
    """Taking a card at random changes no expectation: weighted by the cards held, the effects add up to nothing."""
    for line in report(name).counting:
        assert list(line.effects) == list(RANKS)
        assert sum(line.effects.values()) == 0


@each_edition
def test_decks_are_those_of_the_edition_and_agree_with_the_bets(name: str) -> None:
    content = report(name)
    assert tuple(row.decks for row in content.by_decks) == rulebook(name).procedure.decks
    own = next(row for row in content.by_decks if row.decks == content.cover.decks)
    assert own.expectations == {bet.bet: bet.expectation for bet in content.bets}


@each_edition
def test_every_paragraph_is_told_or_is_a_title(name: str) -> None:
    rules, content = rulebook(name), report(name)
    numbers = {line.number for section in content.sections for line in section.paragraphs}
    left = set(rules.paragraphs) - numbers
    assert not [number for number in left if rules.paragraphs[number].binds]
    assert {line.number for line in content.rulings} == set(rules.readings)


def test_the_cover_names_rules_data_and_program() -> None:
    cover, rules = report().cover, rulebook(NEW)
    assert (cover.game, cover.edition) == ("tiger-buffalo-non-commission", "2025-11-21")
    assert cover.document_sha256 == rules.source.sha256
    assert cover.data_sha256 == rules.data_sha256
    assert (cover.punto_version, cover.date, cover.decks, cover.cards) == (VERSION, DATE, 8, 416)
    assert cover.coups == 4998398275503360
    assert cover.in_force_from == "2025-11-21T08:00:00+08:00"


@pytest.mark.parametrize(
    ("name", "bet", "expectation"),
    [
        ("tiger-buffalo-commission/2025-11-21", "banker", "-114753351728/10847218479825"),
        (NEW, "player", "-241149546272/19524993263685"),
        (NEW, "tie", "-103841353768/723147898655"),
        (NEW, "banker_pair", "-43/415"),
    ],
)
def test_published_expectations(name: str, bet: str, expectation: str) -> None:
    sheet = next(line for line in report(name, 8).bets if line.bet == bet)
    assert str(sheet.expectation) == expectation


def test_a_layout_has_only_its_bets_and_insurance_stays() -> None:
    content = report(NEW, None, "M")
    assert tuple(bet.bet for bet in content.bets) == rulebook(NEW).layouts["M"].bets
    assert {line.bet for line in content.counting} == {bet.bet for bet in content.bets}
    assert content.insurance == report().insurance


def test_best_and_worst() -> None:
    content = report()
    edges = [bet.house_edge for bet in content.by_edge()]
    assert edges == sorted(edges)
    assert (content.by_edge()[0].name, content.by_edge()[-1].name) == ("Player", "Tiger Tie")
    table, best = content.offers_by_edge()[0]
    assert (table.bet, table.after) == (Insurance.BANKER, Moment.FOUR_CARDS)
    assert (best.player_points, best.banker_points) == (0, 4)


def test_each_step_is_told_in_order() -> None:
    heard: list[str] = []
    build(rulebook(LIVE), date=DATE, version=VERSION, step=heard.append)
    assert tuple(heard) == STEPS


def test_the_same_question_has_the_same_answer() -> None:
    again: Report = build(rulebook(LIVE), date=DATE, version=VERSION)
    assert again == report(LIVE)


@pytest.mark.parametrize("decks", [0, 3, 11])
def test_decks_out_of_range_are_refused(decks: int) -> None:
    with pytest.raises(OddsError, match="decks are not allowed"):
        build(rulebook(NEW), date=DATE, version=VERSION, decks=decks)


def test_an_unknown_layout_is_refused() -> None:
    with pytest.raises(ReportError, match="there is no layout 'Z'"):
        build(rulebook(NEW), date=DATE, version=VERSION, layout="Z")
