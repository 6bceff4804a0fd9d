"""The reference deal: which card goes where, when a third card is due, and what a finished coup is.

A coup is the cards of a round. Its text is the two hands, "KH 7D v 2S 3C 4H", or the cards in the order of the deal.
"""

from __future__ import annotations

from typing import Final

import msgspec

from punto.cards import Card, card, points, show
from punto.codes import Code
from punto.game.refusals import Refusal, refuse
from punto.rulebook.model import Rulebook, Side, TableOfPlay

MOST_CARDS: Final = 6


class Coup(msgspec.Struct, frozen=True):
    """The two hands, each in the order dealt. It may be unfinished."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]

    @property
    def player_points(self) -> int:
        return points(self.player)

    @property
    def banker_points(self) -> int:
        return points(self.banker)

    @property
    def winner(self) -> str:
        """3.16, 3.17: the higher Point Total, or a tie."""
        ahead = self.player_points - self.banker_points
        return Side.PLAYER.value if ahead > 0 else Side.BANKER.value if ahead < 0 else "tie"

    def __str__(self) -> str:
        return f"{show(self.player)} v {show(self.banker)}"


def next_side(play: TableOfPlay, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Side | None:
    """P1: the hand that the next card belongs to, or None when the coup is finished."""
    if len(player) < 2 or len(banker) < 2:
        return Side.PLAYER if len(player) == len(banker) else Side.BANKER
    player_two, banker_two = points(player[:2]), points(banker[:2])
    if len(player) == 2 and play.player_draws(player_two, banker_two):
        return Side.PLAYER
    third = player[2].points if len(player) > 2 else None
    if len(banker) == 2 and play.banker_draws(banker_two, player_two, third):
        return Side.BANKER
    return None


def deal(play: TableOfPlay, cards: tuple[Card, ...]) -> tuple[Coup, tuple[Card, ...]]:
    """Deal a coup off the top of these cards; also the cards left. The coup is unfinished if they run out."""
    hands: dict[Side, tuple[Card, ...]] = {Side.PLAYER: (), Side.BANKER: ()}
    used = 0
    for dealt in cards[:MOST_CARDS]:
        side = next_side(play, hands[Side.PLAYER], hands[Side.BANKER])
        if side is None:
            break
        hands[side] += (dealt,)
        used += 1
    return Coup(hands[Side.PLAYER], hands[Side.BANKER]), cards[used:]


def banker_draws_anyway(play: TableOfPlay, player: tuple[Card, ...], banker: tuple[Card, ...]) -> bool:
    """P7: whether both draw on these two cards each, the Banker whatever the Player's third card is."""
    ours, theirs = points(player), points(banker)
    return play.player_draws(ours, theirs) and all(play.banker_draws(theirs, ours, third) for third in range(10))


def in_deal_order(coup: Coup) -> tuple[Card, ...]:
    """The cards as they left the shoe: Player, Banker, Player, Banker, then the thirds (P1)."""
    first = [hand[at] for at in (0, 1) for hand in (coup.player, coup.banker) if len(hand) > at]
    return (*first, *coup.player[2:], *coup.banker[2:])


def wrong(rules: Rulebook, coup: Coup) -> str | None:
    """How a coup breaks the Table of Play, in a sentence; None for a finished, rightly dealt one."""
    play = rules.table_of_play
    if len(coup.player) < 2 or len(coup.banker) < 2:
        return f"{coup}: each hand starts with two cards"
    if len(coup.player) > 3 or len(coup.banker) > 3:
        return f"{coup}: no hand has more than three cards"
    player_two, banker_two = points(coup.player[:2]), points(coup.banker[:2])
    player_due = play.player_draws(player_two, banker_two)
    third = coup.player[2].points if player_due and len(coup.player) == 3 else None
    banker_due = play.banker_draws(banker_two, player_two, third)
    if (len(coup.player) == 3) == player_due and (len(coup.banker) == 3) == banker_due:
        return None
    if play.natural(player_two, banker_two):
        return f"{coup}: Player {player_two} and Banker {banker_two} make a natural, nobody draws a third card"
    if (len(coup.player) == 3) != player_due:
        return f"{coup}: the Player draws a third card on 0 to 5 and stands on 6 and 7; this one has {player_two}"
    seen = "no third card for the Player" if third is None else f"the Player's third card counting {third}"
    return f"{coup}: the Banker {'draws' if banker_due else 'stands'} on {banker_two} with {seen}"


def check(rules: Rulebook, coup: Coup) -> Refusal | None:
    """3.15: refuse a coup that the Table of Play does not allow."""
    fault = wrong(rules, coup)
    return None if fault is None else refuse(Code.TABLE_OF_PLAY, fault, _broken(rules, coup))


def _broken(rules: Rulebook, coup: Coup) -> str:
    """The paragraph of the Table of Play; where it is printed in parts, that of the part that a coup breaks."""
    play, whole = rules.table_of_play, rules.paragraph("table-of-play")
    if play.player_cite == play.banker_cite or not (2 <= len(coup.player) <= 3 and 2 <= len(coup.banker) <= 3):
        return whole
    player, banker = points(coup.player[:2]), points(coup.banker[:2])
    if play.natural(player, banker) or (len(coup.player) == 3) != play.player_draws(player, banker):
        return play.player_cite
    return play.banker_cite if len(coup.player) == 3 else play.alone_cite


def check_decks(rules: Rulebook, cards: tuple[Card, ...], decks: int) -> Refusal | None:
    """2.2.1: no card can appear more often than there are decks."""
    for repeated in set(cards):
        if cards.count(repeated) > decks:
            text = f"{repeated} appears {cards.count(repeated)} times: {decks} decks hold it {decks} times"
            return refuse(
                Code.TOO_MANY_OF_A_CARD, text, rules.paragraph("cards.decks"), card=str(repeated), decks=decks
            )
    return None


def parse(rules: Rulebook, text: str) -> Coup:
    """Read a coup from its text. Raises ValueError with what was expected; the deal itself is not judged here."""
    words = text.replace(",", " ").split()
    between = next((at for at, word in enumerate(words) if word.lower() == "v"), None)
    if between is not None:
        return Coup(tuple(map(card, words[:between])), tuple(map(card, words[between + 1 :])))
    cards = tuple(map(card, words))
    coup, left = deal(rules.table_of_play, cards)
    if left:
        raise ValueError(f"{text!r}: {show(left)} is left over after the coup {coup}")
    return coup
