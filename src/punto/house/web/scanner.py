"""Cards from a scanner or an electronic shoe: a line protocol over a socket of its own.

A line is the number of a card as it left the shoe, and the card: `17 9H`. `17 CUT` says that the cut card came out
before card 17. Every line gets one in answer. Lines may be repeated, lost or swapped: the number says which
card is meant, and nothing is entered twice or out of turn. The device signs in as a dealer on duty, and its cards are
entered by the usual commands. `docs/operations.md` is for those who build a device.
"""

from __future__ import annotations

import asyncio
import hmac
from contextlib import suppress
from typing import Any, Final

from litestar import websocket
from litestar.exceptions import WebSocketException

from punto.cards import CardError, card
from punto.codes import Code
from punto.game import commands as c
from punto.game.decide import decide
from punto.game.events import CardDrawn, CardsBurnt
from punto.game.refusals import Refusal
from punto.game.round import HEARD
from punto.game.table import Phase, Table
from punto.house.people.sessions import Session
from punto.house.store import codec
from punto.house.store.answers import Denied
from punto.house.store.names import DEALER
from punto.house.table.governing_edition import governing, in_use
from punto.house.web.caller import caller
from punto.house.web.command_requests import CommandRequest, carry_out, state
from punto.house.web.live import NO_SUCH_TABLE
from punto.house.web.parts import Parts, parts
from punto.house.web.problems import Stop
from punto.house.web.rate_limits import charge
from punto.house.web.sockets import DEADLINE_S, NOT_ALLOWED, Socket, close, refusal

LONGEST_LINE: Final = 200
MOST_NUMBER: Final = 10_000
_MOST_BAD: Final = 20
"""Unreadable lines before a device's socket is closed."""
CUT: Final = "CUT"
_DEALS: Final = {
    Phase.COMMENCING: "burn",
    Phase.DEALING: "draw-card",
    Phase.OFFER: "draw-card",
    Phase.CUT_CARD: "draw-card",
}
"""The command that enters a card from the shoe, by phase. In other phases no card is due."""
_MOVED: Final = Denied(Code.TABLE_MOVED, "another card is due since this one was read", 409)


@websocket("/api/tables/{table:str}/scanner")
async def scanner(socket: Socket, table: str) -> None:
    """Serve a device until it leaves, its session ends, or too many lines are unreadable."""
    here, session = parts(socket), caller(socket).session
    await socket.accept()
    if session is None or session.ended or session.role not in DEALER:
        await close(socket, refusal(session))
        return
    serving, code = asyncio.create_task(_serve(socket, Device(here, session, table))), None

    def stop() -> None:
        serving.cancel()

    unwatch = session.watch(stop)
    with suppress(asyncio.CancelledError, WebSocketException, TimeoutError, Stop):
        code = await serving
    unwatch()
    await close(socket, code or refusal(session))


async def _serve(socket: Socket, device: Device) -> int | None:
    """Serve a device from its first line. Returns the close code of a refusal at the greeting."""
    code = await _greeted(socket, device)
    if code is None:
        await _listen(socket, device)
    return code


async def _greeted(socket: Socket, device: Device) -> int | None:
    """Read `HELLO` and the session's CSRF token, and answer which card is expected. Returns the close code of a
    refusal."""
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
    """Answer one line at a time."""
    bad = 0
    while bad <= _MOST_BAD:
        text = await socket.receive_text()
        charge(device.here, caller(socket), 1)
        device.here.sessions.use(device.session)
        answer = await device.answer(text)
        bad += answer.startswith("BAD")
        async with asyncio.timeout(DEADLINE_S):
            await socket.send_text(answer)


