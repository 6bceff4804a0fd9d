"""What can be done at a table now by staff, by the rank on duty. See `possible.py`."""

from __future__ import annotations

import msgspec

from punto.game import commands as c
from punto.game import dealing, shoe, wagers
from punto.game.announcements import MOST_ROUNDS
from punto.game.decide import decide
from punto.game.irregularities import report, ruling
from punto.game.irregularities.carried_out import to_order
from punto.game.irregularities.published import fields
from punto.game.irregularities.rows import NOT_FOUNDED, REPORTED, rulings
from punto.game.possible import (
    CENT,
    Numbers,
    Possible,
    any_left,
    around,
    faces,
    heard,
    insurance,
    only,
    turning,
    wagering,
)
from punto.game.refusals import Refusal
from punto.game.round import HEARD
from punto.game.table import Phase, Table
from punto.rulebook.model import Rank, Rulebook


def for_staff(rules: Rulebook, table: Table, name: str, ruled_by: Rulebook | None = None) -> tuple[Possible, ...]:
    """What somebody of the staff can do, by the rank on duty. Somebody who is not on duty can start.

    `ruled_by` is the edition of the round that an open report is about, where that is another one (E2).
    """
    if table.phase is Phase.CLOSED:
        return only(heard(rules, table, _opening(table, name)))
    if name not in table.staff:
        return only(heard(rules, table, c.StartDuty(name=name, rank=Rank.DEALER)))
    present = tuple(patron for patron in table.patrons.values() if patron.present)
    waiting = table.irregularity.choices if table.irregularity is not None else {}
    shared = around(rules, table)
    lying = [laid for patron in present for laid in shared.wagers.get(patron.name, ())]
    silent = tuple(patron.name for patron in present if waiting.get(patron.name) == "")
    return only(
        *(heard(rules, table, plain(by=name)) for plain in _PLAIN),
        heard(rules, table, c.EndDuty(name=name), choices={"name": tuple(table.staff)}),
        heard(
            rules,
            table,
            c.SetInsurance(by=name, offered=not table.insurance_offered, asked_by=name),
            choices={"offered": (not table.insurance_offered,)},
            enters=("asked_by",),
        ),
        *_ahead(rules, table, name),
        *_cards(rules, table, name),
        *wagering(rules, table, present, lying, shared, by=name),
        *insurance(rules, table, tuple(patron.name for patron in present), by=name),
        _found_chips(rules, table, name),
        *(
            heard(
                rules,
                table,
                c.ChooseOption(patron=silent[0], option="continue"),
                choices={"patron": silent, "option": ("continue", "returned")},
            )
            for _ in silent[:1]
        ),
        _report(rules, table),
        _ruling(ruled_by or rules, table, name),
    )


_PLAIN = (
    c.CloseTable,
    c.DrawCutCard,
    c.EndShoe,
    c.OpenBetting,
    c.CloseBetting,
    *(c.GrantSqueeze, c.GrantBankerFirst, c.Settle, c.ResumePlay),
)
"""Commands of staff without further fields."""


def _opening(table: Table, name: str) -> c.OpenTable:
    """Open the table again as it was."""
    settings = msgspec.structs.asdict(table.opened)
    del settings["pinned"]
    return c.OpenTable(by=name, **settings)


def _ahead(rules: Rulebook, table: Table, name: str) -> list[Possible | None]:
    """What a Pit Supervisor announces for the rounds to come (O105, O106)."""
    if not table.staff[name].may_act_as(Rank.PIT_SUPERVISOR):
        return []
    now, other = (heard(rules, table, c.AnnounceClosing(by=name, rounds=rounds)) for rounds in (0, MOST_ROUNDS))
    closing = now or other
    assert closing is not None, "one of two numbers is another than the one that was announced"
    announced = msgspec.structs.replace(closing, numbers={"rounds": Numbers(least=0, most=MOST_ROUNDS)})
    return [Possible(do="set-limits", paragraph=rules.procedure.limits_cite, enters=("limits",)), announced]


def _found_chips(rules: Rulebook, table: Table, name: str) -> Possible | None:
    """D4, I10."""
    if table.round is None or c.ReportChips not in HEARD[table.phase]:
        return None
    rich = [patron.name for patron in table.patrons.values() if patron.balance_cents > 0]
    patrons = tuple(patron for patron in rich if not wagers.out_of_round(rules, table, patron))
    boxes = tuple(box for box in range(1, table.opened.positions + 1) if wagers.takes_wagers(table, box, gone=True))
    bets = wagers.available(rules, table)
    if not (patrons and boxes and bets):
        return None
    command = c.ReportChips(by=name, patron=patrons[0], box=boxes[0], bet=bets[0], stake_cents=CENT)
    possible = heard(rules, table, command, choices={"patron": patrons, "box": boxes, "bet": bets}, enters=("stake",))
    # One cent would cite the paragraph on wagers under the minimum.
    return possible and msgspec.structs.replace(possible, paragraph=rules.paragraph("chips-lie"))


