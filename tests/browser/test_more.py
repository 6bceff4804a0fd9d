"""Lists that come in pages: a page is fetched once, however often the button is pressed."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from tests.browser.playing import drawn, played
from tests.browser.visitors import DRAWN, Hall, Visitor


def press_often(visitor: Visitor, name: str, url: str, held: list[Route]) -> None:
    """Press twice at once, and again once the page has drawn, while the first request is on its way."""
    button = visitor.button(name)
    with visitor.page.expect_request(url):
        button.evaluate("(button) => { button.click(); button.click(); }")
    visitor.page.evaluate(DRAWN)
    button.evaluate("(button) => button.click()")
    visitor.page.evaluate(DRAWN)
    assert len(held) == 1, [route.request.url for route in held]


def test_earlier_rounds(hall: Hall) -> None:
    table = hall.open("more-rounds", ("dealer",), shoe=True)
    dealer, ann = hall.person("dealer"), hall.guest().sit(table, 1)
    for cards in (("KH", "2S", "9D", "3C"), ("2C", "KD", "4S", "8H")):
        dealer.must(table, {"do": "open-betting"})
        ann.command(table, {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"})
        dealer.must(table, {"do": "close-betting"}, *drawn(*cards), {"do": "settle"})
    held: list[Route] = []
    # One round on each page of the list.
    url = f"{hall.server.url}/api/me/rounds?limit=1"
    ann.page.route("**/api/me/rounds?limit=25", lambda route: route.continue_(url=url))
    ann.page.route("**/api/me/rounds?limit=25&before=*", lambda route: held.append(route))
    ann.go("/me/rounds")
    expect(ann.find("article")).to_have_count(1)
    press_often(ann, "Earlier rounds", "**/api/me/rounds?*", held)
    held[0].continue_()
    expect(ann.find("article")).to_have_count(2)
    expect(ann.button("Earlier rounds")).to_have_count(0)
    assert not ann.errors


def test_more_people(hall: Hall) -> None:
    shift = hall.staff("shift-manager")
    person = shift.api("/api/people")[0]
    people = [{**person, "name": f"somebody-{number:03}"} for number in range(105)]
    held: list[Route] = []
    shift.page.route("**/api/people?*after=", lambda route: route.fulfill(json=people[:100]))
    shift.page.route("**/api/people?*after=s*", lambda route: held.append(route))
    shift.go("/people")
    rows = shift.find("ul[aria-label=People] li")
    expect(rows).to_have_count(100)
    press_often(shift, "More", "**/api/people?*", held)
    # Meanwhile the list is fetched anew: what comes then does not belong to it.
    with shift.page.expect_response("**/api/people?*guests=true*"):
        shift.page.get_by_label("Guests too").check()
    with shift.page.expect_response("**/api/people?*after=s*") as late:
        held.pop().fulfill(json=people[90:100])
    late.value.finished()
    shift.page.evaluate(DRAWN)
    expect(rows).to_have_count(100)
    press_often(shift, "More", "**/api/people?*", held)
    held[0].fulfill(json=people[100:])
    expect(rows).to_have_count(105)
    expect(shift.button("More")).to_have_count(0)
    assert not shift.errors


def test_earlier_events(hall: Hall) -> None:
    table = hall.open("more-events", ("dealer",), shoe=True)
    played(hall, table, 2, seed=4)
    pit = hall.staff("pit-supervisor")
    last = pit.api(f"/api/tables/{table}/events?limit=500")["events"]
    held: list[Route] = []
    pit.page.route("**/events?*", lambda route: held.append(route))
    pit.page.route("**/events?*limit=500", lambda route: route.fulfill(json=last[-3:]), times=1)
    pit.go(f"/tables/{table}/pit")
    pit.page.get_by_role("tab", name="Event log").click()
    rows = pit.find(".log tbody tr")
    expect(rows).to_have_count(3)
    # The house does not answer: the page says so, and the button may be pressed again.
    press_often(pit, "Earlier events", "**/events?*", held)
    held.pop().abort()
    expect(pit.find(".log [role=alert]")).to_contain_text("The house does not answer")
    press_often(pit, "Earlier events", "**/events?*", held)
    held[0].continue_()
    expect(rows).to_have_count(len(last))
    expect(pit.find(".log [role=alert]")).to_have_count(0)
    assert not pit.errors
