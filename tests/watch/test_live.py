"""A live table: alarms as cards come, the set over its shoes, stakes when a shoe ends; and state stored as bytes."""

from __future__ import annotations

import random

import msgspec

from punto.watch import live, live_stakes, stakes
from punto.watch.alarms import Alarm
from punto.watch.live import Evidence, Kept, LiveShoe, PlayedRound, Staked
from punto.watch.references import Round
from punto.watch.settings import Settings
from tests.watch.shoes import RULES, rounds, shuffled

SETTINGS = Settings(tables=10)
KNOWN = stakes.counts(RULES, 8, pool=256)


def play(kept: Kept, number: int, held: list[Round], staked: list[tuple[Staked, ...]] | None = None) -> list[Alarm]:
    shoe, raised = LiveShoe("T1", number, kept, SETTINGS), list[Alarm]()
    for at, cards in enumerate(held):
        left = shoe.left()
        for card in cards:
            if card is not None:
                raised += shoe.card(card, at + 1)
        shoe.round(PlayedRound(at + 1, cards, left, staked[at] if staked else ()))
    raised += shoe.end(kept)
    if staked:
        live_stakes.weigh_shoe(RULES, KNOWN, shoe, kept)
    return raised


def test_a_run_is_raised_at_once_and_told_once_more_at_its_whole_length() -> None:
    chance, kept = random.Random(5), Kept()
    last = rounds(shuffled(chance))
    assert play(kept, 1, last) == []
    again = play(kept, 2, last)
    assert [(alarm.kind, alarm.first_card, alarm.round) for alarm in again] == [("run", 1, 1)] * 2
    raised, whole = again
    assert raised.seen_at_card == raised.length < 10
    assert whole.length == sum(card is not None for cards in last for card in cards)
    assert raised.beside == raised.cards, "what it resembles lies beside it"
    assert whole.times_a_year < raised.times_a_year < SETTINGS.false_alarms_a_year


def test_what_is_kept_goes_through_bytes_and_the_same_alarms_follow() -> None:
    chance, kept = random.Random(6), Kept()
    last = rounds(shuffled(chance))
    play(kept, 1, last)
    other = msgspec.msgpack.decode(msgspec.msgpack.encode(kept), type=Kept)
    slug = rounds(shuffled(chance))[:20] + last[10:30]
    assert play(other, 2, slug) == play(kept, 2, slug) != []
    assert other == kept


def test_a_card_too_many_is_named_and_a_mistaken_one_taken_back_is_not() -> None:
    shoe = LiveShoe("T1", 1, Kept(), SETTINGS)
    for _ in range(8):
        assert not [alarm for alarm in shoe.card(17, 1) if alarm.kind == "too-many"]
        shoe.comparator.gap()
    shoe.recount([17], [18])
    assert not [alarm for alarm in shoe.card(17, 2) if alarm.kind == "too-many"]
    assert [alarm.kind for alarm in shoe.card(17, 2) if alarm.kind == "too-many"] == ["too-many"]


def test_missing_cards_of_a_set_are_named_once_and_a_new_set_starts_afresh() -> None:
    chance, kept, raised = random.Random(7), Kept(), list[Alarm]()
    for number in range(1, 25):
        cards = shuffled(chance)
        for card in (3, 20, 37):
            cards.remove(card)
        raised += play(kept, number, rounds(cards))
    assert [alarm.kind for alarm in raised] == ["missing"]
    assert set(raised[0].cards.split()) == {"AC", "6S", "TH"}
    live.new_set(kept)
    assert (kept.shoes, kept.missing, kept.shoe) == (0, False, "")


