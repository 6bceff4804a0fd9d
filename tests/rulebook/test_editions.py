"""The six editions beside each other: what should be equal is equal, and what the law changed is all that differs."""

from __future__ import annotations

import datetime as dt
import tomllib
from fractions import Fraction

import msgspec
import pytest

from punto.rulebook import files, grid, load
from punto.rulebook.model import Bet, Insurance, Moment, Rulebook
from tests.oracle import plain
from tests.rulebook.library import DATES, LIVE, TIGER, every_edition

EDITIONS = every_edition()
EIGHT = dt.timezone(dt.timedelta(hours=8))
NEW_BETS = {"tiger", "tiger_pair", "tiger_tie", "banker_big_7", "banker_small_7", "player_big_7", "player_small_7"}

by_edition = pytest.mark.parametrize("rules", EDITIONS, ids=lambda rules: rules.id)
by_tiger = pytest.mark.parametrize(
    "rules", [rules for rules in EDITIONS if rules.source.game in TIGER], ids=lambda rules: rules.id
)
by_live = pytest.mark.parametrize(
    "rules", [rules for rules in EDITIONS if rules.source.game in LIVE], ids=lambda rules: rules.id
)
by_tiger_game = pytest.mark.parametrize("game", TIGER)
by_date = pytest.mark.parametrize("edition", DATES)


# The library.


def test_the_library_holds_the_six_editions() -> None:
    assert [(rules.id, rules.source.document[:3]) for rules in EDITIONS] == [
        ("live-baccarat-insurance-commission/undated", "004"),
        ("live-baccarat-insurance-no-commission/undated", "004"),
        ("tiger-buffalo-commission/2024-05-14", "001"),
        ("tiger-buffalo-commission/2025-11-21", "003"),
        ("tiger-buffalo-non-commission/2024-05-14", "002"),
        ("tiger-buffalo-non-commission/2025-11-21", "000"),
    ]


@by_tiger
def test_a_tiger_edition_starts_at_eight_in_the_morning(rules: Rulebook) -> None:
    day = dt.date.fromisoformat(rules.source.edition)
    assert rules.source.in_force_from == dt.datetime.combine(day, dt.time(8), EIGHT)
    assert rules.source.version == ("Version 3" if rules.source.edition == DATES[1] else None)


@by_live
def test_the_live_page_has_no_date(rules: Rulebook) -> None:
    assert rules.source.in_force_from is None


def test_every_edition_has_a_hash_of_its_own() -> None:
    assert len({rules.data_sha256 for rules in EDITIONS}) == len(EDITIONS)


@by_edition
def test_no_edition_inherits_from_another(rules: Rulebook) -> None:
    """Each folder has all files, and none names another edition."""
    folder = load.EDITIONS / rules.source.game / rules.source.edition
    assert sorted(path.name for path in folder.glob("*.toml")) == sorted(f"{name}.toml" for name in files.FILES)
    others = [other.id for other in EDITIONS if other is not rules]
    for path in folder.rglob("*.toml"):
        text = path.read_text("utf-8")
        assert not [other for other in others if other in text]
        assert not {"extends", "inherits", "include", "base"} & set(tomllib.loads(text))


# Decks (2.2.1, L1) and positions (P9, E4).


@by_tiger
def test_tiger_buffalo_is_played_with_four_to_ten_decks(rules: Rulebook) -> None:
    assert (rules.procedure.decks, rules.procedure.decks_cite) == ((4, 5, 6, 7, 8, 9, 10), "2.2.1")


@by_live
def test_live_baccarat_is_played_with_six_or_eight_decks(rules: Rulebook) -> None:
    assert (rules.procedure.decks, rules.procedure.decks_default, rules.procedure.decks_cite) == ((6, 8), 8, "L1")


@by_tiger
def test_positions_of_the_layouts(rules: Rulebook) -> None:
    """E4: O is 1–6 by its own heading (000), P is 1–6 as in the other document (003)."""
    names = "ABCDEFGHIJK" if rules.source.edition == DATES[0] else "ABCDEFGHIJKLMNOPQ"
    expected = {name: (1, 5) if name in "DEFI" else (10, 16) if name == "K" else (1, 6) for name in names}
    assert {name: layout.positions for name, layout in rules.layouts.items()} == expected


# What is equal everywhere.


