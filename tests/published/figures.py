"""Published figures, typed in from their sources. Nothing here is computed.

Sources, by the short names used below. Some were read in a mirror; the figures are the author's.

issue     the figures that this project was asked to reproduce; the main bets are those of Wizard of Odds, "Baccarat",
          eight decks: 2,292,252,566,437,888 Banker, 2,230,518,282,592,256 Player, 475,627,426,473,216 Tie
woo-3     Wizard of Odds, "Baccarat", appendix 3: probability of a win at various mid-game stages, eight decks
woo-5     Wizard of Odds, "Baccarat", appendix 5 (side bets): Dragon Bonus, 4-5-6
woo-mbs   Wizard of Odds, "Baccarat insurance at Marina Bay Sands"
jacobson  E. Jacobson: "Card counting the Big Tiger baccarat side bet" (2024) and "Card counting the Super Six baccarat
          side bet", "Card counting the Natural 9 and Natural 8 baccarat side bets"
excel     ExcelPunks: "Concepts 13: why does a Banker win on 6 pay half", "Concepts 16: effects of card removal"
multi     Multiplayer Baccarat, "Odds" (after E. Thorp, "The Mathematics of Gambling")
"""

from __future__ import annotations

from fractions import Fraction

EXPECTATIONS = {
    "banker": Fraction(-114753351728, 10847218479825),
    "player": Fraction(-241149546272, 19524993263685),
    "tie": Fraction(-103841353768, 723147898655),
    "player_pair": Fraction(-43, 415),
    "banker_pair": Fraction(-43, 415),
}
"""issue: eight decks, commission."""

COUPS = {
    "small_tiger": 186173936904192,
    "big_tiger": 83058367551488,
    "tiger_tie": 96170001308416,
    "big_buffalo": 109309407541248,
    "banker_big_7": 112633011329024,
    "wu_dalang": 24639193538560,
    "tie": 475627426473216,
    "banker": 2292252566437888,
    "player": 2230518282592256,
}
"""issue: coups that win, of 4,998,398,275,503,360, eight decks."""

BANKER_WINS_ON = {
    1: 24291119898624,
    2: 44681581871104,
    3: 72927778568192,
    4: 163359790133248,
    5: 216715928915968,
    6: 269232304455680,
    7: 384279324919808,
    8: 529914458673152,
    9: 586850279002112,
}
"""excel: coups in which the Banker wins on these points, eight decks."""

NATURAL_WIN, NATURAL_TIE = 812685054124032, 89325908267520
"""woo-5, Dragon Bonus, eight decks: one hand wins with a natural, the same for both hands; two equal naturals."""

WIN_BY = {"player": {9: 18409431764992, 8: 34097645543424}, "banker": {9: 15390342909952, 8: 28305092784128}}
"""woo-5, Dragon Bonus, eight decks: a hand that is no natural wins by these points."""

CARDS_USED = {6: {4: ".378925", 5: ".303540", 6: ".317535"}, 8: {4: ".378868", 5: ".303444", 6: ".317687"}}
"""woo-5, 4-5-6: decks → cards in both hands → probability."""

EDGES = {
    ("tiger-buffalo-non-commission", "banker"): "1.4581",
    ("live-baccarat-insurance-no-commission", "banker"): "1.4581",
    ("tiger-buffalo-commission", "banker"): "1.0579",
    ("tiger-buffalo-commission", "player"): "1.2351",
    ("tiger-buffalo-commission", "tie"): "14.3596",
    ("tiger-buffalo-commission", "big_tiger"): "15.2533",
    ("tiger-buffalo-commission", "tiger_pair"): "16.12",
    ("live-baccarat-insurance-commission", "small"): "5.283",
}
"""issue, jacobson, multi, woo-5: house edge in percent, eight decks."""

SIX_DECK_EDGES = {"banker": "1.0558", "player": "1.2374", "tie": "14.4382"}
"""multi: six decks."""

BIG_TIGER_DEVIATION, BIG_TIGER_HITS = "6.519", "1.662"
BIG_TIGER_TAGS = (0, 0, -1, -1, -1, -2, 1, 2, 2, 0, 0, 0, 0)
BIG_TIGER_CORRELATION = "0.981"
"""jacobson: deviation, percent of coups that win, a count from ace to king, its correlation with the effects of
removal."""

REMOVAL_OF_PLAYER_WINS = {"4": -0.0000435175, "K": -0.0000373810, "A": -0.0000295798, "3": -0.0000217068}
"""excel: change of the probability that the Player wins when one card is removed from eight decks."""

AFTER_FOUR_CARDS = """
0 5 .319950 .638715 .041335
1 5 .283814 .674655 .041531
2 5 .248356 .650906 .100738
3 5 .271182 .628151 .100667
4 5 .294993 .604412 .100595
0 6 .248749 .721860 .029391
1 6 .200798 .710369 .088833
2 6 .212631 .698539 .088830
3 6 .224458 .687609 .087932
4 6 .236160 .675002 .088838
5 6 .248909 .662332 .088759
0 7 .154340 .769393 .076268
1 7 .153216 .769718 .077066
2 7 .153224 .769708 .077068
3 7 .154128 .768806 .077066
4 7 .153211 .769725 .077065
5 7 .154124 .768810 .077066
5 4 .597782 .289715 .112503
"""
"""woo-mbs, and issue for the first row: Player, Banker; then Player wins, Banker wins, tie. Eight decks."""

AFTER_TWO_PLAYER_CARDS = """
0 .278792 .654627 .066581
1 .282833 .647252 .069915
2 .290303 .634207 .075490
3 .303386 .615539 .081075
4 .322084 .579983 .097933
5 .358488 .537849 .103663
6 .430362 .427801 .141838
7 .572657 .285046 .142297
8 .810911 .094938 .094151
9 .905475 .000000 .094525
"""
"""woo-3: Player's first two cards; then Player wins, Banker wins, tie. Eight decks."""

# Figures that differ from ours on purpose or by mistake: docs/differences.md says why.

ANY_NATURAL_EDGES = {9: "14.588", 8: "14.921"}
"""jacobson: a bet at 8 to 1 on a natural 9 (8) of one hand, whatever the other hand has. Percent, eight decks."""

EDGES_WITHOUT_TIES = {"banker": "1.17", "player": "1.36"}
"""Often printed, also as the house edge: the loss per unit that is decided, ties left out. Percent, eight decks."""

BIG_AT_54 = "4.35"
"""Often printed for Big: at 0.54 to 1. Percent, eight decks."""

CUT_LOSS, CUT_TOTAL = 3460101558850300, 4998398275503350
"""woo-5, Dragon Bonus on the Player: coups that lose, and all coups. A spreadsheet keeps fifteen digits."""
