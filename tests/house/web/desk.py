"""The routes of a node in this process, where a test can let something happen at a certain moment."""

from __future__ import annotations

import warnings

import httpx

from punto.house.people.accounts import Account, Accounts
from punto.house.people.approvals import Approvals
from punto.house.people.approved_acts import Acts
from punto.house.people.guests import Guests
from punto.house.people.sessions import Sessions
from punto.house.store.names import Role
from punto.house.table.house import House
from punto.house.web.app import application
from punto.house.web.parts import Parts
from punto.house.web.settings import Settings
from tests.house.web.running import NO_CERTIFICATES

OLD = "the-old-password"
"""Everybody's own, until they set another."""


class Desk:
    """The routes of one node, and people with sessions there."""

    def __init__(self, house: House) -> None:
        here = self.parts = Parts(Settings().unlimited())
        store, clock = house.store, house.clock
        here.house, here.store, here.accounts = house, store, Accounts(store, clock)
        here.sessions, here.guests = Sessions(store, clock=clock), Guests(here.accounts)
        here.acts = Acts(house, here.accounts, here.guests, here.sessions)
        here.approvals, here.ready = Approvals(store, here.acts.carry_out, clock), True
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Litestar warns of the way in which every route names its parameters
            transport = httpx.ASGITransport(app=application(here))
        self.http = httpx.AsyncClient(transport=transport, base_url="http://localhost", verify=NO_CERTIFICATES)

    async def session(self, name: str, role: Role) -> dict[str, str]:
        """Somebody with a password of their own comes in. Returns the headers of their requests."""
        await self.parts.accounts.open(name, role, OLD, name)
        return await self.again(name)

    async def again(self, name: str) -> dict[str, str]:
        """They come in again."""
        account = await self.parts.accounts.find(name)
        assert account is not None
        token, session = await self.parts.sessions.begin(account)
        return {"cookie": f"punto_session={token}", "x-csrf-token": session.csrf}

    async def events(self, name: str) -> list[str]:
        """What happened to a person after the account was opened."""
        events = [event async for _, event in self.parts.accounts.events(name)]
        return [type(event).__name__ for event in events[2:]]

    async def has(self, name: str, password: str) -> bool:
        return isinstance(await self.parts.accounts.check(name, password), Account)
