"""Exhaustive: both insurance bets at both moments on every atom of every edition, against the oracle (P2, P5)."""

from __future__ import annotations

from collections import Counter

from punto.game import insurance
from punto.game.coup import Coup
from punto.game.refusals import Refusal
from punto.game.settlement import Insured, Slip, Wager, settle
from punto.rulebook.model import Moment
from tests.oracle import plain
from tests.properties.rounds import EDITIONS, Edition, book, by_atom, coup_of

MOMENTS = ("four-cards", "player-third")
ORIGINAL_CENTS = 1_000
STAKE_CENTS = 33
"""Small enough for every limit: at 10 to 1 the Live page allows a tenth of the Original Bet, twice a round."""


@EDITIONS
def test_every_offer_and_its_result(edition: Edition) -> None:
    """Whether there is an offer, on which hand, at what odds; then won, lost or returned, and the paragraph."""
    rules = book(edition)
    offers: Counter[str] = Counter()
    for cell in by_atom():
        for after in MOMENTS:
            offer = insurance.offer(rules, Moment(after), cell.coup)
            expected = plain.offer(*edition, after, cell.player, cell.banker)
            if expected is None:
                assert offer is None, (cell, after)
                continue
            assert offer is not None, (cell, after)
            assert (offer.bet, offer.odds, offer.after) == (expected[0], expected[1], after), (cell, after)
            known = cell.player[: 2 if after == "four-cards" else 3]
            points = (plain.points(known), plain.points(cell.banker[:2]))
            assert (offer.player_points, offer.banker_points) == points, (cell, after)
            assert offer.paragraph == plain.INSURANCE[edition][1]
            settled = plain.settle_insurance(*edition, expected[0], after, cell.player, cell.banker)
            assert settled is not None
            result, paragraph = insurance.result(rules, offer, plain.winner(cell.player, cell.banker))
            assert (result, paragraph) == (settled[0], settled[2]), (cell, after)
            offers[f"{offer.bet} {after} {result} {paragraph}"] += 1
    # Both bets at both moments, won, lost and returned, and the two ties that pay.
    assert len(offers) == 14, offers


@EDITIONS
def test_the_moments_look_only_at_the_cards_exposed_by_then(edition: Edition) -> None:
    """P2: the cards still to come change no offer, and before the moment there is none."""
    rules = book(edition)
    for cell in by_atom():
        early = coup_of(cell.player[:2], cell.banker[:2])
        middle = coup_of(cell.player, cell.banker[:2])
        four, third = Moment.FOUR_CARDS, Moment.PLAYER_THIRD
        assert insurance.offer(rules, four, early) == insurance.offer(rules, four, cell.coup), cell
        assert insurance.offer(rules, third, middle) == insurance.offer(rules, third, cell.coup), cell
        assert insurance.offer(rules, third, early) is None
    for shown in (Coup((), ()), coup_of(("K",), ("K",)), coup_of(("K", "7"), ("K",))):
        assert insurance.offer(rules, Moment.FOUR_CARDS, shown) is None


@EDITIONS
def test_every_insurance_wager(edition: Edition) -> None:
    """Settled line by line where there was an offer; refused where there was none."""
    rules = book(edition)
    layout = next(iter(rules.layouts.values()))
    for cell in by_atom():
        for side in ("player", "banker"):
            bet = f"{side}_insurance"
            wagers = (Wager(side, ORIGINAL_CENTS),)
            settled = {
                after: plain.settle_insurance(*edition, bet, after, cell.player, cell.banker) for after in MOMENTS
            }
            taken = tuple(Insured(bet, Moment(after), STAKE_CENTS) for after in MOMENTS if settled[after])
            slip = settle(rules, layout, cell.coup, wagers, taken)
            assert isinstance(slip, Slip), (slip, cell)
            lines = [(line.bet, line.result, line.odds, line.paragraph) for line in slip.lines[1:]]
            assert lines == [(bet, *line) for line in settled.values() if line], cell
            for after in MOMENTS:
                if settled[after] is None:
                    refused = settle(rules, layout, cell.coup, wagers, (Insured(bet, Moment(after), 1),))
                    assert isinstance(refused, Refusal), (cell, bet, after)
                    assert refused.code == "no-such-offer", (cell, bet, after)
                    assert refused.paragraph == plain.INSURANCE[edition][1]
