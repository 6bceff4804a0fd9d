"""The only loader of rulebooks. An edition is loaded whole, or refused with the file, the key and the paragraph."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeVar

import msgspec

from punto import money
from punto.rulebook import files, grid, shapes
from punto.rulebook.check import RuleError, check, check_dates
from punto.rulebook.model import (
    Bet,
    BetRule,
    Case,
    Insurance,
    InsuranceLimit,
    InsuranceRow,
    InsuranceRule,
    Irregularity,
    Layout,
    Paragraph,
    PayRow,
    Procedure,
    Reading,
    Rulebook,
    Side,
    Source,
    TableOfPlay,
)

EDITIONS: Final = Path(__file__).parent / "editions"
DEAL_ORDER: Final = (Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER)
_NAME: Final = re.compile(r"[a-z0-9-]{1,64}", re.ASCII)
"""The name of a game or an edition. It can't be a path."""


@lru_cache(maxsize=64)
def catalogue(root: Path = EDITIONS) -> tuple[Source, ...]:
    """All editions, sorted by game and date. Refuses dates that overlap or are missing."""
    sources = tuple(_source(files.revisions(folder)[-1]) for folder in sorted(root.glob("*/*")) if folder.is_dir())
    check_dates(sources)
    return tuple(sorted(sources, key=lambda source: (source.game, source.edition)))


@lru_cache(maxsize=64)
def edition(game: str, edition: str, root: Path = EDITIONS) -> Rulebook:
    """The newest revision of an edition, loaded and checked whole."""
    return _rulebook(_revisions(game, edition, root)[-1])


@lru_cache(maxsize=64)
def revisions(source: Source, root: Path = EDITIONS) -> tuple[Rulebook, ...]:
    """Every revision of an edition, oldest first. The last is the newest data."""
    older = _revisions(source.game, source.edition, root)[:-1]
    return (*(_rulebook(at) for at in older), edition(source.game, source.edition, root))


def _revisions(game: str, edition: str, root: Path) -> list[files.Revision]:
    folder = root / game / edition
    if not (_NAME.fullmatch(game) and _NAME.fullmatch(edition) and folder.is_dir()):
        known = ", ".join(source.id for source in catalogue(root))
        raise RuleError(f"there is no edition {game}/{edition}: the library holds {known}")
    return files.revisions(folder)


def outline(source: Source, root: Path = EDITIONS) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of an edition's layouts and bets, without reading its paragraphs: enough for a list."""
    at = files.revisions(root / source.game / source.edition)[-1]
    layouts = files.read(at, "layouts", shapes.LayoutsFile).layouts
    return tuple(layouts), tuple(row.id for row in files.read(at, "bets", shapes.BetsFile).bet)


def _rulebook(at: files.Revision) -> Rulebook:
    source = _source(at)
    file = files.read(at, "paragraphs", shapes.ParagraphsFile)
    paragraphs = {
        number: Paragraph(
            number=number,
            topics=(row.topic,) if isinstance(row.topic, str) else row.topic,
            disposition=row.disposition,
            gist=row.gist,
        )
        for number, row in file.paragraphs.items()
    }
    readings = {name: Reading(id=name, topics=row.topics, gist=row.gist) for name, row in file.rulings.items()}
    bets = _bets(at)
    rules = Rulebook(
        source=source,
        paragraphs=MappingProxyType(paragraphs),
        readings=MappingProxyType(readings),
        topics=MappingProxyType(_topics(at, paragraphs, readings)),
        table_of_play=_table_of_play(at),
        bets=MappingProxyType(bets),
        insurance=_insurance(at),
        layouts=MappingProxyType(_layouts(at, bets, paragraphs)),
        procedure=_procedure(at),
        irregularities=MappingProxyType(_irregularities(at)),
        data_sha256=files.digest(at),
        revision=at.number,
        superseded=at.number < at.newest,
    )
    check(rules)
    return rules


