"""What `punto odds --beyond` lists: every table with its columns, and each figure is the exact one as a float."""

from __future__ import annotations

from punto.odds.insurance import cells, ranked, together
from punto.odds.removal import _gain, countable
from punto.odds.rounds import Strategy, whole_round
from punto.odds.sheet import sheet, to_json
from punto.odds.study import study
from punto.odds.value import covariances, edge_by_decks
from punto.rulebook import load
from punto.rulebook.model import Insurance

COLUMNS = {
    "counting": ["bet", "cut_cards", "tags", "correlation", "deviation_at_cut", "gain_per_shoe"],
    "whole_rounds": ["bet", "insurance", "expectation", "standard_deviation", "insured", "taken"],
    "best_offers": [
        *("bet", "after", "player_points", "banker_points", "odds", "reached", "house_edge", "favours_patron"),
        *("expectation_alone", "expectation_together", "deviation_alone", "deviation_together"),
    ],
}


def test_every_table_of_a_study() -> None:
    rules = load.edition("tiger-buffalo-commission", "2024-05-14")
    of = sheet(rules)
    tables = study(rules, of, cut_cards=20)
    bets, shoe = list(of.bets), of.composition
    assert list(tables) == [
        *("edge_by_decks", "covariance", "removal", "counting", "whole_rounds", "best_offers", "worst_offers")
    ]
    for table, columns in COLUMNS.items():
        assert all(list(row) == columns for row in tables[table]), table

    edges = edge_by_decks(rules)
    assert tables["edge_by_decks"] == [
        {"bet": bet.value, **{str(decks): float(-edges[decks][bet]) for decks in edges}} for bet in bets
    ]
    both = covariances(rules, shoe)
    assert tables["covariance"] == [
        {"bet": bet.value, **{other.value: float(both[bet, other]) for other in bets}} for bet in bets
    ]
    for bet, removed, counted in zip(bets, tables["removal"], tables["counting"], strict=True):
        count = countable(rules, shoe, cut_cards=20, bet=bet)
        assert removed == {
            "bet": bet.value,
            **{rank: float(100_000 * effect) for rank, effect in count.effects.items()},
        }
        tags = " ".join(f"{rank}{tag:+d}" for rank, tag in count.tags.items() if tag)
        gain = (count.correlation, count.deviation_at_cut, count.gain_per_shoe)
        assert tuple(counted.values()) == (bet.value, 20, tags, *gain)
    rounds = [whole_round(rules, shoe, bet, way) for bet in Insurance for way in Strategy]
    for row, whole in zip(tables["whole_rounds"], rounds, strict=True):
        named = (whole.bet.side.value, whole.strategy.value)
        figures = (float(whole.expectation), whole.standard_deviation, float(whole.insured), float(whole.taken))
        assert tuple(row.values()) == (*named, *figures)


def test_the_five_best_and_the_five_worst_offers() -> None:
    rules = load.edition("live-baccarat-insurance-commission", "undated")
    of = sheet(rules)
    tables = study(rules, of)
    offers = ranked(cells(rules, of.composition))
    for table, listed in (("best_offers", offers[:5]), ("worst_offers", offers[:-6:-1])):
        assert len(tables[table]) == 5
        for row, cell in zip(tables[table], listed, strict=True):
            play = together(rules, cell)
            named = (cell.bet.value, cell.after.value, cell.player_points, cell.banker_points, str(cell.odds))
            figures = (float(cell.reached), cell.house_edge, cell.favours_patron)
            with_bet = (float(play.expectation_alone), float(play.expectation_together))
            spread = (play.deviation_alone, play.deviation_together)
            assert tuple(row.values()) == (*named, *figures, *with_bet, *spread)
    assert {row["cut_cards"] for row in tables["counting"]} == {14}


def test_what_is_written_of_a_bet_s_ways() -> None:
    written = to_json(sheet(load.edition("live-baccarat-insurance-commission", "undated")))
    for bet in written["bets"].values():
        for way in bet["outcomes"]:
            assert list(way) == ["result", "odds", "probability", "coups", "paragraph"]


def test_a_bet_that_no_card_changes_is_worth_the_same_in_every_round() -> None:
    """81 rounds of five cards from 416 to the cut card at 14; a bet that loses is never made."""
    assert _gain(0.5, 0.0, 416, 14, 5.0) == 81 * 0.5
    assert _gain(-0.5, 0.0, 416, 14, 5.0) == 0.0
