"""Every card sequence of a full shoe, by punto's Table of Play and by the oracle's, against published integers."""

from pathlib import Path
from typing import cast

import pytest

from punto.cards import card
from punto.game.coup import deal
from punto.rulebook import load
from tests.census.sequences import DrawingRules, all_sequences, atoms, census, final_points
from tests.oracle import plain

ORACLE = cast(DrawingRules, plain)  # a module can be used like an object
DECKS = range(4, 11)
EDITIONS = pytest.mark.parametrize(
    ("game", "edition"), plain.EDITIONS, ids=[f"{game}/{edition}" for game, edition in plain.EDITIONS]
)
PUBLISHED = pytest.mark.parametrize("published", ["four", "five", "six", "eight"])


def read(name: str) -> dict[str, int]:
    lines = (Path(__file__).parent / f"{name}_decks.census").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {what: int(count) for what, count in rows}


@PUBLISHED
@EDITIONS
def test_punto_counts_what_is_published(game: str, edition: str, published: str) -> None:
    expected = read(published)
    assert census(expected["decks"], load.edition(game, edition).table_of_play) == expected


@PUBLISHED
def test_the_oracle_counts_what_is_published(published: str) -> None:
    expected = read(published)
    assert census(expected["decks"], ORACLE) == expected


@EDITIONS
def test_four_to_ten_decks_agree_with_the_oracle(game: str, edition: str) -> None:
    table_of_play = load.edition(game, edition).table_of_play
    for decks in DECKS:
        assert census(decks, table_of_play) == census(decks, ORACLE)


@EDITIONS
def test_every_drawing_decision_agrees_with_the_oracle(game: str, edition: str) -> None:
    """Exhaustive: a census could be right by two errors that cancel; the decisions themselves can't."""
    play = load.edition(game, edition).table_of_play
    for player in range(10):
        for banker in range(10):
            drawn = plain.player_draws(player, banker)
            assert play.player_draws(player, banker) == drawn
            for third in range(10) if drawn else (None,):
                due = plain.banker_draws(banker, player, third)
                assert play.banker_draws(banker, player, third) == due, (player, banker, third)


@EDITIONS
def test_the_reference_deal_ends_every_atom_as_counted(game: str, edition: str) -> None:
    """Exhaustive: all 10,000 atoms, each dealt once with real cards by punto and by the oracle."""
    play = load.edition(game, edition).table_of_play
    of_value = ["KS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S"]
    for atom in atoms(8):
        player, banker, fifth, sixth = (of_value[value] for value in atom)
        texts = [player, banker, "KS", "KS", fifth, sixth]
        coup, left = deal(play, tuple(card(text) for text in texts))
        hands = ([str(drawn_card) for drawn_card in coup.player], [str(drawn_card) for drawn_card in coup.banker])
        assert hands == plain.deal(texts), texts
        assert len(left) == 6 - len(hands[0]) - len(hands[1])
        assert (coup.player_points, coup.banker_points) == final_points(atom, play)


@pytest.mark.parametrize("decks", DECKS)
def test_the_atoms_are_all_sequences(decks: int) -> None:
    assert sum(atoms(decks).values()) == all_sequences(decks)
    counted = census(decks, ORACLE)
    assert counted["banker"] + counted["player"] + counted["tie"] == counted["coups"] == all_sequences(decks)
