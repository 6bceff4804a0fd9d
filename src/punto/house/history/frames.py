"""A past round frame by frame: the table after each event, as one audience may see it."""

from __future__ import annotations

from typing import Final

from punto.game import audience
from punto.game.events import InsuranceOffered
from punto.game.table import BankerFirst, Irregular, Phase, PlacedCard, Round, SettledLine, Table
from punto.house.history.past_round import Cards, EventShown, InsuranceHeld, PastRound, WagerLaid
from punto.rulebook.model import Rulebook


class Frame(EventShown, frozen=True, kw_only=True):
    """What lies there after an event. `next_place` is where the Table of Play wants the next card."""

    phase: Phase
    state: str
    cards: Cards
    player_points: int
    banker_points: int
    next_place: str | None
    waiting: tuple[str | None, ...]
    wagers: tuple[WagerLaid, ...]
    insurance: tuple[InsuranceHeld, ...]
    open_offers: tuple[InsuranceOffered, ...]
    irregularity: Irregular | None
    choices: dict[str, str]
    winner: str | None
    lines: tuple[SettledLine, ...]


_SAME: Final = (
    *("phase", "state", "cards", "waiting", "wagers", "insurance"),
    *("irregularity", "choices", "winner", "lines"),
)
"""What a frame has of the round as it is."""


def frame(rules: Rulebook, past: PastRound) -> Frame:
    """The round as it stands after its last event. Points and the place that is due are the game's own answers."""
    happened = past.events[-1]
    lying = Round(
        number=past.round,
        hand=past.hand,
        edition=past.edition,
        cards=tuple(PlacedCard(place, face, face is not None) for place, face in past.cards.items()),
        banker_first=BankerFirst("", "", past.banker_first),
    )
    return Frame(
        version=happened.version,
        at=happened.at,
        event=happened.event,
        player_points=lying.coup.player_points,
        banker_points=lying.coup.banker_points,
        open_offers=past.open_offers if past.phase is Phase.OFFER else (),
        next_place=audience.next_place(rules, Table(phase=past.phase, round=lying)),
        **{name: getattr(past, name) for name in _SAME},
    )
