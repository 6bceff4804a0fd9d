"""`punto audit-rounds` as a user calls it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.program import call, start
from tests.sim.recorded import SCHEMA, records, row, write

EDITION = "tiger-buffalo-commission/2025-11-21"
MADE = records(("tiger-buffalo-commission", "2025-11-21"), 200, seed=5, lawful=True)


@pytest.fixture
def rows() -> list[dict[str, Any]]:
    return [row(one) for one in MADE]


def test_a_faultless_file(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    path = write(tmp_path / "rounds.parquet", rows)
    answer = call("audit-rounds", str(path), "--edition", EDITION, "--json")
    assert (answer.status, answer.err) == (0, "")
    found = answer.json
    assert (found["game"], found["edition"]) == tuple(EDITION.split("/"))
    assert (found["rounds"], found["judged"], found["faults"], found["findings"]) == (200, 200, {}, [])
    assert found["wagers"] == sum(one["wagers"] for one in found["bets"].values())
    assert all(one["due"] == one["handed_back"] for one in found["bets"].values())
    assert sum(one["observed"] for one in found["results"].values()) == 200
    assert found["chi_square"] is None, "200 rounds are too few for 779 classes"
    assert 0 <= found["chi_square_results"]["p"] <= 1
    assert found["chi_square_results"]["degrees"] == 2
    shown = call("audit-rounds", str(path), "--edition", EDITION)
    assert shown.status == 0
    assert "Nothing is wrong with any round." in shown.out


def test_a_file_with_faults(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    rows[3]["wagers"][0]["handed_back_cents"] += 1
    rows[150]["player_3"] = "2C" if rows[150]["player_3"] is None else None
    path = write(tmp_path / "rounds.parquet", rows)
    answer = call("audit-rounds", str(path), "--edition", EDITION, "--json")
    assert answer.status == 1
    assert answer.err == "punto: 2 findings in 200 rounds\n"
    found = answer.json
    assert found["faults"] == {"table-of-play": 1, "wrong-payment": 1}
    assert [(one["round"], one["wager"], one["code"]) for one in found["findings"]] == [
        ("r3", 1, "wrong-payment"),
        ("r150", None, "table-of-play"),
    ]
    assert all(one["paragraph"] for one in found["findings"])
    assert (found["overpaid"], found["underpaid"]) == ("0.01", "0.00")
    short = call("audit-rounds", str(path), "--edition", EDITION, "--json", "--most", "1").json
    assert (len(short["findings"]), short["findings_left_off"]) == (1, 1)
    shown = call("audit-rounds", str(path), "--edition", EDITION)
    assert shown.status == 1
    assert "wrong-payment" in shown.out
    assert "overpaid 0.01" in shown.out


@pytest.mark.parametrize("ending", ["json", "html", "csv"])
def test_a_report(ending: str, rows: list[dict[str, Any]], tmp_path: Path) -> None:
    for one in rows[:7]:
        one["wagers"][0]["handed_back_cents"] += 1
    path, report = write(tmp_path / "rounds.parquet", rows), tmp_path / f"report.{ending}"
    answer = call("audit-rounds", str(path), "--edition", EDITION, "--report", str(report), "--most", "5", "--json")
    assert answer.status == 1
    text = report.read_text("utf-8")
    if ending == "json":
        assert json.loads(text) == answer.json
    elif ending == "csv":
        listed = list(csv.DictReader(text.splitlines()))
        assert [one["round"] for one in listed] == [f"r{at}" for at in range(7)]
        assert {one["code"] for one in listed} == {"wrong-payment"}
    else:
        assert "The first 5 findings" in text
        assert "2 more are counted and not listed here" in text
    assert {one.name for one in tmp_path.iterdir()} == {"rounds.parquet", report.name}


def test_the_file_may_name_its_edition(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    table = pa.Table.from_pylist(rows, schema=SCHEMA)
    pq.write_table(table.replace_schema_metadata({"punto.edition": EDITION}), path)
    assert call("audit-rounds", str(path), "--json").json["edition"] == "2025-11-21"


def test_the_table_s_maximum_caps_insurance(tmp_path: Path) -> None:
    """3.12.2: at 10 to 1 a quarter of the maximum. Player 0 after his third card, Banker 6 and due to draw."""
    wager = {"patron": "ann", "after": None}
    taken = {"bet": "player_insurance", "stake_cents": 300, "after": "player-third", "patron": "ann"}
    found = _offer_at_ten()
    if found is None:
        pytest.skip("no offer at 10 to 1 in this edition")
    cards, bet, back = found
    main = {**wager, "bet": bet.removesuffix("_insurance"), "stake_cents": 10_000, "handed_back_cents": back[0]}
    insured = {**taken, "bet": bet, "handed_back_cents": back[1], "after": cards.pop("after")}
    path = write(tmp_path / "rounds.parquet", [{"round": "r", "layout": "C", **cards, "wagers": [main, insured]}])
    assert call("audit-rounds", str(path), "--edition", EDITION, "--maximum", "12.00").status == 0
    for option in ("--maximum", "--maximum-differential"):
        answer = call("audit-rounds", str(path), "--edition", EDITION, option, "11.99", "--json")
        assert answer.json["faults"] == {"insurance-over-limit": 1}


def _offer_at_ten() -> tuple[dict[str, Any], str, tuple[int, int]] | None:
    """A coup with an offer at 10 to 1 and none before it, and what main bet and insurance hand back."""
    from tests.oracle import plain
    from tests.properties.rounds import by_atom

    edition = ("tiger-buffalo-commission", "2025-11-21")
    for cell in by_atom():
        player, banker = ([str(one) for one in hand] for hand in (cell.coup.player, cell.coup.banker))
        offers = [(after, plain.offer(*edition, after, player, banker)) for after in ("four-cards", "player-third")]
        held = [(after, one) for after, one in offers if one is not None]
        if len(held) == 1 and held[0][1][1] == 10:
            after, (bet, _, _) = held[0]
            record = {
                "id": 1, "game": edition[0], "edition": edition[1], "layout": "C", "player": player, "banker": banker,
                "wagers": [{"bet": bet.removesuffix("_insurance"), "stake": "100.00"}],
                "insurance": [{"bet": bet, "after": after, "stake": "3.00"}],
            }  # fmt: skip
            back = [plain.cents(line["handed_back"]) for line in plain.settle_record(record)["lines"]]
            cards = {
                f"{name}_{at + 1}": (hand[at] if len(hand) > at else None)
                for name, hand in (("player", player), ("banker", banker))
                for at in range(3)
            }
            return {**cards, "after": after}, bet, (back[0], back[1])
    return None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "names no edition: give --edition game/edition"),
        (["--edition", "poker"], "poker"),
        (["--edition", EDITION, "--decks", "3"], "3 decks are not allowed"),
        (["--edition", EDITION, "--maximum", "lots"], "'lots' is no amount"),
        (["--edition", EDITION, "--report", "report.doc"], "expected .json, .html, .csv"),
        (["--edition", EDITION, "--report", "no/such/folder/report.json"], "can't be written"),
    ],
)
def test_what_is_refused(words: list[str], sentence: str, rows: list[dict[str, Any]], tmp_path: Path) -> None:
    path = write(tmp_path / "rounds.parquet", rows)
    answer = call("audit-rounds", str(path), *words)
    assert (answer.status, answer.out) == (1, "")
    assert sentence in answer.err


def test_a_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "rounds.parquet").write_text("round;cards\n")
    answer = start("audit-rounds", str(tmp_path / "rounds.parquet"), "--edition", EDITION)
    assert (answer.status, answer.out) == (1, "")
    assert len(answer.err.splitlines()) == 1
    assert "is no whole Parquet file" in answer.err


def test_what_a_file_says_is_shown_as_it_stands(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    """Names in a file are no markup of ours, and move no cursor: a name must not hide a finding or stop the audit."""
    rows[3] |= {"round": "[/b]\x1b[2J 3"}
    rows[3]["wagers"][0] |= {"bet": "[/i]lucky"}
    path = write(tmp_path / "rounds[b].parquet", rows)
    answer = call("audit-rounds", str(path), "--edition", EDITION)
    assert answer.status == 1
    assert "rounds[b].parquet against" in answer.out
    assert "[/b]�[2J 3" in answer.out
    assert "'[/i]lucky' is no bet" in answer.out


def test_a_column_of_nothing_but_null_needs_no_type(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    """A few rounds without a third card, a patron's name or insurance are how a first try looks."""
    short = [one for one in rows if one["player_3"] is None and not any(w["after"] for w in one["wagers"])][:5]
    for one in short:
        one["wagers"] = [wager | {"patron": None} for wager in one["wagers"]]
    path = tmp_path / "rounds.parquet"
    pq.write_table(pa.Table.from_pylist(short), path)
    kinds = pq.read_schema(path)
    assert kinds.field("player_3").type == pa.null()
    assert kinds.field("wagers").type.value_type.field("after").type == pa.null()
    answer = call("audit-rounds", str(path), "--edition", EDITION, "--json")
    assert (answer.status, answer.err) == (0, "")
    assert answer.json["judged"] == len(short) == 5
