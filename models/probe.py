"""Play a small table to find out whose chips each command moves, and who sees a card that lies face down."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from punto.cards import DECK
from punto.game import commands as c
from punto.game.audience import Audience, view
from punto.game.decide import apply
from punto.game.irregularities.kinds import Kind
from punto.game.refusals import Refusal
from punto.game.table import NEW, Irregular, Phase, Table, TableLimits, lying_cents
from punto.money import Cents
from punto.rulebook.model import Rank, Rulebook

UNIT: Final = Cents(10_000)
DEALER, PATRON, OTHER = "dora", "ann", "bob"
AUDIENCES: Final = ("public", "other patron", "dealer", "pit")
SQUEEZER: Final = "squeezer"

PLAYER_WINS: Final = ("9H", "2S", "KH", "KS")
BANKER_WINS: Final = ("2S", "9H", "KH", "KS")
TIE: Final = ("9H", "9S", "KH", "KS")


class Moved(msgspec.Struct, frozen=True):
    """By how many units the chips of the patrons, the layout and the house change."""

    patron: int
    layout: int
    house: int


class Probe:
    """A table of an edition on which commands are tried."""

    def __init__(self, rules: Rulebook, **settings: Any) -> None:
        self.rules, self.table = rules, NEW
        limits = TableLimits(minimum_cents=Cents(1000), maximum_differential_cents=Cents(100_000))
        layout, plain = next(iter(rules.layouts.values())), {"source": "live"}
        self.do(
            c.OpenTable(
                by=DEALER,
                rank=Rank.SHIFT_MANAGER,
                table="T1",
                edition=rules.id,
                layout=layout.id,
                positions=layout.positions[0],
                limits=limits,
                **(plain | settings),
            )
        )
        order = tuple(str(card) for card in DECK) * rules.procedure.decks_default
        virtual = self.table.opened.source == "virtual"
        self.do(c.LoadShoe(by=DEALER, count=len(order), shuffled=True, order=order if virtual else None))
        if self.table.phase is Phase.COMMENCING:
            self.do(c.Burn(by=DEALER, card="AS"))
        self.do(*(c.Join(patron=name, chips_cents=Cents(10 * UNIT)) for name in (PATRON, OTHER)))
        self.do(c.Sit(patron=PATRON, box=1), c.OpenBetting(by=DEALER))

    def do(self, *commands: c.AnyCommand) -> Moved:
        """Carry out commands. Return the chips that they moved."""
        before = self.table
        for command in commands:
            self.table, answer = apply(self.rules, self.table, command)
            assert not isinstance(answer, Refusal), f"{command}: {answer}"
        pairs = zip(_chips(self.table), _chips(before), strict=True)
        return Moved(*((now - was) // UNIT for now, was in pairs))

    def bet(self, units: int = 1) -> Moved:
        return self.do(c.PlaceWager(patron=PATRON, box=1, bet="player", stake_cents=Cents(units * UNIT)))

    def deal(self, cards: tuple[str, ...]) -> Moved:
        self.do(c.CloseBetting(by=DEALER), *(c.DrawCard(by=DEALER, card=card) for card in cards))
        return self.do(c.Settle(by=DEALER))


def _chips(table: Table) -> tuple[int, int, int]:
    """The chips of patrons, layout and house."""
    return sum(patron.balance_cents for patron in table.patrons.values()), lying_cents(table), table.house_cents


def chips(rules: Rulebook) -> dict[str, Moved]:
    """How each command that moves chips, and each result of a wager, moves one unit."""
    wager: dict[str, Any] = {"patron": PATRON, "box": 1, "bet": "player"}
    first, second = Probe(rules), Probe(rules)
    moved = {
        "place-wager": first.bet(),
        "raise-wager": first.do(c.RaiseWager(**wager, stake_cents=UNIT)),
        "lower-wager": first.do(c.LowerWager(**wager, stake_cents=UNIT)),
        "withdraw-wager": first.do(c.WithdrawWager(**wager)),
    }
    second.do(c.CloseBetting(by=DEALER))
    moved["report-chips"] = second.do(c.ReportChips(by=DEALER, **wager, stake_cents=UNIT))
    moved["void"] = second.do(c.ReportIrregularity(by=DEALER, kind=Kind.INTERRUPTION))
    for result, cards in (("won", PLAYER_WINS), ("lost", BANKER_WINS), ("returned", TIE)):
        table = Probe(rules)
        table.bet()
        moved[result] = table.deal(cards)
    return moved


def sees(rules: Rulebook) -> dict[str, tuple[str, ...]]:
    """Audience → the phases in which it sees a card that lies face down. `squeezer` is the patron who may turn it."""
    probe = Probe(rules, facing="down", source="virtual")
    probe.bet()
    probe.do(
        c.CloseBetting(by=DEALER),
        c.AskSqueeze(patron=PATRON, places=("P1",)),
        c.GrantSqueeze(by=DEALER),
        c.DrawCard(by=DEALER),
    )
    who = {
        "public": (Audience.PUBLIC, None),
        "other patron": (Audience.PATRON, OTHER),
        "dealer": (Audience.DEALER, None),
        "pit": (Audience.PIT, DEALER),
        SQUEEZER: (Audience.PATRON, PATRON),
    }
    phases = (Phase.DEALING, Phase.OFFER, Phase.IRREGULARITY, Phase.OPTIONS)
    return {
        name: tuple(str(phase) for phase in phases if _shown(rules, _in(probe.table, phase), audience, patron))
        for name, (audience, patron) in who.items()
    }


def _in(table: Table, phase: Phase) -> Table:
    """The table with the same cards in another phase."""
    wrong = phase in (Phase.IRREGULARITY, Phase.OPTIONS)
    open_ = Irregular(kind=Kind.DISCRETION, paragraph="", phase=Phase.DEALING, established=False) if wrong else None
    return msgspec.structs.replace(table, phase=phase, irregularity=open_)


def _shown(rules: Rulebook, table: Table, audience: Audience, patron: str | None) -> bool:
    seen = view(rules, table, audience, patron) if patron is not None else view(rules, table, audience)
    face = table.current.cards[0].face
    assert face is not None, "a virtual shoe knows its cards"
    return seen.cards["P1"] is not None or face in seen.squeezed_faces.values()
