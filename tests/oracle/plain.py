"""Baccarat settled by plain ifs, as an inspector with the rule documents and a pencil would do it.

Here: the Table of Play, all 27 bets and both insurance bets of all six editions, their odds and paragraphs,
the layouts, what is conclusively won or lost (W4), and the lines of `punto settle` for valid records.
Not here: anything from punto, any file, any check of bad input, anything done for speed.

A card is text such as "9H", "td", "10D"; a bare rank such as "9" or "T" will do. Odds are Fractions: 3 to 2
is F(3, 2).
"""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

F = Fraction
Line = tuple[str, F | None, str]  # (won | lost | returned, odds when won, paragraph)

TB_COMMISSION = "tiger-buffalo-commission"
TB_NON_COMMISSION = "tiger-buffalo-non-commission"
LIVE_COMMISSION = "live-baccarat-insurance-commission"
LIVE_NO_COMMISSION = "live-baccarat-insurance-no-commission"

EDITIONS: tuple[tuple[str, str], ...] = (
    (TB_COMMISSION, "2024-05-14"),
    (TB_NON_COMMISSION, "2024-05-14"),
    (TB_COMMISSION, "2025-11-21"),
    (TB_NON_COMMISSION, "2025-11-21"),
    (LIVE_COMMISSION, "undated"),
    (LIVE_NO_COMMISSION, "undated"),
)

ALL_BETS: tuple[str, ...] = (
    "player",
    "banker",
    "tie",
    "player_pair",
    "banker_pair",
    "big_tiger",
    "small_tiger",
    "big_buffalo",
    "small_buffalo",
    "banker_big_7",
    "banker_small_7",
    "player_big_7",
    "player_small_7",
    "tiger_buffalo",
    "tiger_pair",
    "tiger_tie",
    "tiger",
    "wu_dalang",
    "player_char_siu",
    "banker_char_siu",
    "big",
    "small",
    "player_natural_8",
    "player_natural_9",
    "banker_natural_8",
    "banker_natural_9",
    "super_6_plus",
)

RANKS = "A23456789TJQK"


# ----------------------------------------------------------------------------------------------------------
# Cards and points (3.2, 1.x Point Total)


@cache
def rank(card: str) -> str:
    """The rank of a card: one of A 2 3 4 5 6 7 8 9 T J Q K."""
    card = card.upper()
    if card.startswith("10"):
        return "T"
    return card[0]


@cache
def value(card: str) -> int:
    """What one card counts: ace 1, 2 to 9 as printed, ten and pictures 0."""
    r = rank(card)
    if r == "A":
        return 1
    if r in "TJQK":
        return 0
    return int(r)


def points(cards: Sequence[str]) -> int:
    """The last digit of the sum."""
    total = 0
    for card in cards:
        total = total + value(card)
    return total % 10


def is_pair(cards: Sequence[str]) -> bool:
    """The first two cards have one rank (W2: a ten and a king are none)."""
    return rank(cards[0]) == rank(cards[1])


def winner(player: Sequence[str], banker: Sequence[str]) -> str:
    """player, banker or tie."""
    if points(player) > points(banker):
        return "player"
    if points(banker) > points(player):
        return "banker"
    return "tie"


# ----------------------------------------------------------------------------------------------------------
# The Table of Play (3.13, 3.15; the Live page's two drawing tables say the same)


def player_draws(player_points: int, banker_points: int) -> bool:
    """Does the Player take a third card? Both points are those of the first two cards."""
    if player_points == 8 or player_points == 9:
        return False
    if banker_points == 8 or banker_points == 9:
        return False
    return player_points <= 5


def banker_draws(banker_points: int, player_points: int, player_third: int | None) -> bool:
    """Does the Banker take a third card? player_third: what the Player's third counts, None without one."""
    if player_points == 8 or player_points == 9:
        return False
    if banker_points == 8 or banker_points == 9:
        return False
    if player_third is None:
        return banker_points <= 5
    if banker_points <= 2:
        return True
    if banker_points == 3:
        return player_third != 8
    if banker_points == 4:
        return player_third in (2, 3, 4, 5, 6, 7)
    if banker_points == 5:
        return player_third in (4, 5, 6, 7)
    if banker_points == 6:
        return player_third in (6, 7)
    return False


def deal(cards: Sequence[str]) -> tuple[list[str], list[str]]:
    """The two hands made of six cards in the order in which they leave the shoe; spare cards stay there."""
    player = [cards[0], cards[2]]
    banker = [cards[1], cards[3]]
    following = 4
    player_points = points(player)
    banker_points = points(banker)
    player_third = None
    if player_draws(player_points, banker_points):
        player.append(cards[following])
        player_third = value(cards[following])
        following = following + 1
    if banker_draws(banker_points, player_points, player_third):
        banker.append(cards[following])
    return player, banker


# ----------------------------------------------------------------------------------------------------------
# What wins pay, and the paragraph of the pay table. One list per document, typed from it.

Pays = dict[str, tuple[F, str]]

