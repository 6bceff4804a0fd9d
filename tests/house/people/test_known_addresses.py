"""Addresses that a person is known by: guesses from elsewhere keep no owner out, not even after a restart."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from punto.house.people import known_addresses, passwords
from punto.house.people.accounts import Account, Accounts
from punto.house.store.interface import Store
from punto.house.store.names import Role
from punto.house.store.people_tables import known_addresses as address_rows
from punto.house.store.people_tables import people
from punto.house.store.person import MOST_FAILURES
from tests.house.store.units import opened

PASSWORD = "a-password-for-tests"
HOME = "192.0.2.7"


async def _ann(store: Store, home: str = HOME) -> Account:
    """Somebody who has logged in from home once."""
    accounts = Accounts(store)
    await accounts.open("ann", Role.DEALER, PASSWORD, "chief")
    account = await accounts.check("ann", PASSWORD, home)
    assert isinstance(account, Account)
    return account


async def _guessed(accounts: Accounts, guesses: int) -> None:
    """Wrong passwords, each from another address."""
    for number in range(guesses):
        assert not isinstance(await accounts.check("ann", "a-wrong-password", f"198.51.{number}.1"), Account)


async def _rows(store: Store) -> list[bytes]:
    return [bytes(row["address_hash"]) for row in await store.fetch(sa.select(address_rows))]


async def test_guesses_from_many_addresses_and_a_restart_keep_no_owner_out(database_url: str) -> None:
    """Attackers know a name and have 105 addresses. The account waits everywhere but at its owner's own address."""
    async with opened(database_url) as store:
        await _ann(store)
        await _guessed(Accounts(store), MOST_FAILURES + 5)
    async with opened(database_url) as store:
        node = Accounts(store)
        assert isinstance(await node.check("ann", PASSWORD, "203.0.113.9"), float), "elsewhere it waits"
        assert isinstance(await node.check("ann", PASSWORD, HOME), Account)


async def test_an_address_is_kept_as_a_hash_that_a_new_password_ends(store: Store) -> None:
    await _ann(store)
    first = await _rows(store)
    assert len(first) == 1
    assert len(first[0]) == 16
    assert HOME.encode() not in first[0]
    accounts = Accounts(store)
    checked = await accounts.check("ann", PASSWORD, HOME)
    assert isinstance(checked, Account)
    assert await accounts.replace_password(checked, await passwords.hashed("another-password"), HOME)
    second = await _rows(store)
    assert len(second) == 1, "who changes their own password is known where they do it"
    assert second != first
    assert await accounts.reset_password("ann", "a-third-password", "chief")
    assert await _rows(store) == [], "who was given a new one is known nowhere until they log in"


async def test_a_person_has_a_few_addresses_the_newest(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at = [1_800_000_000_000_000]
    monkeypatch.setattr(known_addresses, "unix_micros", lambda: at[0])

    async with opened(database_url) as store:
        account = await _ann(store)
        accounts = Accounts(store)
        for number in range(known_addresses.MOST_ADDRESSES):
            at[0] += 1
            assert isinstance(await accounts.check("ann", PASSWORD, f"192.0.2.{100 + number}"), Account)
        assert len(await _rows(store)) == known_addresses.MOST_ADDRESSES
        assert not await known_addresses.is_known(store, account.name, account.password, HOME), "the oldest has gone"
        assert await known_addresses.is_known(store, account.name, account.password, "192.0.2.100")
        at[0] += known_addresses.LONGEST_US + 1
        assert not await known_addresses.is_known(store, account.name, account.password, "192.0.2.100"), (
            "an old one counts no more"
        )
        await known_addresses.sweep(store)
        assert await _rows(store) == []


async def test_a_login_from_the_same_place_is_written_once_a_day(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = [1_800_000_000_000_000]
    monkeypatch.setattr(known_addresses, "unix_micros", lambda: at[0])

    async def seen(store: Store) -> int:
        return int((await store.fetch(sa.select(address_rows)))[0]["seen_at"])

    async with opened(sqlite_url) as store:
        await _ann(store)
        accounts, first = Accounts(store), at[0]
        at[0] += known_addresses.FRESH_US - 1
        await accounts.check("ann", PASSWORD, HOME)
        assert await seen(store) == first
        at[0] += 2
        await accounts.check("ann", PASSWORD, HOME)
        assert await seen(store) == at[0]


async def test_a_wrong_password_from_home_waits_while_the_account_does(store: Store) -> None:
    await _ann(store)
    accounts = Accounts(store)
    await _guessed(accounts, MOST_FAILURES + 5)
    assert await accounts.check("ann", "a-wrong-password", HOME) is None
    failures = (await store.fetch(sa.select(people.c.failures)))[0]["failures"]
    assert failures == 1, "guesses at the owner's own address are counted as ever"
