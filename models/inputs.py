"""The input of the model of a table: phase table, rows of irregularities, ranks, options, Table of Play and insurance
of one edition. All of it is read from the game itself; no rule is repeated here."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import msgspec

from models import probe
from punto.cards import DECK, Card, points
from punto.game import insurance
from punto.game.commands import AnyCommand
from punto.game.coup import Coup, next_side
from punto.game.irregularities.kinds import Kind, Lead, led
from punto.game.irregularities.rows import REPORTED, ROWS, UNFOUNDED, rulings
from punto.game.round import HEARD
from punto.game.table import Phase
from punto.house.table import recovery
from punto.rulebook.model import Irregularity, Moment, Rank, Rulebook, Side

BY_RANK: Final = {card.rank: card for card in reversed(DECK)}


class Ruled(msgspec.Struct, frozen=True):
    """A ruling: who may give it, and where it leads. `sure`: whether it fits in every state of the table. `marks`: the
    fields that select it."""

    remedy: str
    rank: str
    leads: tuple[str, ...]
    sure: bool
    marks: dict[str, Any] = {}


class KindRow(msgspec.Struct, frozen=True):
    """A kind of irregularity in an edition. `options`: when patrons have the options."""

    phases: tuple[str, ...]
    decided_by: str
    options: str
    rulings: tuple[Ruled, ...]


class Course(msgspec.Struct, frozen=True, order=True):
    """What the open cards call for: the hand that is due a card and the hand that can be insured, or `none`."""

    due: str
    offer: str


class TableInput(msgspec.Struct, frozen=True):
    """All that the model of one edition's table is generated from."""

    edition: str
    heard: dict[str, dict[str, tuple[str, ...]]]
    kinds: dict[str, KindRow]
    ranks: tuple[str, ...]
    """Lowest first."""
    duty: tuple[str, ...]
    """The ranks that can come on duty."""
    squeeze_over: str
    """Who may turn a card that a patron squeezes."""
    choices: tuple[str, ...]
    led: dict[str, dict[str, tuple[str, ...]]]
    courses: dict[Course, tuple[Course, ...]]
    """The course after four cards → those after the Player's third."""
    facings: tuple[str, ...]
    withdrawal: bool
    """Whether wagers may be withdrawn if the cut card comes out first."""
    burn: bool
    interrupted: tuple[str, ...]
    chips: dict[str, probe.Moved]
    sees: dict[str, tuple[str, ...]]
    """Audience → the phases in which it is shown the face of a card that lies face down."""


def of(rules: Rulebook) -> TableInput:
    """The input of an edition, from the tables that drive it."""
    down = rules.procedure.squeeze_by != "none"
    return TableInput(
        edition=rules.id,
        heard={
            str(phase): {tag(command): tuple(map(str, leads)) for command, leads in row.items()}
            for phase, row in HEARD.items()
        },
        kinds={row.id: _kind(row) for row in rules.irregularities.values() if row.id in REPORTED and _heard(row)},
        ranks=tuple(Rank),
        duty=tuple(Rank),
        squeeze_over=str(Rank.PIT_SUPERVISOR),
        choices=_choices(rules),
        led={str(lead): {str(phase): tuple(sorted(map(str, led(lead, phase)))) for phase in Phase} for lead in Lead},
        courses={four: tuple(sorted(five)) for four, five in sorted(_courses(rules).items())},
        facings=("up", "down") if down else ("up",),
        withdrawal=rules.procedure.cut_card_withdraw,
        burn=rules.procedure.burn != "none",
        interrupted=tuple(map(str, recovery.INTERRUPTED)),
        chips=probe.chips(rules),
        sees=probe.sees(rules) if down else dict.fromkeys((*probe.AUDIENCES, probe.SQUEEZER), ()),
    )


def tag(command: type) -> str:
    return str(command.__struct_config__.tag)  # type: ignore[attr-defined]


COMMANDS: Final = tuple(tag(command) for command in AnyCommand.__args__)


def _heard(row: Irregularity) -> bool:
    """The model has no rows that go by late wagers, which are always refused."""
    return row.goes_by != Kind.LATE_WAGERS


def _kind(row: Irregularity) -> KindRow:
    return KindRow(
        phases=tuple(map(str, ROWS[row.id].phases)),
        decided_by=row.decided_by,
        options=row.options,
        rulings=tuple(
            Ruled(
                remedy=ruling.remedy,
                rank=row.decided_by_of(ruling.remedy),
                leads=tuple(
                    str(lead) for lead in ruling.leads if lead is not Lead.OPTIONS or _gives(row, ruling.remedy)
                ),
                sure=ruling.fits is None,
                marks=ruling.marks,
            )
            for ruling in rulings(row)
            if ruling.remedy == UNFOUNDED or row.remedy(ruling.remedy) is not None
        ),
    )


def _gives(row: Irregularity, remedy: str) -> bool:
    """Whether the options may follow: by the paragraph, or by a ruling at discretion."""
    return row.options != "never" or (row.discretion is not None and remedy == "options")


def _choices(rules: Rulebook) -> tuple[str, ...]:
    row = rules.irregularities.get(Kind.OPTIONS)
    if row is None:
        return ()
    words = {"continue": "continue", "return": "returned"}
    return tuple(word for remedy, word in words.items() if row.remedy(remedy) is not None)


def example(four: Course, five: Course | None, rules: Rulebook) -> tuple[str, ...]:
    """Cards, in the order of the deal, that lead to these courses."""
    for hands, thirds in _coups(rules):
        if _course(rules, hands) != four:
            continue
        cards = [str(hands[side][at]) for at in (0, 1) for side in (0, 1)]
        for third in thirds:
            after = _course(rules, (((*hands[0], third)), hands[1]))
            if five is None or after == five:
                return (*cards, str(third), *("KS",))
        if five is None:
            return (*cards, "KS")
    raise LookupError(f"no coup of {rules.id} goes {four} and then {five}")


Hands = tuple[tuple[Card, ...], tuple[Card, ...]]


def _coups(rules: Rulebook) -> list[tuple[Hands, tuple[Card, ...]]]:
    """Two hands of two cards for every pair of totals, with the third cards that the Player may get."""
    king, every = BY_RANK["K"], tuple(BY_RANK.values())
    of_points = {points((card, king)): (card, king) for card in every}
    coups: list[tuple[Hands, tuple[Card, ...]]] = []
    for player, banker in product(of_points.values(), repeat=2):
        draws = next_side(rules.table_of_play, player, banker) is Side.PLAYER
        coups.append(((player, banker), every if draws else ()))
    return coups


def _course(rules: Rulebook, hands: Hands) -> Course:
    moment = Moment.FOUR_CARDS if len(hands[0]) == 2 else Moment.PLAYER_THIRD
    due = next_side(rules.table_of_play, *hands)
    offered = insurance.offer(rules, moment, Coup(*hands))
    return Course("none" if due is None else due.value, "none" if offered is None else offered.bet.side.value)


def _courses(rules: Rulebook) -> dict[Course, set[Course]]:
    courses: dict[Course, set[Course]] = {}
    for (player, banker), thirds in _coups(rules):
        after = {_course(rules, ((*player, third), banker)) for third in thirds}
        courses.setdefault(_course(rules, (player, banker)), set()).update(after)
    return courses
