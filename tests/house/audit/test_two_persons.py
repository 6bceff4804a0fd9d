"""Acts of two persons: each event has its own approval on record, given by a second person for exactly this act."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import msgspec
import pytest

from punto.game import notation
from punto.house.audit.findings import Finding
from punto.house.store import person as p
from punto.house.store.approval import hash_of
from tests.house.audit.sqlite_attacker import attacked, audited, rehash
from tests.house.audit.two_person_house import ACTS, Act, Acted, approval, change_event, of_event, rewrite

AT_TABLES = ("past", "settled", "chips")
OF_PERSONS = ("adjustment", "rank")
HOUR = 3600 * 1_000_000
Change = Callable[[Connection, Act], None]
"""A change to a house: to the approval of an act, or to the row of the act."""


def findings_of(url: str) -> Iterator[Finding]:
    return (finding for finding in audited(url).findings if finding.code == "approval")


def only(url: str, act: Act, words: str) -> None:
    """The audit finds fault with that act alone, in these words."""
    report = audited(url)
    assert set(report.counts) == {"approval"}, report.findings[:5]
    assert {finding.stream for finding in report.findings} == {act.stream}, report.findings
    assert act.version in {finding.version for finding in report.findings}, report.findings
    assert any(words in finding.message for finding in report.findings), report.findings


def test_a_house_whose_acts_were_done_by_two_is_sound(house: Acted) -> None:
    """Staff of the first start, a rank lowered by one person and a report withdrawn by one are no findings."""
    assert audited(f"sqlite:///{house.path}").findings == []


def gone(connection: Connection, act: Act) -> None:
    connection.execute("DELETE FROM approvals WHERE id = ?", (act.id,))


def never_approved(connection: Connection, act: Act) -> None:
    """The act has a key of the asker's own and a body, like any ordinary command."""
    asker = approval(connection, act.id)["asked_by"]
    gone(connection, act)
    of_event(connection, act, key=f"{asker}/k1", body=bytes(32))


def without_key(connection: Connection, act: Act) -> None:
    gone(connection, act)
    of_event(connection, act, key=None, body=None)


def in_state(state: str) -> Change:
    def change(connection: Connection, act: Act) -> None:
        connection.execute("UPDATE approvals SET state = ? WHERE id = ?", (state, act.id))
        connection.execute("UPDATE approvals SET outcome = NULL WHERE state <> 'done' AND state <> 'failed'")
        connection.execute("UPDATE approvals SET decided_by = NULL, decided_at = NULL WHERE state = 'asked'")

    return change


def asked_by(name: str | None = None) -> Change:
    """Somebody else asked: the person named here or, without a name, the person concerned."""

    def change(connection: Connection, act: Act) -> None:
        asker = name or act.stream.partition("/")[2]
        rewrite(connection, act, asked_by=asker)
        if approval(connection, act.id)["act"] == "balance-adjustment":
            change_event(connection, act.stream, act.version, asked_by=asker)

    return change


def one_was_both(connection: Connection, act: Act) -> None:
    row = approval(connection, act.id)
    if act.stream.startswith("person/"):
        asked_by(row["decided_by"])(connection, act)
    else:
        rewrite(connection, act, decided_by=row["asked_by"])


def approved_by_person_concerned(connection: Connection, act: Act) -> None:
    person = act.stream.partition("/")[2]
    rewrite(connection, act, decided_by=person)
    of_event(connection, act, actor=person)
    change_event(connection, act.stream, act.version, by=person)


def approved_an_hour_later(connection: Connection, act: Act) -> None:
    connection.execute("UPDATE approvals SET decided_at = decided_at + ? WHERE id = ?", (HOUR, act.id))


def other_hash(connection: Connection, act: Act) -> None:
    connection.execute("UPDATE approvals SET hash = ? WHERE id = ?", ("0" * 64, act.id))


CHANGES: tuple[tuple[Change, tuple[str, ...], str], ...] = (
    (gone, ACTS, "which does not exist"),
    (never_approved, ACTS, "two persons"),
    (without_key, OF_PERSONS, "two persons"),
    *((in_state(state), ACTS, state) for state in ("asked", "rejected", "failed")),
    (one_was_both, ACTS, "second person"),
    (approved_by_person_concerned, OF_PERSONS, "their own account"),
    (asked_by(), OF_PERSONS, "their own account"),
    (asked_by("dealer"), ("adjustment",), "dealer may not ask"),
    (asked_by("pit-supervisor"), ("rank",), "pit-supervisor may not ask"),
    (approved_an_hour_later, ACTS, "before"),
    (lambda connection, act: of_event(connection, act, body=bytes(32)), ACTS, "not what approval"),
    (other_hash, ACTS, "hash"),
)


