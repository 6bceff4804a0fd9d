"""The results of a run: every bet and every offer next to its exact value; and one shoe round by round."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from punto.sim import stats
from punto.sim.run.blocks import Ended
from punto.sim.run.files import SPECIFICATION
from punto.sim.shoes import DealtShoe, Setup, Tally
from punto.sim.stats import Exact


def answer(of: Setup, tally: Tally, ended: Ended, timing: dict[str, Any], exact: Exact) -> dict[str, Any]:
    """The output of `punto simulate --json`."""
    rules = of.rules
    bets, offers = stats.bet_figures(rules, tally.cells, exact), stats.offer_figures(rules, tally.cells, exact)
    like_bets, like_offers = stats.bet_figures(rules, tally.sure, exact), stats.offer_figures(rules, tally.sure, exact)
    z = [line.z for line in (*like_bets.values(), *like_offers.values()) if line.z is not None]
    return {
        "game": rules.source.game,
        "edition": rules.source.edition,
        "data_sha256": rules.data_sha256,
        "specification": SPECIFICATION,
        "decks": of.decks,
        "cut": of.cut,
        "seed": of.seed,
        "shoes": tally.shoes,
        "rounds": tally.rounds,
        "ended": ended.value,
        **timing,
        "bets": {bet.value: line.shown(like_bets[bet]) for bet, line in bets.items()},
        "insurance": [
            {
                "bet": offer.bet.value,
                "after": offer.after.value,
                "player_points": offer.player_points,
                "banker_points": offer.banker_points,
                "odds": str(offer.odds),
                "offered": line.times,
                **line.shown(like_offers[offer]),
            }
            for offer, line in offers.items()
        ],
        "compared": {
            "rounds_per_shoe": of.sure_rounds,
            "rounds": int(tally.sure.sum()),
            "largest_z": max(map(abs, z), default=None),
            "chi_square": to_builtins(stats.chi_square(rules, tally.sure, exact)),
            "outcomes": stats.outcome_counts(rules, tally.sure),
        },
        "chi_square_all_rounds": to_builtins(stats.chi_square(rules, tally.cells, exact)),
    }


def shoe(of: Setup, number: int, dealt: DealtShoe) -> dict[str, Any]:
    """One shoe, as the output of `punto simulate --show NUMBER --json`."""
    rounds = [
        {
            "round": round.number,
            "place": round.place,
            "player": [str(card) for card in round.coup.player],
            "banker": [str(card) for card in round.coup.banker],
            "player_points": round.coup.player_points,
            "banker_points": round.coup.banker_points,
            "winner": round.coup.winner,
            "offers": [
                {"bet": offer.bet.value, "after": offer.after.value, "odds": str(offer.odds)} for offer in round.offers
            ],
            "cut_card": round.cut_card,
        }
        for round in dealt.rounds
    ]
    burnt = [str(card) for card in dealt.burnt]
    run = {"game": of.rules.source.game, "edition": of.rules.source.edition, "decks": of.decks, "cut": of.cut}
    return run | {"seed": of.seed, "shoe": number, "burnt": burnt, "rounds": rounds, "left": dealt.left}