# 001: commission, May 2024
PAYS_TB_COMMISSION_2024: Pays = {
    "banker": (F(95, 100), "4.1.2"),
    "player": (F(1), "4.1.2"),
    "tie": (F(8), "4.1.3"),
    "player_pair": (F(11), "4.1.4"),
    "banker_pair": (F(11), "4.1.4"),
    "big_tiger": (F(50), "4.1.5"),
    "small_tiger": (F(22), "4.1.5"),
    "big_buffalo": (F(35), "4.1.5"),
    "small_buffalo": (F(20), "4.1.5"),
    "tiger_buffalo": (F(6), "4.1.6"),
    "wu_dalang": (F(150), "4.1.7"),
    "banker_char_siu, 4 cards": (F(10), "4.1.8"),
    "banker_char_siu, 5 cards": (F(15), "4.1.8"),
    "banker_char_siu, 6 cards": (F(50), "4.1.8"),
    "player_char_siu, 4 cards": (F(10), "4.1.8"),
    "player_char_siu, 5 cards": (F(15), "4.1.8"),
    "player_char_siu, 6 cards": (F(50), "4.1.8"),
}

# 002: non-commission, May 2024
PAYS_TB_NON_COMMISSION_2024: Pays = {
    "banker on 6": (F(1, 2), "4.1.1"),
    "banker": (F(1), "4.1.1"),
    "player": (F(1), "4.1.1"),
    "tie": (F(8), "4.1.2"),
    "player_pair": (F(11), "4.1.3"),
    "banker_pair": (F(11), "4.1.3"),
    "big_tiger": (F(50), "4.1.4"),
    "small_tiger": (F(22), "4.1.4"),
    "big_buffalo": (F(35), "4.1.4"),
    "small_buffalo": (F(20), "4.1.4"),
    "tiger_buffalo": (F(6), "4.1.5"),
    "wu_dalang": (F(150), "4.1.6"),
    "banker_char_siu, 4 cards": (F(10), "4.1.7"),
    "banker_char_siu, 5 cards": (F(15), "4.1.7"),
    "banker_char_siu, 6 cards": (F(50), "4.1.7"),
    "player_char_siu, 4 cards": (F(10), "4.1.7"),
    "player_char_siu, 5 cards": (F(15), "4.1.7"),
    "player_char_siu, 6 cards": (F(50), "4.1.7"),
}

# 003: commission, November 2025
PAYS_TB_COMMISSION_2025: Pays = {
    "banker": (F(95, 100), "4.1.2"),
    "player": (F(1), "4.1.2"),
    "tie": (F(8), "4.1.3"),
    "banker_pair": (F(11), "4.1.4"),
    "player_pair": (F(11), "4.1.4"),
    "big_tiger": (F(50), "4.1.5"),
    "small_tiger": (F(22), "4.1.5"),
    "big_buffalo": (F(35), "4.1.6"),
    "small_buffalo": (F(20), "4.1.6"),
    "banker_big_7": (F(30), "4.1.7"),
    "banker_small_7": (F(15), "4.1.7"),
    "player_big_7": (F(30), "4.1.8"),
    "player_small_7": (F(15), "4.1.8"),
    "tiger_buffalo": (F(6), "4.1.9"),
    "tiger_pair, single": (F(4), "4.1.10"),
    "tiger_pair, double": (F(20), "4.1.10"),
    "tiger_pair, twin": (F(100), "4.1.10"),
    "tiger_tie": (F(35), "4.1.11"),
    "wu_dalang": (F(150), "4.1.12"),
    "tiger, two cards": (F(12), "4.1.13"),
    "tiger, three cards": (F(20), "4.1.13"),
    "banker_char_siu, 4 cards": (F(10), "4.1.14"),
    "banker_char_siu, 5 cards": (F(15), "4.1.14"),
    "banker_char_siu, 6 cards": (F(50), "4.1.14"),
    "player_char_siu, 4 cards": (F(10), "4.1.14"),
    "player_char_siu, 5 cards": (F(15), "4.1.14"),
    "player_char_siu, 6 cards": (F(50), "4.1.14"),
}

# 000: non-commission, November 2025
PAYS_TB_NON_COMMISSION_2025: Pays = {
    "banker on 6": (F(1, 2), "4.1.1"),
    "banker": (F(1), "4.1.1"),
    "player": (F(1), "4.1.1"),
    "tie": (F(8), "4.1.2"),
    "banker_pair": (F(11), "4.1.3"),
    "player_pair": (F(11), "4.1.3"),
    "big_tiger": (F(50), "4.1.4"),
    "small_tiger": (F(22), "4.1.4"),
    "big_buffalo": (F(35), "4.1.5"),
    "small_buffalo": (F(20), "4.1.5"),
    "banker_big_7": (F(30), "4.1.6"),
    "banker_small_7": (F(15), "4.1.6"),
    "player_big_7": (F(30), "4.1.7"),
    "player_small_7": (F(15), "4.1.7"),
    "tiger_buffalo": (F(6), "4.1.8"),
    "tiger_pair, single": (F(4), "4.1.9"),
    "tiger_pair, double": (F(20), "4.1.9"),
    "tiger_pair, twin": (F(100), "4.1.9"),
    "tiger_tie": (F(35), "4.1.10"),
    "wu_dalang": (F(150), "4.1.11"),
    "tiger, two cards": (F(12), "4.1.12"),
    "tiger, three cards": (F(20), "4.1.12"),
    "banker_char_siu, 4 cards": (F(10), "4.1.13"),
    "banker_char_siu, 5 cards": (F(15), "4.1.13"),
    "banker_char_siu, 6 cards": (F(50), "4.1.13"),
    "player_char_siu, 4 cards": (F(10), "4.1.13"),
    "player_char_siu, 5 cards": (F(15), "4.1.13"),
    "player_char_siu, 6 cards": (F(50), "4.1.13"),
}

