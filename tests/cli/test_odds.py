"""`punto odds`: the shapes of its JSON, CSV and tables, and what it refuses, with nothing on standard output."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import pytest

from punto.odds.composition import full
from punto.odds.insurance import cells
from punto.odds.value import values
from punto.rulebook import load
from punto.rulebook.model import Rulebook
from tests.cli.program import call, start
from tests.rulebook.library import every_edition

GAME = "tiger-buffalo-commission/2025-11-21"
LIVE = "live-baccarat-insurance-no-commission/undated"


def test_the_contract() -> None:
    """CONTRACTS: these keys, exact fractions as strings, floats beside them."""
    odds = call("odds", GAME, "--json").json
    assert (odds["game"], odds["edition"]) == tuple(GAME.split("/"))
    assert (odds["decks"], odds["cards"], odds["coups"]) == (8, 416, "4998398275503360")
    banker = odds["bets"]["banker"]
    assert banker["paragraph"] == "4.1.2"
    assert banker["expectation"] == "-114753351728/10847218479825"
    assert banker["house_edge"] == pytest.approx(0.0105791, abs=1e-7)
    assert banker["standard_deviation"] == pytest.approx(0.927372, abs=1e-6)
    assert [(way["result"], way["odds"]) for way in banker["outcomes"]] == [
        ("won", "19/20"),
        ("returned", None),
        ("lost", None),
    ]
    first = odds["insurance"][0]
    assert {key: first[key] for key in ("bet", "after", "player_points", "banker_points", "odds")} == {
        "bet": "player_insurance",
        "after": "four-cards",
        "player_points": 5,
        "banker_points": 4,
        "odds": "3/2",
    }
    assert first["house_edge"] == pytest.approx(0.16321, abs=1e-5)
    assert {"reached", "won", "returned", "lost", "expectation", "favours_patron"} <= set(first)


@pytest.mark.parametrize("rules", every_edition(), ids=lambda rules: rules.id)
def test_every_edition_prints_what_the_odds_are(rules: Rulebook) -> None:
    for decks in (rules.procedure.decks[0], rules.procedure.decks[-1]):
        odds, shoe = call("odds", rules.id, "--decks", str(decks), "--json").json, full(rules, decks)
        exact = values(rules, shoe)
        assert list(odds["bets"]) == [bet.value for bet in rules.bets]
        for bet, value in exact.items():
            shown = odds["bets"][bet.value]
            assert Fraction(shown["expectation"]) == value.expectation
            assert sum(Fraction(way["probability"]) for way in shown["outcomes"]) == 1
            assert sum(int(way["coups"]) for way in shown["outcomes"]) == int(odds["coups"])
        assert [Fraction(row["expectation"]) for row in odds["insurance"]] == [
            cell.expectation for cell in cells(rules, shoe)
        ]
        for offer in odds["insurance"]:
            assert sum(Fraction(offer[key]) for key in ("won", "returned", "lost")) == 1


def test_removed_cards_change_the_odds() -> None:
    whole, less = call("odds", GAME, "--json").json, call("odds", GAME, "--removed", "9H, 9d 10S", "--json").json
    assert (less["cards"], less["removed"]) == (413, ["9H", "9D", "TS"])
    assert less["bets"]["tie"]["expectation"] != whole["bets"]["tie"]["expectation"]
    assert int(less["coups"]) == 413 * 412 * 411 * 410 * 409 * 408


def test_a_layout_filters_the_bets() -> None:
    for name, layout in load.edition(*GAME.split("/")).layouts.items():
        assert set(call("odds", GAME, "--layout", name, "--json").json["bets"]) == set(layout.bets)


def test_csv_holds_the_same_figures() -> None:
    odds = call("odds", GAME, "--json").json
    rows = list(csv.DictReader(io.StringIO(call("odds", GAME, "--csv").out)))
    bets = [row for row in rows if not row["after"]]
    expected = [
        (name, way["result"], way["odds"] or "", way["probability"])
        for name, bet in odds["bets"].items()
        for way in bet["outcomes"]
    ]
    assert [(row["bet"], row["result"], row["odds"], row["probability"]) for row in bets] == expected
    assert len(rows) - len(bets) == 3 * len(odds["insurance"])


def test_the_middle_of_a_round() -> None:
    """After four cards the open offer is priced on the cards that are left. Where no offer is open, none is listed."""
    odds = call("odds", GAME, "--seen", "KH 5D v 2S 2C", "--json").json
    assert (odds["seen"], odds["cards"]) == ("KH 5D v 2S 2C", 412)
    (offer,) = odds["insurance"]
    assert (offer["bet"], offer["odds"], offer["reached"]) == ("player_insurance", "3/2", "1")
    assert odds["bets"]["banker_pair"]["expectation"] == "11"
    assert call("odds", GAME, "--seen", "KH 9D v 2S 2C", "--json").json["insurance"] == []
    shown = call("odds", GAME, "--seen", "KH 9D v 2S 2C").out
    assert "No insurance is on offer here." in shown
    assert "favours" not in shown, "a bet can't be placed any more"


@pytest.mark.parametrize(
    ("by", "first"),
    [("edge", "banker"), ("wins", "banker"), ("deviation", "wu_dalang"), ("name", "banker"), ("edition", "banker")],
)
def test_sorting(by: str, first: str) -> None:
    shown = call("odds", GAME, "--sort", by, "--json").json["bets"]
    assert next(iter(shown)) == first
    if by == "edge":
        edges = [bet["house_edge"] for bet in shown.values()]
        assert edges == sorted(edges)


def test_for_people_by_the_real_program() -> None:
    answer = start("odds", LIVE)
    assert (answer.status, answer.err) == (0, "")
    assert "4998398275503360 coups" in answer.out
    lines = [line for line in answer.out.splitlines() if "│" in line]
    assert next(line for line in lines if "natural_9" in line).split("│")[4].strip() == "22.6612 %"
    assert max(map(len, answer.out.splitlines())) <= 140


def test_an_offer_that_favours_the_patron_is_flagged() -> None:
    """A shoe without its eights favours the patron: on two offers and on two side bets."""
    eights = " ".join(f"8{suit}" for suit in "SHDC" for _ in range(8))
    odds = call("odds", GAME, "--removed", eights, "--json").json
    flagged = [row for row in (*odds["insurance"], *odds["bets"].values()) if row["favours_patron"]]
    assert all(Fraction(row["expectation"]) > 0 for row in flagged)
    assert len(flagged) == 4
    assert call("odds", GAME, "--removed", eights).out.count("favours the patron") == 4


def test_beyond_the_house_edge() -> None:
    odds = call("odds", GAME, "--beyond", "--layout", "A", "--cut", "52", "--json").json
    bets = list(odds["bets"])
    assert [row["bet"] for row in odds["edge_by_decks"]] == bets
    assert list(odds["edge_by_decks"][0]) == ["bet", *map(str, range(4, 11))]
    assert [list(row) for row in odds["covariance"]] == [["bet", *bets]] * len(bets)
    assert {row["cut_cards"] for row in odds["counting"]} == {52}
    assert list(odds["removal"][0]) == ["bet", *"A23456789TJQK"]
    assert [(row["bet"], row["insurance"]) for row in odds["whole_rounds"]] == [
        (bet, how) for bet in ("player", "banker") for how in ("never", "always full", "only favourable")
    ]
    assert odds["best_offers"][0]["house_edge"] < odds["worst_offers"][0]["house_edge"]
    shown = call("odds", GAME, "--beyond")
    assert shown.status == 0
    for title in ("House edge by decks", "Correlation of bets", "removing one card", "linear count", "Best insurance"):
        assert title in shown.out
    assert max(map(len, shown.out.splitlines())) <= 140


def test_offers_beyond_are_those_of_the_report() -> None:
    """Both show what the Original Bet is worth with the most insurance that the edition allows (P4)."""
    game = "live-baccarat-insurance-commission/undated"
    best = call("odds", game, "--beyond", "--json").json["best_offers"][0]
    where = (best["bet"], best["after"], best["player_points"], best["banker_points"])
    for table in call("report", game, "--json").json["insurance"]:
        for offer in table["offers"]:
            if (table["bet"], table["after"], offer["player_points"], offer["banker_points"]) == where:
                assert best["expectation_together"] == pytest.approx(float(Fraction(offer["together"])))
                assert best["deviation_together"] == pytest.approx(offer["deviation_together"])
                return
    raise AssertionError("the report does not hold the best offer")


FOUR_DECKS = [f"{rank}{suit}" for suit in "SHDC" for rank in "A23456789TJQK" for _ in range(4)]
ALL_BUT_FIVE = " ".join(FOUR_DECKS[:-5])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["poker"], "the library holds"),
        (["tiger-buffalo-commission/1999-01-01"], "1999-01-01"),
        ([GAME, "--decks", "3"], "3 decks are not allowed: expected 4, 5, 6, 7, 8, 9, 10"),
        ([GAME, "--decks", "11"], "11 decks are not allowed"),
        ([GAME, "--decks", "0"], "0 decks are not allowed"),
        ([GAME, "--decks", "-8"], "-8 decks are not allowed"),
        ([LIVE, "--decks", "7"], "7 decks are not allowed: expected 6, 8"),
        ([GAME, "--removed", "1H"], "'1H' is no card"),
        ([GAME, "--removed", "9H " * 9], "9H can't be removed 9 times: 8 decks hold it 8 times"),
        ([GAME, "--decks", "4", "--removed", "9H 9H 9H 9H 9H"], "9H can't be removed 5 times"),
        ([GAME, "--layout", "Z"], "there is no layout 'Z'"),
        ([GAME, "--layout", ""], "there is no layout ''"),
        ([GAME, "--seen", "KH 5D v 2S"], "expected four open cards"),
        ([GAME, "--seen", "KH 6D 2S v 2S 3C"], "the Player draws no third card here"),
        ([GAME, "--seen", "hello"], "'hello' is no card"),
        ([GAME, "--seen", "KH 5D v 2S 2C", "--removed", "KH " * 8], "KH can't be removed 9 times"),
        ([GAME, "--seen", "KH 5D v 2S 2C", "--beyond"], "lies open, but these tables describe the start of a round"),
        ([GAME, "--beyond", "--cut", "5"], "5 cards behind the cut card: expected 6 to 415"),
        ([GAME, "--decks", "4", "--removed", ALL_BUT_FIVE], "5 cards are left: a coup may need 6"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
@pytest.mark.parametrize("form", [[], ["--json"], ["--csv"]], ids=["table", "json", "csv"])
def test_bad_input_exits_1_and_prints_no_result(words: list[str], says: str, form: list[str]) -> None:
    answer = call("odds", *words, *form)
    assert (answer.status, answer.out) == (1, "")
    assert says in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("words", [[], [GAME, "--decks", "many"], [GAME, "--sort", "luck"], [GAME, "--json", "--csv"]])
def test_wrong_usage_exits_2(words: list[str]) -> None:
    assert call("odds", *words).status == 2
