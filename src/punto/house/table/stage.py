"""The stage of a table: while it is the same, the same clock runs."""

from __future__ import annotations

from punto.game.table import Table

Stage = tuple[object, ...]


def stage(table: Table) -> Stage:
    """The stage of a table. As long as it is the same, the same clock runs."""
    current, shoe = table.round, table.shoe
    if current is None:
        return (table.phase, shoe and (shoe.number, shoe.cut_at))
    return (
        table.phase,
        current.number,
        shoe and (shoe.number, shoe.cut_at),
        tuple([(card.place, card.exposed) for card in current.cards]),
        current.offer and current.offer.after,
        current.late_offer and current.late_offer.after,
        current.squeeze is not None and current.squeeze.granted,
    )


def same_stage(before: Table, after: Table) -> bool:
    """Whether two states of one table are at the same stage; mostly a comparison by identity is enough."""
    was, now = before.round, after.round
    if was is not None and now is not None and before.phase is after.phase and before.shoe is after.shoe:
        same = was.cards is now.cards and was.offer is now.offer and was.late_offer is now.late_offer
        if same and was.squeeze is now.squeeze and was.number == now.number:
            return True
    return stage(before) == stage(after)
