"""Audits of recorded rounds: they agree with `punto settle` on every record, and find what is wrong with the rest."""

from __future__ import annotations

import random
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from punto import money
from punto.game.settlement import Limits
from punto.odds.composition import full
from punto.odds.value import count
from punto.rulebook.model import Bet, Rulebook
from punto.sim.audit import kernel as audit_kernel
from punto.sim.audit.chance import chance
from punto.sim.audit.findings import CODES, Finding
from punto.sim.audit.kernel import Fault
from punto.sim.audit.rounds import Audit, audit
from punto.sim.audit.tables import tables
from tests.oracle import plain
from tests.properties.rounds import EDITIONS, Edition, book
from tests.properties.settling import answer
from tests.sim.recorded import MAXIMUM, records, row, write

TIGER: Edition = ("tiger-buffalo-commission", "2025-11-21")
PLAYER_PAYS = book(TIGER).bets[Bet.PLAYER].cite
BANKER_PAYS = book(TIGER).bets[Bet.BANKER].cite
LIMITS = Limits(maximum_cents=plain.cents(MAXIMUM))
RECORDS = 600


def judged(path: Path, edition: Edition, **options: Any) -> Audit:
    return audit(path, book(edition), limits=LIMITS, **options)


def by_round(result: Audit) -> dict[object, list[Finding]]:
    grouped: dict[object, list[Finding]] = {}
    for finding in result.findings:
        grouped.setdefault(finding.round, []).append(finding)
    return grouped


@EDITIONS
def test_an_audit_agrees_with_the_settlement_of_every_record(edition: Edition, tmp_path: Path) -> None:
    made = records(edition, RECORDS, seed=8)
    settled = {record["id"]: answer(record) for record in made}
    result = judged(
        write(tmp_path / "rounds.parquet", [row(record, settled[record["id"]]) for record in made]), edition
    )
    faults = by_round(result)
    refused = {name: reply["error"] for name, reply in settled.items() if "error" in reply}
    assert set(faults) == set(refused)
    for name, error in refused.items():
        assert (error["code"], error["paragraph"]) in [(finding.code, finding.paragraph) for finding in faults[name]], (
            error
        )
    assert {error["code"] for error in refused.values()} >= {"table-of-play", "no-original-bet", "insurance-over-limit"}
    assert result.rounds == RECORDS
    assert result.wagers == sum(len(record["wagers"]) + len(record["insurance"]) for record in made)
    whole = [reply for reply in settled.values() if "lines" in reply]
    assert len(whole) > RECORDS / 3
    assert any(line["bet"].endswith("_insurance") for reply in whole for line in reply["lines"])


@EDITIONS
def test_every_wrong_cent_is_found_and_no_other(edition: Edition, tmp_path: Path) -> None:
    random_source = random.Random(9)
    planted, rows = {}, []
    for record in records(edition, RECORDS, seed=9):
        settled = answer(record)
        if "error" in settled:
            continue
        rows.append(row(record, settled))
        if random_source.random() < 0.2:
            at = random_source.randrange(len(settled["lines"]))
            wager, line = rows[-1]["wagers"][at], settled["lines"][at]
            wager["handed_back_cents"] += random_source.choice((-1, 1, 50_000))
            planted[record["id"], at + 1] = (
                line["handed_back"],
                money.amount(wager["handed_back_cents"]),
                line["paragraph"],
                line["bet"],
            )
    result = judged(write(tmp_path / "rounds.parquet", rows), edition)
    seen = {
        (finding.round, finding.wager): (finding.expected, finding.recorded, finding.paragraph, finding.bet)
        for finding in result.findings
    }
    assert seen == planted
    assert len(planted) > 10
    assert result.faults == {"wrong-payment": len(planted)}
    differences = [plain.cents(due) - _signed(recorded) for due, recorded, _, _ in planted.values()]
    assert result.underpaid_cents - result.overpaid_cents == sum(differences)
    totals = result.bets.values()
    assert sum(total.due_cents - total.handed_back_cents for total in totals) == sum(differences)


def _signed(text: str) -> int:
    return -plain.cents(text[1:]) if text.startswith("-") else plain.cents(text)


def example() -> dict[str, Any]:
    """One rightly paid round: Player 7, Banker 9 with three cards, insurance on the Player."""
    return {
        "round": "r1",
        "layout": "C",
        **dict(zip(("player_1", "player_2", "player_3"), ("KH", "7D", None), strict=True)),
        **dict(zip(("banker_1", "banker_2", "banker_3"), ("2S", "3C", "4H"), strict=True)),
        "wagers": [
            _paid("player", 10_000, 0),
            _paid("player_insurance", 5_000, 25_000, "four-cards"),
            _paid("banker", 105, 205),
        ],
    }


