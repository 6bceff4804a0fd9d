"""A table to prove paragraphs at: staff of every rank, ann at box 1, bob at box 2, cyd standing; driven by commands.

It is played under the rulebook that it is given, broken or not. Chips are counted after every command.
"""

from __future__ import annotations

from typing import Any, Final

from punto.cards import DECK
from punto.game import commands as c
from punto.game import decide as deciding
from punto.game import events as e
from punto.game.audience import Audience, View, view
from punto.game.evolve import evolve
from punto.game.refusals import Refusal
from punto.game.table import NEW, Phase, Round, Table, TableLimits, conserved
from punto.money import Cents
from punto.rulebook.model import Insurance, Moment, Rank, Rulebook
from tests.rules.printed import NUMBERS

STAFF: Final = {
    "dora": Rank.DEALER,
    "sam": Rank.PIT_SUPERVISOR,
    "mia": Rank.PIT_MANAGER,
    "tess": Rank.SHIFT_MANAGER,
}
BOXES: Final = {"ann": 1, "bob": 2, "cyd": 1}
CHIPS: Final = 5_000_00

PLAYER_9: Final = "KH 2S 9D 3C"
"""Player 9 against Banker 5: Player wins on four cards."""
SEVEN_FIVE: Final = "KH 2S 7D 3C"
"""Player 7 against Banker 5: Player may be insured at 4 to 1, and Banker draws; on 4H it wins 9 to 7."""
ON_BOTH: Final = (("ann", "player", 100_00), ("bob", "banker", 100_00))

Wager = tuple[str, str, int]
Events = tuple[e.AnyEvent, ...]


def limits(minimum: int = 10_00, differential: int = 1_000_00, maximum: int | None = None) -> TableLimits:
    return TableLimits(
        minimum_cents=Cents(minimum),
        maximum_differential_cents=Cents(differential),
        maximum_cents=None if maximum is None else Cents(maximum),
    )


def opening(rules: Rulebook, **settings: Any) -> c.OpenTable:
    """By default five positions of the first layout, a live shoe, cards face up."""
    plain = {"by": "sam", "table": "T1", "edition": rules.id, "layout": next(iter(rules.layouts)), "positions": 5}
    return c.OpenTable(**{**plain, "limits": limits(), **settings})


def open_table(rules: Rulebook, **settings: Any) -> deciding.Answer:
    """The answer to opening a table with these settings."""
    return deciding.decide(rules, NEW, opening(rules, **settings))


