"""Lay out the results of a test battery as a document that a laboratory can file."""

from __future__ import annotations

from typing import Any

from punto.report.pages.shape import Document, Page, Row, Table, cell, columns, row

GROUPS = {
    "raw": ("The raw stream", "Bytes as the generator gives them, before they become choices."),
    "order": (
        "Orders of numbered cards",
        "Every card of the sorted shoe has a number of its own, so each choice of the shuffle can be read back from "
        "the order that it made. Small decks are shuffled by the same code.",
    ),
    "cards": ("Cards as dealt", "Whole shoes as they are filled. Cards of one rank and suit can't be told apart."),
}
HOW = (
    "The list of tests and their sizes were laid down before the battery was run. p is two-sided: how often an honest "
    "generator would be as far off, either way. Adjusted by Holm, a test fails where that is below the family-wise "
    "level, so an honest generator fails the battery as a whole no more often than that.",
)


def document(answer: dict[str, Any]) -> Document:
    """The document for the output of `punto rng --json`."""
    least = min(answer["tests"], key=lambda test: test["p"])
    failed = [test["id"] for test in answer["tests"] if not test["passed"]]
    seed = () if answer["seed"] is None else (("Seed", str(answer["seed"])),)
    return Document(
        kind="Battery of the shuffle",
        title="Passed" if answer["passed"] else "Failed",
        subtitle=f"{answer['source']} · {answer['decks']} decks · {answer['shoes']:,} shoes",
        date=answer["date"],
        names=(),
        facts=(
            ("Generator", answer["generator"]),
            *seed,
            ("Shoes as dealt, and orders", f"{answer['shoes']:,} each, {answer['decks']} decks"),
            ("Small decks", f"{answer['small_shuffles']:,} shuffles of each"),
            ("Raw bytes", f"{answer['raw_bytes']:,}"),
            ("Family-wise level", f"{answer['level']:g}, {len(answer['tests'])} tests, by Holm"),
            ("List of tests", f"version {answer['version']}"),
            ("Made with", f"Punto {answer['punto_version']}"),
            ("Date", answer["date"]),
        ),
        headlines=(
            ("Tests that fail", ", ".join(failed) or "none", "flag" if failed else ""),
            ("Smallest p", f"{least['p']:.3g} ({least['id']})", ""),
            ("Adjusted", f"{least['adjusted']:.3g}", ""),
        ),
        pages=(
            *(_group(answer, of) for of in GROUPS),
            *((_outside(answer["outside"]),) if answer["outside"] else ()),
        ),
    )


def _group(answer: dict[str, Any], of: str) -> Page:
    title, words = GROUPS[of]
    table = Table(
        title=title,
        columns=columns(
            "<Test | <Looks at | <Distribution | Observations | Statistic | Degrees | p | Adjusted | <Verdict"
        ),
        rows=tuple(_line(test) for test in answer["tests"] if test["of"] == of),
    )
    return Page(id=of, title=title, words=(*HOW, words) if of == "raw" else (words,), tables=(table,), wide=True)


def _line(test: dict[str, Any]) -> Row:
    return row(
        test["id"],
        test["looks_at"],
        test["distribution"],
        f"{test['observations']:,}",
        f"{test['statistic']:,.3f}",
        "" if test["degrees"] is None else f"{test['degrees']:,}",
        cell(f"{test['p']:.4f}", test["p"]),
        cell(f"{test['adjusted']:.4f}", test["adjusted"]),
        cell("passed" if test["passed"] else "FAILED", tone="" if test["passed"] else "flag"),
    )


def _outside(outside: dict[str, Any]) -> Page:
    """The results of another program on the raw stream, in its own words."""
    table = Table(
        title=outside["program"],
        columns=columns("<Test | n-tuple | Samples | p-samples | p | <Its own verdict"),
        rows=tuple(
            row(
                *(test[name] for name in ("test", "ntuple", "samples", "psamples", "p")),
                cell(test["verdict"], tone="flag" if test["verdict"] == "FAILED" else ""),
            )
            for test in outside["tests"]
        ),
    )
    words = (
        "The raw stream, tested by a program that is not part of Punto. It calls p below 0.005 or above 0.995 weak: of "
        "honest streams one test in a hundred. It is shown here and not part of the level above.",
        f"File, SHA-256: {outside['sha256']}",
    )
    return Page(id="outside", title="The outside battery", words=words, tables=(table,))
