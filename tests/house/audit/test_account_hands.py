"""Whether two accounts were two persons, worked out from the streams."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from punto.game import notation
from punto.house.store import person as p
from tests.house.audit.sqlite_attacker import attacked, audited, rehash
from tests.house.audit.two_person_house import ACTS, DAY, Acted, approval, change_event

HOUR = DAY // 24


def messages(url: str) -> list[str]:
    return [str(finding) for finding in audited(url).findings]


def add(connection: sqlite3.Connection, name: str, *events: tuple[int, p.AnyPersonEvent]) -> int:
    """Add events to a person's stream, so many hours after its last one. Returns the time of that last one."""
    stream = f"person/{name}"
    query = "SELECT max(version), max(at) FROM events WHERE stream = ?"
    version, at = connection.execute(query, (stream,)).fetchone()
    for number, (hours, event) in enumerate(events, version + 1):
        values = (stream, number, at + hours * HOUR, event.by, None, None, 1, "", 1, notation.encode(event), b"")
        connection.execute(f"INSERT INTO events VALUES ({', '.join('?' * len(values))})", values)
        if isinstance(event, p.PasswordSet | p.PasswordReset):
            connection.execute("UPDATE people SET password_by = ? WHERE name = ?", (event.by, name))
    rehash(connection, stream)
    return int(at)


@pytest.mark.parametrize("name", ACTS)
def test_two_who_go_back_to_one_person_were_not_two(name: str, house: Acted, tmp_path: Path) -> None:
    """Both had the same opener, or the opener of one was opened by the other, as eve was by shift-manager."""
    for openers, common in (
        ({"pit-manager": "mallory", "shift-manager": "mallory"}, "mallory"),
        ({"pit-manager": "eve"}, "shift-manager"),
    ):
        with attacked(house.path, tmp_path) as (connection, url):
            for person, by in openers.items():
                change_event(connection, f"person/{person}", 1, by=by)
        findings = messages(url)
        act = house[name]
        where = f"{act.stream} version {act.version}: approval:"
        assert any(finding.startswith(where) and f"through the hands of {common}" in finding for finding in findings), (
            findings
        )


@pytest.mark.parametrize(("days", "counts"), [(1, True), (29, True), (31, False)])
def test_a_reset_counts_for_the_days_that_the_approval_names(
    days: int, counts: bool, house: Acted, tmp_path: Path
) -> None:
    act = house["rank"]
    with attacked(house.path, tmp_path) as (connection, url):
        own = p.PasswordSet(by="pit-manager")
        at = add(connection, "pit-manager", (1, p.PasswordReset(by="shift-manager")), (2, own))
        later = (at + HOUR + days * DAY, at + HOUR + days * DAY, act.id)
        connection.execute("UPDATE approvals SET asked_at = ?, decided_at = ? WHERE id = ?", later)
    findings = [message for message in messages(url) if f"approval {act.id}" in message]
    assert any("through the hands of shift-manager" in finding for finding in findings) is counts, findings
    assert not any("no password of their own" in finding for finding in findings), findings


@pytest.mark.parametrize("did", ["asked_by", "decided_by"])
def test_nobody_asks_or_approves_with_a_password_that_somebody_else_gave(
    did: str, house: Acted, tmp_path: Path
) -> None:
    act = house["adjustment"]
    with attacked(house.path, tmp_path) as (connection, url):
        name = approval(connection, act.id)[did]
        at = add(connection, name, (1, p.PasswordReset(by="eve")))
        connection.execute("UPDATE approvals SET asked_at = ?, decided_at = ?", (at + 3 * HOUR, at + 3 * HOUR))
    assert any(f"{name} had no password of their own" in message for message in messages(url))
    # This holds for the staff of the first start too, until they set their own password.
    with attacked(house.path, tmp_path) as (connection, url):
        connection.execute("UPDATE events SET actor = 'house' WHERE stream = ? AND version = 3", (f"person/{name}",))
        change_event(connection, f"person/{name}", 3, by="house")
        connection.execute("UPDATE people SET password_by = 'house' WHERE name = ?", (name,))
    findings = messages(url)
    for act in house.acts.values():
        assert any(f"approval {act.id}: {name} had no password of" in finding for finding in findings), findings


def test_whose_password_it_is_stands_beside_its_hash(house: Acted, tmp_path: Path) -> None:
    with attacked(house.path, tmp_path) as (connection, url):
        connection.execute("UPDATE people SET password_by = name WHERE name = 'eve'")
    assert [message.split(": ", 2)[:2] for message in messages(url)] == [["person/eve", "account"]]
    with attacked(house.path, tmp_path) as (connection, url):
        add(connection, "pit-manager", (1, p.PasswordSet(by="house")))
    assert any("person/pit-manager version 4: account: house set a password" in message for message in messages(url))
