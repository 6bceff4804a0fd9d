"""Every binding paragraph of every edition is proved by a claim that holds, and that fails when it is broken.

Read a test's name as: edition, § paragraph, topic, the proof.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import msgspec
import pytest

from punto.game import established, outcome
from punto.rulebook import load, trace
from punto.rulebook.model import Rulebook
from tests.rules.coups import BOOK
from tests.rules.printed import BANKER_DRAWS_ON, DRAWS_ALONE, NUMBERS
from tests.rules.proving import Proof, shipped

MODULES = tuple(
    importlib.import_module(f"tests.rules.{path.stem}")
    for path in sorted(trace.TESTS.glob("*.py"))
    if not path.stem.startswith("test_")
)
PROOFS = tuple(
    proof
    for module in MODULES
    for proof in vars(module).values()
    if isinstance(proof, Proof) and proof.claim.__module__ == module.__name__
)
EDITIONS = tuple(load.edition(source.game, source.edition) for source in load.catalogue())
EACH_EDITION = pytest.mark.parametrize("rules", EDITIONS, ids=lambda rules: rules.id)

KEPT_BY_VALUE = (outcome.all_outcomes, outcome.ends, outcome.pairs_possible, established._starts)
"""Caches of the core by value, not by rulebook. They are cleared before and after a break, so that nothing leaks."""


def proved_paragraphs() -> Iterator[object]:
    for rules in EDITIONS:
        for paragraph in rules.paragraphs.values():
            for topic in paragraph.topics if paragraph.binds else ():
                for proof in PROOFS:
                    if proof.concerns(rules, topic):
                        name = f"{rules.id} §{paragraph.number} {topic} {proof.claim.__name__}"
                        yield pytest.param(rules, proof, id=name)


EACH_PROOF = pytest.mark.parametrize(("rules", "proof"), tuple(proved_paragraphs()))


@EACH_PROOF
def test_paragraph_holds(rules: Rulebook, proof: Proof) -> None:
    proof.claim(rules)


@EACH_PROOF
def test_broken_paragraph_is_noticed(rules: Rulebook, proof: Proof) -> None:
    assert proof.breaks
    for number, broken_by in enumerate(proof.breaks, start=1):
        with pytest.MonkeyPatch.context() as patch:
            broken = broken_by(patch, rules)
            assert broken is not rules, "a break gives a copy, so that nothing remembered by rulebook is found again"
            _forget()
            noticed = _fails(proof, broken)
        _forget()
        assert noticed, f"{proof.name} still holds under its break {number} of {len(proof.breaks)}"


def _fails(proof: Proof, broken: Rulebook) -> bool:
    """Whether an assert of the claim fails; any other error is the proof's own fault and goes through."""
    try:
        proof.claim(broken)
    except AssertionError:
        return True
    return False


def _forget() -> None:
    for remembered in KEPT_BY_VALUE:
        remembered.cache_clear()


@EACH_EDITION
def test_every_binding_paragraph_is_proved(rules: Rulebook) -> None:
    proved = {topic for proof in PROOFS for topic in proof.topics if proof.concerns(rules, topic)}
    binding = [paragraph for paragraph in rules.paragraphs.values() if paragraph.binds]
    assert [
        (paragraph.number, topic) for paragraph in binding for topic in paragraph.topics if topic not in proved
    ] == []
    assert trace.trace(rules, trace.proofs()).unproved == ()


def test_every_proof_concerns_some_edition() -> None:
    idle = [(proof.name, topic) for proof in PROOFS for topic in proof.topics if not _concerned(proof, topic)]
    assert idle == []


def _concerned(proof: Proof, topic: str) -> bool:
    return any(
        topic in paragraph.topics and proof.concerns(rules, topic)
        for rules in EDITIONS
        for paragraph in rules.paragraphs.values()
    )


def test_the_trace_counts_the_proofs_that_are_run() -> None:
    run = sorted(trace.Proof(topic, proof.game, proof.name) for proof in PROOFS for topic in proof.topics)
    assert list(trace.proofs()) == run


def test_the_shipped_list_of_proofs_is_true() -> None:
    proofs = trace.proofs()
    assert trace.SHIPPED.read_bytes() == shipped(proofs), "run: make proofs"
    assert msgspec.json.decode(trace.SHIPPED.read_bytes(), type=tuple[trace.Proof, ...]) == proofs


@EACH_EDITION
def test_paragraph_numbers_are_as_printed(rules: Rulebook) -> None:
    assert {topic: rules.paragraph(topic) for topic in NUMBERS[rules.id]} == NUMBERS[rules.id]


def test_the_book_of_coups_is_right() -> None:
    """By plain counting: the typed points, numbers of cards and pairs, and who may draw, are those of the cards."""
    for example in BOOK:
        player, banker = (
            ["A23456789TJQK".index(card.rank) + 1 for card in hand]
            for hand in (example.coup.player, example.coup.banker)
        )
        assert (_total(player), len(player), _total(banker), len(banker)) == example[1:5], example.coup
        assert (_pair(player), _pair(banker)) == (bool(example.player_pair), bool(example.banker_pair)), example.coup
        two = (_total(player[:2]), _total(banker[:2]))
        player_draws = max(two) < 8 and two[0] in DRAWS_ALONE
        banker_draws = two[1] in DRAWS_ALONE if not player_draws else _total(player[2:]) in BANKER_DRAWS_ON[two[1]]
        assert (len(player) == 3, len(banker) == 3) == (player_draws, banker_draws and max(two) < 8), example.coup


def _total(ranks: list[int]) -> int:
    return sum(min(rank, 10) for rank in ranks) % 10


def _pair(ranks: list[int]) -> bool:
    return ranks[0] == ranks[1]
