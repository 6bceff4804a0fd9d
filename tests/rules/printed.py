"""The rule documents typed in a second time, by hand: paragraph numbers, layouts, drawing rules, insurance tables.

The pay tables are in `printed_pays`, section 5 in `printed_irregularities`. Nothing here is read from the editions'
data. What several documents print alike is typed once, and a comment says so.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from tests.rules.printed_irregularities import LIVE_TERMS, SECTION_5_2024, SECTION_5_2025
from tests.rules.printed_pays import LIVE, LIVE_FREE, PAYS, TB_2024, TB_2025, TB_FREE_2024, TB_FREE_2025, cells

# Section 1, in the order of each document.
DEFINITIONS: Final = {
    TB_2024: """
        1.1 table-of-play  1.2 banker_char_siu  1.3 bet  1.4 big_buffalo  1.5 big_tiger  1.6 card-shoe  1.7 dealer
        1.8 differential  1.9 shuffler  1.10 hand  1.11 house  1.12 insurance  1.13 natural  1.14 original-bet
        1.15 pit-employee  1.16 patron  1.17 player_char_siu  1.18 pair  1.19 point-total  1.20 reconstruction
        1.21 round  1.22 seated  1.23 small_buffalo  1.24 small_tiger  1.25 standing  1.26 tie  1.27 tiger_buffalo
        1.28 void  1.29 wu_dalang
    """,
    TB_FREE_2024: """
        1.1 table-of-play  1.2 banker_char_siu  1.3 bet  1.4 big_buffalo  1.5 big_tiger  1.6 card-shoe  1.7 dealer
        1.8 differential  1.9 shuffler  1.10 hand  1.11 house  1.12 insurance  1.13 natural  1.14 non-commission
        1.15 original-bet  1.16 pit-employee  1.17 patron  1.18 player_char_siu  1.19 pair  1.20 point-total
        1.21 reconstruction  1.22 round  1.23 seated  1.24 small_buffalo  1.25 small_tiger  1.26 standing  1.27 tie
        1.28 tiger_buffalo  1.29 void  1.30 wu_dalang
    """,
    TB_2025: """
        1.1 table-of-play  1.2 banker_big_7  1.3 banker_char_siu  1.4 banker_small_7  1.5 bet  1.6 big_buffalo
        1.7 big_tiger  1.8 card-shoe  1.9 cut-card  1.10 dealer  1.11 differential  1.12 shuffler  1.13 hand
        1.14 house  1.15 insurance  1.16 natural  1.17 original-bet  1.18 pit-employee  1.19 patron
        1.20 player_big_7  1.21 player_char_siu  1.22 pair  1.23 player_small_7  1.24 point-total
        1.25 reconstruction  1.26 round  1.27 seated  1.28 small_buffalo  1.29 small_tiger  1.30 standing  1.31 tie
        1.32 tiger  1.33 tiger_buffalo  1.34 tiger_pair  1.35 tiger_tie  1.36 void  1.37 wu_dalang
    """,
    TB_FREE_2025: """
        1.1 table-of-play  1.2 banker_big_7  1.3 banker_char_siu  1.4 banker_small_7  1.5 bet  1.6 big_buffalo
        1.7 big_tiger  1.8 card-shoe  1.9 cut-card  1.10 dealer  1.11 differential  1.12 shuffler  1.13 hand
        1.14 house  1.15 insurance  1.16 natural  1.17 non-commission  1.18 original-bet  1.19 pit-employee
        1.20 patron  1.21 player_big_7  1.22 player_char_siu  1.23 pair  1.24 player_small_7  1.25 point-total
        1.26 reconstruction  1.27 round  1.28 seated  1.29 small_buffalo  1.30 small_tiger  1.31 standing  1.32 tie
        1.33 tiger  1.34 tiger_buffalo  1.35 tiger_pair  1.36 tiger_tie  1.37 void  1.38 wu_dalang
    """,
}
CHAR_SIU_CASES: Final = ("7-v-6", "8-v-7", "9-v-8")  # .1, .2 and .3 of both Char Siu definitions

# Sections 2 and 3 and 4.2 have the same numbers in all four Tiger Buffalo documents.
PLAY: Final = """
    2.1.1 layout.which  2.1.1.a layout.boxes  2.2.1 cards.decks
    3.1 play.objective  3.2 card.values  3.2.1 card.ace  3.2.2 card.pips  3.2.3 card.picture  3.3 betting.opens
    3.4 limits.displayed  3.5 limits.patron-duty  3.6 box.balance-open  3.7 bets.which  3.8 betting.closes
    3.9 squeeze.who  3.10 deal.four-cards  3.11 insurance.right  3.12 insurance.when  3.12.1 insurance.situations
    3.12.2 insurance.stake-limit  3.13 third-card.rules  3.14 squeeze.banker-first  3.15 table-of-play
    3.16 hand.ranking  3.17 tie.returns
    4.2.1 insurance.tie  4.2.1.a insurance.tie-at-9  4.2.1.b insurance.tie-at-0  4.2.2 insurance.not-offered