@by_edition
def test_the_table_of_play_is_the_same_in_all_six(rules: Rulebook) -> None:
    def drawing(book: Rulebook) -> dict[str, object]:
        play = msgspec.structs.asdict(book.table_of_play)
        return {key: value for key, value in play.items() if not key.endswith("_cite")}

    assert drawing(rules) == drawing(EDITIONS[0])


def insurance_cells(rules: Rulebook) -> dict[tuple[Insurance, Moment, int, int], tuple[Fraction, bool]]:
    """Every cell of the pay tables: bet, moment, points → odds, and whether its tie is paid."""
    return {
        (row.bet, row.after, player, banker): (row.odds, row.tie_cite is not None)
        for row in rules.insurance.rows
        for player in row.player_points
        for banker in row.banker_points
    }


@by_edition
def test_the_insurance_tables_are_the_same_in_all_six(rules: Rulebook) -> None:
    assert insurance_cells(rules) == insurance_cells(EDITIONS[0])
    assert len(insurance_cells(rules)) == 83


@by_edition
def test_the_two_starred_ties(rules: Rulebook) -> None:
    """P5: Player insurance on 9, and Banker insurance against 0, both after the Player's third card."""
    starred = {(bet, after, player) for (bet, after, player, _), (_, star) in insurance_cells(rules).items() if star}
    assert starred == {
        (Insurance.PLAYER, Moment.PLAYER_THIRD, 9),
        (Insurance.BANKER, Moment.PLAYER_THIRD, 0),
    }


@by_edition
def test_the_deal_and_the_calls(rules: Rulebook) -> None:
    assert [side.value for side in rules.procedure.deal_order] == ["player", "banker", "player", "banker"]


# What is equal among the Tiger Buffalo editions.


def odds_of(rules: Rulebook, bet: Bet) -> list[tuple[str, Fraction]]:
    return [(row.case.value, row.odds) for row in rules.bets[bet].pays]


def bets_of(rules: Rulebook) -> dict[str, set[Bet]]:
    return {name: set(layout.bets) for name, layout in rules.layouts.items()}


@by_tiger_game
def test_2025_adds_seven_bets_and_changes_no_odds(game: str) -> None:
    old, new = (load.edition(game, edition) for edition in DATES)
    assert set(new.bets) - set(old.bets) == NEW_BETS
    assert set(old.bets) < set(new.bets)
    assert {bet: odds_of(old, bet) for bet in old.bets} == {bet: odds_of(new, bet) for bet in old.bets}


@by_tiger_game
def test_layouts_a_to_k_are_the_same_in_both_editions(game: str) -> None:
    old, new = (load.edition(game, edition) for edition in DATES)
    assert bets_of(old) == {name: bets for name, bets in bets_of(new).items() if name in old.layouts}
    assert set(new.layouts) - set(old.layouts) == set("LMNOPQ")


@by_date
def test_commission_and_non_commission_have_the_same_layouts(edition: str) -> None:
    first, second = (load.edition(game, edition) for game in TIGER)
    assert bets_of(first) == bets_of(second)


@by_date
def test_commission_and_non_commission_differ_in_the_banker_bet_alone(edition: str) -> None:
    first, second = (load.edition(game, edition) for game in TIGER)
    assert [bet for bet in first.bets if odds_of(first, bet) != odds_of(second, bet)] == ["banker"]
    assert odds_of(first, Bet.BANKER) == [("Banker wins", Fraction(19, 20))]
    assert odds_of(second, Bet.BANKER) == [
        ("Banker wins on 6 points", Fraction(1, 2)),
        ("Banker wins on other points", Fraction(1)),
    ]


def test_the_live_variants_differ_in_the_banker_bet_alone() -> None:
    first, second = (load.edition(game, "undated") for game in LIVE)
    assert bets_of(first) == bets_of(second)
    assert [bet for bet in first.bets if odds_of(first, bet) != odds_of(second, bet)] == ["banker"]
    assert [odds_of(rules, Bet.BANKER) for rules in (first, second)] == [
        odds_of(load.edition(game, DATES[1]), Bet.BANKER) for game in TIGER
    ]


@by_date
def test_who_decides_an_irregularity_does_not_depend_on_the_commission(edition: str) -> None:
    first, second = (load.edition(game, edition) for game in TIGER)
    assert first.irregularities == second.irregularities


@by_edition
def test_main_bets_are_player_and_banker(rules: Rulebook) -> None:
    assert {bet.value for bet, rule in rules.bets.items() if rule.main} == {"player", "banker"}
    assert {bet.value for bet, rule in rules.bets.items() if rule.returned_on_tie} == {"player", "banker"}


