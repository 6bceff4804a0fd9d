"""Faults for the tables of a model: each must be found. A fault changes the input, as a slip of a hand would change the
tables themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec.structs import replace

from models.inputs import Course, KindRow, Ruled, TableInput

Change = Callable[[TableInput], TableInput]
ROUND: Final = ("betting", "cut-card", "dealing", "offer", "complete")


class Fault(msgspec.Struct, frozen=True):
    """`finds`: the properties that may be the first to break. `facing`: the kind of table at which it shows."""

    name: str
    change: Change
    finds: tuple[str, ...]
    facing: str = "up"

    @property
    def reports(self) -> int:
        """How many reports it takes to show: fewer are gone through sooner."""
        return int(
            not set(self.finds)
            <= {"CanEnd", "Recovered", "Conserved", "SettledWhole", "CardsWait", "NoLateWager", "CardsFall"}
        )


def _heard(phase: str, command: str, *leads: str) -> Change:
    """The command is heard in the phase and leads there; no leads: it is not heard."""

    def change(given: TableInput) -> TableInput:
        row = {name: to for name, to in given.heard[phase].items() if name != command}
        if leads:
            row[command] = leads
        return replace(given, heard={**given.heard, phase: row})

    return change


def _leads_without(phase: str, command: str, lead: str) -> Change:
    def change(given: TableInput) -> TableInput:
        left = tuple(one for one in given.heard[phase][command] if one != lead)
        return _heard(phase, command, *left)(given)

    return change


def _kind(name: str, alter: Callable[[KindRow], KindRow]) -> Change:
    return lambda given: replace(given, kinds={**given.kinds, name: alter(given.kinds[name])})


def _without_phase(phase: str) -> Callable[[KindRow], KindRow]:
    return lambda row: replace(row, phases=tuple(one for one in row.phases if one != phase))


def _rulings(alter: Callable[[Ruled], Ruled | None]) -> Callable[[KindRow], KindRow]:
    return lambda row: replace(row, rulings=tuple(new for one in row.rulings if (new := alter(one)) is not None))


def _chips(name: str, **units: int) -> Change:
    return lambda given: replace(given, chips={**given.chips, name: replace(given.chips[name], **units)})


def _sees(audience: str, *phases: str) -> Change:
    return lambda given: replace(given, sees={**given.sees, audience: phases})


def _led(lead: str, stood: str, *phases: str) -> Change:
    return lambda given: replace(given, led={**given.led, lead: {**given.led[lead], stood: phases}})


def _duty(*gone: str) -> Change:
    return lambda given: replace(given, duty=tuple(one for one in given.duty if one not in gone))


def _above_all(given: TableInput) -> TableInput:
    """Reserved to somebody who is never at a table."""
    ruled = _rulings(lambda one: replace(one, rank="owner"))
    return _kind("discretion", ruled)(replace(given, ranks=(*given.ranks, "owner")))


def _squeeze_over(given: TableInput) -> TableInput:
    return replace(given, ranks=(*given.ranks, "owner"), squeeze_over="owner")


def _offer_without_card(given: TableInput) -> TableInput:
    return replace(given, courses={**given.courses, Course("none", "player"): ()})


def _player_third_ends(given: TableInput) -> TableInput:
    """Nothing follows the Player's third card."""
    return replace(given, courses=dict.fromkeys(given.courses, ()))


CLOSED_TO: Final = ("NoLateWager",)
CARDS: Final = ("CanEnd", "CardsFall")

