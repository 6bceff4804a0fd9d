"""How an answer is judged: by value, part by part, and no engine fails for another lawful reading."""

from __future__ import annotations

from typing import Any

import pytest

from punto.conformance.judge import Result, difference, judge
from punto.conformance.protocol import ProtocolError, hello, reply
from punto.conformance.vectors import Acceptable, Level, Vector, id_of, vector

PASSED, FAILED, CANNOT_TELL = Result.PASSED, Result.FAILED, Result.CANNOT_TELL


def make_vector(expected: dict[str, Any], *acceptable: dict[str, Any], rests_on: tuple[str, ...] = ()) -> Vector:
    others = tuple(Acceptable(ruling="M1", answer=answer) for answer in acceptable)
    return vector(
        edition="*",
        level=Level.SETTLE,
        ask="settle",
        paragraphs=(),
        input={},
        expected=expected,
        acceptable=others,
        rests_on=rests_on,
        why="",
    )


LINE = {"refused": False, "lines": {"w1": {"result": "won", "handed_back": "195.00"}}}


@pytest.mark.parametrize(
    ("expected", "answer", "result"),
    [
        ({"most": "95.00"}, {"most": "95.00"}, PASSED),
        ({"most": "95.00"}, {"most": "95"}, PASSED),
        ({"most": "95.00"}, {"most": "95.000"}, PASSED),
        ({"most": "95.00"}, {"most": 95}, FAILED),
        ({"most": "95.00"}, {"most": "95.01"}, FAILED),
        ({"most": "95.00"}, {"most": None}, FAILED),
        ({"most": "95.00"}, {"most": "1/0"}, FAILED),
        ({"most": "95.00"}, {"most": "9" * 500}, FAILED),
        ({"most": "95.00"}, {}, CANNOT_TELL),
        ({"odds": "19/20"}, {"odds": "0.95"}, PASSED),
        ({"odds": "1/3"}, {"odds": "0.333333333333"}, FAILED),
        ({"offer": None}, {"offer": None}, PASSED),
        ({"offer": None}, {"offer": {"bet": "player_insurance", "odds": "4"}}, FAILED),
        ({"offer": None}, {}, CANNOT_TELL),
        ({"points": 1}, {"points": True}, FAILED),
        ({"player": ["KH", "7D"]}, {"player": ["KH", "7D"]}, PASSED),
        ({"player": ["KH", "7D"]}, {"player": ["KH"]}, FAILED),
        ({"player": ["KH", "7D"]}, {"player": ["KH", "7D", "2S"]}, FAILED),
        ({"player": ["KH", "7D"]}, {"player": "KH 7D"}, FAILED),
        ({"bets": {"tie": "won", "big": "lost"}}, {"bets": {"tie": "won"}, "more": 1}, CANNOT_TELL),
        ({"bets": {"tie": "won", "big": "lost"}}, {"bets": {"big": "won"}}, FAILED),
        (LINE, {"lines": {"w1": {"result": "won", "handed_back": "195.00"}}}, PASSED),
        (LINE, {"lines": {"w1": {"handed_back": "195.00"}}}, CANNOT_TELL),
        (LINE, {"refused": True}, FAILED),
        ({"refused": True}, {"refused": True}, PASSED),
        ({"refused": True}, {"lines": {}}, FAILED),
        ({"refused": True}, {}, FAILED),
    ],
)
def test_an_answer_is_judged_by_what_it_says(expected: dict[str, Any], answer: dict[str, Any], result: Result) -> None:
    assert judge(make_vector(expected), answer).result is result


def test_another_reading_passes_with_its_ruling_and_an_open_text_fails_nobody() -> None:
    question = make_vector({"most": "0.01"}, {"most": "0.02"})
    assert judge(question, {"most": "0.02"}).ruling == "M1"
    assert judge(question, {"most": "0.01"}).ruling is None
    assert judge(question, {"most": "0.03"}).result is FAILED
    two = make_vector({"most": "0.01", "more": 1}, {"most": "0.02", "more": 1})
    assert [judge(two, {"most": most}).result for most in ("0.01", "0.02", "0.03")] == [
        CANNOT_TELL,
        CANNOT_TELL,
        FAILED,
    ]
    rests = judge(make_vector({"most": "0.01"}, rests_on=("I4",)), {"most": "9.00"})
    assert (rests.result, rests.ruling) == (CANNOT_TELL, "I4")
    assert "only I4 says otherwise" in rests.note


def test_the_first_difference_is_named() -> None:
    expected = {"steps": [{"accepted": True}, {"accepted": False, "phase": "offer"}]}
    first_difference = difference(expected, {"steps": [{"accepted": True}, {"accepted": True, "phase": "offer"}]})
    assert first_difference is not None
    assert first_difference.place == "steps → 2 → accepted"


def test_an_id_names_question_and_answers_and_nothing_else() -> None:
    question = make_vector({"most": "0.01"})
    assert question.id == id_of(question)
    assert question.id.startswith("settle-")
    same = vector(
        edition="*",
        level=Level.SETTLE,
        ask="settle",
        paragraphs=("3.1",),
        input={},
        expected={"most": "0.01"},
        why="in other words",
    )
    assert same.id == question.id
    assert len({question.id, make_vector({"most": "0.02"}).id, make_vector({"most": "0.01"}, {"most": "0.02"}).id}) == 3


ABOUT = b'"name":"x","version":"1","editions":["*"],"levels":["deal"]'


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"hello":{"protocol":2,' + ABOUT + b"}}", "speaks protocol 2"),
        (b'{"hello":{' + ABOUT + b"}}", "the engine's first line is not a hello"),
        (b"[]", "the engine's first line is not a hello"),
        (b"\xff", "the engine's first line is not a hello"),
        (b'{"hello":{"protocol":1,' + ABOUT.replace(b"deal", b"chess") + b"}}", "no level 'chess'"),
    ],
)
def test_a_hello_that_is_none_is_told_apart(line: bytes, said: str) -> None:
    with pytest.raises(ProtocolError, match=said):
        hello(line)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"", "the engine's line is not a reply"),
        (b"[]", "the engine's line is not a reply"),
        (b'{"answer":{}}', "the engine's line is not a reply"),
        (b'{"question":"7","answer":{}}', "the engine's line is not a reply"),
        (b'{"question":8,"answer":{}}', "the reply is to question 8: expected a reply to question 7"),
        (b'{"question":7}', "either an answer or"),
        (b'{"question":7,"answer":{},"unsupported":"x"}', "either an answer or"),
        (b'{"question":7,"answer":{"a":1e999}}', "not a reply|no value"),
        (b'{"question":7,"answer":{"a":' + b"[" * 99 + b"]" * 99 + b"}}", "nested too deeply"),
    ],
)
def test_a_reply_that_is_none_is_told_apart(line: bytes, said: str) -> None:
    with pytest.raises(ProtocolError, match=said):
        reply(line, 7)
