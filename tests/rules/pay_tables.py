"""Section 4.1 of Tiger Buffalo, all pay tables but insurance, as printed in `printed_pays`."""

from __future__ import annotations

from fractions import Fraction

from punto.game.refusals import Refusal
from punto.game.settlement import Wager, settle
from punto.rulebook.model import Case, Rulebook
from tests.rules.breaking import odds, off_layout, on_layout, unpaid
from tests.rules.coups import BOOK, EVENTS, coup, line
from tests.rules.printed import LAYOUTS
from tests.rules.printed_pays import PAYS, Pays
from tests.rules.proving import proves


def pays_as_printed(rules: Rulebook, topic: str) -> None:
    """Every line of the paragraph pays as printed and names it, other outcomes lose, and the layouts are right."""
    table = [row for row in PAYS[rules.id] if row.topic == topic]
    for bet in dict.fromkeys(row.bet for row in table):
        _settles(rules, bet, [row for row in table if row.bet == bet])
    for row in table:
        _lies_on(rules, row)


def _settles(rules: Rulebook, bet: str, table: list[Pays]) -> None:
    everywhere = [row for row in PAYS[rules.id] if row.bet == bet]
    for example in BOOK:
        settled = line(rules, bet, example.coup, layout=table[0].layouts[0])
        here = [row for row in table if EVENTS[row.event](example)]
        if here:
            assert settled.result == "won", f"{bet}, {example.coup}"
            assert settled.odds == here[0].odds, f"{bet}, {example.coup}"
            assert settled.winnings_cents == 100_00 * here[0].odds
            assert settled.handed_back_cents == 100_00 + 100_00 * here[0].odds
            assert settled.paragraph == here[0].paragraph
        elif not any(EVENTS[row.event](example) for row in everywhere) and not (
            example.tie and bet in ("player", "banker")
        ):
            assert (settled.result, settled.odds, settled.handed_back_cents) == ("lost", None, 0), (
                f"{bet}, {example.coup}"
            )
            assert settled.paragraph in [row.paragraph for row in everywhere]


def _lies_on(rules: Rulebook, row: Pays) -> None:
    for layout in LAYOUTS[rules.id]:
        answer = settle(rules, rules.layouts[layout], coup("KH 7D v KS 6C"), (Wager(row.bet, 10_00),))
        refused = answer.code if isinstance(answer, Refusal) else ""
        assert refused == ("" if layout in row.layouts else "bet-not-on-layout"), f"{row.bet} on {layout}"
        assert not isinstance(answer, Refusal) or answer.paragraph == row.paragraph


@proves("pay.commission", broken_by=(odds("banker", Fraction(24, 25)), odds("banker", 1)))
def commission(rules: Rulebook) -> None:
    """5 % of what Banker wins is kept, on whatever points it wins, to the nearest cent (M1)."""
    for example in BOOK:
        if example.banker_wins:
            assert line(rules, "banker", example.coup).winnings_cents == 95_00, example.coup
            assert line(rules, "player", example.coup).winnings_cents == 0
        if example.player_wins:
            assert line(rules, "player", example.coup).winnings_cents == 100_00, "nothing is kept from Player"
    banker_wins = coup("KH 6D v KS 7C")
    for stake, kept_back in ((1_000_000_00, 50_000_00), (20, 1), (33_33, 1_67), (10, 0)):
        assert line(rules, "banker", banker_wins, stake_cents=stake).winnings_cents == stake - kept_back


