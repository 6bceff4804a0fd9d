"""O115: until a squeezed card is turned, only the patron who squeezes it knows it. Nobody else learns it over a socket,
by a route, from an export or from the log."""

from __future__ import annotations

import io
import json
import re
import zipfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from pyarrow import parquet
from websockets.sync.client import ClientConnection

from tests.house.web.running import EDITION, STAFF, Person, Server, eventually, guest, serving, staff
from tests.house.web.test_live import watching
from tests.patience import LONG_S

PACE = {"insurance": 0, "result": 600, "options": 600, "squeeze": 600}
REFERENCE = ("/api/rules", "/api/odds", "/api/reference", "/{path}", "/schema")
"""Addresses whose answers do not depend on the cards."""
EXPORTS = ("rounds.csv", "ledger.csv", "rounds.parquet", f"recorded.parquet?edition={EDITION}")
FILLED = {"table": "", "round": "1", "number": "1", "shoe": "1", "name": "", "id": "none"}


class Listening:
    """Every byte that came over somebody's socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._version, self._bytes = socket, 0, b""

    def heard(self, version: int) -> bytes:
        """All bytes up to this version of the table, once it has come."""
        while self._version < version:
            text = str(self._socket.recv(LONG_S))
            self._bytes += text.encode()
            frame = json.loads(text)
            self._version = frame.get("to", frame.get("version", self._version))
        return self._bytes


def version(person: Person, table: str) -> int:
    return int(person.get(f"/api/tables/{table}").json()["version"])


def view(person: Person, table: str) -> dict[str, Any]:
    shown: dict[str, Any] = person.get(f"/api/tables/{table}").json()["view"]
    return shown


def squeezes(ann: Person, bob: Person, table: str) -> bool:
    """Whether ann squeezes both cards, and no open card has the face of one of them."""
    for box, patron, stake in ((1, ann, "200.00"), (2, bob, "100.00")):
        wager = {"do": "place-wager", "box": box, "bet": "player", "stake": stake}
        if patron.do(table, {"do": "join", "chips": "1000.00"}, {"do": "sit", "box": box}, wager).status_code != 200:
            return False  # betting closed before this
    assert eventually(lambda: view(ann, table)["phase"] != "betting")
    if ann.do(table, {"do": "ask-squeeze", "places": ["P1", "P2", "P3"]}).status_code != 200:
        return False  # the first card was dealt before this
    assert eventually(lambda: lies(ann, table) is not None)
    known, open_now = lies(ann, table) or ({}, {})
    return not {*known.values()} & {*open_now.values()}


def lies(ann: Person, table: str) -> tuple[dict[str, str], dict[str, str]] | None:
    """The cards that ann squeezes and the open ones, once no other card lies face down."""
    seen = view(ann, table)
    known, cards = seen.get("squeezed_faces", {}), seen["cards"]
    if known.keys() != {"P1", "P2"} or not (cards.get("B1") and cards.get("B2")):
        return None
    return known, {place: face for place, face in cards.items() if face}


def routes(server: Server, table: str, name: str) -> list[str]:
    """Every address that can be read, with this table and this person in it."""
    with Person(server) as nobody:
        described = nobody.get("/schema/openapi.json").json()["paths"]
    filled = {**FILLED, "table": table, "name": name}
    templates = [path for path, ways in described.items() if "get" in ways and not path.startswith(REFERENCE)]
    paths = [re.sub(r"\{(\w+)\}", lambda match: filled.get(match[1], "1"), path) for path in templates]
    return [*paths, *(f"/api/exports/{export}" for export in EXPORTS)]


def readable(path: str, content: bytes) -> bytes:
    """The content of an answer, unpacked: the rows of a Parquet file, the parts of a workbook."""
    if ".parquet" in path:
        return str(parquet.read_table(io.BytesIO(content)).to_pylist()).encode()
    if path.endswith(".xlsx"):
        with zipfile.ZipFile(io.BytesIO(content)) as workbook:
            return b"\n".join(map(workbook.read, workbook.namelist()))
    return content


def test_a_squeezed_card_is_known_to_one_alone(tmp_path: Path, database_url: str) -> None:
    with serving(tmp_path, "--no-rate-limits", "--no-demo", database=database_url) as server, ExitStack() as stack:
        people = {role: stack.enter_context(staff(server, role)) for role in STAFF}
        ann, bob, nobody = (stack.enter_context(person) for person in (guest(server), guest(server), Person(server)))
        for number in range(20):
            table = f"secret-{number}"
            # On a slow machine the first tables are too quick for the patrons.
            pace = {**PACE, "betting": 3 * (number + 1), "card": number + 1}
            people["pit-supervisor"].open(table, source="virtual", facing="down", pace=pace)
            people["dealer"].must(table, {"do": "start-duty"})
            others = {**people, "bob": bob, "nobody": nobody}
            sockets = {name: Listening(stack.enter_context(watching(person, table))) for name, person in others.items()}
            if squeezes(ann, bob, table):
                break
        else:
            raise AssertionError("nobody came to squeeze")
        faces = view(ann, table)["squeezed_faces"]
        secret = re.compile("|".join(rf"\b{face}\b" for face in faces.values()).encode())
        read = scan(server, table, bob.name, others, sockets, secret)
        here = {f"/api/tables/{table}{end}" for end in ("", "/events", "/roads", "/rounds", "/rounds/1/frames")}
        assert here | {f"/api/exports/{export}" for export in EXPORTS} | {"/api/tables", "/api/me/rounds"} <= read, read
        seen = view(nobody, table)["cards"]
        assert (seen["P1"], seen["P2"]) == (None, None)
        assert ann.get(f"/api/tables/{table}").json()["clock"]["for"] == "squeeze"
        ann.must(table, {"do": "expose-card", "place": "P1"})
        assert view(bob, table)["cards"]["P1"] == faces["P1"]
        assert faces["P1"].encode() in sockets["nobody"].heard(version(nobody, table))


def scan(
    server: Server,
    table: str,
    name: str,
    others: dict[str, Person],
    sockets: dict[str, Listening],
    secret: re.Pattern[bytes],
) -> set[str]:
    """The addresses that could be read. No answer has the secret."""
    read: set[str] = set()
    for who, person in others.items():
        assert not secret.search(sockets[who].heard(version(person, table))), f"the socket of {who}"
        for path in routes(server, table, name):
            answer = person.get(path)
            if answer.status_code == 200:
                read.add(path)
                assert not secret.search(readable(path, answer.content)), f"{path} to {who}"
    assert not secret.search(server.log.read_bytes()), "the log"
    return read