# 004: the Live page. Its lines are numbered by us: 3.1 is the first line of its payout table, 3.15 the last.
PAYS_LIVE_COMMISSION: Pays = {
    "banker": (F(95, 100), "3.1"),
    "player": (F(1), "3.4"),
    "tie": (F(8), "3.5"),
    "banker_pair": (F(11), "3.6"),
    "player_pair": (F(11), "3.7"),
    "big": (F(1, 2), "3.8"),
    "small": (F(3, 2), "3.9"),
    "player_natural_8": (F(8), "3.10"),
    "player_natural_9": (F(8), "3.11"),
    "banker_natural_8": (F(8), "3.12"),
    "banker_natural_9": (F(8), "3.13"),
    "super_6_plus, two cards": (F(12), "3.14"),
    "super_6_plus, three cards": (F(18), "3.15"),
}

PAYS_LIVE_NO_COMMISSION: Pays = {
    "banker on 6": (F(1, 2), "3.2"),
    "banker": (F(1), "3.3"),
    "player": (F(1), "3.4"),
    "tie": (F(8), "3.5"),
    "banker_pair": (F(11), "3.6"),
    "player_pair": (F(11), "3.7"),
    "big": (F(1, 2), "3.8"),
    "small": (F(3, 2), "3.9"),
    "player_natural_8": (F(8), "3.10"),
    "player_natural_9": (F(8), "3.11"),
    "banker_natural_8": (F(8), "3.12"),
    "banker_natural_9": (F(8), "3.13"),
    "super_6_plus, two cards": (F(12), "3.14"),
    "super_6_plus, three cards": (F(18), "3.15"),
}

PAYS: dict[tuple[str, str], Pays] = {
    (TB_COMMISSION, "2024-05-14"): PAYS_TB_COMMISSION_2024,
    (TB_NON_COMMISSION, "2024-05-14"): PAYS_TB_NON_COMMISSION_2024,
    (TB_COMMISSION, "2025-11-21"): PAYS_TB_COMMISSION_2025,
    (TB_NON_COMMISSION, "2025-11-21"): PAYS_TB_NON_COMMISSION_2025,
    (LIVE_COMMISSION, "undated"): PAYS_LIVE_COMMISSION,
    (LIVE_NO_COMMISSION, "undated"): PAYS_LIVE_NO_COMMISSION,
}


def is_live(game: str) -> bool:
    """Whether a game is of the Live page, and not of the four Tiger Buffalo documents."""
    return game in (LIVE_COMMISSION, LIVE_NO_COMMISSION)


# ----------------------------------------------------------------------------------------------------------
# Layouts: each letter is one appendix; its bets come from the lists in 4.1, its positions from the headings.
# Errata (E4): O of 000 is 1-6 as in its own heading; P of 003 is 1-6 as in 000; where a heading is lost, the
# table of contents counts.

LAYOUTS_2024: dict[str, tuple[int, int]] = {
    "A": (1, 6),
    "B": (1, 6),
    "C": (1, 6),
    "D": (1, 5),
    "E": (1, 5),
    "F": (1, 5),
    "G": (1, 6),
    "H": (1, 6),
    "I": (1, 5),
    "J": (1, 6),
    "K": (10, 16),
}

LAYOUTS_2025: dict[str, tuple[int, int]] = {
    "A": (1, 6),
    "B": (1, 6),
    "C": (1, 6),
    "D": (1, 5),
    "E": (1, 5),
    "F": (1, 5),
    "G": (1, 6),
    "H": (1, 6),
    "I": (1, 5),
    "J": (1, 6),
    "K": (10, 16),
    "L": (1, 6),
    "M": (1, 6),
    "N": (1, 6),
    "O": (1, 6),
    "P": (1, 6),
    "Q": (1, 6),
}

