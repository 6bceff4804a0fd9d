"""`punto watch` as a user calls it, and the file that it reads."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from punto.cards import DECK
from punto.sim.audit.columns import BadFile
from punto.watch.file import RecordedShoes
from punto.watch.references import Round, picked_up
from punto.watch.settings import pick_up_order
from tests.cli.program import call
from tests.sim.recorded import SCHEMA
from tests.watch.shoes import RULES, rounds, shuffled, with_slug

EDITION = "tiger-buffalo-commission/2025-11-21"
ORDER = "P3 P1 P2 B3 B1 B2"
COLUMNS = ("player_1", "banker_1", "player_2", "banker_2", "player_3", "banker_3")
FULL = SCHEMA.append(pa.field("table", pa.string())).append(pa.field("shoe", pa.int64()))
FULL = FULL.append(pa.field("card_set", pa.string())).append(pa.field("number", pa.int32()))
BETS = tuple(bet.value for bet in RULES.bets)


def row(table: str, shoe: int, number: int, dealt: Round, *, suits: bool = True) -> dict[str, Any]:
    cards = {name: None if card is None else str(DECK[card]) for name, card in zip(COLUMNS, dealt, strict=True)}
    if not suits:
        cards = {name: card if card is None else card[:-1].replace("T", "10") for name, card in cards.items()}
    wagers = [
        {"bet": "banker", "stake_cents": 2_500, "handed_back_cents": 0, "patron": "ann", "after": None},
        {"bet": "tiger", "stake_cents": 500 * (1 + number % 3), "handed_back_cents": 0, "patron": "bo", "after": None},
    ]
    return {
        "round": f"{table}-{shoe}-{number}",
        "layout": "C",
        **cards,
        "wagers": wagers,
        "table": table,
        "shoe": shoe,
        "card_set": f"{table}-a",
        "number": number,
    }


def rows(*, suits: bool = True) -> list[dict[str, Any]]:
    """Two tables in turn, four shoes each; in the third one of T2 lie forty cards of the second."""
    chance = random.Random(25)
    made: list[dict[str, Any]] = []
    last: list[Round] = []
    for shoe in range(1, 5):
        for table in ("T1", "T2"):
            cards = shuffled(chance)
            if (table, shoe) == ("T2", 3):
                cards = with_slug(chance, list(picked_up(last, pick_up_order(ORDER)))[30:70], 200)
            held = rounds(cards)
            made += [row(table, shoe, number, dealt, suits=suits) for number, dealt in enumerate(held, 1)]
            if table == "T2":
                last = held
    return made


def write(path: Path, made: list[dict[str, Any]], schema: pa.Schema = FULL) -> Path:
    table = pa.Table.from_pylist(made, schema=schema).replace_schema_metadata({"punto.edition": EDITION})
    pq.write_table(table, path, row_group_size=100)
    return path


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("watch") / "rounds.parquet", rows())


def test_a_slug_is_seen_and_the_report_is_ready(planted: Path, tmp_path: Path) -> None:
    html, xlsx = tmp_path / "watch.html", tmp_path / "watch.xlsx"
    answer = call("watch", str(planted), "--pick-up", ORDER, "--json", "--report", str(html))
    assert answer.status == 1
    assert answer.err == "punto: 1 alarms about shoes, 0 patrons or groups named: look at each\n"
    seen = answer.json["watched"]
    assert (seen["shoes"], seen["patrons"], seen["flaws"]) == (8, 2, {})
    alarm = seen["alarms"][0]
    assert (alarm["table"], alarm["shoe"], alarm["first_card"], alarm["length"]) == ("T2", "3", 201, 40)
    assert alarm["resembles"] == f"picked-up {ORDER} of shoe 2, cards 31 to 70"
    assert alarm["report"] == {
        "do": "report-irregularity",
        "kind": "void",
        "cause": "unshuffled",
        "note": alarm["note"],
    }
    assert alarm["times_a_year"] < 1e-30
    assert seen["valued_rounds"] == seen["rounds"]
    assert "picked-up" in html.read_text("utf-8")
    shown = call("watch", "rounds", str(planted), "--pick-up", ORDER, "--report", str(xlsx))
    assert "run: 40 cards" in " ".join(shown.out.split())
    with ZipFile(xlsx) as file:
        assert "xl/worksheets/sheet2.xml" in file.namelist()


def test_measures_add_up(planted: Path) -> None:
    seen = call("watch", str(planted), "--pick-up", ORDER, "--late-limit", "10.00", "--json").json["watched"]
    late = [depth for depth in seen["depths"] if depth["cards_left"] < 52]
    cut = next(
        measure for measure in seen["measures"] if measure["cards_left"] == 52 and measure["measure"].startswith("cut")
    )
    assert cut["saved"] == pytest.approx(sum(depth["gain"] for depth in late))
    assert cut["saved"] - cut["cost"] == pytest.approx(sum(depth["worth"] for depth in late))
    limit = next(
        measure for measure in seen["measures"] if measure["cards_left"] == 52 and "10.00" in measure["measure"]
    )
    assert 0 <= limit["saved"] <= cut["saved"]


def test_by_rank_and_without_the_other_columns(tmp_path: Path) -> None:
    """A small house may compare by rank, too; a file may name only the shoe."""
    schema = pa.schema([field for field in FULL if field.name not in ("table", "card_set", "number")])
    made = [line for line in rows(suits=False) if line["table"] == "T2"]
    path = write(tmp_path / "plain.parquet", made, schema)
    answer = call("watch", str(path), "--pick-up", ORDER, "--tables", "10", "--json")
    seen = answer.json["watched"]
    assert seen["flaws"] == {"no-suits": 4}
    assert [alarm["kind"] for alarm in seen["alarms"]] == ["run"]
    assert seen["alarms"][0]["shoe"] == "3"


def test_nothing_is_said_about_honest_shoes(tmp_path: Path) -> None:
    path = write(tmp_path / "honest.parquet", [line for line in rows() if line["table"] == "T1"])
    answer = call("watch", str(path))
    assert (answer.status, answer.err) == (0, "")
    assert "Nothing suspicious." in answer.out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--pick-up", "P1 P2"], "each of P1 B1 P2 B2 P3 B3 once"),
        (["--new-deck", "AS"], "each of the 52 once"),
        (["--false-alarms", "0"], "expected more than 0 and at most 365000, the number of shoes in a year"),
        (["--decks", "9"], "expected 1 to 8"),
        (["--report", "x.pdf"], "expected .json, .html, .xlsx"),
    ],
)
def test_what_cannot_be_meant_is_refused(planted: Path, words: list[str], reason: str) -> None:
    answer = call("watch", str(planted), *words)
    assert (answer.status, answer.out) == (1, "")
    assert reason in answer.err


def test_a_file_without_shoes_is_refused(tmp_path: Path) -> None:
    schema = pa.schema([field for field in FULL if field.name != "shoe"])
    path = write(tmp_path / "rounds.parquet", rows()[:10], schema)
    with pytest.raises(BadFile, match="no column 'shoe'"):
        RecordedShoes(path, BETS)


def test_exposure_as_report_and_plot(tmp_path: Path) -> None:
    html, plot = tmp_path / "exposure.html", tmp_path / "exposure.svg"
    words = ["watch", "exposure", EDITION, "--shoes", "12", "--cut", "14", "--cut", "104", "--limit", "1000.00"]
    answer = call(*words, "--json", "--report", str(html), "--plot", str(plot))
    assert (answer.status, answer.err) == (0, "")
    counted = {(line["name"], line["cut"]): line for line in answer.json["counted"]}
    assert counted["big_tiger", 14]["worst"] == "50000.00"
    assert counted["big_tiger", 14]["favourable"] >= counted["big_tiger", 104]["favourable"]
    assert any(name.startswith("insurance") for name, _ in counted)
    assert plot.read_text("utf-8").startswith("<svg")
    assert "<svg" in html.read_text("utf-8")
    assert call("watch", "exposure", EDITION, "--cut", "3").status == 1
