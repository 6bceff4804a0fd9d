"""The hall's board: its sentence is read from afar, so none of it may be cut off."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.browser.playing import drawn
from tests.browser.visitors import Hall, Visitor

LANGUAGES = ("en", "zh-Hant", "zh-Hans")
SIZES = [(1920, 1080), (1440, 900), (1280, 720), (390, 844), (360, 640)]
CUT = """async () => {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const box = document.querySelector(".phase").getBoundingClientRect();
  return [...document.querySelectorAll(".phase *")]
    .filter((one) => {
      const text = document.createRange();
      text.selectNodeContents(one);
      const at = text.getBoundingClientRect();
      const out = at.right > box.right - 4 || at.bottom > box.bottom || at.top < box.top;
      return at.width > 0 && (out || box.right > innerWidth);
    })
    .map((one) => one.textContent);
}"""


def whole(board: Visitor) -> None:
    for width, height in SIZES:
        board.page.set_viewport_size({"width": width, "height": height})
        assert board.page.evaluate(CUT) == [], (width, height)


def test_the_sentence_of_every_phase_fits(hall: Hall) -> None:
    table = hall.open("board", ("dealer", "pit-supervisor"), high_limit=True)
    dealer, boards = hall.person("dealer"), [hall.visitor(reduced_motion="reduce") for _ in LANGUAGES]
    for board, language in zip(boards, LANGUAGES, strict=True):
        board.go(f"/tables/{table}/board?lang={language}")
    ann = hall.guest().sit(table, 1)
    wager = {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"}
    steps: list[tuple[str, list[dict[str, Any]]]] = [
        ("no-shoe", []),
        ("ready", [{"do": "load-shoe", "count": 416, "shuffled": True}]),
        ("betting", [{"do": "open-betting"}]),
        ("dealing", [{"do": "close-betting"}]),
        ("offer", drawn("KH", "2S", "7D", "3C")),
        ("complete", drawn("4H")),
        ("settled", [{"do": "settle"}]),
        ("betting", [{"do": "open-betting"}]),
        ("cut-card", [{"do": "close-betting"}, {"do": "draw-cut-card"}]),
        ("dealing", drawn("KD")),
        ("irregularity", [{"do": "report-irregularity", "kind": "excess-card", "cards": ["2H"]}]),
    ]
    seen: set[str] = set()
    for phase, step in steps:
        if step:
            dealer.must(table, *step)
        for board in boards:
            expect(board.find(f".phase.{phase}")).to_be_visible()
            sentence = board.find(".phase").inner_text()
            if sentence not in seen:
                whole(board)
            seen.add(sentence)
        if phase == "betting":
            ann.command(table, wager)
    assert not any(board.errors for board in boards)
