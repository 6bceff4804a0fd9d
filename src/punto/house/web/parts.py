"""What every route uses: the store, the house, its people, and the settings of this server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar.connection import ASGIConnection

from punto.house.web.rate_limits import Buckets

if TYPE_CHECKING:
    from punto.house.history.floor import Floor
    from punto.house.live.hub import Hub
    from punto.house.people.accounts import Accounts
    from punto.house.people.approvals import Approvals
    from punto.house.people.approved_acts import Acts
    from punto.house.people.guests import Guests
    from punto.house.people.sessions import Sessions
    from punto.house.store.interface import Store
    from punto.house.table.directory import Directory
    from punto.house.table.house import House
    from punto.house.watch.recorded_alarms import WatchBook
    from punto.house.web.settings import Settings
    from punto.house.web.tiles import Tiles

Connection = ASGIConnection[Any, Any, Any, Any]


class Parts:
    """One server's parts, made by `serve` and kept while it runs."""

    store: Store
    house: House
    hub: Hub
    floor: Floor
    accounts: Accounts
    guests: Guests
    sessions: Sessions
    approvals: Approvals
    acts: Acts
    directory: Directory
    watch_book: WatchBook

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.ready = False
        self.draining = False
        rates = settings.rates
        self.by_address = Buckets(rates.address)
        self.by_session = Buckets(rates.session)
        self.logins = Buckets(rates.login)
        self.entries = Buckets(rates.guest)
        self.handshakes = Buckets(rates.handshake)
        self.sockets: dict[str, int] = {}
        self.tiles: set[Tiles] = set()


def parts(connection: Connection) -> Parts:
    here: Parts = connection.app.state.parts
    return here
