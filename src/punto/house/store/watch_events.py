"""The events of the stream `watch/house`, and the state after them: alarms, and what people answered.

The house raises an alarm, which may grow, and somebody acknowledges it. Two persons set thresholds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

import msgspec

from punto.house.store.names import END, HOUSE_WATCH
from punto.watch.alarms import Alarm
from punto.watch.settings import Procedure, Settings, pick_up_order

STREAM: Final = "watch/house"
DECKS: Final = 8
"""The decks for which thresholds are checked and shown."""


PickUp = Annotated[str, msgspec.Meta(max_length=40)]
"""An order such as "P3 P1 P2 B3 B1 B2"."""


Figure = Annotated[str, msgspec.Meta(pattern=rf"^[0-9]{{1,5}}(\.[0-9]{{1,6}})?{END}", max_length=12)]
"""A decimal figure, as a string: no number in the house's JSON has a fraction."""


class WatchEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    by: str


class AlarmRaised(WatchEvent, frozen=True, kw_only=True, tag="alarm-raised"):
    """`id` names table, shoe, kind and first card: the same cards raise the same alarm, once."""

    by: str = HOUSE_WATCH
    id: str
    version: int
    """The table's version at the card that raised the alarm."""
    alarm: Alarm


class AlarmGrew(WatchEvent, frozen=True, kw_only=True, tag="alarm-grew"):
    """The run is over, and `alarm` covers all of it."""

    by: str = HOUSE_WATCH
    id: str
    alarm: Alarm


class AlarmAcknowledged(WatchEvent, frozen=True, kw_only=True, tag="alarm-acknowledged"):
    """Somebody has looked into it."""

    id: str
    note: str


class Thresholds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house's figures, from which every threshold follows (O126)."""

    tables: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 100
    shoes_a_day: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 10
    false_alarms_a_year: Figure = "1"
    false_discoveries: Figure = "0.01"
    pick_up: Annotated[tuple[PickUp, ...], msgspec.Meta(min_length=1, max_length=4)] = ("P1 P2 P3 B1 B2 B3",)

    def settings(self, decks: int) -> Settings:
        """Raises SettingsError."""
        orders = tuple(pick_up_order(order) for order in self.pick_up)
        return Settings(
            procedure=Procedure(decks=decks, pick_up=orders),
            tables=self.tables,
            shoes_a_day=self.shoes_a_day,
            false_alarms_a_year=float(self.false_alarms_a_year),
            false_discoveries=float(self.false_discoveries),
        )


class ThresholdsSet(WatchEvent, frozen=True, kw_only=True, tag="thresholds-set"):
    """One person asked, another approved. Thresholds apply to shoes that are loaded from now on."""

    thresholds: Thresholds
    approval: str
    asked_by: str


AnyWatchEvent = AlarmRaised | AlarmGrew | AlarmAcknowledged | ThresholdsSet

_decoder: Final[msgspec.json.Decoder[AnyWatchEvent]] = msgspec.json.Decoder(AnyWatchEvent)


def read(line: bytes) -> AnyWatchEvent:
    """Raises ValueError (msgspec.ValidationError)."""
    return _decoder.decode(line)


def alarm_id(alarm: Alarm) -> str:
    return f"{alarm.table}.{alarm.shoe}.{alarm.kind}.{alarm.first_card}"


class Acknowledged(msgspec.Struct, frozen=True, kw_only=True):
    by: str
    at: int
    note: str


class KnownAlarm(msgspec.Struct, frozen=True, kw_only=True):
    """The current state of an alarm."""

    id: str
    number: int
    """Its version on the stream: an id that reveals nothing of what was seen (O141)."""
    at: int
    alarm: Alarm
    acknowledged: tuple[Acknowledged, ...] = ()


class Book(msgspec.Struct):
    """The state after the stream's events so far."""

    version: int = 0
    alarms: dict[str, KnownAlarm] = msgspec.field(default_factory=dict)
    set_at: list[tuple[int, Thresholds]] = msgspec.field(default_factory=list)
    """Thresholds, each with the instant from which they apply."""

    @property
    def thresholds(self) -> Thresholds:
        """The thresholds that apply now."""
        return self.set_at[-1][1] if self.set_at else Thresholds()

    def at(self, instant: int) -> Thresholds:
        """The thresholds that applied then."""
        held = [thresholds for since, thresholds in self.set_at if since <= instant]
        return held[-1] if held else Thresholds()

    def add(self, rows: Iterable[tuple[int, int, AnyWatchEvent]]) -> None:
        """Add events in order, each with its version and time."""
        for version, at, event in rows:
            self.version = version
            match event:
                case AlarmRaised():
                    known = KnownAlarm(id=event.id, number=version, at=at, alarm=event.alarm)
                    self.alarms.setdefault(event.id, known)
                case AlarmGrew():
                    if event.id in self.alarms:
                        self.alarms[event.id] = msgspec.structs.replace(self.alarms[event.id], alarm=event.alarm)
                case AlarmAcknowledged():
                    if event.id in self.alarms:
                        said = Acknowledged(by=event.by, at=at, note=event.note)
                        both = (*self.alarms[event.id].acknowledged, said)
                        self.alarms[event.id] = msgspec.structs.replace(self.alarms[event.id], acknowledged=both)
                case ThresholdsSet():
                    self.set_at.append((at, event.thresholds))
