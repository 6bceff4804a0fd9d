"""A past round frame by frame: the table after each event, as one audience may see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from punto.game import audience as seeing
from punto.game.audience import Audience
from punto.game.table import BankerFirst, Phase, PlacedCard, Round, Table
from punto.house.history.fold import Dated, replace, states
from punto.house.history.past_round import PastRound
from punto.house.table.governing_edition import named


def frames(rows: Iterable[Dated], audience: Audience = Audience.PIT, patron: str | None = None) -> Iterator[PastRound]:
    """The round after each event. Its `events` hold that event alone."""
    return (framed(past) for past in states(rows, audience, patron))


def framed(past: PastRound) -> PastRound:
    """The game itself computes the points and the next place. Offers are open in the offer phase only."""
    shown = Round(
        number=past.round,
        hand=past.hand,
        edition=past.edition,
        cards=tuple(PlacedCard(place, face, face is not None) for place, face in past.cards.items()),
        banker_first=BankerFirst("", "", past.banker_first),
    )
    return replace(
        past,
        player_points=shown.coup.player_points,
        banker_points=shown.coup.banker_points,
        next_place=seeing.next_place(named(past.edition), Table(phase=past.phase, round=shown)),
        open_offers=past.open_offers if past.phase is Phase.OFFER else (),
        events=past.events[-1:],
    )