def _paid(bet: str, stake: int, back: int, after: str | None = None) -> dict[str, Any]:
    return {"bet": bet, "stake_cents": stake, "handed_back_cents": back, "patron": "ann", "after": after}


def one_finding(path: Path, **changes: Any) -> Finding:
    """What is wrong with the example once it is changed."""
    result = judged(write(path / "one.parquet", [{**example(), **changes}]), TIGER)
    assert len(result.findings) == 1, result.findings
    return result.findings[0]


def test_the_example_is_right(tmp_path: Path) -> None:
    """M1: 19/20 of 1.05 is 0.9975, which is paid as 1.00."""
    result = judged(write(tmp_path / "one.parquet", [example()]), TIGER)
    assert result.faultless
    assert result.bets["banker"].due_cents == 205


def test_a_wrong_cent(tmp_path: Path) -> None:
    wagers = [*example()["wagers"][:2], _paid("banker", 105, 204)]
    assert one_finding(tmp_path, wagers=wagers) == Finding(
        round="r1",
        row=0,
        wager=3,
        bet="banker",
        patron="ann",
        code="wrong-payment",
        message="banker won at 19/20: 2.05 goes back, 2.04 is recorded",
        paragraph=BANKER_PAYS,
        stake="1.05",
        expected="2.05",
        recorded="2.04",
    )


def test_an_illegal_third_card(tmp_path: Path) -> None:
    finding = one_finding(tmp_path, player_3="2C")
    assert (finding.code, finding.paragraph, finding.wager) == ("table-of-play", "3.15", None)
    assert (
        finding.message
        == "KH 7D 2C v 2S 3C 4H: the Player draws a third card on 0 to 5 and stands on 6 and 7; this one has 7"
    )


@pytest.mark.parametrize(
    ("changes", "code", "paragraph"),
    [
        ({"banker_3": None}, "table-of-play", "3.15"),
        ({"player_1": None}, "table-of-play", "3.15"),
        ({"player_1": "1H"}, "unknown-card", "2.2.1"),
        ({"layout": "Z"}, "unknown-layout", None),
        ({"wagers": [_paid("tiger", 100, 0)], "layout": "A"}, "bet-not-on-layout", None),
        ({"wagers": [_paid("lucky", 100, 0)]}, "unknown-bet", None),
        ({"wagers": [_paid("player", 0, 0)]}, "bad-amount", None),
        ({"wagers": [_paid("player", 10**15, 0)]}, "bad-amount", None),
        ({"wagers": [{**_paid("player", 100, 0), "stake_cents": None}]}, "bad-amount", None),
        ({"wagers": [{**_paid("player", 100, 0), "handed_back_cents": None}]}, "wrong-payment", PLAYER_PAYS),
        ({"wagers": [{**_paid("player", 100, 0), "bet": None}]}, "unknown-bet", None),
        ({"wagers": [_paid("player", 100, 0), _paid("player_insurance", 1, 5)]}, "bad-record", None),
        ({"wagers": [_paid("player_insurance", 1, 5, "four-cards")]}, "no-original-bet", "3.11"),
    ],
)
def test_what_can_be_wrong(changes: dict[str, Any], code: str, paragraph: str | None, tmp_path: Path) -> None:
    finding = one_finding(tmp_path, **changes)
    assert finding.code == code
    assert finding.message
    if paragraph is not None:
        assert finding.paragraph == paragraph


def test_one_bad_wager_does_not_hide_the_others(tmp_path: Path) -> None:
    wagers = [_paid("lucky", 100, 0), _paid("player", 100, 1), _paid("banker", 105, 205)]
    result = judged(write(tmp_path / "one.parquet", [{**example(), "wagers": wagers}]), TIGER)
    assert [(finding.wager, finding.code) for finding in result.findings] == [(1, "unknown-bet"), (2, "wrong-payment")]


def test_more_of_a_card_than_the_decks_hold(tmp_path: Path) -> None:
    cards = dict.fromkeys(("player_1", "player_2", "banker_1", "banker_2", "player_3"), "KH")
    path = write(tmp_path / "one.parquet", [{**example(), **cards, "banker_3": "5C", "wagers": []}])
    assert judged(path, TIGER).faultless
    assert judged(path, TIGER, decks=4).faults == {"too-many-of-a-card": 1}
    with pytest.raises(ValueError, match="3 decks are not allowed"):
        judged(path, TIGER, decks=3)


