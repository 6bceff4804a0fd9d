"""Every card against what it might repeat: runs, thinned slugs, and cards that can't be in the shoe."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations

import msgspec
import pytest

from punto.game.commands import ReportIrregularity
from punto.watch import bounds
from punto.watch.alarms import Alarm, compared, of_sign, report
from punto.watch.comparator import Comparator, Sign
from punto.watch.references import Reference, of_new_decks, of_shoe, picked_up
from punto.watch.settings import (
    NEW_DECKS,
    PLACES,
    Procedure,
    Settings,
    SettingsError,
    check,
    new_deck_order,
    pick_up_order,
)
from tests.watch.shoes import code, riffled, rounds, shuffled, with_slug

THOUSAND_TABLES = Settings(tables=1_000)


def signs(shoe: list[int], references: list[Reference], settings: Settings, *, suits: bool = True) -> list[Sign]:
    watch = Comparator(references, settings, suits=suits)
    for card in shoe:
        watch.card(card)
    return watch.signs


# Bounds


def test_the_chance_of_a_window_bounds_every_window_and_is_met() -> None:
    """Two decks of two cards: all orders counted."""
    cards = (0, 0, 1, 1)
    orders = list(permutations(cards))
    for window in ((0,), (0, 1), (0, 0), (0, 1, 0)):
        for at in range(4 - len(window) + 1):
            met = sum(order[at : at + len(window)] == window for order in orders)
            bound = bounds.chance_of_window(len(window), symbols=2, cards=4)
            assert Fraction(met, len(orders)) <= bound
            if len(set(window)) == len(window):
                assert Fraction(met, len(orders)) == bound


def test_thresholds_follow_from_false_alarms() -> None:
    """The least length whose bound is within the budget; one card less is not."""
    for tables in (1, 100, 1_000):
        settings = Settings(tables=tables)
        for symbols in (bounds.SUITED, bounds.BY_RANK):
            length = bounds.thresholds(settings, 2_000, symbols).run
            a_year = [
                bounds.runs_a_shoe(size, 2_000, symbols=symbols, cards=416) * settings.shoes_a_year
                for size in (length, length - 1)
            ]
            assert a_year[0] <= settings.false_alarms_a_year / 2 < a_year[1]
    assert bounds.thresholds(THOUSAND_TABLES, 3_500, bounds.SUITED).run == 8


def test_settings_that_cannot_be_meant_are_refused() -> None:
    assert pick_up_order("p3 p1 p2 b3 b1 b2") == ("P3", "P1", "P2", "B3", "B1", "B2")
    for wrong in (Settings(tables=0), Settings(false_alarms_a_year=0), Settings(procedure=Procedure(decks=9))):
        with pytest.raises(SettingsError):
            check(wrong)
    with pytest.raises(SettingsError, match="each of P1 B1"):
        pick_up_order("P1 P2")
    with pytest.raises(SettingsError, match="each of the 52"):
        new_deck_order("AS AS")


# Runs


def test_a_new_deck_is_seen_by_its_eighth_card() -> None:
    for number, order in enumerate(NEW_DECKS, 1):
        for way in (1, -1):
            shoe = list(order * 8)[::way]
            findings = signs(shoe, of_new_decks(Procedure()), THOUSAND_TABLES)
            assert (findings[0].kind, findings[0].first, findings[0].at) == ("run", 0, 7), number
            assert findings[0].length >= 52


@pytest.mark.parametrize("length", [12, 20, 40, 60])
@pytest.mark.parametrize("back", [False, True])
def test_every_slug_with_a_known_pick_up_order_is_found_by_its_tenth_card(length: int, back: bool) -> None:
    chance = random.Random(length)
    for _ in range(6):
        last = rounds(shuffled(chance))
        order = tuple(chance.sample(PLACES, 6))
        settings = Settings(tables=1_000, procedure=Procedure(pick_up=(order,)))
        references = [*of_new_decks(settings.procedure), *of_shoe("1", last, settings.procedure)]
        picked = picked_up(last, order)[:: -1 if back else 1]
        begin = chance.randrange(len(picked) - length)
        at = chance.randrange(416 - length)
        findings = signs(with_slug(chance, list(picked[begin : begin + length]), at), references, settings)
        assert findings, (begin, at)
        assert findings[0].kind == "run"
        assert findings[0].first <= at
        assert findings[0].at <= at + 9
        assert findings[0].first + findings[0].length >= at + length


def test_forty_one_hands_on_unshuffled_cards_are_seen_in_the_second_hand() -> None:
    """The published case: last shoe's cards came again as they had been picked up."""
    chance = random.Random(41)
    last = rounds(shuffled(chance))
    procedure = Procedure(pick_up=(pick_up_order("P3 P1 P2 B3 B1 B2"),))
    settings = Settings(tables=1_000, procedure=procedure)
    findings = signs(list(picked_up(last, procedure.pick_up[0])), of_shoe("1", last, procedure), settings)
    assert (findings[0].first, findings[0].at) == (0, 7)
    assert findings[0].length == sum(card is not None for dealt in last for card in dealt)


