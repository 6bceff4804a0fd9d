"""Recorded shoes: the compiled comparator says what the readable one says, and bad records do not stop it."""

from __future__ import annotations

import random

import msgspec
import numpy as np
import pytest

from punto.watch.bounds import runs_a_shoe
from punto.watch.comparator import Comparator
from punto.watch.integrity import Integrity, Result
from punto.watch.references import Round, dealt, of_new_decks, of_shoe, picked_up
from punto.watch.riffles import kept
from punto.watch.rows import MOST_ROUNDS, UNKNOWN, Flaws, Rounds, Sorter, joined, taken
from punto.watch.settings import RUNS, THINNED, Procedure, Settings, pick_up_order
from tests.watch.planted import laid, whole
from tests.watch.shoes import riffled, rounds, shuffled, stretch, with_slug

ORDER = pick_up_order("P3 P1 P2 B3 B1 B2")
SETTINGS = Settings(tables=50, procedure=Procedure(pick_up=(ORDER,)))


def planted(chance: random.Random, count: int) -> list[list[Round]]:
    """Shoes of one table; most of them hold something of the last one."""
    shoes = [rounds(shuffled(chance))]
    for number in range(count - 1):
        picked = list(picked_up(shoes[-1], ORDER))
        match number % 5:
            case 0:
                begin = chance.randrange(300)
                cards = with_slug(chance, picked[begin : begin + chance.randrange(8, 50)], chance.randrange(350))
            case 1:
                slug = riffled(chance, list(dealt(shoes[-1])), 1)
                cards = slug + shuffled(chance)[: 416 - len(slug)]
            case 2:
                cards = picked[::-1] + shuffled(chance)[: 416 - len(picked)]
            case 3:
                cards = [7] * 10 + shuffled(chance)[:400]
            case _:
                cards = shuffled(chance)
        shoes.append(rounds(cards))
    return shoes


def run(shoes: list[list[Round]], *, suited: bool) -> Result:
    watch, flaws = Integrity(SETTINGS), Flaws()
    rows = stretch([(0, 0, str(at), held) for at, held in enumerate(shoes)], suited=suited)
    whole = Sorter(["T"], flaws).add(rows, last=True)
    return watch.run(watch.prepare(whole))


@pytest.mark.parametrize("suited", [True, False])
def test_the_compiled_comparator_is_the_readable_one(suited: bool) -> None:
    shoes = planted(random.Random(3), 15)
    result = run(shoes, suited=suited)
    seen = 0
    for at, held in enumerate(shoes):
        references = of_new_decks(SETTINGS.procedure)
        if at:
            references += of_shoe(str(at - 1), shoes[at - 1], SETTINGS.procedure)
        watch = Comparator(references, SETTINGS, suits=suited)
        for card in dealt(held):
            watch.card(card)
        rows = result.rows[result.rows[:, 0] == at]
        got = [("run", "thinned", "too-many")[row[1]] for row in rows.tolist()]
        assert got == [sign.kind for sign in watch.signs]
        assert rows[:, 2:].tolist() == [[sign.first, sign.at, sign.length, sign.place] for sign in watch.signs]
        weights = result.weights[result.rows[:, 0] == at]
        assert weights == pytest.approx([sign.evidence for sign in watch.signs], rel=1e-9)
        seen += len(watch.signs)
    assert seen > 8


def test_shares_kept_are_those_of_the_readable_form() -> None:
    shoes = planted(random.Random(8), 6)
    result = run(shoes, suited=True)
    for at in range(1, len(shoes)):
        last, now = shoes[at - 1], list(dealt(shoes[at]))
        ways = [
            list(dealt(last)),
            list(dealt(last))[::-1],
            list(picked_up(last, ORDER)),
            list(picked_up(last, ORDER))[::-1],
        ]
        expected = [kept(way, now, 8, 416).share for way in ways]
        assert result.shares[at] == pytest.approx(expected)


def test_false_alarms_are_no_more_than_budgeted() -> None:
    """Four thousand honest shoes, budgeted for one false alarm in fifty shoes. Runs and thinned slugs stay within their
    shares, and runs come as often as the bound says, which is nearly exact."""
    settings = Settings(tables=1, false_alarms_a_year=73, procedure=Procedure(pick_up=(ORDER,)))
    chance, shoes = np.random.default_rng(12), 4_000
    packs = [chance.permutation(np.tile(np.arange(52), 8))[:414] for _ in range(shoes)]
    watch = Integrity(settings)
    result = watch.run(watch.prepare(whole(laid(packs, table_of=shoes))))
    runs, thinned = (len(set(result.rows[result.rows[:, 1] == kind, 0].tolist())) for kind in (0, 1))
    budget = shoes * settings.chance_a_shoe
    length = watch.thresholds(4 * 414 + 416, 52).run
    expected = float(runs_a_shoe(length, 4 * 414 + 416, symbols=52, cards=416)) * shoes
    assert expected <= budget * RUNS
    assert abs(runs - expected) <= 4 * expected**0.5 + 1
    assert thinned <= budget * THINNED + 4 * (budget * THINNED) ** 0.5


