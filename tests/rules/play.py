"""Section 3 of Tiger Buffalo without insurance: 3.1, 3.10, 3.13, 3.15, 3.16, 3.17. Live: 1.1, 1.3, 2.1–2.3, 4.1."""

from __future__ import annotations

from collections.abc import Iterator

from punto.cards import Card, cards
from punto.game import coup as coups
from punto.game import insurance
from punto.game.established import conclusive
from punto.game.explain import explain
from punto.game.settlement import Slip
from punto.rulebook.model import Bet, Moment, Rulebook, Side, TableOfPlay
from tests.rules.breaking import alone_cell, banker_cell, code, kept_on_tie, play, player_cell, ranked
from tests.rules.coups import BOOK, coup, insure, line
from tests.rules.pairs import THIRD_CARD_MAKES_A_PAIR
from tests.rules.printed import BANKER_DRAWS_ON, DRAWS_ALONE, NATURALS, NUMBERS, STANDS
from tests.rules.proving import proves


def of(points: int) -> str:
    """A card of these points."""
    return "KH" if points == 0 else "AH" if points == 1 else f"{points}H"


def drawn(rules: Rulebook, text: str) -> Side | None:
    """Which hand draws next."""
    hands = coup(text)
    return coups.next_side(rules.table_of_play, hands.player, hands.banker)


# 3.1, 3.16: the higher total wins


@proves("play.objective", broken_by=(ranked(lambda points: -points), ranked(lambda points: points % 9)))
def nearest_to_nine_wins(rules: Rulebook) -> None:
    for example in BOOK:
        if not example.tie:
            nearer = "player" if 9 - example.player < 9 - example.banker else "banker"
            assert example.coup.winner == nearer, example.coup
            assert line(rules, nearer, example.coup).result == "won"


@proves(
    "hand.ranking",
    broken_by=(ranked(lambda points: {8: 9, 9: 8}.get(points, points)), ranked(lambda points: points or 10)),
)
def nine_is_highest_and_so_on(rules: Rulebook) -> None:
    """A wager on the winning hand wins, one on the other loses, and the explanation of the coup names the paragraph."""
    for example in BOOK:
        if not example.tie:
            winner, loser = ("player", "banker") if example.player > example.banker else ("banker", "player")
            assert example.coup.winner == winner, example.coup
            assert line(rules, winner, example.coup).result == "won"
            assert line(rules, loser, example.coup).result == "lost"
            last = explain(rules, example.coup)[-1]
            assert last.text.endswith(f"{winner.capitalize()} wins")
            assert last.paragraph == NUMBERS[rules.id]["hand.ranking"]


# 3.10: the first four cards


