"""Random tables at which things go wrong: rounds of every edition, and an irregularity in any phase of them.

All chance comes from one seeded `random.Random`, so a seed gives the same table again. Most reports are plausible, the
rest are nonsense; whoever decides may or may not have the rank.
"""

from __future__ import annotations

import random
from typing import Final

from punto.game import commands as c
from punto.game import dealing
from punto.game.refusals import Refusal
from punto.game.table import Phase, TableLimits
from punto.money import Cents
from punto.rulebook.model import Bet, Insurance, Rulebook
from tests.irregularities import trouble
from tests.irregularities.laws import BOOKS, Ruled
from tests.irregularities.trouble import FACES, PATRONS, STAFF

MOST_TRIES: Final = 12


class Table:
    """Plays one table. `often` is how often something goes wrong at a step."""

    def __init__(self, chance: random.Random, rules: Rulebook, *, often: float, closely: bool = False) -> None:
        self.chance, self.often = chance, often
        self.ruled = Ruled(rules, closely=closely)
        self.send = self.ruled.send
        live = not rules.source.game.startswith("tiger")
        layout = chance.choice(tuple(rules.layouts.values()))
        self.bets = layout.bets
        self.send(
            c.OpenTable(
                by="sue",
                table="T1",
                edition=rules.id,
                layout=layout.id,
                positions=layout.positions[1],
                limits=TableLimits(minimum_cents=Cents(100), maximum_differential_cents=Cents(100_000)),
                decks=rules.procedure.decks_default if live else chance.choice((4, 8)),
                high_limit=chance.random() < 0.5,
                private=chance.random() < 0.3,
                device="shuffler" if chance.random() < 0.1 else "shoe",
                facing="down" if not live and chance.random() < 0.5 else "up",
                source="virtual" if chance.random() < 0.4 else "live",
            ),
            rules,
        )
        for name, rank in STAFF.items():
            if name != "sue":
                self.send(c.StartDuty(name=name, rank=rank))
        for box, name in enumerate(PATRONS, 1):
            self.send(c.Join(patron=name, chips_cents=Cents(chance.choice((500, 20_000, 1_000_000)))))
            self.send(c.Sit(patron=name, box=box))

    @property
    def phase(self) -> Phase:
        return self.ruled.table.phase

    def play(self, rounds: int) -> None:
        for _ in range(rounds * 60):
            if self.ruled.table.rounds >= rounds:
                break
            if self.phase in (Phase.IRREGULARITY, Phase.OPTIONS):
                self.put_right()
            elif self.chance.random() < self.often:
                self.send(trouble.report(self))
            else:
                self.step()
        self.ruled.replayed()

    def step(self) -> None:
        chance, send, table = self.chance, self.send, self.ruled.table
        match table.phase:
            case Phase.NO_SHOE:
                self._load()
            case Phase.COMMENCING:
                send(c.Burn(by="dan", card=self.face()))
            case Phase.READY | Phase.SETTLED:
                self._between()
            case Phase.BETTING:
                self._bet_all()
                send(c.CloseBetting(by="dan"))
            case Phase.COMPLETE:
                send(c.Settle(by="dan"))
            case _:
                self._deal()
        if chance.random() < 0.03:
            self.person()
        if chance.random() < 0.03:
            self.report_chips()

    def report_chips(self) -> None:
        """Report chips in a patron's own box that nobody had entered."""
        name, bet = self.chance.choice(PATRONS), self.chance.choice((Bet.PLAYER, Bet.BANKER, *self.bets[:3]))
        box, stake = PATRONS.index(name) + 1, Cents(self.chance.randint(100, 3_000))
        self.send(c.ReportChips(by="dan", patron=name, box=box, bet=bet, stake_cents=stake))

    def person(self) -> None:
        name = self.chance.choice(PATRONS)
        patron = self.ruled.table.patrons[name]
        if not patron.present:
            self.send(c.Join(patron=name, chips_cents=Cents(5_000)))
            self.send(c.Sit(patron=name, box=PATRONS.index(name) + 1))
        elif self.chance.random() < 0.7:
            self.send(c.CashChips(patron=name, chips_cents=Cents(patron.balance_cents)))
        else:
            self.send(c.Leave(patron=name))

    def _bet_all(self) -> None:
        chance, table = self.chance, self.ruled.table
        for name in chance.sample(PATRONS, chance.randint(1, 3)):
            patron = table.patrons[name]
            if patron.present and patron.balance_cents < 1_000:
                self.send(c.BuyChips(patron=name, chips_cents=Cents(chance.choice((1_000, 50_000)))))
            for _ in range(chance.randint(1, 3)):
                bet = chance.choice((Bet.PLAYER, Bet.PLAYER, Bet.BANKER, chance.choice(self.bets)))
                most = max(100, min(30_000, self.ruled.table.patrons[name].balance_cents))
                stake, box = Cents(chance.randint(100, most)), PATRONS.index(name) + 1
                self.send(c.PlaceWager(patron=name, box=box, bet=bet, stake_cents=stake))

    def _load(self) -> None:
        decks = self.ruled.table.opened.decks
        cards = list(FACES * decks)
        order = None
        if self.ruled.table.opened.source == "virtual":
            self.chance.shuffle(cards)
            order = tuple(cards)
        self.send(c.LoadShoe(by="dan", count=len(cards), shuffled=True, order=order))
        if self.chance.random() < 0.5:
            self.send(c.PlaceCutCard(by="dan", after=self.chance.randint(10, 60)))

    def _between(self) -> None:
        shoe = self.ruled.table.in_use
        if shoe.last_round or shoe.replace_due or shoe.left < 12 or self.chance.random() < 0.02:
            self.send(c.EndShoe(by="dan"))
        elif self.chance.random() < 0.02 and self.ruled.table.opened.private:
            self.send(c.SetInsurance(by="sue", offered=self.chance.random() < 0.5, asked_by="ann"))
        else:
            rules = self.ruled.opened_under
            others = [book for book in BOOKS.values() if book.source.game == rules.source.game]
            fits = [book for book in others if set(self.bets) <= set(_bets(book, self.ruled.table.opened.layout))]
            self.send(c.OpenBetting(by="dan"), self.chance.choice(fits) if self.chance.random() < 0.2 else rules)

    def face(self) -> str | None:
        """A card that the shoe can still hold; None where the next card is already on record."""
        shoe = self.ruled.table.in_use
        if shoe.order is not None or (shoe.carried and shoe.carried[0].face is not None):
            return None
        return self.unseen()

    def unseen(self) -> str:
        table = self.ruled.table
        seen = table.shoe.seen if table.shoe is not None else {}
        return self.chance.choice([face for face in FACES if seen.get(face, 0) < table.opened.decks])

    def _deal(self) -> None:
        chance, send, table = self.chance, self.send, self.ruled.table
        current = table.current
        if table.phase is Phase.OFFER:
            self._insure()
        if table.phase is Phase.CUT_CARD and chance.random() < 0.3 and current.wagers:
            laid = chance.choice(list(current.wagers.values()))
            send(c.WithdrawWager(patron=laid.patron, box=laid.box, bet=laid.bet))
            return
        if table.opened.facing == "down":
            self._squeeze()
        hidden = [card for card in current.cards if not card.exposed]
        if hidden and (len(current.cards) >= 4 or chance.random() < 0.3):
            chosen = chance.choice(hidden)
            by = dealing.squeezer(self.ruled.table, chosen.place) or "dan"
            send(c.ExposeCard(by=by, place=chosen.place, card=None if chosen.face is not None else self.unseen()))
        elif table.in_use.left <= 0 and not table.in_use.carried:
            send(c.ReportIrregularity(by="dan", kind="void", cause="too-few-cards"))
        elif table.opened.source == "live" and chance.random() < 0.01:
            send(c.DrawCutCard(by="dan"))
        else:
            send(c.DrawCard(by="dan", card=self.face()))

    def _squeeze(self) -> None:
        best = dealing.highest(self.ruled.governing(c.Settle(by="dan")), self.ruled.table)
        drawn = {card.place for card in self.ruled.table.current.cards}
        if best is None or self.chance.random() > 0.2:
            return
        places = tuple(place for place in dealing.PLACES if place not in drawn)
        self.send(c.AskSqueeze(patron=best.patron, places=places))
        self.send(c.GrantSqueeze(by="dan"))
        self.send(c.AskBankerFirst(patron=best.patron, way="squeeze"))
        self.send(c.GrantBankerFirst(by="sue"))

    def _insure(self) -> None:
        for offer in (self.ruled.table.current.offer, self.ruled.table.current.late_offer):
            for name in offer.patrons if offer is not None else ():
                happens = self.chance.random()
                if offer is not None and happens < 0.5:
                    other = next(bet for bet in Insurance if bet is not offer.bet)
                    self.send(
                        c.TakeInsurance(
                            patron=name,
                            bet=offer.bet,
                            after=offer.after,
                            stake_cents=Cents(self.chance.randint(1, 400)),
                            area=other if self.chance.random() < 0.5 else None,
                            by="sue",
                        )
                    )
                elif happens < 0.6:
                    self.send(c.DeclineInsurance(patron=name))

    def put_right(self) -> None:
        """Somebody decides, patrons choose, play resumes, until the irregularity is closed. It can always be closed."""
        for tried in range(MOST_TRIES):
            if self.phase is Phase.IRREGULARITY:
                self.send(trouble.ruling(self, tried, MOST_TRIES))
            elif self.phase is Phase.OPTIONS:
                for name in PATRONS:
                    if self.chance.random() < 0.6:
                        option = self.chance.choice(("continue", "returned", "returned", "double"))
                        self.send(c.ChooseOption(patron=name, option=option))
                if self.chance.random() < 0.2:
                    self.person()
                self.send(c.ResumePlay(by="dan"))
            else:
                return
            assert isinstance(self.send(c.DrawCard(by="dan")), Refusal) or self.phase not in (
                Phase.IRREGULARITY,
                Phase.OPTIONS,
            )
        raise AssertionError(f"nobody can put right {self.ruled.table.irregularity}")


def _bets(book: Rulebook, layout: str) -> tuple[Bet, ...]:
    return book.layouts[layout].bets if layout in book.layouts else ()
