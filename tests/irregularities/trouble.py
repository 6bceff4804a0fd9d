"""What goes wrong at a random table: random reports and random rulings, some plausible and some nonsense."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from punto.cards import DECK
from punto.game import commands as c
from punto.game.coup import in_deal_order
from punto.game.irregularities.kinds import Kind
from punto.game.irregularities.records import Cause, Misdealt
from punto.game.irregularities.rows import REPORTED, ROWS, rulings
from punto.game.table import Phase, Round
from punto.money import Cents
from punto.rulebook.model import Moment, Rank

if TYPE_CHECKING:
    from tests.irregularities.playing import Table

STAFF: Final = {"dan": Rank.DEALER, "sue": Rank.PIT_SUPERVISOR, "max": Rank.PIT_MANAGER, "tess": Rank.SHIFT_MANAGER}
PATRONS: Final = ("ann", "bob", "cyd", "dee")
FACES: Final = tuple(str(card) for card in DECK)
ACTIONS: Final = ("", "stand", "void", "options", "pay", "determine", "reposition", "resettle", "unfounded", "sulk")


def report(play: Table) -> c.ReportIrregularity:
    """Something that may have happened, or may not."""
    chance, table = play.chance, play.ruled.table
    rules = play.ruled.opened_under
    fits = [kind for kind in rules.irregularities if table.phase in ROWS[Kind(kind)].phases]
    if table.round is not None and table.round.offers and chance.random() < 0.4:
        fits = ["insurance-missed", "insurance-misplaced"]
    elif table.phase is Phase.SETTLED and chance.random() < 0.4:
        fits = [kind for kind in fits if kind in ("other-dealing-error", "wrong-dealing", "damaged-card")]
        play.person()
    elif "face-up" in fits and table.opened.facing == "down" and chance.random() < 0.2:
        fits = ["face-up"]
    elif table.phase is Phase.NO_SHOE and "exposed-while-shuffling" in fits and chance.random() < 0.3:
        fits = ["exposed-while-shuffling"]
    kind = chance.choice(fits) if fits and chance.random() < 0.9 else chance.choice((*REPORTED, "options", "rain"))
    virtual = table.opened.source == "virtual"
    wants = kind in ("excess-card", "simultaneous", "exposed-while-betting", "unneeded-card")
    wants = wants and not (kind == "simultaneous" and table.phase in (Phase.COMPLETE, Phase.SETTLED))
    number = chance.choice((1, 2, 2, 3, 4)) if wants or chance.random() < 0.1 else 0
    named = not virtual and chance.random() < 0.7
    current = table.round
    insurance = _misplaced(current)
    past = chance.choice(list(table.past)) if table.past and chance.random() < 0.9 else None
    late = kind.startswith("late") or (chance.random() < 0.3 and kind in ("insurance-missed", "discretion"))
    late = late or (chance.random() < 0.3 and kind in ("insurance-misplaced", "blue-card"))
    wrongly = [
        number
        for number, round_ in table.past.items()
        if any(taken.area is not taken.bet for taken in round_.insurance)
    ]
    if kind == "insurance-misplaced" and wrongly and not insurance:
        late, past = True, chance.choice(wrongly)
    if late and past is not None:
        insurance = _misplaced(table.past[past])
    hands = _hands(play) if _tells_hands(play, kind) else ((), ())
    places = [card.place for card in current.cards] if current is not None else []
    facts: dict[str, Any] = {
        "cause": chance.choice(tuple(Misdealt) if kind == "wrong-hand" else (*Cause, None)),
        "cards": tuple(play.unseen() for _ in range(number)) if named else None,
        "count": None if named else number or (1 if kind == "damaged-card" and chance.random() < 0.3 else None),
        "exposed": chance.random() < 0.8,
        "place": chance.choice(places) if places and chance.random() < 0.8 else None,
        "card": play.unseen() if not virtual and chance.random() < 0.8 else None,
        "after": chance.choice((*Moment, *Moment, None)),
        "insurance": chance.choice(insurance) if insurance and chance.random() < 0.9 else None,
        "round": past if late else None if chance.random() < 0.95 else table.rounds,
        "player": hands[0] or None,
        "banker": hands[1] or None,
        "shown": "banker" if kind == "displays" else None,
    }
    own = ROWS[Kind(kind)].facts.__struct_fields__ if kind in ROWS else ()
    stray = chance.random() < 0.05
    entered = {name: value for name, value in facts.items() if name in own or stray}
    return c.ReportIrregularity(by=chance.choice(tuple(STAFF)), kind=kind, **entered)


def _tells_hands(play: Table, kind: str) -> bool:
    if kind in ("late-table-of-play", "other-dealing-error", "wrong-dealing"):
        return True
    return kind in ("excess-card", "wrong-hand", "discretion") and play.chance.random() < 0.3


def _hands(play: Table) -> tuple[tuple[str, ...], tuple[str, ...]]:
    chance = play.chance
    if chance.random() < 0.2:
        return (), ()
    current = play.ruled.table.round
    if current is not None and play.ruled.table.opened.source == "virtual" and chance.random() < 0.8:
        dealt = list(map(str, in_deal_order(current.coup)))
        chance.shuffle(dealt)
        return tuple(dealt[: len(dealt) // 2]), tuple(dealt[len(dealt) // 2 :])
    if current is not None and current.winner is not None and chance.random() < 0.7:
        player, banker = ([str(card) for card in hand] for hand in (current.coup.player, current.coup.banker))
        chance.choice((player, banker))[chance.randint(0, 1)] = play.unseen()
        return tuple(player), tuple(banker)
    first, second = chance.choice((2, 2, 3, 3, 4)), chance.choice((2, 2, 3, 3))
    return tuple(chance.choices(FACES, k=first)), tuple(chance.choices(FACES, k=second))


def ruling(play: Table, tried: int, most: int) -> c.DecideIrregularity:
    chance = play.chance
    open_ = play.ruled.table.irregularity
    assert open_ is not None
    sure = tried >= most // 2
    order = [card.face for card in open_.cards if card.face is not None]
    if open_.kind == "simultaneous" and not open_.cards and chance.random() < 0.8:
        order = [str(card) for card in in_deal_order(play.ruled.table.current.coup)]
    chance.shuffle(order)
    numbers = tuple(str(at) for at in range(1, len(open_.cards) + 1)) or tuple(order)
    last = tried == most - 2
    by = "tess" if sure or chance.random() < 0.5 else chance.choice(tuple(STAFF))
    reason = "as the camera shows" if sure or chance.random() < 0.8 else ""
    if last:
        return c.DecideIrregularity(by=by, reason=reason, action="unfounded")
    said: dict[str, Any] = {
        "reconstruct": sure or chance.random() < 0.6,
        "order": numbers if sure or chance.random() < 0.5 else tuple(order),
        "card": play.unseen() if chance.random() < 0.6 and not sure else None,
        "replace_cards": chance.random() < 0.2,
        "end_shoe": chance.random() < 0.2,
        "skip": chance.choice((0, 0, 3, 999)) if not sure else 0,
        "keep_side_bets": chance.random() < 0.5,
        "patrons": tuple(chance.choices(PATRONS, k=chance.choice((1, 1, 1, 2)))),
        "void_rounds": tuple(chance.sample(range(1, 9), 2)) if chance.random() < 0.2 else (),
        "pay_cents": {"ann": Cents(500)} if chance.random() < 0.7 else {},
    }
    if not sure and chance.random() < 0.3:
        return c.DecideIrregularity(by=by, reason=reason, action=chance.choice(ACTIONS), **said)
    row = play.ruled.governing(c.DecideIrregularity(by=by)).irregularities[open_.kind]
    meant = [candidate for candidate in rulings(row) if not sure or candidate.marks.get("action") in (None, "stand")]
    ruling = meant[tried % len(meant)] if sure else chance.choice(meant)
    own = {name: value for name, value in said.items() if name in ruling.words.__struct_fields__}
    return c.DecideIrregularity(by=by, reason=reason, **ruling.marks, **own)


def _misplaced(current: Round | None) -> list[str]:
    """Insurance of a round that is on the wrong side; all of it where none is."""
    taken = current.insurance if current is not None else ()
    return [wager.id for wager in taken if wager.area is not wager.bet] or [wager.id for wager in taken]
