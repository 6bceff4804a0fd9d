"""Lay out an audit of recorded rounds as a document for people."""

from __future__ import annotations

import datetime as dt
from typing import Any

from punto.report.pages.shape import Document, Page, Row, Table, cell, columns, row


def document(answer: dict[str, Any]) -> Document:
    """The document for the output of `punto audit-rounds --json`."""
    wrong = sum(answer["faults"].values())
    chi = answer["chi_square_results"]
    return Document(
        kind="Audit of recorded rounds",
        title=answer["file"],
        subtitle=f"{answer['game']}/{answer['edition']}",
        date=dt.date.today().isoformat(),
        names=(),
        facts=(
            ("Rounds", f"{answer['rounds']:,}, of which {answer['judged']:,} with lawful cards"),
            ("Wagers", f"{answer['wagers']:,}, of which {answer['unjudged_wagers']:,} could not be judged"),
        ),
        headlines=(
            ("Findings", f"{wrong:,}", "flag" if wrong else ""),
            ("Overpaid", answer["overpaid"], ""),
            ("Underpaid", answer["underpaid"], ""),
            ("Player, banker, tie: p", "too few rounds" if chi is None else f"{chi['p']:.4f}", ""),
        ),
        pages=(_findings(answer), _chance(answer), _money(answer)),
    )


def _findings(answer: dict[str, Any]) -> Page:
    left = answer["findings_left_off"]
    counts = Table(
        title="By kind",
        columns=columns("<finding | times"),
        rows=tuple(row(code, f"{count:,}") for code, count in answer["faults"].items()),
    )
    listed = Table(
        title="Every finding" if not left else f"The first {len(answer['findings']):,} findings",
        columns=columns("<round | wager | <bet | <patron | stake | due | recorded | paragraph | <what is wrong"),
        rows=tuple(_finding(finding) for finding in answer["findings"]),
        note=f"{left:,} more are counted and not listed here; a .csv report lists all." if left else "",
    )
    words = () if answer["faults"] else ("Nothing is wrong with any round.",)
    return Page(id="findings", title="Findings", words=words, tables=(counts, listed) if answer["faults"] else ())


def _finding(finding: dict[str, Any]) -> Row:
    texts = [finding[name] for name in ("round", "wager", "bet", "patron", "stake", "expected", "recorded")]
    message = cell(f"{finding['code']}: {finding['message']}")
    return row(*("" if text is None else text for text in texts), finding["paragraph"] or "", message)


def _chance(answer: dict[str, Any]) -> Page:
    results = Table(
        title="Results",
        columns=columns("<result | rounds | expected | z"),
        rows=tuple(
            row(
                cell(name.capitalize(), tone=name),
                f"{counts['observed']:,}",
                f"{counts['expected']:,.1f}",
                "" if counts["z"] is None else f"{counts['z']:+.2f}",
            )
            for name, counts in answer["results"].items()
        ),
    )
    words = [_chi_square(answer["chi_square_results"], "player, banker and tie")]
    words.append(_chi_square(answer["chi_square"], "all settlement classes"))
    return Page(id="chance", title="Results against chance", words=tuple(words), tables=(results,))


def _chi_square(test: dict[str, Any] | None, what: str) -> str:
    if test is None:
        return f"Over {what}: too few rounds for a chi-square."
    return (
        f"Over {what}: chi-square {test['statistic']:.1f} on {test['degrees']} degrees of freedom, "
        f"p = {test['p']:.4f}. Classes expected fewer than five times are taken together."
    )


def _money(answer: dict[str, Any]) -> Page:
    rows = [
        row(name, f"{bet['wagers']:,}", bet["staked"], bet["due"], bet["handed_back"])
        for name, bet in answer["bets"].items()
    ]
    title = "Wagers that could be judged"
    table = Table(title=title, columns=columns("<bet | wagers | staked | due | recorded"), rows=tuple(rows))
    return Page(id="money", title="Money", tables=(table,))
