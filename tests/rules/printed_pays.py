"""The pay tables of the documents typed in a second time, by hand. Nothing here is read from the editions' data."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

TB_2024: Final = "tiger-buffalo-commission/2024-05-14"
TB_2025: Final = "tiger-buffalo-commission/2025-11-21"
TB_FREE_2024: Final = "tiger-buffalo-non-commission/2024-05-14"
TB_FREE_2025: Final = "tiger-buffalo-non-commission/2025-11-21"
LIVE: Final = "live-baccarat-insurance-commission/undated"
LIVE_FREE: Final = "live-baccarat-insurance-no-commission/undated"

# 4.1: paragraph | topic | layouts | bet | what wins | pays. A table that names no layout is for all of them.
PAYS_TEXT: Final = {
    TB_2024: """
    4.1.2 | pay.main                | A B C D E F G H I J K | banker          | Banker wins           | 0.95 to 1
    4.1.2 | pay.main                | A B C D E F G H I J K | player          | Player wins           | 1 to 1
    4.1.3 | pay.tie                 | A B C D E F G H I J K | tie             | Tie                   | 8 to 1
    4.1.4 | pay.pairs               | A B D E G J K         | banker_pair     | Banker pair           | 11 to 1
    4.1.4 | pay.pairs               | A B D E G J K         | player_pair     | Player pair           | 11 to 1
    4.1.5 | pay.tigers-and-buffalos | A B C D E F G H I J K | big_tiger       | Banker 6, three cards | 50 to 1
    4.1.5 | pay.tigers-and-buffalos | A B C D E F G H I J K | small_tiger     | Banker 6, two cards   | 22 to 1
    4.1.5 | pay.tigers-and-buffalos | A B C D E F G H I J K | big_buffalo     | Player 6, three cards | 35 to 1
    4.1.5 | pay.tigers-and-buffalos | A B C D E F G H I J K | small_buffalo   | Player 6, two cards   | 20 to 1
    4.1.6 | pay.tiger-buffalo       | C F H I               | tiger_buffalo   | Either 6              | 6 to 1
    4.1.7 | pay.wu-dalang           | C F H I               | wu_dalang       | Player 1              | 150 to 1
    4.1.8 | pay.char-siu            | A B C D E F G H I J K | banker_char_siu | Banker by 1, 4 cards  | 10 to 1
    4.1.8 | pay.char-siu            | A B C D E F G H I J K | banker_char_siu | Banker by 1, 5 cards  | 15 to 1
    4.1.8 | pay.char-siu            | A B C D E F G H I J K | banker_char_siu | Banker by 1, 6 cards  | 50 to 1
    4.1.8 | pay.char-siu            | A B C D E F G H I J K | player_char_siu | Player by 1, 4 cards  | 10 to 1
    4.1.8 | pay.char-siu            | A B C D E F G H I J K | player_char_siu | Player by 1, 5 cards  | 15 to 1
    4.1.8 | pay.char-siu            | A B C D E F G H I J K | player_char_siu | Player by 1, 6 cards  | 50 to 1
    """,
    TB_FREE_2024: """
    4.1.1 | pay.main                | A B C D E F G H I J K | banker          | Banker wins on 6      | 1 to 2
    4.1.1 | pay.main                | A B C D E F G H I J K | banker          | Banker wins on other  | 1 to 1
    4.1.1 | pay.main                | A B C D E F G H I J K | player          | Player wins           | 1 to 1
    4.1.2 | pay.tie                 | A B C D E F G H I J K | tie             | Tie                   | 8 to 1
    4.1.3 | pay.pairs               | A B D E G J K         | banker_pair     | Banker pair           | 11 to 1
    4.1.3 | pay.pairs               | A B D E G J K         | player_pair     | Player pair           | 11 to 1
    4.1.4 | pay.tigers-and-buffalos | A B C D E F G H I J K | big_tiger       | Banker 6, three cards | 50 to 1
    4.1.4 | pay.tigers-and-buffalos | A B C D E F G H I J K | small_tiger     | Banker 6, two cards   | 22 to 1
    4.1.4 | pay.tigers-and-buffalos | A B C D E F G H I J K | big_buffalo     | Player 6, three cards | 35 to 1
    4.1.4 | pay.tigers-and-buffalos | A B C D E F G H I J K | small_buffalo   | Player 6, two cards   | 20 to 1
    4.1.5 | pay.tiger-buffalo       | C F H I               | tiger_buffalo   | Either 6              | 6 to 1
    4.1.6 | pay.wu-dalang           | C F H I               | wu_dalang       | Player 1              | 150 to 1
    4.1.7 | pay.char-siu            | A B C D E F G H I J K | banker_char_siu | Banker by 1, 4 cards  | 10 to 1
    4.1.7 | pay.char-siu            | A B C D E F G H I J K | banker_char_siu | Banker by 1, 5 cards  | 15 to 1
    4.1.7 | pay.char-siu            | A B C D E F G H I J K | banker_char_siu | Banker by 1, 6 cards  | 50 to 1
    4.1.7 | pay.char-siu            | A B C D E F G H I J K | player_char_siu | Player by 1, 4 cards  | 10 to 1
    4.1.7 | pay.char-siu            | A B C D E F G H I J K | player_char_siu | Player by 1, 5 cards  | 15 to 1
    4.1.7 | pay.char-siu            | A B C D E F G H I J K | player_char_siu | Player by 1, 6 cards  | 50 to 1
    """,
    TB_2025: """
    4.1.2  | pay.main          | A B C D E F G H I J K L M N O P Q | banker          | Banker wins           | 0.95 to 1
    4.1.2  | pay.main          | A B C D E F G H I J K L M N O P Q | player          | Player wins           | 1 to 1
    4.1.3  | pay.tie           | A B C D E F G H I J K L M N O P Q | tie             | Tie                   | 8 to 1
    4.1.4  | pay.pairs         | A B D E G J K                     | banker_pair     | Banker pair           | 11 to 1
    4.1.4  | pay.pairs         | A B D E G J K                     | player_pair     | Player pair           | 11 to 1
    4.1.5  | pay.tigers        | A B C D E F G H I J K L N O P Q   | big_tiger       | Banker 6, three cards | 50 to 1
    4.1.5  | pay.tigers        | A B C D E F G H I J K L N O P Q   | small_tiger     | Banker 6, two cards   | 22 to 1
    4.1.6  | pay.buffalos      | A B C D E F G H I J K L N O P Q   | big_buffalo     | Player 6, three cards | 35 to 1
    4.1.6  | pay.buffalos      | A B C D E F G H I J K L N O P Q   | small_buffalo   | Player 6, two cards   | 20 to 1
    4.1.7  | pay.banker-7      | M                                 | banker_big_7    | Banker 7, three cards | 30 to 1
    4.1.7  | pay.banker-7      | M                                 | banker_small_7  | Banker 7, two cards   | 15 to 1
    4.1.8  | pay.player-7      | M                                 | player_big_7    | Player 7, three cards | 30 to 1
    4.1.8  | pay.player-7      | M                                 | player_small_7  | Player 7, two cards   | 15 to 1
    4.1.9  | pay.tiger-buffalo | C F H I                           | tiger_buffalo   | Either 6              | 6 to 1
    4.1.10 | pay.tiger-pair    | M                                 | tiger_pair      | Single pair           | 4 to 1
    4.1.10 | pay.tiger-pair    | M                                 | tiger_pair      | Double pair           | 20 to 1
    4.1.10 | pay.tiger-pair    | M                                 | tiger_pair      | Twin pair             | 100 to 1
    4.1.11 | pay.tiger-tie     | L N O P Q                         | tiger_tie       | Tie on 6              | 35 to 1
    4.1.12 | pay.wu-dalang     | C F H I M                         | wu_dalang       | Player 1              | 150 to 1
    4.1.13 | pay.tiger         | M                                 | tiger           | Banker 6, two cards   | 12 to 1
    4.1.13 | pay.tiger         | M                                 | tiger           | Banker 6, three cards | 20 to 1
    4.1.14 | pay.char-siu      | A B C D E F G H I J K L N O P Q   | banker_char_siu | Banker by 1, 4 cards  | 10 to 1
    4.1.14 | pay.char-siu      | A B C D E F G H I J K L N O P Q   | banker_char_siu | Banker by 1, 5 cards  | 15 to 1
    4.1.14 | pay.char-siu      | A B C D E F G H I J K L N O P Q   | banker_char_siu | Banker by 1, 6 cards  | 50 to 1
    4.1.14 | pay.char-siu      | A B C D E F G H I J K L N O P Q   | player_char_siu | Player by 1, 4 cards  | 10 to 1
    4.1.14 | pay.char-siu      | A B C D E F G H I J K L N O P Q   | player_char_siu | Player by 1, 5 cards  | 15 to 1
    4.1.14 | pay.char-siu      | A B C D E F G H I J K L N O P Q   | player_char_siu | Player by 1, 6 cards  | 50 to 1
    """,
    TB_FREE_2025: """
    4.1.1  | pay.main          | A B C D E F G H I J K L M N O P Q | banker          | Banker wins on 6      | 1 to 2
    4.1.1  | pay.main          | A B C D E F G H I J K L M N O P Q | banker          | Banker wins on other  | 1 to 1
    4.1.1  | pay.main          | A B C D E F G H I J K L M N O P Q | player          | Player wins           | 1 to 1
    4.1.2  | pay.tie           | A B C D E F G H I J K L M N O P Q | tie             | Tie                   | 8 to 1
    4.1.3  | pay.pairs         | A B D E G J K                     | banker_pair     | Banker pair           | 11 to 1
    4.1.3  | pay.pairs         | A B D E G J K                     | player_pair     | Player pair           | 11 to 1
    4.1.4  | pay.tigers        | A B C D E F G H I J K L N O P Q   | big_tiger       | Banker 6, three cards | 50 to 1
    4.1.4  | pay.tigers        | A B C D E F G H I J K L N O P Q   | small_tiger     | Banker 6, two cards   | 22 to 1
    4.1.5  | pay.buffalos      | A B C D E F G H I J K L N O P Q   | big_buffalo     | Player 6, three cards | 35 to 1
    4.1.5  | pay.buffalos      | A B C D E F G H I J K L N O P Q   | small_buffalo   | Player 6, two cards   | 20 to 1
    4.1.6  | pay.banker-7      | M                                 | banker_big_7    | Banker 7, three cards | 30 to 1
    4.1.6  | pay.banker-7      | M                                 | banker_small_7  | Banker 7, two cards   | 15 to 1
    4.1.7  | pay.player-7      | M                                 | player_big_7    | Player 7, three cards | 30 to 1
    4.1.7  | pay.player-7      | M                                 | player_small_7  | Player 7, two cards   | 15 to 1
    4.1.8  | pay.tiger-buffalo | C F H I                           | tiger_buffalo   | Either 6              | 6 to 1
    4.1.9  | pay.tiger-pair    | M                                 | tiger_pair      | Single pair           | 4 to 1
    4.1.9  | pay.tiger-pair    | M                                 | tiger_pair      | Double pair           | 20 to 1
    4.1.9  | pay.tiger-pair    | M                                 | tiger_pair      | Twin pair             | 100 to 1
    4.1.10 | pay.tiger-tie     | L N O P Q                         | tiger_tie       | Tie on 6              | 35 to 1
    4.1.11 | pay.wu-dalang     | C F H I M                         | wu_dalang       | Player 1              | 150 to 1
    4.1.12 | pay.tiger         | M                                 | tiger           | Banker 6, two cards   | 12 to 1
    4.1.12 | pay.tiger         | M                                 | tiger           | Banker 6, three cards | 20 to 1
    4.1.13 | pay.char-siu      | A B C D E F G H I J K L N O P Q   | banker_char_siu | Banker by 1, 4 cards  | 10 to 1
    4.1.13 | pay.char-siu      | A B C D E F G H I J K L N O P Q   | banker_char_siu | Banker by 1, 5 cards  | 15 to 1
    4.1.13 | pay.char-siu      | A B C D E F G H I J K L N O P Q   | banker_char_siu | Banker by 1, 6 cards  | 50 to 1
    4.1.13 | pay.char-siu      | A B C D E F G H I J K L N O P Q   | player_char_siu | Player by 1, 4 cards  | 10 to 1
    4.1.13 | pay.char-siu      | A B C D E F G H I J K L N O P Q   | player_char_siu | Player by 1, 5 cards  | 15 to 1
    4.1.13 | pay.char-siu      | A B C D E F G H I J K L N O P Q   | player_char_siu | Player by 1, 6 cards  | 50 to 1
    """,
    LIVE: """
    3.1  | pay.banker             | live | banker           | Banker wins           | 0.95 to 1
    3.4  | pay.player             | live | player           | Player wins           | 1 to 1
    3.5  | pay.tie                | live | tie              | Tie                   | 8 to 1
    3.6  | pay.banker_pair        | live | banker_pair      | Banker pair           | 11 to 1
    3.7  | pay.player_pair        | live | player_pair      | Player pair           | 11 to 1
    3.8  | pay.big                | live | big              | 5 or 6 cards          | 0.5 to 1
    3.9  | pay.small              | live | small            | 4 cards               | 1.5 to 1
    3.10 | pay.player_natural_8   | live | player_natural_8 | Player natural 8      | 8 to 1
    3.11 | pay.player_natural_9   | live | player_natural_9 | Player natural 9      | 8 to 1
    3.12 | pay.banker_natural_8   | live | banker_natural_8 | Banker natural 8      | 8 to 1
    3.13 | pay.banker_natural_9   | live | banker_natural_9 | Banker natural 9      | 8 to 1
    3.14 | pay.super_6_plus.two   | live | super_6_plus     | Banker 6, two cards   | 12 to 1
    3.15 | pay.super_6_plus.three | live | super_6_plus     | Banker 6, three cards | 18 to 1
    """,
    LIVE_FREE: """
    3.2  | pay.banker-on-6        | live | banker           | Banker wins on 6      | 0.5 to 1
    3.3  | pay.banker             | live | banker           | Banker wins on other  | 1 to 1
    3.4  | pay.player             | live | player           | Player wins           | 1 to 1
    3.5  | pay.tie                | live | tie              | Tie                   | 8 to 1
    3.6  | pay.banker_pair        | live | banker_pair      | Banker pair           | 11 to 1
    3.7  | pay.player_pair        | live | player_pair      | Player pair           | 11 to 1
    3.8  | pay.big                | live | big              | 5 or 6 cards          | 0.5 to 1
    3.9  | pay.small              | live | small            | 4 cards               | 1.5 to 1
    3.10 | pay.player_natural_8   | live | player_natural_8 | Player natural 8      | 8 to 1
    3.11 | pay.player_natural_9   | live | player_natural_9 | Player natural 9      | 8 to 1
    3.12 | pay.banker_natural_8   | live | banker_natural_8 | Banker natural 8      | 8 to 1
    3.13 | pay.banker_natural_9   | live | banker_natural_9 | Banker natural 9      | 8 to 1
    3.14 | pay.super_6_plus.two   | live | super_6_plus     | Banker 6, two cards   | 12 to 1
    3.15 | pay.super_6_plus.three | live | super_6_plus     | Banker 6, three cards | 18 to 1
    """,
}


class Pays(NamedTuple):
    """One line of a printed pay table."""

    paragraph: str
    topic: str
    layouts: tuple[str, ...]
    bet: str
    event: str
    odds: Fraction


def cells(text: str) -> list[list[str]]:
    """A typed table, cell by cell."""
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


def _odds(text: str) -> Fraction:
    pays, on = text.split(" to ")
    return Fraction(pays) / Fraction(on)


PAYS: Final = {
    edition: tuple(
        Pays(number, topic, tuple(on.split()), bet, event, _odds(odds))
        for number, topic, on, bet, event, odds in cells(text)
    )
    for edition, text in PAYS_TEXT.items()
}
