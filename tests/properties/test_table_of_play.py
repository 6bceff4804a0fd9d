"""Exhaustive: the Table of Play of every edition against the oracle, and which hands are a coup at all (3.13, 3.15)."""

from __future__ import annotations

from itertools import product

from punto.cards import CARDS_IN_A_DECK, DECK
from punto.game.coup import Coup, check, deal, next_side, wrong
from punto.rulebook.model import Side
from tests.oracle import plain
from tests.properties.rounds import EDITIONS, OF_VALUE, Edition, Ranks, book, by_atom, cells, coup_of, hand

ONE_OF = tuple(ranks[0] for ranks in OF_VALUE)
TWO_WAYS = (
    tuple(("K", ONE_OF[points]) for points in range(10)),
    tuple((ONE_OF[(points - 9) % 10], "9") for points in range(10)),
)
"""Two cards of every total, without and with a carry."""


@EDITIONS
def test_who_draws(edition: Edition) -> None:
    play = book(edition).table_of_play
    for player, banker in product(range(10), repeat=2):
        assert play.player_draws(player, banker) == plain.player_draws(player, banker), (player, banker)
        for third in (None, *range(10)):
            expected = plain.banker_draws(banker, player, third)
            assert play.banker_draws(banker, player, third) == expected, (player, banker, third)


@EDITIONS
def test_every_deal(edition: Edition) -> None:
    """Every (Player two, Banker two, Player's third, Banker's third) off the top of seven cards."""
    play = book(edition).table_of_play
    for player, banker, fifth, sixth in product(range(10), repeat=4):
        (first, second), (three, four) = TWO_WAYS[fifth % 2][player], TWO_WAYS[sixth % 2][banker]
        texts = (first, three, second, four, ONE_OF[fifth], ONE_OF[sixth], "2")
        top = hand(texts, player)
        coup, left = deal(play, top)
        hands = tuple([card.rank for card in cards] for cards in (coup.player, coup.banker))
        assert hands == tuple(plain.deal(texts)), texts
        used = len(coup.player) + len(coup.banker)
        assert left == top[used:]


@EDITIONS
def test_the_next_card_goes_where_the_oracle_puts_it(edition: Edition) -> None:
    """Every step of every coup: whose the next card is, and that the last card ends it (P1)."""
    play = book(edition).table_of_play
    for cell in by_atom():
        player, banker = cell.coup.player, cell.coup.banker
        order = [(0, 0, Side.PLAYER), (1, 0, Side.BANKER), (1, 1, Side.PLAYER), (2, 1, Side.BANKER)]
        if len(player) == 3:
            order.append((2, 2, Side.PLAYER))
        if len(banker) == 3:
            order.append((len(player), 2, Side.BANKER))
        for players, bankers, side in order:
            assert next_side(play, player[:players], banker[:bankers]) is side, cell
        assert next_side(play, player, banker) is None, cell


def legal(player: Ranks, banker: Ranks) -> bool:
    """Are these the hands that the oracle deals from these cards?"""
    if len(player) not in (2, 3) or len(banker) not in (2, 3):
        return False
    cards = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
    return plain.deal([*cards, "K", "K"]) == (list(player), list(banker))


def live_table(player: Ranks, banker: Ranks) -> str:
    """The Live rule that illegal hands break: Player's 2.1, Banker's 2.2 where the Player stands and 2.3 where not."""
    dealt, _ = plain.deal([player[0], banker[0], player[1], banker[1], "K", "K"])
    natural = any(plain.points(list(hand[:2])) > 7 for hand in (player, banker))
    if natural or len(dealt) != len(player):
        return "2.1"
    return "2.3" if len(player) == 3 else "2.2"


@EDITIONS
def test_exactly_the_legal_coups_are_accepted(edition: Edition) -> None:
    """Two or three cards in each hand, every point class: 12,100 pairs of hands, each with and without a carry."""
    rules = book(edition)
    accepted = 0
    for way, (player_points, banker_points) in product((0, 1), product(range(10), repeat=2)):
        first, second = TWO_WAYS[way][player_points], TWO_WAYS[way][banker_points]
        for third, last in product(("", *ONE_OF), repeat=2):
            player, banker = (*first, *third), (*second, *last)
            coup = coup_of(player, banker)
            refused = check(rules, coup)
            if legal(player, banker):
                accepted += 1
                assert refused is None, coup
                assert wrong(rules, coup) is None, coup
                continue
            assert refused is not None, coup
            paragraph = live_table(player, banker) if plain.is_live(edition[0]) else "3.15"
            assert (refused.code, refused.paragraph) == ("table-of-play", paragraph), coup
            assert refused.message == wrong(rules, coup), coup
            assert refused.message.startswith(f"{coup}: "), coup
    assert accepted == 2 * 3_394


@EDITIONS
def test_no_other_number_of_cards_makes_a_coup(edition: Edition) -> None:
    """Hands of none, one, four or five cards, beside every number of cards in the other hand."""
    rules = book(edition)
    for player, banker in product(range(6), repeat=2):
        if {player, banker} <= {2, 3}:
            continue
        for value in ONE_OF:
            coup = coup_of((value,) * player, ("4",) * banker)
            refused = check(rules, coup)
            assert refused is not None, coup
            assert refused.code == "table-of-play", coup


@EDITIONS
def test_one_card_too_few_or_too_many_is_no_coup(edition: Edition) -> None:
    """Take away the last card of a hand, or add one to it, and every coup is refused."""
    rules = book(edition)
    for turn, cell in enumerate(cells()):
        player, banker, extra = cell.coup.player, cell.coup.banker, DECK[turn % CARDS_IN_A_DECK]
        for broken in (
            Coup(player[:-1], banker),
            Coup(player, banker[:-1]),
            Coup((*player, extra), banker),
            Coup(player, (*banker, extra)),
        ):
            ranks = tuple(tuple(card.rank for card in cards) for cards in (broken.player, broken.banker))
            assert not legal(*ranks), broken
            assert wrong(rules, broken) is not None, broken
