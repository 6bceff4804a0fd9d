"""What changed between two editions: bets, layouts, odds, procedure, and paragraphs by our own gist."""

from __future__ import annotations

import msgspec

from punto.money import said
from punto.rulebook.model import Bet, BetRule, Rulebook


class Changed(msgspec.Struct, frozen=True):
    """A rule that differs between the editions."""

    what: str
    old: str
    new: str
    old_paragraph: str
    new_paragraph: str


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Added names are the new edition's, removed names the old edition's."""

    old: str
    new: str
    bets_added: tuple[str, ...]
    bets_removed: tuple[str, ...]
    odds_changed: tuple[Changed, ...]
    layouts_added: tuple[str, ...]
    layouts_removed: tuple[str, ...]
    layouts_changed: tuple[Changed, ...]
    insurance_changed: tuple[Changed, ...]
    procedure_changed: tuple[Changed, ...]
    irregularities_changed: tuple[Changed, ...]
    paragraphs_added: tuple[str, ...]
    paragraphs_removed: tuple[str, ...]
    paragraphs_reworded: tuple[Changed, ...]
    paragraphs_renumbered: tuple[Changed, ...]


def diff(old: Rulebook, new: Rulebook) -> Difference:
    """Compare two editions of any games. Paragraphs are matched by topic, not by number."""
    binding = [
        {topic: number for topic, number in rules.topics.items() if number in rules.paragraphs} for rules in (old, new)
    ]
    before, after = binding
    shared = [topic for topic in before if topic in after]
    return Difference(
        old=old.id,
        new=new.id,
        bets_added=tuple(bet for bet in new.bets if bet not in old.bets),
        bets_removed=tuple(bet for bet in old.bets if bet not in new.bets),
        odds_changed=_odds(old, new),
        layouts_added=tuple(name for name in new.layouts if name not in old.layouts),
        layouts_removed=tuple(name for name in old.layouts if name not in new.layouts),
        layouts_changed=_layouts(old, new),
        insurance_changed=_insurance(old, new),
        procedure_changed=_procedure(old, new),
        irregularities_changed=_irregularities(old, new),
        paragraphs_added=tuple(after[topic] for topic in after if topic not in before),
        paragraphs_removed=tuple(before[topic] for topic in before if topic not in after),
        paragraphs_reworded=tuple(
            Changed(topic, old.gist(before[topic]), new.gist(after[topic]), before[topic], after[topic])
            for topic in shared
            if old.gist(before[topic]) != new.gist(after[topic])
        ),
        paragraphs_renumbered=tuple(
            Changed(topic, before[topic], after[topic], before[topic], after[topic])
            for topic in shared
            if before[topic] != after[topic]
        ),
    )


def pays(rule: BetRule) -> str:
    """A bet's pay rows in one line."""
    return "; ".join(f"{row.case.value} {said(row.odds)}" for row in rule.pays)


def _odds(old: Rulebook, new: Rulebook) -> tuple[Changed, ...]:
    def terms(rule: BetRule) -> list[tuple[str, object]]:
        return [(row.case, row.odds) for row in rule.pays]

    both: list[Bet] = [bet for bet in old.bets if bet in new.bets]
    return tuple(
        Changed(bet, pays(old.bets[bet]), pays(new.bets[bet]), old.bets[bet].cite, new.bets[bet].cite)
        for bet in both
        if terms(old.bets[bet]) != terms(new.bets[bet])
    )


def _layouts(old: Rulebook, new: Rulebook) -> tuple[Changed, ...]:
    changes = []
    for name in (name for name in old.layouts if name in new.layouts):
        before, after = old.layouts[name], new.layouts[name]
        if (before.positions, set(before.bets)) != (after.positions, set(after.bets)):
            gone = " ".join(bet for bet in before.bets if bet not in after.bets)
            come = " ".join(bet for bet in after.bets if bet not in before.bets)
            seats = [f"{low}-{high} positions" for low, high in (before.positions, after.positions)]
            changes.append(Changed(name, f"{seats[0]}; {gone}", f"{seats[1]}; {come}", before.cite, after.cite))
    return tuple(changes)


def _insurance(old: Rulebook, new: Rulebook) -> tuple[Changed, ...]:
    tables = []
    for rules in (old, new):
        tables.append(
            {
                f"{row.bet} after {row.after}, Player {player}, Banker {banker}": (said(row.odds), row.cite)
                for row in rules.insurance.rows
                for player in row.player_points
                for banker in row.banker_points
            }
        )
    before, after = tables
    cells = [cell for cell in {**before, **after} if before.get(cell, ("",))[0] != after.get(cell, ("",))[0]]
    missing = ("not offered", "")
    return tuple(
        Changed(cell, old_odds, new_odds, old_cite, new_cite)
        for cell in cells
        for old_odds, old_cite in [before.get(cell, missing)]
        for new_odds, new_cite in [after.get(cell, missing)]
    )


def _procedure(old: Rulebook, new: Rulebook) -> tuple[Changed, ...]:
    before, after = msgspec.structs.asdict(old.procedure), msgspec.structs.asdict(new.procedure)
    cite_of = {
        "squeeze_by": "squeeze_cite",
        "decks": "decks_cite",
        "burn": "burn_cite",
        "cut_card_withdraw": "cut_card_cite",
    }
    return tuple(
        Changed(key, str(before[key]), str(after[key]), before[cite], after[cite])
        for key, cite in cite_of.items()
        if before[key] != after[key]
    )


def _irregularities(old: Rulebook, new: Rulebook) -> tuple[Changed, ...]:
    changes = []
    for name in {**old.irregularities, **new.irregularities}:
        before, after = old.irregularities.get(name), new.irregularities.get(name)
        if before is None or after is None:
            texts = (
                "has no such row" if before is None else "decided",
                "has no such row" if after is None else "decided",
            )
        else:
            shown = []
            for row in (before, after):
                by = f", goes by {row.goes_by}" if row.goes_by else ""
                how = f", {row.discretion} discretion" if row.discretion else ""
                shown.append(f"{row.decided_by}: {' '.join(row.remedies or ())}; options {row.options}{how}{by}")
            texts = (shown[0], shown[1])
        if texts[0] != texts[1]:
            changes.append(Changed(name, *texts, before.cite if before else "", after.cite if after else ""))
    return tuple(changes)