"""
INSURANCE_TABLE: Final = {TB_2024: "4.1.9", TB_FREE_2024: "4.1.8", TB_2025: "4.1.15", TB_FREE_2025: "4.1.14"}
COMMISSION: Final = {TB_2024: "4.1.1", TB_2025: "4.1.1"}

# The Live page numbers nothing: headings and bullets counted in page order. Both variants share it.
LIVE_PLAY: Final = """
    1.1 play.objective  1.1 hand.ranking  1.2 define.natural  1.3 third-card.drawing-rules
    2.1 table-of-play.player  2.2 third-card.rules  2.3 table-of-play
    4.1 tie.returns
    5.1 define.insurance  5.2 insurance.right  5.2 insurance.both-hands  5.3 insurance.when
    5.3.1 insurance.four-cards  5.3.2 insurance.player-third  5.4 insurance.stake-limit  5.5 insurance.table
    5.6 insurance.tie  5.6.1 insurance.tie-at-9  5.6.2 insurance.tie-at-0
    6.1 define.tie
    7.1 define.small  7.2 define.big  7.3 hands.big-small
    8.1 define.pair  8.2 hands.pairs
    9.1 define.natural-bets  9.2 natural-bets.lost  9.2.1 natural-bets.banker-8  9.2.2 natural-bets.player-8
    9.2.3 natural-bets.tie  9.3 hands.naturals
    10.1 define.super_6_plus  10.2 define.super_6_plus.two  10.3 define.super_6_plus.three  10.4 hands.super_6_plus
"""

LAYOUTS_2024: Final = "A B C D E F G H I J K"
LAYOUTS_2025: Final = "A B C D E F G H I J K L M N O P Q"
LAYOUTS: Final = {
    TB_2024: LAYOUTS_2024.split(),
    TB_FREE_2024: LAYOUTS_2024.split(),
    TB_2025: LAYOUTS_2025.split(),
    TB_FREE_2025: LAYOUTS_2025.split(),
    LIVE: ["live"],
    LIVE_FREE: ["live"],
}

# The bets of 3.7, as listed.
BETS_2024: Final = """
    player banker tie player_pair banker_pair big_tiger small_tiger big_buffalo small_buffalo tiger_buffalo wu_dalang
    player_char_siu banker_char_siu
"""
BETS_2025: Final = """
    player banker tie tiger_tie player_pair banker_pair big_tiger small_tiger big_buffalo small_buffalo banker_big_7
    banker_small_7 player_big_7 player_small_7 tiger_buffalo tiger_pair tiger wu_dalang player_char_siu banker_char_siu
