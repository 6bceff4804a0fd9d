"""Helpers of the paragraph tests: bring a table to a situation, send it a command, look at what followed."""

from __future__ import annotations

from typing import Any

import pytest

from punto.game import commands as c
from punto.game import events as e
from punto.game.refusals import Refusal
from punto.game.table import Round
from punto.money import Cents
from punto.rulebook.model import Insurance
from tests.irregularities.laws import Ruled
from tests.irregularities.standing import commence, do, opened

COMMISSION_2024 = "tiger-buffalo-commission/2024-05-14"
COMMISSION_2025 = "tiger-buffalo-commission/2025-11-21"
LIVE = "live-baccarat-insurance-commission/undated"
WHY = "as the camera shows"

both = pytest.mark.parametrize("edition", [COMMISSION_2025, COMMISSION_2024])
FOUR = "KH 2S 7D 3C"

NATURAL = "KH 2S 9D 3C"
"""Player 9 against Banker 5: Player wins."""
BANKER_WINS = "KH 2S 7D 3C 4H"
"""Player 7 stands and may be insured at 4 to 1; Banker 5 draws to 9."""


def number(edition: str, year_2025: str, year_2024: str) -> str:
    """The paragraph number in the 2025 or the 2024 edition."""
    return year_2025 if edition == COMMISSION_2025 else year_2024


def init_round(edition: str, cards: str = "", *wagers: tuple[str, str, int], **settings: Any) -> Ruled:
    """A round with these wagers (if none: ann on Player and bob on Banker, 100.00 each) and these cards drawn."""
    ruled = opened(edition, **{"high_limit": False, **settings})
    commence(ruled)
    another(ruled, cards, *wagers)
    return ruled


def another(ruled: Ruled, cards: str, *wagers: tuple[str, str, int]) -> None:
    """A further round."""
    do(ruled, c.OpenBetting(by="dora"))
    for name, bet, cents in wagers or (("ann", "player", 10_000), ("bob", "banker", 10_000)):
        box = {"ann": 1, "bob": 2}[name]
        do(ruled, c.PlaceWager(patron=name, box=box, bet=bet, stake_cents=Cents(cents)))
    do(ruled, c.CloseBetting(by="dora"))
    draw(ruled, cards)


def draw(ruled: Ruled, cards: str) -> None:
    for face in cards.split():
        do(ruled, c.DrawCard(by="dora", card=None if face == "?" else face))


def settle(ruled: Ruled) -> None:
    do(ruled, c.Settle(by="dora"))


def insure(ruled: Ruled, cents: int, area: Insurance | None = None) -> None:
    take = c.TakeInsurance(patron="ann", bet=Insurance.PLAYER, stake_cents=Cents(cents), area=area, by="dora")
    do(ruled, take)


def report(ruled: Ruled, kind: str, **facts: Any) -> tuple[e.AnyEvent, ...]:
    return carried_out(ruled, c.ReportIrregularity(by="dora", kind=kind, **facts))


def decide(ruled: Ruled, by: str, **ruling: Any) -> tuple[e.AnyEvent, ...]:
    return carried_out(ruled, c.DecideIrregularity(by=by, **{"reason": WHY, **ruling}))


def carried_out(ruled: Ruled, command: c.AnyCommand) -> tuple[e.AnyEvent, ...]:
    answer = ruled.send(command)
    assert not isinstance(answer, Refusal), f"{command}: {answer}"
    return answer


def refused(ruled: Ruled, command: c.AnyCommand) -> tuple[str, str | None]:
    """The code and the paragraph of a refusal."""
    answer = ruled.send(command)
    assert isinstance(answer, Refusal), f"{command} was carried out: {answer}"
    return answer.code, answer.paragraph


def tags(events: tuple[e.AnyEvent, ...]) -> list[str]:
    return [str(type(event).__struct_config__.tag) for event in events]


def options_given(events: tuple[e.AnyEvent, ...]) -> bool:
    return "options-opened" in tags(events)


def choose(ruled: Ruled, **options: str) -> None:
    """Each named patron chooses, the others stay silent, then play resumes."""
    for name, option in options.items():
        do(ruled, c.ChooseOption(patron=name, option=option))
    do(ruled, c.ResumePlay(by="dora"))


def balances(ruled: Ruled) -> tuple[int, int]:
    """ann's and bob's chips, in whole units; each came with 1000.00."""
    ann, bob = (ruled.table.patrons[name].balance_cents for name in ("ann", "bob"))
    assert ann % 100 == bob % 100 == 0
    return ann // 100, bob // 100


def paragraphs(current: Round, patron: str) -> set[tuple[str, str]]:
    """What became of a patron's wagers, and under which paragraph."""
    return {(line.result, line.paragraph) for line in current.lines if line.patron == patron}
