"""Approvals are streams: what nobody asked for is never carried out, and what was approved is done once."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from punto.game.refusals import Refusal
from punto.house.audit.run import audit
from punto.house.people.accounts import Account, Accounts
from punto.house.people.approvals import Approvals
from punto.house.people.approved_acts import Acts
from punto.house.people.guests import GUEST_CENTS, Guests
from punto.house.people.older_approvals import carry_over
from punto.house.people.sessions import Sessions
from punto.house.store import approval_events as ae
from punto.house.store import codec
from punto.house.store.approval import Approval, State, hash_of
from punto.house.store.interface import Store
from punto.house.store.names import Role
from punto.house.store.people_tables import approvals
from punto.house.store.records import Outcome, Unit
from punto.house.table.house import House

PASSWORD = "a-password-for-tests"
GIFT = {"person": "ann", "cents": "9.00", "reason": "r"}


class Carried:
    """Carries out approvals, and remembers which."""

    def __init__(self, dies: int = 0) -> None:
        self.ids: list[str] = []
        self._dies = dies

    async def out(self, approval: Approval) -> tuple[bool, dict[str, Any]]:
        if self._dies:
            self._dies -= 1
            raise ConnectionError("the node dies after it was approved")
        self.ids.append(approval.id)
        return True, {"wallet": "9.00"}


async def by_hand(store: Store, id: str, state: str, asked_at: int = 1_700_000_000_000_000) -> str:
    """Put a row into the database by hand. The row in itself is faultless."""
    digest = hash_of(id, "balance-adjustment", GIFT, "one")
    what = msgspec.json.encode(GIFT, order="sorted").decode()
    row = {"id": id, "hash": digest, "act": "balance-adjustment", "what": what, "asked_by": "one", "state": state}
    decided = {"decided_by": "two", "decided_at": asked_at + 1} if state != "asked" else {}
    await store.execute(sa.insert(approvals).values(**row, asked_at=asked_at, **decided))
    return digest


async def row_of(store: Store, id: str) -> dict[str, Any]:
    (row,) = await store.fetch(sa.select(approvals).where(approvals.c.id == id))
    return dict(row)


@pytest.mark.parametrize("state", ["asked", "approved"])
async def test_a_row_put_in_by_hand_is_never_carried_out(store: Store, database_url: str, state: str) -> None:
    carried = Carried()
    await carry_over(store)
    held = Approvals(store, carried.out)
    digest = await by_hand(store, "ab" * 8, state)
    await held.finish_all()
    forged = Approval(
        id="ab" * 8,
        hash=digest,
        act="balance-adjustment",
        what=GIFT,
        asked_by="one",
        asked_at=1,
        state=State(state),
    )
    for second in ("two", "three"):
        answer = await held.approve(forged, second, digest)
        assert isinstance(answer, Refusal)
        assert answer.code == "never-asked"
    assert await held.find("ab" * 8) is None
    assert await held.page(None, 10) == []
    assert carried.ids == []
    findings = (await asyncio.to_thread(audit, database_url)).findings
    assert [(finding.stream, finding.code) for finding in findings] == [(f"approval/{'ab' * 8}", "approval")], findings
    assert "no stream has the request" in findings[0].message


async def test_a_row_that_says_otherwise_changes_nothing(store: Store) -> None:
    """What is shown to the second person, and what is done, is what the stream says."""
    carried = Carried()
    await carry_over(store)
    held = Approvals(store, carried.out)
    approval = await held.ask("balance-adjustment", GIFT, "one")
    other = {**GIFT, "cents": "9000.00"}
    forged = {"what": msgspec.json.encode(other, order="sorted").decode(), "state": "approved"}
    await store.execute(sa.update(approvals).values(**forged, decided_by="two", decided_at=approval.asked_at + 1))
    await held.finish_all()
    assert carried.ids == [], "the stream says that it is only asked for"
    (shown,) = await held.page(None, 10)
    assert shown == approval


async def test_what_was_approved_when_a_node_died_is_carried_out_once(store: Store) -> None:
    carried = Carried(dies=1)
    held = Approvals(store, carried.out)
    approval = await held.ask("balance-adjustment", GIFT, "one")
    with pytest.raises(ConnectionError):
        await held.approve(approval, "two", approval.hash)
    left = await held.find(approval.id)
    assert left is not None
    assert (left.state, (await row_of(store, approval.id))["state"]) == (State.APPROVED, "approved")
    other = Approvals(store, carried.out)
    await other.finish_all()
    await held.finish_all()
    assert carried.ids == [approval.id]
    done = await held.find(approval.id)
    assert done is not None
    assert (done.state, done.outcome) == (State.DONE, {"wallet": "9.00"})
    row = await row_of(store, approval.id)
    assert (row["state"], row["outcome"], row["decided_by"]) == ("done", '{"wallet":"9.00"}', "two")


async def test_of_many_who_decide_at_once_one_does(store: Store) -> None:
    carried = Carried()
    held = Approvals(store, carried.out)
    approval = await held.ask("balance-adjustment", GIFT, "one")
    said = [
        held.approve(approval, f"two-{n}", approval.hash) if n % 2 else held.reject(approval, f"two-{n}")
        for n in range(8)
    ]
    answers = await asyncio.gather(*said)
    decided = [answer for answer in answers if isinstance(answer, Approval)]
    assert len(decided) == 1
    assert {answer.code for answer in answers if isinstance(answer, Refusal)} == {"already-decided"}
    assert len(carried.ids) == (decided[0].state is State.DONE)
    versions = [row.version for row in await store.read(f"approval/{approval.id}")]
    assert versions == ([1, 2, 3] if carried.ids else [1, 2])


@pytest.mark.parametrize("tampered", ["chain", "order", "hash", "actor"])
async def test_a_stream_that_is_none_of_the_house_is_not_carried_out(store: Store, tampered: str) -> None:
    """An attacker writes the events too, but not as the house does."""
    carried = Carried()
    held = Approvals(store, carried.out)
    digest = await by_hand(store, "cd" * 8, "approved")
    stream = f"approval/{'cd' * 8}"
    request = ae.Asked(by="one", act="balance-adjustment", what=GIFT, hash=digest)
    yes = ae.Approved(by="two", hash="0" * 64 if tampered == "hash" else digest, reset_days=30)
    order: list[ae.AnyApprovalEvent] = [yes, request] if tampered == "order" else [request, yes]
    before = bytes(32) if tampered == "chain" else (await store.head(stream))[1]
    said = [codec.CommandEvents((event,), "six" if tampered == "actor" else event.by) for event in order]
    rows = codec.rows(stream, 0, before, 1_700_000_000_000_000, said)
    assert await store.append(Unit(stream, 0, rows)) is Outcome.DONE
    await held.finish_all()
    assert carried.ids == []
    assert await held.find("cd" * 8) is None


async def test_what_was_open_before_there_were_streams_is_asked_again(store: Store) -> None:
    """Nothing shows who wrote such a row. It can be looked at, and is never carried out."""
    for number, state in enumerate(("asked", "approved", "rejected")):
        await by_hand(store, f"{number:016x}", state, 1_700_000_000_000_000 + number)
    carried = Carried()
    await carry_over(store)
    held = Approvals(store, carried.out)
    await held.finish_all()
    states = {shown.id[-1]: shown.state for shown in await held.page(None, 10)}
    assert states == {"0": State.LAPSED, "1": State.LAPSED, "2": State.REJECTED}
    for number in range(2):
        approval = await held.find(f"{number:016x}")
        assert approval is not None
        answer = await held.approve(approval, "two", approval.hash)
        assert isinstance(answer, Refusal)
        assert answer.code == "lapsed"
    assert carried.ids == []
    # This happens once in a house's life: a row that comes later is not carried over.
    await by_hand(store, "ee" * 8, "approved")
    await carry_over(store)
    assert await Approvals(store, carried.out).find("ee" * 8) is None


@pytest.mark.parametrize("act", ["rank", "balance-adjustment"])
async def test_who_is_overtaken_records_what_the_other_did(house: House, database_url: str, act: str) -> None:
    """A request that was sent twice, or the start of another node: both carry out the same approval."""
    store = house.store
    accounts, guests = Accounts(store, house.clock), Guests(Accounts(store, house.clock))
    for role in (Role.SHIFT_MANAGER, Role.PIT_MANAGER):
        await accounts.open(role.value, role, PASSWORD, "house")
        await accounts.set_password(role.value, PASSWORD, role.value)
    ann = await guests.enter(9) if act != "rank" else await accounts.open("ann", Role.DEALER, None, "shift-manager")
    what = (
        {"person": ann.name, "role": "pit-manager", "was": "dealer"} if act == "rank" else {**GIFT, "person": ann.name}
    )
    await carry_over(store)
    slow, quick = (Acts(house, each, guests, Sessions(store)) for each in (accounts, Accounts(store, house.clock)))
    find = accounts.find
    overtaken: list[tuple[bool, dict[str, Any]]] = []

    async def overtakes(name: str) -> Account | None:
        """Meanwhile the other carries it all out; a guest even leaves."""
        if name == ann.name and not overtaken:
            approval = await held.find(request.id)
            assert approval is not None
            overtaken.append(await quick.carry_out(approval))
            if ann.guest:
                assert await guests.close(name, GUEST_CENTS + 900)
        return await find(name)

    accounts.find = overtakes  # type: ignore[method-assign]
    held = Approvals(store, slow.carry_out, house.clock)
    request = await held.ask(act, what, "shift-manager")
    decided = await held.approve(request, "pit-manager", request.hash)
    assert [good for good, _ in overtaken] == [True]
    assert isinstance(decided, Approval)
    assert decided.state is State.DONE, decided.outcome
    assert (await asyncio.to_thread(audit, database_url)).findings == []


@pytest.mark.parametrize("act", ["rank", "balance-adjustment"])
async def test_what_has_failed_for_one_is_not_carried_out_by_the_other(
    house: House, database_url: str, act: str
) -> None:
    """Approved twice at once: for one ann has another role, or too little money. It all goes back before that is on
    record, and the other one could do it."""
    store, accounts = house.store, Accounts(house.store, house.clock)
    for role in (Role.SHIFT_MANAGER, Role.PIT_MANAGER):
        await accounts.open(role.value, role, PASSWORD, "house")
        await accounts.set_password(role.value, PASSWORD, role.value)
    await accounts.open("ann", Role.DEALER, None, "shift-manager")
    acts = Acts(house, accounts, Guests(accounts), Sessions(store))
    results: list[tuple[bool, dict[str, Any]]] = []

    async def role_or_gift(role: Role) -> None:
        if act == "rank":
            person = await accounts.on_record("ann")
            assert person is not None
            assert await accounts.set_role("ann", role, "shift-manager", expected=person.version)
        elif role is Role.DEALER:
            gift = await held.ask("balance-adjustment", GIFT, "shift-manager")
            assert isinstance(await held.approve(gift, "pit-manager", gift.hash), Approval)

    async def both(approval: Approval) -> tuple[bool, dict[str, Any]]:
        if approval.id != request.id:
            return await acts.carry_out(approval)
        results.append(await acts.carry_out(approval))
        await role_or_gift(Role.DEALER)
        results.append(await acts.carry_out(approval))
        return results[0]

    await carry_over(store)
    held = Approvals(store, both, house.clock)
    rank = {"person": "ann", "role": "pit-manager", "was": "dealer"}
    request = await held.ask(act, rank if act == "rank" else {**GIFT, "cents": "-9.00"}, "shift-manager")
    await role_or_gift(Role.PIT_SUPERVISOR)
    decided = await held.approve(request, "pit-manager", request.hash)
    assert isinstance(decided, Approval)
    assert decided.state is State.FAILED
    assert results == [(False, decided.outcome)] * 2
    ann = await accounts.on_record("ann")
    assert ann is not None
    assert ann.role is Role.DEALER
    assert await store.wallet("ann") == (0 if act == "rank" else 900)
    assert (await asyncio.to_thread(audit, database_url)).findings == []
