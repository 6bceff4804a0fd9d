"""The oracle examined on its own: published figures, its own tables against each other, and worked rounds."""

import ast
import itertools
import random
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.census.sequences import all_sequences, atoms
from tests.oracle import plain

EDITIONS = pytest.mark.parametrize(
    ("game", "edition"), plain.EDITIONS, ids=[f"{game}/{edition}" for game, edition in plain.EDITIONS]
)
TB_C, TB_N = plain.TB_COMMISSION, plain.TB_NON_COMMISSION
LIVE_C, LIVE_N = plain.LIVE_COMMISSION, plain.LIVE_NO_COMMISSION
OF_VALUE = "TA23456789"
PLACES = ("P1", "B1", "P2", "B2", "P3", "B3")

Hand = tuple[str, ...]


@cache
def final_hands() -> list[tuple[Hand, Hand, int]]:
    """Every way an eight-deck coup of point values can end, and its number of sequences (out of all).

    The first two cards of a hand are shown as a ten and a card: right for all bets but the pairs.
    """
    endings = []
    for (player, banker, fifth, sixth), ways in atoms(8).items():
        texts = [OF_VALUE[player], OF_VALUE[banker], "K", "K", OF_VALUE[fifth], OF_VALUE[sixth]]
        player_hand, banker_hand = plain.deal(texts)
        endings.append((tuple(player_hand), tuple(banker_hand), ways))
    return endings


def sequences_won(game: str, edition: str, bet: str) -> int:
    return sum(ways for p, b, ways in final_hands() if plain.settle_bet(game, edition, bet, p, b)[0] == "won")


def house_edge(game: str, edition: str, bet: str) -> float:
    expected = Fraction(0)
    for player, banker, ways in final_hands():
        result, odds, _ = plain.settle_bet(game, edition, bet, player, banker)
        if odds is not None:
            expected += ways * odds
        elif result == "lost":
            expected -= ways
    return float(-expected / all_sequences(8))


# ----------------------------------------------------------------------------------------------------------
# Published figures, eight decks


@pytest.mark.parametrize(
    ("game", "edition", "bet", "edge"),
    [
        (TB_C, "2025-11-21", "banker", 0.010579),  # Wizard of Odds
        (TB_C, "2025-11-21", "player", 0.012351),
        (TB_C, "2025-11-21", "tie", 0.143596),
        (TB_N, "2025-11-21", "banker", 0.01458),  # 50 % on 6
        (LIVE_C, "undated", "banker", 0.010579),
        (LIVE_N, "undated", "banker", 0.01458),
        (LIVE_C, "undated", "small", 0.05283),  # Wizard of Odds, 4-5-6: four cards at 3 to 2
        (TB_C, "2025-11-21", "big_tiger", 0.152533),  # E. Jacobson, 2024
        (TB_C, "2025-11-21", "small_tiger", 0.14333),
        (TB_C, "2025-11-21", "tiger", 0.16684),
        (TB_C, "2025-11-21", "tiger_tie", 0.30735),
    ],
)
def test_published_house_edge(game: str, edition: str, bet: str, edge: float) -> None:
    assert house_edge(game, edition, bet) == pytest.approx(edge, abs=6e-6)


def test_published_counts() -> None:
    """Wizard of Odds: natural wins of one side; the Dragon 7 is our Banker Big 7."""
    naturals = 812_685_054_124_032
    for side in ("player", "banker"):
        won = [sequences_won(LIVE_C, "undated", f"{side}_natural_{points}") for points in (8, 9)]
        assert sum(won) == naturals
    dragon_7 = Fraction(sequences_won(TB_C, "2025-11-21", "banker_big_7"), all_sequences(8))
    assert float(dragon_7) == pytest.approx(0.022534, abs=5e-7)
    six_cards = sum(ways for p, b, ways in final_hands() if len(p) + len(b) == 6)
    assert float(Fraction(six_cards, all_sequences(8))) == pytest.approx(0.317687, abs=5e-7)


