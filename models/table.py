"""Check the model of a table for every edition, and that it finds planted faults."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from models import inputs, scripts, tlc, writing
from models.faults import FAULTS, Fault
from models.inputs import COMMANDS, TableInput
from punto.rulebook import load
from punto.rulebook.model import Rulebook

INVARIANTS: Final = (
    "TypeOK",
    "Phases",
    "Conserved",
    "Unseen",
    "Recovered",
    "Closable",
    "OptionsClose",
    "CanEnd",
    "CardsFall",
)
PROPERTIES: Final = ("NoLateWager", "CardsWait", "OnlyDue", "SettledWhole", "Nearer")
CONFIG: Final = f"SPECIFICATION Spec\nVIEW seen\nINVARIANTS {' '.join(INVARIANTS)}\nPROPERTIES {' '.join(PROPERTIES)}\n"
PATRONS: Final = {"up": 2, "down": 1}
"""Number of patrons, by facing: face-down tables have more states."""

LEFT_OUT: Final = frozenset(
    {
        *("join", "sit", "stand-up", "buy-chips", "cash-chips", "set-limits", "set-insurance", "announce-closing"),
        *("place-cut-card", "decline-insurance", "ask-banker-first", "grant-banker-first"),
    }
)
"""Commands that do not change the state of the model."""


class Case(msgspec.Struct, frozen=True):
    """Editions with the same tables, at a face-up or a face-down table."""

    editions: tuple[str, ...]
    facing: str
    given: TableInput


def rulebooks() -> dict[str, Rulebook]:
    return {f"{source.game}/{source.edition}": load.edition(source.game, source.edition) for source in load.catalogue()}


def cases() -> list[Case]:
    """All cases to check. Editions with equal tables share a case."""
    alike: dict[bytes, list[TableInput]] = {}
    for rules in rulebooks().values():
        table_input = inputs.of(rules)
        alike.setdefault(repr(replace(table_input, edition="")).encode(), []).append(table_input)
    return [
        Case(tuple(member.edition for member in same), facing, same[0])
        for same in alike.values()
        for facing in same[0].facings
    ]


def check(
    table_input: TableInput, facing: str, *, reports: int = 1, patrons: int | None = None, workers: int = 1
) -> tlc.Checked:
    """Check every state of a table with this input."""
    modelled = (tlc.HERE / "Table.tla").read_text()
    unknown = [name for name in COMMANDS if name not in LEFT_OUT and f'"{name}"' not in modelled]
    assert not unknown, f"the model does not know these commands: {unknown}"
    with tempfile.TemporaryDirectory(prefix="punto-model-") as folder:
        here = Path(folder)
        limited = replace(table_input, facings=(facing,))
        (here / "Tables.tla").write_text(writing.tables(limited, reports, patrons or PATRONS[facing]))
        return tlc.check(here, "Table", CONFIG, workers=workers)


def planted(
    table_input: TableInput, faults: tuple[Fault, ...] = FAULTS, *, workers: int = 1
) -> Iterator[tuple[Fault, tlc.Checked]]:
    """Check the tables of an edition with each fault alone."""

    def check_fault(fault: Fault) -> tlc.Checked:
        return check(fault.change(table_input), fault.facing, reports=fault.reports, patrons=1)

    with ThreadPoolExecutor(workers) as several:
        yield from zip(faults, several.map(check_fault, faults), strict=True)


def script(rules: Rulebook, table_input: TableInput, result: tlc.Checked) -> str:
    """A counterexample as a script for `punto replay`."""
    assert result.broken is not None, "nothing is broken"
    return scripts.script(rules, table_input, result.steps, result.broken)