# The same letters in the commission and in the non-commission document of each date (read in both).
APPLICABLE_2024: dict[str, str] = {
    "player": "ABCDEFGHIJK",
    "banker": "ABCDEFGHIJK",
    "tie": "ABCDEFGHIJK",
    "player_pair": "ABDEGJK",
    "banker_pair": "ABDEGJK",
    "big_tiger": "ABCDEFGHIJK",
    "small_tiger": "ABCDEFGHIJK",
    "big_buffalo": "ABCDEFGHIJK",
    "small_buffalo": "ABCDEFGHIJK",
    "tiger_buffalo": "CFHI",
    "wu_dalang": "CFHI",
    "player_char_siu": "ABCDEFGHIJK",
    "banker_char_siu": "ABCDEFGHIJK",
}

APPLICABLE_2025: dict[str, str] = {
    "player": "ABCDEFGHIJKLMNOPQ",
    "banker": "ABCDEFGHIJKLMNOPQ",
    "tie": "ABCDEFGHIJKLMNOPQ",
    "player_pair": "ABDEGJK",
    "banker_pair": "ABDEGJK",
    "big_tiger": "ABCDEFGHIJKLNOPQ",
    "small_tiger": "ABCDEFGHIJKLNOPQ",
    "big_buffalo": "ABCDEFGHIJKLNOPQ",
    "small_buffalo": "ABCDEFGHIJKLNOPQ",
    "banker_big_7": "M",
    "banker_small_7": "M",
    "player_big_7": "M",
    "player_small_7": "M",
    "tiger_buffalo": "CFHI",
    "tiger_pair": "M",
    "tiger_tie": "LNOPQ",
    "wu_dalang": "CFHIM",
    "tiger": "M",
    "player_char_siu": "ABCDEFGHIJKLNOPQ",
    "banker_char_siu": "ABCDEFGHIJKLNOPQ",
}

LIVE_BETS: tuple[str, ...] = (
    "player",
    "banker",
    "tie",
    "player_pair",
    "banker_pair",
    "big",
    "small",
    "player_natural_8",
    "player_natural_9",
    "banker_natural_8",
    "banker_natural_9",
    "super_6_plus",
)


def layouts(game: str, edition: str) -> tuple[str, ...]:
    """The layouts an edition may be played on."""
    if is_live(game):
        return ("live",)
    if edition == "2024-05-14":
        return tuple(LAYOUTS_2024)
    return tuple(LAYOUTS_2025)


def positions(game: str, edition: str, layout: str) -> tuple[int, int] | None:
    """Fewest and most playing positions of a layout; the Live page states none."""
    if is_live(game):
        return None
    if edition == "2024-05-14":
        return LAYOUTS_2024[layout]
    return LAYOUTS_2025[layout]


def bets_on(game: str, edition: str, layout: str) -> tuple[str, ...]:
    """The bets of a layout (W3), in the order of ALL_BETS; Live: as long as none is closed (L4)."""
    if is_live(game):
        return LIVE_BETS
    applicable = APPLICABLE_2025
    if edition == "2024-05-14":
        applicable = APPLICABLE_2024
    on_layout = []
    for bet in ALL_BETS:
        if bet in applicable and layout in applicable[bet]:
            on_layout.append(bet)
    return tuple(on_layout)


@cache
def bets_of(game: str, edition: str) -> tuple[str, ...]:
    """Every bet that some layout of the edition has."""
    bets = []
    for bet in ALL_BETS:
        for layout in layouts(game, edition):
            if bet in bets_on(game, edition, layout) and bet not in bets:
                bets.append(bet)
    return tuple(bets)


# ----------------------------------------------------------------------------------------------------------
# The bets


