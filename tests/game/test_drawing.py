"""What the Table of Play says of the cards that lie open (3.13, 3.15), in the words that a page translates."""

from __future__ import annotations

from punto.game.explain import drawing
from tests.every import of_every
from tests.table.test_commands import BETS, CLOSE, DRAW, by_dora, deal, init_scene

TURNED = [by_dora("expose-card", place=place) for place in ("P1", "B1", "P2", "B2")]

OPEN = {
    "KH KS 5D": "deal",
    "KH KS 8D 5C": "natural 8 3.15",
    "KH KS 5D 9C": "natural 9 3.15",
    "KH KS 5D 4C": "player-draws 5 3.15",
    "KH KS 6D 5C": "player-stands 6 3.15, banker-draws 5 3.13",
    "KH KS 6D 5C 2H": "player-stands 6 3.15, banker-draws 5 3.13, done",
    "KH KS 7D 6C": "player-stands 7 3.15, banker-stands 6 3.13",
    "KH KS 5D 3C 8H": "player-draws 5 3.15, banker-stands 3 8 3.15",
    "KH KS 5D 3C 9H": "player-draws 5 3.15, banker-draws 3 9 3.15",
    "KH KS 5D 3C 9H 2D": "player-draws 5 3.15, banker-draws 3 9 3.15, done",
}
"""Cards as they are dealt face up, and the steps: points, what the Player's third card counts, paragraph."""


def describe_steps(cards: str, *, down: bool = False, turned: int = 0) -> str:
    face_down = [*deal(cards), *TURNED[:turned]]
    scene = init_scene(BETS, CLOSE, *face_down, facing="down" if down else "up")
    steps = drawing(scene.rules, scene.table.current)
    shown = ([step.says, step.points, step.third, step.paragraph] for step in steps)
    return ", ".join(" ".join(str(word) for word in step if word is not None) for step in shown)


@of_every(OPEN)
def test_the_steps_of_the_table_of_play(cards: str) -> None:
    assert describe_steps(cards) == OPEN[cards]


def test_cards_that_lie_face_down_are_turned_first() -> None:
    assert describe_steps("KH KS 5D 4C", down=True) == describe_steps("KH KS 5D 4C", down=True, turned=3) == "turn"
    assert describe_steps("KH KS 5D 4C", down=True, turned=4) == "player-draws 5 3.15"


def test_a_third_card_that_lies_face_down_is_turned_before_the_banker_is_judged() -> None:
    scene = init_scene(BETS, CLOSE, *deal("KH KS 5D 4C"), *TURNED, DRAW, facing="down")
    assert [step.says for step in drawing(scene.rules, scene.table.current)] == ["player-draws", "turn"]