def _source(at: files.Revision) -> Source:
    file = files.read(at, "source", shapes.SourceFile)
    if (file.game, file.edition) != (at.folder.parent.name, at.folder.name):
        raise RuleError(
            f"{files.place(at, 'source')}: game and edition say {file.game}/{file.edition}: expected the folder's name"
        )
    return Source(
        game=file.game,
        edition=file.edition,
        title=file.title,
        document=file.document,
        sha256=file.sha256,
        in_force_from=file.in_force_from,
        version=file.version,
        authority=file.authority,
        operator=file.operator,
        note=file.note,
        names=file.name,
        errata=file.erratum,
    )


def _topics(at: files.Revision, paragraphs: dict[str, Paragraph], readings: dict[str, Reading]) -> dict[str, str]:
    topics: dict[str, str] = {}
    answers = [(p.number, p.topics) for p in paragraphs.values()] + [(r.id, r.topics) for r in readings.values()]
    for number, names in answers:
        for topic in names:
            if topic in topics:
                place = files.place(at, "paragraphs")
                raise RuleError(f"{place}, {number}: the topic {topic} already belongs to {topics[topic]}")
            topics[topic] = number
    return topics


def _table_of_play(at: files.Revision) -> TableOfPlay:
    file = files.read(at, "tableau", shapes.TableauFile)
    place = files.place(at, "tableau")
    player: dict[int, str] = {}
    banker: dict[int, tuple[bool, ...]] = {}
    alone: dict[int, str] = {}
    key, cite = "player", file.player_cite
    try:
        for cells, verdict in grid.rows(file.player, 2):
            _fill(player, grid.points(cells), _word(verdict, "draws", "stands", "natural"))
        _complete(player)
        key, cite = "banker", file.banker_cite
        for cells, draws, stands in grid.rows(file.banker, 3):
            for points in grid.points(cells):
                _fill(banker, (points,), _banker_row(draws, stands))
        _complete(banker)
        key, cite = "alone", file.alone_cite
        for cells, verdict in grid.rows(file.alone, 2):
            _fill(alone, grid.points(cells), _word(verdict, "draws", "stands"))
        _complete(alone)
    except grid.GridError as error:
        raise RuleError(f"{place}, {key}, {cite}: {error}") from None
    return TableOfPlay(
        player=tuple(player[points] == "draws" for points in range(10)),
        banker=tuple(banker[points] for points in range(10)),
        banker_alone=tuple(alone[points] == "draws" for points in range(10)),
        naturals=tuple(points for points in range(10) if player[points] == "natural"),
        player_cite=file.player_cite,
        banker_cite=file.banker_cite,
        alone_cite=file.alone_cite,
    )


Answer = TypeVar("Answer")


def _fill(table: dict[int, Answer], points: tuple[int, ...], answer: Answer) -> None:
    for point in points:
        if point in table:
            raise grid.GridError(f"{point} points are in two rows")
        table[point] = answer


def _complete(table: dict[int, Answer]) -> None:
    if len(table) != 10:
        raise grid.GridError(f"the table answers the points {sorted(table)}: expected 0 to 9, each once")


def _word(cell: str, *allowed: str) -> str:
    if cell not in allowed:
        raise grid.GridError(f"{cell!r} is no verdict: expected {' or '.join(allowed)}")
    return cell


def _banker_row(draws: str, stands: str) -> tuple[bool, ...]:
    if draws == stands == "natural":
        return (False,) * 10
    on, off = grid.points(draws), grid.points(stands)
    if sorted(on + off) != list(range(10)):
        raise grid.GridError(f"draws on {draws!r} and stands on {stands!r} do not make up 0 to 9, each once")
    return tuple(points in on for points in range(10))


