"""The line between one page and the house, which a test can cut or slow down."""

from __future__ import annotations

import json
import time

from playwright.sync_api import WebSocketRoute

from tests.browser.visitors import Visitor
from tests.patience import LONG_S


class Line:
    """The sockets between one page and the house. They can be cut, and the messages of either side can be held back,
    except pings."""

    def __init__(self, visitor: Visitor) -> None:
        self.held: list[str] = []
        self.on_its_way: list[tuple[WebSocketRoute, str | bytes]] = []
        """Messages of the page that have not reached the house."""
        self._slow = self._dead = False
        self._visitor, self._routes, self._open, self._holding = visitor, list[WebSocketRoute](), True, False
        visitor.alone()
        visitor.page.route_web_socket("**/live*", self._join)

    def _join(self, route: WebSocketRoute) -> None:
        if not self._open:
            route.close(code=1011)
            return
        self._routes.append(route)
        house = route.connect_to_server()
        house.on_message(lambda message: self._to_page(route, message))
        route.on_message(lambda message: self._to_house(house, message))

    def _to_house(self, house: WebSocketRoute, message: str | bytes) -> None:
        if self._dead:
            return
        if self._slow and "ping" not in str(message):
            self.on_its_way.append((house, message))
        else:
            house.send(message)

    def _to_page(self, route: WebSocketRoute, message: str | bytes) -> None:
        if self._dead:
            return
        if self._holding and '"frame":"ping"' not in str(message):
            self.held.append(str(message))
        else:
            route.send(message)

    def cut(self) -> None:
        self._open = False
        self._visitor.context.set_offline(True)
        self._routes[-1].close(code=1011)

    def die(self) -> None:
        """No message comes through any more, and neither side is told."""
        self._dead = True

    def mend(self) -> None:
        self._open, self._slow, self._dead = True, False, False
        self._visitor.context.set_offline(False)

    def slow(self) -> None:
        """Hold back the messages of the page."""
        self._slow = True

    def arrive(self) -> None:
        """Deliver the messages that were held back, and mend the line."""
        for house, message in self.on_its_way:
            house.send(message)
        self.mend()

    def hold(self) -> None:
        self._holding = True

    def answered(self) -> None:
        """Wait until the house has answered a command. The page has not received the answer."""
        ends = time.monotonic() + LONG_S
        while time.monotonic() < ends:
            if any(json.loads(message)["frame"] == "answer" for message in self.held):
                return
            self._visitor.page.wait_for_timeout(30)
        raise AssertionError("the house did not answer")

    def release(self) -> None:
        self._holding = False
        for message in self.held:
            self._routes[-1].send(message)
        self.held.clear()

    def lose(self) -> None:
        """Lose the messages that were held back, and cut the line. The page may connect again."""
        self._holding = False
        self.held.clear()
        self._routes[-1].close(code=1011)