FAULTS: Final = (
    Fault("close-betting is not heard", _heard("betting", "close-betting"), ("CanEnd",)),
    Fault("draw-card is not heard after the cut card", _heard("cut-card", "draw-card"), CARDS),
    Fault("draw-card leads from dealing to no dealing", _leads_without("dealing", "draw-card", "dealing"), CARDS),
    Fault("draw-card leads from dealing to no offer", _leads_without("dealing", "draw-card", "offer"), CARDS),
    Fault("draw-card leads from offer to no end", _leads_without("offer", "draw-card", "complete"), CARDS),
    Fault("expose-card is not heard", _heard("dealing", "expose-card"), CARDS, "down"),
    Fault("settle is not heard", _heard("complete", "settle"), ("CanEnd",)),
    Fault("settle is heard while cards are due", _heard("dealing", "settle", "settled"), ("SettledWhole",)),
    Fault("draw-card is heard while betting is open", _heard("betting", "draw-card", "dealing"), ("CardsWait",)),
    Fault("start-duty is not heard while dealing", _heard("dealing", "start-duty"), ("CanEnd", "Recovered")),
    Fault("start-duty is not heard while a ruling waits", _heard("irregularity", "start-duty"), ("Closable",)),
    Fault("start-duty is not heard while options are open", _heard("options", "start-duty"), ("OptionsClose",)),
    Fault("decide-irregularity is not heard", _heard("irregularity", "decide-irregularity"), ("Closable",)),
    Fault("resume-play is not heard: options never close", _heard("options", "resume-play"), ("OptionsClose",)),
    Fault("resume-play leads to no dealing", _leads_without("options", "resume-play", "dealing"), ("OptionsClose",)),
    Fault("place-wager is heard after the close", _heard("dealing", "place-wager", "dealing"), CLOSED_TO),
    Fault("raise-wager is heard during an offer", _heard("offer", "raise-wager", "offer"), CLOSED_TO),
    Fault("lower-wager is heard when the coup is complete", _heard("complete", "lower-wager", "complete"), CLOSED_TO),
    Fault("withdraw-wager is heard while cards are dealt", _heard("dealing", "withdraw-wager", "dealing"), CLOSED_TO),
    Fault("take-insurance is heard without an offer", _heard("dealing", "take-insurance", "dealing"), CLOSED_TO),
    Fault("no Shift Manager ever comes on duty", _duty("shift-manager"), ("Closable",)),
    Fault("only dealers come on duty", _duty("pit-supervisor", "pit-manager", "shift-manager"), ("Closable",)),
    Fault("discretion is reserved to nobody's rank", _above_all, ("Closable",)),
    Fault("a squeezed card is turned by nobody's rank", _squeeze_over, ("CanEnd",), "down"),
    Fault("excess-card has no remedy", _kind("excess-card", _rulings(lambda _: None)), ("Closable",)),
    Fault(
        "rulings on discretion lead nowhere",
        _kind("discretion", _rulings(lambda one: replace(one, leads=()))),
        ("Closable",),
    ),
    Fault(
        "a void round goes back to its ruling",
        _led("over", "dealing", "irregularity"),
        ("Closable", "Nearer", "Phases", "Recovered"),
    ),
    Fault("a void round is left dealing", _led("over", "dealing", "dealing"), ("Phases", "Recovered")),
    Fault("interruption is not heard during an offer", _kind("interruption", _without_phase("offer")), ("Recovered",)),
    Fault(
        "interruption waits for a ruling",
        _kind("interruption", lambda row: replace(row, decided_by="dealer")),
        ("Recovered",),
    ),
    Fault(
        "an interruption is never void",
        _kind("interruption", _rulings(lambda one: None if one.remedy == "void" else one)),
        ("Recovered",),
    ),
    Fault(
        "a restart overlooks complete coups", lambda one: replace(one, interrupted=one.interrupted[:-1]), ("Recovered",)
    ),
    Fault("an empty shoe is not reported while dealing", _kind("void", _without_phase("dealing")), ("CanEnd",)),
    Fault("lower-wager gives no chips back", _chips("lower-wager", patron=0), ("Conserved",)),
    Fault("winnings come from nowhere", _chips("won", house=0), ("Conserved",)),
    Fault("a void round keeps the wagers", _chips("void", patron=0), ("Conserved", "Closable")),
    Fault("raise-wager takes too much", _chips("raise-wager", patron=-3, layout=3), ("Conserved",)),
    Fault("the dealer sees a card that lies face down", _sees("dealer", "dealing"), ("Unseen",), "down"),
    Fault("the public sees it while a ruling waits", _sees("public", "irregularity"), ("Unseen",), "down"),
    Fault("whoever squeezes sees it during an offer", _sees("squeezer", "dealing", "offer"), ("Unseen",), "down"),
    Fault("insurance is offered with no card due", _offer_without_card, CARDS),
    Fault("nothing follows the Player's third card", _player_third_ends, CARDS),
)
