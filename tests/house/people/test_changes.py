"""Changes of a person while something else happens: other changes, a login, another node."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
import sqlalchemy as sa

from punto.house.audit.run import audit
from punto.house.people import passwords, sessions
from punto.house.people.accounts import Account, Accounts, Contended, NameTaken
from punto.house.people.guests import Guests
from punto.house.people.session_rows import figures
from punto.house.people.sessions import Changed, Session, Sessions
from punto.house.store import person as e
from punto.house.store.interface import Store
from punto.house.store.names import Role
from punto.house.store.people_tables import people
from punto.house.store.people_tables import sessions as stored_sessions
from punto.house.store.records import Outcome
from tests.house.store.units import opened

PASSWORD = "a-password-for-tests"


async def ann(store: Store, role: Role = Role.DEALER) -> Account:
    return await Accounts(store).open("ann", role, PASSWORD, "shift-manager")


async def on_record(store: Store, name: str = "ann") -> e.Person:
    person = None
    for row in await store.read(f"person/{name}"):
        person = e.evolve(person, e.read(row.event), row.at)
    assert person is not None
    return person


async def same(store: Store) -> e.Person:
    """Check that the row and the stream agree. Returns the person."""
    person, account = await on_record(store), await Accounts(store).find("ann")
    assert account is not None
    assert (account.role, account.locked, account.opened_at) == (person.role, person.locked, person.opened_at)
    return person


# ------------------------------------------------------------------ row and stream


async def test_changes_at_once_leave_row_and_stream_alike(database_url: str) -> None:
    async with opened(database_url) as store, opened(database_url) as other:
        await ann(store)
        nodes = [Accounts(store), Accounts(other)]
        for turn in range(6):
            changes: list[Awaitable[Any]] = []
            for at, node in enumerate(nodes):
                changes.append(node.lock("ann", "shift-manager", "r"))
                changes.append(node.unlock("ann", "shift-manager"))
                version = (await store.head("person/ann"))[0]
                role = (Role.PATRON, Role.DEALER, Role.AUDITOR)[(turn + at) % 3]
                changes.append(node.set_role("ann", role, "shift-manager", expected=version))
            await asyncio.gather(*changes)
            await same(store)


async def test_a_role_is_given_to_the_person_as_he_was_looked_at(store: Store) -> None:
    """ann was lowered to a patron meanwhile. A command that was to lower a manager must not raise them."""
    await ann(store, Role.SHIFT_MANAGER)
    accounts = Accounts(store)
    looked = await accounts.on_record("ann")
    assert looked is not None
    assert await accounts.set_role("ann", Role.PATRON, "shift-manager", expected=looked.version)
    assert not await accounts.set_role("ann", Role.PIT_MANAGER, "other", expected=looked.version)
    assert (await same(store)).role is Role.PATRON


CHANGES: dict[str, Callable[[Accounts, int], Awaitable[Any]]] = {
    "lock": lambda accounts, _: accounts.lock("ann", "shift-manager", "r"),
    "unlock": lambda accounts, _: accounts.unlock("ann", "shift-manager"),
    "lower": lambda accounts, version: accounts.set_role("ann", Role.PATRON, "shift-manager", expected=version),
    "raise": lambda accounts, version: accounts.set_role("ann", Role.SHIFT_MANAGER, "shift-manager", expected=version),
    "password": lambda accounts, _: accounts.set_password("ann", "another-password", "ann"),
    "open": lambda accounts, _: accounts.open("bob", Role.PATRON, PASSWORD, "shift-manager"),
    "guest": lambda accounts, _: Guests(accounts).enter(9),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_a_change_is_one_commit(sqlite_url: str, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    """So a node that dies leaves all of it or nothing."""
    async with opened(sqlite_url) as store:
        account = await ann(store)
        await Sessions(store).begin(account)
        commits: list[str] = []
        append, execute = store.append, store.execute

        def appended(*arguments: Any) -> Any:
            commits.append("append")
            return append(*arguments)

        def executed(*arguments: Any) -> Any:
            commits.append("execute")
            return execute(*arguments)

        monkeypatch.setattr(store, "append", appended)
        monkeypatch.setattr(store, "execute", executed)
        await CHANGES[change](Accounts(store), (await store.head("person/ann"))[0])
        assert commits == ["execute" if change == "guest" else "append"]
        await same(store)
        left = await store.fetch(sa.select(stored_sessions))
        assert bool(left) is (change in ("unlock", "open", "guest"))


async def test_what_an_older_version_left_half_done_is_completed_by_doing_it_again(store: Store) -> None:
    await ann(store)
    await store.execute(sa.update(people).values(role="patron", locked=True))
    accounts = Accounts(store)
    await accounts.unlock("ann", "shift-manager")
    looked = await accounts.on_record("ann")
    assert looked is not None
    assert await accounts.set_role("ann", Role.DEALER, "shift-manager", expected=looked.version)
    assert (await same(store)).role is Role.DEALER


async def test_an_opening_that_was_cut_is_completed_by_doing_it_again(store: Store, database_url: str) -> None:
    await Accounts(store).open("shift-manager", Role.SHIFT_MANAGER, None, "house")
    await ann(store)
    await store.execute(sa.delete(people).where(people.c.name == "ann"))
    assert [finding.code for finding in (await asyncio.to_thread(audit, database_url)).findings] == ["account"]
    accounts = Accounts(store)
    with pytest.raises(NameTaken):
        await accounts.open("ann", Role.PATRON, PASSWORD, "somebody-else")
    await accounts.open("ann", Role.PATRON, "another-password", "shift-manager")
    assert (await same(store)).role is Role.PATRON
    assert isinstance(await accounts.check("ann", "another-password"), Account)
    assert (await asyncio.to_thread(audit, database_url)).good
    with pytest.raises(NameTaken):
        await accounts.open("ann", Role.PATRON, PASSWORD, "shift-manager")


# ------------------------------------------------------------------ sessions of other nodes


async def test_a_logout_elsewhere_ends_a_session_that_has_just_begun(database_url: str) -> None:
    """It ends by the next check, and checks are less than a second apart."""
    assert sessions.CHECK_SECONDS + sessions.PAUSE_SECONDS < 1
    async with opened(database_url) as store, opened(database_url) as other:
        account = await ann(store)
        here, there = Sessions(store), Sessions(other)
        check, checks = here.check, 0

        async def counted() -> None:
            nonlocal checks
            await check()
            checks += 1

        here.check = counted  # type: ignore[method-assign]
        checking = asyncio.ensure_future(here.run())
        try:
            for _ in range(3):
                token, session = await here.begin(account)
                same = await there.find(token)
                assert same is not None
                await there.end(same)
                under_way = checks + 1
                while not session.ended and checks <= under_way:
                    await asyncio.sleep(0.02)
                assert session.ended, "by the first check that began after the logout"
        finally:
            checking.cancel()


async def test_a_request_during_a_logout_finds_no_session(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another tab asks who is signed in as soon as its socket is closed, when the row may not be deleted yet."""
    held = Sessions(store)
    token, session = await held.begin(await ann(store))
    execute, read = store.execute, []

    async def meanwhile(*statements: Any) -> Any:
        read.append(await held.find(token))
        return await execute(*statements)

    monkeypatch.setattr(store, "execute", meanwhile)
    await held.end(session)
    assert read == [None]
    assert await held.find(token) is None