def _two_by_two(drawing: TableOfPlay, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Side | None:
    if len(player) < 2:
        return Side.PLAYER
    return Side.BANKER if len(banker) < 2 else None


@proves("deal.four-cards", broken_by=(code(coups, "next_side", _two_by_two), THIRD_CARD_MAKES_A_PAIR))
def four_cards_in_turn(rules: Rulebook) -> None:
    """The first and third card go to Player, the second and fourth to Banker; these four decide the pairs."""
    dealt, _ = coups.deal(rules.table_of_play, cards("9H 2S KD 5C"))
    assert dealt == coup("9H KD v 2S 5C")
    expected = {Bet.PLAYER_PAIR: "won", Bet.BANKER_PAIR: "lost"}
    if Bet.TIGER_PAIR in rules.bets:
        expected[Bet.TIGER_PAIR] = "won"
    bets = tuple(expected)
    assert conclusive(rules, bets, {"P1": "2", "P2": "2", "B1": "K", "B2": "3"}) == expected
    assert conclusive(rules, bets, {"P1": "2", "B1": "K"}) == {}
    for bet in bets:
        assert line(rules, bet, coup("2H KD KC v QS 5C 5H")).result == "lost"


# 3.13, 3.15: third cards


def player_grid(rules: Rulebook) -> None:
    """Player draws on 0 to 5 and stands on 6 and 7; with a natural on either side nobody draws."""
    for player in (*DRAWS_ALONE, *STANDS):
        for banker in (*DRAWS_ALONE, *STANDS):
            text = f"KH {of(player)} v KS {of(banker)}"
            assert (drawn(rules, text) is Side.PLAYER) == (player in DRAWS_ALONE), text
    for natural in NATURALS:
        for other in range(10):
            assert drawn(rules, f"KH {of(natural)} v KS {of(other)}") is None, (natural, other)
            assert drawn(rules, f"KH {of(other)} v KS {of(natural)}") is None, (other, natural)


def banker_rows() -> Iterator[tuple[str, Side | None]]:
    """Every Banker total against every third card of Player."""
    for banker, draws_on in BANKER_DRAWS_ON.items():
        for third in range(10):
            yield f"KH 2D {of(third)} v KS {of(banker)}", Side.BANKER if third in draws_on else None


EVERY_BANKER_CELL = tuple(banker_cell(banker, third) for banker in range(8) for third in range(10))
EVERY_PLAYER_CELL = tuple(player_cell(points) for points in range(8))


@proves("table-of-play", broken_by=(*EVERY_BANKER_CELL, *EVERY_PLAYER_CELL, play(naturals=())), game="tiger-buffalo")
def table_of_play(rules: Rulebook) -> None:
    """Every cell of the printed grid."""
    player_grid(rules)
    for text, side in banker_rows():
        assert drawn(rules, text) is side, text
    refused = coups.check(rules, coup("KH 2D 8C v KS 3C 4H"))
    assert refused is not None
    assert refused.paragraph == "3.15"


@proves("table-of-play.player", broken_by=(*EVERY_PLAYER_CELL, play(naturals=(8,)), play(naturals=(9,))))
def table_1(rules: Rulebook) -> None:
    """Player draws on 0 to 5 unless Banker has a natural, and stands on 6 and 7."""
    player_grid(rules)
    assert explain(rules, coup("KH 6D v KS 7C"))[2].paragraph == "2.1"


@proves("table-of-play", broken_by=EVERY_BANKER_CELL, game="live")
def table_2(rules: Rulebook) -> None:
    """Whether Banker draws depends on the third card of Player."""
    for text, side in banker_rows():
        assert drawn(rules, text) is side, text
    assert explain(rules, coup("KH 2D 8C v KS 3C"))[3].paragraph == "2.3"


@proves("third-card.rules", broken_by=tuple(alone_cell(points) for points in range(8)))
def banker_when_player_stood(rules: Rulebook) -> None:
    """Banker draws on 0 to 5 and stands on 6 and 7 (and on 8 and 9)."""
    for player in ("KH 6D", "KH 7D"):
        for banker in range(6):
            text = f"{player} v KS {of(banker)}"
            assert drawn(rules, text) is Side.BANKER, text
            assert coups.check(rules, coup(text)) is not None
        for banker in (6, 7, 8, 9):
            assert drawn(rules, f"{player} v KS {of(banker)}") is None
    steps = explain(rules, coup("KH 6D v KS 5C 2H"))
    assert NUMBERS[rules.id]["third-card.rules"] in [
        step.paragraph for step in steps if step.text.startswith("Banker draws")
    ]


@proves("third-card.drawing-rules", broken_by=code(coups, "wrong", lambda rules, dealt: None))
def drawing_rules_bind(rules: Rulebook) -> None:
    """Without a natural the drawing rules bind: another number of cards is refused, under the table that it breaks."""
    for example in BOOK:
        assert coups.check(rules, example.coup) is None, example.coup
    tables = {"KH 5D v KS 7C": "2.1", "KH 6D 2C v KS 7C": "2.1", "KH 6D v KS 5C": "2.2", "KH 2D 8C v KS 3C 4H": "2.3"}
    for text, table in tables.items():
        refused = coups.check(rules, coup(text))
        assert refused is not None, text
        assert (refused.code, refused.paragraph) == ("table-of-play", table)


# 3.17: ties


@proves("tie.returns", broken_by=(kept_on_tie("player"), kept_on_tie("banker")), game="live")
def tie_returns_main_bets(rules: Rulebook) -> None:
    """On every tie, and on a tie only, wagers on Player and Banker go back whole."""
    for example in BOOK:
        for bet in ("player", "banker"):
            settled = line(rules, bet, example.coup)
            assert (settled.result == "returned") == example.tie, example.coup
            if example.tie:
                assert (settled.handed_back_cents, settled.winnings_cents) == (100_00, 0)
                assert settled.paragraph == NUMBERS[rules.id]["tie.returns"]


@proves(
    "tie.returns",
    broken_by=(
        kept_on_tie("player"),
        kept_on_tie("banker"),
        code(insurance, "_tied", lambda rules, open_offer: ("lost", "3.17")),
        code(insurance, "_tied", lambda rules, open_offer: ("returned", "4.2.1")),
    ),
    game="tiger-buffalo",
)
def tie_returns_main_bets_and_insurance(rules: Rulebook) -> None:
    """On a tie insurance goes back too, but what was taken on a three-card Player 9 is paid."""
    tie_returns_main_bets.claim(rules)
    for text, result in (("KH 5D 3C v KS 4C 4H", "returned"), ("KH 5D 4C v KS 4C 5H", "won")):
        offers = (("player_insurance", Moment.FOUR_CARDS, 10_00), ("player_insurance", Moment.PLAYER_THIRD, 10_00))
        slip = insure(rules, text, *offers)
        assert isinstance(slip, Slip)
        assert [slip_line.result for slip_line in slip.lines] == ["returned", "returned", result]
