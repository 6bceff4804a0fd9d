"""Checks of a whole edition: every value is cited, every cite is known, and one edition is in force at a time."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from punto.rulebook.model import Rank, Rulebook, Source

OPTIONS = ("always", "unless-established", "unless-reconstructed-and-established", "never")
DECIDERS = (*Rank, "nobody", "patron")


class RuleError(ValueError):
    """Rule data can't be used. The message says where."""


def check(rules: Rulebook) -> None:
    """Refuse an edition with an unknown cite or a word that the game does not know."""
    for file, key, paragraph in cites(rules):
        if not paragraph:
            raise RuleError(f"{rules.id}/{file}.toml, {key}: the value is uncited")
        if not rules.knows(paragraph):
            raise RuleError(f"{rules.id}/{file}.toml, {key}: there is no paragraph {paragraph} in this edition")
    for number, paragraph_ in rules.paragraphs.items():
        if not paragraph_.gist.strip() or "\n" in paragraph_.gist:
            raise RuleError(f"{rules.id}/paragraphs.toml, {number}: the gist is empty or longer than a line")
        if not paragraph_.topics or not all(paragraph_.topics):
            raise RuleError(f"{rules.id}/paragraphs.toml, {number}: the paragraph has no topic")
    for reading in rules.readings.values():
        if not reading.gist.strip() or "\n" in reading.gist:
            raise RuleError(f"{rules.id}/paragraphs.toml, ruling {reading.id}: the gist is empty or longer than a line")
    for rule in rules.bets.values():
        cases = [row.case for row in rule.pays]
        if len(set(cases)) != len(cases):
            raise RuleError(f"{rules.id}/bets.toml, bet {rule.bet}, {rule.cite}: a case is listed twice")
    _check_insurance(rules)
    _check_irregularities(rules)
    for file, key, cite, word, allowed in _words(rules):
        if word not in allowed:
            expected = " or ".join(allowed)
            raise RuleError(f"{rules.id}/{file}.toml, {key}, {cite}: {word!r} is unknown: expected {expected}")


def _check_irregularities(rules: Rulebook) -> None:
    """Check that deciders, options and references are known words, and that options are cited."""
    for row in rules.irregularities.values():
        if row.options not in OPTIONS or row.decided_by not in DECIDERS:
            raise RuleError(
                f"{rules.id}/irregularities.toml, {row.id}, {row.cite}: decided_by {row.decided_by!r} or options"
                f" {row.options!r} is unknown: expected {', '.join(DECIDERS)} and {', '.join(OPTIONS)}"
            )
        if (row.options == "never") != (row.options_cite is None):
            raise RuleError(
                f"{rules.id}/irregularities.toml, {row.id}, {row.cite}: options {row.options} is uncited:"
                " every answer but never has its options_cite"
            )
        if row.discretion not in (None, "absolute", "reasonable"):
            raise RuleError(
                f"{rules.id}/irregularities.toml, {row.id}, {row.cite}: discretion {row.discretion!r} is unknown:"
                " expected absolute or reasonable"
            )
        for name, remedy in (row.remedies or {}).items():
            if remedy.decided_by not in (None, *Rank):
                raise RuleError(
                    f"{rules.id}/irregularities.toml, {row.id}, {name}: {remedy.decided_by!r} is unknown:"
                    f" expected {', '.join(Rank)}"
                )
        if row.goes_by is not None and row.goes_by not in rules.irregularities:
            raise RuleError(
                f"{rules.id}/irregularities.toml, {row.id}, {row.cite}: goes by {row.goes_by}, which is unknown"
            )


def _check_insurance(rules: Rulebook) -> None:
    """No two rows answer the same points at the same moment."""
    answered: set[tuple[str, int, int]] = set()
    for row in rules.insurance.rows:
        for at in ((row.after, player, banker) for player in row.player_points for banker in row.banker_points):
            if at in answered:
                raise RuleError(
                    f"{rules.id}/insurance.toml, {row.bet} after {row.after}, {row.cite}:"
                    f" Player {at[1]} against Banker {at[2]} is in two rows"
                )
            answered.add(at)