def test_all_findings_are_counted_and_told_but_only_some_kept(tmp_path: Path) -> None:
    rows = [{**example(), "player_3": "2C"}] * 50
    heard: list[Finding] = []
    result = judged(write(tmp_path / "many.parquet", rows, group=7), TIGER, most=5, listen=heard.append)
    assert (result.faults, len(result.findings), len(heard)) == ({"table-of-play": 50}, 5, 50)
    assert [finding.row for finding in heard] == list(range(50))
    assert result.unjudged_wagers == 150


def test_amounts_that_no_64_bits_hold_together(tmp_path: Path) -> None:
    most = 10**15 - 1
    rows = [{**example(), "wagers": [_paid("player", most, 0)] * 5_000}] * 2
    result = judged(write(tmp_path / "rich.parquet", rows), TIGER)
    assert result.bets["player"].staked_cents == 10_000 * most


@pytest.mark.parametrize("more", [2**61, 2**62, 2**63 - 1 - 205, -(2**63), 1, -205])
def test_a_payment_far_from_right_is_wrong_too(more: int, tmp_path: Path) -> None:
    """Also where a product overflows and its last 64 bits are right: 40 × 2⁶¹ is a multiple of 2⁶⁴."""
    wagers = [{**_paid("banker", 105, 205), "handed_back_cents": 205 + more}]
    finding = one_finding(tmp_path, wagers=wagers)
    assert (finding.code, finding.expected, finding.recorded) == ("wrong-payment", "2.05", money.amount(205 + more))


def test_the_faults_of_kernel_and_codes_are_the_same() -> None:
    constants = [
        getattr(audit_kernel, name)
        for name in (
            *("_WRONG_PAYMENT", "_UNKNOWN_LAYOUT", "_UNKNOWN_CARD", "_TOO_MANY", "_TABLE_OF_PLAY", "_BAD_AMOUNT"),
            *("_BAD_MOMENT", "_UNKNOWN_BET", "_NOT_ON_LAYOUT", "_NO_ORIGINAL", "_BOTH_HANDS", "_NO_OFFER"),
            *("_FORGONE", "_OVER_LIMIT"),
        )
    ]
    assert constants == list(Fault) == list(CODES)


# Chance


def exact(rules: Rulebook) -> tuple[int, ...]:
    return count(rules, full(rules)).outcome_counts


def drawn(rules: Rulebook, rounds: int, seed: int) -> list[int]:
    """How many of these fair rounds have each outcome."""
    coups = np.array(exact(rules), float)
    return [int(times) for times in np.random.default_rng(seed).multinomial(rounds, coups / coups.sum())]


def test_fair_results_look_like_chance() -> None:
    """Over many fair files the statistic is its degrees of freedom on average, and p is spread from 0 to 1."""
    rules = book(TIGER)
    samples = [chance(rules, drawn(rules, 100_000, seed), exact(rules)) for seed in range(100)]
    squares = [sample.chi_square for sample in samples if sample.chi_square is not None]
    degrees = squares[0].degrees
    assert {square.degrees for square in squares} == {degrees}
    mean = sum(square.statistic for square in squares) / len(squares)
    assert abs(mean - degrees) < 4 * sqrt(2 * degrees / len(squares))
    assert 0.35 < sum(square.p for square in squares) / len(squares) < 0.65
    assert all(sum(share.observed for share in sample.results.values()) == 100_000 for sample in samples)
    zs = [share.z for sample in samples for share in sample.results.values() if share.z is not None]
    assert abs(sum(z * z for z in zs) / len(zs) - 1) < 0.5


def test_doctored_results_do_not() -> None:
    """A tenth more ties than there should be."""
    rules = book(TIGER)
    more = [
        count * 11 // 10 if outcome.lead == 0 else count
        for outcome, count in zip(tables(rules).outcomes, drawn(rules, 200_000, 8), strict=True)
    ]
    doctored = chance(rules, more, exact(rules))
    assert doctored.chi_square_results is not None
    assert doctored.chi_square_results.p < 1e-6
    assert (doctored.results["tie"].z or 0) > 5


def test_no_rounds_are_no_evidence() -> None:
    rules = book(TIGER)
    assert chance(rules, [0] * len(exact(rules)), exact(rules)).chi_square is None
