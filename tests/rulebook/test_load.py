"""Every way to break an edition, one change a row: the loader refuses it and says where, by file, key and paragraph."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from punto.rulebook import files, load
from punto.rulebook.check import RuleError
from tests.rulebook.library import DATES, LIVE, TIGER, Copy

BANKER = 'id = "banker"\nname = "Banker"\nkind = "main"\ncite = "4.1.2"\n'


class Row(NamedTuple):
    """In `file`, the first `old` becomes `new`; the error has every text in `says`."""

    name: str
    file: str
    old: str
    new: str
    says: tuple[str, ...]


UNCITED = [
    Row("bet", "bets", BANKER, BANKER.replace("4.1.2", ""), ("bet banker", "uncited")),
    Row("bet's definition", "bets", 'defined = "1.17"', 'defined = ""', ("bet banker", "uncited")),
    Row("return on a tie", "bets", 'returned_on_tie = "3.17"', 'returned_on_tie = ""', ("bet banker", "uncited")),
    Row("bet's further cites", "bets", 'also = ["4.1.1"]', 'also = [""]', ("bet banker", "uncited")),
    Row("pay row", "bets", "| 0.95 to 1", "| 0.95 to 1 | ", ("bet banker", "uncited")),
    Row("hands", "bets", BANKER, BANKER + "hands = 60\n", ("bet banker, 4.1.2", "hands is uncited")),
    Row("hands' cite", "bets", BANKER, BANKER + 'hands = 60\nhands_cite = ""\n', ("bet banker", "uncited")),
    Row("insurance", "insurance", 'cite = "4.1.15"', 'cite = ""', ("insurance.toml, cite", "uncited")),
    Row(
        "insurance table",
        "insurance",
        'cite = "4.1.15"\nrows',
        'cite = ""\nrows',
        ("player_insurance after", "uncited"),
    ),
    Row("tie returned", "insurance", 'returned = "4.2.1"', 'returned = ""', ("ties.returned", "uncited")),
    Row("star", "insurance", 'player_star = "4.2.1.a"', 'player_star = ""', ("player-third, starred", "uncited")),
    Row("limit", "insurance", '[limit]\ncite = "3.12.2"', '[limit]\ncite = ""', ("limit", "uncited")),
    Row("forgone", "insurance", 'cite = "5.3"', 'cite = ""', ("forgone", "uncited")),
    Row("layout", "layouts", 'cite = "Appendix A"', 'cite = ""', ("layouts A", "uncited")),
    Row("decks", "procedure", 'cite = "2.2.1"', 'cite = ""', ("decks_cite", "uncited")),
    Row("call", "procedure", 'closes_cite = "3.8"', 'closes_cite = ""', ("closes_cite", "uncited")),
    Row("tableau", "tableau", 'alone_cite = "3.13"', 'alone_cite = ""', ("alone_cite", "uncited")),
    Row("irregularity", "irregularities", 'cite = "5.1"', 'cite = ""', ("limit-passed", "uncited")),
    Row("name", "source", 'text = "閒"\ncite = "Appendix B"', 'text = "閒"\ncite = ""', ("name player", "uncited")),
    Row("erratum", "source", 'cite = "1.34"', 'cite = ""', ("erratum", "uncited")),
    Row(
        "options",
        "irregularities",
        'options_cite = "5.7.3"\n',
        "",
        ("cut-card, 5.7:", "options unless-established is uncited"),
    ),
]

CITE_REMOVED = [
    Row("bet", "bets", BANKER, BANKER.replace('cite = "4.1.2"\n', ""), ("bet banker", "missing required field `cite`")),
    Row(
        "second bet",
        "bets",
        'name = "Tie"\nkind = "side"\ncite = "4.1.3"\n',
        'name = "Tie"\nkind = "side"\n',
        ("bet tie", "`cite`"),
    ),
    Row("insurance table", "insurance", 'cite = "4.1.15"\nrows', "rows", ("table player_insurance", "`cite`")),
    Row("limit", "insurance", '[limit]\ncite = "3.12.2"', "[limit]", ("`cite`", "$.limit")),
    Row("layout", "layouts", '"1-6", cite = "Appendix C"', '"1-6"', ("layouts C", "`cite`")),
    Row("decks", "procedure", 'cite = "2.2.1"', "", ("`cite`", "$.decks")),
    Row("tableau", "tableau", 'player_cite = "3.15"', "", ("`player_cite`",)),
    Row("irregularity", "irregularities", 'cite = "5.6"\n', "", ("late-wagers", "`cite`")),
    Row("erratum", "source", 'cite = "1.34"\n', "", ("erratum 1", "`cite`")),
]

UNKNOWN_PARAGRAPH = [
    Row("bet", "bets", 'defined = "1.17"', 'defined = "1.99"', ("bet banker", "no paragraph 1.99")),
    Row("pay row", "bets", "| 0.95 to 1", "| 0.95 to 1 | 4.9", ("bet banker", "no paragraph 4.9")),
    Row("insurance", "insurance", 'cite = "5.3"', 'cite = "5.33"', ("forgone", "no paragraph 5.33")),
    Row("layout", "layouts", 'cite = "Appendix A"', 'cite = "Appendix Z"', ("layouts A", "no paragraph Appendix Z")),
    Row(
        "list of layouts", "layouts", '"4.1.3" = ', '"4.1.33" = "A"\n"4.1.3" = ', ("applicable", "no paragraph 4.1.33")
    ),
    Row("procedure", "procedure", 'late_cite = "5.6"', 'late_cite = "5.66"', ("late_cite", "no paragraph 5.66")),
    Row("tableau", "tableau", 'banker_cite = "3.15"', 'banker_cite = "3.155"', ("banker_cite", "no paragraph 3.155")),
    Row("irregularity", "irregularities", 'cite = "5.1"', 'cite = "6.1"', ("limit-passed", "no paragraph 6.1")),
    Row("options", "irregularities", '"5.7.3"', '"5.7.9"', ("cut-card", "no paragraph 5.7.9")),
    Row("erratum", "source", 'cite = "1.34"', 'cite = "1.340"', ("erratum", "no paragraph 1.340")),
]

ODDS = [
    Row(f"odds {odds}", "bets", "| 0.95 to 1", f"| {odds}", ("bet banker, 4.1.2", "odds"))
    for odds in ("about 3 to 1", "0.95", "1/3", "3", "even", "", "3 to 0", "0 to 1", "-1 to 1")
] + [
    Row(
        "a float",
        "bets",
        'pays = """\nBanker wins | 0.95 to 1\n"""',
        "pays = 0.95",
        ("bet banker, 4.1.2", "Expected `str`"),
    ),
    Row(
        "not a number",
        "bets",
        'pays = """\nBanker wins | 0.95 to 1\n"""',
        "pays = nan",
        ("bet banker", "Expected `str`"),
    ),
    Row("insurance", "insurance", "| 3 to 2", "| 1.5", ("player_insurance after four-cards, 4.1.15", "no exact odds")),
    Row("limit's odds", "insurance", 'at_odds = "10 to 1"', 'at_odds = "10"', ("limit, 3.12.2", "no exact odds")),
]

BETS = [
    Row("unknown bet", "bets", 'id = "banker"', 'id = "dragon"', ("bet dragon, 4.1.2", "no bet that the game knows")),
    Row("unknown kind", "bets", 'kind = "main"', 'kind = "big"', ("bet banker, 4.1.2", "expected main or side")),
    Row("twice", "bets", 'id = "player"\n', 'id = "banker"\n', ("bet banker, 4.1.2", "the bet is listed twice")),
    Row(
        "unknown case", "bets", "Banker wins |", "Banker smiles |", ("bet banker, 4.1.2", "'Banker smiles' is no case")
    ),
    Row("no odds", "bets", "Banker wins | 0.95 to 1", "Banker wins", ("bet banker, 4.1.2", "no pay row")),
    Row("a cell too many", "bets", "| 0.95 to 1", "| 0.95 to 1 | 4.1.2 | 5", ("bet banker, 4.1.2", "no pay row")),
    Row("no rows", "bets", "Banker wins | 0.95 to 1\n", "", ("bet banker, 4.1.2", "pays nothing")),
    Row(
        "case twice",
        "bets",
        "Player wins | 1 to 1",
        "Player wins | 1 to 1\nPlayer wins | 2 to 1",
        ("bet player, 4.1.2", "twice"),
    ),
    Row("on no layout", "layouts", '"4.1.13" = "M"', "", ("applicable, 4.1.13", "the bet tiger is on no layout")),
    Row("on an empty list", "layouts", '"4.1.13" = "M"', '"4.1.13" = ""', ("4.1.13", "the bet tiger is on no layout")),
    Row("on an unknown layout", "layouts", '"4.1.13" = "M"', '"4.1.13" = "M Z"', ("4.1.13", "there is no layout Z")),
]

TABLES = [
    Row(
        "hole for Player",
        "tableau",
        "6-7                | stands\n",
        "",
        ("player, 3.15", "expected 0 to 9, each once"),
    ),
    Row("overlap for Player", "tableau", "6-7 ", "5-6-7 ", ("player, 3.15", "5 points are in two rows")),
    Row(
        "hole for Banker",
        "tableau",
        "7                  | -                            | any\n",
        "",
        ("banker, 3.15", "0 to 9"),
    ),
    Row(
        "overlap for Banker",
        "tableau",
        "0-1-2              | any",
        "0-1-2-3              | any",
        ("banker, 3.15", "3 points"),
    ),
    Row(
        "third card forgotten",
        "tableau",
        "0-1-2-3-4-5-6-7-9 ",
        "0-1-2-3-4-5-6-7 ",
        ("banker, 3.15", "do not make up 0 to 9"),
    ),
    Row("third card in both", "tableau", "| 8\n", "| 8-9\n", ("banker, 3.15", "do not make up 0 to 9")),
    Row("hole alone", "tableau", "6-7-8-9            | stands\n", "", ("alone, 3.13", "expected 0 to 9")),
    Row(
        "unknown verdict",
        "tableau",
        "| draws\n",
        "| waits\n",
        ("player, 3.15", "'waits' is no verdict: expected draws"),
    ),
    Row(
        "natural alone",
        "tableau",
        "6-7-8-9            | stands",
        "6-7-8-9            | natural",
        ("alone, 3.13", "'natural'"),
    ),
    Row("a cell missing", "tableau", "6-7                | stands", "6-7", ("player, 3.15", "1 cells: expected 2")),
    Row("no points", "tableau", "6-7 ", "six ", ("player, 3.15", "'six' are no points")),
    Row(
        "points of 10",
        "tableau",
        "8-9                | natural",
        "8-9-10 | natural",
        ("player, 3.15", "'8-9-10' are no points"),
    ),
    Row("points falling", "tableau", "6-7 ", "7-6 ", ("player, 3.15", "expected rising numbers, each once")),
    Row(
        "points twice", "tableau", "0-1-2-3-4-5        | draws", "0-1-1-2-3-4-5 | draws", ("player, 3.15", "each once")
    ),
    Row("other digits", "tableau", "6-7 ", "٦-٧ ", ("player, 3.15", "no points")),
    Row(
        "empty",
        "tableau",
        "0-1-2-3-4-5        | draws\n6-7                | stands\n8-9                | natural\n",
        "",
        ("player, 3.15", "empty"),
    ),
    Row(
        "insurance cell missing",
        "insurance",
        "| 3 to 2\n",
        "\n",
        ("player_insurance after four-cards, 4.1.15", "expected 3"),
    ),
    Row("insurance points", "insurance", "5             | 4 ", "5             | x ", ("4.1.15", "'x' are no points")),
    Row(
        "insurance twice",
        "insurance",
        "6             | 0-5",
        "5-6           | 0-5",
        ("4.1.15", "Player 5 against Banker 4 is in two rows"),
    ),
    Row("share", "insurance", '"25 %"', '"a quarter"', ("limit, 3.12.2", "'a quarter' is no share")),
    Row("share over all", "insurance", '"25 %"', '"125 %"', ("limit, 3.12.2", "no share")),
    Row("share alone", "insurance", 'at_odds = "10 to 1"\n', "", ("limit, 3.12.2", "go together")),
    Row("positions", "layouts", '"1-6"', '"six"', ("layouts A, Appendix A", "'six' is no range")),
    Row("positions falling", "layouts", '"1-6"', '"6-1"', ("layouts A, Appendix A", "no range")),
    Row("positions from 0", "layouts", '"1-6"', '"0-6"', ("layouts A, Appendix A", "no range")),
    Row("positions in other digits", "layouts", '"1-6"', '"1-²"', ("layouts A, Appendix A", "no range")),
]

WORDS = [
    Row(
        "insured bet",
        "insurance",
        '"player_insurance"',
        '"tie_insurance"',
        ("tie_insurance after four-cards, 4.1.15", "expected"),
    ),
    Row("moment", "insurance", '"four-cards"', '"five-cards"', ("table player_insurance, 4.1.15", "five-cards")),
    Row(
        "limit binds",
        "insurance",
        'binds = "stake"',
        'binds = "hope"',
        ("limit.binds, 3.12.2", "expected stake or winnings"),
    ),
    Row("limit per", "insurance", 'per = "offer"', 'per = "day"', ("limit.per, 3.12.2", "expected offer or round")),
    Row("forgone", "insurance", 'scope = "round"', 'scope = "shoe"', ("forgone.scope, 5.3", "expected round or offer")),
    Row(
        "both hands",
        "insurance",
        'offered = "each"',
        'offered = "one"',
        ("both_hands.offered, 3.11", "expected each or none"),
    ),
    Row(
        "not offered",
        "insurance",
        '"private-tables"',
        '"some"',
        ("not_offered.allowed, 4.2.2", "expected private-tables"),
    ),
    Row("squeeze", "procedure", 'by = "any"', 'by = "all"', ("squeeze.by, 3.9", "expected seated or any or none")),
    Row("burn", "procedure", 'rule = "none"', 'rule = "two"', ("burn.rule, 2.2.1", "expected none or first-card-rank")),
    Row("decider", "irregularities", '"pit-supervisor"', '"boss"', ("void, 5.5", "'boss'", "expected dealer")),
    Row("options", "irregularities", '"unless-established"', '"maybe"', ("cut-card, 5.7", "'maybe'", "expected")),
    Row("discretion", "irregularities", '"reasonable"', '"free"', ("excess-card, 5.8", "'free'", "expected absolute")),
    Row(
        "goes by",
        "irregularities",
        'cite = "5.1"',
        'cite = "5.1"\ngoes_by = "luck"',
        ("limit-passed, 5.1", "goes by luck"),
    ),
    Row("disposition", "paragraphs", 'is = "definition"', 'is = "poem"', ("paragraphs 1.1", "poem")),
    Row("hand", "procedure", "Player Banker Player", "Player House Player", ("deal, 3.10", "house")),
    Row(
        "deal order",
        "procedure",
        "Player Banker Player Banker",
        "Banker Player Banker Player",
        ("deal, 3.10", "is not the order of the deal: expected Player Banker Player Banker"),
    ),
    Row("default decks", "procedure", "default = 8", "default = 11", ("decks, 2.2.1", "11 is not among")),
    Row("decks' range", "procedure", "maximum = 10", "maximum = 12", ("decks, 2.2.1", "from minimum to maximum")),
]

SHAPES = [
    Row(
        "unknown key in bets", "bets", BANKER, BANKER + "colour = 1\n", ("bet banker, 4.1.2", "unknown field `colour`")
    ),
    Row("unknown key in source", "source", "title =", "headline = 1\ntitle =", ("unknown field `headline`",)),
    Row("unknown key in layouts", "layouts", "[layouts]", "[tables]\n[layouts]", ("unknown field `tables`",)),
    Row(
        "unknown key in irregularities",
        "irregularities",
        'cite = "5.2"',
        'cite = "5.2"\nwho = 1',
        ("under-minimum, 5.2", "`who`"),
    ),
    Row("key missing", "source", "title =", "#", ("missing required field `title`",)),
    Row("decks as text", "procedure", "default = 8", 'default = "8"', ("Expected `int`", "$.decks.default")),
    Row("key twice", "procedure", "default = 8", "default = 8\ndefault = 8", ("Cannot overwrite",)),
    Row("broken TOML", "tableau", 'player_cite = "3.15"', 'player_cite = "3.15', ("line 2",)),
    Row("endless number", "procedure", "default = 8", "default = " + "8" * 5000, ("4300 digits",)),
    Row("gist empty", "paragraphs", 'gist = "An ace counts 1."', 'gist = " "', ("3.2.1", "gist is empty")),
    Row(
        "gist of two lines",
        "paragraphs",
        'gist = "An ace counts 1."',
        'gist = "An ace\\ncounts 1."',
        ("3.2.1", "longer than a line"),
    ),
    Row("no topic", "paragraphs", 'topic = "card.ace"', "topic = []", ("3.2.1", "has no topic")),
    Row("empty topic", "paragraphs", 'topic = "card.ace"', 'topic = ""', ("3.2.1", "has no topic")),
    Row(
        "topic twice",
        "paragraphs",
        'topic = "card.ace"',
        'topic = "card.values"',
        ("3.2.1", "card.values already belongs to 3.2"),
    ),
    Row(
        "another game",
        "source",
        'game = "tiger',
        'game = "lion',
        ("game and edition say lion", "expected the folder's name"),
    ),
    Row(
        "another edition", "source", 'edition = "2025-11-21"', 'edition = "2025-11-22"', ("expected the folder's name",)
    ),
]

TABLE = {
    **{f"uncited {row.name}": row for row in UNCITED},
    **{f"cite removed: {row.name}": row for row in CITE_REMOVED},
    **{f"unknown paragraph: {row.name}": row for row in UNKNOWN_PARAGRAPH},
    **{row.name: row for row in (*ODDS, *BETS, *TABLES, *WORDS, *SHAPES)},
}


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE.keys())
def test_a_broken_edition_is_refused_with_its_place(row: Row, tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    copy.change(row.file, row.old, row.new)
    with pytest.raises(RuleError) as refused:
        copy.load()
    message = str(refused.value)
    assert message.startswith(f"{TIGER[0]}/{DATES[1]}/{row.file}.toml")
    for text in row.says:
        assert text in message


def test_an_unchanged_copy_loads(tmp_path: Path) -> None:
    """The rows above rely on this: it is their one change that is refused."""
    assert Copy(tmp_path).load().data_sha256 == load.edition(TIGER[0], DATES[1]).data_sha256


def test_a_ruling_without_a_gist_is_refused(tmp_path: Path) -> None:
    copy = Copy(tmp_path, LIVE[0], "undated")
    text = copy.file("paragraphs").read_text("utf-8")
    start = text.index("[rulings]")
    gist = re.search(r'gist = "[^"]+"', text[start:])
    assert gist is not None
    copy.file("paragraphs").write_text(text[:start] + text[start:].replace(gist[0], 'gist = ""', 1), "utf-8")
    with pytest.raises(RuleError, match=r"paragraphs\.toml, ruling \w+: the gist is empty"):
        copy.load()


@pytest.mark.parametrize("name", files.FILES)
def test_a_missing_file_is_named(name: str, tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    copy.file(name).unlink()
    with pytest.raises(RuleError, match=rf"/{name}\.toml: the file is missing"):
        copy.load()


@pytest.mark.parametrize("name", files.FILES)
def test_an_oversized_file_is_refused_unread(name: str, tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    with copy.file(name).open("ab") as file:
        file.write(b"#" * (1 << 20))
    with pytest.raises(RuleError, match=rf"/{name}\.toml: the file is larger than 1048576 bytes"):
        copy.load()


@pytest.mark.parametrize("name", files.FILES)
def test_text_that_is_not_utf_8_is_refused(name: str, tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    with copy.file(name).open("ab") as file:
        file.write(b"# \xff\n")
    with pytest.raises(RuleError, match=rf"/{name}\.toml: 'utf-8' codec can't decode"):
        copy.load()


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    copy.change("bets", "[[bet]]", "deep = " + "[" * 5000 + "]" * 5000 + "\n[[bet]]")
    with pytest.raises(RuleError, match=r"/bets\.toml"):
        copy.load()


# Editions that are not there.


@pytest.mark.parametrize(
    "name",
    [
        ("tiger", DATES[1]),
        (TIGER[0], "2025-11-20"),
        (TIGER[0], ""),
        ("", ""),
        ("..", ".."),
        (TIGER[0], "../" + LIVE[0]),
        ("/etc", "ssl"),
        ("x" * 5000, DATES[1]),
        (TIGER[0] + "\0", DATES[1]),
        (TIGER[0].upper(), DATES[1]),
    ],
    ids=lambda name: "/".join(name)[:40].replace("\0", "NUL"),
)
def test_an_unknown_edition_is_answered_with_those_there_are(name: tuple[str, str]) -> None:
    with pytest.raises(RuleError, match=f"there is no edition .*: the library holds {LIVE[0]}/undated, .*{DATES[1]}"):
        load.edition(*name)


def test_every_line_end_gives_the_same_hash(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    for name in files.FILES:
        path = copy.file(name)
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert copy.load().data_sha256 == load.edition(TIGER[0], DATES[1]).data_sha256


# Dates (E1).


def write_date(copy: Copy, text: str) -> None:
    copy.change("source", "in_force_from = 2025-11-21T08:00:00+08:00", text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the date is missing: only an edition called undated is always in force"),
        ("in_force_from = 2025-11-21T08:00:00", "the time has no zone"),
        ("in_force_from = 2025-11-22T08:00:00+08:00", "2025-11-22 is not the edition's name 2025-11-21"),
        ('in_force_from = "soon"', r"\$\.in_force_from"),
        ("in_force_from = 2025-11-21", r"\$\.in_force_from"),
    ],
)
def test_a_wrong_date_is_refused(text: str, says: str, tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    write_date(copy, text)
    with pytest.raises(RuleError, match=f"{TIGER[0]}/{DATES[1]}/source.toml.*{says}"):
        load.catalogue(tmp_path)


def test_two_editions_from_the_same_instant_overlap(tmp_path: Path) -> None:
    Copy(tmp_path)
    eve = tmp_path / TIGER[0] / "2025-11-20"
    shutil.copytree(tmp_path / TIGER[0] / DATES[1], eve)
    source = (eve / "source.toml").read_text("utf-8").replace('edition = "2025-11-21"', 'edition = "2025-11-20"')
    same_instant = source.replace("2025-11-21T08:00:00+08:00", "2025-11-20T20:00:00-04:00")
    (eve / "source.toml").write_text(same_instant, "utf-8")
    with pytest.raises(RuleError, match=r"in_force_from: overlaps .*, which starts at the same time"):
        load.catalogue(tmp_path)


def test_an_undated_edition_overlaps_every_dated_one(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    undated = tmp_path / TIGER[0] / "undated"
    shutil.copytree(copy.folder, undated)
    source = (undated / "source.toml").read_text("utf-8").replace('edition = "2025-11-21"', 'edition = "undated"')
    (undated / "source.toml").write_text(source.replace("in_force_from", "# in_force_from"), "utf-8")
    with pytest.raises(RuleError, match=rf"{TIGER[0]}/undated/source\.toml.*can't have dated editions as well"):
        load.catalogue(tmp_path)
