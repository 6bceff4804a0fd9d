"""The line between one page and the house, which a test can cut or slow down."""

from __future__ import annotations

import json

from playwright.sync_api import WebSocketRoute

from tests.browser.visitors import Visitor


class Line:
    """The sockets between one page and the house: they can be cut, and what either side says can be held back, but for
    the signs of life."""

    def __init__(self, visitor: Visitor) -> None:
        self.held: list[str] = []
        self.on_its_way: list[tuple[WebSocketRoute, str | bytes]] = []
        """What the page has said and the house has not heard."""
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
        """Nothing comes through any more, and neither side is told."""
        self._dead = True

    def mend(self) -> None:
        self._open, self._slow, self._dead = True, False, False
        self._visitor.context.set_offline(False)

    def slow(self) -> None:
        """What the page says stays on its way."""
        self._slow = True

    def arrive(self) -> None:
        """It comes to the house."""
        for house, message in self.on_its_way:
            house.send(message)
        self.mend()

    def hold(self) -> None:
        self._holding = True

    def answered(self) -> None:
        """Until the house has answered a command; the page has not heard it."""
        for _ in range(100):
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
        """What was held is lost, and the line with it; the page may join again."""
        self._holding = False
        self.held.clear()
        self._routes[-1].close(code=1011)
