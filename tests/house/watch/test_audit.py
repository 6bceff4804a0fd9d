"""The audit of the watch's stream: an event that the house would not have written there is found."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
import pytest

from punto.house.audit.run import audit
from punto.house.store import watch_events as w
from punto.house.store.own_stream import append_event
from punto.house.table.house import House
from punto.watch.alarms import Alarm
from tests.house.table.playing import a_house, did, opening

ALARM = Alarm(
    kind="run",
    table="T1",
    shoe="1",
    round=1,
    first_card=1,
    seen_at_card=8,
    length=8,
    resembles="new-deck 1, cards 1 to 8",
    cards="AS 2S 3S 4S 5S 6S 7S 8S",
    chance_a_shoe=1e-9,
    times_a_year=1e-4,
    cause="unshuffled",
    note="8 cards in a row",
)
ID = w.alarm_id(ALARM)
RAISED = w.AlarmRaised(id=ID, version=1, alarm=ALARM)
LONGER = msgspec.structs.replace(ALARM, length=20)
KEY = f"alarm-{ID}"

replace: Callable[..., w.AnyWatchEvent] = msgspec.structs.replace

FORGED: dict[str, tuple[list[tuple[w.AnyWatchEvent, str | None]], str | None]] = {
    "as the house writes it": ([(RAISED, KEY), (w.AlarmGrew(id=ID, alarm=LONGER), f"grew-{ID}")], None),
    "raised by a person": ([(replace(RAISED, by="dealer"), KEY)], "actor"),
    "raised under another name": ([(replace(RAISED, id="T1.1.run.2"), "alarm-T1.1.run.2")], "key"),
    "raised without its key": ([(RAISED, None)], "key"),
    "raised twice": ([(RAISED, KEY), (RAISED, f"{KEY}-again")], "impossible"),
    "grown before it was raised": ([(w.AlarmGrew(id=ID, alarm=LONGER), f"grew-{ID}")], "impossible"),
    "grown by nothing": ([(RAISED, KEY), (w.AlarmGrew(id=ID, alarm=ALARM), f"grew-{ID}")], "impossible"),
    "about no table": (
        [
            (
                w.AlarmRaised(id="T9.1.run.1", version=1, alarm=msgspec.structs.replace(ALARM, table="T9")),
                "alarm-T9.1.run.1",
            )
        ],
        "wrong-table",
    ),
    "acknowledged by nobody of surveillance": (
        [(RAISED, KEY), (w.AlarmAcknowledged(by="dealer", id=ID, note="seen"), None)],
        "actor",
    ),
    "acknowledged and never raised": ([(w.AlarmAcknowledged(by="eye", id=ID, note="seen"), None)], "impossible"),
    "thresholds of one person": (
        [(w.ThresholdsSet(by="sam", thresholds=w.Thresholds(), approval="a", asked_by="eye"), None)],
        "approval",
    ),
    "thresholds under an approval that there is not": (
        [(w.ThresholdsSet(by="sam", thresholds=w.Thresholds(), approval="a1", asked_by="eye"), "approval-a1")],
        "approval",
    ),
}


async def written(house: House, events: list[tuple[w.AnyWatchEvent, str | None]]) -> None:
    for event, key in events:
        await append_event(house.store, w.STREAM, event, house.clock.now, house.clock.explain, key=key)


@pytest.mark.parametrize("name", FORGED)
async def test_what_the_house_would_not_write_is_found(database_url: str, name: str) -> None:
    events, code = FORGED[name]
    async with a_house(database_url) as house:
        await did(house, opening())
        await written(house, events)
    report = await asyncio.to_thread(audit, database_url)
    codes = {finding.code for finding in report.findings if finding.stream == w.STREAM}
    assert (code in codes) if code is not None else not codes, report.findings
