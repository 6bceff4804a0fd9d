"""A request that is sent again under its key: it has no second effect and gets the earlier answer, byte for byte."""

from __future__ import annotations

from punto.house.store import answers, codec
from punto.house.store.answers import Answer
from punto.house.store.interface import Store
from punto.house.store.records import Answered
from punto.house.table.loaded_table import LoadedTable, Pending
from punto.house.table.request import Request


async def give_earlier_answer(store: Store, table: LoadedTable, pending: Pending) -> bool:
    """Give the answer that the request's key has on record; False where it has none."""
    known = await store.answered(table.stream, pending.request.stored_key)
    if known is None:
        return False
    pending.give(await _earlier_answer(store, table, pending.request, known))
    return True


async def _earlier_answer(store: Store, table: LoadedTable, request: Request, known: Answered) -> Answer:
    """The answer to the key, rebuilt from what is recorded; a refusal where the key was used for another request."""
    if known.body != request.body:
        return answers.refused(answers.KEY_REUSED)
    if known.refusal is not None:
        return answers.remembered(known.refusal)
    rows = await store.read(table.stream, known.version - 1, known.count)
    return answers.accepted(table.id, rows[-1].version, map(codec.recorded, rows), request.audience, request.actor)
