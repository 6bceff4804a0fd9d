"""`punto rules`: the shapes that other people's scripts rely on, and the text that a person reads."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest

from punto.rulebook import load, trace
from punto.rulebook.model import Disposition
from tests.cli.program import PLAIN, call, start
from tests.rulebook.library import DATES, LIVE, TIGER

NAMES = [source.id for source in load.catalogue()]
FULL = f"{TIGER[0]}/{DATES[1]}"
by_name = pytest.mark.parametrize("name", NAMES)


# list


def test_list_by_the_real_program() -> None:
    answer = start("rules", "list")
    assert (answer.status, answer.err) == (0, "")
    assert [row.split()[0] for row in answer.out.splitlines()] == NAMES
    assert "layouts A–Q" in answer.out
    assert "20 bets" in answer.out


def test_list_as_json() -> None:
    answer = call("rules", "list", "--json")
    assert answer.status == 0
    assert [f"{row['game']}/{row['edition']}" for row in answer.json] == NAMES
    for edition in answer.json:
        rules = load.edition(edition["game"], edition["edition"])
        assert list(edition) == ["game", "edition", "in_force_from", "title", "layouts", "bets"]
        assert (edition["layouts"], edition["bets"]) == (list(rules.layouts), [bet.value for bet in rules.bets])
        assert edition["title"] == rules.source.title
    starts = {f"{row['game']}/{row['edition']}": row["in_force_from"] for row in answer.json}
    assert starts[FULL] == "2025-11-21T08:00:00+08:00"
    assert starts[f"{LIVE[0]}/undated"] is None


def test_list_imports_nothing_heavy() -> None:
    """It answers in under 0.3 s because it does not import these."""
    script = (
        "import sys; from punto.cli.main import app; app(['rules', 'list'], standalone_mode=False); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=PLAIN)
    loaded = {name.partition(".")[0] for name in done.stdout.splitlines()[-1].split()}
    assert "punto" in loaded
    assert not loaded & {"rich", "asyncio", "numpy", "numba", "pyarrow", "matplotlib", "hypothesis", "unittest", "ray"}


# show


@by_name
def test_show_as_json_has_every_bet_layout_and_paragraph(name: str) -> None:
    shown, rules = call("rules", "show", name, "--json").json, load.edition(*name.split("/"))
    assert f"{shown['game']}/{shown['edition']}" == name
    assert shown["data_sha256"] == rules.data_sha256
    assert {bet: row["paragraph"] for bet, row in shown["bets"].items()} == {
        bet.value: rule.cite for bet, rule in rules.bets.items()
    }
    assert {label: row["bets"] for label, row in shown["layouts"].items()} == {
        label: [bet.value for bet in layout.bets] for label, layout in rules.layouts.items()
    }
    assert [paragraph["number"] for paragraph in shown["paragraphs"]] == list(rules.paragraphs)
    assert len(shown["errata"]) == len(rules.source.errata)


@by_name
def test_odds_are_fractions_in_lowest_terms(name: str) -> None:
    shown = call("rules", "show", name, "--json").json
    rows = [row for bet in shown["bets"].values() for row in bet["pays"]] + shown["insurance"]
    assert rows
    assert all(str(Fraction(row["odds"])) == row["odds"] for row in rows)


@by_name
def test_show_for_people_has_every_bet_and_paragraph(name: str) -> None:
    answer, rules = call("rules", "show", name), load.edition(*name.split("/"))
    assert answer.status == 0
    words = set(answer.out.replace("│", " ").replace(",", " ").split())
    assert {bet.value for bet in rules.bets} <= words
    assert {number for number in rules.paragraphs if " " not in number} <= words
    assert all(chinese.text in answer.out for chinese in rules.source.names)


def test_a_bare_game_shows_the_edition_in_force() -> None:
    assert call("rules", "show", TIGER[1], "--json").json["edition"] >= DATES[1]


def test_json_is_utf_8_and_text_never_fails_whatever_the_terminal_speaks() -> None:
    names = start("rules", "show", FULL, "--json", PYTHONIOENCODING="ascii").json["names"]
    assert [name["text"] for name in names] == ["閒", "庄"]
    plain = start("rules", "show", FULL, PYTHONIOENCODING="ascii")
    assert (plain.status, plain.err) == (0, "")
    assert "player: ? (Appendix B)" in plain.out


@pytest.mark.parametrize("command", ["show", "trace"])
@pytest.mark.parametrize("name", ["poker", f"{TIGER[0]}/2023-01-01", f"{TIGER[0]}/", "../..", ""])
def test_an_unknown_edition_exits_1_with_those_there_are(command: str, name: str) -> None:
    answer = call("rules", command, name)
    assert (answer.status, answer.out) == (1, "")
    assert answer.err.startswith("punto: there is no ")
    assert "the library holds" in answer.err


# in-force


@pytest.mark.parametrize(
    ("on", "edition", "note"),
    [
        ("2024-05-14", DATES[0], True),
        ("2025-06-01", DATES[0], True),
        ("2025-11-21T07:59:59.999999+08:00", DATES[0], True),
        ("2025-11-21", DATES[1], False),
        ("2025-11-21T00:00:00Z", DATES[1], False),
    ],
)
def test_in_force_on_a_day(on: str, edition: str, note: bool) -> None:
    answer = call("rules", "in-force", TIGER[0], "--on", on, "--json").json
    assert (answer["game"], answer["edition"]) == (TIGER[0], edition)
    assert answer["in_force_from"] == f"{edition}T08:00:00+08:00"
    assert (answer["note"] is not None) == note
    text = call("rules", "in-force", TIGER[0], "--on", on).out
    assert text.startswith(f"{TIGER[0]}/{edition} ")
    assert ("note: " in text) == note


def test_in_force_without_a_day_is_now() -> None:
    assert call("rules", "in-force", LIVE[0]).out.startswith(f"{LIVE[0]}/undated ")
    assert call("rules", "in-force", TIGER[0], "--json").json["edition"] >= DATES[1]


@pytest.mark.parametrize(
    ("game", "on", "says"),
    [
        (TIGER[0], "2024-05-13", "the first began at 2024-05-14T08:00:00+08:00"),
        (TIGER[0], "2024-05-14T07:59:59", "the first began at"),
        (TIGER[0], "yesterday", "is no date: expected 2025-06-01"),
        (TIGER[0], "", "is no date: expected 2025-06-01"),
        ("poker", "2025-06-01", "there is no game 'poker': the library holds"),
    ],
)
def test_no_law_on_a_day_exits_1(game: str, on: str, says: str) -> None:
    answer = call("rules", "in-force", game, "--on", on)
    assert (answer.status, answer.out) == (1, "")
    assert says in answer.err


# diff


def test_diff_by_the_real_program() -> None:
    answer = start("rules", "diff", *(f"{TIGER[0]}/{edition}" for edition in DATES))
    assert (answer.status, answer.err) == (0, "")
    for text in (
        "+ bet Tiger Pair: One pair 4 to 1",
        "layouts L N O P Q (4.1.11)",
        "+ layout M, 1–6 positions",
        "odds: nothing changed",
        "layouts in both: nothing changed",
        "+ 5.15.4 ",
        "- 4.1.5 ",
        "5.16→5.21",
    ):
        assert text in answer.out


def test_diff_as_json() -> None:
    difference = call("rules", "diff", *(f"{game}/{DATES[1]}" for game in TIGER), "--json").json
    (banker,) = difference["odds_changed"]
    assert (banker["what"], banker["old_paragraph"], banker["new_paragraph"]) == ("banker", "4.1.2", "4.1.1")
    assert difference["bets_added"] == difference["bets_removed"] == difference["layouts_added"] == []


def test_diff_says_what_was_removed_too() -> None:
    text = call("rules", "diff", *(f"{TIGER[0]}/{edition}" for edition in reversed(DATES))).out
    assert "- bet tiger_pair" in text
    assert "- layout Q" in text


@by_name
def test_diff_with_itself_says_that_nothing_changed(name: str) -> None:
    text = call("rules", "diff", name, name).out
    assert text.count("nothing changed") == 5
    assert "renumbered: none" in text
    assert not [row for row in text.splitlines() if row[:1] in "+-~"]


# trace


def test_trace_counts_every_edition() -> None:
    answer = call("rules", "trace", "--json")
    assert [f"{row['game']}/{row['edition']}" for row in answer.json] == NAMES
    for count in answer.json:
        rules = load.edition(count["game"], count["edition"])
        binding = [p.number for p in rules.paragraphs.values() if p.disposition is not Disposition.NOTICE]
        assert list(count) == ["game", "edition", "paragraphs", "binding", "proved", "unproved"]
        assert (count["paragraphs"], count["binding"]) == (len(rules.paragraphs), len(binding))
        assert count["proved"] == count["binding"] - len(count["unproved"])
        assert set(count["unproved"]) <= set(binding)


def test_trace_of_one_edition_for_people() -> None:
    answer = call("rules", "trace", FULL)
    (row,) = answer.out.splitlines()
    assert row.startswith(FULL)
    assert " binding " in row


def test_trace_matrix_names_data_code_and_tests_of_a_paragraph() -> None:
    rows = call("rules", "trace", FULL, "--matrix", "--json").json[FULL]
    row = next(row for row in rows if row["paragraph"] == "3.15")
    assert row["data"] == ["tableau: player_cite", "tableau: banker_cite"]
    assert row["topics"] == ["table-of-play"]
    assert "game/coup.py" in row["code"]


def test_trace_fails_on_a_paragraph_without_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "proofs", lambda: ())
    answer = call("rules", "trace", FULL)
    assert answer.status == 1
    assert answer.err.startswith(f"punto: {FULL}: no test proves 1.1 1.2 ")
