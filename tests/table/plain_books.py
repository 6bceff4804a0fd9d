"""A table's books kept a second time, the plain way: one dict, and what each event does to it.

Everything that a table holds is in them, also what nobody is shown: counts of cards, who has forgone what, the wagers
at the close. What a remedy makes of the cards and offers of a round is not worked out here: `_take_over` copies it from
the table.
"""

from __future__ import annotations

import copy
from typing import Any, Final, assert_never

import msgspec

from punto.game import events as e
from punto.game.table import Entry, SettledLine, Table

Plain = dict[str, Any]

MOST_PATRONS: Final = 256

AFTER_A_REMEDY: Final = ("cards", "offer", "offers", "late_offer", "declined", "forgone", "insurance")
SHOE_AFTER_A_REMEDY: Final = ("drawn", "seen", "carried")
_REMEDIES: Final = (e.CardsReconstructed, e.CardDetermined, e.RoundReopened, e.InsuranceReturned)
_PAST: Final = (e.PastRoundCorrected, e.OriginalReturned, e.InsuranceRepositioned)


def built(value: Any) -> Any:
    """A record as dicts, lists and sets; amounts are whole cents; words and odds are texts."""
    if isinstance(value, msgspec.Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        return {name: built(inner) for name, inner in fields.items() if inner is not msgspec.UNSET}
    if isinstance(value, dict):
        return {built(key): built(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [built(inner) for inner in value]
    if value is None or isinstance(value, bool | frozenset):
        return value
    return int(value) if isinstance(value, int) else str(value)


def plain(table: Table) -> Plain:
    """A table as a dict; what it works out itself (`left`, `coup`) is no part of it."""
    record: Plain = built(table)
    return record


class Books:
    """The state that the events so far add up to."""

    def __init__(self, table: Table) -> None:
        self.now = plain(table)

    def add(self, event: e.AnyEvent, after: Table) -> None:
        """From `after` come only the phase, the patrons that the table forgot, and what remedies changed."""
        now = self.now
        now["version"] += 1
        now["phase"] = str(after.phase)
        if isinstance(event, e.PeopleEvent):
            self._people(event)
            for name in now["patrons"].keys() - after.patrons.keys():
                self._forget(name)
        elif isinstance(event, e.BettingEvent):
            self._betting(event)
        elif isinstance(event, e.CardEvent):
            self._card(event)
        elif isinstance(event, e.RoundEvent):
            self._round(event)
        else:
            self._irregular(event)
            self._take_over(event, plain(after))

    def _take_over(self, event: e.IrregularEvent, after: Plain) -> None:
        if isinstance(event, _REMEDIES) and self.now["round"] is not None:
            for name in AFTER_A_REMEDY:
                self.now["round"][name] = after["round"][name]
        if isinstance(event, _REMEDIES) and self.now["shoe"] is not None:
            for name in SHOE_AFTER_A_REMEDY:
                self.now["shoe"][name] = after["shoe"][name]
        if isinstance(event, _PAST):
            for name in ("round", "past"):
                self.now[name] = after[name]

    def _forget(self, name: str) -> None:
        """O82: a full table forgets a patron who is away and has nothing there."""
        gone = self.now["patrons"].pop(name)
        assert gone == {"name": name, "balance_cents": 0, "box": None, "present": False}, gone
        assert len(self.now["patrons"]) == MOST_PATRONS

    # Chips

    def _pay(self, patron: str, cents: int) -> None:
        """A patron whom the table had forgotten (O82) is on record again, absent."""
        absent = {"name": patron, "balance_cents": 0, "box": None, "present": False}
        self.now["patrons"].setdefault(patron, absent)["balance_cents"] += cents

    def _hand_back(self, lines: tuple[SettledLine, ...]) -> None:
        for line in lines:
            self._pay(line.patron, line.handed_back_cents)
            self.now["house_cents"] += line.stake_cents - line.handed_back_cents

    def _enter(self, entries: tuple[Entry, ...]) -> None:
        owed = self.now["owed_cents"]
        for entry in entries:
            self._pay(entry.patron, entry.paid_cents - entry.taken_cents)
            self.now["house_cents"] -= entry.paid_cents - entry.taken_cents
            owed[entry.patron] = owed.get(entry.patron, 0) + entry.owed_cents - entry.cleared_cents
        self.now["owed_cents"] = {name: cents for name, cents in owed.items() if cents}

    def _add_stake(self, wager: str, cents: int) -> None:
        wagers = self.now["round"]["wagers"]
        laid = wagers[wager]
        laid["stake_cents"] += cents
        laid["in_play_cents"] = laid["stake_cents"]
        if not laid["stake_cents"]:
            del wagers[wager]
        self._pay(laid["patron"], -cents)

    def _rise(self) -> None:
        """Whoever walked away has no seat once the round is over."""
        for patron in self.now["patrons"].values():
            if not patron["present"]:
                patron["box"] = None

    # Events

    def _people(self, event: e.PeopleEvent) -> None:
        now = self.now
        match event:
            case e.TableOpened():
                now["settings"] = built(event.settings)
                now["staff"][event.by] = str(event.rank)
                now |= {"insurance_offered": True, "next_limits": None, "closes_after": None}
            case e.TableClosed():
                self._file()
                now |= {"shoe": None, "round": None}
                for patron in now["patrons"].values():
                    patron["box"] = None
            case e.DutyStarted():
                now["staff"][event.name] = str(event.rank)
            case e.DutyEnded():
                del now["staff"][event.name]
            case e.PatronJoined():
                new = {"name": event.patron, "balance_cents": 0, "box": None}
                now["patrons"].setdefault(event.patron, new)["present"] = True
            case e.ChipsBought():
                self._pay(event.patron, event.chips_cents)
                now["issued_cents"] += event.chips_cents
            case e.ChipsCashed():
                self._pay(event.patron, -event.chips_cents)
                now["issued_cents"] -= event.chips_cents
            case e.SeatTaken():
                now["patrons"][event.patron]["box"] = event.box
            case e.SeatLeft():
                now["patrons"][event.patron]["box"] = None
            case e.PatronLeft():
                now["patrons"][event.patron]["present"] = False
                if event.forgone:
                    now["round"]["forgone"] |= {event.patron}
                    now["round"]["walked"].setdefault(event.patron, len(now["round"]["cards"]))
            case e.InsuranceNotice():
                now["insurance_offered"] = event.offered
            case e.LimitsSet():
                now["next_limits"] = built(event.limits)
            case e.ClosingAnnounced():
                now["closes_after"] = event.last_round
            case _:
                assert_never(event)

    def _file(self) -> None:
        """The round on the table becomes a past one."""
        if self.now["round"] is not None:
            self.now["past"][self.now["round"]["number"]] = self.now["round"]

    def _betting(self, event: e.BettingEvent) -> None:
        now = self.now
        match event:
            case e.BettingOpened():
                self._file()
                self._open(event)
            case e.WagerPlaced() | e.ChipsReported():
                self._put_down(event)
            case e.WagerRaised():
                self._add_stake(event.wager, event.stake_cents)
            case e.WagerLowered() | e.WagerCut() | e.WagerWithdrawn() | e.WagerReturned():
                self._add_stake(event.wager, -event.stake_cents)
                now["round"]["lay"].pop(event.wager, None)
            case e.ExcessRejected():
                pass
            case e.MinimumNoticed():
                now["round"]["wagers"][event.wager]["noticed"] = True
            case e.BettingClosed():
                now["round"]["lay"] = copy.deepcopy(now["round"]["wagers"])
            case e.ProRated():
                now["round"]["reported"] = True
                lying = {**now["round"]["wagers"], **{taken["id"]: taken for taken in now["round"]["insurance"]}}
                for name, cents in event.in_play.items():
                    lying[name]["in_play_cents"] = int(cents)
            case _:
                assert_never(event)

    def _open(self, event: e.BettingOpened) -> None:
        now, shoe = self.now, self.now["shoe"]
        if now["next_limits"] is not None:
            now["settings"]["limits"], now["next_limits"] = now["next_limits"], None
        if now["settings"]["device"] == "shuffler" and shoe["order"] is None:
            faces = [card["face"] for card in shoe["carried"] if card["face"] is not None]
            shoe["drawn"], shoe["seen"] = len(shoe["carried"]), {face: faces.count(face) for face in faces}
        by_depth = "late" in now["settings"]["limits"] and now["settings"]["device"] == "shoe"
        shoe["hands"] = event.hand
        now["rounds"] = event.round
        now["round"] = {
            "number": event.round,
            "hand": event.hand,
            "edition": event.edition,
            "shoe": shoe["number"],
            "wagers": {},
            "lay": {},
            "cards": [],
            "offers": [],
            "insurance": [],
            "lines": [],
            "forgone": frozenset(),
            "declined": {},
            "walked": {},
            "spared": {},
            "owed_cents": {},
            **dict.fromkeys(("offer", "late_offer", "squeeze", "banker_first", "winner")),
            **dict.fromkeys(("reported", "ended", "void", "cut_first"), False),
            "insurance_offered": now["insurance_offered"],
            "left": shoe["cards"] - shoe["drawn"] if by_depth else None,
        }

    def _put_down(self, event: e.WagerPlaced | e.ChipsReported) -> None:
        now, current = self.now, self.now["round"]
        now["placed"] += 1
        reported = isinstance(event, e.ChipsReported)
        new = {"id": event.wager, "patron": event.patron, "box": event.box, "bet": str(event.bet), "found": reported}
        new |= {"stake_cents": 0, "in_play_cents": 0, "order": now["placed"], "seated": event.seated, "noticed": False}
        laid = current["wagers"].setdefault(event.wager, new)
        laid["stake_cents"] += event.stake_cents
        laid["in_play_cents"] += event.stake_cents
        self._pay(event.patron, -event.stake_cents)
        if isinstance(event, e.ChipsReported):
            current["lay"][event.wager] = dict(laid)
            current["forgone"] |= {event.patron} if event.forgone else set()

    def _card(self, event: e.CardEvent) -> None:
        now, shoe = self.now, self.now["shoe"]
        match event:
            case e.ShoeLoaded():
                secret = {
                    "order": event.order and list(event.order),
                    "salt": event.salt,
                    "commitment": event.commitment,
                }
                now["shoe"] = {
                    "number": event.shoe,
                    "cards": event.cards,
                    "drawn": 0,
                    "hands": 0,
                    **secret,
                    "cut_at": None,
                    "cut_drawn": False,
                    "last_round": False,
                    "seen": {},
                    "results": {},
                    "carried": [],
                    "replace_due": False,
                    "replace_cite": None,
                }
                now["shoes"] = event.shoe
            case e.CutCardPlaced():
                shoe["cut_at"] = event.after
            case e.CardsBurnt():
                shoe["drawn"] += 1 + event.skipped
                self._seen(event.card)
            case e.CutCardDrawn():
                shoe |= {"cut_drawn": True, "last_round": True}
                if event.withdrawal:
                    now["round"]["cut_first"] = True
            case e.ShoeEnded():
                now["shoe"] = None
            case e.CardDrawn():
                known = shoe["carried"].pop(0)["face"] if event.carried else None
                shoe["drawn"] += not event.carried
                if event.card is not None and known is None:
                    self._seen(event.card)
                card = {"place": event.place, "face": event.card, "exposed": event.exposed}
                now["round"]["cards"].append(card)
            case e.CardExposed():
                (card,) = (card for card in now["round"]["cards"] if card["place"] == event.place)
                if card["face"] is None:
                    self._seen(event.card)
                card |= {"face": event.card, "exposed": True}
            case e.CoupCompleted():
                pass
            case _:
                assert_never(event)

    def _seen(self, face: str) -> None:
        seen = self.now["shoe"]["seen"]
        seen[face] = seen.get(face, 0) + 1

    def _round(self, event: e.RoundEvent) -> None:
        now, current = self.now, self.now["round"]
        match event:
            case e.SqueezeAsked():
                current["squeeze"] = {"patron": event.patron, "places": list(event.places), "granted": False}
            case e.SqueezeGranted():
                current["squeeze"]["granted"] = True
            case e.BankerFirstAsked():
                current["banker_first"] = {"patron": event.patron, "way": event.way, "granted": False}
            case e.BankerFirstGranted():
                current["banker_first"]["granted"] = True
            case e.InsuranceOffered():
                self._offer(event)
            case e.InsuranceTaken():
                self._insure(event)
            case e.InsuranceDeclined():
                for offer in (current["offer"], current["late_offer"]):
                    if offer is not None and event.patron in offer["patrons"]:
                        offer["patrons"].remove(event.patron)
                        said = current["declined"].setdefault(event.patron, [])
                        said += [offer["after"]] if offer["after"] not in said else []
            case e.InsuranceClosed():
                current |= {"offer": None, "late_offer": None}
                current["forgone"] |= set(event.forgone)
            case e.RoundSettled():
                self._hand_back(event.lines)
                current |= {"winner": event.winner, "ended": True}
                current["lines"] += built(event.lines)
                if now["shoe"] is not None and now["shoe"]["number"] == current["shoe"]:
                    now["shoe"]["results"][current["number"]] = event.winner[0].upper()
                self._rise()
            case e.RoundConcluded():
                self._without_result()
            case _:
                assert_never(event)

    def _offer(self, event: e.InsuranceOffered) -> None:
        now, current = self.now, self.now["round"]
        row: Plain = {
            "after": str(event.after),
            "bet": str(event.bet),
            "odds": str(event.odds),
            "paragraph": event.paragraph,
        }
        row |= {"player_points": event.player_points, "banker_points": event.banker_points}
        row |= {"tie_paragraph": event.tie_paragraph, "patrons": list(event.maximum), "late": event.late}
        others = [past for past in current["offers"] if (past["after"], past["late"]) != (row["after"], row["late"])]
        current["offers"] = [*others, copy.deepcopy(row)]
        current["late_offer" if event.late else "offer"] = row
        if event.late:
            current["forgone"] -= set(event.maximum)
            now["irregularity"] = None

    def _insure(self, event: e.InsuranceTaken) -> None:
        now, current = self.now, self.now["round"]
        now["placed"] += 1
        row = next(offer for offer in current["offers"] if offer["after"] == str(event.after))
        of_row = ("odds", "player_points", "banker_points", "paragraph", "tie_paragraph")
        current["insurance"].append(
            {
                "id": event.insurance,
                "patron": event.patron,
                "bet": str(event.bet),
                "after": str(event.after),
                "stake_cents": event.stake_cents,
                "in_play_cents": event.stake_cents,
                **{name: row[name] for name in of_row},
                "area": str(event.area or event.bet),
            }
        )
        self._pay(event.patron, -event.stake_cents)

    def _without_result(self) -> None:
        current = self.now["round"]
        current |= {"ended": True, "winner": None, "offer": None, "late_offer": None}
        if self.now["shoe"] is not None:
            self.now["shoe"]["results"].pop(current["number"], None)
        self.now["irregularity"] = None
        self._rise()

    def _new_lines(self, lines: tuple[SettledLine, ...]) -> None:
        """The new lines replace those of the same wagers."""
        names = {line.wager for line in lines}
        kept = [line for line in self.now["round"]["lines"] if line["wager"] not in names]
        self.now["round"]["lines"] = kept + built(lines)

    def _irregular(self, event: e.IrregularEvent) -> None:
        now, current = self.now, self.now["round"]
        match event:
            case e.IrregularityReported():
                now["irregularity"] = built(event.irregularity)
                for card in event.irregularity.cards:
                    now["shoe"]["drawn"] += 1
                    if card.face is not None:
                        self._seen(card.face)
            case e.IrregularityDecided() | e.DisplayCorrected():
                pass
            case e.ReportWithdrawn():
                self._never_drawn()
            case e.OptionsOpened():
                now["irregularity"] |= {
                    "reconstructed": event.reconstructed,
                    "choices": dict.fromkeys(event.patrons, ""),
                }
            case e.OptionChosen():
                now["irregularity"]["choices"][event.patron] = event.option
                if event.option == "returned":
                    self._take_back(event)
            case e.SqueezePassed():
                playing = {laid["patron"] for laid in current["wagers"].values()}
                for wish in (current["squeeze"], current["banker_first"]):
                    if wish is not None and wish["granted"] and wish["patron"] not in playing:
                        wish["patron"] = event.patron
            case e.PlayResumed():
                now["irregularity"] = None
            case e.CardsReconstructed() | e.CardDetermined():
                pass
            case e.CardsDiscarded():
                now["shoe"] |= {"drawn": now["shoe"]["drawn"] + event.count} if event.from_shoe else {"carried": []}
            case e.ReplacementOrdered():
                now["shoe"] |= {"replace_due": True, "replace_cite": event.paragraph}
            case e.RoundReopened():
                self._reopen(event)
            case _:
                self._money(event)

    def _never_drawn(self) -> None:
        shoe = self.now["shoe"]
        for card in self.now["irregularity"]["cards"]:
            shoe["drawn"] -= 1
            if card["face"] is not None:
                shoe["seen"][card["face"]] -= 1
        if shoe is not None:
            shoe["seen"] = {face: count for face, count in shoe["seen"].items() if count}

    def _take_back(self, event: e.OptionChosen) -> None:
        current = self.now["round"]
        self._enter(event.entries)
        if not current["ended"]:
            self._hand_back(event.lines)
        self._new_lines(event.lines)
        current["wagers"] = {name: laid for name, laid in current["wagers"].items() if laid["patron"] != event.patron}
        current["insurance"] = [taken for taken in current["insurance"] if taken["patron"] != event.patron]

    def _reopen(self, event: e.RoundReopened) -> None:
        current, shoe = self.now["round"], self.now["shoe"]
        self._enter(event.entries)
        lying = {**current["wagers"], **{taken["id"]: taken for taken in current["insurance"]}}
        self.now["house_cents"] -= sum(wager["stake_cents"] for wager in lying.values())
        current |= {"winner": None, "ended": False}
        current["lines"] = [line for line in current["lines"] if line["wager"] not in lying]
        for entry in event.entries:
            owed = current["owed_cents"].get(entry.patron, 0) + entry.owed_cents
            current["owed_cents"] |= {entry.patron: owed} if owed else {}
        if shoe is not None and shoe["number"] == current["shoe"]:
            shoe["results"].pop(current["number"], None)
        if self.now["irregularity"] is not None:
            self.now["irregularity"]["phase"] = "dealing"

    def _money(
        self,
        event: e.RoundVoided
        | e.InsuranceReturned
        | e.OwedCollected
        | e.PastRoundCorrected
        | e.OriginalReturned
        | e.InsuranceRepositioned
        | e.RulingPaid,
    ) -> None:
        now, current = self.now, self.now["round"]
        match event:
            case e.RoundVoided():
                self._enter(event.entries)
                if not current["ended"]:
                    self._hand_back(event.lines)
                self._new_lines(event.lines)
                current["void"] = True
                self._without_result()
            case e.InsuranceReturned():
                self._hand_back(event.lines)
                current["lines"] += built(event.lines)
            case e.OwedCollected():
                self._enter(event.entries)
                for entry in event.entries:
                    current["owed_cents"][entry.patron] -= entry.cleared_cents
                current["owed_cents"] = {name: cents for name, cents in current["owed_cents"].items() if cents}
            case e.PastRoundCorrected():
                self._enter(event.entries)
                results = now["shoe"]["results"] if now["shoe"] is not None else {}
                if event.round in results and event.winner is None:
                    del results[event.round]
                elif event.round in results and event.winner is not None:
                    results[event.round] = event.winner[0].upper()
            case e.OriginalReturned() | e.InsuranceRepositioned() | e.RulingPaid():
                self._enter(event.entries)
            case _:
                assert_never(event)