def winning_row(bet: str, pays: Pays, player: Sequence[str], banker: Sequence[str]) -> str | None:
    """The row of the pay table that a bet wins by with these final hands, or None when it does not win."""
    won_by = winner(player, banker)
    player_points = points(player)
    banker_points = points(banker)
    all_cards = len(player) + len(banker)

    # the main bets
    if bet == "player" and won_by == "player":
        return "player"
    if bet == "banker" and won_by == "banker":
        if banker_points == 6 and "banker on 6" in pays:
            return "banker on 6"
        return "banker"
    if bet == "tie" and won_by == "tie":
        return "tie"

    # pairs in the first two cards
    if bet == "player_pair" and is_pair(player):
        return "player_pair"
    if bet == "banker_pair" and is_pair(banker):
        return "banker_pair"
    if bet == "tiger_pair":
        if is_pair(player) and is_pair(banker) and rank(player[0]) == rank(banker[0]):
            return "tiger_pair, twin"
        if is_pair(player) and is_pair(banker):
            return "tiger_pair, double"
        if is_pair(player) or is_pair(banker):
            return "tiger_pair, single"

    # winning with six
    if bet == "big_tiger" and won_by == "banker" and banker_points == 6 and len(banker) == 3:
        return "big_tiger"
    if bet == "small_tiger" and won_by == "banker" and banker_points == 6 and len(banker) == 2:
        return "small_tiger"
    if bet == "tiger" and won_by == "banker" and banker_points == 6:
        if len(banker) == 2:
            return "tiger, two cards"
        return "tiger, three cards"
    if bet == "super_6_plus" and won_by == "banker" and banker_points == 6:
        if len(banker) == 2:
            return "super_6_plus, two cards"
        return "super_6_plus, three cards"
    if bet == "big_buffalo" and won_by == "player" and player_points == 6 and len(player) == 3:
        return "big_buffalo"
    if bet == "small_buffalo" and won_by == "player" and player_points == 6 and len(player) == 2:
        return "small_buffalo"
    if bet == "tiger_buffalo" and won_by == "banker" and banker_points == 6:
        return "tiger_buffalo"
    if bet == "tiger_buffalo" and won_by == "player" and player_points == 6:
        return "tiger_buffalo"
    if bet == "tiger_tie" and won_by == "tie" and player_points == 6:
        return "tiger_tie"

    # winning with seven
    if bet == "banker_big_7" and won_by == "banker" and banker_points == 7 and len(banker) == 3:
        return "banker_big_7"
    if bet == "banker_small_7" and won_by == "banker" and banker_points == 7 and len(banker) == 2:
        return "banker_small_7"
    if bet == "player_big_7" and won_by == "player" and player_points == 7 and len(player) == 3:
        return "player_big_7"
    if bet == "player_small_7" and won_by == "player" and player_points == 7 and len(player) == 2:
        return "player_small_7"

    # winning with one, and by one
    if bet == "wu_dalang" and won_by == "player" and player_points == 1:
        return "wu_dalang"
    if bet == "player_char_siu" and player_points in (7, 8, 9) and banker_points == player_points - 1:
        return f"player_char_siu, {all_cards} cards"
    if bet == "banker_char_siu" and banker_points in (7, 8, 9) and player_points == banker_points - 1:
        return f"banker_char_siu, {all_cards} cards"

    # the Live page's own
    if bet == "small" and all_cards == 4:
        return "small"
    if bet == "big" and all_cards in (5, 6):
        return "big"
    if bet == "player_natural_8" and won_by == "player" and player_points == 8 and len(player) == 2:
        return "player_natural_8"
    if bet == "player_natural_9" and won_by == "player" and player_points == 9 and len(player) == 2:
        return "player_natural_9"
    if bet == "banker_natural_8" and won_by == "banker" and banker_points == 8 and len(banker) == 2:
        return "banker_natural_8"
    if bet == "banker_natural_9" and won_by == "banker" and banker_points == 9 and len(banker) == 2:
        return "banker_natural_9"

    return None


def losing_row(bet: str) -> str:
    """The row whose paragraph a lost bet names (M3)."""
    if bet == "tiger_pair":
        return "tiger_pair, single"
    if bet == "tiger":
        return "tiger, two cards"
    if bet == "super_6_plus":
        return "super_6_plus, two cards"
    if bet == "player_char_siu":
        return "player_char_siu, 4 cards"
    if bet == "banker_char_siu":
        return "banker_char_siu, 4 cards"
    return bet


def settle_bet(game: str, edition: str, bet: str, player_cards: Sequence[str], banker_cards: Sequence[str]) -> Line:
    """Result, odds and paragraph of one bet with the final hands of a round."""
    pays = PAYS[(game, edition)]
    if bet in ("player", "banker") and winner(player_cards, banker_cards) == "tie":
        return "returned", None, "4.1" if is_live(game) else "3.17"
    row = winning_row(bet, pays, player_cards, banker_cards)
    if row is not None:
        odds, paragraph = pays[row]
        return "won", odds, paragraph
    return "lost", None, pays[losing_row(bet)][1]


# ----------------------------------------------------------------------------------------------------------
# Insurance. Each row: points of the insured hand, of the other one, odds, paid on a tie too (the star).
# One table per document, typed from it: 4.1.9, 4.1.8, 4.1.15, 4.1.14 and the Live page's.

Row = tuple[str, str, F, bool]
Table = dict[tuple[str, str], tuple[Row, ...]]

# 001
INSURANCE_TB_COMMISSION_2024: Table = {
    ("player_insurance", "four-cards"): (
        ("5", "4", F(3, 2), False),
        ("6", "0-5", F(5, 2), False),
        ("7", "0-5", F(4), False),
    ),
    ("player_insurance", "player-third"): (
        ("5", "0-4", F(3, 2), False),
        ("6", "0-5", F(5, 2), False),
        ("7", "0-6", F(4), False),
        ("8", "0-6", F(10), False),
        ("9", "0-6", F(10), True),
    ),
    ("banker_insurance", "four-cards"): (
        ("4", "0-3", F(3, 2), False),
        ("5", "0-4", F(3, 2), False),
        ("6", "0-5", F(5, 2), False),
        ("7", "0-5", F(4), False),
    ),
    ("banker_insurance", "player-third"): (
        ("1-6", "0", F(10), True),
        ("1", "1", F(6), False),
        ("2-6", "1", F(10), False),
        ("3-6", "2", F(4), False),
        ("4", "3", F(5, 2), False),
    ),
}

