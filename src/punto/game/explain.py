"""A coup told step by step, each step with the paragraph that makes it so."""

from __future__ import annotations

import msgspec

from punto.cards import points
from punto.game import insurance
from punto.game.coup import Coup
from punto.rulebook.model import Moment, Rulebook, Side


class Step(msgspec.Struct, frozen=True):
    """What happened, and under which paragraph."""

    text: str
    paragraph: str


def explain(rules: Rulebook, coup: Coup) -> tuple[Step, ...]:
    """The story of a finished, rightly dealt coup."""
    return (
        *_first_four(rules, coup),
        *_player_third(rules, coup),
        *_banker_third(rules, coup),
        _result(rules, coup),
    )


def _first_four(rules: Rulebook, coup: Coup) -> list[Step]:
    player, banker = points(coup.player[:2]), points(coup.banker[:2])
    steps = [
        Step(
            f"Four cards: Player {coup.player[0]} and {coup.player[1]}, Banker {coup.banker[0]} and {coup.banker[1]}",
            rules.procedure.deal_cite,
        ),
        Step(f"Player has {player}, Banker has {banker}", rules.paragraph("card.values")),
    ]
    return steps + _offer(rules, Moment.FOUR_CARDS, coup)


def _player_third(rules: Rulebook, coup: Coup) -> list[Step]:
    play = rules.table_of_play
    player, banker = points(coup.player[:2]), points(coup.banker[:2])
    if play.natural(player, banker):
        return [Step("A natural: nobody draws", play.player_cite)]
    if not play.player_draws(player, banker):
        return [Step(f"Player stands on {player}", play.player_cite)]
    drawn = Step(f"Player draws on {player}: {coup.player[2]}, now {coup.player_points}", play.player_cite)
    return [drawn, *_offer(rules, Moment.PLAYER_THIRD, coup)]


def _banker_third(rules: Rulebook, coup: Coup) -> list[Step]:
    play = rules.table_of_play
    player, banker = points(coup.player[:2]), points(coup.banker[:2])
    if play.natural(player, banker):
        return []
    if len(coup.player) == 3:
        why, paragraph = f" against a Player's third card counting {coup.player[2].points}", play.banker_cite
    else:
        why, paragraph = ", the Player having stood", play.alone_cite
    if len(coup.banker) == 2:
        return [Step(f"Banker stands on {banker}{why}", paragraph)]
    return [Step(f"Banker draws on {banker}{why}: {coup.banker[2]}, now {coup.banker_points}", paragraph)]


def _offer(rules: Rulebook, after: Moment, coup: Coup) -> list[Step]:
    offered = insurance.offer(rules, after, coup)
    if offered is None:
        return []
    hand = offered.bet.side.value.capitalize()
    odds = f"{offered.odds.numerator} to {offered.odds.denominator}"
    return [Step(f"{hand} insurance is offered at {odds}", offered.paragraph)]


def _result(rules: Rulebook, coup: Coup) -> Step:
    score = f"Player {coup.player_points}, Banker {coup.banker_points}"
    if coup.winner == "tie":
        return Step(f"{score}: a tie", rules.paragraph("tie.returns"))
    hand = Side(coup.winner).value.capitalize()
    return Step(f"{score}: {hand} wins", rules.paragraph("hand.ranking"))
