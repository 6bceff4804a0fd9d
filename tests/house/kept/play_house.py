"""Plays in a house over HTTP until everything that can be stored is stored. A later version must go on with it."""

from __future__ import annotations

import datetime as dt
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx

from tests.house.kept import chosen_transcripts
from tests.house.web.running import FIRST, PASSWORD, Person, Server, eventually, guest, serving, staff
from tests.patience import LONG_S
from tests.transcripts.reading import Step, Transcript

OWN_PASSWORD: Final = "chosen-by-oneself"
"""The password that the managers and ann set for themselves."""
BEFORE: Final = dt.datetime(2025, 11, 20, 10, tzinfo=dt.UTC)
AFTER: Final = dt.datetime(2025, 11, 24, 10, tzinfo=dt.UTC)
"""Days before and after the change of editions."""
CHANGING: Final = "tiger-buffalo-commission"
QUICK: Final = {"betting": 0.5, "insurance": 0, "card": 0, "result": 0.1, "options": 0, "squeeze": 0}
SLOW: Final = {**QUICK, "betting": 3600}
ROUNDS: Final = 70
"""Rounds at the virtual table: enough events for a snapshot."""
SETTINGS: Final = {"layout": "A", "positions": 6, "limits": {"minimum": "10.00", "maximum_differential": "1000.00"}}


def play(url: str, folder: Path) -> dict[str, Any]:
    """Play two days of a new house on this database. Returns its answers at the end."""
    with _open(url, folder, BEFORE) as (server, everybody):
        first_day(server, everybody)
    with _open(url, folder, AFTER) as (server, everybody):
        second_day(server, everybody)
        answers = answered(everybody)
    dies = [sys.executable, "-m", "tests.house.kept.die_after_approval", url, everybody["ben"].name]
    subprocess.run([*_clock(AFTER + dt.timedelta(hours=2)), *dies], check=True)
    return answers


def _clock(start: dt.datetime) -> tuple[str, ...]:
    return sys.executable, "-m", "tests.house.kept.shifted_clock", str(round(start.timestamp() - time.time()))


class People(dict[str, Person]):
    """Everybody by the names of the transcripts."""

    @property
    def names(self) -> dict[str, str]:
        return {name: person.name for name, person in self.items()}


@contextmanager
def _open(url: str, folder: Path, start: dt.datetime) -> Iterator[tuple[Server, People]]:
    with serving(folder, "--no-rate-limits", database=url, under=_clock(start)) as server, ExitStack() as stack:
        people = People()
        yield server, people
        for person in people.values():
            stack.callback(person.http.close)
        server.stop()


def first_day(server: Server, people: People) -> None:
    """Staff of the first start with their first passwords, new accounts of patrons, and the older editions."""
    for name, role in chosen_transcripts.STAFF.items():
        people[name] = staff(server, role)
    people["max"] = people["mia"]
    mia, tess = people["mia"], people["tess"]
    for name in chosen_transcripts.PATRONS:
        good(tess.post("/api/people", {"name": name, "role": "patron", "password": FIRST}), 201)
        approve(mia, tess, {"act": "balance-adjustment", "person": name, "cents": "90000.00", "reason": "brought"})
        people[name] = Person(server).log_in(name, FIRST)
    for name in chosen_transcripts.GUESTS:
        people[name] = guest(server)
    _roles(server, people)
    for transcript in chosen_transcripts.chosen():
        if max(transcript.editions) < "tiger" or transcript.editions[0].endswith("2024-05-14"):
            follow(people, transcript)
    good(mia.post("/api/tables", {"table": "changing", "game": CHANGING, **SETTINGS}), 201)
    people["ann"].must("changing", {"do": "join", "chips": "500.00"}, {"do": "sit", "box": 1})
    mia.must("changing", {"do": "load-shoe", "count": 416, "shuffled": True})
    a_round(people, "changing", "ann")
    a_round(people, "changing", "ann", until="close")  # the next start finds it interrupted