@pytest.mark.parametrize(
    ("change", "name", "words"), [(change, name, words) for change, names, words in CHANGES for name in names]
)
def test_an_act_without_a_good_approval(change: Change, name: str, words: str, house: Acted, tmp_path: Path) -> None:
    with attacked(house.path, tmp_path) as (connection, url):
        change(connection, house[name])
    only(url, house[name], words)


@pytest.mark.parametrize("name", ACTS)
def test_a_house_that_died_before_it_marked_what_was_done(name: str, house: Acted, tmp_path: Path) -> None:
    with attacked(house.path, tmp_path) as (connection, url):
        connection.execute("UPDATE approvals SET state = 'approved', outcome = NULL WHERE id = ?", (house[name].id,))
    assert audited(url).good


def test_a_manager_who_was_opened_as_one(house: Acted, tmp_path: Path) -> None:
    """Only the first start opens managers, and it names each after their rank."""
    for by in ("shift-manager", "house"):
        with attacked(house.path, tmp_path) as (connection, url):
            change_event(connection, "person/eve", 1, by=by, role="shift-manager")
        assert ("person/eve", 1) in {(finding.stream, finding.version) for finding in findings_of(url)}


def test_chips_that_nobody_may_grant(house: Acted, tmp_path: Path) -> None:
    """Play chips come with a guest's account. Granted later, they would be an adjustment without a second person."""
    act = house["adjustment"]
    granted = b'{"event":"chips-granted","by":"house","chips":"12.50"}'
    with attacked(house.path, tmp_path) as (connection, url):
        connection.execute("DELETE FROM approvals WHERE id = ?", (act.id,))
        of_event(connection, act, event=granted, actor="house", key=None, body=None)
        person = act.stream.partition("/")[2]
        turned = "UPDATE transfers SET giver = 'cage', taker = ? WHERE stream = ? AND version = ?"
        connection.execute(turned, (f"wallet/{person}", act.stream, act.version))
        connection.execute("UPDATE wallets SET cents = cents + 2500 WHERE person = ?", (person,))
    only(url, act, "guest")


@pytest.mark.parametrize("opened", ["asked_by", "decided_by"])
@pytest.mark.parametrize("name", ACTS)
def test_one_opened_the_account_of_the_other(name: str, opened: str, house: Acted, tmp_path: Path) -> None:
    """The event that opened the account says so. A manager opened by one person is a separate finding."""
    act = house[name]
    with attacked(house.path, tmp_path) as (connection, url):
        row = approval(connection, act.id)
        by = row["decided_by"] if opened == "asked_by" else row["asked_by"]
        change_event(connection, f"person/{row[opened]}", 1, by=by)
    findings = [
        finding for finding in findings_of(url) if (finding.stream, finding.version) == (act.stream, act.version)
    ]
    assert any(f"through the hands of {by}" in finding.message for finding in findings), findings


@pytest.mark.parametrize("second", ["pit-supervisor", "auditor", "nobody", "eve"])
@pytest.mark.parametrize("name", ["adjustment", *AT_TABLES])
def test_the_second_was_no_manager(name: str, second: str, house: Acted, tmp_path: Path) -> None:
    """Nor does a former manager count, such as eve."""
    act = house[name]
    with attacked(house.path, tmp_path) as (connection, url):
        later = 3600 * 1_000_000
        connection.execute("UPDATE approvals SET decided_at = decided_at + ?", (later,))
        rewrite(connection, act, decided_by=second)
        connection.execute("UPDATE events SET at = at + ? WHERE version > 2", (2 * later,))
        for (stream,) in connection.execute("SELECT DISTINCT stream FROM events").fetchall():
            rehash(connection, stream)
        if name == "adjustment":
            of_event(connection, act, actor=second)
            change_event(connection, act.stream, act.version, by=second)
    findings = [
        finding for finding in findings_of(url) if (finding.stream, finding.version) == (act.stream, act.version)
    ]
    assert any(f"{second} was no manager" in finding.message for finding in findings), findings


