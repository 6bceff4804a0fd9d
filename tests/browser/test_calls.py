"""The page says what happens now: in the header, to a screen reader, and aloud to those who ask for it."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import expect

from tests.browser.playing import drawn
from tests.browser.visitors import Hall

LOW: Final = {"width": 844, "height": 390}
WIDE: Final = {"width": 1920, "height": 1080}
# Player 5 draws an 8, Banker 5 stands: 3 against 5.
STEPS: Final = [
    ([{"do": "open-betting"}], "Place your Bets, please", "請下注", "请下注"),
    ([{"do": "close-betting"}], "No more Bets", "停止下注", "停止下注"),
    (drawn("KH"), "Cards are dealt", "正在派牌", "正在派牌"),
    (drawn("2S", "5D", "3C"), "Player draws", "閒補牌", "闲补牌"),
    (drawn("8H"), "Banker stands on 5", "庄 5 點不補", "庄 5 点不补"),
    ([{"do": "settle"}], "Banker wins", "庄贏", "庄赢"),
]


def test_the_header_says_what_happens_now(hall: Hall) -> None:
    """Step by step, in three languages, on four screens. A screen reader is told the result."""
    table = hall.open("now", ("dealer",), shoe=True)
    dealer = hall.person("dealer")
    readers = [
        hall.visitor(reduced_motion="reduce"),
        hall.visitor(locale="zh-HK", phone=True, reduced_motion="reduce"),
        hall.visitor(locale="zh-CN", phone=True, viewport=LOW, color_scheme="light", reduced_motion="reduce"),
        hall.visitor(viewport=WIDE, color_scheme="light", reduced_motion="reduce"),
    ]
    for reader in readers:
        reader.go(f"/tables/{table}")
        expect(reader.find("[data-bet=player]")).to_be_visible()
    for commands, english, hant, hans in STEPS:
        dealer.must(table, *commands)
        for reader, said in zip(readers, (english, hant, hans, english), strict=True):
            reader.says(said)
    expect(readers[0].find("[aria-live=polite]").first).to_have_text("Player 3, Banker 5, Banker wins")
    expect(readers[1].find("[aria-live=polite]").first).to_have_text("閒 3 點，庄 5 點，庄贏")
    for reader in readers:
        assert not reader.errors


# Stands in for a browser's voices and audio: it records what is said, in which language, and the number of sounds.
HEARING: Final = """
window.heard = { said: [], sounds: 0 };
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  pending: false, cancel() {}, getVoices: () => VOICES.map((lang) => ({ lang })),
  speak: (one) => window.heard.said.push(`${one.lang} ${one.text}`),
} });
for (const name of ["createOscillator", "createBufferSource"]) {
  const before = AudioContext.prototype[name];
  AudioContext.prototype[name] = function () { window.heard.sounds += 1; return before.call(this); };
}
"""
ALL_VOICES: Final = '["de-DE", "en-GB", "zh-CN", "zh-TW", "zh-HK"]'
SPOKEN: Final = {
    "en-GB": ["en-GB No more Bets", "en-GB Player draws"],
    "zh-HK": ["zh-HK 停止下注", "zh-HK 閒補牌"],
    "zh-CN": ["zh-CN 停止下注", "zh-CN 闲补牌"],
}


@pytest.mark.parametrize("locale", SPOKEN)
def test_a_table_is_heard_by_who_asks_for_it(hall: Hall, locale: str) -> None:
    """Sound is off until one tap. Then come calls in the reader's language and sounds of cards and chips, with
    captions, and the choice is remembered. A browser without such a voice has the text alone."""
    table = hall.open(f"heard-{locale.lower()}", ("dealer",), shoe=True)
    dealer = hall.person("dealer")
    ann = hall.guest(locale=locale, reduced_motion="reduce")
    mute = hall.visitor(locale=locale, phone=True, reduced_motion="reduce")
    ann.page.add_init_script(HEARING.replace("VOICES", ALL_VOICES))
    mute.page.add_init_script(HEARING.replace("VOICES", '["de-DE"]'))
    fetched: list[str] = []
    ann.page.on("request", lambda request: fetched.append(request.url) if "/player-" in request.url else None)
    ann.sit(table, 1).go(f"/tables/{table}")
    mute.go(f"/tables/{table}")
    dealer.must(table, {"do": "open-betting"})
    ann.chip("10")
    ann.spot("player").click()
    ann.lies("player", "10")
    assert ann.page.evaluate("window.heard") == {"said": [], "sounds": 0}
    assert fetched == []
    switch = ann.find("header .sound button")
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    mute.find(".thumb .sound").tap()
    ann.spot("player").click()
    ann.lies("player", "20")
    ann.until("window.heard.sounds >= 2")
    dealer.must(table, {"do": "close-betting"})
    dealer.must(table, *drawn("KH", "2S", "5D", "3C"))
    ann.until("window.heard.said.length >= 2 && window.heard.sounds >= 3")
    assert ann.page.evaluate("window.heard.said") == SPOKEN[locale]
    for listener in (ann, mute):
        expect(listener.find(".caption")).to_have_text(f"♪ {SPOKEN[locale][1].partition(' ')[2]}")
        assert listener.violations() == []
    assert mute.page.evaluate("window.heard.said") == []
    ann.page.reload()
    expect(ann.find("header .sound button")).to_have_attribute("aria-pressed", "true")
    ann.find("header .sound button").click()
    ann.page.reload()
    expect(ann.find("header .sound button")).to_have_attribute("aria-pressed", "false")
    assert not ann.errors + mute.errors