"""
BETS: Final = {
    TB_2024: BETS_2024.split(),
    TB_FREE_2024: BETS_2024.split(),
    TB_2025: BETS_2025.split(),
    TB_FREE_2025: BETS_2025.split(),
}

# The Table of Play, the same in all five documents. Player draws on 0 to 5; Banker, if Player stood, too.
DRAWS_ALONE: Final = (0, 1, 2, 3, 4, 5)
STANDS: Final = (6, 7)
NATURALS: Final = (8, 9)
BANKER_DRAWS_ON: Final = {
    0: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    1: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    2: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    3: (0, 1, 2, 3, 4, 5, 6, 7, 9),
    4: (2, 3, 4, 5, 6, 7),
    5: (4, 5, 6, 7),
    6: (6, 7),
    7: (),
}

# The insurance pay tables, the same in all five documents (the Live page writes 1.5:1 for 3 to 2, 2.5:1 for 5 to 2).
# Bet | moment | Player points | Banker points | odds.
INSURANCE_TEXT: Final = """
    player_insurance | four-cards   | 5 | 4           | 3/2
    player_insurance | four-cards   | 6 | 0 1 2 3 4 5 | 5/2
    player_insurance | four-cards   | 7 | 0 1 2 3 4 5 | 4
    player_insurance | player-third | 5 | 0 1 2 3 4   | 3/2
    player_insurance | player-third | 6 | 0 1 2 3 4 5 | 5/2
    player_insurance | player-third | 7 | 0 1 2 3 4 5 6 | 4
    player_insurance | player-third | 8 | 0 1 2 3 4 5 6 | 10
    player_insurance | player-third | 9 | 0 1 2 3 4 5 6 | 10
    banker_insurance | four-cards   | 0 1 2 3     | 4 | 3/2
    banker_insurance | four-cards   | 0 1 2 3 4   | 5 | 3/2
    banker_insurance | four-cards   | 0 1 2 3 4 5 | 6 | 5/2
    banker_insurance | four-cards   | 0 1 2 3 4 5 | 7 | 4
    banker_insurance | player-third | 0 | 1 2 3 4 5 6 | 10
    banker_insurance | player-third | 1 | 1           | 6
    banker_insurance | player-third | 1 | 2 3 4 5 6   | 10
    banker_insurance | player-third | 2 | 3 4 5 6     | 4
    banker_insurance | player-third | 3 | 4           | 5/2
"""


INSURANCE: Final = {
    (moment, int(player), int(banker)): (bet, Fraction(odds))
    for bet, moment, players, bankers, odds in cells(INSURANCE_TEXT)
    for player in players.split()
    for banker in bankers.split()
}


def _numbers(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[1::2], words[::2], strict=True))


def _of_section_1(text: str) -> dict[str, str]:
    numbers = {f"define.{word}": number for word, number in _numbers(text).items()}
    for bet in ("define.banker_char_siu", "define.player_char_siu"):
        numbers |= {f"{bet}.{case}": f"{numbers[bet]}.{at}" for at, case in enumerate(CHAR_SIU_CASES, start=1)}
    return numbers


def _of_edition(edition: str) -> dict[str, str]:
    numbers = {row.topic: row.paragraph for row in PAYS[edition]}
    if edition not in DEFINITIONS:
        return numbers | _numbers(LIVE_PLAY) | _numbers(LIVE_TERMS)
    numbers |= _of_section_1(DEFINITIONS[edition]) | _numbers(PLAY)
    numbers |= _numbers(SECTION_5_2024 if edition in (TB_2024, TB_FREE_2024) else SECTION_5_2025)
    numbers["insurance.table"] = INSURANCE_TABLE[edition]
    if edition in COMMISSION:
        numbers["pay.commission"] = COMMISSION[edition]
    return numbers


NUMBERS: Final = {edition: _of_edition(edition) for edition in PAYS}
"""Edition → topic → the number of its paragraph, for sections 1 to 5 (Live: 1 to 11)."""