@pytest.mark.parametrize("how", ["logout", "lock", "everywhere"])
async def test_a_session_that_was_read_before_it_ended_is_over(
    store: Store, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """A slow request has read the row, and goes on after the session has ended."""
    account = await ann(store)
    token, _ = await Sessions(store).begin(account)
    held, fetch = Sessions(store), store.fetch
    has_read, goes_on = asyncio.Event(), asyncio.Event()

    async def slow(statement: Any) -> Any:
        rows = await fetch(statement)
        if not has_read.is_set():
            has_read.set()
            await goes_on.wait()
        return rows

    monkeypatch.setattr(store, "fetch", slow)
    request = asyncio.ensure_future(held.find(token))
    await has_read.wait()
    session = await held.find(token)
    assert session is not None
    if how == "logout":
        await held.end(session)
    elif how == "lock":
        await Accounts(store).lock("ann", "shift-manager", "r")
        held.end_here("ann")
    else:
        await held.end_all("ann")
    goes_on.set()
    assert await request is None


async def test_a_session_that_begins_during_a_check_is_looked_at_by_the_next(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(sqlite_url) as store:
        account = await ann(store)
        held = Sessions(store)
        await held.check()
        begun: list[tuple[str, Session]] = []

        async def meanwhile(store: Store) -> Any:
            counts = await figures(store)
            begun.append(await held.begin(account))
            return counts

        with monkeypatch.context() as during:
            during.setattr("punto.house.people.sessions.figures", meanwhile)
            await held.check()
        await store.execute(sa.delete(stored_sessions))
        await held.check()
        assert begun[0][1].ended


# ------------------------------------------------------------------ logins


@pytest.mark.parametrize("change", ["password", "lock", "lower"])
async def test_a_login_that_was_checked_before_a_change_opens_nothing_after_it(store: Store, change: str) -> None:
    await ann(store)
    accounts, held = Accounts(store), Sessions(store)
    checked = await accounts.check("ann", PASSWORD)
    assert isinstance(checked, Account)
    await CHANGES[change](accounts, (await store.head("person/ann"))[0])
    with pytest.raises(Changed):
        await held.begin(checked)
    assert not await store.fetch(sa.select(stored_sessions))


async def test_logins_during_a_change_of_password_open_nothing_that_lasts(store: Store) -> None:
    await ann(store)
    accounts, held = Accounts(store), Sessions(store)

    async def log_in() -> None:
        checked = await accounts.check("ann", PASSWORD, "a")
        if isinstance(checked, Account):
            with suppress(Changed):
                await held.begin(checked)

    await asyncio.gather(*(log_in() for _ in range(4)), accounts.set_password("ann", "another-password", "ann"))
    await asyncio.gather(*(log_in() for _ in range(2)))
    assert not await store.fetch(sa.select(stored_sessions))


async def test_a_password_that_changes_while_it_is_checked_is_wrong(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(sqlite_url) as store:
        await ann(store)
        accounts, matches = Accounts(store), passwords.matches

        async def meanwhile(known: str | None, password: str) -> bool:
            monkeypatch.undo()
            good = await matches(known, password)
            await accounts.set_password("ann", "another-password", "ann")
            return good

        monkeypatch.setattr(passwords, "matches", meanwhile)
        assert await accounts.check("ann", PASSWORD) is None


async def test_five_tries_are_five_however_many_come_at_once(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        await ann(store)
        accounts = Accounts(store)
        wrong = [accounts.check("ann", "guess", "a") for _ in range(12)]
        answers = await asyncio.gather(*wrong, accounts.check("ann", PASSWORD, "a"))
        assert answers[:5] == [None] * 5
        assert all(isinstance(answer, float) for answer in answers[5:]), answers
        right = await asyncio.gather(*(accounts.check("ann", PASSWORD, "b") for _ in range(12)))
        assert all(isinstance(answer, Account) for answer in right), "only there, and only what is wrong"
        assert not accounts._turns._locks


async def test_a_try_that_was_none_is_not_counted(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(sqlite_url) as store:
        await ann(store)
        accounts = Accounts(store)

        async def busy(known: str | None, password: str) -> bool:
            raise passwords.TooBusy

        with monkeypatch.context() as patched:
            patched.setattr(passwords, "matches", busy)
            for _ in range(10):
                with pytest.raises(passwords.TooBusy):
                    await accounts.check("ann", PASSWORD, "a")
        for _ in range(4):
            assert await accounts.check("ann", "guess", "a") is None
        for _ in range(7):
            assert isinstance(await accounts.check("ann", PASSWORD, "a"), Account), "the fifth is the right one"
        await accounts.lock("ann", "shift-manager", "r")
        for _ in range(7):
            assert await accounts.check("ann", PASSWORD, "a") is None, "who knows the password guesses nothing"


async def test_a_conflict_that_stays_is_no_change(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(sqlite_url) as store:
        await ann(store)

        async def conflict(*_: Any) -> Outcome:
            return Outcome.CONFLICT

        monkeypatch.setattr(store, "append", conflict)
        with pytest.raises(Contended):
            await Accounts(store).lock("ann", "shift-manager", "r")