def _bets(at: files.Revision) -> dict[Bet, BetRule]:
    place = files.place(at, "bets")
    bets: dict[Bet, BetRule] = {}
    for row in files.read(at, "bets", shapes.BetsFile).bet:
        where = f"{place}, bet {row.id}, {row.cite}"
        if not row.cite:
            raise RuleError(f"{place}, bet {row.id}: the value is uncited")
        if row.id not in set(Bet):
            raise RuleError(f"{where}: {row.id} is no bet that the game knows")
        if row.kind not in ("main", "side"):
            raise RuleError(f"{where}: kind is {row.kind!r}: expected main or side")
        bet = Bet(row.id)
        if bet in bets:
            raise RuleError(f"{where}: the bet is listed twice")
        if (row.hands is None) != (row.hands_cite is None):
            raise RuleError(f"{where}: hands is uncited: hands and hands_cite go together")
        bets[bet] = BetRule(
            bet=bet,
            name=row.name,
            main=row.kind == "main",
            cite=row.cite,
            pays=_pays(where, row),
            defined=row.defined,
            also=row.also,
            returned_on_tie=row.returned_on_tie,
            hands=row.hands,
            hands_cite=row.hands_cite,
        )
    return bets


def _pays(where: str, row: shapes.BetRow) -> tuple[PayRow, ...]:
    """Pay rows have no heading: case | odds, and a paragraph if it is not the bet's own."""
    pays = []
    for line in row.pays.strip().splitlines():
        case, *rest = (cell.strip() for cell in line.split("|"))
        if case not in set(Case):
            raise RuleError(f"{where}: {case!r} is no case that the game knows")
        if len(rest) not in (1, 2):
            raise RuleError(
                f'{where}: {line.strip()!r} is no pay row: expected "case | odds" or "case | odds | paragraph"'
            )
        try:
            odds = money.odds(rest[0])
        except money.MoneyError as error:
            raise RuleError(f"{where}: {error}") from None
        pays.append(PayRow(case=Case(case), odds=odds, printed=rest[0], cite=rest[1] if rest[1:] else row.cite))
    if not pays:
        raise RuleError(f"{where}: the bet pays nothing: expected at least one row")
    return tuple(pays)


def _insurance(at: files.Revision) -> InsuranceRule:
    file = files.read(at, "insurance", shapes.InsuranceFile)
    place = files.place(at, "insurance")
    rows: list[InsuranceRow] = []
    for table in file.table:
        where = f"{place}, {table.bet} after {table.after}, {table.cite}"
        if table.bet not in set(Insurance):
            raise RuleError(f"{where}: expected player_insurance or banker_insurance")
        rows += _insurance_rows(where, table, file.ties)
    if (file.limit.at_odds is None) != (file.limit.share_of_maximum is None):
        raise RuleError(f"{place}, limit, {file.limit.cite}: at_odds and share_of_maximum go together")
    try:
        limit = InsuranceLimit(
            cite=file.limit.cite,
            binds=file.limit.binds,
            per=file.limit.per,
            at_odds=money.odds(file.limit.at_odds) if file.limit.at_odds else None,
            share_of_maximum=grid.percent(file.limit.share_of_maximum) if file.limit.share_of_maximum else None,
        )
    except ValueError as error:
        raise RuleError(f"{place}, limit, {file.limit.cite}: {error}") from None
    return InsuranceRule(
        cite=file.cite,
        rows=tuple(rows),
        tie_returned=file.ties.returned,
        limit=limit,
        right_cite=file.right.cite,
        forgone_scope=file.forgone.scope,
        forgone_cite=file.forgone.cite,
        both_hands=file.both_hands.offered,
        both_hands_cite=file.both_hands.cite,
        not_offered=file.not_offered.allowed,
        not_offered_cite=file.not_offered.cite,
    )


def _insurance_rows(where: str, table: shapes.InsuranceTable, ties: shapes.TiesRow) -> list[InsuranceRow]:
    """The insured hand's points come first, as printed; a star marks a tie that is paid."""
    insured = Insurance(table.bet)
    star_cite = ties.player_star if insured is Insurance.PLAYER else ties.banker_star
    rows = []
    try:
        for own, other, odds in grid.rows(table.rows, 3):
            starred = own.endswith("*") or other.endswith("*")
            player, banker = (own, other) if insured is Insurance.PLAYER else (other, own)
            rows.append(
                InsuranceRow(
                    bet=insured,
                    after=table.after,
                    player_points=grid.points(player),
                    banker_points=grid.points(banker),
                    odds=money.odds(odds),
                    printed=odds,
                    cite=table.cite,
                    tie_cite=star_cite if starred else None,
                )
            )
    except ValueError as error:
        raise RuleError(f"{where}: {error}") from None
    return rows