def test_alarms_name_reference_round_and_shoe() -> None:
    chance = random.Random(21)
    last = rounds(shuffled(chance))
    slug = list(picked_up(last, ORDER))[50:90]
    now = rounds(with_slug(chance, slug, 120))
    watch = Integrity(SETTINGS)
    whole = Sorter(["T9"], Flaws()).add(stretch([(0, 0, "41", last), (0, 0, "42", now)]), last=True)
    alarms = watch.alarms(watch.run(watch.prepare(whole)), ["T9"])
    assert [alarm.kind for alarm in alarms] == ["run"]
    slug_alarm = alarms[0]
    assert (slug_alarm.table, slug_alarm.shoe, slug_alarm.first_card, slug_alarm.length) == ("T9", "42", 121, 40)
    assert slug_alarm.resembles == f"picked-up {' '.join(ORDER)} of shoe 41, cards 51 to 90"
    before = np.cumsum([0, *(sum(card is not None for card in a_round) for a_round in now)])
    assert slug_alarm.round is not None
    assert before[slug_alarm.round - 1] <= 120 < before[slug_alarm.round]


# The record


def test_stretches_of_any_length_give_the_same_shoes() -> None:
    chance = random.Random(2)
    shoes = [(at % 3, at % 3, str(at), rounds(shuffled(chance))) for at in range(9)]
    rows = stretch(shoes)
    mixed = taken(rows, np.sort(np.argsort(rows.number, kind="stable"))[np.argsort(rows.number, kind="stable")])
    whole = Sorter(["a", "b", "c"], Flaws()).add(stretch(sorted(shoes)), last=True)
    sorter, flaws = Sorter(["a", "b", "c"], Flaws()), Flaws()
    names: list[str] = []
    for lo in range(0, len(rows), 100):
        part = taken(rows, np.arange(lo, min(lo + 100, len(rows))))
        names += sorter.add(part, last=lo + 100 >= len(rows)).names
    assert sorted(names) == sorted(whole.names)
    assert not flaws.counts
    assert len(mixed) == len(rows)
    both = joined(taken(rows, np.arange(50)), taken(rows, np.arange(50, len(rows))))
    assert both.shoes[both.shoe[60]] == rows.shoes[rows.shoe[60]]


def changed(rows: Rounds, what: str) -> Rounds:
    number, cards, shoe = rows.number.copy(), rows.cards.copy(), rows.shoe.copy()
    suited = rows.suited.copy()
    match what:
        case "gap":
            return taken(rows, np.r_[0:30, 33 : len(rows)])
        case "out-of-order":
            order = np.arange(len(rows))
            order[[10, 11]] = [11, 10]
            return taken(rows, order)
        case "shoe-twice":
            shoe[:] = 0
        case "unknown-card":
            cards[2, 17] = UNKNOWN
        case _:
            suited[5] = False
    return msgspec.structs.replace(rows, number=number, cards=cards, shoe=shoe, suited=suited)


@pytest.mark.parametrize("what", ["gap", "out-of-order", "shoe-twice", "unknown-card", "no-suits"])
def test_a_bad_record_is_said_and_the_rest_goes_on(what: str) -> None:
    chance = random.Random(5)
    first, second = rounds(shuffled(chance)), rounds(shuffled(chance))
    third = rounds(with_slug(chance, list(picked_up(second, ORDER))[20:60], 100))
    rows = stretch([(0, 0, "1", first), (0, 0, "2", second), (0, 0, "3", third)])
    flaws, watch = Flaws(), Integrity(SETTINGS)
    whole = Sorter(["T1"], flaws).add(changed(rows, what), last=True)
    assert set(flaws.counts) == {what}
    assert flaws.listed[0].table == "T1"
    assert len(whole) == 3
    alarms = watch.alarms(watch.run(watch.prepare(whole)), ["T1"])
    assert [alarm.kind for alarm in alarms] == ["run"]


def test_a_shoe_without_an_end_is_cut_and_the_rest_goes_on() -> None:
    """Rounds go on under one shoe, as where nobody entered that the shoe was changed."""
    chance = random.Random(6)
    endless = rounds(shuffled(chance)) + rounds(shuffled(chance))
    after = rounds(shuffled(chance))
    rows = stretch([(0, 0, "1", endless), (0, 0, "2", after)])
    flaws = Flaws()
    sorted_rows = Sorter(["T1"], flaws).add(rows, last=True)
    assert flaws.counts["too-long"] == 1
    sizes = np.diff(sorted_rows.first).tolist()
    assert max(sizes) <= MOST_ROUNDS
    assert sum(sizes) == len(rows)
    assert sizes[-1] == len(after)
