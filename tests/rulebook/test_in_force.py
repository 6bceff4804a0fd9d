"""Which edition governs at an instant (E1, E3, E5)."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from punto.rulebook import load
from punto.rulebook.check import RuleError
from punto.rulebook.in_force import ZONE, governing, in_force, instant, note
from tests.rulebook.library import DATES, LIVE, TIGER

GAMES = (*TIGER, *LIVE)
FIRST, SECOND = (dt.datetime.combine(dt.date.fromisoformat(day), dt.time(8), ZONE) for day in DATES)
A_MICROSECOND = dt.timedelta(microseconds=1)

zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: dt.timezone(dt.timedelta(minutes=minutes)))
instants = st.datetimes(timezones=zones)
by_tiger = pytest.mark.parametrize("game", TIGER)


# E1: one law at any instant.


@given(st.sampled_from(GAMES), instants)
def test_exactly_one_edition_governs_any_instant_from_the_first_date_on(game: str, on: dt.datetime) -> None:
    started = [edition for edition in load.catalogue() if edition.game == game and (edition.in_force_from or on) <= on]
    assume(started)
    latest = max(started, key=lambda edition: edition.in_force_from or on)
    assert in_force(game, on) == latest


@given(st.sampled_from(TIGER), instants)
def test_before_the_first_edition_there_is_none_and_its_date_is_named(game: str, on: dt.datetime) -> None:
    assume(on < FIRST)
    with pytest.raises(RuleError, match=r"the first began at 2024-05-14T08:00:00\+08:00") as refused:
        in_force(game, on)
    assert game in str(refused.value)
    assert on.isoformat() in str(refused.value)


@given(st.sampled_from(LIVE), instants)
def test_an_undated_edition_is_always_in_force(game: str, on: dt.datetime) -> None:
    assert in_force(game, on).edition == "undated"


@by_tiger
@pytest.mark.parametrize(
    ("on", "edition"),
    [
        (FIRST, DATES[0]),
        (SECOND - A_MICROSECOND, DATES[0]),
        (SECOND, DATES[1]),
        (SECOND + A_MICROSECOND, DATES[1]),
        (SECOND.astimezone(dt.UTC), DATES[1]),
        ((SECOND - A_MICROSECOND).astimezone(dt.UTC), DATES[0]),
        (dt.datetime(2025, 11, 21, tzinfo=dt.UTC), DATES[1]),
        (dt.datetime(2025, 11, 21, tzinfo=ZONE), DATES[0]),
        (dt.datetime.max.replace(tzinfo=dt.UTC), DATES[1]),
    ],
    ids=str,
)
def test_an_edition_starts_at_its_instant_in_every_zone(game: str, on: dt.datetime, edition: str) -> None:
    assert in_force(game, on).edition == edition


@by_tiger
def test_a_microsecond_before_the_first_edition_there_is_no_law(game: str) -> None:
    with pytest.raises(RuleError, match="no edition of"):
        in_force(game, FIRST - A_MICROSECOND)


def test_an_unknown_game_is_answered_with_the_games_there_are() -> None:
    with pytest.raises(RuleError, match=f"there is no game 'poker': the library holds {', '.join(sorted(GAMES))}"):
        in_force("poker", SECOND)


@by_tiger
def test_a_bare_game_means_the_edition_in_force_and_a_full_name_itself(game: str) -> None:
    assert governing(game, FIRST).source.edition == DATES[0]
    assert governing(game, SECOND).source.edition == DATES[1]
    assert governing(f"{game}/{DATES[1]}", FIRST).source.edition == DATES[1]


@pytest.mark.parametrize(
    "name", ["poker", f"{TIGER[0]}/2023-01-01", f"{TIGER[0]}/", f"{TIGER[0]}/{DATES[0]}/x", "/", ""]
)
def test_a_name_that_means_no_edition_is_refused(name: str) -> None:
    with pytest.raises(RuleError, match="the library holds"):
        governing(name, SECOND)


# E3: the missing Version 2.


@by_tiger
@pytest.mark.parametrize("on", [FIRST, dt.datetime(2025, 6, 1, tzinfo=ZONE), SECOND - A_MICROSECOND], ids=str)
def test_between_the_dates_a_note_says_that_a_version_is_missing(game: str, on: dt.datetime) -> None:
    caution = note(in_force(game, on), on)
    assert caution is not None
    assert "Version 2" in caution


@by_tiger
def test_the_latest_edition_has_no_note(game: str) -> None:
    assert note(in_force(game, SECOND), SECOND) is None


@by_tiger
def test_the_note_belongs_to_the_time_between_the_dates(game: str) -> None:
    """The 2024 edition, asked for by name on a later day, does not govern that day and has no note."""
    assert note(load.edition(game, DATES[0]).source, SECOND) is None


@pytest.mark.parametrize("game", LIVE)
def test_an_undated_edition_has_no_note(game: str) -> None:
    assert note(in_force(game, FIRST), FIRST) is None


# E5: how a date is read.


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2025-11-21", "2025-11-21T08:00:00+08:00"),
        ("20251121", "2025-11-21T08:00:00+08:00"),
        ("2025-W47-5", "2025-11-21T08:00:00+08:00"),
        ("2025-11-21T08:00", "2025-11-21T08:00:00+08:00"),
        ("2025-11-21 07:59:59.999999", "2025-11-21T07:59:59.999999+08:00"),
        ("2025-11-21T00:00:00Z", "2025-11-21T00:00:00+00:00"),
        ("2025-11-20T19:00:00-05:00", "2025-11-20T19:00:00-05:00"),
        ("0001-01-01", "0001-01-01T08:00:00+08:00"),
    ],
)
def test_a_date_means_eight_in_the_morning_and_a_bare_time_plus_eight(text: str, meant: str) -> None:
    assert instant(text) == dt.datetime.fromisoformat(meant)


@given(instants)
def test_an_instant_is_read_back_from_its_text(on: dt.datetime) -> None:
    assert instant(on.isoformat()) == on


@given(st.dates())
def test_a_day_is_read_back_from_its_text(day: dt.date) -> None:
    assert instant(day.isoformat()) == dt.datetime.combine(day, dt.time(8), ZONE)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2025",
        "2025-06",
        "2025-13-01",
        "2025-02-29",
        "21.11.2025",
        "2025/11/21",
        "2025-11-21T25:00",
        "٢٠٢٥-١١-٢١",
        "2025-11-21 ",
        "9" * 500,
        "2025-11-21\0",
    ],
    ids=lambda text: repr(text)[:24],
)
def test_a_wrong_date_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(RuleError, match=r"is no date: expected 2025-06-01, or an instant such as"):
        instant(text)