@pytest.mark.parametrize("role", ["asked_by", "decided_by"])
def test_one_of_them_was_locked_out(role: str, house: Acted, tmp_path: Path) -> None:
    """They acted an hour after the lock. Once the account is unlocked again there is no finding."""
    act, hour = house["rank"], 3600 * 1_000_000
    for change, locked in ((p.AccountLocked(by="house"), True), (p.AccountUnlocked(by="house"), False)):
        with attacked(house.path, tmp_path) as (connection, url):
            row = approval(connection, act.id)
            stream = f"person/{row[role]}"
            query = "SELECT max(version), max(at) FROM events WHERE stream = ?"
            version, at = connection.execute(query, (stream,)).fetchone()
            for event in (p.AccountLocked(by="house"), change):
                version, at = version + 1, at + hour
                values = (stream, version, at, "house", None, None, 1, "", 1, notation.encode(event), b"")
                connection.execute(f"INSERT INTO events VALUES ({', '.join('?' * len(values))})", values)
            rehash(connection, stream)
            name = role.replace("_by", "_at")
            connection.execute(f"UPDATE approvals SET {name} = ? WHERE id = ?", (at + hour, act.id))
        findings = [finding for finding in findings_of(url) if f"{row[role]} was locked out" in finding.message]
        assert bool(findings) is locked, findings


OTHER_WORDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("adjustment", {"cents": "-12.49"}),
    ("adjustment", {"reason": "a gift"}),
    ("rank", {"role": "shift-manager"}),
    ("rank", {"was": "dealer"}),
    ("past", {"command": {"reason": "no reason"}}),
    ("past", {"command": {"by": "shift-manager"}}),
    ("past", {"irregularity": {"round": 1}}),
    ("past", {"current": 2}),
    ("past", {"command": "nothing"}),
    ("settled", {"command": {"action": "unfounded"}}),
    ("settled", {"irregularity": None}),
    ("chips", {"command": {"stake": "10.00"}}),
    ("chips", {"command": {"bet": "banker"}}),
    ("chips", {"command": {"do": "close-table"}}),
)


@pytest.mark.parametrize(("name", "other"), OTHER_WORDS)
def test_something_else_was_approved(name: str, other: dict[str, Any], house: Acted, tmp_path: Path) -> None:
    """All hashes are recomputed, but what was approved leads to other events than those on record."""
    act = house[name]
    with attacked(house.path, tmp_path) as (connection, url):
        what = approval(connection, act.id)["what"]
        rewrite(connection, act, what={**what, **_merged(what, other)})
    only(url, act, "something else")


def _merged(what: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    return {name: {**what[name], **value} if isinstance(value, dict) else value for name, value in other.items()}


@pytest.mark.parametrize(("name", "place"), [("past", {"table": "other"}), ("rank", {"person": "dealer"})])
def test_it_was_approved_for_another_place(name: str, place: dict[str, str], house: Acted, tmp_path: Path) -> None:
    act = house[name]
    with attacked(house.path, tmp_path) as (connection, url):
        rewrite(connection, act, what={**approval(connection, act.id)["what"], **place})
    findings = [
        finding for finding in findings_of(url) if (finding.stream, finding.version) == (act.stream, act.version)
    ]
    assert any("something else" in finding.message for finding in findings), findings


def test_an_approval_is_good_for_one_act(house: Acted, tmp_path: Path) -> None:
    """Two acts at the same table under one approval are found."""
    settled, past = house["settled"], house["past"]
    with attacked(house.path, tmp_path) as (connection, url):
        where = (settled.stream, settled.version)
        taken = connection.execute("SELECT key, body FROM events WHERE stream = ? AND version = ?", where).fetchone()
        connection.execute("DELETE FROM approvals WHERE id = ?", (past.id,))
        of_event(connection, past, key=taken[0], body=taken[1])
    own = [finding for finding in findings_of(url) if (finding.stream, finding.version) == (past.stream, past.version)]
    assert any("twice" in finding.message for finding in own), own


@pytest.mark.parametrize("name", ACTS)
def test_an_approval_that_is_marked_as_done_and_was_not(name: str, house: Acted, tmp_path: Path) -> None:
    act = house[name]
    with attacked(house.path, tmp_path) as (connection, url):
        row = approval(connection, act.id)
        text = msgspec.json.encode(row["what"], order="sorted").decode()
        digest = hash_of("ff", row["act"], row["what"], row["asked_by"])
        times = (row["asked_at"], row["decided_at"])
        values = ("ff", digest, row["act"], text, row["asked_by"], times[0], "done", row["decided_by"], times[1], "{}")
        connection.execute(f"INSERT INTO approvals VALUES ({', '.join('?' * 10)})", values)
    report = audited(url)
    assert [(finding.stream, finding.code) for finding in report.findings] == [(act.stream, "approval")], (
        report.findings
    )
    assert "nothing was done" in report.findings[0].message