def test_published_pair_probability() -> None:
    """7.4699 %: of the 415 cards that may follow the first, 31 have its rank."""
    won = 0
    for first, second in itertools.product(plain.RANKS, repeat=2):
        ways = 32 * (31 if first == second else 32)
        if plain.settle_bet(TB_C, "2025-11-21", "player_pair", [first, second], ["9", "K"])[0] == "won":
            won += ways
    assert Fraction(won, 416 * 415) == Fraction(31, 415)
    assert round(100 * 31 / 415, 4) == 7.4699


def test_given_insurance_edge() -> None:
    """The worked figure of the contracts: Player 5 against Banker 4 after four cards, 3 to 2, 0.16321."""
    results: Counter[str] = Counter()
    for (player, banker, fifth, sixth), ways in atoms(8).items():
        if (player, banker) == (5, 4):
            hands = plain.deal(["5", "4", "K", "K", OF_VALUE[fifth], OF_VALUE[sixth]])
            line = plain.settle_insurance(TB_C, "2025-11-21", "player_insurance", "four-cards", *hands)
            assert line is not None
            results[line[0]] += ways
    edge = Fraction(results["lost"] * 2 - results["won"] * 3, 2 * sum(results.values()))
    assert float(edge) == pytest.approx(0.16321, abs=5e-6)


# ----------------------------------------------------------------------------------------------------------
# The oracle's own tables


