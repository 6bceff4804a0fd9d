"""Hypothesis: random coups, wagers and insurance, made with the oracle's Table of Play and layouts."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, Final, NamedTuple

from hypothesis import settings
from hypothesis import strategies as st

from punto.cards import Card, card
from punto.game.coup import Coup
from punto.game.settlement import Wager
from tests.oracle import plain
from tests.properties.rounds import Edition, by_atom

LAW: Final = settings(deadline=None)
"""No deadline: the first example of a run also loads a rulebook. The profile says how many examples."""

PATRONS: Final = ("ann", "bob", "cy")
MOMENTS: Final = ("four-cards", "player-third")
LIMITS: Final = ("maximum", "maximum_differential")

card_texts = st.builds(lambda rank, suit: rank + suit, st.sampled_from(plain.RANKS), st.sampled_from("SHDC"))
editions = st.sampled_from(plain.EDITIONS)
stakes = st.integers(1, 2_000_00) | st.integers(1, 10**12)


hands = st.lists(card_texts, min_size=6, max_size=6).map(plain.deal)
"""A finished coup as texts. Eight decks, the default of all editions, hold six equal cards."""


def coup_of(dealt: tuple[list[str], list[str]]) -> Coup:
    player, banker = (tuple(card(text) for text in hand) for hand in dealt)
    return Coup(player, banker)


coups = hands.map(coup_of)
cards = st.builds(Card, st.sampled_from(plain.RANKS), st.sampled_from("SHDC"))


tables = st.sampled_from([(edition, layout) for edition in plain.EDITIONS for layout in plain.layouts(*edition)])
"""An edition and one of its layouts."""


@cache
def wagers_on(edition: Edition, layout: str, max_size: int = 12) -> st.SearchStrategy[tuple[Wager, ...]]:
    """Wagers that the layout takes. Made once: Hypothesis takes longer to examine a new strategy than to draw."""
    bets = st.sampled_from(plain.bets_on(*edition, layout))
    wagers = st.builds(Wager, bets, stakes, st.sampled_from(PATRONS), st.none() | st.integers(0, 99))
    return st.lists(wagers, max_size=max_size).map(tuple)


Round = tuple[Edition, str, Coup, tuple[Wager, ...]]


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """Edition, layout, coup and wagers."""
    edition, layout = draw(tables)
    return edition, layout, draw(coups), draw(wagers_on(edition, layout))


@cache
def offering() -> tuple[tuple[list[str], list[str]], ...]:
    """A coup of every atom in which insurance is offered at some moment."""
    return _offering(lambda bets: any(bets))


@cache
def offering_twice() -> tuple[tuple[list[str], list[str]], ...]:
    """A coup of every atom in which one hand is offered insurance at both moments."""
    return _offering(lambda bets: bets[0] is not None and bets[0] == bets[1])


def _offering(wanted: Callable[[list[str | None]], bool]) -> tuple[tuple[list[str], list[str]], ...]:
    matches = []
    for cell in by_atom():
        offers = [plain.offer(*plain.EDITIONS[0], after, cell.player, cell.banker) for after in MOMENTS]
        if wanted([None if offer is None else offer[0] for offer in offers]):
            matches.append(([str(face) for face in cell.coup.player], [str(face) for face in cell.coup.banker]))
    return tuple(matches)


class Lawful(NamedTuple):
    """A record that must be settled, and its insurance wagers that are as high as they may be."""

    record: dict[str, Any]
    full: list[dict[str, Any]]
    live: bool


@st.composite
def lawful_records(draw: st.DrawFn, twice: bool = False, any_coup: bool = False) -> Lawful:
    """Patrons who take all the insurance that they are offered, each up to their limit or less (P4, W6)."""
    edition = draw(editions)
    live = plain.is_live(edition[0])
    player, banker = draw(hands if any_coup else st.sampled_from(offering_twice() if twice else offering()))
    offers = {after: plain.offer(*edition, after, player, banker) for after in MOMENTS}
    hands_offered = [row[0].removesuffix("_insurance") for row in offers.values() if row is not None] or ["player"]
    limits = draw(st.fixed_dictionaries({}, optional=dict.fromkeys(LIMITS, st.integers(4, 5_000))))
    maximum = limits.get("maximum", limits.get("maximum_differential"))
    wagers: list[dict[str, Any]] = []
    insurance: list[dict[str, Any]] = []
    full: list[dict[str, Any]] = []
    for patron in PATRONS[: draw(st.integers(1, 3))]:
        # At least one patron is offered insurance; on the Live page nobody may be on both hands.
        sides = {hands_offered[0]} if patron == PATRONS[0] else {draw(st.sampled_from(("player", "banker")))}
        if not live and draw(st.booleans()):
            sides = {"player", "banker"}
        original = {side: draw(st.integers(100, 3_000)) for side in sorted(sides)}
        wagers += [{"patron": patron, "bet": side, "stake": plain.amount(cents)} for side, cents in original.items()]
        could_win = Fraction(0)
        for after, offered in offers.items():
            if offered is None or offered[0].removesuffix("_insurance") not in original:
                continue
            bet, odds, _ = offered
            bound = original[bet.removesuffix("_insurance")]
            most = int((bound - could_win) / odds) if live else bound
            if not live and odds == 10 and maximum is not None:
                most = min(most, maximum // 4)
            if most:
                stake = draw(st.just(most) | st.integers(1, most))
                could_win += stake * odds
                insurance.append({"patron": patron, "bet": bet, "after": after, "stake": plain.amount(stake)})
                # On the Live page only a patron's latest insurance can be full: one limit holds for both offers.
                full = [cover for cover in full if not live or cover["patron"] != patron]
                full += insurance[-1:] * (stake == most)
    record: dict[str, Any] = {
        "id": "r",
        "game": edition[0],
        "edition": edition[1],
        "layout": draw(st.sampled_from(plain.layouts(*edition))),
        "player": player,
        "banker": banker,
        "wagers": wagers,
        "insurance": insurance,
        "limits": {name: plain.amount(cents) for name, cents in limits.items()},
    }
    return Lawful(record, full, live)


@st.composite
def insured_records(draw: st.DrawFn, least: int, only_offers: bool) -> dict[str, Any]:
    """A record of `punto settle` with insurance: only such as was on offer to somebody, or any at all.

    How much may be staked, by whom, and whether an offer was forgone, is ignored.
    """
    edition = draw(editions)
    layout = draw(st.sampled_from(plain.layouts(*edition)))
    dealt = st.deferred(lambda: st.sampled_from(offering()))
    player, banker = draw(dealt if only_offers else dealt | hands)
    # A short list of stakes makes sums meet limits exactly.
    amounts = st.sampled_from(["0.01", "10.00", "25.00", "50.00", "66.66", "66.67", "100.00", "1000.00"])
    patrons = draw(st.sampled_from([(None,), (None,), PATRONS[:2], (None, "ann")]))
    names = {"id": st.text(max_size=3), "patron": st.sampled_from(patrons)}
    offers = [(offer[0], after) for after in MOMENTS if (offer := plain.offer(*edition, after, player, banker))]
    others = [(bet, after) for bet in ("player_insurance", "banker_insurance") for after in MOMENTS]
    # Mostly the hand that can be insured: other wagers give no right to insurance.
    sides = [bet.removesuffix("_insurance") for bet, _ in offers] * 2
    bets = st.sampled_from([*sides, "player", "banker", "tie"])
    pairs = st.sampled_from(offers if only_offers else [*offers * 4, *others])
    placed = st.fixed_dictionaries({"bet": bets, "stake": amounts, **names})
    wagers: list[dict[str, Any]] = draw(st.lists(placed, min_size=1, max_size=5))
    taken = st.fixed_dictionaries({"pair": pairs, "stake": amounts, **names})
    insurance: list[dict[str, Any]] = draw(st.lists(taken, min_size=least, max_size=4))
    for wager in insurance:
        wager["bet"], wager["after"] = wager.pop("pair")
    for wager in (*wagers, *insurance):
        if wager["patron"] is None:
            del wager["patron"]
    record: dict[str, Any] = {
        "id": draw(st.none() | st.integers(0, 9) | st.text(max_size=4)),
        "game": edition[0],
        "edition": edition[1],
        "layout": layout,
        "player": player,
        "banker": banker,
        "wagers": wagers,
        "insurance": insurance,
    }
    limits = draw(st.none() | st.fixed_dictionaries({}, optional={"maximum": amounts, "maximum_differential": amounts}))
    if limits is not None:
        record["limits"] = limits
    return record
