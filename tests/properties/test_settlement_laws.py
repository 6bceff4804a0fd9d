"""Laws of settlement, over random rounds of every edition and layout."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from punto.cards import SUITS, Card
from punto.game.coup import Coup
from punto.game.settlement import Line, Slip, Wager, settle
from tests.oracle import plain
from tests.properties.rounds import EDITIONS, Edition, book, cells, families
from tests.properties.strategies import LAW, Round, coups, rounds, stakes, tables


def slip_of(round_: Round) -> Slip:
    edition, layout, coup, wagers = round_
    rules = book(edition)
    slip = settle(rules, rules.layouts[layout], coup, wagers)
    assert isinstance(slip, Slip), slip
    return slip


def with_wagers(round_: Round, wagers: tuple[Wager, ...]) -> Round:
    edition, layout, coup, _ = round_
    return edition, layout, coup, wagers


def sorted_lines(lines: tuple[Line, ...]) -> list[str]:
    return sorted(map(repr, lines))


@LAW
@given(rounds())
def test_what_is_handed_back(round_: Round) -> None:
    """Won: stake and winnings. Returned: the stake. Lost: nothing. Odds stand on won lines and nowhere else."""
    for line in slip_of(round_).lines:
        if line.result == "won":
            assert line.odds is not None
            assert line.winnings_cents == plain.winnings_in_cents(line.stake_cents, line.odds)
            assert line.handed_back_cents == line.stake_cents + line.winnings_cents
        else:
            assert line.odds is None
            assert line.winnings_cents == 0
            assert line.handed_back_cents == (line.stake_cents if line.result == "returned" else 0)


@LAW
@given(rounds())
def test_the_sums_are_the_sums_of_the_lines(round_: Round) -> None:
    slip = slip_of(round_)
    assert slip.staked_cents == sum(wager.stake_cents for wager in round_[3])
    assert slip.handed_back_cents == sum(line.handed_back_cents for line in slip.lines)


@LAW
@given(rounds())
def test_money_is_conserved(round_: Round) -> None:
    """M4: what the house takes is what patrons lose, less what they win, patron by patron to the cent."""
    slip = slip_of(round_)
    net: Counter[str] = Counter()
    for line in slip.lines:
        net[line.patron] += line.handed_back_cents - line.stake_cents
    house = sum(line.stake_cents for line in slip.lines if line.result == "lost") - sum(
        line.winnings_cents for line in slip.lines
    )
    assert house + sum(net.values()) == 0
    assert slip.staked_cents - slip.handed_back_cents == house


@LAW
@given(rounds())
def test_one_line_a_wager_in_its_place(round_: Round) -> None:
    lines = slip_of(round_).lines
    actual = [(line.bet, line.stake_cents, line.patron, line.id) for line in lines]
    assert actual == [(wager.bet, wager.stake_cents, wager.patron, wager.id) for wager in round_[3]]


@LAW
@given(rounds(), st.randoms(use_true_random=False))
def test_the_order_of_wagers_is_irrelevant(round_: Round, chance: object) -> None:
    wagers = list(round_[3])
    chance.shuffle(wagers)  # type: ignore[attr-defined]  # Hypothesis gives a random.Random and says so nowhere
    slip, other = slip_of(round_), slip_of(with_wagers(round_, tuple(wagers)))
    assert sorted_lines(slip.lines) == sorted_lines(other.lines)
    assert (slip.staked_cents, slip.handed_back_cents) == (other.staked_cents, other.handed_back_cents)


@LAW
@given(rounds())
def test_patrons_do_not_touch_each_other(round_: Round) -> None:
    """Settled together or each alone: the same lines."""
    alone: tuple[Line, ...] = ()
    for patron in {wager.patron for wager in round_[3]}:
        alone += slip_of(with_wagers(round_, tuple(wager for wager in round_[3] if wager.patron == patron))).lines
    assert sorted_lines(alone) == sorted_lines(slip_of(round_).lines)


@LAW
@given(tables, coups, st.data(), st.lists(stakes, min_size=2, max_size=6))
def test_splitting_a_stake(table: tuple[Edition, str], coup: Coup, data: st.DataObject, parts: list[int]) -> None:
    """Whole odds: no cent changes. Other odds: less than a cent a part, because each part is rounded by half a cent."""
    edition, layout = table
    bet = data.draw(st.sampled_from(plain.bets_on(*edition, layout)))
    whole = slip_of((edition, layout, coup, (Wager(bet, sum(parts)),)))
    split = slip_of((edition, layout, coup, tuple(Wager(bet, part) for part in parts)))
    assert {line.result for line in split.lines} == {whole.lines[0].result}
    off = abs(whole.handed_back_cents - split.handed_back_cents)
    odds = whole.lines[0].odds
    assert off == 0 if odds is None or odds.denominator == 1 else 2 * off <= len(parts) + 1


@LAW
@given(rounds(), st.integers(1, 1_000))
def test_scaling(round_: Round, factor: int) -> None:
    """Multiples of 20 cents win whole cents at all odds, and a multiple of the stake wins the same multiple."""
    base = tuple(Wager(wager.bet, wager.stake_cents * 20, wager.patron) for wager in round_[3])
    more = tuple(Wager(wager.bet, wager.stake_cents * factor, wager.patron) for wager in base)
    slip, scaled = slip_of(with_wagers(round_, base)), slip_of(with_wagers(round_, more))
    for line, larger in zip(slip.lines, scaled.lines, strict=True):
        assert larger.winnings_cents == factor * line.winnings_cents
        assert larger.handed_back_cents == factor * line.handed_back_cents
        assert line.winnings_cents == line.stake_cents * (line.odds or Fraction(0))


@LAW
@given(rounds(), st.lists(st.sampled_from(SUITS), min_size=6, max_size=6))
def test_suits_change_nothing(round_: Round, suits: list[str]) -> None:
    """Every card may be of any suit: points, pairs and results ask only for ranks."""
    edition, layout, coup, wagers = round_
    turned = iter(suits)
    player, banker = (tuple(Card(card.rank, next(turned)) for card in hand) for hand in (coup.player, coup.banker))
    assert slip_of((edition, layout, Coup(player, banker), wagers)) == slip_of(round_)


@LAW
@given(rounds())
def test_the_order_of_the_first_two_cards_changes_nothing(round_: Round) -> None:
    edition, layout, coup, wagers = round_
    player, banker = ((hand[1], hand[0], *hand[2:]) for hand in (coup.player, coup.banker))
    assert slip_of((edition, layout, Coup(player, banker), wagers)) == slip_of(round_)


@EDITIONS
def test_one_suit_or_four(edition: Edition) -> None:
    """Exhaustive: every cell in its own suits and all in spades, on all bets."""
    for bets, layout in families(edition).items():
        wagers = tuple(Wager(bet, 100) for bet in bets)
        for cell in cells():
            player, banker = (
                tuple(Card(card.rank, SUITS[0]) for card in hand) for hand in (cell.coup.player, cell.coup.banker)
            )
            spades = slip_of((edition, layout, Coup(player, banker), wagers))
            assert spades == slip_of((edition, layout, cell.coup, wagers)), cell


@EDITIONS
def test_pictures_count_as_tens(edition: Edition) -> None:
    """Exhaustive: a third card that counts 0 may be a ten or any picture."""
    layout = next(iter(plain.layouts(*edition)))
    wagers = tuple(Wager(bet, 100) for bet in plain.bets_on(*edition, layout))
    for cell in cells():
        if 0 in cell.atom[2:]:
            slips = []
            for rank in "TJQK":
                player, banker = (
                    (*hand[:2], *(Card(rank, card.suit) if card.rank in "TJQK" else card for card in hand[2:]))
                    for hand in (cell.coup.player, cell.coup.banker)
                )
                slips.append(slip_of((edition, layout, Coup(player, banker), wagers)))
            assert all(slip == slips[0] for slip in slips), cell


@LAW
@given(rounds())
def test_no_result_without_a_paragraph(round_: Round) -> None:
    """Every line cites a paragraph that its edition has."""
    rules = book(round_[0])
    assert all(line.paragraph in rules.paragraphs for line in slip_of(round_).lines)


@LAW
@given(rounds())
def test_exactly_one_of_the_main_bets_wins(round_: Round) -> None:
    edition, layout, coup, _ = round_
    main = tuple(Wager(bet, 100) for bet in ("player", "banker", "tie"))
    slip = slip_of((edition, layout, coup, main))
    won = [line.bet for line in slip.lines if line.result == "won"]
    assert won == [slip.winner]
    returned = [line.bet for line in slip.lines if line.result == "returned"]
    assert returned == (["player", "banker"] if slip.winner == "tie" else [])