class Seating:
    """One table under one rulebook."""

    def __init__(self, rules: Rulebook, *, order: str = "", load: bool = True, **settings: Any) -> None:
        """`order` is what lies on top of a virtual shoe; without it cards are entered as they are drawn."""
        self.rules = rules
        self.table: Table = NEW
        self.do(opening(rules, **({"source": "virtual"} if order else {}), **settings))
        self.do(*(c.StartDuty(name=name, rank=rank) for name, rank in STAFF.items() if name != "sam"))
        self.do(*(c.Join(patron=name, chips_cents=Cents(CHIPS)) for name in BOXES))
        self.do(c.Sit(patron="ann", box=1), c.Sit(patron="bob", box=2))
        if load:
            self.load(order)

    def load(self, order: str = "") -> None:
        """Load a new shoe, and burn its first cards where the game asks for it."""
        decks = self.table.opened.decks
        rest = [str(card) for card in DECK * decks]
        for face in order.split():
            rest.remove(face)
        whole = (*order.split(), *rest) if self.table.opened.source == "virtual" else None
        self.do(c.LoadShoe(by="dora", count=52 * decks, shuffled=True, order=whole))
        if self.table.phase is Phase.COMMENCING:
            self.do(c.Burn(by="dora", card=None if whole else "AS"))

    def number(self, topic: str) -> str:
        """The paragraph of the topic as it is printed, not as the rulebook has it."""
        return NUMBERS[self.rules.id][topic]

    # Commands

    def do(self, *commands: c.AnyCommand) -> Events:
        """Carry out commands, none of which may be refused; gives the events of the last."""
        answer: Events = ()
        for command in commands:
            decided = deciding.decide(self.rules, self.table, command)
            assert not isinstance(decided, Refusal), f"{command}: {decided}"
            assert decided, f"nothing came of {command}"
            answer = decided
            for event in answer:
                self.table = evolve(self.table, event)
            assert conserved(self.table), f"chips were made or lost by {command}"
        return answer

    def refused(self, command: c.AnyCommand) -> tuple[str, str | None]:
        """The code and the paragraph of a refusal."""
        refusal = deciding.decide(self.rules, self.table, command)
        assert isinstance(refusal, Refusal), f"{command} was carried out: {refusal}"
        return refusal.code, refusal.paragraph

    def bet(self, *wagers: Wager) -> Events:
        """Betting opens, and these wagers are placed; ann on Player and bob on Banker by default."""
        opened = self.do(c.OpenBetting(by="dora"))
        self.do(*(place(*wager) for wager in wagers or ON_BOTH))
        return opened

    def close(self) -> Events:
        return self.do(c.CloseBetting(by="dora"))

    def draw(self, cards: str) -> Events:
        """Cards one by one; "?" is one that nobody has seen, or that a virtual shoe gives itself."""
        return self.do(*(c.DrawCard(by="dora", card=None if face == "?" else face) for face in cards.split()))

    def turn(self, **faces: str) -> Events:
        return self.do(*(c.ExposeCard(by="dora", place=place, card=face) for place, face in faces.items()))

    def deal(self, cards: str, *wagers: Wager) -> Events:
        """A round of these wagers with these cards."""
        self.bet(*wagers)
        closed = self.close()
        return self.draw(cards) or closed

    def settle(self) -> Events:
        return self.do(c.Settle(by="dora"))

    def play(self, cards: str, *wagers: Wager) -> Events:
        """A whole round."""
        self.deal(cards, *wagers)
        return self.settle()

    def report(self, kind: str, **facts: Any) -> Events:
        return self.do(reported(kind, **facts))

    def decide(self, by: str, **ruling: Any) -> Events:
        return self.do(ruled(by, **ruling))

    def choose(self, **options: str) -> Events:
        """Each patron's choice, then play resumes; whoever is not named is silent."""
        self.do(*(c.ChooseOption(patron=name, option=option) for name, option in options.items()))
        return self.do(c.ResumePlay(by="dora"))

    # Results

    @property
    def current(self) -> Round:
        return self.table.current

    @property
    def phase(self) -> Phase:
        return self.table.phase

    @property
    def faces(self) -> dict[str, str | None]:
        """The cards of the round by place."""
        return {card.place: card.face for card in self.current.cards}

    def gained(self, *names: str) -> tuple[int, ...]:
        """How many cents each patron has more than at the start."""
        return tuple(self.table.patrons[name].balance_cents - CHIPS for name in names)

    def in_play(self) -> dict[str, int]:
        """The cents in play of each patron's wager."""
        return {wager.patron: wager.in_play_cents for wager in self.current.wagers.values()}

    def shown(self, audience: Audience = Audience.PUBLIC, patron: str | None = None) -> View:
        return view(self.rules, self.table, audience, patron)


def place(patron: str, bet: str, cents: int, box: int | None = None, by: str | None = None) -> c.PlaceWager:
    return c.PlaceWager(patron=patron, box=box or BOXES[patron], bet=bet, stake_cents=Cents(cents), by=by)


def chips(patron: str, bet: str, cents: int) -> c.ReportChips:
    """Chips found after the close."""
    return c.ReportChips(by="dora", patron=patron, box=BOXES[patron], bet=bet, stake_cents=Cents(cents))


def insure(patron: str, cents: int, bet: Insurance = Insurance.PLAYER, **more: Any) -> c.TakeInsurance:
    return c.TakeInsurance(patron=patron, bet=bet, stake_cents=Cents(cents), **more)


def reported(kind: str, **facts: Any) -> c.ReportIrregularity:
    return c.ReportIrregularity(by="dora", kind=kind, **facts)


def missed(after: Moment = Moment.FOUR_CARDS, **facts: Any) -> c.ReportIrregularity:
    return reported("insurance-missed", after=after, **facts)


def ruled(by: str, **ruling: Any) -> c.DecideIrregularity:
    return c.DecideIrregularity(by=by, **{"reason": "as the camera shows", **ruling})


def with_paragraphs(events: Events) -> list[tuple[str, str]]:
    """The tag and the paragraph of each event."""
    return [(str(type(event).__struct_config__.tag), event.paragraph) for event in events]


def tags(events: Events) -> list[str]:
    return [tag for tag, _ in with_paragraphs(events)]


def options_given(events: Events) -> bool:
    return "options-opened" in tags(events)


def banker_pays(rules: Rulebook) -> int:
    """What 100.00 on Banker wins when it wins on other points than 6: less 5 % where there is a commission."""
    return 100_00 if "no-commission" in rules.id or "non-commission" in rules.id else 95_00