def _roles(server: Server, people: People) -> None:
    """Accounts that are raised, lowered, locked, unlocked, reset, and locked out."""
    mia, tess = people["mia"], people["tess"]
    for name, role in (("una", "pit-supervisor"), ("vic", "dealer"), ("wes", "patron"), ("xen", "auditor")):
        good(tess.post("/api/people", {"name": name, "role": role, "password": PASSWORD}), 201)
    approve(tess, mia, {"act": "rank", "person": "una", "role": "pit-manager"})
    good(tess.put("/api/people/una/role", {"role": "dealer"}), 200)
    good(tess.put("/api/people/vic/role", {"role": "pit-supervisor"}), 200)
    for locked in (True, False, True):
        good(tess.put("/api/people/xen/locked", {"locked": locked}), 200)
    good(tess.put("/api/people/wes/password", {"password": "given-by-tess"}), 200)
    wrong = {"name": "wes", "password": "wrong"}
    for number in range(2, 23):  # over a hundred from many addresses: now the account waits, from any address
        transport = httpx.HTTPTransport(local_address=f"127.0.0.{number}")
        with httpx.Client(base_url=server.url, transport=transport, timeout=LONG_S) as nobody:
            assert {nobody.post("/api/sessions", json=wrong).status_code for _ in range(5)} <= {401, 429}


def second_day(server: Server, people: People) -> None:
    """New passwords, the newer editions, a virtual table, approvals in every state, and tables left as they stand."""
    for name, role in chosen_transcripts.STAFF.items():
        people[name] = Person(server).log_in(role)
    for name in ("mia", "tess"):
        people[name] = _own_password(server, people[name])
    people["max"] = people["mia"]
    for name in chosen_transcripts.PATRONS:
        people[name] = Person(server).log_in(name)
    people["ann"] = _own_password(server, people["ann"])
    for name in chosen_transcripts.GUESTS:
        people[name] = guest(server)
    a_round(people, "changing", "ann")
    for transcript in chosen_transcripts.chosen():
        if transcript.editions[0].endswith("2025-11-21"):
            follow(people, transcript)
    _dealt_by_the_house(people)
    _approvals(people)
    _left_open(people)


def _own_password(server: Server, person: Person) -> Person:
    good(person.post("/api/me/password", {"old": PASSWORD, "new": OWN_PASSWORD}), 204)
    person.http.close()
    return Person(server).log_in(person.name, OWN_PASSWORD)


def follow(people: People, transcript: Transcript) -> None:
    """Play a transcript at a table of its own. What needs two persons here is asked for and approved."""
    table = transcript.name.rpartition("/")[2]
    for step in transcript.steps:
        person = people[chosen_transcripts.asker(step.command)]
        command = chosen_transcripts.with_names(step.command, people.names)
        if step.command["do"] == "open-table":
            good(person.post("/api/tables", {"table": table, **command}), 201)
            continue
        answer = person.do(table, command)
        if answer.status_code == 403 and answer.json()["code"] == "needs-approval":
            second = people["mia" if person.name == people["tess"].name else "tess"]
            state = "done" if step.refused is None else "failed"
            approve(person, second, {"act": "late-settlement", "table": table, "command": command}, state)
            continue
        assert (answer.status_code == 200) == (step.refused is None), _differs(transcript, step, answer.text)


def _differs(transcript: Transcript, step: Step, text: str) -> str:
    return f"{transcript.name} line {step.number}: {step.text} was answered by {text}"


def a_round(people: dict[str, Person], table: str, patron: str, *, until: str = "settled", box: int = 1) -> None:
    cards = ("KH", "2S", "9D", "3C") if until == "settled" else ("KH",)
    deal = [("mia", {"do": "draw-card", "card": card}) for card in cards]
    steps: list[tuple[str, dict[str, Any]]] = [
        ("mia", {"do": "open-betting"}),
        (patron, {"do": "place-wager", "box": box, "bet": "banker", "stake": "50.00"}),
        *([("mia", {"do": "close-betting"}), *deal] if until != "betting" else []),
        *([("mia", {"do": "settle"})] if until == "settled" else []),
    ]
    for name, command in steps:
        give(people[name], table, command)


def _dealt_by_the_house(people: People) -> None:
    """A virtual table: bob's history over many rounds, then a report and a ruling, and it is closed."""
    bob, mia = people["bob"], people["mia"]
    virtual = {"source": "virtual", "edition": "tiger-buffalo-non-commission/2025-11-21", **SETTINGS}
    good(mia.post("/api/tables", {"table": "quick", "pace": QUICK, **virtual}), 201)
    bob.must("quick", {"do": "join", "chips": "5000.00"}, {"do": "sit", "box": 1})
    for number in range(1, ROUNDS + 1):
        assert eventually(partial(_is_betting, bob, "quick", number)), number
        bet = ("player", "banker", "tie")[number % 3]
        bob.do("quick", {"do": "place-wager", "box": 1, "bet": bet, "stake": "10.00"})
    tess = people["tess"]
    tess.must("quick", {"do": "start-duty"})
    tess.must("quick", {"do": "report-irregularity", "kind": "discretion"})
    tess.must("quick", {"do": "decide-irregularity", "action": "stand", "reason": "nothing was wrong"})
    assert eventually(lambda: tess.do("quick", {"do": "close-table"}).status_code == 200)
    good(mia.post("/api/tables", {"table": "slow", "pace": SLOW, **virtual}), 201)


