"""`punto settle`: the contract's example, every error code, and every bad line; nothing after a bad line is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.cli.lines import batches
from punto.game.record import settle_line
from punto.money import amount, cents
from tests.cli.program import call, start
from tests.cli.rounds import EXAMPLE, SETTLED, line, record, staked

CODES = {
    *("table-of-play", "unknown-card", "too-many-of-a-card", "unknown-bet", "bet-not-on-layout", "unknown-layout"),
    *("unknown-edition", "bad-amount", "no-original-bet", "no-such-offer", "insurance-forgone", "insurance-over-limit"),
    "bad-record",
}

# Good records.


def test_the_example_of_the_contract_by_the_real_program() -> None:
    answer = start("settle", stdin=line() + b"\n")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out == json.dumps(SETTLED, separators=(",", ":")) + "\n"


@pytest.mark.parametrize("name", ["-", "file", "nothing"])
def test_records_come_from_a_file_or_from_standard_input(name: str, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(line() + b"\n")
    words = {"-": ["-"], "file": [str(path)], "nothing": []}[name]
    answer = call("settle", *words, stdin=b"" if name == "file" else line())
    assert (answer.status, answer.lines) == (0, [SETTLED])


def test_no_records_give_no_lines() -> None:
    assert call("settle", stdin=b"") == (0, "", "")


@pytest.mark.parametrize(
    "text",
    [
        line() + b"\r\n" + line() + b"\r\n",
        b"\xef\xbb\xbf" + line() + b"\n" + line() + b"\n",
        b"\n\n" + line() + b"\n  \n" + line() + b"\n\n",
        line() + b"\n" + line(),
        b" " + line() + b"\t\n" + json.dumps(EXAMPLE, separators=(" , ", " : ")).encode(),
    ],
    ids=["\\r\\n", "byte order mark", "empty lines", "no last line end", "blanks"],
)
def test_line_ends_marks_and_blanks_of_other_programs_are_no_fault(text: bytes) -> None:
    answer = call("settle", stdin=text)
    assert (answer.status, answer.lines) == (0, [SETTLED, SETTLED])


def test_id_and_patron_may_be_left_out() -> None:
    text = line(id=None, insurance=None, wagers=[{"bet": "banker", "stake": "1"}])
    (slip,) = call("settle", stdin=text).lines
    assert (slip["id"], slip["lines"][0]["id"], slip["handed_back"]) == (None, None, "2.00")


@pytest.mark.parametrize("name", ["r1", "", "閒", 7, -1, 2.5, 10**30, "x" * 10_000])
def test_an_id_comes_back_as_it_was_given(name: object) -> None:
    (slip,) = call("settle", stdin=line(id=name)).lines
    assert slip["id"] == name


@pytest.mark.parametrize(
    ("on", "edition", "note"),
    [
        ("2024-05-14", "2024-05-14", True),
        ("2025-11-21T07:59:59.999999", "2024-05-14", True),
        ("2025-11-21", "2025-11-21", False),
        ("2025-11-21T00:00:00Z", "2025-11-21", False),
    ],
)
def test_the_day_decides_the_edition(on: str, edition: str, note: bool) -> None:
    (slip,) = call("settle", stdin=line(edition=None, on=on)).lines
    assert (slip["edition"], "Version 2" in slip.get("note", "")) == (edition, note)


@pytest.mark.parametrize("on", ["2020-01-01", "2024-05-14", "2026-01-01T00:00Z", None])
def test_an_edition_that_is_named_governs_on_any_day(on: str | None) -> None:
    """E1, for both ways to name an edition. E3 warns whoever asks by a date, and here nobody does."""
    game, edition = EXAMPLE["game"], "2024-05-14"
    (apart,) = call("settle", stdin=line(edition=edition, on=on)).lines
    (together,) = call("settle", stdin=line(game=f"{game}/{edition}", edition=None, on=on)).lines
    assert apart == together == {**SETTLED, "edition": edition, "lines": apart["lines"]}


def test_without_a_day_the_edition_in_force_now_counts() -> None:
    (slip,) = call("settle", stdin=line(edition=None)).lines
    assert slip["edition"] >= "2025-11-21"
    assert "note" not in slip


def test_commission_is_exact_to_the_half_cent() -> None:
    """M1: 0.95 × 0.10 = 0.095, and the half cent goes to the patron."""
    text = line(game="tiger-buffalo-commission", insurance=None, wagers=[{"bet": "banker", "stake": "0.10"}])
    (slip,) = call("settle", stdin=text).lines
    assert (slip["lines"][0]["odds"], slip["lines"][0]["winnings"]) == ("19/20", "0.10")


AT_TEN_TO_ONE: dict[str, dict[str, Any]] = {
    "player": {"player": ["KH", "QD", "8C"], "banker": ["KS", "2D", "5H"]},
    "banker": {"player": ["KH", "QD", "AC"], "banker": ["KS", "2D", "5H"]},
}
"""The insured hand, and cards on which its insurance pays 10 to 1."""


def insured(hand: str, stake: str) -> list[dict[str, str]]:
    return [{"bet": f"{hand}_insurance", "after": "player-third", "stake": stake}]


@pytest.mark.parametrize(
    ("limits", "most", "hand"),
    [
        (None, "1000.00", "player"),
        ({"maximum": "1000.00"}, "250.00", "player"),
        ({"maximum_differential": "1000.00"}, "250.00", "player"),
        ({"maximum": "800.00", "maximum_differential": "1000.00"}, "200.00", "player"),
        ({"maximum": "999.99"}, "249.99", "player"),
        ({"maximum": "10000.00"}, "1000.00", "player"),
        ({"maximum": None}, "1000.00", "player"),
        ({"maximum": "800.00", "player_maximum": "400.00", "banker_maximum": "600.00"}, "100.00", "player"),
        ({"maximum": "800.00", "player_maximum": "400.00", "banker_maximum": "600.00"}, "150.00", "banker"),
    ],
    ids=str,
)
def test_limits_cap_insurance_at_ten_to_one(limits: dict[str, Any] | None, most: str, hand: str) -> None:
    """P4: 25 % of the maximum, or of the maximum Differential where there is none, and never over the Original Bet."""
    one_more = amount(cents(most) + 1)
    round_ = {**AT_TEN_TO_ONE[hand], "limits": limits, "wagers": [{"bet": hand, "stake": "1000.00"}]}
    text = b"\n".join(line(**round_, insurance=insured(hand, stake)) for stake in (most, one_more))
    fits, over = call("settle", stdin=text).lines
    assert fits["lines"][1]["stake"] == most
    assert (over["error"]["code"], over["error"]["paragraph"]) == ("insurance-over-limit", "3.12.2")
    assert most in over["error"]["message"]


# Every refusal. Each row stands between two good records.


class Bad(NamedTuple):
    name: str
    text: bytes
    code: str
    paragraph: str | None
    says: str
    id: str | None = "r1"


def bad(name: str, code: str, paragraph: str | None, says: str, **changes: Any) -> Bad:
    return Bad(name, line(**changes), code, paragraph, says)


def on(bet: str, patron: str = "ann") -> list[dict[str, str]]:
    return [{"patron": patron, "bet": bet, "stake": "1.00"}]


def taken(**changes: str) -> list[dict[str, str]]:
    """The example's insurance, changed."""
    return [{**EXAMPLE["insurance"][0], **changes}]


