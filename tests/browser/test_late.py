"""A bet that was tapped for one round and comes too late counts in no other, and the page says so (O90)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.line import Line
from tests.browser.playing import drawn
from tests.browser.visitors import Hall

ROUND = ({"do": "close-betting"}, *drawn("KH", "2S", "9D", "3C"), {"do": "settle"})
LOST = "The line was lost before the house confirmed this."
OVER = "Too late: that was for an earlier round. Nothing of it was taken."
LATE = {
    "on its way when its round closed": ((), "No more Bets: this round is closed."),
    "on its way until the next round was open": ((*ROUND[1:], {"do": "open-betting"}), OVER),
    "tapped while nothing came through, and not sent again": ((*ROUND[1:], {"do": "open-betting"}), LOST),
}


@pytest.mark.parametrize("case", LATE)
def test_a_bet_that_comes_too_late_lies_on_no_other_round(hall: Hall, case: str) -> None:
    """O90: the chip goes back, and the page says why. The sentence stays through the round in which it appears."""
    meanwhile, sentence = LATE[case]
    table = hall.open(f"late-{len(case)}", ("dealer",), shoe=True)
    # The dealer's requests go through Playwright: meanwhile the line carries pings, so the page does not lose it.
    dealer, ann = hall.staff("dealer"), hall.guest()
    line = Line(ann)
    ann.sit(table, 1).go(f"/tables/{table}")
    dealer.command(table, {"do": "open-betting"})
    ann.phase("Place your Bets, please")
    ann.chip("100")
    line.slow()
    ann.spot("player").click()
    expect(ann.spot("player").locator(".stack.waiting")).to_be_visible()
    if "nothing came" in case:
        line.cut()
    dealer.command(table, ROUND[0], *meanwhile)
    if "nothing came" in case:
        line.mend()
    else:
        ann.phase("Place your Bets, please" if meanwhile else "No more Bets")
        line.arrive()
    notice = ann.find(".told[role=alert]")
    expect(notice).to_contain_text(sentence)
    expect(ann.spot("player").locator(".stack")).to_have_count(0)
    expect(ann.balance()).to_have_text("1,000.00")
    assert not ann.api(f"/api/tables/{table}")["view"].get("wagers")
    if not meanwhile:
        dealer.command(table, *ROUND[1:], {"do": "open-betting"})
    ann.phase("Place your Bets, please")
    expect(notice).to_have_count(1 if meanwhile else 0)
    ann.spot("banker").click()
    ann.lies("banker", "100")
    if meanwhile:
        notice.get_by_role("button", name="Close").click()
    expect(notice).to_have_count(0)
    assert [wager["bet"] for wager in ann.api(f"/api/tables/{table}")["view"]["wagers"]] == ["banker"]
    assert not ann.errors


OFFERED = ({"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C"))
"""Player 7 stands against Banker 5: Player insurance at 4 to 1."""
NEXT = (*drawn("4H"), {"do": "settle"}, {"do": "open-betting"})
INSURED_LATE = {
    "on its way when the offer closes": "You let insurance pass: none is offered to you in this round any more.",
    "on its way until the next round has the same offer": OVER,
    "tapped while nothing came through, and not sent again": LOST,
}


@pytest.mark.parametrize("case", INSURED_LATE)
def test_insurance_that_comes_too_late_is_refused(hall: Hall, case: str) -> None:
    """The stake stays with the patron, also where the next round makes the very same offer."""
    table = hall.open(f"late-insurance-{len(case)}", ("dealer",), shoe=True)
    dealer, ann = hall.staff("dealer"), hall.guest()
    player = {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"}
    line = Line(ann)
    ann.sit(table, 1).go(f"/tables/{table}")
    dealer.command(table, {"do": "open-betting"})
    ann.command(table, player)
    dealer.command(table, *OFFERED)
    strip = ann.find(".strip")
    strip.get_by_role("button", name="½").click()
    line.slow()
    strip.get_by_role("button", name="Insure for 50").click()
    expect(strip.get_by_role("button", name="Insure for 50")).to_be_disabled()
    if "nothing came" in case:
        line.cut()
    if case.endswith("closes"):
        dealer.command(table, *drawn("4H"))
        expect(strip).to_have_count(0)
    else:
        dealer.command(table, *NEXT)
        dealer.command(table, {**player, "patron": ann.name})
        dealer.command(table, *OFFERED)
    if "nothing came" in case:
        line.mend()
    else:
        line.arrive()
    expect(ann.find(".told[role=alert]")).to_contain_text(INSURED_LATE[case])
    view = ann.api(f"/api/tables/{table}")["view"]
    assert not view.get("insurance")
    if not case.endswith("closes"):
        expect(strip).to_be_visible()
        assert view["round"] == 2
    assert not ann.errors