# 002
INSURANCE_TB_NON_COMMISSION_2024: Table = {
    ("player_insurance", "four-cards"): (
        ("5", "4", F(3, 2), False),
        ("6", "0-5", F(5, 2), False),
        ("7", "0-5", F(4), False),
    ),
    ("player_insurance", "player-third"): (
        ("5", "0-4", F(3, 2), False),
        ("6", "0-5", F(5, 2), False),
        ("7", "0-6", F(4), False),
        ("8", "0-6", F(10), False),
        ("9", "0-6", F(10), True),
    ),
    ("banker_insurance", "four-cards"): (
        ("4", "0-3", F(3, 2), False),
        ("5", "0-4", F(3, 2), False),
        ("6", "0-5", F(5, 2), False),
        ("7", "0-5", F(4), False),
    ),
    ("banker_insurance", "player-third"): (
        ("1-6", "0", F(10), True),
        ("1", "1", F(6), False),
        ("2-6", "1", F(10), False),
        ("3-6", "2", F(4), False),
        ("4", "3", F(5, 2), False),
    ),
}

# 003
INSURANCE_TB_COMMISSION_2025: Table = {
    ("player_insurance", "four-cards"): (
        ("5", "4", F(3, 2), False),
        ("6", "0-5", F(5, 2), False),
        ("7", "0-5", F(4), False),
    ),
    ("player_insurance", "player-third"): (
        ("5", "0-4", F(3, 2), False),
        ("6", "0-5", F(5, 2), False),
        ("7", "0-6", F(4), False),
        ("8", "0-6", F(10), False),
        ("9", "0-6", F(10), True),
    ),
    ("banker_insurance", "four-cards"): (
        ("4", "0-3", F(3, 2), False),
        ("5", "0-4", F(3, 2), False),
        ("6", "0-5", F(5, 2), False),
        ("7", "0-5", F(4), False),
    ),
    ("banker_insurance", "player-third"): (
        ("1-6", "0", F(10), True),
        ("1", "1", F(6), False),
        ("2-6", "1", F(10), False),
        ("3-6", "2", F(4), False),
        ("4", "3", F(5, 2), False),
    ),
}

# 000
INSURANCE_TB_NON_COMMISSION_2025: Table = {
    ("player_insurance", "four-cards"): (
        ("5", "4", F(3, 2), False),
        ("6", "0-5", F(5, 2), False),
        ("7", "0-5", F(4), False),
    ),
    ("player_insurance", "player-third"): (
        ("5", "0-4", F(3, 2), False),
        ("6", "0-5", F(5, 2), False),
        ("7", "0-6", F(4), False),
        ("8", "0-6", F(10), False),
        ("9", "0-6", F(10), True),
    ),
    ("banker_insurance", "four-cards"): (
        ("4", "0-3", F(3, 2), False),
        ("5", "0-4", F(3, 2), False),
        ("6", "0-5", F(5, 2), False),
        ("7", "0-5", F(4), False),
    ),
    ("banker_insurance", "player-third"): (
        ("1-6", "0", F(10), True),
        ("1", "1", F(6), False),
        ("2-6", "1", F(10), False),
        ("3-6", "2", F(4), False),
        ("4", "3", F(5, 2), False),
    ),
}

# 004
INSURANCE_LIVE: Table = {
    ("player_insurance", "four-cards"): (
        ("5", "4", F("1.5"), False),
        ("6", "0-5", F("2.5"), False),
        ("7", "0-5", F(4), False),
    ),
    ("player_insurance", "player-third"): (
        ("5", "0-4", F("1.5"), False),
        ("6", "0-5", F("2.5"), False),
        ("7", "0-6", F(4), False),
        ("8", "0-6", F(10), False),
        ("9", "0-6", F(10), True),
    ),
    ("banker_insurance", "four-cards"): (
        ("4", "0-3", F("1.5"), False),
        ("5", "0-4", F("1.5"), False),
        ("6", "0-5", F("2.5"), False),
        ("7", "0-5", F(4), False),
    ),
    ("banker_insurance", "player-third"): (
        ("1-6", "0", F(10), True),
        ("1", "1", F(6), False),
        ("2-6", "1", F(10), False),
        ("3-6", "2", F(4), False),
        ("4", "3", F("2.5"), False),
    ),
}

INSURANCE: dict[tuple[str, str], tuple[Table, str]] = {
    (TB_COMMISSION, "2024-05-14"): (INSURANCE_TB_COMMISSION_2024, "4.1.9"),
    (TB_NON_COMMISSION, "2024-05-14"): (INSURANCE_TB_NON_COMMISSION_2024, "4.1.8"),
    (TB_COMMISSION, "2025-11-21"): (INSURANCE_TB_COMMISSION_2025, "4.1.15"),
    (TB_NON_COMMISSION, "2025-11-21"): (INSURANCE_TB_NON_COMMISSION_2025, "4.1.14"),
    (LIVE_COMMISSION, "undated"): (INSURANCE_LIVE, "5.5"),
    (LIVE_NO_COMMISSION, "undated"): (INSURANCE_LIVE, "5.5"),
}