def twice(key: str, value: str, text: str = "", **changes: Any) -> bytes:
    """The example with one more value for this key."""
    return line(**changes).replace(f'"{key}"'.encode(), f'"{text or key}" : {value}, "{key}"'.encode(), 1)


FORGONE: dict[str, Any] = {
    "player": ["KH", "QD", "3C"],
    "banker": ["2S", "2D", "5H"],
    "wagers": [{"bet": "banker", "stake": "100.00"}],
    "insurance": [{"bet": "banker_insurance", "after": "player-third", "stake": "10.00"}],
}

NAMED = f"{EXAMPLE['game']}/{EXAMPLE['edition']}"

RULES = [
    bad("third card forbidden", "table-of-play", "3.15", "the Banker stands on 7", banker=["2S", "5C", "4H"]),
    bad("third card missing", "table-of-play", "3.15", "the Banker draws on 5", banker=["2S", "3C"]),
    bad("Player's third forbidden", "table-of-play", "3.15", "stands on 6 and 7", player=["KH", "7D", "2C"]),
    bad("Player's third missing", "table-of-play", "3.15", "draws a third card on 0 to 5", player=["KH", "2D"]),
    bad("third card after a natural", "table-of-play", "3.15", "natural", player=["KH", "8D"]),
    bad("one card", "table-of-play", "3.15", "two cards", player=["KH"]),
    bad("no cards", "table-of-play", "3.15", "two cards", player=[], banker=[]),
    bad("four cards in a hand", "table-of-play", "3.15", "three cards", player=["KH", "2D", "3C", "4S"]),
    bad("a thousand cards", "table-of-play", "3.15", "six cards", player=["KH"] * 1000),
    bad("unknown card", "unknown-card", "2.2.1", "'1H' is no card", player=["1H", "7D"]),
    bad("empty card", "unknown-card", "2.2.1", "'' is no card", banker=["", "7D"]),
    bad("card over the decks", "too-many-of-a-card", "2.2.1", "4 decks", decks=4, player=["KH"] * 3, banker=["KH"] * 2),
    bad("card over eight decks", "too-many-of-a-card", "2.2.1", "9 times", player=["KH"] * 9),
    bad("unknown bet", "unknown-bet", "3.7", "'dragon' is no bet", wagers=on("dragon")),
    bad("insurance as a bet", "unknown-bet", "3.7", "under `ins", wagers=on("player_insurance")),
    bad("bet on another layout", "bet-not-on-layout", "4.1.9", "layout C", wagers=on("tiger_pair")),
    bad("bet of another game", "bet-not-on-layout", "3.7", "layout C", wagers=on("super_6_plus")),
    bad("unknown layout", "unknown-layout", "2.1.1", "expected one of A B C", layout="Z"),
    bad("layout of a later edition", "unknown-layout", "2.1.1", "no layout 'L'", edition="2024-05-14", layout="L"),
    bad("unknown game", "unknown-edition", None, "the library holds", game="poker"),
    bad("unknown edition", "unknown-edition", None, "the library holds", edition="2023-01-01"),
    bad("game on no day", "unknown-edition", None, "the library holds", game="poker", edition=None),
    bad("day before the first edition", "unknown-edition", None, "2024-05-14T08:00", edition=None, on="2024-05-13"),
    bad("no day", "unknown-edition", None, "is no date", edition=None, on="tomorrow"),
    bad("no day beside an edition", "unknown-edition", None, "is no date", on="garbage"),
    bad("no day beside game/edition", "unknown-edition", None, "is no date", game=NAMED, edition=None, on="garbage"),
    bad("edition named twice", "unknown-edition", None, "there is no edition", game=NAMED),
    bad("path for a game", "unknown-edition", None, "there is no edition", game="../..", edition="etc"),
    bad("endless game", "unknown-edition", None, "there is no edition", game="x" * 5000),
    bad("no Original Bet", "no-original-bet", "3.11", "Original Bet", wagers=on("tie", "ann")),
    bad("another's Original Bet", "no-original-bet", "3.11", "ann has no", wagers=on("player", "bob")),
    bad("no row", "no-such-offer", "4.1.14", "not on offer", player=["KH", "9D"], banker=["2S", "3C"]),
    bad("no second moment", "no-such-offer", "4.1.14", "player-third", insurance=taken(after="player-third")),
    bad("offer let pass", "insurance-forgone", "5.3", "let the offer", **FORGONE),
    bad("over the Original Bet", "insurance-over-limit", "3.12.2", "at most 100.00", insurance=taken(stake="100.01")),
    bad("unknown insurance", "unknown-bet", "3.11", "is no insurance", insurance=taken(bet="tie")),
    bad("unknown moment", "bad-record", "4.1.14", "expected four-cards", insurance=taken(after="later")),
    bad("decks", "bad-record", "2.2.1", "expected 4 5 6 7 8 9 10", decks=3),
    bad("endless decks", "bad-record", "2.2.1", "decks are not allowed", decks=10**30),
]

