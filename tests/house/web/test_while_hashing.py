"""Passwords are hashed in threads, which takes long: what happens to the person or to the session meanwhile counts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import msgspec
import pytest

from punto.house.people import passwords
from punto.house.people.accounts import Account, Accounts
from punto.house.store import person as e
from punto.house.store.names import Role
from tests.house.store.units import opened
from tests.house.table.playing import a_house
from tests.house.web.desk import OLD, Desk

NEW, FROM_THE_DESK = "the-new-password", "from-the-desk"


@pytest.fixture
def desk(database_url: str) -> AbstractAsyncContextManager[Desk]:
    @asynccontextmanager
    async def at_work() -> AsyncIterator[Desk]:
        async with a_house(database_url) as house:
            desk = Desk(house)
            async with desk.http:
                yield desk

    return at_work()


def meanwhile(patch: pytest.MonkeyPatch, password: str, happens: Callable[[], Awaitable[Any]]) -> None:
    """Let something happen while this password is hashed."""
    in_thread = passwords._in_thread

    async def slowly(call: Callable[[], Any]) -> Any:
        made = await in_thread(call)
        if isinstance(made, str) and passwords._check(made, password):
            await happens()
        return made

    patch.setattr(passwords, "_in_thread", slowly)


async def test_a_reset_ends_a_change_of_password_that_is_under_way(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who knows the old password must not take the account back after the desk gave a new one."""
    shift, ann = await desk.session("shift", Role.SHIFT_MANAGER), await desk.session("ann", Role.DEALER)

    async def reset() -> None:
        body = {"password": FROM_THE_DESK}
        assert (await desk.http.put("/api/people/ann/password", json=body, headers=shift)).status_code == 200

    meanwhile(monkeypatch, NEW, reset)
    answer = await desk.http.post("/api/me/password", json={"old": OLD, "new": NEW}, headers=ann)
    assert (answer.status_code, answer.json()["code"]) == (401, "no-session")
    assert await desk.events("ann") == ["PasswordReset"]
    assert (await desk.has("ann", FROM_THE_DESK), await desk.has("ann", NEW)) == (True, False)


@pytest.mark.parametrize("change", ["reset", "lock"])
async def test_a_change_elsewhere_after_the_check_ends_it_too(
    desk: Desk, database_url: str, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """Another node does it: this one does not know yet that the session has ended."""
    ann = await desk.session("ann", Role.DEALER)
    check = desk.parts.accounts.check
    async with opened(database_url) as other:
        elsewhere = Accounts(other)

        async def checked(*words: str) -> Account | float | None:
            account = await check(*words)
            if change == "reset":
                assert await elsewhere.reset_password("ann", FROM_THE_DESK, "shift")
            else:
                await elsewhere.lock("ann", "shift", "r")
            return account

        with monkeypatch.context() as patched:
            patched.setattr(desk.parts.accounts, "check", checked)
            answer = await desk.http.post("/api/me/password", json={"old": OLD, "new": NEW}, headers=ann)
    assert (answer.status_code, answer.json()["code"]) == (401, "no-session")
    assert await desk.events("ann") == ["PasswordReset" if change == "reset" else "AccountLocked"]


async def test_what_leaves_the_password_alone_does_not_stop_its_change(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await desk.session("ann", Role.DEALER)
    append, others = desk.parts.store.append, [lambda: desk.parts.accounts.unlock("ann", "shift")]

    async def appended(*unit: Any) -> Any:
        while others:
            await others.pop()()
        return await append(*unit)

    monkeypatch.setattr(desk.parts.store, "append", appended)
    answer = await desk.http.post("/api/me/password", json={"old": OLD, "new": NEW}, headers=ann)
    assert answer.status_code == 204
    assert await desk.events("ann") == ["AccountUnlocked", "PasswordSet"]
    assert await desk.has("ann", NEW)


@pytest.mark.parametrize("act", ["open", "reset"])
async def test_who_loses_the_rank_meanwhile_gives_no_password(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    shift = await desk.session("shift", Role.SHIFT_MANAGER)
    await desk.session("ann", Role.DEALER)

    async def lowered() -> None:
        assert await desk.parts.accounts.set_role("shift", Role.PATRON, "chief", expected=2)
        desk.parts.sessions.end_here("shift")

    meanwhile(monkeypatch, NEW, lowered)
    if act == "open":
        body = {"name": "bob", "role": "dealer", "password": NEW}
        answer = await desk.http.post("/api/people", json=body, headers=shift)
    else:
        answer = await desk.http.put("/api/people/ann/password", json={"password": NEW}, headers=shift)
    assert (answer.status_code, msgspec.json.decode(answer.content)["code"]) == (401, "no-session")
    assert await desk.events("ann") == []
    assert await desk.parts.accounts.find("bob") is None
    assert [type(event) async for _, event in desk.parts.accounts.events("shift")][-1] is e.RoleChanged
