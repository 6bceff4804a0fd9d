"""What the types of a rulebook answer by themselves: ranks, hands, the Table of Play, a row of section 5."""

from __future__ import annotations

from pathlib import Path

import pytest

from punto.rulebook import load
from punto.rulebook.check import RuleError
from punto.rulebook.diff import diff
from punto.rulebook.model import Bet, Case, Insurance, Irregularity, Rank, Remedy, Side
from tests.every import of_every
from tests.rulebook.library import DATES, LIVE, TIGER, Copy

EDITIONS = (*((game, date) for game in TIGER for date in DATES), *((game, "undated") for game in LIVE))
"""By name: an edition is loaded only in the test that uses it."""
LADDER = ("dealer", "pit-supervisor", "pit-manager", "shift-manager")


def test_a_higher_rank_may_act_in_a_lower_one_and_no_lower_in_a_higher() -> None:
    for own, name in enumerate(LADDER):
        assert [Rank(name).may_act_as(Rank(needed)) for needed in LADDER] == [at <= own for at in range(len(LADDER))]


def test_insurance_is_of_a_hand() -> None:
    assert {bet.value: bet.side for bet in Insurance} == {
        "player_insurance": Side.PLAYER,
        "banker_insurance": Side.BANKER,
    }


def test_a_case_speaks_of_a_hand_of_a_tie_or_of_neither() -> None:
    for case in Case:
        first = case.value.split()[0].lower()
        assert case.about == (first if first in ("player", "banker", "tie") else None), case


def plain_banker_draws(own: int, player: int, third: int | None) -> bool:
    """3.13, 3.15: Banker stands on 7; if Player stood it draws on 0 to 5; else the Player's third card decides."""
    if player >= 8 or own >= 8 or own == 7:
        return False
    if third is None:
        return own <= 5
    drawn_to = {0: range(10), 1: range(10), 2: range(10), 3: (*range(8), 9), 4: range(2, 8), 5: range(4, 8), 6: (6, 7)}
    return third in drawn_to[own]


@of_every(EDITIONS)
def test_the_table_of_play_of_every_edition(edition: tuple[str, str]) -> None:
    play = load.edition(*edition).table_of_play
    for player in range(10):
        for banker in range(10):
            natural = player >= 8 or banker >= 8
            assert play.natural(player, banker) is natural
            assert play.player_draws(player, banker) is (player <= 5 and not natural)
            for third in (None, *range(10)):
                assert play.banker_draws(banker, player, third) is plain_banker_draws(banker, player, third)


def test_what_a_remedy_leaves_open_is_answered_by_its_row() -> None:
    own = Remedy(cite="5.15.1", decided_by="pit-manager", in_writing=True)
    row = Irregularity(id="x", cite="5.15", decided_by="dealer", remedies={"void": own, "stand": Remedy()})
    assert [row.remedy(name) for name in ("void", "stand", "pay")] == [own, Remedy(), None]
    assert [row.cite_of(name) for name in ("void", "stand", "pay")] == ["5.15.1", "5.15", "5.15"]
    assert [row.decided_by_of(name) for name in ("void", "stand", "pay")] == ["pit-manager", "dealer", "dealer"]
    first = Irregularity(id="x", cite="5.15", decided_by="dealer", remedies=None)
    assert first.remedy("pay") == Remedy(), "the first revisions had every remedy that the kind knows"


@of_every(EDITIONS)
def test_a_rulebook_finds_its_paragraphs(edition: tuple[str, str]) -> None:
    rules = load.edition(*edition)
    assert rules.id == f"{rules.source.game}/{rules.source.edition}"
    for topic, number in rules.topics.items():
        assert rules.paragraph(topic) == number
        assert rules.cite(topic).paragraph == number
        assert rules.cite(topic).edition == rules.id
        assert rules.knows(number)
        known = rules.paragraphs[number] if number in rules.paragraphs else rules.readings[number]
        assert rules.gist(number) == known.gist
    for number in rules.readings:
        assert rules.knows(number)
    assert not rules.knows("99.9")


@of_every(EDITIONS)
def test_an_outline_names_layouts_and_bets_without_the_rest(edition: tuple[str, str]) -> None:
    rules = load.edition(*edition)
    assert load.outline(rules.source) == (tuple(rules.layouts), tuple(bet.value for bet in rules.bets))


def test_a_remedy_is_decided_by_a_rank(tmp_path: Path) -> None:
    copy = Copy(tmp_path, LIVE[0], "undated")
    copy.change("irregularities", 'decided_by = "dealer" }', 'decided_by = "boss" }')
    with pytest.raises(
        RuleError, match="'boss' is unknown: expected dealer, pit-supervisor, pit-manager, shift-manager"
    ):
        copy.load()


def test_a_difference_names_its_editions_and_has_no_paragraph_where_an_edition_has_no_row() -> None:
    tiger, live = load.edition(TIGER[0], DATES[1]), load.edition(LIVE[0], "undated")
    for old, new in ((tiger, live), (live, tiger)):
        difference = diff(old, new)
        assert (difference.old, difference.new) == (old.id, new.id)
        for row in difference.irregularities_changed:
            assert row.old_paragraph == (old.irregularities[row.what].cite if row.what in old.irregularities else "")
            assert row.new_paragraph == (new.irregularities[row.what].cite if row.what in new.irregularities else "")


def test_a_bet_has_the_name_that_is_printed() -> None:
    bets = load.edition(TIGER[0], DATES[1]).bets
    assert (bets[Bet.BIG_TIGER].name, bets[Bet.PLAYER_CHAR_SIU].name) == ("Big Tiger", "Player Char Siu")
