"""Random tables: every edition and layout, people, wagers legal and not, cards, insurance, shoe after shoe.

All chance comes from one seeded `random.Random`, so a seed is a table. Most commands are plausible when they are given;
the rest is nonsense, on purpose and in every phase.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from punto.cards import DECK
from punto.game import commands as c
from punto.game import dealing
from punto.game.announcements import closes_now
from punto.game.refusals import Refusal
from punto.game.table import BetLimits, Phase, TableLimits
from punto.money import Cents
from punto.rulebook import load
from punto.rulebook.model import Bet, Insurance, Rank, Rulebook
from tests.table.laws import Watched

BOOKS: Final = tuple(load.edition(source.game, source.edition) for source in load.catalogue())
MAIN: Final = (Bet.PLAYER, Bet.BANKER)
STAFF: Final = {"dan": Rank.DEALER, "sue": Rank.PIT_SUPERVISOR, "max": Rank.PIT_MANAGER}
PATRONS: Final = ("ann", "bob", "cyd", "dee", "eve", "fay")
PLACES: Final = dealing.PLACES
_DECKS: Final = {decks: tuple(str(card) for card in DECK * decks) for decks in range(1, 11)}


def limits(chance: random.Random, bets: tuple[Bet, ...]) -> TableLimits:
    """From a few cents, where rounding matters, to a salon's limits; with or without a maximum and bets' own limits."""
    unit = chance.choice((1, 1, 7, 100, 2500))
    least = unit * chance.randint(1, 12)
    differential = least + unit * chance.randint(0, 90)
    maximum = least + unit * chance.randint(0, 120) if chance.random() < 0.6 else None
    own: dict[Bet, BetLimits] = {}
    for bet in bets:
        if chance.random() < (0.05 if bet in MAIN else 0.3):
            low = unit * chance.randint(0 if bet not in MAIN else 1, 8) if chance.random() < 0.6 else None
            floor = low if low is not None else least if bet in MAIN else 0
            high = floor + unit * chance.randint(0, 40) if chance.random() < 0.7 else None
            own[bet] = BetLimits(
                minimum_cents=None if low is None else Cents(min(low, differential) if bet in MAIN else low),
                maximum_cents=None if high is None else Cents(high),
            )
    return TableLimits(
        minimum_cents=Cents(least),
        maximum_differential_cents=Cents(differential),
        maximum_cents=None if maximum is None else Cents(maximum),
        bets=own,
        scope="box-and-table" if chance.random() < 0.35 else "box",
    )


def opening(chance: random.Random, rules: Rulebook) -> c.OpenTable:
    """A random way to open a table of an edition."""
    layout = rules.layouts[chance.choice(tuple(rules.layouts))]
    private = chance.random() < 0.4
    offered = not private or rules.insurance.not_offered != "private-tables" or chance.random() < 0.7
    return c.OpenTable(
        by="sue",
        table="T1",
        edition=rules.id if chance.random() < 0.8 else None,
        game=rules.source.game,
        on="2025-12-01",
        layout=layout.id,
        positions=chance.randint(*layout.positions),
        limits=limits(chance, layout.bets),
        decks=chance.choice(rules.procedure.decks),
        high_limit=chance.random() < 0.4,
        private=private,
        device="shuffler" if chance.random() < 0.15 else "shoe",
        facing="down" if chance.random() < 0.45 and rules.procedure.squeeze_by != "none" else "up",
        source="virtual" if chance.random() < 0.55 else "live",
        insurance=offered,
        asked_by=None if offered else "ann",
    )


class Driver:
    """Plays one table. `nonsense` is how often a random command is given before the plausible one."""

    def __init__(self, chance: random.Random, *, closely: bool = False, nonsense: float = 0.08) -> None:
        self.chance = chance
        rules = chance.choice(BOOKS)
        self.watched = Watched(rules, closely=closely)
        self.nonsense = nonsense
        self.cards: list[str] = []
        self.crowd = PATRONS[: chance.randint(1, len(PATRONS))]
        self.boxes: tuple[int, ...] = ()
        self.open()

    def open(self) -> None:
        send, chance = self.watched.send, self.chance
        if chance.random() < 0.05:
            send(c.OpenBetting(by="sue"))
        command = opening(chance, self.watched.rules)
        while isinstance(answer := send(command), Refusal):
            assert answer.code == "bad-limits", answer
            command = opening(chance, self.watched.rules)
        layout = self.watched.rules.layouts[command.layout]
        self.bets = layout.bets
        self.sides = tuple(bet for bet in layout.bets if bet not in MAIN)
        self.unit = command.limits.minimum_cents
        self.most = max(command.limits.maximum_differential_cents, command.limits.maximum_cents or 0, self.unit * 4)
        self.boxes = tuple(chance.sample(range(1, command.positions + 1), min(command.positions, 3)))
        for name, rank in STAFF.items():
            if name != "sue":
                send(c.StartDuty(name=name, rank=rank))
        for number, name in enumerate(self.crowd):
            send(c.Join(patron=name, chips_cents=Cents(self.most * chance.randint(0, 12))))
            if number < len(self.boxes) and (number == 0 or chance.random() < 0.8):
                send(c.Sit(patron=name, box=self.boxes[number]))

    def send(self, command: c.AnyCommand, rules: Rulebook | None = None) -> object:
        if self.chance.random() < self.nonsense:
            self.watched.send(self.anything())
        if isinstance(command, c.RoundCommand):
            command = self.named(command)
        return self.watched.send(command, rules)

    def named(self, command: c.RoundCommand) -> c.AnyCommand:
        """O90: every second command names its round; now and then it is first given with another round, and refused."""
        table = self.watched.table
        if table.version % 16 == 0:
            refused = self.watched.send(replace(command, round=table.rounds + 1))  # type: ignore[arg-type]  # the same kind
            assert isinstance(refused, Refusal), command
            assert refused.code == "another-round", command
        named = replace(command, round=table.rounds) if table.version % 2 and table.rounds else command
        return named  # type: ignore[return-value]  # every RoundCommand is of the union

    def play(self, rounds: int) -> None:
        """Play at least so many rounds, unless the cards run out in the middle of one."""
        steps = 0
        while self.watched.rounds < rounds and self.step():
            steps += 1
            assert steps < 1_000 + 200 * rounds, f"the table is stuck: {self.watched.answers[-3:]}"
        self.watched.replayed()

    def step(self) -> bool:
        """The next thing that a dealer would do, and what patrons do around it. False at a dead end."""
        chance, table = self.chance, self.watched.table
        match table.phase:
            case Phase.CLOSED:
                self.send(opening(chance, self.watched.rules))
                self.bets = self.watched.rules.layouts[self.watched.table.opened.layout].bets
                self.sides = tuple(bet for bet in self.bets if bet not in MAIN)
            case Phase.NO_SHOE:
                self.load()
            case Phase.COMMENCING:
                if chance.random() < 0.5:
                    self.send(c.PlaceCutCard(by="dan", after=chance.randint(1, 40)))
                self.burn()
            case Phase.READY | Phase.SETTLED:
                self.between()
            case Phase.BETTING:
                self.betting()
            case Phase.CUT_CARD | Phase.DEALING | Phase.OFFER:
                return self.dealing()
            case Phase.COMPLETE:
                if chance.random() < 0.02:
                    self.report()
                self.send(c.Settle(by="dan"))
            case _:
                return False
        return True

    def load(self) -> None:
        chance, settings = self.chance, self.watched.table.opened
        self.cards = list(_DECKS[settings.decks])
        chance.shuffle(self.cards)
        order = tuple(self.cards) if settings.source == "virtual" else None
        count = len(self.cards) if chance.random() < 0.95 else len(self.cards) - 1
        self.send(c.LoadShoe(by="dan", count=count, shuffled=chance.random() < 0.95, order=order))

    def burn(self) -> None:
        virtual = self.watched.table.opened.source == "virtual"
        face = self.cards[0] if not virtual else None
        self.send(c.Burn(by="dan", card=face))

    def face(self) -> str | None:
        """What the dealer enters for the next card of a live shoe."""
        shoe = self.watched.table.in_use
        return None if shoe.order is not None else self.left(self.cards[min(shoe.drawn, len(self.cards) - 1)])

    def left(self, face: str) -> str:
        """This card, or another that the shoe still holds if nonsense has used this one up."""
        shoe, decks = self.watched.table.in_use, self.watched.table.opened.decks
        if shoe.seen.get(face, 0) < decks:
            return face
        return next((other for other in _DECKS[1] if shoe.seen.get(other, 0) < decks), face)

    def between(self) -> None:
        chance, table, send = self.chance, self.watched.table, self.send
        shoe = table.in_use
        if shoe.last_round or shoe.left < 6 or (shoe.hands > 8 and chance.random() < 0.01):
            if chance.random() < 0.2:
                send(c.OpenBetting(by="dan"))
            if shoe.left >= 6 or chance.random() < 0.9:
                send(c.EndShoe(by="dan"))
            elif not shoe.last_round:
                send(c.OpenBetting(by="dan"))
            return
        happens = chance.random()
        poor = [
            patron
            for patron in table.patrons.values()
            if patron.balance_cents < 2 * self.unit and patron.present and patron.name in self.crowd
        ]
        if poor and chance.random() < 0.3:
            send(c.BuyChips(patron=poor[0].name, chips_cents=Cents(self.most * chance.randint(1, 9))))
        elif happens < 0.8 and not any(patron.box for patron in table.patrons.values()):
            name = self.here()
            if name in table.patrons and table.patrons[name].present:
                send(c.Sit(patron=name, box=chance.choice(self.boxes)))
            else:
                send(c.Join(patron=name))
        elif happens < 0.05:
            self.person()
        elif happens < 0.09:
            send(c.PlaceCutCard(by="dan", after=shoe.drawn + chance.choice((-1, 1, 4, 5, 6, 10, 30, 60))))
        elif happens < 0.10:
            send(c.DrawCutCard(by="dan"))
        elif happens < 0.11:
            send(c.SetInsurance(by=self.staff(), offered=chance.random() < 0.5, asked_by=chance.choice(("ann", ""))))
        elif happens < 0.113:
            send(c.CloseTable(by="dan"))
        elif happens < 0.116:
            least = Cents(self.unit * chance.choice((1, 1, 2)))
            send(c.SetLimits(by=self.staff(), limits=replace(table.limits, minimum_cents=least)))
        elif happens < 0.118 or closes_now(table):
            send(c.AnnounceClosing(by=self.staff(), rounds=chance.choice((None, None, 0, 2))))
        else:
            send(c.OpenBetting(by="dan"), self.edition())

    def edition(self) -> Rulebook:
        """E2: at a table that is not pinned another edition of the game may be in force for the next round."""
        rules, table = self.watched.rules, self.watched.table
        if table.opened.pinned or self.chance.random() < 0.9:
            return rules
        return self.chance.choice(
            [
                book
                for book in BOOKS
                if book.source.game == rules.source.game
                and table.opened.layout in book.layouts
                and book.layouts[table.opened.layout].bets == self.bets
            ]
        )

    def staff(self) -> str:
        return self.chance.choice(("dan", "sue", "max"))

    def person(self) -> None:
        """Somebody comes, goes, sits down, stands up, buys or cashes chips."""
        chance, send = self.chance, self.send
        name = chance.choice(self.crowd)
        patron = self.watched.table.patrons.get(name)
        if patron is None or not patron.present:
            send(c.Join(patron=name, chips_cents=Cents(self.most * chance.randint(0, 6))))
            return
        happens = chance.random()
        if happens < 0.35 and patron.box is None:
            send(c.Sit(patron=name, box=chance.choice(self.boxes)))
        elif happens < 0.45:
            send(c.StandUp(patron=name))
        elif happens < 0.6:
            send(c.Leave(patron=name))
        elif happens < 0.7:
            send(c.CashChips(patron=name, chips_cents=Cents(chance.randint(0, patron.balance_cents + 1))))
        elif happens < 0.72:
            send(c.EndDuty(name="max"))
        elif happens < 0.74:
            send(c.StartDuty(name="max", rank=Rank.PIT_MANAGER))
        else:
            send(c.BuyChips(patron=name, chips_cents=Cents(self.most * chance.randint(1, 6))))

    def stake(self) -> Cents:
        """A few times the minimum, close to it, a cent, or anything up to a quarter over the largest limit."""
        chance = self.chance
        kind = chance.random()
        if kind < 0.3:
            return Cents(self.unit * chance.randint(1, 6))
        if kind < 0.45:
            return Cents(max(1, self.unit + chance.randint(-2, 2)))
        if kind < 0.5:
            return Cents(1)
        return Cents(chance.randint(1, self.most + self.most // 4))

    def bet(self) -> str:
        chance = self.chance
        kind = chance.random()
        if kind < 0.65 or not self.sides:
            return chance.choice(MAIN)
        if kind < 0.98:
            return chance.choice(self.sides)
        return chance.choice([*(str(bet) for bet in Bet), "player_insurance", "jackpot"])

    def betting(self) -> None:
        chance, send = self.chance, self.send
        for _ in range(chance.choice((1, 2, 3, 4, 5, 6, 8))):
            wagers = list(self.watched.table.current.wagers.values())
            happens = chance.random()
            by = self.staff() if chance.random() < 0.1 else None
            if not wagers or happens < 0.62:
                name = self.here()
                box = self.taken() if chance.random() < 0.95 else chance.choice(self.boxes)
                send(c.PlaceWager(patron=name, box=box, bet=self.bet(), stake_cents=self.stake(), by=by))
                continue
            wager = chance.choice(wagers)
            if happens < 0.76:
                send(c.RaiseWager(patron=wager.patron, box=wager.box, bet=wager.bet, stake_cents=self.stake(), by=by))
            elif happens < 0.86:
                part = Cents(chance.randint(1, wager.stake_cents))
                send(c.LowerWager(patron=wager.patron, box=wager.box, bet=wager.bet, stake_cents=part, by=by))
            elif happens < 0.95:
                send(c.WithdrawWager(patron=wager.patron, box=wager.box, bet=wager.bet, by=by))
            else:
                self.person()
        if chance.random() < 0.98:
            send(c.CloseBetting(by="dan"))
            if chance.random() < 0.06:
                self.report()

    def here(self) -> str:
        """A patron who is at the table, most of the time."""
        patrons = self.watched.table.patrons
        names = [name for name in self.crowd if name in patrons and patrons[name].present]
        return self.chance.choice(names if names and self.chance.random() < 0.97 else self.crowd)

    def taken(self) -> int:
        """A box with a seat that is taken, if there is one."""
        seats = [patron.box for patron in self.watched.table.patrons.values() if patron.box is not None]
        return self.chance.choice(seats) if seats else self.boxes[0]

    def report(self) -> None:
        """Chips found after the close, often enough of them to pass a limit."""
        chance = self.chance
        for _ in range(chance.randint(1, 3)):
            stake = Cents(chance.randint(1, 3 * self.most)) if chance.random() < 0.7 else self.stake()
            name = self.here()
            self.send(c.ReportChips(by="dan", patron=name, box=self.taken(), bet=self.bet(), stake_cents=stake))

    def dealing(self) -> bool:
        """One card further. False when the shoe is empty in mid-round."""
        chance, send = self.chance, self.send
        table = self.watched.table
        if chance.random() < 0.02:
            self.report()
        if chance.random() < 0.01:
            self.person()
        if table.phase is Phase.CUT_CARD:
            willing = chance.choice((0.0, 0.5, 1.0))
            for wager in list(table.current.wagers.values()):
                if chance.random() < willing:
                    send(c.WithdrawWager(patron=wager.patron, box=wager.box, bet=wager.bet))
        elif table.opened.facing == "down":
            self.squeezing()
        if self.watched.table.phase is Phase.OFFER:
            self.insuring()
        table = self.watched.table
        if table.phase not in (Phase.CUT_CARD, Phase.DEALING, Phase.OFFER):
            return True
        if table.opened.source == "live" and chance.random() < (0.004 if table.current.cards else 0.015):
            send(c.DrawCutCard(by="dan"))
        hidden = [number for number, card in enumerate(table.current.cards) if not card.exposed]
        if hidden and (len(table.current.cards) >= 4 or chance.random() < 0.3) and chance.random() < 0.9:
            self.turn(hidden)
            return True
        if table.in_use.left <= 0:
            return not isinstance(send(c.DrawCard(by="dan", card=self.face())), Refusal)
        face = self.face()
        if table.opened.facing == "down" and chance.random() < 0.7:
            face = None
        send(c.DrawCard(by="dan", card=face))
        return True

    def turn(self, hidden: list[int]) -> None:
        """A card is turned by whoever was granted the squeeze, or by the dealer."""
        chance, table = self.chance, self.watched.table
        at = chance.choice(hidden)
        lying = table.current.cards[at]
        face = None
        if lying.face is None:
            face = self.left(self.cards[table.in_use.drawn - len(table.current.cards) + at])
        holder = dealing.squeezer(table, lying.place)
        by = holder if holder is not None and chance.random() < 0.8 else "dan"
        self.send(c.ExposeCard(by=by, place=lying.place, card=face))

    def squeezing(self) -> None:
        """Whoever has the highest wager asks, and the house grants, now and then."""
        chance, send, table = self.chance, self.send, self.watched.table
        current = table.current
        best = dealing.highest(self.watched.rules, table)
        name = best.patron if best is not None and chance.random() < 0.9 else chance.choice(self.crowd)
        happens = chance.random()
        if happens < 0.12:
            send(c.AskSqueeze(patron=name, places=tuple(chance.sample(PLACES, chance.randint(1, 3)))))
        elif happens < 0.20:
            drawn = len(current.cards)
            send(c.AskSqueeze(patron=name, places=tuple(PLACES[drawn:])))
        if len(current.cards) == 4 and current.all_open and chance.random() < 0.5:
            send(c.AskBankerFirst(patron=name, way=chance.choice(("squeeze", "squeeze", "expose", "expose", "peep"))))
            if chance.random() < 0.8:
                send(c.GrantBankerFirst(by=self.staff()))
        if current.squeeze is not None and not current.squeeze.granted and chance.random() < 0.7:
            send(c.GrantSqueeze(by="dan"))

    def insuring(self) -> None:
        chance, send = self.chance, self.send
        offer = self.watched.table.current.offer
        assert offer is not None, "an offer is open in this phase"
        for name in offer.patrons:
            happens = chance.random()
            mine = sum(
                wager.in_play_cents
                for wager in self.watched.table.current.wagers.values()
                if wager.patron == name and wager.bet.value == offer.bet.side.value
            )
            if happens < 0.45:
                stake = mine if chance.random() < 0.4 else chance.randint(1, max(1, mine // 2))
                send(c.TakeInsurance(patron=name, bet=offer.bet, stake_cents=Cents(stake)))
                if chance.random() < 0.2:
                    send(c.TakeInsurance(patron=name, bet=offer.bet, stake_cents=Cents(1), by="dan"))
            elif happens < 0.6:
                send(c.DeclineInsurance(patron=name))
                if chance.random() < 0.2:
                    send(c.TakeInsurance(patron=name, bet=offer.bet, stake_cents=Cents(1)))
            elif happens < 0.62:
                send(c.Leave(patron=name))

    def anything(self) -> c.AnyCommand:
        """A random command. Its arguments have the right types, but often make no sense."""
        return self.chance.choice(_NONSENSE)(self)

    def name(self) -> str:
        return self.chance.choice(("dan", "sue", "ann", "bob", "cyd", "zoe", ""))

    def box(self) -> int:
        return self.chance.choice((*self.boxes, 0, 1, 2, 99))

    def cents(self) -> Cents:
        return self.chance.choice((Cents(0), Cents(1), self.stake(), Cents(10**15 - 1), Cents(-5)))

    def card(self) -> str | None:
        return self.chance.choice((None, "AS", "10d", "tc", "1X", ""))

    def places(self) -> tuple[str, ...]:
        return self.chance.choice(((), ("P1",), ("P3", "B3"), ("P3", "P3"), ("X9",), PLACES))


def _wager(kind: Callable[..., c.AnyCommand]) -> Callable[[Driver], c.AnyCommand]:
    return lambda d: kind(patron=d.name(), box=d.box(), bet=d.bet(), stake_cents=d.cents(), by=d.name() or None)


_NONSENSE: Final[tuple[Callable[[Driver], c.AnyCommand], ...]] = (
    lambda d: opening(d.chance, d.chance.choice(BOOKS)),
    lambda d: c.StartDuty(name=d.name(), rank=Rank.DEALER) if d.chance.random() < 0.2 else c.EndDuty(name="zoe"),
    lambda d: c.Join(patron=d.name(), chips_cents=d.cents()),
    lambda d: c.BuyChips(patron=d.name(), chips_cents=d.cents()),
    lambda d: c.CashChips(patron=d.name(), chips_cents=d.cents()),
    lambda d: c.Sit(patron=d.name(), box=d.box()),
    lambda d: c.StandUp(patron=d.name()),
    lambda d: c.SetInsurance(by=d.name(), offered=False, asked_by="ann"),
    lambda d: c.LoadShoe(by=d.name(), count=416, shuffled=True),
    lambda d: c.LoadShoe(by="dan", count=416, shuffled=True, order=("AS",) * 416),
    lambda d: c.PlaceCutCard(by=d.name(), after=d.box()),
    lambda d: c.Burn(by=d.name(), card=d.card()),
    lambda d: c.OpenBetting(by=d.name()),
    _wager(c.PlaceWager),
    _wager(c.RaiseWager),
    _wager(c.LowerWager),
    lambda d: c.WithdrawWager(patron=d.name(), box=d.box(), bet=d.bet(), by=None),
    lambda d: c.ReportChips(by=d.name(), patron=d.name(), box=d.box(), bet=d.bet(), stake_cents=d.cents()),
    lambda d: c.AskSqueeze(patron=d.name(), places=d.places()),
    lambda d: c.GrantSqueeze(by=d.name()),
    lambda d: c.AskBankerFirst(patron=d.name(), way="squeeze"),
    lambda d: c.GrantBankerFirst(by=d.name()),
    lambda d: c.DrawCard(by=d.name(), card=d.card()) if d.chance.random() < 0.1 else c.DrawCard(by="zoe"),
    lambda d: c.ExposeCard(by=d.name(), place=d.chance.choice((*PLACES, "X")), card=d.card()),
    lambda d: c.TakeInsurance(patron=d.name(), bet=d.chance.choice((*Insurance, "tie")), stake_cents=d.cents()),
    lambda d: c.DeclineInsurance(patron=d.name()),
    lambda d: c.Settle(by=d.name()),
    lambda d: c.EndShoe(by="zoe"),
    lambda d: c.CloseTable(by="zoe"),
    lambda d: c.CloseBetting(by="zoe"),
)