def test_the_oracle_imports_only_the_standard_library() -> None:
    allowed = {"collections.abc", "datetime", "fractions", "functools", "typing"}
    for name in ("plain.py", "plain_roads.py"):
        tree = ast.parse((Path(__file__).parent / name).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= allowed
            if isinstance(node, ast.ImportFrom):
                assert node.module in allowed
                assert node.level == 0


def test_twenty_seven_bets() -> None:
    assert len(plain.ALL_BETS) == len(set(plain.ALL_BETS)) == 27
    assert {bet for edition in plain.EDITIONS for bet in plain.bets_of(*edition)} == set(plain.ALL_BETS)


@EDITIONS
def test_every_pay_row_is_reached_and_no_other(game: str, edition: str) -> None:
    """Exhaustive over kinds of rounds, with pairs: each typed row is paid by some round, none is missing."""
    reached = set()
    for player, banker in plain.completions({}):
        for bet in plain.bets_of(game, edition):
            row = plain.winning_row(bet, plain.PAYS[game, edition], player, banker)
            if row is not None:
                reached.add(row)
    assert reached == set(plain.PAYS[game, edition])


@EDITIONS
def test_paragraphs_of_the_pay_tables_run_on(game: str, edition: str) -> None:
    """The documents number their pay tables without a gap, the insurance table last."""
    numbers = {paragraph for _, paragraph in plain.PAYS[game, edition].values()}
    last = plain.INSURANCE[game, edition][1]
    if game in (LIVE_C, LIVE_N):
        left_out = {LIVE_C: {"3.2", "3.3"}, LIVE_N: {"3.1"}}[game]
        assert numbers == {f"3.{n}" for n in range(1, 16)} - left_out
        assert last == "5.5"
    else:
        first = 2 if game == TB_C else 1
        assert numbers | {last} == {f"4.1.{n}" for n in range(first, int(last.split(".")[2]) + 1)}


def test_tables_that_are_printed_alike() -> None:
    """All five documents print one insurance table; the two documents of a date pay alike but for the Banker."""
    tables = [table for table, _ in plain.INSURANCE.values()]
    assert all(table == tables[0] for table in tables)
    for edition in ("2024-05-14", "2025-11-21"):
        commission, without = plain.PAYS[TB_C, edition], plain.PAYS[TB_N, edition]
        assert set(without) - set(commission) == {"banker on 6"}
        differ = {row for row in commission if commission[row][0] != without[row][0]}
        assert differ == {"banker"}


@EDITIONS
def test_layouts(game: str, edition: str) -> None:
    expected = {"2024-05-14": 11, "2025-11-21": 17, "undated": 1}[edition]
    assert len(plain.layouts(game, edition)) == expected
    for layout in plain.layouts(game, edition):
        assert {"player", "banker", "tie"} < set(plain.bets_on(game, edition, layout))
        seats = plain.positions(game, edition, layout)
        assert seats is None if layout == "live" else seats in ((1, 5), (1, 6), (10, 16))
    rows = {row.split(",")[0].replace("banker on 6", "banker") for row in plain.PAYS[game, edition]}
    assert rows == set(plain.bets_of(game, edition))


def test_layout_m() -> None:
    sevens = {"banker_big_7", "banker_small_7", "player_big_7", "player_small_7"}
    main = {"player", "banker", "tie"}
    assert set(plain.bets_on(TB_C, "2025-11-21", "M")) == main | sevens | {"tiger_pair", "tiger", "wu_dalang"}


# ----------------------------------------------------------------------------------------------------------
# Worked rounds


@pytest.mark.parametrize(
    ("player", "banker", "bet", "line"),
    [
        ("K 7", "2 3 4", "player", ("lost", None, "4.1.1")),
        ("K 7", "2 3 4", "banker", ("won", Fraction(1), "4.1.1")),
        ("K 5 K", "3 3", "banker", ("won", Fraction(1, 2), "4.1.1")),
        ("K 7", "4 3", "banker", ("returned", None, "3.17")),
        ("K 5 K", "3 3", "small_tiger", ("won", Fraction(22), "4.1.4")),
        ("K 5 K", "3 3", "tiger", ("won", Fraction(12), "4.1.12")),
        ("K K A", "K K K", "wu_dalang", ("won", Fraction(150), "4.1.11")),
        ("K K A", "K K K", "tiger_pair", ("won", Fraction(100), "4.1.9")),
        ("K K A", "Q Q K", "tiger_pair", ("won", Fraction(20), "4.1.9")),
        ("K K A", "Q 10 K", "tiger_pair", ("won", Fraction(4), "4.1.9")),
        ("K Q A", "J 10 K", "tiger_pair", ("lost", None, "4.1.9")),
        ("K 8", "K 9", "banker_char_siu", ("won", Fraction(10), "4.1.13")),
        ("K 6", "K K 7", "banker_char_siu", ("won", Fraction(15), "4.1.13")),
        ("K K 6", "K K 7", "banker_char_siu", ("won", Fraction(50), "4.1.13")),
        ("K K 5", "K K 6", "banker_char_siu", ("lost", None, "4.1.13")),
        ("K 6", "3 3", "tiger_tie", ("won", Fraction(35), "4.1.10")),
        ("K 6", "3 3", "tiger_buffalo", ("lost", None, "4.1.8")),
    ],
)
def test_worked_bets(player: str, banker: str, bet: str, line: plain.Line) -> None:
    assert plain.settle_bet(TB_N, "2025-11-21", bet, player.split(), banker.split()) == line


@pytest.mark.parametrize(
    ("player", "banker", "bet", "line"),
    [
        ("K 8", "K 8", "player_natural_8", ("lost", None, "3.10")),  # L5: a tie loses them
        ("K 8", "K 9", "player_natural_8", ("lost", None, "3.10")),
        ("K 8", "K 7", "player_natural_8", ("won", Fraction(8), "3.10")),
        ("5 K 3", "7 K", "player_natural_8", ("lost", None, "3.10")),  # three cards
        ("K 5 K", "3 3", "banker", ("won", Fraction(1, 2), "3.2")),
        ("K 7", "3 3", "banker", ("lost", None, "3.3")),
        ("K 8", "K 8", "banker", ("returned", None, "4.1")),
        ("K K K", "K K 6", "super_6_plus", ("won", Fraction(18), "3.15")),
        ("K 7", "K K 6", "super_6_plus", ("lost", None, "3.14")),
        ("K 8", "K 8", "small", ("won", Fraction(3, 2), "3.9")),
        ("K 7", "K K 6", "big", ("won", Fraction(1, 2), "3.8")),
    ],
)
def test_worked_live_bets(player: str, banker: str, bet: str, line: plain.Line) -> None:
    assert plain.settle_bet(LIVE_N, "undated", bet, player.split(), banker.split()) == line


@pytest.mark.parametrize(
    ("player", "banker", "after", "bet", "line"),
    [
        ("K 7", "2 3 4", "four-cards", "player_insurance", ("won", Fraction(4), "4.1.14")),
        ("K 7", "2 3 2", "four-cards", "player_insurance", ("returned", None, "4.2.1")),
        ("K 7", "2 3 K", "four-cards", "player_insurance", ("lost", None, "4.1.14")),
        ("K 7", "2 3 4", "player-third", "player_insurance", None),  # the Player stands: no second moment
        ("K 7", "2 3 4", "four-cards", "banker_insurance", None),
        ("K 5 4", "2 3 4", "player-third", "player_insurance", ("won", Fraction(10), "4.2.1.a")),
        ("K K K", "K 3 7", "player-third", "banker_insurance", ("won", Fraction(10), "4.2.1.b")),
        ("K K K", "K 4", "player-third", "banker_insurance", None),  # Banker 4 stands on a 0
        ("K K K", "K 4", "four-cards", "banker_insurance", ("lost", None, "4.1.14")),
        ("K A 6", "K 6 K", "player-third", "player_insurance", ("lost", None, "4.1.14")),  # P2: 7 v 6 by a 6
        ("2 3 2", "K 6", "player-third", "player_insurance", None),  # P2: 7 v 6 by a 2
        ("K 2 8", "K 4", "four-cards", "banker_insurance", ("lost", None, "4.1.14")),
        ("K 3 2", "K 4 A", "four-cards", "banker_insurance", ("returned", None, "4.2.1")),
    ],
)
def test_worked_insurance(player: str, banker: str, after: str, bet: str, line: plain.Line | None) -> None:
    settled = plain.settle_insurance(TB_N, "2025-11-21", bet, after, player.split(), banker.split())
    assert settled == line


def test_a_tie_at_nought_after_four_cards_is_returned() -> None:
    """P5: only insurance taken after the Player's third card is paid on the two ties."""
    line = plain.settle_insurance(
        TB_C, "2025-11-21", "banker_insurance", "four-cards", ["K", "3", "7"], ["K", "4", "6"]
    )
    assert line == ("returned", None, "4.2.1")


def test_no_moment_offers_both_insurances() -> None:
    for table, _ in plain.INSURANCE.values():
        for after, player, banker in itertools.product(("four-cards", "player-third"), range(10), range(10)):
            rows = [
                bet
                for bet in ("player_insurance", "banker_insurance")
                for own, other, _, _ in table[bet, after]
                if plain.within(player if bet == "player_insurance" else banker, own)
                and plain.within(banker if bet == "player_insurance" else player, other)
            ]
            assert len(rows) <= 1


def test_the_record_of_the_contracts() -> None:
    record: dict[str, Any] = {
        "id": "r1",
        "game": "tiger-buffalo-non-commission",
        "edition": "2025-11-21",
        "layout": "C",
        "player": ["KH", "7D"],
        "banker": ["2S", "3C", "4H"],
        "wagers": [{"id": "w1", "patron": "ann", "bet": "player", "stake": "100.00"}],
        "insurance": [
            {"id": "i1", "patron": "ann", "bet": "player_insurance", "after": "four-cards", "stake": "50.00"}
        ],
    }
    lost = {"result": "lost", "odds": None, "winnings": "0.00", "handed_back": "0.00", "paragraph": "4.1.1"}
    won = {"result": "won", "odds": "4", "winnings": "200.00", "handed_back": "250.00", "paragraph": "4.1.14"}
    assert plain.settle_record(record) == {
        "id": "r1",
        "game": "tiger-buffalo-non-commission",
        "edition": "2025-11-21",
        "winner": "banker",
        "player_points": 7,
        "banker_points": 9,
        "lines": [
            {"id": "w1", "bet": "player", "stake": "100.00", **lost},
            {"id": "i1", "bet": "player_insurance", "stake": "50.00", **won},
        ],
        "staked": "150.00",
        "handed_back": "250.00",
    }


@pytest.mark.parametrize(
    ("on", "edition"),
    [
        ("2024-05-14", "2024-05-14"),
        ("2025-11-20", "2024-05-14"),
        ("2025-11-21", "2025-11-21"),
        ("2025-11-21T07:59:59", "2024-05-14"),
        ("2025-11-21T08:00", "2025-11-21"),
        ("2025-11-20T23:59:59+00:00", "2024-05-14"),
        ("2025-11-21T00:00:00+00:00", "2025-11-21"),
    ],
)
def test_the_edition_in_force(on: str, edition: str) -> None:
    assert plain.edition_of({"game": TB_C, "on": on}) == edition


@pytest.mark.parametrize(
    ("stake_cents", "odds", "expected"),
    [(1, Fraction(1, 2), 1), (3, Fraction(1, 2), 2), (10, Fraction(19, 20), 10), (9, Fraction(19, 20), 9)],
)
def test_half_a_cent_goes_to_the_patron(stake_cents: int, odds: Fraction, expected: int) -> None:
    assert plain.winnings_in_cents(stake_cents, odds) == expected


# ----------------------------------------------------------------------------------------------------------
# Conclusively won or lost


def conclusive_card_by_card(game: str, edition: str, layout: str, exposed: dict[str, str]) -> dict[str, str]:
    """W4 in full: all thirteen ranks in every hidden place, without grouping them into kinds."""
    results: dict[str, set[str]] = {bet: set() for bet in plain.bets_on(game, edition, layout)}
    for ranks in itertools.product(*(exposed.get(place, plain.RANKS) for place in PLACES)):
        p1, b1, p2, b2, p3, b3 = ranks
        # Where the Player stands, the Banker's third card is the fifth to leave the shoe.
        draws = plain.player_draws(plain.points((p1, p2)), plain.points((b1, b2)))
        player, banker = plain.deal([p1, b1, p2, b2, p3 if draws else b3, b3])
        if ("P3" in exposed and len(player) == 2) or ("B3" in exposed and len(banker) == 2):
            continue
        for bet, seen in results.items():
            seen.add(plain.settle_bet(game, edition, bet, player, banker)[0])
    return {bet: seen.pop() for bet, seen in results.items() if seen in ({"won"}, {"lost"})}


@EDITIONS
def test_taking_kinds_together_loses_nothing(game: str, edition: str) -> None:
    """Sampled: random exposed cards, with at most two of the six places hidden, whichever they are."""
    chance = random.Random(f"{game}/{edition}")
    for _ in range(25):
        places = chance.sample(PLACES, chance.choice((4, 5, 6)))
        exposed = {place: chance.choice(plain.RANKS) for place in places}
        layout = chance.choice(plain.layouts(game, edition))
        expected = conclusive_card_by_card(game, edition, layout, exposed)
        assert plain.conclusive(game, edition, layout, exposed) == expected, (layout, exposed)


def test_taking_kinds_together_loses_nothing_with_three_hidden() -> None:
    exposed = {"P1": "7", "B2": "7", "B3": "9"}
    for layout in ("A", "M"):
        expected = conclusive_card_by_card(TB_C, "2025-11-21", layout, exposed)
        assert plain.conclusive(TB_C, "2025-11-21", layout, exposed) == expected


def test_what_is_conclusive() -> None:
    def at(layout: str, **exposed: str) -> dict[str, str]:
        return plain.conclusive(TB_C, "2025-11-21", layout, exposed)

    assert at("A") == at("M") == {}
    assert at("A", P1="K", B1="K") == {}
    assert at("A", P1="K", P2="K")["player_pair"] == "won"
    assert at("M", P1="K", P2="K")["tiger_pair"] == "won"  # single, double or twin: won in any case
    assert "player" not in at("A", P1="K", P2="9")  # a tie at 9 would return it
    assert at("A", P1="K", P2="9", B1="K", B2="8")["player"] == "won"
    assert "player" not in at("A", P1="K", P2="9", B1="K", B2="9")  # returned: neither won nor lost
    assert at("A", P1="K", P2="9", B1="K", B2="9")["tie"] == "won"
    assert at("A", P1="K", P2="K", P3="K", B1="9", B2="9") == {}  # no round holds these cards


def test_an_outcome_stands_once_a_hand_shows_two_cards() -> None:
    """W5's remark, exhaustively: on every Tiger Buffalo layout, for each kind of two cards of either hand."""
    for game, edition in plain.EDITIONS[:4]:
        # Layouts with the same bets are the same layout here.
        layouts = {plain.bets_on(game, edition, layout): layout for layout in plain.layouts(game, edition)}
        for layout, (first_rank, second_rank), hand in itertools.product(
            layouts.values(), plain.first_two(None, None), ("P", "B")
        ):
            exposed = {f"{hand}1": first_rank, f"{hand}2": second_rank}
            assert plain.conclusive(game, edition, layout, exposed), (game, edition, layout, exposed)