def _cards(rules: Rulebook, table: Table, name: str) -> list[Possible | None]:
    """The shoe, and the cards out of it. A face is entered where the shoe does not give it."""
    if table.phase is Phase.NO_SHOE:
        return [_loading(rules, table, name)]
    if table.shoe is None:
        return []
    places = shoe.cut_places(table.in_use)
    cut = c.PlaceCutCard(by=name, after=places.start)
    moves = [heard(rules, table, cut, numbers={"after": Numbers(least=places.start, most=places.stop - 1)})]
    for kind in (c.Burn, c.DrawCard):
        faced = heard(rules, table, kind(by=name, card=any_left(table)), enters=("card",))
        bare = heard(rules, table, kind(by=name), may_enter=() if faced is None else faced.enters)
        moves.append(bare or faced)
    return moves + _turned_by_staff(rules, table, name)


def _turned_by_staff(rules: Rulebook, table: Table, name: str) -> list[Possible | None]:
    """Also a card that a patron squeezes, where staff enter the face that they see."""
    moves = turning(rules, table, name)
    if not moves:
        return []
    for lying in table.current.cards:
        holder = dealing.squeezer(table, lying.place)
        if not lying.exposed and lying.face is None and holder is not None:
            command = c.ExposeCard(by=holder, place=lying.place, card=any_left(table))
            choices = {"place": (lying.place,), "by": (holder,)}
            moves.append(heard(rules, table, command, choices=choices, enters=("card",)))
    return moves


def _loading(rules: Rulebook, table: Table, name: str) -> Possible | None:
    """A virtual shoe comes with its order."""
    decks = table.opened.decks
    order = faces() * decks if table.opened.source == "virtual" else None
    count = decks * len(faces())
    command = c.LoadShoe(by=name, count=count, shuffled=True, order=order)
    enters = ("order",) if order is not None else ()
    return heard(rules, table, command, choices={"count": (count,), "shuffled": (True,)}, enters=enters)


def _report(rules: Rulebook, table: Table) -> Possible | None:
    """What can be reported now; with which facts is in the edition's rows. On a new shoe a report is about the last
    round only where it says so (O31)."""
    kinds = tuple(kind for kind in REPORTED if not isinstance(report.heard(rules, table, kind), Refusal))
    if c.ReportIrregularity not in HEARD[table.phase] or not kinds:
        return None
    new_shoe = table.phase in (Phase.NO_SHOE, Phase.COMMENCING, Phase.READY)
    about = None if new_shoe or not table.rounds else table.rounds
    return Possible(do="report-irregularity", paragraph=None, choices={"kind": kinds}, round=about)


def _ruling(rules: Rulebook, table: Table, name: str) -> Possible | None:
    """How this person can rule on the open report, whether in writing, and which cards and patrons they can name."""
    open_ = table.irregularity
    row = rules.irregularities.get(open_.kind) if open_ is not None else None
    if open_ is None or row is None or c.DecideIrregularity not in HEARD[table.phase]:
        return None
    answer = decide(rules, table, c.DecideIrregularity(by=name))
    said: dict[str, tuple[str | int | bool, ...]] = {}
    for mark, value in dict.fromkeys(mark for known in rulings(row) for mark in known.marks.items()):
        if not isinstance(ruling.heard(rules, table, name, {mark: value}), Refusal):
            said[mark] = (*said.get(mark, ()), value)
    if not said and isinstance(answer, Refusal) and answer.code == "wrong-rank":
        return None
    open_to = [way for way in rulings(row) if ruling.heard(rules, table, name, dict(way.marks)) is way]
    ways = [way for way in open_to if way is not NOT_FOUNDED]
    reason = bool(ways) and all(ruling.in_writing(row, way) for way in ways)
    concerned = table.round if open_.round is None else table.past.get(open_.round)
    patrons = () if concerned is None else tuple(dict.fromkeys(wager.patron for wager in concerned.wagers.values()))
    cards = tuple(option.face or str(number) for number, option in enumerate(to_order(table), 1))
    known = {"order": cards, "patrons": patrons, "pay": patrons}
    own = dict.fromkeys(field.name for way in ways for field in fields(way.words) if field.name in known)
    choices = {**said, **{name: known[name] for name in own}}
    return Possible(do="decide-irregularity", paragraph=row.cite, choices=choices, reason=reason)
