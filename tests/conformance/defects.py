"""Every defect that is planted in a rulebook: each value, cell, tie, cap, layout, rank, option and remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

import msgspec
import pytest

from punto.conformance.vectors import Level
from punto.game.irregularities.rows import REPORTED
from punto.rulebook import load
from punto.rulebook.model import BetRule, Insurance, InsuranceRow, Irregularity, Layout, Moment, Rank, Rulebook
from tests.conformance.make_scripts import NUMBERED
from tests.conformance.planting import Defect, in_rulebook
from tests.oracle import plain
from tests.rules import breaking

replace = msgspec.structs.replace
Change = Callable[[pytest.MonkeyPatch, Rulebook], Rulebook]

HANDS: Final = (Level.DEAL, Level.SETTLE)
MONEY: Final = (Level.OUTCOME, Level.SETTLE)
INSURED: Final = (Level.INSURANCE,)
AT_TABLE: Final = (Level.TABLE, Level.IRREGULARITIES)
OPTIONS: Final = ("never", "always", "unless-established", "unless-reconstructed-and-established")


def every_defect(edition: str) -> Iterator[Defect]:
    """All that is planted in one edition, in a fixed order."""
    game, _, day = edition.partition("/")
    rules = load.edition(game, day)
    parts = (_table_of_play, _pay_tables, _ties, _insurance_rows, _insurance_cells, _insurance_rules, _layouts)
    for part in (*parts, _positions_and_decks, _hand_limits, _procedure, _irregularities):
        for name, kind, levels, change in part(rules):
            about = name.partition(":")[0] if part is _irregularities else None
            yield Defect(f"{edition}: {name}", kind, edition, levels, in_rulebook(rules, change), about)


Planted = Iterator[tuple[str, str, tuple[Level, ...], Change]]


def _table_of_play(rules: Rulebook) -> Planted:
    """Only cells that a coup can reach: on a natural the Table of Play is not used."""
    for points in range(8):
        yield f"Player on {points}", "Table of Play", HANDS, breaking.player_cell(points)
        yield f"Banker on {points} alone", "Table of Play", HANDS, breaking.alone_cell(points)
        for third in range(10):
            change = breaking.banker_cell(points, third)
            yield f"Banker on {points} against {third}", "Table of Play", HANDS, change
    for naturals in ((8,), (9,), (7, 8, 9), ()):
        yield f"naturals are {naturals}", "Table of Play", HANDS, breaking.play(naturals=naturals)


def _pay_tables(rules: Rulebook) -> Planted:
    for bet, rule in rules.bets.items():
        for row in rule.pays:
            for odds in (row.odds + 1, row.odds / 2):
                yield f"{bet} on {row.case} pays {odds}", "odds", (Level.SETTLE,), breaking.odds(bet, odds, row.case)
            yield f"{bet} is not paid on {row.case}", "odds", MONEY, breaking.unpaid(bet, row.case)


def _ties(rules: Rulebook) -> Planted:
    for bet, rule in rules.bets.items():
        other: str | None = None if rule.returned_on_tie is not None else rule.cite

        def changed(rule: BetRule, other: str | None = other) -> BetRule:
            return replace(rule, returned_on_tie=other)

        words = "a tie loses" if other is None else "a tie returns"
        yield f"{words} {bet}", "tie", MONEY, breaking._bet(bet, changed)


def _insurance_rows(rules: Rulebook) -> Planted:
    for at, row in enumerate(rules.insurance.rows):
        name = f"{row.bet} {row.after} {row.player_points} v {row.banker_points}"
        for odds in (row.odds + 1, row.odds / 2):
            change = breaking.insurance_row(at, _with_odds(odds))
            yield f"{name} pays {odds}", "insurance odds", INSURED, change
        star = None if row.tie_cite is not None else row.cite
        if _tie_can_come(row):
            change = breaking.insurance_row(at, _with_star(star))
            yield f"{name} {'loses its star' if star is None else 'is starred'}", "tie", INSURED, change


def _with_odds(odds: Fraction) -> Callable[[InsuranceRow], InsuranceRow]:
    return lambda row: replace(row, odds=odds)


def _with_star(star: str | None) -> Callable[[InsuranceRow], InsuranceRow]:
    return lambda row: replace(row, tie_cite=star)


def _tie_can_come(row: InsuranceRow) -> bool:
    """Whether a tie can still come: some points of the row can be reached with a card still due."""
    return any(_reached(row.after, player, banker) for player in row.player_points for banker in row.banker_points)


def _reached(after: Moment, player: int, banker: int) -> bool:
    """Whether the hands can have these points at this moment with a card still due."""
    if after is Moment.FOUR_CARDS:
        return plain.player_draws(player, banker) or plain.banker_draws(banker, player, None)
    return any(
        plain.player_draws(two, banker) and plain.banker_draws(banker, two, third) and (two + third) % 10 == player
        for two in range(10)
        for third in range(10)
    )


def _insurance_cells(rules: Rulebook) -> Planted:
    """For each pair of points: an offer that is in the table is removed, and one that is not is added."""
    cells = {
        (row.after, player, banker): row
        for row in rules.insurance.rows
        for player in row.player_points
        for banker in row.banker_points
    }
    for after in Moment:
        for player in range(10):
            for banker in range(10):
                if not _reached(after, player, banker):
                    continue
                row = cells.get((after, player, banker))
                name = f"after {after}, Player {player}, Banker {banker}"
                if row is not None:
                    yield f"no offer {name}", "insurance cell", INSURED, _without_cell(row, player, banker)
                else:
                    yield f"an offer {name}", "insurance cell", INSURED, _with_cell(after, player, banker)


def _without_cell(gone: InsuranceRow, player: int, banker: int) -> Change:
    def changed(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        rows: list[InsuranceRow] = []
        for row in rules.insurance.rows:
            if row is not gone:
                rows.append(row)
                continue
            others = tuple(points for points in row.player_points if points != player)
            rest = tuple(points for points in row.banker_points if points != banker)
            rows += [replace(row, player_points=others)] if others else []
            rows += [replace(row, player_points=(player,), banker_points=rest)] if rest else []
        return replace(rules, insurance=replace(rules.insurance, rows=tuple(rows)))

    return changed


def _with_cell(after: Moment, player: int, banker: int) -> Change:
    def changed(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        bet = Insurance.PLAYER if player > banker else Insurance.BANKER
        like = next(row for row in rules.insurance.rows if row.bet is bet and row.after is after)
        points = {"player_points": (player,), "banker_points": (banker,), "tie_cite": None}
        rows = (*rules.insurance.rows, replace(like, **points))
        return replace(rules, insurance=replace(rules.insurance, rows=rows))

    return changed


def _insurance_rules(rules: Rulebook) -> Planted:
    limit = rules.insurance.limit
    per_round = "offer" if limit.per == "round" else "round"
    binds = "stake" if limit.binds == "winnings" else "winnings"
    yield f"the cap binds the {binds}", "cap", INSURED, breaking.insurance_limit(binds=binds, per=per_round)
    if limit.binds == "winnings":
        yield "the cap is of one offer", "cap", INSURED, breaking.insurance_limit(per="offer")
    else:
        for share in (None, Fraction(1, 2), Fraction(1, 5)):
            change = breaking.insurance_limit(share_of_maximum=share)
            yield f"at 10 to 1 the share is {share}", "cap", INSURED, change
        for odds in (4, 6):
            yield f"the share binds at {odds} to 1", "cap", INSURED, breaking.insurance_limit(at_odds=Fraction(odds))
    both = "each" if rules.insurance.both_hands == "none" else "none"
    yield f"on both hands: {both}", "cap", INSURED, breaking.insurance_rule(both_hands=both)
    scope = "offer" if rules.insurance.forgone_scope == "round" else "round"
    levels = (Level.INSURANCE, *AT_TABLE)
    if scope == "offer":
        yield "a passed offer forgoes that offer only", "cap", levels, breaking.insurance_rule(forgone_scope=scope)
    allowed = "never" if rules.insurance.not_offered == "private-tables" else "private-tables"
    yield f"insurance may be left out: {allowed}", "cap", AT_TABLE, breaking.insurance_rule(not_offered=allowed)


def _layouts(rules: Rulebook) -> Planted:
    for layout in rules.layouts.values():
        for bet in rules.bets:
            if bet in layout.bets:
                change, word = breaking.off_layout(bet, layout.id), "off"
            else:
                change, word = breaking.on_layout(bet, layout.id), "on"
            yield f"{bet} is {word} layout {layout.id}", "layout", (Level.SETTLE,), change


def _positions_and_decks(rules: Rulebook) -> Planted:
    if rules.source.game.startswith("live-"):
        return
    for layout in rules.layouts.values():
        low, high = layout.positions
        for pair in ((low - 1, high), (low + 1, high), (low, high - 1), (low, high + 1)):
            yield f"layout {layout.id} has {pair} positions", "limit", (Level.TABLE,), _positions(layout, pair)
    decks = rules.procedure.decks
    for allowed in (decks[1:], decks[:-1], (min(decks) - 1, *decks), (*decks, max(decks) + 1)):
        yield f"decks are {allowed}", "limit", (Level.TABLE,), breaking.decks(*allowed)


def _positions(layout: Layout, pair: tuple[int, int]) -> Change:
    def changed(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        layouts = {**rules.layouts, layout.id: replace(layout, positions=pair)}
        return replace(rules, layouts=MappingProxyType(layouts))

    return changed


def _hand_limits(rules: Rulebook) -> Planted:
    for bet, rule in rules.bets.items():
        if rule.hands is not None:
            for hands in (rule.hands - 1, rule.hands + 1, None):
                change = breaking._bet(bet, _with_hands(hands))
                yield f"{bet} is open for {hands} hands", "limit", (Level.TABLE,), change


def _with_hands(hands: int | None) -> Callable[[BetRule], BetRule]:
    return lambda rule: replace(rule, hands=hands)


def _procedure(rules: Rulebook) -> Planted:
    procedure = rules.procedure
    if procedure.squeeze_by != "none":
        by = "any" if procedure.squeeze_by == "seated" else "seated"
        yield f"{by} may squeeze", "limit", AT_TABLE, _with_procedure(squeeze_by=by)
    withdraw = not procedure.cut_card_withdraw
    if not rules.source.game.startswith("live-"):
        yield f"withdrawal on the cut card: {withdraw}", "option", AT_TABLE, _with_procedure(cut_card_withdraw=withdraw)
    if NUMBERED.fullmatch(procedure.cut_card_cite) is None:
        return
    between = "ends-shoe" if procedure.cut_card_between == "last-round" else "last-round"
    yield f"a cut card between rounds: {between}", "remedy", AT_TABLE, _with_procedure(cut_card_between=between)


def _with_procedure(**changed: Any) -> Change:
    return lambda patch, rules: replace(rules, procedure=replace(rules.procedure, **changed))


def _irregularities(rules: Rulebook) -> Planted:
    """Rows that a document has. Where a ruling of ours stands in for a document, no engine is asked and nothing is
    planted. A row that gives no options has no value about options that could be wrong."""
    kinds = {kind.value for kind in REPORTED} | {"options"}
    for kind, row in rules.irregularities.items():
        if kind not in kinds or NUMBERED.fullmatch(row.cite) is None or row.goes_by == "late-wagers":
            continue
        yield from _deciders(kind, row)
        for options in OPTIONS if row.options != "never" and kind != "options" else ():
            if options != row.options:
                yield f"{kind}: options {options}", "option", AT_TABLE, _with_row(kind, options=options)
        for name in row.remedies or {}:
            rest = {other: remedy for other, remedy in (row.remedies or {}).items() if other != name}
            yield f"{kind}: no {name}", "remedy", AT_TABLE, _with_row(kind, remedies=rest)


def _deciders(kind: str, row: Irregularity) -> Planted:
    if row.decided_by in ("nobody", "patron"):
        return
    for rank in Rank:
        if rank.value != row.decided_by:
            yield f"{kind}: decided by {rank.value}", "rank", AT_TABLE, _with_row(kind, decided_by=rank.value)


def _with_row(kind: str, **changed: Any) -> Change:
    def change(patch: pytest.MonkeyPatch, rules: Rulebook) -> Rulebook:
        rows = {**rules.irregularities, kind: replace(rules.irregularities[kind], **changed)}
        return replace(rules, irregularities=MappingProxyType(rows))

    return change
