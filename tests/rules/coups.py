"""A book of finished coups with their points, cards and pairs, typed by hand; and the settlement of wagers on them.

The expected points, numbers of cards and pairs stand beside the cards; nothing here counts a card with the code that
is being proved. EVENTS says in these terms what each line of a printed pay table means.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from punto.cards import cards
from punto.game.coup import Coup
from punto.game.refusals import Refusal
from punto.game.settlement import Insured, Limits, Line, Slip, Wager, settle
from punto.rulebook.model import Moment, Rulebook


class ExampleCoup(NamedTuple):
    """A coup and what it comes to: final points, numbers of cards, the rank of a pair in the first two cards."""

    coup: Coup
    player: int
    player_cards: int
    banker: int
    banker_cards: int
    player_pair: str
    banker_pair: str

    @property
    def cards(self) -> int:
        return self.player_cards + self.banker_cards

    @property
    def player_wins(self) -> bool:
        return self.player > self.banker

    @property
    def banker_wins(self) -> bool:
        return self.banker > self.player

    @property
    def tie(self) -> bool:
        return self.player == self.banker


Event = Callable[[ExampleCoup], bool]

# Player points/cards, Banker points/cards, their pairs ("-" for none), the cards.
BOOK_TEXT: Final = """
    6/2 7/2 - -   KH 6D v KS 7C
    7/2 6/2 - -   KH 7D v KS 6C
    8/2 6/2 - -   KH 8D v QS 6C
    6/2 8/2 - -   KH 6D v QS 8C
    8/2 7/2 - -   KH 8D v QS 7C
    7/2 8/2 - -   KH 7D v QS 8C
    9/2 7/2 - -   KH 9D v QS 7C
    7/2 9/2 - -   KH 7D v QS 9C
    9/2 8/2 - -   KH 9D v QS 8C
    8/2 9/2 - -   KH 8D v QS 9C
    9/2 0/2 - -   KH 9D v QS JC
    0/2 9/2 - -   KH QD v JS 9C
    5/2 8/2 - -   KH 5D v QS 8C
    8/2 5/2 - -   KH 8D v QS 5C
    6/2 6/2 - -   QH 6D v KS 6C
    7/2 7/2 - -   QH 7D v KS 7C
    8/2 8/2 - -   KH 8D v QS 8C
    9/2 9/2 - -   KH 9D v QS 9C
    6/2 5/3 - -   KH 6D v KS 2C 3H
    7/2 5/3 - -   KH 7D v KS 2C 3H
    6/2 6/3 - -   KH 6D v KS 2C 4H
    6/2 7/3 - -   KH 6D v KS 3C 4H
    7/2 6/3 - -   KH 7D v KS 2C 4H
    7/2 7/3 - -   KH 7D v KS 3C 4H
    7/2 8/3 - -   KH 7D v KS 3C 5H
    6/2 8/3 - -   KH 6D v KS 3C 5H
    6/2 9/3 - -   KH 6D v KS 4C 5H
    5/3 6/2 - -   KH AD 4C v KS 6C
    5/3 7/2 - -   KH 2D 3C v KS 7C
    6/3 6/2 - -   KH 2D 4C v KS 6C
    6/3 7/2 - -   KH 2D 4C v KS 7C
    7/3 6/2 - -   KH 3D 4C v KS 6C
    7/3 7/2 - -   KH 3D 4C v KS 7C
    8/3 6/2 - -   KH 3D 5C v KS 6C
    8/3 7/2 - -   KH 3D 5C v KS 7C
    9/3 7/2 - -   KH 4D 5C v KS 7C
    3/3 3/2 - -   KH 5D 8C v KS 3C
    4/3 4/2 - -   KH 3D AC v KS 4C
    5/3 5/2 - -   KH 5D QC v KS 5C
    5/3 6/3 - -   KH AD 4C v KS 2C 4H
    5/3 7/3 - -   KH AD 4C v KS 3C 4D
    6/3 0/3 - -   KH 2D 4C v KS 5C 5H
    6/3 5/3 - -   KH 2D 4C v KS 2C 3H
    6/3 7/3 - -   KH 2D 4C v KS 3C 4H
    6/3 8/3 - -   KH 2D 4C v KS 3C 5H
    7/3 5/3 - -   KH 3D 4C v KS 2C 3H
    7/3 6/3 - -   KH 3D 4C v KS 3C 3H
    7/3 8/3 - -   KH 3D 4C v KS 3C 5H
    8/3 7/3 - -   KH 3D 5C v KS 3C 4H
    8/3 9/3 - -   KH 3D 5C v KS 3C 6H
    9/3 8/3 - -   KH 4D 5C v KS 3C 5H
    9/3 6/3 - -   KH 4D 5C v KS 2C 4H
    1/3 0/3 - -   KH 2D 9C v KS 2C 8H
    0/3 1/3 - -   KH 2D 8C v KS 2C 9H
    1/3 2/3 - -   KH 2D 9C v KS AC AH
    2/3 1/3 - -   KH 3D 9C v KS 2C 9H
    0/3 0/3 - -   KH AD 9C v KS 3C 7H
    1/3 1/3 - -   KH 2D 9C v KS 2C 9H
    2/3 2/3 - -   KH AD AC v KS 2C QH
    3/3 3/3 - -   KH AD 2C v KS 3C QH
    4/3 4/3 - -   KH AD 3C v KS 4C QH
    5/3 5/3 - -   KH AD 4C v KS 5C QH
    6/3 6/3 - -   KH 2D 4C v KS 2C 4H
    7/3 7/3 - -   KH 3D 4C v KS 3C 4D
    8/3 8/3 - -   KH 3D 5C v KS 3C 5D
    9/3 9/3 - -   KH 4D 5C v KS 4C 5D
    6/3 7/2 K -   KH KD 6C v QS 7C
    4/3 7/2 T -   TH TD 4C v QS 7C
    8/2 7/2 4 -   4H 4H v QS 7C
    6/2 6/2 - 3   QH 6D v 3S 3C
    9/3 8/3 K Q   KH KD 9C v QS QC 8H
    9/3 8/3 K K   KH KD 9C v KS KC 8H
    9/3 8/3 7 7   7H 7D 5C v 7S 7C 4H
    6/3 8/3 - -   TH KD 6C v QS JC 8H
    2/3 7/2 - -   2H KD KC v QS 7C
    7/2 6/3 - -   KH 7D v 4S AC AH
