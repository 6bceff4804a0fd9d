"""What is published of a kind is what the decider does: fields, ranks, paragraphs, and when two persons are needed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from punto.game import commands as c
from punto.game.irregularities.kinds import sent
from punto.game.irregularities.published import PublishedRuling, Reported, published
from punto.game.irregularities.ruling import needs_second_person
from punto.game.refusals import Refusal
from punto.rulebook.model import Rank
from tests.irregularities.laws import BOOKS
from tests.irregularities.test_remedies import ALL, example

RANKS = tuple(Rank)
BY = dict(zip(RANKS, ("dora", "sam", "mia", "tess"), strict=True))
DECIDED = [
    (edition, kind, remedy)
    for edition, kind, remedy in ALL
    if BOOKS[edition].irregularities[kind].decided_by not in ("nobody", "patron")
]


def of(edition: str, kind: str) -> Reported:
    return next(reported for reported in published(BOOKS[edition]) if reported.kind == kind)


def order_of(reported: Reported, remedy: str, said: dict[str, object]) -> PublishedRuling:
    """The ruling that carries a remedy out: the remedy's own, or one with a field that also orders the remedy."""
    for order in reported.rulings:
        own = {*order.says, *(field.name for field in order.fields)}
        marked = all(said.get(name, name == "reconstruct") == value for name, value in order.says.items())
        ordered = (order.remedy, *(order.also[name] for name in said if name in order.also))
        if remedy in ordered and marked and said.keys() <= own:
            return order
    raise AssertionError(f"{reported.kind}: {remedy} is not published")


@pytest.mark.parametrize(("edition", "kind", "remedy"), DECIDED)
def test_a_ruling_is_as_it_is_published(edition: str, kind: str, remedy: str) -> None:
    table, command = example(edition, kind, remedy)
    assert isinstance(command, c.DecideIrregularity)
    reported = of(edition, kind)
    order = order_of(reported, remedy, sent(command, "by", "reason"))
    further = remedy != order.remedy
    rank = BOOKS[edition].irregularities[kind].decided_by_of(remedy) if further else order.decided_by
    below = RANKS[: RANKS.index(Rank(rank))]
    if below:
        refused = table.fork().send(replace(command, by=BY[below[-1]]))
        assert isinstance(refused, Refusal)
        assert refused.code == "wrong-rank"
        assert further or refused.paragraph == order.paragraph
    silent = table.fork().send(replace(command, reason=""))
    assert (isinstance(silent, Refusal) and silent.code == "reason-needed") == order.reason_needed
    over = table.table.round is not None and table.table.round.ended
    past = table.table.irregularity is not None and table.table.irregularity.round is not None
    due = {"always": True, "settled": over or past, "past": past, "never": False}[order.second_person]
    assert needs_second_person(table.table, command) == (due or bool(command.void_rounds))


def test_a_form_can_be_drawn_from_a_row() -> None:
    edition = "tiger-buffalo-commission/2025-11-21"
    face_up = {field.name: field for field in of(edition, "face-up").fields}
    assert [name for name, field in face_up.items() if not field.short] == ["places"]
    assert {name: field.type for name, field in face_up.items()} == {
        "place": "choice",
        "card": "text",
        "places": "cards",
    }
    pays = {field.name: field.type for ruling in of(edition, "discretion").rulings for field in ruling.fields}
    assert pays["pay"] == "amounts"
    excess = of(edition, "excess-card")
    assert [field.name for field in excess.fields if field.stands] == ["exposed"]
    assert [field.name for field in excess.fields if field.holds == "hand"] == ["player", "banker"]
    assert {str(ruling.says) for ruling in excess.rulings if ruling.unsaid} == {"{'reconstruct': True}"}
