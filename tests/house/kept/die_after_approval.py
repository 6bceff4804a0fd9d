"""A house that dies after a second person approved and before it was done: `die_after_approval.py DATABASE PERSON`."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import Any

from punto.house.people.approvals import Approvals
from punto.house.store.approval import Approval
from punto.house.store.interface import open_store


class Dies(Exception):
    """The house dies before the act is done."""


async def dies(approval: Approval) -> tuple[bool, dict[str, Any]]:
    raise Dies


async def run(url: str, person: str) -> None:
    store = await open_store(url)
    try:
        approvals = Approvals(store, dies)
        what = {"person": person, "cents": "12.34", "reason": "approved as the house died"}
        approval = await approvals.ask("balance-adjustment", what, "pit-manager")
        with contextlib.suppress(Dies):
            await approvals.approve(approval, "shift-manager", approval.hash)
    finally:
        await store.close()


if __name__ == "__main__":
    asyncio.run(run(*sys.argv[1:]))
