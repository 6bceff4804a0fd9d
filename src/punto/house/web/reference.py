"""Reference data, open to everybody: editions in our words, what changed between them, and the odds.

An edition never changes while the server runs, so a response is computed once and cached. Its hash is its ETag.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, get

from punto import money
from punto.codes import Code
from punto.game import notation
from punto.game.dealing import PLACES
from punto.game.irregularities.published import published
from punto.game.irregularities.rows import ROWS
from punto.house.store.names import END
from punto.house.web import http
from punto.house.web.caller import caller
from punto.house.web.compressed import compressed
from punto.house.web.http import HttpRequest
from punto.house.web.openapi import doc
from punto.house.web.parts import parts
from punto.house.web.problems import Stop, not_found
from punto.house.web.rate_limits import charge
from punto.rulebook import in_force, load
from punto.rulebook.check import RuleError
from punto.rulebook.model import Rulebook, Side, Source

MOST_REMOVED: Final = 416
_MOST_KEPT: Final = 128
_MOST_AT_ONCE: Final = 8

_kept: OrderedDict[str, bytes] = OrderedDict()
_working: dict[str, asyncio.Future[bytes]] = {}


class DiffQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"old": "from", "new": "to"}):
    old: Annotated[str, msgspec.Meta(pattern=rf"^[a-z0-9-]{{1,32}}{END}")]
    new: Annotated[str, msgspec.Meta(pattern=rf"^[a-z0-9-]{{1,32}}{END}")]


class OddsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    decks: Annotated[int, msgspec.Meta(ge=1, le=16)] | None = None
    removed: Annotated[str, msgspec.Meta(max_length=2000)] = ""


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    game: str
    edition: str
    title: str
    version: str | None
    in_force_from: str | None
    in_force: bool
    note: str | None
    decks: tuple[int, ...]
    decks_default: int
    layouts: tuple[str, ...]
    bets: tuple[str, ...]


@get("/api/rules", opt=doc("rules", "Every edition in the library", kept=True, answer=list[Listed]))
async def editions(request: HttpRequest) -> Response[bytes]:
    now = dt.datetime.now(in_force.ZONE)
    listed = [_listed(source, now) for source in load.catalogue()]
    return _cached(request, notation.encode(listed), 60)


def _listed(source: Source, now: dt.datetime) -> Listed:
    rules = load.edition(source.game, source.edition)
    return Listed(
        game=source.game,
        edition=source.edition,
        title=source.title,
        version=source.version,
        in_force_from=source.in_force_from.isoformat() if source.in_force_from is not None else None,
        in_force=in_force.in_force(source.game, now).edition == source.edition,
        note=source.note,
        decks=rules.procedure.decks,
        decks_default=rules.procedure.decks_default,
        layouts=tuple(rules.layouts),
        bets=tuple(bet.value for bet in rules.bets),
    )


@get(
    "/api/rules/{game:str}/{edition:str}",
    opt=doc("rules", "One edition whole, in our words", kept=True, answer=dict[str, Any]),
)
async def whole_edition(request: HttpRequest, game: str, edition: str) -> Response[bytes]:
    rules = _rules(game, edition)
    return _cached(request, await _once(f"rules {rules.id}", lambda: notation.encode(whole(rules))))


@get("/api/rules/{game:str}/diff", opt=doc("rules", "What changed", kept=True, answer=dict[str, Any], query=DiffQuery))
async def difference(request: HttpRequest, game: str) -> Response[bytes]:
    from punto.rulebook.diff import diff

    query = http.query(request, DiffQuery)
    old, new = _rules(game, query.old), _rules(game, query.new)
    return _cached(request, await _once(f"diff {old.id} {new.id}", lambda: notation.encode(diff(old, new))))


@get(
    "/api/odds/{game:str}/{edition:str}",
    opt=doc("rules", "What every bet is worth", kept=True, answer=dict[str, Any], query=OddsQuery),
)
async def odds(request: HttpRequest, game: str, edition: str) -> Response[bytes]:
    from punto.cards import CardError, cards
    from punto.odds.composition import OddsError
    from punto.odds.sheet import sheet, to_json

    rules = _rules(game, edition)
    query = http.query(request, OddsQuery)
    try:
        removed = cards(query.removed.replace(",", " "))
        if len(removed) > MOST_REMOVED:
            raise OddsError(f"at most {MOST_REMOVED} cards can be removed")
        key = f"odds {rules.id} {query.decks} {' '.join(sorted(map(str, removed)))}"
        charge(parts(request), caller(request), 0 if key in _kept else 10)
        body = await _once(key, lambda: notation.encode(to_json(sheet(rules, query.decks, removed))))
    except (CardError, OddsError) as error:
        raise Stop(400, Code.BAD_SHOE, str(error)) from None
    return _cached(request, body)


def whole(rules: Rulebook) -> dict[str, Any]:
    """The edition with everything that a page draws, explains and cites from."""
    source = rules.source
    insurance = msgspec.structs.asdict(rules.insurance)
    rows = insurance.pop("rows")
    return {
        **{
            name: getattr(source, name)
            for name in ("game", "edition", "title", "version", "authority", "operator", "note")
        },
        "in_force_from": source.in_force_from and source.in_force_from.isoformat(),
        "data_sha256": rules.data_sha256,
        "revision": rules.revision,
        "decks": rules.procedure.decks,
        "decks_default": rules.procedure.decks_default,
        "layouts": {
            layout.id: {"positions": layout.positions, "bets": layout.bets, "paragraph": layout.cite}
            for layout in rules.layouts.values()
        },
        "bets": {bet.value: _bet(rules, bet) for bet in rules.bets},
        "insurance": [
            {
                **{name: getattr(row, name) for name in ("bet", "after", "player_points", "banker_points")},
                "odds": row.odds,
                "printed": row.printed,
                "said": money.said(row.odds),
                "tie_pays": row.tie_cite is not None,
                "tie_paragraph": row.tie_cite,
                "paragraph": row.cite,
            }
            for row in rows
        ],
        "insurance_rule": insurance,
        "table_of_play": rules.table_of_play,
        "procedure": rules.procedure,
        "irregularities": {
            row.id: {
                **msgspec.structs.asdict(row),
                "remedies": tuple(row.remedies or ()),
                "paragraph": row.cite,
                "phases": ROWS[row.id].phases,
            }
            for row in rules.irregularities.values()
        },
        "kinds": published(rules),
        "hands": {side.value: PLACES[at::2] for at, side in enumerate(Side)},
        "paragraphs": [
            {
                "number": paragraph.number,
                "kind": paragraph.disposition,
                "topics": paragraph.topics,
                "gist": paragraph.gist,
            }
            for paragraph in rules.paragraphs.values()
        ],
        "rulings": tuple(rules.readings.values()),
        "errata": source.errata,
        "names": source.names,
    }


def _bet(rules: Rulebook, bet: Any) -> dict[str, Any]:
    rule = rules.bets[bet]
    pays = []
    for row in rule.pays:
        won, staked = money.sides(row.printed)
        odds = {"odds": row.odds, "printed": row.printed, "won": won, "staked": staked, "said": money.said(row.odds)}
        pays.append({"case": row.case, **odds, "paragraph": row.cite})
    about = {row.case.about for row in rule.pays}
    facts = {name: getattr(rule, name) for name in ("name", "main", "defined", "returned_on_tie", "hands")}
    return {**facts, "about": about.pop() if len(about) == 1 else None, "paragraph": rule.cite, "pays": pays}


def _rules(game: str, edition: str) -> Rulebook:
    if not any(source.game == game and source.edition == edition for source in load.catalogue()):
        raise not_found("edition")
    try:
        return load.edition(game, edition)
    except RuleError:
        raise not_found("edition") from None


async def _once(key: str, made: Callable[[], bytes]) -> bytes:
    """The response: computed in a thread, once for all who wait, and cached."""
    if key in _kept:
        _kept.move_to_end(key)
        return _kept[key]
    if key not in _working:
        if len(_working) >= _MOST_AT_ONCE:
            raise Stop(429, Code.BUSY, "too much is being worked out: try again", wait=1)
        _working[key] = asyncio.ensure_future(asyncio.to_thread(made))
    try:
        body = await asyncio.shield(_working[key])
    finally:
        _working.pop(key, None)
    _kept[key] = body
    if len(_kept) > _MOST_KEPT:
        _kept.popitem(last=False)
    return body


def _cached(request: HttpRequest, body: bytes, seconds: int = 3600) -> Response[bytes]:
    """With an ETag: a client that has it already gets 304."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    sent, packed = compressed(request, body)
    headers = {"etag": tag, "cache-control": f"public, max-age={seconds}", **packed}
    if request.headers.get("if-none-match") == tag:
        headers.pop("content-encoding", None)
        return Response(b"", status_code=304, media_type="application/json", headers=headers)
    return Response(sent, media_type="application/json", headers=headers)
