"""Cards from a scanner or an electronic shoe: a line protocol over a socket of its own.

A line is the number of a card as it left the shoe, and the card: `17 9H`; `17 CUT` says that the cut card came out
before it. Every line is answered by one. Lines may come
twice, get lost or change places: the number says which is which, and nothing is entered twice or out of turn. The
device signs in as the dealer on duty; what it says goes the way of every other command. For those who build one it is
in `docs/operations.md`.
"""

from __future__ import annotations

import asyncio
import hmac
from contextlib import suppress
from typing import Any, Final

from litestar import websocket
from litestar.exceptions import WebSocketException

from punto.cards import CardError, card
from punto.game.commands import DrawCutCard
from punto.game.events import CardDrawn, CardsBurnt
from punto.game.round import HEARD
from punto.game.table import Phase, Table
from punto.house.people.sessions import Session
from punto.house.store import codec
from punto.house.store.names import DEALER
from punto.house.web.command_requests import CommandRequest, carry_out, state
from punto.house.web.live import NO_SUCH_TABLE, SESSION_ENDED
from punto.house.web.problems import Stop
from punto.house.web.rooms import Rooms, caller, charge, rooms
from punto.house.web.sockets import DEADLINE_S, LOST, NOT_ALLOWED, Socket

LONGEST_LINE: Final = 200
MOST_NUMBER: Final = 10_000
_MOST_BAD: Final = 20
"""Lines that can't be read before a device is turned away."""
CUT: Final = "CUT"
_DEALS: Final = {
    Phase.COMMENCING: "burn",
    Phase.DEALING: "draw-card",
    Phase.OFFER: "draw-card",
    Phase.CUT_CARD: "draw-card",
}
"""What a card that leaves the shoe is, by where the table stands. Elsewhere none is due."""


@websocket("/api/tables/{table:str}/scanner")
async def scanner(socket: Socket, table: str) -> None:
    """Until the device goes, its session ends, or it sends what nobody can read."""
    here, session = rooms(socket), caller(socket).session
    await socket.accept()
    if session is None or session.ended or session.role not in DEALER:
        await socket.close(NOT_ALLOWED if session is not None else SESSION_ENDED)
        return
    device = Device(here, session, table)
    code = await _greeted(socket, device)
    if code is None:
        listening = asyncio.create_task(_listen(socket, device))

        def stop() -> None:
            listening.cancel()

        unwatch = session.watch(stop)
        with suppress(asyncio.CancelledError, WebSocketException, TimeoutError, Stop):
            await listening
        unwatch()
        code = _code(session)
    with suppress(*LOST):
        await socket.close(code)


def _code(session: Session) -> int:
    return SESSION_ENDED if session.ended else NOT_ALLOWED


async def _greeted(socket: Socket, device: Device) -> int | None:
    """The first line is `HELLO` and the session's token; the answer says which card is expected. Else the code for why
    the socket is closed."""
    try:
        async with asyncio.timeout(DEADLINE_S):
            word, _, token = (await socket.receive_text()).strip().partition(" ")
        if word != "HELLO" or not hmac.compare_digest(token.encode(), device.session.csrf.encode()):
            return NOT_ALLOWED
        await socket.send_text(await device.ready())
    except Stop:
        return NO_SUCH_TABLE
    except (TimeoutError, WebSocketException):
        return NOT_ALLOWED
    return None


async def _listen(socket: Socket, device: Device) -> None:
    """A line, its answer, the next line."""
    bad = 0
    while bad <= _MOST_BAD:
        text = await socket.receive_text()
        charge(device.here, caller(socket), 1)
        answer = await device.answer(text)
        bad += answer.startswith("BAD")
        async with asyncio.timeout(DEADLINE_S):
            await socket.send_text(answer)


class Device:
    """What a device is told, line by line. It keeps nothing: the table knows which card comes next."""

    def __init__(self, here: Rooms, session: Session, table: str) -> None:
        self.here, self.session, self.table = here, session, table

    async def ready(self) -> str:
        table = await state(self.here, self.table)
        shoe = table.shoe
        return "NOSHOE" if shoe is None else f"READY {shoe.number} {_next(table)}"

    async def answer(self, line: str) -> str:
        """`OK n`: entered, now or before. `WANT n`: that one is missing. `WAIT n`: no card is due now. `SEEN n`: it was
        entered by hand. `DIFFERS n`: it was entered as another card. `CUT n`: the cut card is on record, and card n
        comes next. `NO n code`: refused. `BAD`: no such line."""
        number, face = _read(line)
        if face is None:
            return "BAD expected a number and a card, such as 17 9H, or a number and CUT"
        table = await state(self.here, self.table)
        shoe = table.shoe
        if shoe is None:
            return f"WAIT {number} {table.phase.value}"
        due = _next(table)
        if number > due:
            return f"WANT {due}"
        if face == CUT:
            return await self._cut(table, number)
        key, command = f"scan-{shoe.number}-{number}", self._command(table, face)
        if number < due:
            return await self._before(number, key, face)
        if command is None:
            return f"WAIT {number} {table.phase.value}"
        code = await self._enter(key, command)
        return f"NO {number} {code}" if code else f"OK {number}"

    async def _enter(self, key: str, command: dict[str, Any]) -> str:
        """The way of every other command. Gives why not, if so."""
        try:
            answer = await carry_out(self.here, self.session, self.table, CommandRequest(key=key, command=command))
        except Stop as stop:
            return stop.code
        return "" if answer.accepted else str(answer.code)

    async def _cut(self, table: Table, number: int) -> str:
        """The cut card before card `number`. It comes once a shoe, so a line that comes again finds it on record."""
        if table.in_use.cut_drawn:
            return f"CUT {number}"
        if number < _next(table):
            return f"DIFFERS {number}"
        if DrawCutCard not in HEARD[table.phase]:
            return f"WAIT {number} {table.phase.value}"
        command = {"do": "draw-cut-card", "round": table.rounds}
        code = await self._enter(f"scan-{table.in_use.number}-cut-{number}", command)
        return f"NO {number} {code}" if code else f"CUT {number}"

    def _command(self, table: Table, face: str) -> dict[str, Any] | None:
        what = _DEALS.get(table.phase)
        if what is None:
            return None
        return {"do": what, "card": face} if what == "burn" else {"do": what, "card": face, "round": table.rounds}

    async def _before(self, number: int, key: str, face: str) -> str:
        """A line that came before: what was entered under its number is compared."""
        known = await self.here.store.answered(f"table/{self.table}", f"{self.session.name}/{key}")
        if known is None or known.refusal is not None:
            return f"SEEN {number}"
        rows = await self.here.store.read(f"table/{self.table}", known.version - 1, known.count)
        entered = [event.card for event in map(codec.event, rows) if isinstance(event, CardDrawn | CardsBurnt)]
        return f"OK {number}" if face in entered else f"DIFFERS {number}"


def _next(table: Table) -> int:
    """The number of the card that leaves the shoe next: those that did so are counted, burnt ones too."""
    return table.in_use.drawn + 1


def _read(line: str) -> tuple[int, str | None]:
    """The number and the card of a line, or the cut card; nothing where it is neither."""
    words = line[:LONGEST_LINE].split()
    if len(words) != 2 or not words[0].isascii() or not words[0].isdigit() or len(words[0]) > 5:
        return 0, None
    number = int(words[0])
    try:
        face = CUT if words[1].upper() == CUT else str(card(words[1]))
        return number, face if 0 < number <= MOST_NUMBER else None
    except CardError:
        return number, None