def within(total: int, printed: str) -> bool:
    """Is a point total in "4" or in "0-5"?"""
    if "-" in printed:
        lowest, highest = printed.split("-")
        return int(lowest) <= total <= int(highest)
    return total == int(printed)


def more_to_come(after: str, player: Sequence[str], banker: Sequence[str]) -> bool:
    """P2 (b): the moment has been reached, and at least one more card is due."""
    player_points = points(player[:2])
    banker_points = points(banker[:2])
    if after == "four-cards":
        if player_draws(player_points, banker_points):
            return True
        return banker_draws(banker_points, player_points, None)
    if len(player) < 3:  # when the Player stands there is no second moment
        return False
    return banker_draws(banker_points, player_points, value(player[2]))


def offer(
    game: str, edition: str, after: str, player: Sequence[str], banker: Sequence[str]
) -> tuple[str, F, bool] | None:
    """The insurance on offer at a moment: which bet, its odds, does the starred tie pay. None: no offer.

    Both hands may be given with later cards as well: what was not yet exposed at the moment is left aside.
    There is never more than one, because no pair of points stands in the Player's and in the Banker's rows.
    """
    if not more_to_come(after, player, banker):
        return None
    player_points = points(player[:2])
    if after == "player-third":
        player_points = points(player[:3])
    banker_points = points(banker[:2])
    table, _ = INSURANCE[(game, edition)]
    for own, other, odds, paid_on_tie in table[("player_insurance", after)]:
        if within(player_points, own) and within(banker_points, other):
            return "player_insurance", odds, paid_on_tie
    for own, other, odds, paid_on_tie in table[("banker_insurance", after)]:
        if within(banker_points, own) and within(player_points, other):
            return "banker_insurance", odds, paid_on_tie
    return None


def settle_insurance(
    game: str, edition: str, bet: str, after: str, player_cards: Sequence[str], banker_cards: Sequence[str]
) -> Line | None:
    """Result, odds and paragraph of insurance taken at a moment (P5); None if it was not on offer then."""
    offered = offer(game, edition, after, player_cards, banker_cards)
    if offered is None:
        return None
    offered_bet, odds, paid_on_tie = offered
    if offered_bet != bet:
        return None
    paragraph = INSURANCE[(game, edition)][1]
    won_by = winner(player_cards, banker_cards)
    if won_by == "tie":
        # The starred rows: a Player hand of 9 can only tie at 9, and a Player hand of 0 only at 0.
        if paid_on_tie and bet == "player_insurance":
            return "won", odds, "5.6.1" if is_live(game) else "4.2.1.a"
        if paid_on_tie and bet == "banker_insurance":
            return "won", odds, "5.6.2" if is_live(game) else "4.2.1.b"
        return "returned", None, "5.6" if is_live(game) else "4.2.1"
    if bet == "player_insurance" and won_by == "banker":
        return "won", odds, paragraph
    if bet == "banker_insurance" and won_by == "player":
        return "won", odds, paragraph
    return "lost", None, paragraph


# ----------------------------------------------------------------------------------------------------------
# Records of `punto settle`


def winnings_in_cents(stake_cents: int, odds: F) -> int:
    """Stake times odds, to the nearest cent; half a cent goes to the patron (M1)."""
    exact = stake_cents * odds
    return (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)


def cents(amount: str) -> int:
    """ "100.00" is 10000 cents."""
    return int(F(amount) * 100)


def amount(in_cents: int) -> str:
    """10000 cents are "100.00"."""
    return f"{in_cents // 100}.{in_cents % 100:02d}"


def edition_of(record: Mapping[str, Any]) -> str:
    """The edition a record names, or the one in force on its date (E1, E5), or now."""
    if "edition" in record:
        return str(record["edition"])
    if is_live(record["game"]):
        return "undated"
    singapore = dt.timezone(dt.timedelta(hours=8))
    if "on" not in record:
        instant = dt.datetime.now(singapore)
    elif len(record["on"]) == len("2025-11-21"):
        instant = dt.datetime.fromisoformat(record["on"] + "T08:00:00+08:00")
    else:
        instant = dt.datetime.fromisoformat(record["on"])
        if instant.tzinfo is None:
            instant = instant.replace(tzinfo=singapore)
    if instant >= dt.datetime(2025, 11, 21, 8, 0, tzinfo=singapore):
        return "2025-11-21"
    return "2024-05-14"


def settled_line(wager: Mapping[str, Any], settled: Line) -> dict[str, Any]:
    """One line of the answer."""
    result, odds, paragraph = settled
    stake_cents = cents(wager["stake"])
    won_cents = 0
    back_cents = 0
    if result == "won" and odds is not None:
        won_cents = winnings_in_cents(stake_cents, odds)
        back_cents = stake_cents + won_cents
    if result == "returned":
        back_cents = stake_cents
    return {
        "id": wager.get("id"),
        "bet": wager["bet"],
        "result": result,
        "stake": amount(stake_cents),
        "odds": None if odds is None else str(odds),
        "winnings": amount(won_cents),
        "handed_back": amount(back_cents),
        "paragraph": paragraph,
    }