def _words(rules: Rulebook) -> Iterator[tuple[str, str, str, str, tuple[str, ...]]]:
    """Every value that must be one of a few words: file, key, cite, word, and the allowed words."""
    insurance, procedure = rules.insurance, rules.procedure
    yield "insurance", "limit.binds", insurance.limit.cite, insurance.limit.binds, ("stake", "winnings")
    yield "insurance", "limit.per", insurance.limit.cite, insurance.limit.per, ("offer", "round")
    yield "insurance", "forgone.scope", insurance.forgone_cite, insurance.forgone_scope, ("round", "offer")
    yield "insurance", "both_hands.offered", insurance.both_hands_cite, insurance.both_hands, ("each", "none")
    yield (
        "insurance",
        "not_offered.allowed",
        insurance.not_offered_cite,
        insurance.not_offered,
        ("private-tables", "never"),
    )
    yield "procedure", "squeeze.by", procedure.squeeze_cite, procedure.squeeze_by, ("seated", "any", "none")
    yield (
        "procedure",
        "cut_card.between_rounds",
        procedure.cut_card_cite,
        procedure.cut_card_between,
        ("last-round", "ends-shoe"),
    )
    yield "procedure", "burn.rule", procedure.burn_cite, procedure.burn, ("none", "first-card-rank")


def cites(rules: Rulebook) -> Iterator[tuple[str, str, str]]:
    """Every cited value of an edition: its file, its key, its paragraph."""
    for name in rules.source.names:
        yield "source", f"name {name.of}", name.cite
    for erratum in rules.source.errata:
        yield "source", "erratum", erratum.cite
    play = rules.table_of_play
    for key in ("player_cite", "banker_cite", "alone_cite"):
        yield "tableau", key, getattr(play, key)
    for rule in rules.bets.values():
        key = f"bet {rule.bet}"
        yield "bets", key, rule.cite
        yield from (("bets", key, row.cite) for row in rule.pays if row.cite != rule.cite)
        yield from (("bets", key, cite) for cite in rule.also)
        for cite in (rule.defined, rule.returned_on_tie, rule.hands_cite):
            if cite is not None:
                yield "bets", key, cite
    insurance = rules.insurance
    for row in insurance.rows:
        yield "insurance", f"{row.bet} after {row.after}", row.cite
        if row.tie_cite is not None:
            yield "insurance", f"{row.bet} after {row.after}, starred", row.tie_cite
    yield "insurance", "cite", insurance.cite
    yield "insurance", "ties.returned", insurance.tie_returned
    yield "insurance", "limit", insurance.limit.cite
    for key in ("right", "forgone", "both_hands", "not_offered"):
        yield "insurance", key, getattr(insurance, f"{key}_cite")
    for layout in rules.layouts.values():
        yield "layouts", f"layouts {layout.id}", layout.cite
    for key in msgspec.structs.asdict(rules.procedure):
        if key.endswith("_cite") and getattr(rules.procedure, key) is not None:
            yield "procedure", key, getattr(rules.procedure, key)
    for irregularity in rules.irregularities.values():
        yield "irregularities", irregularity.id, irregularity.cite
        if irregularity.options_cite is not None:
            yield "irregularities", irregularity.id, irregularity.options_cite
        for remedy in (irregularity.remedies or {}).values():
            if remedy.cite is not None:
                yield "irregularities", irregularity.id, remedy.cite


def check_dates(editions: tuple[Source, ...]) -> None:
    """E1: of every game, exactly one edition is in force at any instant from its first date on."""
    starts: dict[tuple[str, object], str] = {}
    for source in editions:
        place = f"{source.id}/source.toml, in_force_from"
        if source.in_force_from is None:
            if source.edition != "undated":
                raise RuleError(f"{place}: the date is missing: only an edition called undated is always in force")
        elif source.in_force_from.tzinfo is None:
            raise RuleError(f"{place}: the time has no zone: expected one such as 2025-11-21T08:00:00+08:00")
        elif source.in_force_from.date().isoformat() != source.edition:
            raise RuleError(f"{place}: {source.in_force_from.date()} is not the edition's name {source.edition}")
        if (source.game, source.in_force_from) in starts:
            other = starts[source.game, source.in_force_from]
            raise RuleError(f"{place}: overlaps {other}, which starts at the same time")
        starts[source.game, source.in_force_from] = source.id
    for game, start in starts:
        if start is None and sum(day == game for day, _ in starts) > 1:
            raise RuleError(
                f"{game}/undated/source.toml, in_force_from: an undated edition is always in force, so the game can't"
                " have dated editions as well"
            )