class Device:
    """Answers a device line by line. It keeps no state: the table knows which card comes next."""

    def __init__(self, here: Parts, session: Session, table: str) -> None:
        self.here, self.session, self.table = here, session, table

    async def ready(self) -> str:
        table = await state(self.here, self.table)
        shoe = table.shoe
        return "NOSHOE" if shoe is None else f"READY {shoe.number} {_next(table)}"

    async def answer(self, line: str) -> str:
        """`OK n`: card n is entered, now or before. `WANT n`: it is missing. `WAIT n`: no card is due now. `SEEN n`: it
        was entered by hand or burnt unseen. `DIFFERS n`: it was entered as another card, or without the cut card before
        it. `CUT n`: the cut card is on record, and card n comes next. `NO n code`: refused. `BAD`: unreadable."""
        number, face = _read(line)
        if face is None:
            return "BAD expected a number and a card, such as 17 9H, or a number and CUT"
        answer = None
        while answer is None:
            answer = await self._look(number, face)
        return answer

    async def _look(self, number: int, face: str) -> str | None:
        """The answer by the table as it stands; None if another card came before this one was entered."""
        table = await state(self.here, self.table)
        shoe = table.shoe
        if shoe is None:
            return f"WAIT {number} {table.phase.value}"
        due = _next(table)
        if number > due:
            return f"WANT {due}"
        if face == CUT:
            return await self._cut(table, number)
        key, command = _key(table, number), self._command(table, face)
        if number < due:
            return await self._before(number, key, face)
        if command is None:
            return f"WAIT {number} {table.phase.value}"
        return await self._enter(table, key, command, f"OK {number}")

    async def _enter(self, table: Table, key: str, command: dict[str, Any], done: str) -> str | None:
        """Enter it like any other command, if the same card is still due when that is decided. Returns `done`, a
        refusal, or None if another card is due. A refusal is a denial here: under a card's one key it would be
        remembered, and the card could not be sent again."""
        number = _next(table)

        def denied(at: Table, command: c.AnyCommand) -> Denied | None:
            if at.shoe is None or at.shoe.number != table.in_use.number or _next(at) != number:
                return _MOVED
            refusal = decide(governing(at, command, in_use(at)), at, command)
            return Denied(refusal.code, refusal.message, 409) if isinstance(refusal, Refusal) else None

        request = CommandRequest(key=key, command=command)
        try:
            answer = await carry_out(self.here, self.session, self.table, request, denied)
        except Stop as stop:
            return f"NO {number} {stop.code}"
        if answer.code == _MOVED.code:
            return None
        return done if answer.accepted else f"NO {number} {answer.code}"

    async def _cut(self, table: Table, number: int) -> str | None:
        """Enter the cut card before card `number`. It comes once a shoe, so a repeated line finds it on record."""
        if table.in_use.cut_drawn:
            return f"CUT {number}"
        if number < _next(table):
            return f"DIFFERS {number}"
        if c.DrawCutCard not in HEARD[table.phase]:
            return f"WAIT {number} {table.phase.value}"
        command = {"do": "draw-cut-card", "round": table.rounds}
        return await self._enter(table, f"scan-{table.in_use.number}-cut-{number}", command, f"CUT {number}")

    def _command(self, table: Table, face: str) -> dict[str, Any] | None:
        what = _DEALS.get(table.phase)
        if what is None:
            return None
        return {"do": what, "card": face} if what == "burn" else {"do": what, "card": face, "round": table.rounds}

    async def _before(self, number: int, key: str, face: str) -> str:
        """Compare a line for an earlier card with what this device entered under its number."""
        known = await self.here.store.answered(f"table/{self.table}", f"{self.session.name}/{key}")
        if known is None or known.refusal is not None:
            return f"SEEN {number}"
        rows = await self.here.store.read(f"table/{self.table}", known.version - 1, known.count)
        entered = [event.card for event in map(codec.event, rows) if isinstance(event, CardDrawn | CardsBurnt)]
        return f"OK {number}" if face in entered else f"DIFFERS {number}"


def _next(table: Table) -> int:
    """The number of the card that leaves the shoe next. Burnt cards count too."""
    return table.in_use.drawn + 1


def _key(table: Table, number: int) -> str:
    """The key of a card. A shuffler takes its cards back for every round, and counts from 1 again (I8)."""
    shoe = table.in_use.number
    return f"scan-{shoe}-{table.rounds}-{number}" if table.opened.device == "shuffler" else f"scan-{shoe}-{number}"


def _read(line: str) -> tuple[int, str | None]:
    """The number of a line, and its card or `CUT`; None if it is unreadable."""
    words = line[:LONGEST_LINE].split()
    if len(words) != 2 or not words[0].isascii() or not words[0].isdigit() or len(words[0]) > 5:
        return 0, None
    number = int(words[0])
    try:
        face = CUT if words[1].upper() == CUT else str(card(words[1]))
        return number, face if 0 < number <= MOST_NUMBER else None
    except CardError:
        return number, None