STAKES = [
    Bad(f"stake {text}", staked(text), "bad-amount", "3.5", "expected")
    for text in (
        *('""', '"-1.00"', '"0"', '"0.00"', '"1.234"', '"NaN"', '"1e3"', '"١٢"', '" 1"', '"1."', '".5"', '"1,000.00"'),
        *("NaN", "Infinity", "-Infinity", "1e400", "-1", "0", "100", "100.5", "true", "false", "null", "[]", "{}"),
        *('["1.00"]', '"10000000000000.00"', f'"{"9" * 1000}"', '"1\\u0000"', '"1.00\\n"'),
    )
] + [
    Bad("insurance stake", line().replace(b'"50.00"', b'"-50.00"'), "bad-amount", "3.5", "expected"),
    Bad("insurance stake NaN", line().replace(b'"50.00"', b"NaN"), "bad-amount", "3.5", "'NaN' is no amount"),
    Bad("limit", line(limits={"maximum": "-1"}), "bad-amount", "3.5", "expected"),
    Bad("limit of nothing", line(limits={"maximum": "0.00"}), "bad-amount", "3.5", "expected more than 0.00"),
    Bad("limit as a number", line(limits={"maximum_differential": 100}), "bad-amount", "3.5", "expected a string"),
]

SHAPES = [
    Bad("cut in half", line()[: len(line()) // 2], "bad-record", None, "truncated", None),
    Bad("two on a line", line() + line(), "bad-record", None, "no JSON object", None),
    Bad("no JSON", b"player banker tie", "bad-record", None, "no JSON object", None),
    Bad("an array", b"[" + line() + b"]", "bad-record", None, "Expected `object`", None),
    Bad("a number", b"7", "bad-record", None, "Expected `object`", None),
    Bad("deep nesting", b"[" * 100_000 + b"]" * 100_000, "bad-record", None, "JSON object", None),
    Bad("deep stake", staked("[" * 100_000 + "]" * 100_000), "bad-record", None, "recursion", None),
    Bad("deep id", line(id="X").replace(b'"X"', b"[" * 900 + b"]" * 900), "bad-record", None, "$.id", None),
    Bad("id as an object", line(id={"a": 1}), "bad-record", None, "$.id", None),
    Bad("id too large", line(id="X").replace(b'"X"', b"1e400"), "bad-record", None, "$.id", None),
    Bad("id NaN", line(id="X").replace(b'"X"', b"NaN"), "bad-record", None, "NaN is no JSON", "NaN"),
    Bad("NaN in a record of no shape", b'{"id":"r1","tips":NaN}', "bad-record", None, "NaN is no JSON"),
    Bad("id half a character", line(id="X").replace(b'"X"', b'"\\ud800"'), "bad-record", None, "", None),
    Bad("half a character", line().replace(b'"ann"', b'"\\ud800"', 1), "bad-record", None, "surrogate"),
    Bad("invalid UTF-8", line().replace(b"ann", b"\xff", 1), "bad-record", None, "utf-8", None),
    Bad("invalid UTF-8 in a stake", staked('"1X"').replace(b"X", b"\xff"), "bad-amount", "3.5", "expected"),
    Bad("UTF-16", line().decode().encode("utf-16-le"), "bad-record", None, "no JSON object", None),
    Bad("byte order mark inside", b"\xef\xbb\xbf" + line(), "bad-record", None, "no JSON object", None),
    Bad("control character", line().replace(b"ann", b"a\x01n", 1), "bad-record", None, "no JSON object", None),
    Bad("stake twice", twice("stake", '"1.00"'), "bad-record", None, "'stake' is given twice"),
    Bad(
        "stake twice, disguised", twice("stake", '"1.00"', "stak\\u0065"), "bad-record", None, "'stake' is given twice"
    ),
    Bad(
        "stake twice, hidden behind a time",
        twice("stake", '"1.00"', edition=None, on="2025-11-21T08:00").replace(b"T08:00", b"T08\\u003a00"),
        "bad-record",
        None,
        "'stake' is given twice",
    ),
    Bad("patron twice", twice("patron", '"bob"'), "bad-record", None, "'patron' is given twice"),
    Bad("wagers twice", twice("wagers", "[]"), "bad-record", None, "'wagers' is given twice"),
    Bad("id twice", twice("id", '"r1"'), "bad-record", None, "'id' is given twice"),
    Bad("id twice, close together", twice("id", '"r1"').replace(b" ", b""), "bad-record", None, "'id' is given twice"),
    Bad("cards twice", twice("banker", '["9H"]'), "bad-record", None, "'banker' is given twice"),
    Bad("unknown key", line(tips="1.00"), "bad-record", None, "unknown field `tips`"),
    Bad("unknown key of a wager", line(wagers=[{"bet": "tie", "stake": "1", "box": 1}]), "bad-record", None, "`box`"),
    Bad("game missing", line(game=None), "bad-record", None, "missing required field `game`"),
    Bad("layout missing", line(layout=None), "bad-record", None, "missing required field `layout`"),
    Bad("cards missing", line(player=None), "bad-record", None, "missing required field `player`"),
    Bad("stake missing", line(wagers=[{"bet": "tie"}]), "bad-record", None, "missing required field `stake`"),
    Bad("cards as text", line(player="KH 7D"), "bad-record", None, "$.player"),
    Bad("card as a number", line(player=[9, 9]), "bad-record", None, "$.player"),
    Bad("decks true", line(decks=True), "bad-record", None, "$.decks"),
    Bad("decks as text", line(decks="8"), "bad-record", None, "$.decks"),
    Bad("patron as a number", line(wagers=[{"bet": "tie", "stake": "1", "patron": 1}]), "bad-record", None, "patron"),
]

TABLE = {row.name: row for row in (*RULES, *STAKES, *SHAPES)}


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE.keys())
def test_a_bad_record_is_refused_and_the_next_one_settled(row: Bad) -> None:
    answer = call("settle", stdin=b"\n".join([line(), row.text, line()]))
    assert answer.status == 1
    before, refused, after = answer.lines
    assert before == after == SETTLED
    assert (refused["id"], refused["error"]["code"], refused["error"]["paragraph"]) == (row.id, row.code, row.paragraph)
    assert row.says in refused["error"]["message"]
    assert answer.err == "punto settle: 1 of 3 records refused, see their error lines\n"


def test_a_blank_line_that_is_given_as_a_record_is_refused() -> None:
    answer, good = settle_line(b"  ", lambda game, edition, on: pytest.fail("no edition is looked for"))
    assert not good
    text = "the line is empty: expected a JSON object"
    assert json.loads(answer) == {"id": None, "error": {"code": "bad-record", "message": text, "paragraph": None}}


def test_an_empty_line_is_no_record() -> None:
    """The command skips an empty line; `settle_line` itself answers it with `bad-record`."""
    answer, good = settle_line(b" ", lambda *_: pytest.fail("no edition is asked for"))
    assert (json.loads(answer)["error"]["code"], good) == ("bad-record", False)


def test_every_error_code_of_the_contract_is_provoked() -> None:
    assert {row.code for row in TABLE.values()} == CODES


def test_all_bad_records_in_one_run_of_the_real_program() -> None:
    rows = list(TABLE.values())
    answer = start("settle", stdin=b"\n".join([*(row.text for row in rows), line()]))
    assert answer.status == 1
    *refused, last = answer.lines
    assert [refusal["error"]["code"] for refusal in refused] == [row.code for row in rows]
    assert last == SETTLED


def test_live_rules_offer_no_insurance_on_both_hands_and_forfeit_nothing() -> None:
    """L9, P6: the same cards as in the forfeit above."""
    live: dict[str, Any] = {"game": "live-baccarat-insurance-commission", "edition": "undated", "layout": "live"}
    both = [*FORGONE["wagers"], {"bet": "player", "stake": "100.00"}]
    text = b"\n".join([line(**live, **FORGONE), line(**live, **{**FORGONE, "wagers": both})])
    taken, refused = call("settle", stdin=text).lines
    assert taken["lines"][1]["result"] == "lost"
    assert refused["error"]["code"] == "no-such-offer"


def test_a_key_given_once_is_never_taken_for_twice() -> None:
    """Values that look like keys, keys with their default, and colons in a time."""
    wagers = [
        {"id": 'stake":', "patron": '":', "bet": "player", "stake": "1.00"},
        {"id": None, "patron": "patron", "bet": "tie", "stake": "1.00"},
    ]
    text = b"\n".join(
        [
            line(insurance=[], wagers=wagers),
            line(insurance=[], wagers=[], decks=8, limits={}),
            line(edition=None, on="2025-11-21T08:00:00+08:00"),
        ]
    )
    answer = call("settle", stdin=text)
    assert [("error" in slip) for slip in answer.lines] == [False] * 3


class Counted(str):
    """A key that counts how often it is compared with another."""

    __slots__ = ()
    __hash__ = str.__hash__
    compared = 0

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return str.__eq__(self, other)


def test_a_key_given_a_thousand_times_is_not_compared_with_every_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of the longest size holds 150,000 keys: each may be looked at a few times, not 150,000 times."""
    keys = 1000

    def read(_line: bytes, object_pairs_hook: Callable[[list[tuple[str, object]]], object], **_: Any) -> object:
        return object_pairs_hook([(Counted("id"), at) for at in range(keys)])

    Counted.compared = 0
    monkeypatch.setattr("punto.game.record.json.loads", read)
    answer, _ = settle_line(twice("id", '"r1"'), lambda *_: pytest.fail("no edition is asked for"))
    assert b"'id' is given twice" in answer
    assert Counted.compared <= 4 * keys


# Laws that hold for any input.


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.binary(max_size=80), st.sampled_from([line(), staked("NaN")])), max_size=6))
def test_one_answer_for_every_line_that_is_not_blank(lines: list[bytes]) -> None:
    given_lines = b"\n".join(lines).split(b"\n")
    given_lines[0] = given_lines[0].removeprefix(b"\xef\xbb\xbf")
    expected = [raw_line for raw_line in given_lines if raw_line.strip()]
    answer = call("settle", stdin=b"\n".join(lines))
    assert len(answer.lines) == len(expected)
    assert answer.status == int(any("error" in slip for slip in answer.lines))


class Pieces:
    """A pipe that delivers its bytes in these pieces."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces = [piece for piece in pieces if piece]

    def read(self, _size: int) -> bytes:
        return self.pieces.pop(0) if self.pieces else b""


@given(st.lists(st.binary(max_size=12).map(lambda text: text.replace(b"\xef", b"x")), max_size=8), st.data())
def test_lines_do_not_depend_on_the_pieces_in_which_they_arrive(lines: list[bytes], data: st.DataObject) -> None:
    longest = 8
    text = b"\n".join(lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    actual = [raw_line for batch in batches(Pieces(pieces), longest) for raw_line in batch]  # type: ignore[arg-type]
    assert actual == [
        None if len(raw_line) > longest else raw_line
        for raw_line in text.split(b"\n")
        if len(raw_line) > longest or raw_line.strip()
    ]


@pytest.mark.parametrize(
    "text", [b"\xef\xbb\xbfone\ntwo", b"\xef\xbb\xbf", b"\xef\xbb", b"\xef\xbbx\n", b"one\n\xef\xbb\xbftwo"]
)
def test_a_byte_order_mark_in_pieces_is_one_all_the_same(text: bytes) -> None:
    """Exhaustive: the text is cut at every pair of places."""
    expected = [raw_line for raw_line in text.removeprefix(b"\xef\xbb\xbf").split(b"\n") if raw_line]
    for first, second in combinations_with_replacement(range(len(text) + 1), 2):
        pieces = Pieces([text[:first], text[first:second], text[second:]])
        assert [raw_line for batch in batches(pieces, 8) for raw_line in batch] == expected  # type: ignore[arg-type]


# Usage.


def test_a_file_that_is_not_there_is_named() -> None:
    answer = call("settle", "no-such-file.jsonl")
    assert (answer.status, answer.out) == (1, "")
    assert answer.err == "punto: no-such-file.jsonl: No such file or directory\n"


def test_a_folder_is_no_file_of_records(tmp_path: Path) -> None:
    assert call("settle", str(tmp_path)).status == 1


def test_an_unknown_option_is_a_usage_error() -> None:
    answer = call("settle", "--fast")
    assert (answer.status, answer.out) == (2, "")
    assert "No such option" in answer.err


def test_a_record_keeps_only_the_keys_of_the_contract() -> None:
    assert set(record()) == {"id", "game", "edition", "layout", "player", "banker", "wagers", "insurance"}
    (slip,) = call("settle", stdin=line()).lines
    assert list(slip) == list(SETTLED)
    assert list(slip["lines"][0]) == list(SETTLED["lines"][0])