def test_a_counter_is_named_with_their_rounds_and_a_flat_better_is_not() -> None:
    chance, kept = random.Random(8), Kept()
    for number in range(1, 61):
        held = rounds(shuffled(chance))
        left, staked = [32] * 13, list[tuple[Staked, ...]]()
        for cards in held:
            edge = (live_stakes.edges(RULES, [left])[0] or {})["big_tiger"]
            counter = (Staked("cora", "big_tiger", 10_000),) if edge > 0 else ()
            staked.append((Staked("flo", "big_tiger", 10_000), Staked("flo", "banker", 5_000), *counter))
            for card in cards:
                if card is not None:
                    left[card // 4] -= 1
        play(kept, number, held, staked)
    suspicions = live_stakes.suspicions({"T1": kept}, 0.01, groups=False)
    assert [(suspicion.patrons, suspicion.named) for suspicion in suspicions] == [(("cora",), True), (("flo",), False)]
    assert suspicions[0].p < 1e-4 < suspicions[1].p
    assert all(wager.bet == "big_tiger" and wager.edge > 0 for _, wager in suspicions[0].rounds)
    often = kept.favourable["big_tiger"]
    assert 0.02 < often.rounds / kept.valued < 0.06, "a perfect counter bets in some 3.9 % of the rounds"
    assert often.largest >= suspicions[0].rounds[0][1].edge


def test_who_takes_turns_is_weighed_as_a_group() -> None:
    chance, kept, turn = random.Random(9), Kept(), 0
    for number in range(1, 61):
        held = rounds(shuffled(chance))
        left, staked = [32] * 13, list[tuple[Staked, ...]]()
        for cards in held:
            edge = (live_stakes.edges(RULES, [left])[0] or {})["big_tiger"]
            row = [Staked(name, "player", 1_000) for name in ("ann", "bea", "cy")]
            if edge > 0:
                row.append(Staked(("ann", "bea", "cy")[turn % 3], "big_tiger", 10_000))
                turn += 1
            staked.append(tuple(row))
            for card in cards:
                if card is not None:
                    left[card // 4] -= 1
        play(kept, number, held, staked)
    team = live_stakes.suspicions({"T1": kept}, 0.01, groups=True)
    alone = live_stakes.suspicions({"T1": kept}, 0.01, groups=False)
    assert team[0].patrons == ("ann", "bea", "cy")
    assert team[0].named
    assert team[0].evidence > max(suspicion.evidence for suspicion in alone)


def test_who_stakes_only_in_the_last_rounds_of_a_long_shoe_is_weighed() -> None:
    """More than a hundred rounds of four cards: late rounds are those that favour a counter."""
    chance, kept = random.Random(10), Kept()
    held = [(*cards[:4], None, None) for cards in rounds(shuffled(chance, 8))] + [(0, 4, 8, 12, None, None)] * 30
    held = held[: live.MOST_ROUNDS]
    assert len(held) > 100
    staked: list[tuple[Staked, ...]] = [()] * len(held)
    staked[-2:] = [(Staked("lou", bet, 10_000),) for bet in ("big_tiger", "player_pair")]
    play(kept, 1, held, staked)
    assert kept.patrons["lou"].shoes == 1


def test_more_patrons_than_a_shoe_can_weigh_are_left_out_and_no_more() -> None:
    chance, kept = random.Random(11), Kept()
    held = rounds(shuffled(chance))
    everybody = tuple(Staked(f"p{at}", bet, 1_000) for at in range(2_100) for bet in KNOWN.bets)
    play(kept, 1, held, [everybody] * len(held))
    assert 2_000 < len(kept.patrons) < 2_100


def test_patrons_and_groups_share_what_may_be_false() -> None:
    """Patrons and groups have half of 1 in 100 each: evidence of 150 is not enough to be named, 200 is."""
    for evidence, named in ((150.0, False), (200.0, True)):
        record = Evidence(main=evidence, side=evidence, shoes=6)
        kept = Kept(patrons={"ann": record}, groups={"ann bob": record})
        both = live_stakes.judged({"T1": kept}, 0.01)
        assert [[suspicion.named for suspicion in suspicions] for suspicions in both] == [[named], [named]]
