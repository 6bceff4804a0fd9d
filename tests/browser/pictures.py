"""Takes the pictures of docs/pictures again: `make pictures`. Everything in them was played on a real house."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect, sync_playwright

from tests.browser import chromium
from tests.browser.kept import Browsers
from tests.browser.playing import drawn, played
from tests.browser.visitors import Hall, Visitor
from tests.house.web import test_watch
from tests.house.web.running import eventually, serving

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
LIMITS = {"minimum": "10.00", "maximum": "5000.00", "maximum_differential": "10000.00"}
NEWEST = "tiger-buffalo-{}/2025-11-21"
LIVE = "live-baccarat-insurance-{}/undated"
HALL_DISPLAY = {"width": 1280, "height": 720}
SCENE = "KH 2S 7D 3C 4H 5H TD 4C 6S 9C 2H"
"""Cards that the pictures deal themselves."""
MOST_BYTES = 200_000
CALM_MS = 1_500
"""Longer than everything that moves on a page."""


def kept(visitor: Visitor, name: str) -> None:
    """A picture of what this visitor sees, in few colours and so in few bytes."""
    visitor.page.evaluate("document.fonts.ready.then(() => true)")
    visitor.page.wait_for_timeout(CALM_MS)
    path = FOLDER / f"{name}.png"
    taken = Image.open(io.BytesIO(visitor.page.screenshot())).convert("RGB")
    taken.quantize(256, method=Image.Quantize.MEDIANCUT, kmeans=1, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1000} kB")
    assert path.stat().st_size <= MOST_BYTES


@contextmanager
def hall() -> Iterator[Hall]:
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), "--no-rate-limits", "--no-demo") as server,
        sync_playwright() as playwright,
    ):
        browser = chromium.launched(playwright)
        venue = Hall(server, Browsers(browser))
        yield venue
        venue.close()
        browser.close()


def tables(venue: Hall) -> None:
    """Five tables with a past and people at them, and a virtual one."""
    opened = [
        ("tiger-1", NEWEST.format("commission"), "C", 6, 44),
        ("tiger-2", NEWEST.format("non-commission"), "M", 6, 31),
        ("live-1", LIVE.format("commission"), "live", 7, 23),
        ("live-2", LIVE.format("no-commission"), "live", 5, 12),
        ("salon", NEWEST.format("non-commission"), "E", 5, 52),
    ]
    for seed, (table, edition, layout, boxes, hands) in enumerate(opened):
        staff = ("dealer", "pit-manager")
        limits = LIMITS | ({"minimum": "100.00"} if table == "salon" else {})
        venue.open(table, staff, shoe=True, edition=edition, layout=layout, positions=boxes, limits=limits)
        played(venue, table, hands, seed, SCENE)
        for box in range(1, min(seed + 2, boxes)):
            guest = venue.guest()
            guest.command(table, {"do": "join", "chips": "5000.00"}, {"do": "sit", "box": box + 1})
            venue.everybody_out()
    pace = {"betting": 600, "insurance": 1, "card": 1, "result": 1, "options": 1, "squeeze": 1}
    venue.open("virtual", edition=NEWEST.format("commission"), layout="P", source="virtual", pace=pace)


def round_pictures(venue: Hall) -> None:
    """One round at tiger-1 as its patron, its dealer, its pit and the hall see it."""
    table = "tiger-1"
    ann, bob = venue.guest(), venue.guest()
    ann.sit(table, 4, "5000.00").go(f"/tables/{table}")
    bob.sit(table, 5, "5000.00")
    dealer, pit, board = venue.staff("dealer"), venue.staff("pit-manager"), venue.visitor(viewport=HALL_DISPLAY)
    house = venue.person("dealer")
    dealer.go(f"/tables/{table}/dealer")
    pit.go(f"/tables/{table}/pit")
    board.go(f"/tables/{table}/board")
    house.must(table, {"do": "open-betting"})
    bob.command(
        table,
        {"do": "place-wager", "box": 5, "bet": "banker", "stake": "400.00"},
        {"do": "place-wager", "box": 4, "bet": "tie", "stake": "25.00"},
    )
    ann.phase("Place your Bets, please")
    ann.chip("500")
    ann.spot("player").click()
    ann.chip("50")
    for bet in ("tie", "tiger_buffalo", "small_buffalo"):
        ann.spot(bet).click()
        ann.lies(bet, "50")
    kept(ann, "table")
    house.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C"))
    expect(ann.find(".strip")).to_be_visible()
    ann.find(".strip").get_by_role("button", name="½").click()
    kept(ann, "insurance")
    ann.find(".strip").get_by_role("button", name="Insure for").click()
    dealer.keys("5", "h")
    kept(dealer, "dealer")
    kept(board, "board")
    house.must(table, *drawn("4H"), {"do": "settle"})
    ann.phase("Round settled")
    kept(ann, "result")
    house.must(table, {"do": "open-betting"})
    ann.phase("Place your Bets, please")
    ann.button("Repeat").click()
    ann.lies("player", "500")
    house.must(table, {"do": "close-betting"}, *drawn("5H", "2S", "TD", "4C", "6S"))
    house.must(table, {"do": "report-irregularity", "kind": "excess-card", "cards": ["9C", "2H"]})
    expect(ann.find(".trouble")).to_be_visible()
    kept(ann, "irregularity")
    kept(pit, "pit")


def phone_pictures(venue: Hall) -> None:
    table = "tiger-2"
    ann = venue.guest(phone=True)
    ann.sit(table, 1, "5000.00").go(f"/tables/{table}")
    venue.person("dealer").must(table, {"do": "open-betting"})
    ann.phase("Place your Bets, please")
    ann.chip("100")
    ann.spot("banker").tap()
    ann.spot("tie").tap()
    ann.lies("tie", "100")
    kept(ann, "phone")
    venue.person("dealer").must(table, {"do": "close-betting"}, *drawn("2S", "KH", "3C", "7D"))
    expect(ann.find(".strip")).to_be_visible()
    kept(ann, "phone-insurance")


def reading_pictures(venue: Hall) -> None:
    reader = venue.visitor()
    reader.go("/")
    expect(reader.find("li.panel h2").first).to_be_visible()
    kept(reader, "lobby")
    reader.go(f"/odds/{NEWEST.format('commission')}")
    expect(reader.find("table tbody tr").first).to_be_visible()
    kept(reader, "odds")
    reader.go(f"/rules/{NEWEST.format('commission')}")
    expect(reader.find("[id^='p-']").first).to_be_attached()
    kept(reader, "rules")
    chinese = venue.visitor(locale="zh-HK", color_scheme="light")
    chinese.go("/tables/salon")
    expect(chinese.find("[data-bet=banker]")).to_be_visible()
    kept(chinese, "table-chinese-light")


def desk_pictures(venue: Hall) -> None:
    """The floor with all that went on at its tables, the day and a person."""
    pit = venue.person("pit-manager")
    pit.must("salon", {"do": "announce-closing", "rounds": 3})
    pit.must("live-1", {"do": "set-limits", "limits": {**LIMITS, "minimum": "50.00"}})
    shift = venue.staff("shift-manager")
    shift.go("/floor")
    expect(shift.find("[data-table=tiger-1]")).to_be_visible()
    kept(shift, "floor")
    shift.go("/day")
    expect(shift.find("[data-figure=result]")).to_be_visible()
    kept(shift, "day")
    shift.go("/people/dealer")
    expect(shift.find(".one header")).to_be_visible()
    kept(shift, "people")


def watch_picture(venue: Hall) -> None:
    """Two tables with decks that nobody shuffled; one of the alarms was looked into."""
    people = {role: venue.person(role) for role in test_watch.STAFF}
    eye = venue._staff["surveillance"] = test_watch.surveillance(venue.server)
    for table in ("salon-2", "salon-3"):
        test_watch.play(venue.server, people, table)
        assert eventually(lambda table=table: bool(test_watch.alarms(eye, table)))  # type: ignore[misc]  # bound now
    note = {"note": "Camera 4: the decks came from their boxes, nobody washed them"}
    eye.post(f"/api/watch/alarms/{test_watch.alarms(eye, 'salon-2')[0]['id']}/acknowledge", note)
    desk = venue.staff("surveillance")
    desk.go("/watch")
    expect(desk.find("[data-alarm]").first).to_be_visible()
    kept(desk, "watch")


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with hall() as venue:
        tables(venue)
        reading_pictures(venue)
        phone_pictures(venue)
        round_pictures(venue)
        desk_pictures(venue)
        watch_picture(venue)


if __name__ == "__main__":
    main()
