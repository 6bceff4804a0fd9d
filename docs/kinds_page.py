"""The part of docs/commands.md for who writes a script by hand: what each kind of irregularity tells, and what may be
ruled on it; bets and positions by layout. All of it from the rows, the records and the editions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from punto.game.irregularities.kinds import Kind, Ruling, choices
from punto.game.irregularities.rows import REPORTED, ROWS, rulings
from punto.rulebook import load

EDITIONS: Final = [load.edition(one.game, one.edition) for one in load.catalogue()]

SCRIPT: Final = """\
### Writing a script

- The first command is `open-table`; every command of staff names somebody on duty in `by`. Ids are in the events: a
  wager's is `w1`, insurance's `i3`, counted together over the table's life, in `wager-placed` and `insurance-taken`.
  A report of `insurance-misplaced` names that id in `insurance`.
- A field that is left out or null says nothing. A field that belongs to another kind is refused with `wrong-field`.
- `skip` counts further cards that are taken from the shoe unseen, besides the card that was opened and those that
  `burn` skipped on record.
- Money is right again at once where a ruling leads to `round-voided`, `past-round-corrected`,
  `insurance-repositioned`, `original-returned` or `ruling-paid`. After `round-reopened` or `cards-reconstructed` the
  round goes on from its true cards: draw what is due, then `settle`, once more where it was settled.
- A settlement can't be entered wrongly: it follows from the cards and wagers on record. What makes it wrong is a card
  that was misread, chips that were not entered (`report-chips`) or insurance on the wrong side (`area` of
  `take-insurance`). A card is put right by `damaged-card` with its place while the round is current, by `discretion`
  with `round` and both hands once the next one is open (Live: `wrong-dealing`).
- `punto replay` ends with exit status 0 when every command was carried out, 1 when one was refused (it goes on after
  it), 2 when it was called wrongly."""


RULED: Final = """\
Besides `by` and `reason`. Every kind that somebody decides also hears `action` `unfounded`, with a reason. The first
row of a kind that fits the fields and the table is the one that is meant."""


def page() -> str:
    return "\n\n".join([SCRIPT, "### Bets and positions by layout", _layouts(), _reports(), _rulings()])


def _layouts() -> str:
    lines = ["| edition | layout | positions | bets |", "|---|---|---|---|"]
    for rules in EDITIONS:
        for layout in rules.layouts.values():
            low, high = layout.positions
            bets = " ".join(f"`{bet.value}`" for bet in layout.bets)
            lines.append(f"| {rules.id} | {layout.id} | {low}–{high} | {bets} |")
    return "\n".join(lines)


def _reports() -> str:
    lines = ["### Facts of a report, by kind", "", "Besides `by`, `kind` and `note`.", ""]
    lines += ["| kind | fields | heard while the table is |", "|---|---|---|"]
    for kind in REPORTED:
        phases = ", ".join(phase.value for phase in ROWS[kind].phases)
        lines.append(f"| `{kind.value}` | {_fields(ROWS[kind].facts) or '–'} | {phases} |")
    return "\n".join(lines)


def _rulings() -> str:
    lines = ["### What a ruling says, by kind", "", RULED, ""]
    lines += ["| kind | remedy | fields | editions |", "|---|---|---|---|"]
    for kind in REPORTED:
        for (remedy, said), names in _ruled(kind).items():
            lines.append(f"| `{kind.value}` | {remedy} | {said or '–'} | {', '.join(names)} |")
    return "\n".join(lines)


def _ruled(kind: Kind) -> dict[tuple[str, str], list[str]]:
    """(remedy, fields) → the editions that have it."""
    found: dict[tuple[str, str], list[str]] = {}
    for rules in EDITIONS:
        row = rules.irregularities.get(kind)
        if row is None or row.decided_by == "nobody":
            continue
        for ruling in rulings(row)[1:]:
            if row.remedy(ruling.remedy) is not None:
                names = found.setdefault((ruling.remedy, ", ".join(_words(ruling))), [])
                if _year(rules.id) not in names:
                    names.append(_year(rules.id))
    return found


def _year(name: str) -> str:
    return "Live" if name.startswith("live") else name.rpartition("/")[2][:4]


def _words(ruling: Ruling) -> Iterator[str]:
    for name, value in ruling.marks.items():
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        yield f"`{name}` `{shown}`" if value is not True else f"`{name}` `true` or nothing"
    for one in msgspec.structs.fields(ruling.words):
        if one.name not in ("by", "reason"):
            yield f"`{one.encode_name}`{'' if one.required else '?'}"


def _fields(record: Any) -> str:
    shown = []
    for one in msgspec.structs.fields(record):
        words = choices(one.type)
        said = f" ({', '.join(f'`{word}`' for word in words)})" if words else ""
        shown.append(f"`{one.encode_name}`{'' if one.required else '?'}{said}")
    return ", ".join(shown)
