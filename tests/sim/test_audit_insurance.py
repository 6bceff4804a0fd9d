"""Insurance in recorded rounds, at the very limits: audited as `punto settle` judges it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from punto.game.settlement import Limits
from punto.sim.audit.rounds import Audit, audit
from tests.oracle import plain
from tests.properties.rounds import EDITIONS, Edition, book
from tests.properties.settling import answer
from tests.properties.strategies import Lawful, insured_records, lawful_records
from tests.sim.recorded import records, row, write

FEW = settings(deadline=None, max_examples=80)


def audited(record: dict[str, Any]) -> Audit:
    """One record as a file of one round, with the limits of the record."""
    limits = {name: plain.cents(text) for name, text in (record.get("limits") or {}).items()}
    named = {**record, "id": "r"}
    for wager in (*named["wagers"], *named["insurance"]):
        wager.setdefault("patron", "patron")
    with TemporaryDirectory() as folder:
        path = write(Path(folder) / "one.parquet", [row(named)])
        return audit(
            path,
            book((record["game"], record["edition"])),
            limits=Limits(
                maximum_cents=limits.get("maximum"), maximum_differential_cents=limits.get("maximum_differential")
            ),
            workers=1,
        )


@FEW
@given(lawful_records())
def test_whoever_keeps_to_the_rules_is_found_faultless(lawful: Lawful) -> None:
    assert audited(lawful.record).faults == {}


@FEW
@given(lawful_records(), st.data())
def test_a_cent_above_the_limit_is_found(lawful: Lawful, data: st.DataObject) -> None:
    """P4, W6."""
    insurance = lawful.record["insurance"]
    full = [at for at, wager in enumerate(insurance) if wager in lawful.full]
    if not full:
        return
    at = data.draw(st.sampled_from(full))
    more = {**insurance[at], "stake": plain.amount(plain.cents(insurance[at]["stake"]) + 1)}
    result = audited({**lawful.record, "insurance": [*insurance[:at], more, *insurance[at + 1 :]]})
    assert "insurance-over-limit" in result.faults


@FEW
@given(insured_records(least=1, only_offers=False))
def test_any_insurance_is_judged_as_it_is_settled(record: dict[str, Any]) -> None:
    settled = answer(record)
    result = audited(record)
    if "error" not in settled:
        assert result.faults == {}
    else:
        judged = {(finding.code, finding.paragraph) for finding in result.findings}
        assert (settled["error"]["code"], settled["error"]["paragraph"]) in judged


@EDITIONS
def test_the_random_records_meet_every_fault_of_insurance(edition: Edition) -> None:
    """So that the agreement tested on them means something."""
    codes = Counter(answer(record).get("error", {}).get("code") for record in records(edition, 1_500, seed=8))
    wanted = {"no-original-bet", "no-such-offer", "insurance-over-limit"}
    if not plain.is_live(edition[0]):
        wanted.add("insurance-forgone")
    assert wanted <= set(codes), codes
