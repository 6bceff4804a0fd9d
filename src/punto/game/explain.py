"""A coup told step by step, each step with the paragraph that makes it so."""

from __future__ import annotations

import msgspec

from punto.cards import points
from punto.game import insurance
from punto.game.coup import Coup, next_side
from punto.game.table import Round
from punto.money import said
from punto.rulebook.model import Moment, Rulebook, Side


class Step(msgspec.Struct, frozen=True):
    """What happened, and under which paragraph."""

    text: str
    paragraph: str


class Drawing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step of the Table of Play. `says`: deal, turn, natural, done; player or banker, draws or stands."""

    says: str
    points: int | None = None
    third: int | None = None
    """What the Player's third card counts, where the Banker is judged against it."""
    paragraph: str | None = None


def drawing(rules: Rulebook, current: Round) -> tuple[Drawing, ...]:
    """What the Table of Play says of the cards that lie open. The last step is about what comes next."""
    play, coup, places = rules.table_of_play, current.coup, {card.place for card in current.cards}
    if len(current.cards) < 4:
        return (Drawing(says="deal"),)
    if not all(card.exposed for card in current.cards[:4]):
        return (Drawing(says="turn"),)
    player, banker = coup.player[:2], coup.banker[:2]
    if play.natural(points(player), points(banker)):
        return (Drawing(says="natural", points=max(points(player), points(banker)), paragraph=play.player_cite),)
    draws = next_side(play, player, banker) is Side.PLAYER
    says = "player-draws" if draws else "player-stands"
    first = Drawing(says=says, points=points(player), paragraph=play.player_cite)
    third = coup.player[2:]
    if draws and not third:
        return (first, Drawing(says="turn")) if "P3" in places else (first,)
    takes = next_side(play, (*player, *third), banker) is Side.BANKER
    second = Drawing(
        says="banker-draws" if takes else "banker-stands",
        points=points(banker),
        third=third[0].points if third else None,
        paragraph=play.banker_cite if third else play.alone_cite,
    )
    return (first, second, Drawing(says="done")) if takes and len(coup.banker) == 3 else (first, second)


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
    return [Step(f"{hand} insurance is offered at {said(offered.odds)}", offered.paragraph)]


def _result(rules: Rulebook, coup: Coup) -> Step:
    score = f"Player {coup.player_points}, Banker {coup.banker_points}"
    if coup.winner == "tie":
        return Step(f"{score}: a tie", rules.paragraph("tie.returns"))
    hand = Side(coup.winner).value.capitalize()
    return Step(f"{score}: {hand} wins", rules.paragraph("hand.ranking"))
