"""Lay out the results of the watch for people: recorded rounds, and the exposure of an edition."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from punto.report.pages.shape import Document, Page, Row, Table, cell, columns, row

SHOWN: Final = 500
"""Most rows of one table."""
COLOURS: Final = ("#c8102e", "#0b4fd6", "#0a7d33", "#8a5a00", "#6a2fa0", "#00808a")
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 300, 56, 20, 150, 36


def watched(answer: dict[str, Any]) -> Document:
    """The document for the output of `punto watch --json`."""
    seen = answer["watched"]
    return Document(
        kind="Watch over recorded rounds",
        title=answer["file"],
        subtitle=f"{answer['game']}/{answer['edition']}",
        date=dt.date.today().isoformat(),
        names=(),
        facts=(
            ("Rounds", f"{seen['rounds']:,} in {seen['shoes']:,} shoes, {seen['cards']:,} cards"),
            ("Patrons", f"{seen['patrons']:,}, and {seen['groups']:,} groups that sit together"),
            ("False alarms", answer["thresholds"]),
            ("For", "surveillance only: never shown to patrons"),
        ),
        headlines=(
            ("Alarms", f"{seen['alarms_in_all']:,}", "flag" if seen["alarms_in_all"] else ""),
            ("Patrons named", f"{len(seen['suspects']):,}", "flag" if seen["suspects"] else ""),
            ("Groups named", f"{len(seen['suspect_groups']):,}", "flag" if seen["suspect_groups"] else ""),
            ("Flaws of the record", f"{sum(seen['flaws'].values()):,}", ""),
        ),
        pages=(_alarms(seen), _patrons(seen), _shuffles(seen), _depths(seen), _flaws(seen)),
    )


def _alarms(seen: dict[str, Any]) -> Page:
    rows = [
        row(
            alarm["table"],
            alarm["shoe"],
            alarm["round"] or "",
            alarm["kind"],
            alarm["first_card"],
            alarm["length"],
            alarm["resembles"],
            f"{alarm['times_a_year']:.2g}",
            alarm["cards"],
        )
        for alarm in seen["alarms"][:SHOWN]
    ]
    heads = "<table | <shoe | round | <kind | first card | cards | <resembles | honest shoes a year | <cards"
    return Page(
        id="alarms",
        title="Alarms",
        words=("An alarm decides nothing: it offers a report that a person may confirm.",),
        tables=(Table(title="Shoes and sets", columns=columns(heads), rows=tuple(rows)),),
    )


def _patrons(seen: dict[str, Any]) -> Page:
    named = [*seen["suspects"], *seen["suspect_groups"]]
    who = Table(
        title="Stakes that follow the cards",
        columns=columns("<patrons | shoes | evidence | p at most"),
        rows=tuple(
            row(", ".join(patron["patrons"]), patron["shoes"], f"{patron['evidence']:.3g}", f"{patron['p']:.2g}")
            for patron in named
        ),
        note="p stays valid however often you look; false discoveries are limited over all patrons together.",
    )
    rounds = [made for patron in seen["suspects"] for made in patron["rounds"]]
    what = Table(
        title="Rounds behind the evidence",
        columns=columns("<patron | <table | <shoe | round | <bet | stake | edge | worth"),
        rows=tuple(
            row(
                round["patron"],
                round["table"],
                round["shoe"],
                round["number"],
                round["bet"],
                f"{round['stake_cents'] / 100:.2f}",
                f"{round['edge']:+.2%}",
                f"{round['worth_cents'] / 100:+.2f}",
            )
            for round in rounds[:SHOWN]
        ),
    )
    return Page(id="patrons", title="Patrons", tables=(who, what))


def _shuffles(seen: dict[str, Any]) -> Page:
    rows = [
        row(name, shuffle["shoes"], f"{shuffle['kept_share']:+.2%}", shuffle["riffles"] or "as honest ones")
        for name, shuffle in seen["shuffles"]
    ]
    return Page(
        id="shuffles",
        title="Shuffles",
        tables=(
            Table(
                title="Neighbours kept of the last shoe, beyond chance",
                columns=columns("<set | shoes | kept | riffles that fit"),
                rows=tuple(rows),
            ),
        ),
    )


def _depths(seen: dict[str, Any]) -> Page:
    late = Table(
        title="By bet and cards left",
        columns=columns("<bet | cards left | rounds | favourable | staked | worth to patrons | of it favourable"),
        rows=tuple(
            row(
                depth["bet"],
                depth["cards_left"],
                f"{depth['rounds']:,}",
                f"{depth['favourable']:,}",
                f"{depth['staked'] / 100:,.2f}",
                f"{depth['worth'] / 100:,.2f}",
                f"{depth['gain'] / 100:,.2f}",
            )
            for depth in seen["depths"]
        ),
        note=f"Exact edges of {seen['valued_rounds']:,} rounds of evenly chosen shoes.",
    )
    measures = Table(
        title="What the house might have done",
        columns=columns("<measure | from cards left | rounds | cost | saved | net"),
        rows=tuple(
            row(
                measure["measure"],
                measure["cards_left"],
                f"{measure['rounds']:,}",
                f"{measure['cost'] / 100:,.2f}",
                f"{measure['saved'] / 100:,.2f}",
                f"{(measure['saved'] - measure['cost']) / 100:,.2f}",
            )
            for measure in seen["measures"]
        ),
        note="Of stakes that the measure prevents. Cost: what the house expected to win from those in its favour. "
        "Saved: what patrons expected to win from those in theirs.",
    )
    return Page(id="exposure", title="Exposure", tables=(measures, late))


def _flaws(seen: dict[str, Any]) -> Page:
    counts = Table(
        title="By kind",
        columns=columns("<flaw | times"),
        rows=tuple(row(code, f"{count:,}") for code, count in seen["flaws"].items()),
    )
    each = Table(
        title="Each",
        columns=columns("row | <table | <shoe | <flaw | <what"),
        rows=tuple(
            row(flaw["row"], flaw["table"], flaw["shoe"], flaw["code"], flaw["message"])
            for flaw in seen["listed_flaws"][:SHOWN]
        ),
    )
    return Page(id="record", title="Record", tables=(counts, each))


def exposure(answer: dict[str, Any]) -> Document:
    """The document for the output of `punto watch exposure --json`."""
    cuts = sorted({count["cut"] for count in answer["counted"]})
    best = _best(answer, cuts[0])
    top = best[0] if best else None
    return Document(
        kind="Exposure to a perfect counter",
        title=f"{answer['game']}/{answer['edition']}",
        subtitle=f"{answer['decks']} decks, {answer['shoes']:,} honest shoes valued exactly",
        date=dt.date.today().isoformat(),
        names=(),
        facts=(("Cut cards", ", ".join(str(cut) for cut in cuts)), ("Seed", str(answer["seed"]))),
        headlines=(
            ("Most exposed bet", top["name"] if top else "none", ""),
            ("Units for 100 rounds", f"{top['per_100_rounds']:.3f}" if top else "0", ""),
        ),
        pages=(
            Page(id="plot", title="Worth by depth", chart=chart(answer)),
            *(_cut(answer, cut) for cut in cuts),
        ),
    )


def _best(answer: dict[str, Any], cut: int) -> list[dict[str, Any]]:
    held = [count for count in answer["counted"] if count["cut"] == cut]
    return sorted(held, key=lambda count: -count["per_100_rounds"])


def _cut(answer: dict[str, Any], cut: int) -> Page:
    rows: list[Row] = [
        row(
            count["name"],
            f"{count['favourable']:.4%}",
            f"{count['average_edge']:+.3%}",
            f"{count['largest_edge']:+.2%}",
            cell(f"{count['per_100_rounds']:.4f} ± {count['standard_error']:.4f}", count["per_100_rounds"]),
            "" if count["worst"] is None else count["worst"],
        )
        for count in _best(answer, cut)
    ]
    return Page(
        id=f"cut-{cut}",
        title=f"Cut card at {cut}",
        tables=(
            Table(
                title=f"{cut} cards behind the cut card",
                columns=columns(
                    "<bet | favourable rounds | average edge | largest edge | units for 100 rounds | worst case"
                ),
                rows=tuple(rows),
                note="Insurance: the edge when the offer is made, counted as if it were made in every round.",
            ),
        ),
    )


def chart(answer: dict[str, Any]) -> str:
    """An SVG chart of units won in 100 rounds by cards behind the cut card, for the bets that are worth most."""
    cuts: list[int] = sorted({count["cut"] for count in answer["counted"]})
    names = [count["name"] for count in _best(answer, cuts[0]) if not count["name"].startswith("insurance")][
        : len(COLOURS)
    ]
    worth = {(count["name"], count["cut"]): count["per_100_rounds"] for count in answer["counted"]}
    high = max((worth[name, cut] for name in names for cut in cuts), default=1.0) or 1.0

    def x(cut: int) -> float:
        return LEFT + (cut - cuts[0]) / max(cuts[-1] - cuts[0], 1) * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return TOP + (1 - value / high) * (HEIGHT - TOP - BOTTOM)

    lines = []
    for at, (name, colour) in enumerate(zip(names, COLOURS, strict=False)):
        points = " ".join(f"{x(cut):.1f},{y(worth[name, cut]):.1f}" for cut in cuts)
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        down = TOP + 14 * at + 8
        lines.append(f'<text x="{WIDTH - RIGHT + 10}" y="{down}" fill="{colour}">{name}</text>')
    for cut in cuts:
        lines.append(f'<text x="{x(cut):.1f}" y="{HEIGHT - 18}" text-anchor="middle" fill="#777">{cut}</text>')
    for part in (0, 0.5, 1):
        value = high * part
        lines.append(
            f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end" fill="#777">{value:.2f}</text>'
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ccc"/>'
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    lines.append(
        f'<text x="{middle}" y="{HEIGHT - 4}" text-anchor="middle" fill="#777">cards behind the cut card</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-label="Units for 100 rounds by cut card" font-family="Georgia, serif" font-size="11">'
        f"{''.join(lines)}</svg>"
    )
