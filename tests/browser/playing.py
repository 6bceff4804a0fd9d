"""Rounds played without a browser: the past of a table when a test or a picture begins."""

from __future__ import annotations

import random
from typing import Any

import punto
from tests.browser.visitors import Hall


def drawn(*cards: str) -> list[dict[str, Any]]:
    return [{"do": "draw-card", "card": card} for card in cards]


def played(hall: Hall, table: str, hands: int, seed: int, spared: str = "") -> None:
    """Play rounds in which nobody bets. The dealer is on duty, the shoe is loaded, and `spared` cards are not dealt."""
    dealer, chance = hall.person("dealer"), random.Random(seed)
    rules = punto.edition(dealer.get(f"/api/tables/{table}").json()["view"]["edition"])
    while hands > 0:
        coup = punto.deal(rules, chance)
        player, banker = [str(card) for card in coup.player], [str(card) for card in coup.banker]
        order = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
        if {*order} & {*spared.split()}:
            continue
        done = dealer.do(table, {"do": "open-betting"}, {"do": "close-betting"}, *drawn(*order), {"do": "settle"})
        # Each coup is dealt from full decks; one that this shoe no longer holds is left out.
        assert done.status_code == 200 or done.json()["code"] == "too-many-of-a-card", done.text
        hands -= done.status_code == 200
