"""The readable engine: the same rounds as a table that is run by commands, burn and cut card by the edition."""

from __future__ import annotations

import pytest

from punto.cards import RANKS
from punto.game import commands as c
from punto.game.coup import Coup, wrong
from punto.game.decide import apply
from punto.game.refusals import Refusal
from punto.game.table import Phase
from punto.rulebook.model import Rulebook
from punto.sim.rng import shuffled
from punto.sim.shoes import Setup, deal_shoe, setup
from tests.rulebook.library import every_edition
from tests.table.given import CLOSE, DRAW, OPEN, SETTLE, given, opened

EDITIONS = every_edition()
by_edition = pytest.mark.parametrize("rules", EDITIONS, ids=lambda rules: rules.id)


def played(of: Setup, number: int) -> list[Coup]:
    """The shoe at a virtual table: every card by a command, until a command is refused."""
    rules = of.rules
    order = tuple(str(card) for card in shuffled(of.seed, number, of.decks))
    table = given(
        rules,
        opened(rules, decks=of.decks),
        c.LoadShoe(by="sue", count=of.cards, shuffled=True, order=order),
        c.PlaceCutCard(by="sue", after=of.cut_at),
    )
    if table.phase is Phase.COMMENCING:
        table = given(rules, c.Burn(by="sue"), table=table)
    coups = []
    for _ in range(of.cards):
        table, answer = apply(rules, table, OPEN)
        if isinstance(answer, Refusal):
            assert answer.code == "last-round"
            break
        if table.phase is not Phase.BETTING:
            continue
        table = given(rules, CLOSE, table=table)
        while table.phase is not Phase.COMPLETE:
            table = given(rules, DRAW, table=table)
        coups.append(table.current.coup)
        table = given(rules, SETTLE, table=table)
    return coups


@by_edition
def test_a_table_run_by_commands_deals_the_same_shoe(rules: Rulebook) -> None:
    for cut in (16, 17, 300):
        of = setup(rules, decks=6, cut=cut if cut < 300 else 280, seed=2025)
        for number in range(3):
            assert played(of, number) == [dealt.coup for dealt in deal_shoe(of, number).rounds]


@by_edition
def test_every_round_is_by_the_table_of_play_and_the_cards_add_up(rules: Rulebook) -> None:
    of = setup(rules, seed=3)
    for number in range(6):
        shoe = deal_shoe(of, number)
        cards = [*shoe.burnt, *(card for dealt in shoe.rounds for card in (*dealt.coup.player, *dealt.coup.banker))]
        assert len(cards) + shoe.left == 416
        assert not [dealt for dealt in shoe.rounds if wrong(rules, dealt.coup)]
        assert [dealt.cut_card for dealt in shoe.rounds[:-1]] == [False] * (len(shoe.rounds) - 1)
        assert shoe.left >= 10
        assert len(shoe.rounds) >= of.sure_rounds


@by_edition
def test_the_burn_is_the_editions(rules: Rulebook) -> None:
    of = setup(rules, seed=4)
    for number in range(30):
        burnt = deal_shoe(of, number).burnt
        if rules.procedure.burn == "none":
            assert burnt == ()
        else:
            assert len(burnt) == 1 + min(RANKS.index(burnt[0].rank) + 1, 10)


@by_edition
def test_a_cut_card_on_top_between_rounds(rules: Rulebook) -> None:
    """It lies where a round ends: drawn as a first card it allows one more round, the last; a blue card allows none."""
    plain = setup(rules, seed=6)
    rounds = deal_shoe(plain, 0).rounds
    at = rounds[40].place
    there = deal_shoe(setup(rules, seed=6, cut=416 - at), 0).rounds
    before = deal_shoe(setup(rules, seed=6, cut=416 - at + 1), 0).rounds
    further = rules.procedure.cut_card_between == "last-round"
    assert len(there) == 40 + further
    assert [dealt.coup for dealt in there] == [dealt.coup for dealt in rounds[: len(there)]]
    assert [dealt.cut_card for dealt in there][-1] is further
    assert len(before) == 40
    assert before[-1].cut_card


def test_the_rounds_that_every_shoe_has_are_there_in_the_worst_of_cases() -> None:
    for rules in EDITIONS:
        for cut in range(6, 100):
            of = setup(rules, cut=cut)
            place, count = (11 if of.burns else 0), 0
            while place < of.stop:
                place, count = place + 6, count + 1
            assert of.sure_rounds == count
            assert place <= of.cards


WRONG = [
    ({"decks": 3}, "3 decks are not allowed"),
    ({"decks": 11}, "11 decks are not allowed"),
    ({"cut": 5}, "too few for a round"),
    ({"cut": 411}, "too few for a round"),
    ({"cut": 416}, "too few for a round"),
    ({"cut": -1}, "too few for a round"),
    ({"seed": -1}, "seed -1 is out of range"),
    ({"seed": 1 << 64}, "is out of range"),
    ({"shoe": -1}, "no shoe -1"),
    ({"shoe": 1 << 63}, "no shoe"),
]


@pytest.mark.parametrize(("options", "text"), WRONG)
def test_what_can_t_be_dealt_is_refused_in_a_sentence(options: dict[str, int], text: str) -> None:
    (rules, *_) = [edition for edition in EDITIONS if edition.procedure.burn == "none"]
    with pytest.raises(ValueError, match=text):
        setup(rules, **options)


def test_the_deepest_cut_leaves_the_burn_and_a_round() -> None:
    for rules in EDITIONS:
        deepest = 416 - 6 - (11 if rules.procedure.burn != "none" else 0)
        assert all(deal_shoe(setup(rules, cut=deepest, seed=seed), 0).rounds for seed in range(20))
        with pytest.raises(ValueError, match="too few"):
            setup(rules, cut=deepest + 1)
