"""Compare two editions: what changed in bets, odds, house edge, insurance cells and layouts."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from punto.odds.composition import full
from punto.odds.insurance import Cell, cells
from punto.odds.value import Value, values
from punto.report.content import cover
from punto.report.records import Cover
from punto.rulebook.diff import pays
from punto.rulebook.model import Bet, Insurance, Layout, Moment, Rulebook

PER_MILLION = 1_000_000


class BetChange(msgspec.Struct, frozen=True, kw_only=True):
    """A bet that is in one or both editions. `change` is the increase of the house edge."""

    bet: Bet
    name: str
    status: str
    """added, removed, odds changed, edge changed (the same odds in another game) or unchanged."""
    old_pays: str | None
    new_pays: str | None
    old_expectation: Fraction | None
    new_expectation: Fraction | None
    change: Fraction | None
    old_paragraph: str | None
    new_paragraph: str | None


class OfferChange(msgspec.Struct, frozen=True, kw_only=True):
    """An insurance cell that is in one edition only, or whose odds or expectation differ."""

    bet: Insurance
    after: Moment
    player_points: int
    banker_points: int
    old_odds: Fraction | None
    new_odds: Fraction | None
    old_expectation: Fraction | None
    new_expectation: Fraction | None
    change: Fraction | None
    old_paragraph: str | None
    new_paragraph: str | None


class LayoutChange(msgspec.Struct, frozen=True, kw_only=True):
    """A layout that was added or removed, or whose positions or bets changed."""

    layout: str
    status: str
    positions: str
    bets_added: tuple[str, ...]
    bets_removed: tuple[str, ...]


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two editions, side by side."""

    old: Cover
    new: Cover
    bets: tuple[BetChange, ...]
    offers: tuple[OfferChange, ...]
    offers_alike: int
    layouts: tuple[LayoutChange, ...]
    layouts_alike: int


def compare(old: Rulebook, new: Rulebook, *, date: str, version: str, decks: int | None = None) -> Comparison:
    """Compare both editions in a shoe of the same number of decks."""
    number = new.procedure.decks_default if decks is None else decks
    shoe, other = full(new, number), full(old, number)
    assert shoe == other, "a whole shoe holds the same cards in every edition"
    before, after = values(old, shoe), values(new, shoe)
    was = {(cell.bet, cell.after, cell.player_points, cell.banker_points): cell for cell in cells(old, shoe)}
    now = {(cell.bet, cell.after, cell.player_points, cell.banker_points): cell for cell in cells(new, shoe)}
    keys = list(dict.fromkeys((*was, *now)))
    offers = [_offer(was.get(key), now.get(key)) for key in keys if not _alike(was.get(key), now.get(key))]
    names = list(dict.fromkeys((*old.layouts, *new.layouts)))
    layouts = [_layout(old.layouts.get(name), new.layouts.get(name), old, new) for name in names]
    changed = tuple(layout for layout in layouts if layout is not None)
    return Comparison(
        old=cover(old, shoe, date=date, version=version, decks=number, layout=None),
        new=cover(new, shoe, date=date, version=version, decks=number, layout=None),
        bets=tuple(_bet(bet, old, new, before.get(bet), after.get(bet)) for bet in dict.fromkeys((*before, *after))),
        offers=tuple(offers),
        offers_alike=len(keys) - len(offers),
        layouts=changed,
        layouts_alike=len(layouts) - len(changed),
    )


def _bet(bet: Bet, old: Rulebook, new: Rulebook, was: Value | None, now: Value | None) -> BetChange:
    before, after = old.bets.get(bet), new.bets.get(bet)
    if before is None or after is None:
        status = "added" if before is None else "removed"
    else:
        same = [(row.case, row.odds) for row in before.pays] == [(row.case, row.odds) for row in after.pays]
        moved = was and now and was.expectation != now.expectation
        status = "odds changed" if not same else "edge changed" if moved else "unchanged"
    rule = after or before
    assert rule is not None, "the bet is in one of the editions"
    return BetChange(
        bet=bet,
        name=rule.name,
        status=status,
        old_pays=pays(before) if before else None,
        new_pays=pays(after) if after else None,
        old_expectation=was.expectation if was else None,
        new_expectation=now.expectation if now else None,
        change=was.expectation - now.expectation if was and now else None,
        old_paragraph=before.cite if before else None,
        new_paragraph=after.cite if after else None,
    )


def _alike(was: Cell | None, now: Cell | None) -> bool:
    return was is not None and now is not None and (was.odds, was.expectation) == (now.odds, now.expectation)


def _offer(was: Cell | None, now: Cell | None) -> OfferChange:
    offer = now or was
    assert offer is not None, "the offer is in one of the editions"
    return OfferChange(
        bet=offer.bet,
        after=offer.after,
        player_points=offer.player_points,
        banker_points=offer.banker_points,
        old_odds=was.odds if was else None,
        new_odds=now.odds if now else None,
        old_expectation=was.expectation if was else None,
        new_expectation=now.expectation if now else None,
        change=was.expectation - now.expectation if was and now else None,
        old_paragraph=was.paragraph if was else None,
        new_paragraph=now.paragraph if now else None,
    )


def _layout(was: Layout | None, now: Layout | None, old: Rulebook, new: Rulebook) -> LayoutChange | None:
    """The change of a layout; None if nothing changed."""
    if was and now and (was.positions, set(was.bets)) == (now.positions, set(now.bets)):
        return None
    layout = now or was
    assert layout is not None, "the layout is in one of the editions"
    seats = list(dict.fromkeys(f"{low}–{high}" for low, high in (each.positions for each in (was, now) if each)))
    before, after = set(was.bets) if was else set(), set(now.bets) if now else set()
    return LayoutChange(
        layout=layout.id,
        status="added" if was is None else "removed" if now is None else "changed",
        positions=" → ".join(seats),
        bets_added=tuple(rule.name for bet, rule in new.bets.items() if bet in after - before),
        bets_removed=tuple(rule.name for bet, rule in old.bets.items() if bet in before - after),
    )
