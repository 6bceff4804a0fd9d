"""Faults that the model of a table must find. A fault changes the model's input, as a mistake in the game's own tables
would."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec.structs import replace

from models.inputs import Course, KindRow, Ruled, TableInput

Change = Callable[[TableInput], TableInput]
ROUND: Final = ("betting", "cut-card", "dealing", "offer", "complete")


class Fault(msgspec.Struct, frozen=True):
    """A fault. `finds`: the properties that may break first. `facing`: how the cards lie at a table that shows it."""

    name: str
    change: Change
    finds: tuple[str, ...]
    facing: str = "up"

    @property
    def reports(self) -> int:
        """How many reports it takes to show. Fewer are checked faster."""
        return int(
            not set(self.finds)
            <= {"CanEnd", "Recovered", "Conserved", "SettledWhole", "CardsWait", "NoLateWager", "CardsFall"}
        )


def _heard(phase: str, command: str, *leads: str) -> Change:
    """The command is heard in the phase and leads there. Without leads it is not heard."""

    def change(table_input: TableInput) -> TableInput:
        row = {name: to for name, to in table_input.heard[phase].items() if name != command}
        if leads:
            row[command] = leads
        return replace(table_input, heard={**table_input.heard, phase: row})

    return change


def _leads_without(phase: str, command: str, lead: str) -> Change:
    def change(table_input: TableInput) -> TableInput:
        left = tuple(target for target in table_input.heard[phase][command] if target != lead)
        return _heard(phase, command, *left)(table_input)

    return change


def _kind(name: str, alter: Callable[[KindRow], KindRow]) -> Change:
    return lambda table_input: replace(table_input, kinds={**table_input.kinds, name: alter(table_input.kinds[name])})


def _without_phase(phase: str) -> Callable[[KindRow], KindRow]:
    return lambda row: replace(row, phases=tuple(other for other in row.phases if other != phase))


def _rulings(alter: Callable[[Ruled], Ruled | None]) -> Callable[[KindRow], KindRow]:
    return lambda row: replace(row, rulings=tuple(new for ruling in row.rulings if (new := alter(ruling)) is not None))


def _chips(name: str, **units: int) -> Change:
    return lambda table_input: replace(
        table_input, chips={**table_input.chips, name: replace(table_input.chips[name], **units)}
    )


def _sees(audience: str, *phases: str) -> Change:
    return lambda table_input: replace(table_input, sees={**table_input.sees, audience: phases})


def _led(lead: str, stood: str, *phases: str) -> Change:
    return lambda table_input: replace(
        table_input, led={**table_input.led, lead: {**table_input.led[lead], stood: phases}}
    )


def _duty(*gone: str) -> Change:
    return lambda table_input: replace(table_input, duty=tuple(rank for rank in table_input.duty if rank not in gone))


def _above_all(table_input: TableInput) -> TableInput:
    """Discretion needs a rank that nobody at a table has."""
    ruled = _rulings(lambda ruling: replace(ruling, rank="owner"))
    return _kind("discretion", ruled)(replace(table_input, ranks=(*table_input.ranks, "owner")))


def _squeeze_over(table_input: TableInput) -> TableInput:
    return replace(table_input, ranks=(*table_input.ranks, "owner"), squeeze_over="owner")


def _offer_without_card(table_input: TableInput) -> TableInput:
    return replace(table_input, courses={**table_input.courses, Course("none", "player"): ()})


def _player_third_ends(table_input: TableInput) -> TableInput:
    """Nothing follows the Player's third card."""
    return replace(table_input, courses=dict.fromkeys(table_input.courses, ()))


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
        _kind("discretion", _rulings(lambda ruling: replace(ruling, leads=()))),
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
        _kind("interruption", _rulings(lambda ruling: None if ruling.remedy == "void" else ruling)),
        ("Recovered",),
    ),
    Fault(
        "a restart overlooks complete coups",
        lambda table_input: replace(table_input, interrupted=table_input.interrupted[:-1]),
        ("Recovered",),
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