def _layouts(at: files.Revision, bets: dict[Bet, BetRule], paragraphs: dict[str, Paragraph]) -> dict[str, Layout]:
    file = files.read(at, "layouts", shapes.LayoutsFile)
    place = files.place(at, "layouts")
    lists: dict[str, tuple[str, ...]] = {}
    for number, text in file.applicable.items():
        if number not in paragraphs:
            raise RuleError(f"{place}, applicable: there is no paragraph {number} in this edition")
        lists[number] = tuple(file.layouts) if text == "all" else tuple(text.split())
        for name in lists[number]:
            if name not in file.layouts:
                raise RuleError(f"{place}, applicable, {number}: there is no layout {name}")
    for rule in bets.values():
        if not lists.get(rule.cite):
            raise RuleError(f"{place}, applicable, {rule.cite}: the bet {rule.bet} is on no layout")
    layouts = {}
    for name, row in file.layouts.items():
        try:
            positions = grid.span(row.positions)
        except grid.GridError as error:
            raise RuleError(f"{place}, layouts {name}, {row.cite}: {error}") from None
        layouts[name] = Layout(
            id=name,
            positions=positions,
            bets=tuple(rule.bet for rule in bets.values() if name in lists[rule.cite]),
            cite=row.cite,
        )
    return layouts


def _procedure(at: files.Revision) -> Procedure:
    file = files.read(at, "procedure", shapes.ProcedureFile)
    place = files.place(at, "procedure")
    decks = file.decks
    if decks.default not in decks.allowed:
        raise RuleError(f"{place}, decks, {decks.cite}: the default {decks.default} is not among {decks.allowed}")
    if (min(decks.allowed), max(decks.allowed)) != (decks.minimum, decks.maximum):
        raise RuleError(f"{place}, decks, {decks.cite}: {decks.allowed} do not run from minimum to maximum")
    try:
        order = tuple(Side(word.lower()) for word in file.deal.order.split())
    except ValueError as error:
        raise RuleError(f"{place}, deal, {file.deal.cite}: {error}") from None
    if order != DEAL_ORDER:
        expected = " ".join(DEAL_ORDER).title()
        raise RuleError(
            f"{place}, deal, {file.deal.cite}: {file.deal.order!r} is not the order of the deal: expected {expected}"
        )
    return Procedure(
        decks=decks.allowed,
        decks_default=decks.default,
        decks_cite=decks.cite,
        deal_order=order,
        deal_cite=file.deal.cite,
        opens_with=file.betting.opens_with,
        opens_cite=file.betting.opens_cite,
        closes_with=file.betting.closes_with,
        closes_cite=file.betting.closes_cite,
        late_cite=file.betting.late_cite,
        squeeze_by=file.squeeze.by,
        squeeze_cite=file.squeeze.cite,
        banker_first_cite=file.squeeze.banker_first_cite,
        cut_card_cite=file.cut_card.cite,
        cut_card_withdraw=file.cut_card.withdraw_in_high_limit,
        cut_card_between=file.cut_card.between_rounds,
        burn=file.burn.rule,
        burn_cite=file.burn.cite,
        limits_cite=file.display.limits_cite,
        odds_cite=file.display.odds_cite,
    )


def _irregularities(at: files.Revision) -> dict[str, Irregularity]:
    file = files.read(at, "irregularities", dict[str, shapes.IrregularityRow])
    rows = {name: msgspec.structs.asdict(row) for name, row in file.items()}
    for row in rows.values():
        row["remedies"] = None if isinstance(row["remedies"], tuple) else row["remedies"]
    return {name: Irregularity(id=name, **row) for name, row in rows.items()}
