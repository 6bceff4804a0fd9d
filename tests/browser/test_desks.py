"""The consoles as a dealer uses them: keys, the card that waits, the way to the pit and back, a phone in a pinch."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.measures import fits, none, well
from tests.browser.playing import drawn, played
from tests.browser.visitors import Hall, Visitor

SMALL_DESK = {"width": 1280, "height": 720}
DEVELOPERS = r"[a-z]_[a-z]|\b[PB][123]\b|[a-z]+-[a-z]+-|\[object|undefined"


def stopped(hall: Hall, table: str, hands: int = 0) -> str:
    """After so many hands: five cards lie there, and 9C and 2H came out. The Banker needs one of the two."""
    hall.open(table, ("dealer", "pit-supervisor"), shoe=True)
    played(hall, table, hands, 5)
    ann = hall.guest().sit(table, 1)
    dealer = hall.person("dealer")
    dealer.must(table, {"do": "open-betting"})
    ann.command(table, {"do": "place-wager", "box": 1, "bet": "tiger_buffalo", "stake": "100.00"})
    dealer.must(table, {"do": "close-betting"}, *drawn("5H", "2S", "TD", "4C", "6S"))
    dealer.must(table, {"do": "report-irregularity", "kind": "excess-card", "cards": ["9C", "2H"]})
    return table


def dealing(dealer: Visitor, table: str) -> None:
    dealer.go(f"/tables/{table}/dealer")
    expect(dealer.find(".stage")).to_be_visible()


def test_a_card_that_waits_is_the_next_action(hall: Hall) -> None:
    table = stopped(hall, "carried")
    dealer = hall.staff("dealer")
    dealing(dealer, table)
    hall.person("pit-supervisor").must(table, {"do": "decide-irregularity", "reason": "as the camera shows"})
    hall.person("dealer").must(table, {"do": "settle"}, {"do": "open-betting"}, {"do": "close-betting"})
    expect(dealer.find(".slots")).to_have_text("2")
    dealer.gold("Deal the waiting 2♥")
    expect(dealer.find(".left .hands [role=img]")).to_have_count(1)
    expect(dealer.find(".stage button.gold")).to_contain_text("Draw")
    dealer.deal("KH")
    assert not dealer.errors


def test_a_key_that_does_not_fit_changes_nothing_and_says_so(hall: Hall) -> None:
    table = hall.open("slips", ("dealer",), shoe=True)
    hall.person("dealer").must(table, {"do": "open-betting"}, {"do": "close-betting"})
    dealer = hall.staff("dealer")
    dealing(dealer, table)
    dealer.keys("x")
    expect(dealer.find(".entry .wrong")).to_have_text("X does not fit here.")
    dealer.keys("5")
    expect(dealer.find(".entry .wrong")).to_have_count(0)
    dealer.keys("q", "h")
    expect(dealer.find(".slots span").first).to_have_text("5")
    dealer.keys("Backspace", "Backspace")
    dealer.deal("QH")
    expect(dealer.find(".left .hands [role=img]")).to_have_attribute("aria-label", "Q♥")


def test_a_key_acts_only_where_the_house_would_hear_it(hall: Hall) -> None:
    """F2: the cut card comes out in the course of a round; between rounds of this game it is refused."""
    table = hall.open("f-two", ("dealer",), shoe=True)
    dealer = hall.staff("dealer")
    dealing(dealer, table)
    expect(dealer.find(".stage button.gold")).to_contain_text("Open betting")
    expect(dealer.button("Cut card came out")).to_be_disabled()
    dealer.keys("F2", "F2")
    hall.person("dealer").must(table, {"do": "open-betting"}, {"do": "close-betting"}, *drawn("KH"))
    expect(dealer.button("Cut card came out")).to_be_enabled()
    expect(dealer.find(".refusal")).to_have_count(0)
    dealer.keys("F2", "F2")
    expect(dealer.button("Cut card came out")).to_be_disabled()
    assert "last" in dealer.find(".console").inner_text().lower()
    assert not dealer.errors


def test_f8_goes_to_the_report_and_escape_comes_back(hall: Hall) -> None:
    table = hall.open("f-eight", ("dealer",), shoe=True)
    hall.person("dealer").must(table, {"do": "open-betting"}, {"do": "close-betting"}, *drawn("KH"))
    dealer = hall.staff("dealer", viewport=SMALL_DESK, reduced_motion="reduce")
    dealing(dealer, table)
    fits(dealer, one_screen=True)
    expect(dealer.button("Irregularity")).to_be_in_viewport(ratio=1)
    dealer.keys("F8")
    find = dealer.page.get_by_role("searchbox", name="Find")
    expect(find).to_be_focused()
    dealer.page.keyboard.type("two or")
    dealer.keys("Enter")
    expect(dealer.find(".form h2")).to_have_text("Two or more cards drawn at once")
    dealer.keys("Escape", "Escape")
    expect(dealer.find(".stage")).to_be_visible()
    dealer.deal("2S")


def test_what_is_handed_back_is_in_sight(hall: Hall) -> None:
    """Every column of the settlement, with insurance among its lines and a sum of seven figures."""
    limits = {"minimum": "10.00", "maximum": "500000.00", "maximum_differential": "1000000.00"}
    table = hall.open("handed", ("dealer",), shoe=True, limits=limits)
    ann, bob = hall.guest().sit(table, 1), hall.guest().sit(table, 2, "9000.00")
    house = hall.person("dealer")
    house.must(table, {"do": "open-betting"})
    ann.command(table, {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"})
    bob.command(table, {"do": "place-wager", "box": 2, "bet": "banker", "stake": "8888.88"})
    house.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C"))
    offer = {"do": "take-insurance", "bet": "player_insurance", "stake": "50.00"}
    ann.command(table, offer)
    house.must(table, *drawn("4H"), {"do": "settle"})
    dealer = hall.staff("dealer", viewport=SMALL_DESK, reduced_motion="reduce")
    dealing(dealer, table)
    lines = dealer.find(".lines .scroll")
    expect(lines).to_contain_text("17,333.32")
    expect(lines).to_contain_text(ann.name)
    none(lines.evaluate("(one) => one.scrollWidth > one.clientWidth ? ['the settlement is wider than its panel'] : []"))


def test_insurance_taken_twice_and_chips_found_late(hall: Hall) -> None:
    """The dealer sees all that a patron has insured and may take the rest; chips found after the result wait for a
    second person."""
    table = hall.open("twice", ("dealer",), shoe=True)
    ann = hall.guest().sit(table, 1)
    house = hall.person("dealer")
    house.must(table, {"do": "open-betting"})
    ann.command(table, {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"})
    house.must(table, {"do": "close-betting"}, *drawn("KH", "2S", "7D", "3C"))
    for stake in ("25.00", "30.00"):
        ann.command(table, {"do": "take-insurance", "bet": "player_insurance", "stake": stake})
    dealer = hall.staff("dealer", reduced_motion="reduce")
    dealing(dealer, table)
    offers = dealer.page.get_by_role("region", name="Insurance on offer")
    expect(offers).to_contain_text("took 55")
    field = offers.get_by_label(f"Insurance stake of {ann.name}")
    field.fill("45,0x")
    offers.get_by_role("button", name="Take").click()
    expect(offers).to_contain_text("took 55")
    field.fill("45")
    offers.get_by_role("button", name="Take").click()
    expect(offers).to_contain_text("took 100")
    expect(field).to_have_count(0)
    house.must(table, *drawn("4H"), {"do": "settle"})
    expect(dealer.find(".stage button.gold")).to_contain_text("Open betting")
    dealer.keys("F4")
    form = dealer.page.get_by_role("dialog")
    form.get_by_label("Patron").fill(ann.name)
    form.get_by_label("Bet").select_option("tie")
    form.get_by_label("Stake").fill("50")
    form.get_by_role("button", name="Enter it").click()
    expect(form).to_contain_text("has to approve this")
    pit = hall.staff("pit-manager", reduced_motion="reduce")
    pit.go(f"/tables/{table}/pit")
    pit.page.get_by_role("tab", name="Approvals").click()
    waiting = pit.find("li.asked", has_text=table)
    expect(waiting).to_contain_text(f"{ann.name} · box 1 · Tie · 50")
    said = waiting.inner_text()
    assert not pit.page.evaluate("([text, words]) => text.match(new RegExp(words, 'g')) ?? []", [said, DEVELOPERS])
    assert not dealer.errors + pit.errors


def test_a_phone_in_a_pinch(hall: Hall) -> None:
    table = stopped(hall, "pinch")
    dealer = hall.staff("dealer", phone=True, reduced_motion="reduce")
    pit = hall.staff("pit-supervisor", phone=True, reduced_motion="reduce")
    dealing(dealer, table)
    fits(dealer)
    expect(dealer.find(".stage button.gold")).to_be_in_viewport(ratio=1)
    pit.go(f"/tables/{table}/pit")
    form = pit.find(".form")
    expect(form).to_contain_text("The ruling")
    fits(pit)
    none(pit.violations())
    none(form.evaluate("(one) => one.scrollWidth > one.clientWidth ? ['the ruling is wider than its panel'] : []"))
    for name in ("Approvals", "Event log", "Replay", "Table"):
        pit.page.get_by_role("tab", name=name).click()
        fits(pit)


def test_a_card_without_a_keyboard(hall: Hall) -> None:
    table = hall.open("pad", ("dealer",), shoe=True)
    hall.person("dealer").must(table, {"do": "open-betting"}, {"do": "close-betting"})
    dealer = hall.staff("dealer", phone=True, reduced_motion="reduce")
    dealing(dealer, table)
    for key in ("K", "Backspace", "T", "H"):
        dealer.page.get_by_role("button", name=key, exact=True).tap()
    dealer.button("Draw").tap()
    expect(dealer.find(".left .hands [role=img]")).to_have_attribute("aria-label", "10♥")
    well(dealer)


def test_the_log_speaks_as_staff_do_and_comes_in_pages(hall: Hall) -> None:
    table = stopped(hall, "spoken", 12)
    pit = hall.staff("pit-supervisor", phone=True, reduced_motion="reduce")
    hall.person("pit-supervisor").must(table, {"do": "decide-irregularity", "reason": "as the camera shows"})
    hall.person("dealer").must(table, {"do": "settle"})
    pit.go(f"/tables/{table}/pit")
    pit.page.get_by_role("tab", name="Event log").click()
    rows = pit.find("tbody tr")
    expect(rows).to_have_count(100)
    pit.button("Earlier events").click()
    expect(rows).not_to_have_count(100)
    what = pit.find("td.what")
    expect(what.filter(has_text="Tiger Buffalo")).to_have_count(1)
    expect(what.filter(has_text="Card drawn too many")).to_have_count(2)
    said = "\n".join(what.all_inner_texts())
    matches = pit.page.evaluate("([text, words]) => text.match(new RegExp(words, 'g')) ?? []", [said, DEVELOPERS])
    assert [word for word in matches if word not in ("pit-supervisor",)] == []
    assert pit.page.evaluate("document.documentElement.scrollHeight") < 20_000
    fits(pit)
