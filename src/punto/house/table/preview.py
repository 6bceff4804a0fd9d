"""What a ruling would lead to, worked out by the game on the table as it stands. Nothing is recorded."""

from __future__ import annotations

import msgspec

from punto.codes import Code
from punto.game.commands import AnyCommand, DecideIrregularity
from punto.game.decide import decide
from punto.game.evolve import evolve_all
from punto.game.refusals import Refusal
from punto.game.table import Table
from punto.house.table.governing_edition import governing, in_use
from punto.money import amount


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What a ruling would lead to. `cards` are those of the round concerned, `waiting` those left for the next one.
    `moves` is what each patron would gain or lose: what they have, less what they owe, after the ruling and before."""

    cards: dict[str, str | None]
    waiting: tuple[str | None, ...]
    moves: dict[str, str]
    needs_second_person: bool = False
    reason_needed: bool = False
    """Whether a reason is needed and none was given. The preview is then of the ruling with one."""


def preview(before: Table, command: AnyCommand) -> Preview | Refusal:
    rules = governing(before, command, in_use(before))
    answer = decide(rules, before, command)
    unwritten = isinstance(answer, Refusal) and answer.code == Code.REASON_NEEDED
    if unwritten and isinstance(command, DecideIrregularity):
        answer = decide(rules, before, msgspec.structs.replace(command, reason="–"))
    if isinstance(answer, Refusal):
        return answer
    after = evolve_all(before, answer)
    number = before.irregularity.round if before.irregularity is not None else None
    concerned = after.round if number is None else after.past.get(number)
    cards = concerned.cards if concerned is not None else ()
    waiting = after.shoe.carried if after.shoe is not None else ()
    moved = {name: _worth(after, name) - _worth(before, name) for name in after.patrons}
    return Preview(
        cards={card.place: card.face if card.exposed else None for card in cards},
        waiting=tuple(card.face if card.exposed else None for card in waiting),
        moves={name: amount(cents) for name, cents in moved.items() if cents},
        reason_needed=unwritten,
    )


def _worth(table: Table, name: str) -> int:
    return table.patrons[name].balance_cents - table.owed_cents.get(name, 0)