@proves(
    "pay.main",
    broken_by=(odds("banker", Fraction(9, 10)), odds("player", Fraction(19, 20)), off_layout("player", "K")),
    game="tiger-buffalo-commission",
)
def main_bets_with_commission(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.main")


@proves(
    "pay.main",
    broken_by=(
        odds("banker", 1, Case.BANKER_WINS_ON_6),
        odds("banker", Fraction(19, 20), Case.BANKER_WINS_ON_OTHER),
        odds("player", 2),
        unpaid("banker", Case.BANKER_WINS_ON_6),
    ),
    game="tiger-buffalo-non-commission",
)
def main_bets_without_commission(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.main")


@proves("pay.tie", broken_by=(odds("tie", 9), off_layout("tie", "A"), off_layout("tie", "K")), game="tiger-buffalo")
def tie(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.tie")


@proves(
    "pay.pairs",
    broken_by=(
        odds("player_pair", 12),
        odds("banker_pair", 10),
        off_layout("player_pair", "K"),
        on_layout("banker_pair", "C"),
    ),
)
def pairs(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.pairs")


@proves(
    "pay.tigers-and-buffalos",
    broken_by=(
        odds("big_tiger", 49),
        odds("small_tiger", 23),
        odds("big_buffalo", 34),
        odds("small_buffalo", 21),
        off_layout("big_tiger", "C"),
        off_layout("small_buffalo", "K"),
    ),
)
def tigers_and_buffalos(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.tigers-and-buffalos")


@proves(
    "pay.tigers",
    broken_by=(
        odds("big_tiger", 49),
        odds("small_tiger", 23),
        on_layout("big_tiger", "M"),
        off_layout("small_tiger", "Q"),
    ),
)
def tigers(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.tigers")


@proves(
    "pay.buffalos",
    broken_by=(
        odds("big_buffalo", 34),
        odds("small_buffalo", 21),
        on_layout("small_buffalo", "M"),
        off_layout("big_buffalo", "L"),
    ),
)
def buffalos(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.buffalos")


@proves(
    "pay.banker-7",
    broken_by=(odds("banker_big_7", 31), odds("banker_small_7", 14), on_layout("banker_big_7", "L")),
)
def banker_7(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.banker-7")


@proves(
    "pay.player-7",
    broken_by=(odds("player_big_7", 31), odds("player_small_7", 14), on_layout("player_small_7", "A")),
)
def player_7(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.player-7")


@proves(
    "pay.tiger-buffalo",
    broken_by=(odds("tiger_buffalo", 7), on_layout("tiger_buffalo", "A"), off_layout("tiger_buffalo", "I")),
)
def tiger_buffalo(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.tiger-buffalo")


@proves(
    "pay.tiger-pair",
    broken_by=(
        odds("tiger_pair", 5, Case.ONE_PAIR),
        odds("tiger_pair", 21, Case.TWO_PAIRS),
        odds("tiger_pair", 99, Case.TWIN_PAIRS),
        on_layout("tiger_pair", "N"),
    ),
)
def tiger_pair(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.tiger-pair")


@proves("pay.tiger-tie", broken_by=(odds("tiger_tie", 34), on_layout("tiger_tie", "M"), off_layout("tiger_tie", "P")))
def tiger_tie(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.tiger-tie")


@proves("pay.wu-dalang", broken_by=(odds("wu_dalang", 149), on_layout("wu_dalang", "B"), off_layout("wu_dalang", "H")))
def wu_dalang(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.wu-dalang")


@proves(
    "pay.tiger",
    broken_by=(odds("tiger", 13, Case.BANKER_6_TWO), odds("tiger", 19, Case.BANKER_6_THREE), on_layout("tiger", "Q")),
)
def tiger(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.tiger")


@proves(
    "pay.char-siu",
    broken_by=(
        odds("banker_char_siu", 11, Case.BANKER_BY_ONE_4),
        odds("banker_char_siu", 14, Case.BANKER_BY_ONE_5),
        odds("banker_char_siu", 51, Case.BANKER_BY_ONE_6),
        odds("player_char_siu", 11, Case.PLAYER_BY_ONE_4),
        odds("player_char_siu", 14, Case.PLAYER_BY_ONE_5),
        odds("player_char_siu", 51, Case.PLAYER_BY_ONE_6),
        off_layout("banker_char_siu", "J"),
    ),
)
def char_siu(rules: Rulebook) -> None:
    pays_as_printed(rules, "pay.char-siu")
