"""A report as JUnit XML, and as an HTML page with the matrix of editions and paragraphs."""

from __future__ import annotations

import re
from html import escape
from typing import Final
from xml.etree import ElementTree

from punto.conformance.judge import Result
from punto.conformance.report import Outcome, Report, by_level, by_paragraph, worst
from punto.conformance.vectors import ANY_EDITION

NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML can't contain. An engine may have sent them."""

MARKS: Final = {
    Result.PASSED: "✓",
    Result.FAILED: "✗",
    Result.CANNOT_TELL: "?",
    Result.INAPPLICABLE: "–",
    Result.UNTESTED: "·",
}


def junit(report: Report) -> str:
    """A suite for each level, a case for each vector."""
    about, failures = report.about, report.results[Result.FAILED.value]
    root = _element("testsuites", name=f"{about.engine} {about.version}", tests=len(report.outcomes), failures=failures)
    root.set("time", str(report.seconds))
    for level, counts in by_level(report.outcomes).items():
        total, failed = sum(counts.values()), counts[Result.FAILED.value]
        skipped = total - counts[Result.PASSED.value] - failed
        suite = _element("testsuite", name=level.value, tests=total, failures=failed, skipped=skipped)
        suite.extend(_case(outcome) for outcome in report.outcomes if outcome.level is level)
        root.append(suite)
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text.decode() + "\n"


def _case(outcome: Outcome) -> ElementTree.Element:
    case = _element("testcase", classname=outcome.edition, name=outcome.id, time=f"{outcome.milliseconds / 1000:.4f}")
    match outcome.result:
        case Result.PASSED:
            pass
        case Result.FAILED:
            case.append(_element("failure", message=outcome.note))
        case Result.CANNOT_TELL | Result.INAPPLICABLE | Result.UNTESTED:
            case.append(_element("skipped", message=f"{outcome.result.value}: {outcome.note}"))
    return case


def _element(tag: str, **attributes: str | int) -> ElementTree.Element:
    return ElementTree.Element(tag, {name: NOT_IN_XML.sub("\ufffd", str(text)) for name, text in attributes.items()})


STYLE: Final = """
:root { color-scheme: light dark; font: 15px system-ui, sans-serif; line-height: 150%; }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border: 1px solid #8886; padding: .2rem .6rem; text-align: right; }
th[scope=row], td.text { text-align: left; }
thead th { vertical-align: bottom; font-weight: 600; }
.failed { background: #d33; color: #fff; font-weight: 700; }
.passed { background: #2a73; }
.cannot-tell { background: #da36; }
.inapplicable, .untested { color: #888; }
dt { font-weight: 600; } dd { margin: 0 0 .4rem; overflow-wrap: anywhere; }
@media print { body { max-width: none; } }
"""


def html(report: Report) -> str:
    """One file without scripts or links, to be printed or filed."""
    about = report.about
    facts = {
        "Engine": f"{about.engine} {about.version}",
        "Command": about.command,
        "Claims": f"levels {', '.join(about.levels) or 'none'}; editions {', '.join(about.editions) or 'none'}",
        "Pack": f"{about.pack}, SHA-256 {about.pack_sha256}",
        "Asked for": _selection(report),
        "Vectors": f"{len(report.outcomes)} in {report.seconds} seconds",
    }
    if report.trouble:
        facts["Trouble"] = report.trouble
    listed = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>\n" for name, value in facts.items())
    title = f"Conformance of {about.engine} {about.version}"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
        f"<dl>\n{listed}</dl>\n"
        "<p>Passing is no approval of any authority. It says that the engine gave these answers to these questions."
        "</p>\n"
        f"<h2>Levels</h2>\n{_levels(report)}\n<h2>Editions and paragraphs</h2>\n{_matrix(report)}\n"
        f"<h2>What failed</h2>\n{_failures(report)}\n</body>\n</html>\n"
    )


def _selection(report: Report) -> str:
    parts = [f"{name} {', '.join(values)}" for name, values in report.about.selection.items() if values]
    return "; ".join(parts) or "everything"


def _levels(report: Report) -> str:
    heads = "".join(f"<th scope=col>{result.value}</th>" for result in Result)
    rows = "".join(
        f"<tr><th scope=row>{level.value}</th>"
        + "".join(f"<td{_class(result, counts[result.value])}>{counts[result.value]}</td>" for result in Result)
        + "</tr>\n"
        for level, counts in by_level(report.outcomes).items()
    )
    return f"<table><thead><tr><th scope=col>level</th>{heads}</tr></thead><tbody>\n{rows}</tbody></table>"


def _class(result: Result, number: int) -> str:
    return f' class="{result.value.replace(" ", "-")}"' if number else ""


def _matrix(report: Report) -> str:
    """A mark and the number of vectors for every paragraph of every edition."""
    editions = sorted({outcome.edition for outcome in report.outcomes if outcome.edition != ANY_EDITION})
    heads = "".join(f"<th scope=col>{escape(edition)}</th>" for edition in editions)
    rows = []
    for number, cells in by_paragraph(report.outcomes).items():
        columns = "".join(_cell(cells.get(edition)) for edition in editions)
        rows.append(f"<tr><th scope=row>{escape(number)}</th>{columns}</tr>\n")
    legend = ", ".join(f"{mark} {result.value}" for result, mark in MARKS.items())
    return (
        f"<p>{legend}, with the number of vectors. An empty cell has no vectors.</p>\n"
        f"<table><thead><tr><th scope=col>paragraph</th>{heads}</tr></thead><tbody>\n{''.join(rows)}</tbody></table>"
    )


def _cell(counts: dict[str, int] | None) -> str:
    if counts is None:
        return "<td></td>"
    result = worst(counts)
    number = counts[result.value]
    return f'<td class="{result.value.replace(" ", "-")}">{MARKS[result]} {number} of {sum(counts.values())}</td>'


MOST_LISTED: Final = 500


def _failures(report: Report) -> str:
    failed = [outcome for outcome in report.outcomes if outcome.result is Result.FAILED]
    if not failed:
        return "<p>Nothing.</p>"
    rows = "".join(
        f"<tr><td class=text>{outcome.id}</td><td class=text>{escape(outcome.edition)}</td>"
        f"<td class=text>{escape(', '.join(outcome.paragraphs))}</td><td class=text>{escape(outcome.note)}</td></tr>\n"
        for outcome in failed[:MOST_LISTED]
    )
    more = f"<p>{len(failed) - MOST_LISTED} more are in the JSON report.</p>" if len(failed) > MOST_LISTED else ""
    heads = "".join(f"<th scope=col>{name}</th>" for name in ("vector", "edition", "paragraphs", "difference"))
    return f"<table><thead><tr>{heads}</tr></thead><tbody>\n{rows}</tbody></table>{more}"
