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
    return [row(record) for record in MADE]


def test_a_faultless_file(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    path = write(tmp_path / "rounds.parquet", rows)
    answer = call("audit-rounds", str(path), "--edition", EDITION, "--json")
    assert (answer.status, answer.err) == (0, "")
    report = answer.json
    assert (report["game"], report["edition"]) == tuple(EDITION.split("/"))
    assert (report["rounds"], report["judged"], report["faults"], report["findings"]) == (200, 200, {}, [])
    assert report["wagers"] == sum(bet["wagers"] for bet in report["bets"].values())
    assert all(bet["due"] == bet["handed_back"] for bet in report["bets"].values())
    assert sum(result["observed"] for result in report["results"].values()) == 200
    assert report["chi_square"] is None, "200 rounds are too few for 779 classes"
    assert 0 <= report["chi_square_results"]["p"] <= 1
    assert report["chi_square_results"]["degrees"] == 2
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
    report = answer.json
    assert report["faults"] == {"table-of-play": 1, "wrong-payment": 1}
    assert [(finding["round"], finding["wager"], finding["code"]) for finding in report["findings"]] == [
        ("r3", 1, "wrong-payment"),
        ("r150", None, "table-of-play"),
    ]
    assert all(finding["paragraph"] for finding in report["findings"])
    assert (report["overpaid"], report["underpaid"]) == ("0.01", "0.00")
    short = call("audit-rounds", str(path), "--edition", EDITION, "--json", "--most", "1").json
    assert (len(short["findings"]), short["findings_left_off"]) == (1, 1)
    shown = call("audit-rounds", str(path), "--edition", EDITION)
    assert shown.status == 1
    assert "wrong-payment" in shown.out
    assert "overpaid 0.01" in shown.out


@pytest.mark.parametrize("ending", ["json", "html", "csv"])
def test_a_report(ending: str, rows: list[dict[str, Any]], tmp_path: Path) -> None:
    for round_ in rows[:7]:
        round_["wagers"][0]["handed_back_cents"] += 1
    path, report = write(tmp_path / "rounds.parquet", rows), tmp_path / f"report.{ending}"
    answer = call("audit-rounds", str(path), "--edition", EDITION, "--report", str(report), "--most", "5", "--json")
    assert answer.status == 1
    text = report.read_text("utf-8")
    if ending == "json":
        assert json.loads(text) == answer.json
    elif ending == "csv":
        listed = list(csv.DictReader(text.splitlines()))
        assert [finding["round"] for finding in listed] == [f"r{at}" for at in range(7)]
        assert {finding["code"] for finding in listed} == {"wrong-payment"}
    else:
        assert "The first 5 findings" in text
        assert "2 more are counted and not listed here" in text
    assert {file.name for file in tmp_path.iterdir()} == {"rounds.parquet", report.name}


def test_the_file_may_name_its_edition(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    table = pa.Table.from_pylist(rows, schema=SCHEMA)
    pq.write_table(table.replace_schema_metadata({"punto.edition": EDITION}), path)
    assert call("audit-rounds", str(path), "--json").json["edition"] == "2025-11-21"


def test_the_table_s_maximum_caps_insurance(tmp_path: Path) -> None:
    """3.12.2: at 10 to 1, insurance is at most a quarter of the maximum. 3.00 is too much with 11.99."""
    wager = {"patron": "ann", "after": None}
    taken = {"bet": "player_insurance", "stake_cents": 300, "after": "player-third", "patron": "ann"}
    offer = _offer_at_ten()
    if offer is None:
        pytest.skip("no offer at 10 to 1 in this edition")
    cards, bet, back = offer
    main = {**wager, "bet": bet.removesuffix("_insurance"), "stake_cents": 10_000, "handed_back_cents": back[0]}
    insured = {**taken, "bet": bet, "handed_back_cents": back[1], "after": cards.pop("after")}
    path = write(tmp_path / "rounds.parquet", [{"round": "r", "layout": "C", **cards, "wagers": [main, insured]}])
    assert call("audit-rounds", str(path), "--edition", EDITION, "--maximum", "12.00").status == 0
    for option in ("--maximum", "--maximum-differential"):
        answer = call("audit-rounds", str(path), "--edition", EDITION, option, "11.99", "--json")
        assert answer.json["faults"] == {"insurance-over-limit": 1}


def _offer_at_ten() -> tuple[dict[str, Any], str, tuple[int, int]] | None:
    """A coup whose only offer is at 10 to 1, the bet, and what main bet and insurance hand back."""
    from tests.oracle import plain
    from tests.properties.rounds import by_atom

    edition = ("tiger-buffalo-commission", "2025-11-21")
    for cell in by_atom():
        player, banker = ([str(card) for card in hand] for hand in (cell.coup.player, cell.coup.banker))
        offers = [(after, plain.offer(*edition, after, player, banker)) for after in ("four-cards", "player-third")]
        held = [(after, offer) for after, offer in offers if offer is not None]
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
    """Names in a file are shown without markup or cursor moves: a name can't hide a finding or stop the audit."""
    rows[3] |= {"round": "[/b]\x1b[2J 3"}
    rows[3]["wagers"][0] |= {"bet": "[/i]lucky"}
    path = write(tmp_path / "rounds[b].parquet", rows)
    answer = call("audit-rounds", str(path), "--edition", EDITION)
    assert answer.status == 1
    assert "rounds[b].parquet against" in answer.out
    assert "[/b]�[2J 3" in answer.out
    assert "'[/i]lucky' is no bet" in answer.out


def test_a_column_of_nothing_but_null_needs_no_type(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    """Somebody's first file may hold a few rounds without a third card, a patron's name or insurance."""
    short = [entry for entry in rows if entry["player_3"] is None and not any(w["after"] for w in entry["wagers"])][:5]
    for short_round in short:
        short_round["wagers"] = [wager | {"patron": None} for wager in short_round["wagers"]]
    path = tmp_path / "rounds.parquet"
    pq.write_table(pa.Table.from_pylist(short), path)
    kinds = pq.read_schema(path)
    assert kinds.field("player_3").type == pa.null()
    assert kinds.field("wagers").type.value_type.field("after").type == pa.null()
    answer = call("audit-rounds", str(path), "--edition", EDITION, "--json")
    assert (answer.status, answer.err) == (0, "")
    assert answer.json["judged"] == len(short) == 5