def settle_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of `punto settle` to a valid record: the wagers, then the insurance, in their order."""
    game = record["game"]
    edition = edition_of(record)
    player = record["player"]
    banker = record["banker"]
    lines = []
    for wager in record.get("wagers", ()):
        lines.append(settled_line(wager, settle_bet(game, edition, wager["bet"], player, banker)))
    for wager in record.get("insurance", ()):
        settled = settle_insurance(game, edition, wager["bet"], wager["after"], player, banker)
        if settled is None:
            raise ValueError(f"no {wager['bet']} was on offer after {wager['after']}")
        lines.append(settled_line(wager, settled))
    staked_cents = 0
    back_cents = 0
    for line in lines:
        staked_cents = staked_cents + cents(line["stake"])
        back_cents = back_cents + cents(line["handed_back"])
    return {
        "id": record.get("id"),
        "game": game,
        "edition": edition,
        "winner": winner(player, banker),
        "player_points": points(player),
        "banker_points": points(banker),
        "lines": lines,
        "staked": amount(staked_cents),
        "handed_back": amount(back_cents),
    }


# ----------------------------------------------------------------------------------------------------------
# Conclusively won or lost (W4), by trying every way the round can go on
#
# All 13 ranks for each of up to six hidden cards would be millions of rounds. But whether a bet wins, loses
# or is returned asks only four things of a hand: the points of its first two cards, whether these two are a
# pair, whether there is a third card, and what that one counts. (A pair's rank tells double from twin: how
# much a Tiger Pair pays, but not whether it wins.) Two rounds that agree on these are the same round to every
# bet. So one example of each kind stands for all of its kind: first two cards give at most 15 kinds (10
# points without a pair, 5 with one), a third card gives 10. test_plain.py compares this with all the ranks,
# card by card.


@cache
def example(total: int, pair: bool) -> tuple[str, str]:
    """Two cards with these points that are, or are not, a pair: always the same two."""
    for first_rank in RANKS:
        for two in RANKS:
            if points((first_rank, two)) == total and (first_rank == two) == pair:
                return first_rank, two
    raise ValueError(f"no pair has {total} points")


def first_two(first: str | None, second: str | None) -> list[tuple[str, str]]:
    """The example of every kind of first two cards; None is a hidden card, which may have any rank."""
    kinds = []
    for first_rank in RANKS if first is None else rank(first):
        for two in RANKS if second is None else rank(second):
            kind = (points((first_rank, two)), first_rank == two)
            if kind not in kinds:
                kinds.append(kind)
    return [example(total, pair) for total, pair in kinds]


def third(exposed: str | None) -> str:
    """One example of every value that a third card may have; ten and pictures are all shown as a ten."""
    if exposed is None:
        return "A23456789T"
    if value(exposed) == 0:
        return "T"
    return rank(exposed)


def completions(exposed: Mapping[str, str]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """An example of each kind of final hands that the exposed cards and the Table of Play allow.

    An exposed third card says that its hand drew: rounds in which that hand stands are not possible any more.
    """
    for player in first_two(exposed.get("P1"), exposed.get("P2")):
        player_points = points(player)
        for banker in first_two(exposed.get("B1"), exposed.get("B2")):
            banker_points = points(banker)
            player_hands: list[tuple[str, ...]] = []
            if player_draws(player_points, banker_points):
                for card in third(exposed.get("P3")):
                    player_hands.append((*player, card))
            elif "P3" not in exposed:
                player_hands.append(player)
            for player_hand in player_hands:
                player_third = None
                if len(player_hand) == 3:
                    player_third = value(player_hand[2])
                if banker_draws(banker_points, player_points, player_third):
                    for card in third(exposed.get("B3")):
                        yield player_hand, (*banker, card)
                elif "B3" not in exposed:
                    yield player_hand, banker


@cache
def results_of(game: str, edition: str, player: tuple[str, ...], banker: tuple[str, ...]) -> dict[str, str]:
    """won, lost or returned for every bet of an edition. Remembered: the same examples come up again."""
    results = {}
    for bet in bets_of(game, edition):
        results[bet] = settle_bet(game, edition, bet, player, banker)[0]
    return results


def conclusive(game: str, edition: str, layout: str, exposed: Mapping[str, str]) -> dict[str, str]:
    """The bets of a layout that every completion wins ("won") or every completion loses ("lost").

    exposed: any of "P1", "B1", "P2", "B2", "P3", "B3" with the rank that lies there. Cards that no round can hold
    (such as a Player's third card on a natural) prove nothing.
    """
    still_one_way = list(bets_on(game, edition, layout))  # bets that have gone only one way up to now
    way: dict[str, str] = {}
    for player, banker in completions(exposed):
        results = results_of(game, edition, player, banker)
        for bet in list(still_one_way):
            if bet not in way:
                way[bet] = results[bet]
            if way[bet] != results[bet] or results[bet] == "returned":
                still_one_way.remove(bet)
        if not still_one_way:
            break
    return {bet: way[bet] for bet in still_one_way if bet in way}
