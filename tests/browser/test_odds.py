"""The odds explorer: two editions are compared by the same number of decks, or the page says why not."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.visitors import Hall

LIVE = "live-baccarat-insurance-commission/undated"
TIGER = "tiger-buffalo-commission/2025-11-21"


def test_editions_are_compared_by_the_decks_that_are_shown(hall: Hall) -> None:
    """Ten decks are none of the Live game: it is shown by eight, and so is the edition beside it."""
    reader = hall.visitor()
    with reader.page.expect_response(f"**/api/odds/{TIGER}**") as compared:
        reader.go(f"/odds/{LIVE}?decks=10&with={TIGER}")
    assert compared.value.json()["decks"] == 8
    expect(reader.page.get_by_role("combobox", name="Decks")).to_have_value("8")
    expect(reader.page.get_by_role("alert")).to_have_count(0)
    assert not reader.errors


def test_an_edition_without_these_decks_says_so(hall: Hall) -> None:
    reader = hall.visitor()
    reader.go(f"/odds/{TIGER}?decks=4&with={LIVE}")
    expect(reader.page.get_by_role("alert")).to_have_text("No comparison: 4 decks are not allowed: expected 6, 8 (L1)")
    change = reader.page.get_by_role("columnheader", name="Change")
    expect(change).to_have_count(0)
    reader.page.get_by_role("combobox", name="Decks").select_option("6")
    expect(reader.page.get_by_role("alert")).to_have_count(0)
    expect(change).to_be_visible()


def test_a_table_says_the_edge_of_its_own_decks(hall: Hall) -> None:
    ann, table = hall.guest(), hall.open("four-decks", decks=4)
    ann.go(f"/tables/{table}")
    with ann.page.expect_response(f"**/api/odds/{TIGER}**") as sheet:
        ann.button("More").click()
        ann.page.get_by_role("dialog").get_by_role("button", name="House edge and pay").click()
    assert sheet.value.json()["decks"] == 4
    dialog = ann.page.get_by_role("dialog")
    expect(dialog).to_contain_text("exact for 4 decks")
    edge = float(sheet.value.json()["bets"]["banker"]["house_edge"])
    expect(dialog.get_by_role("row", name="Banker 0.95 to 1")).to_contain_text(f"{edge:.2%}".replace("%", " %"))
    assert not ann.errors