def _is_betting(person: Person, table: str, number: int) -> bool:
    """Whether betting is open in this round, or in a later one if this one was missed."""
    shown = person.get(f"/api/tables/{table}").json()["view"]
    return shown["phase"] == "betting" and int(shown["round"]) >= number


def _approvals(people: People) -> None:
    """One approval that stays asked for, one that fails, one that is rejected, one that is taken back."""
    mia, tess = people["mia"], people["tess"]
    act = {"act": "balance-adjustment", "person": "bob", "cents": "-1.00", "reason": "counted again"}
    approvals = [good(mia.post("/api/approvals", act), 201) for _ in range(3)]
    good(tess.post(f"/api/approvals/{approvals[0]['id']}/reject"), 200)
    good(mia.post(f"/api/approvals/{approvals[1]['id']}/reject"), 200)
    over = good(mia.post("/api/approvals", {**act, "cents": "-9000000.00"}), 201)
    failed = tess.post(f"/api/approvals/{over['id']}/approve", {"hash": over["hash"]})
    assert failed.json()["state"] == "failed", failed.text


def _left_open(people: People) -> None:
    """Betting open, a round past its close, and an irregularity that nobody has decided, when the house stops."""
    ben, mia = people["ben"], people["mia"]
    for table, until in (("left-betting", "betting"), ("left-dealing", "close"), ("left-reported", "close")):
        opened = {"table": table, "edition": f"{CHANGING}/2025-11-21", **SETTINGS}
        good(mia.post("/api/tables", opened), 201)
        ben.must(table, {"do": "join", "chips": "200.00"}, {"do": "sit", "box": 1})
        mia.must(table, {"do": "load-shoe", "count": 416, "shuffled": True})
        a_round(people, table, "ben")
        a_round(people, table, "ben", until=until)
    mia.must("left-reported", {"do": "report-irregularity", "kind": "void", "cause": "foreign-card"})


def give(person: Person, table: str, *commands: dict[str, Any]) -> None:
    """Send the commands under a new key."""
    good(person.do(table, *commands, key=secrets.token_hex(8)), 200)


def approve(asker: Person, second: Person, act: dict[str, Any], state: str = "done") -> None:
    approval = good(asker.post("/api/approvals", act), 201)
    answer = good(second.post(f"/api/approvals/{approval['id']}/approve", {"hash": approval["hash"]}), 200)
    assert answer["state"] == state, answer


def good(answer: Any, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    body: dict[str, Any] = answer.json() if answer.content else {}
    return body


# Answers that must never change


def answered(people: dict[str, Person]) -> dict[str, Any]:
    """Wallets and histories of ann and bob, rounds and ledgers of finished tables, and a shoe, as people see them."""
    tables = people["mia"].get("/api/tables?limit=100").json()
    dealt_still = (*(table["game"] for table in tables), "slow", "left-betting", "left-dealing", "left-reported")
    done = [table["id"] for table in tables if table["id"] not in dealt_still]
    return {
        "wallets": {name: people[name].get("/api/me").json()["wallet"] for name in ("ann", "bob")},
        "history": {name: history(people[name]) for name in ("ann", "bob")},
        "rounds": {table: people["mia"].get(f"/api/exports/rounds.csv?table={table}").text for table in done},
        "ledger": {table: people["mia"].get(f"/api/exports/ledger.csv?table={table}").text for table in done},
        "shoe": people["bob"].get("/api/tables/quick/shoes/1").json(),
    }


def history(person: Person) -> list[dict[str, Any]]:
    """All pages of somebody's own rounds."""
    rounds: list[dict[str, Any]] = []
    before: str | None = ""
    for _ in range(100):
        page = good(person.get(f"/api/me/rounds?limit=50{before}"), 200)
        rounds += page["rounds"]
        if page["before"] is None:
            return rounds
        before = f"&before={page['before']}"
    raise AssertionError("a history without an end")
