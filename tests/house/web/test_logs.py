"""Whole shoes are played and watched, and no log line holds a secret."""

from __future__ import annotations

import json
from pathlib import Path

from websockets.sync.client import connect

from tests.house.web.running import AT_ONCE, PASSWORD, Person, eventually, guest, lines, serving, staff
from tests.patience import LONG_S, SOCKET


def test_no_log_line_holds_a_secret(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-rate-limits") as server:
        with guest(server) as ann, staff(server, "pit-supervisor") as pit, Person(server) as nobody:
            pit.open("quick", source="virtual", pace=AT_ONCE)
            ann.must("quick", {"do": "join", "chips": "100.00"})
            nobody.http.post("/api/sessions", json={"name": "dealer", "password": "not-the-password"})
            body = {"key": "k", "command": {"do": "join", "csrf": ann.csrf}}
            ann.raw("/api/tables/quick/commands", json.dumps(body).encode())
            assert eventually(lambda: pit.get("/api/tables/quick/shoes/2").status_code == 200)
            shoe = nobody.get("/api/tables/quick/shoes/1").json()
            running = nobody.get("/api/tables/quick/shoes/2").json()
            with connect(server.url.replace("http", "ws", 1) + "/api/tables/quick/live", **SOCKET) as socket:
                seen = "".join(str(socket.recv(LONG_S)) for _ in range(20))
            pit.must("quick", {"do": "start-duty"})
            assert eventually(lambda: pit.do("quick", {"do": "close-table"}).status_code == 200)
            secrets = [ann.csrf, pit.csrf, ann.http.cookies["punto_session"], pit.http.cookies["punto_session"]]
        later = shoe["order"]
        assert len(later) == 416
        assert running["order"] is None
        assert shoe["salt"] not in seen
    log = server.log.read_text()
    assert "".join(later[:3]) not in log
    assert json.dumps(later[:2])[1:-1] not in log
    assert shoe["salt"] not in log
    for secret in (*secrets, PASSWORD, "not-the-password"):
        assert secret not in log
    entries = lines(server)
    commands = [line for line in entries if line["what"] == "command"]
    assert any(line["kind"] == "join" and line["person"] == ann.name and line["table"] == "quick" for line in commands)
    assert all("card" not in line and "order" not in line for line in entries)
    assert not [line for line in entries if line["what"] == "bug" or line["level"] == "error"]