@by_edition
def test_every_layout_has_the_main_bets_and_the_tie(rules: Rulebook) -> None:
    for layout in rules.layouts.values():
        assert {Bet.PLAYER, Bet.BANKER, Bet.TIE} <= set(layout.bets)
        assert len(set(layout.bets)) == len(layout.bets)


def test_the_bets_are_those_of_the_editions_and_of_the_oracle() -> None:
    assert {bet for rules in EDITIONS for bet in rules.bets} == set(Bet)
    assert {bet.value for bet in Bet} == set(plain.ALL_BETS)


# Errata (E4) and names.

ERRATA = {
    "tiger-buffalo-commission/2024-05-14": {"3.17"},
    "tiger-buffalo-commission/2025-11-21": {"3.17", "5.18", "Appendix P"},
    "tiger-buffalo-non-commission/2024-05-14": {"3.14", "3.17"},
    "tiger-buffalo-non-commission/2025-11-21": {"3.17", "5.18", "Appendix O"},
    "live-baccarat-insurance-commission/undated": {"9.2.2"},
    "live-baccarat-insurance-no-commission/undated": {"9.2.2"},
}


@by_edition
def test_the_errata_of_ruling_e4_are_recorded(rules: Rulebook) -> None:
    recorded = {erratum.cite for erratum in rules.source.errata if erratum.ruling == "E4"}
    assert ERRATA[rules.id] <= recorded


@by_edition
def test_an_erratum_says_both_readings_and_stands_once(rules: Rulebook) -> None:
    errata = rules.source.errata
    assert all(erratum.says and erratum.read_as and erratum.says != erratum.read_as for erratum in errata)
    assert len({erratum.cite for erratum in errata}) == len(errata)


@by_edition
def test_a_lost_heading_says_what_its_layout_has(rules: Rulebook) -> None:
    lost = [
        erratum for erratum in rules.source.errata if "heading" in erratum.says and erratum.cite.startswith("Appendix")
    ]
    for heading in lost:
        low, high = rules.layouts[heading.cite.removeprefix("Appendix ")].positions
        assert f"{low} to {high} positions" in heading.read_as


@by_edition
def test_chinese_names_stand_only_where_the_source_prints_them(rules: Rulebook) -> None:
    printed = {"player": "閒", "banker": "庄"} if rules.source.edition == DATES[1] else {}
    assert {name.of: name.text for name in rules.source.names} == printed


# Paragraphs.


@by_edition
def test_paragraphs_stand_in_the_order_of_the_document(rules: Rulebook) -> None:
    def place(number: str) -> tuple[object, ...]:
        return tuple(part.zfill(3) if part.isdigit() else part for part in number.split("."))

    numbered = [number for number in rules.paragraphs if number[0].isdigit()]
    assert numbered == sorted(numbered, key=place)


@by_edition
def test_no_number_of_a_section_is_left_out(rules: Rulebook) -> None:
    """1.1, 1.2, 1.3 …: a paragraph that was forgotten leaves a gap."""
    children: dict[str, list[int]] = {}
    for number in rules.paragraphs:
        parent, _, last = number.rpartition(".")
        if last.isdigit():
            children.setdefault(parent, []).append(int(last))
    gaps = {
        parent: numbers for parent, numbers in children.items() if numbers != list(range(numbers[0], numbers[-1] + 1))
    }
    assert not gaps
    assert all(numbers[0] == 1 for parent, numbers in children.items() if parent)


@by_edition
def test_a_gist_is_one_line_of_our_own(rules: Rulebook) -> None:
    for paragraph in rules.paragraphs.values():
        assert len(paragraph.gist) <= 200, paragraph.number
        assert paragraph.gist.endswith("."), paragraph.number


@by_edition
def test_a_row_without_a_list_of_remedies_has_every_remedy(rules: Rulebook) -> None:
    for row in rules.irregularities.values():
        own = {} if row.remedies is None else row.remedies
        for name in (*own, "no-such-remedy"):
            assert (row.remedy(name) is not None) == (row.remedies is None or name in own), row.id


@pytest.mark.parametrize("text", ["", "Player | Banker", "\n\nPlayer | Banker\n"])
def test_a_printed_table_has_a_heading_and_a_row(text: str) -> None:
    with pytest.raises(grid.GridError, match=r"^the table is empty: expected a heading and at least one row$"):
        grid.rows(text, 2)
