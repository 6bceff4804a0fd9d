"""What the house works out from a table as it stands, at every step of every script: its stage, and what a ruling would
lead to."""

from __future__ import annotations

from itertools import combinations

from punto.game import commands as c
from punto.game.audience import Audience
from punto.game.evolve import evolve_all
from punto.game.possible import Possible
from punto.game.table import Phase, Table
from punto.house.table.permissions import allowed
from punto.house.table.preview import Preview, preview
from punto.house.table.stage import same_stage, stage
from punto.rulebook.model import Rank
from tests.every import of_every
from tests.house.table.transcript_states import SCRIPTS, decisions, states

NEAR = 4
"""States fewer than so many steps apart are compared: a house compares states that follow each other."""


@of_every(SCRIPTS)
def test_a_glance_at_the_stage_says_what_the_stages_say(name: str) -> None:
    steps = states(name)
    for at in range(len(steps)):
        for before, after in combinations(steps[at : at + NEAR], 2):
            assert same_stage(before, after) == (stage(before) == stage(after)), (at, before.phase, after.phase)


@of_every(SCRIPTS)
def test_a_preview_is_what_the_ruling_led_to(name: str) -> None:
    for before, command, events in decisions(name):
        after = evolve_all(before, events)
        shown = preview(before, command)
        assert isinstance(shown, Preview)
        assert not shown.reason_needed
        about = before.irregularity.round if before.irregularity is not None else None
        concerned = after.round if about is None else after.past[about]
        faces = {card.place: card.face if card.exposed else None for card in concerned.cards} if concerned else {}
        assert shown.cards == faces
        carried = after.shoe.carried if after.shoe is not None else ()
        assert shown.waiting == tuple(card.face if card.exposed else None for card in carried)
        moved = {name for name, patron in after.patrons.items() if worth(after, name) != worth(before, name)}
        assert set(shown.moves) == moved


def worth(table: Table, name: str) -> int:
    return table.patrons[name].balance_cents - table.owed_cents.get(name, 0)


CHIPS = Possible(do="report-chips", paragraph="5.19")


@of_every(SCRIPTS)
def test_chips_found_late_are_offered_to_whom_the_house_lets_enter_them(name: str) -> None:
    """Once the result is known they are not offered to a dealer; after the settlement two persons enter them."""
    for table in states(name):
        if table.settings is None or table.settings.source == "virtual":
            continue
        settled = table.round is not None and table.round.ended
        offered = {rank: allowed(table, Audience.PIT, rank, (CHIPS,)) for rank in (Rank.DEALER, Rank.PIT_SUPERVISOR)}
        known = table.phase is Phase.COMPLETE and not settled
        assert bool(offered[Rank.DEALER]) != known
        for action in (*offered[Rank.DEALER], *offered[Rank.PIT_SUPERVISOR]):
            assert action.second_person == settled


def test_the_scripts_decide_and_settle() -> None:
    ruled = [before for name in SCRIPTS for before, _, _ in decisions(name)]
    assert len(ruled) > 20
    assert any(before.irregularity is not None and before.irregularity.round is not None for before in ruled)
    assert all(isinstance(command, c.DecideIrregularity) for name in SCRIPTS for _, command, _ in decisions(name))
