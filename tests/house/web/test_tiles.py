"""The feed of the lobby: each tile whole, then only its changes, and nothing that a tile does not show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from punto.game import roads
from punto.house.store.dealing_pace import AT_ONCE
from punto.house.table.directory import Directory
from punto.house.web import tables
from tests.house.table.playing import LOAD, a_house, did, opening
from tests.house.web.running import GAME, LONG_S, Person, Server, guest, staff
from tests.house.web.test_live import closed
from tests.patience import SOCKET


@contextmanager
def feed(server: Server, *tables: str) -> Iterator[ClientConnection]:
    url = server.url.replace("http", "ws", 1) + "/api/tiles"
    with connect(url, **SOCKET) as socket:
        socket.send(json.dumps({"watch": tables}))
        yield socket


def until(socket: ClientConnection, known: dict[str, dict[str, Any]], table: str, **facts: Any) -> list[Any]:
    """Read until a tile has these facts; the frames that came."""
    frames = []
    while any(known.get(table, {}).get(name) != value for name, value in facts.items()):
        frame = json.loads(socket.recv(LONG_S))
        for tile in frame.get("tiles", ()):
            known[tile["id"]] = {**known.get(tile["id"], {}), **tile}
        frames.append(frame)
    return frames


def listed(who: Person, table: str) -> dict[str, Any]:
    (tile,) = [row for row in who.get("/api/tables").json() if row["id"] == table]
    return {name: value for name, value in tile.items() if name != "version"}


def test_a_tile_follows_its_table(server: Server) -> None:
    with staff(server, "pit-supervisor") as pit, guest(server) as ann:
        for table in ("tile-1", "tile-2", "tile-3"):
            pit.open(table, name=f"Table {table}")
            pit.must(table, {"do": "load-shoe", "count": 416, "shuffled": True})
        known: dict[str, dict[str, Any]] = {}
        with feed(server, "tile-1", "tile-2", "nowhere") as socket:
            until(socket, known, "tile-2", name="Table tile-2")
            assert sorted(known) == ["tile-1", "tile-2"]
            ann.must("tile-1", {"do": "join", "chips": "500.00"}, {"do": "sit", "box": 1})
            (frame,) = until(socket, known, "tile-1", seats={"taken": 1, "of": 6})
            assert frame["tiles"] == [{"id": "tile-1", "seats": {"taken": 1, "of": 6}}]
            assert frame["now"]
            pit.must("tile-1", {"do": "open-betting"})
            until(socket, known, "tile-1", phase="betting")
            for table in ("tile-1", "tile-3"):
                if table == "tile-3":
                    pit.must(table, {"do": "open-betting"})
                ann.do(table, {"do": "place-wager", "box": 1, "bet": "player", "stake": "10.00"})
            cards = [{"do": "draw-card", "card": card} for card in ("KH", "2S", "9D", "3C")]
            pit.must("tile-1", {"do": "close-betting"}, *cards, {"do": "settle"})
            took = until(socket, known, "tile-1", phase="settled")
            assert {tile["id"] for frame in took for tile in frame["tiles"]} == {"tile-1"}, "what is not watched"
            assert {name: value for name, value in known["tile-1"].items() if name != "version"} == listed(
                pit, "tile-1"
            )
            assert known["tile-1"]["road"]["rows"][0] == roads.rows_of(roads.roads("P").big_road)[0]
            socket.send(json.dumps({"watch": ["tile-3"]}))
            until(socket, known, "tile-3", phase="betting")


async def test_a_tile_that_is_asked_for_between_commit_and_table_is_not_kept(database_url: str) -> None:
    """A commit is reported before the table in memory has followed it. A tile that is read between is not kept."""
    async with a_house(database_url) as house:
        await did(house, opening("t1"), table="t1")
        here: Any = SimpleNamespace(house=house, directory=Directory(house.store, house.clock))
        await here.directory.add("t1", GAME, AT_ONCE)

        def look_at_once(table: str | None) -> None:
            looking = tables.listed(here, "t1")
            with suppress(StopIteration):
                looking.send(None)
            looking.close()

        here.directory.watchers.add(look_at_once)
        await did(house, LOAD, table="t1")
        shown, _ = await tables.listed(here, "t1")
        assert shown.version == (await house.table("t1")).version


@pytest.mark.parametrize("message", ["{", "{}", '{"watch":[1]}', json.dumps({"watch": ["x"] * 101})])
def test_who_asks_for_anything_else_is_cut_off(server: Server, message: str) -> None:
    with feed(server) as socket:
        socket.send(message)
        assert closed(socket) == 4403