def test_by_rank_a_run_must_be_longer() -> None:
    chance = random.Random(5)
    last = rounds(shuffled(chance))
    settings = Settings(tables=20)
    references = of_shoe("1", last, settings.procedure)
    slug = list(picked_up(last, settings.procedure.pick_up[0]))[100:140]
    shoe = with_slug(chance, slug, 200)
    other_suits = [4 * (card // 4) + chance.randrange(4) for card in shoe]
    runs = [sign for sign in signs(other_suits, references, settings, suits=False) if sign.kind == "run"]
    limit = Comparator(references, settings, suits=False).limits.run
    assert limit > 8
    assert runs[0].first <= 200
    assert runs[0].at <= 200 + limit - 1


def test_a_gap_ends_a_run() -> None:
    watch = Comparator(of_new_decks(Procedure()), THOUSAND_TABLES, suits=True)
    for at, card in enumerate(NEW_DECKS[0][:12]):
        if at == 6:
            watch.gap()
        watch.card(card)
    assert [sign.kind for sign in watch.signs] == ["thinned"]


# Thinned slugs


def test_a_slug_behind_a_riffle_is_seen_too() -> None:
    chance = random.Random(7)
    settings = THOUSAND_TABLES
    caught = 0
    for _ in range(10):
        last = shuffled(chance)
        references = [Reference(name="dealt", cards=tuple(last))]
        shoe = riffled(chance, last, 1)
        got = signs(shoe, references, settings)
        caught += bool(got) and got[0].at < 100
    assert caught == 10


def test_honest_shoes_are_left_alone() -> None:
    chance = random.Random(11)
    for _ in range(20):
        last, shoe = rounds(shuffled(chance)), shuffled(chance)
        references = [*of_new_decks(Procedure()), *of_shoe("1", last, Procedure())]
        assert not signs(shoe, references, THOUSAND_TABLES)


# Cards that can't be there, and what a person is given


def test_a_ninth_card_of_a_kind_is_reported_at_once() -> None:
    shoe = shuffled(random.Random(2))
    extra = code("KH")
    last = [at for at, card in enumerate(shoe) if card == extra][-1]
    shoe.insert(last + 5, extra)
    findings = signs(shoe, [], THOUSAND_TABLES)
    assert [(sign.kind, sign.first, sign.at) for sign in findings] == [("too-many", last + 5, last + 5)]


def alarm(kind: str) -> Alarm:
    references, settings = of_new_decks(Procedure()), THOUSAND_TABLES
    shoe = list(NEW_DECKS[0][:30]) if kind == "run" else [code("KH")] * 9
    watch = Comparator(references, settings, suits=True)
    for card in shoe:
        watch.card(card)
    return of_sign(watch.signs[-1], compared(watch, watch.signs[-1]), settings, shoe, table="T1", shoe="7")


def test_an_alarm_says_what_it_resembles_and_carries_the_report() -> None:
    run = alarm("run")
    assert (run.first_card, run.seen_at_card, run.length) == (1, 8, 30)
    assert run.resembles == "new-deck 1, cards 1 to 30"
    assert run.cards.startswith("AS 2S 3S")
    assert 0 < run.chance_a_shoe < 1e-30
    ready = report(run, by="sv")
    assert isinstance(ready, ReportIrregularity)
    assert msgspec.to_builtins(ready)["do"] == "report-irregularity"
    assert (ready.kind, ready.cause) == ("void", "unshuffled")
    many = alarm("too-many")
    assert many.chance_a_shoe == 0
    assert (many.cause, many.cards) == ("foreign-card", "KH")
