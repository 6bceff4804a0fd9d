"""The explanation of a coup: its steps as sentences, each with the right paragraph and offers."""

from __future__ import annotations

import pytest

from punto.cards import cards
from punto.game.coup import Coup
from punto.game.explain import explain
from punto.rulebook import load
from tests.oracle import plain
from tests.properties.rounds import EDITIONS, Edition, book, by_atom

STORIES = {
    "KH 7D v 2S 3C 4H": """
        Four cards: Player KH and 7D, Banker 2S and 3C (3.10)
        Player has 7, Banker has 5 (3.2)
        Player insurance is offered at 4 to 1 (4.1.15)
        Player stands on 7 (3.15)
        Banker draws on 5, the Player having stood: 4H, now 9 (3.13)
        Player 7, Banker 9: Banker wins (3.16)""",
    "KH 8D v 2S 3C": """
        Four cards: Player KH and 8D, Banker 2S and 3C (3.10)
        Player has 8, Banker has 5 (3.2)
        A natural: nobody draws (3.15)
        Player 8, Banker 5: Player wins (3.16)""",
    "KH 5D 4C v QS 4C 5S": """
        Four cards: Player KH and 5D, Banker QS and 4C (3.10)
        Player has 5, Banker has 4 (3.2)
        Player insurance is offered at 3 to 2 (4.1.15)
        Player draws on 5: 4C, now 9 (3.15)
        Player insurance is offered at 10 to 1 (4.1.15)
        Banker draws on 4 against a Player's third card counting 4: 5S, now 9 (3.15)
        Player 9, Banker 9: a tie (3.17)""",
    "KH 5D 8C v QS 3C": """
        Four cards: Player KH and 5D, Banker QS and 3C (3.10)
        Player has 5, Banker has 3 (3.2)
        Player draws on 5: 8C, now 3 (3.15)
        Banker stands on 3 against a Player's third card counting 8 (3.15)
        Player 3, Banker 3: a tie (3.17)""",
    "KH 6D v QS 6C": """
        Four cards: Player KH and 6D, Banker QS and 6C (3.10)
        Player has 6, Banker has 6 (3.2)
        Player stands on 6 (3.15)
        Banker stands on 6, the Player having stood (3.13)
        Player 6, Banker 6: a tie (3.17)""",
}


@pytest.mark.parametrize(("text", "story"), STORIES.items(), ids=list(STORIES))
def test_a_story(text: str, story: str) -> None:
    player, _, banker = text.partition(" v ")
    rules = load.edition("tiger-buffalo-commission", "2025-11-21")
    lines = [f"{step.text} ({step.paragraph})" for step in explain(rules, Coup(cards(player), cards(banker)))]
    assert lines == [line.strip() for line in story.strip().splitlines()]


@EDITIONS
def test_every_atom_is_told_as_the_oracle_sees_it(edition: Edition) -> None:
    """Exhaustive: the offers, who drew, who won, and a paragraph of the edition on each step."""
    rules = book(edition)
    live = plain.is_live(edition[0])
    for cell in by_atom():
        steps = explain(rules, cell.coup)
        assert all(rules.knows(step.paragraph) for step in steps), cell
        offers = []
        for after in ("four-cards", "player-third"):
            offer = plain.offer(*edition, after, cell.player, cell.banker)
            if offer is not None:
                hand, odds = offer[0].removesuffix("_insurance").capitalize(), offer[1]
                text = f"{hand} insurance is offered at {odds.numerator} to {odds.denominator}"
                offers.append((text, plain.INSURANCE[edition][1]))
        assert [(step.text, step.paragraph) for step in steps if "insurance" in step.text] == offers, cell
        natural = max(plain.points(cell.player[:2]), plain.points(cell.banker[:2])) > 7
        assert ("A natural: nobody draws" in [step.text for step in steps]) == natural, cell
        for hand, ranks in (("Player", cell.player), ("Banker", cell.banker)):
            drew = [step.text for step in steps if step.text.startswith(f"{hand} draws on {plain.points(ranks[:2])}")]
            stood = [step.text for step in steps if step.text.startswith(f"{hand} stands on {plain.points(ranks)}")]
            assert (len(drew), len(stood)) == ((len(ranks) == 3), (len(ranks) == 2 and not natural)), cell
            assert all(text.endswith(f", now {plain.points(ranks)}") for text in drew), cell
        score = f"Player {plain.points(cell.player)}, Banker {plain.points(cell.banker)}"
        won_by = plain.winner(cell.player, cell.banker)
        if won_by == "tie":
            last = (f"{score}: a tie", "4.1" if live else "3.17")
        else:
            last = (f"{score}: {won_by.capitalize()} wins", "1.1" if live else "3.16")
        assert (steps[-1].text, steps[-1].paragraph) == last, cell