"""


def _read(line: str) -> ExampleCoup:
    player, banker, player_pair, banker_pair, dealt = line.split(None, 4)
    player_points, player_cards = (int(number) for number in player.split("/"))
    banker_points, banker_cards = (int(number) for number in banker.split("/"))
    pairs = (player_pair.strip("-"), banker_pair.strip("-"))
    return ExampleCoup(coup(dealt), player_points, player_cards, banker_points, banker_cards, *pairs)


def coup(text: str) -> Coup:
    """The hands as written, rightly dealt or not."""
    player, banker = text.split(" v ")
    return Coup(cards(player), cards(banker))


BOOK: Final = tuple(_read(line.strip()) for line in BOOK_TEXT.strip().splitlines())

EVENTS: Final[dict[str, Event]] = {
    "Banker wins": lambda c: c.banker_wins,
    "Banker wins on 6": lambda c: c.banker_wins and c.banker == 6,
    "Banker wins on other": lambda c: c.banker_wins and c.banker != 6,
    "Player wins": lambda c: c.player_wins,
    "Tie": lambda c: c.tie,
    "Tie on 6": lambda c: c.player == 6 and c.banker == 6,
    "Banker pair": lambda c: bool(c.banker_pair),
    "Player pair": lambda c: bool(c.player_pair),
    "Single pair": lambda c: bool(c.player_pair) != bool(c.banker_pair),
    "Double pair": lambda c: bool(c.player_pair and c.banker_pair) and c.player_pair != c.banker_pair,
    "Twin pair": lambda c: bool(c.player_pair) and c.player_pair == c.banker_pair,
    "Banker 6, two cards": lambda c: c.banker_wins and c.banker == 6 and c.banker_cards == 2,
    "Banker 6, three cards": lambda c: c.banker_wins and c.banker == 6 and c.banker_cards == 3,
    "Player 6, two cards": lambda c: c.player_wins and c.player == 6 and c.player_cards == 2,
    "Player 6, three cards": lambda c: c.player_wins and c.player == 6 and c.player_cards == 3,
    "Banker 7, two cards": lambda c: c.banker_wins and c.banker == 7 and c.banker_cards == 2,
    "Banker 7, three cards": lambda c: c.banker_wins and c.banker == 7 and c.banker_cards == 3,
    "Player 7, two cards": lambda c: c.player_wins and c.player == 7 and c.player_cards == 2,
    "Player 7, three cards": lambda c: c.player_wins and c.player == 7 and c.player_cards == 3,
    "Either 6": lambda c: (c.player, c.banker) != (6, 6) and max(c.player, c.banker) == 6,
    "Player 1": lambda c: (c.player, c.banker) == (1, 0),
    "Banker by 1, 4 cards": lambda c: (c.player, c.banker) in ((6, 7), (7, 8), (8, 9)) and c.cards == 4,
    "Banker by 1, 5 cards": lambda c: (c.player, c.banker) in ((6, 7), (7, 8), (8, 9)) and c.cards == 5,
    "Banker by 1, 6 cards": lambda c: (c.player, c.banker) in ((6, 7), (7, 8), (8, 9)) and c.cards == 6,
    "Player by 1, 4 cards": lambda c: (c.banker, c.player) in ((6, 7), (7, 8), (8, 9)) and c.cards == 4,
    "Player by 1, 5 cards": lambda c: (c.banker, c.player) in ((6, 7), (7, 8), (8, 9)) and c.cards == 5,
    "Player by 1, 6 cards": lambda c: (c.banker, c.player) in ((6, 7), (7, 8), (8, 9)) and c.cards == 6,
    "5 or 6 cards": lambda c: c.cards in (5, 6),
    "4 cards": lambda c: c.cards == 4,
    "Player natural 8": lambda c: c.player_wins and c.player == 8 and c.player_cards == 2,
    "Player natural 9": lambda c: c.player_wins and c.player == 9 and c.player_cards == 2,
    "Banker natural 8": lambda c: c.banker_wins and c.banker == 8 and c.banker_cards == 2,
    "Banker natural 9": lambda c: c.banker_wins and c.banker == 9 and c.banker_cards == 2,
}


def line(rules: Rulebook, bet: str, dealt: Coup, *, layout: str | None = None, stake_cents: int = 100_00) -> Line:
    """One wager settled, on the first layout that has the bet unless another is named."""
    if layout is None:
        layout = next(name for name, candidate in rules.layouts.items() if bet in candidate.bets)
    slip = settle(rules, rules.layouts[layout], dealt, (Wager(bet, stake_cents),))
    assert isinstance(slip, Slip), f"{bet} on layout {layout}: {slip}"
    return slip.lines[0]


def won(rules: Rulebook, bet: str) -> set[str]:
    """The coups of the book that the bet wins."""
    return {str(example.coup) for example in BOOK if line(rules, bet, example.coup).result == "won"}


def where(event: Event) -> set[str]:
    """The coups of the book in which the event occurs."""
    matching = {str(example.coup) for example in BOOK if event(example)}
    assert matching, "the book has no coup for this event"
    return matching


def insure(
    rules: Rulebook,
    dealt: str | Coup,
    *taken: tuple[str, Moment, int],
    on: tuple[tuple[str, int], ...] = (("player", 100_00), ("banker", 0)),
    limits: Limits | None = None,
) -> Slip | Refusal:
    """Insurance (bet, moment, cents) of one patron with wagers (bet, cents), settled on the edition's first layout."""
    cards_dealt = coup(dealt) if isinstance(dealt, str) else dealt
    wagers = tuple(Wager(bet, cents) for bet, cents in on if cents)
    insurance = tuple(Insured(bet, after, cents) for bet, after, cents in taken)
    return settle(rules, next(iter(rules.layouts.values())), cards_dealt, wagers, insurance, limits or Limits())
