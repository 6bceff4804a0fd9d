"""The whole server with a clock that steps: tables are dealt, people stay logged in, and the audit finds no fault."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from punto.house.audit.run import audit
from tests.house.web.running import AT_ONCE, EDITION, Server, serving, staff
from tests.patience import LONG_S

DAY, HOUR = 86_400, 3_600
PACE = {**AT_ONCE, "betting": 0.4, "result": 0.1}


class Stepped:
    """The clock of a server, which can be set ahead or back."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "seconds-off"
        self.set(0)
        self.under = (sys.executable, "-m", "tests.house.faults.stepped_clock", str(self.file))

    def set(self, seconds: float) -> None:
        """The file is replaced in one step, because the server reads it all the time."""
        beside = self.file.with_suffix(".new")
        beside.write_text(str(seconds))
        os.replace(beside, self.file)


def comes(what: str, is_so: Callable[[], bool]) -> None:
    ends = time.monotonic() + LONG_S
    while not is_so():
        assert time.monotonic() < ends, what
        time.sleep(0.05)


def steps(server: Server) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
    return [line for line in lines if line["what"] == "clock-stepped"]


def stepped(server: Server, times: int) -> bool:
    return len(steps(server)) >= times


def rounds_go_on(server: Server) -> None:
    """Three more rounds are dealt at the usual pace: the table neither waits for ever nor hurries."""
    with staff(server, "pit-manager") as pit:

        def number() -> int:
            round_number: int = pit.get("/api/tables/v1").json()["view"]["round"] or 0
            return round_number

        at, began = time.monotonic(), number()
        comes("the table is dealt at", lambda: number() >= began + 3)
        assert time.monotonic() - at > 2 * PACE["betting"]


def test_a_server_whose_clock_steps(tmp_path: Path, database_url: str) -> None:
    """The clock steps a day ahead, back again, and an hour back. It is a day back when the server starts again."""
    clock, places = Stepped(tmp_path), (DAY, 0, -HOUR)
    with serving(tmp_path, "--no-demo", "--no-rate-limits", database=database_url, under=clock.under) as server:
        with staff(server, "pit-manager") as pit:
            pit.open("v1", edition=EDITION, source="virtual", pace=PACE)
            rounds_go_on(server)
            for count, seconds in enumerate(places, 1):
                clock.set(seconds)
                comes("the step is noticed", partial(stepped, server, count))
                rounds_go_on(server)
                assert pit.get("/api/me").status_code == 200, "nobody is logged out"
        assert [round(line["seconds"]) for line in steps(server)] == [DAY, -DAY, -HOUR]
        server.stop()
    clock.set(-DAY)
    with serving(tmp_path, "--no-demo", "--no-rate-limits", database=database_url, under=clock.under) as server:
        rounds_go_on(server)
        server.stop()
    report = audit(database_url)
    assert report.findings == []
    assert report.note_counts["clock"] >= 3
    assert report.note_counts["time"] >= 1
