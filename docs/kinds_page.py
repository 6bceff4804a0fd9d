"""The part of docs/commands.md for who writes a script by hand: what each kind of irregularity tells, and what may be
ruled on it; bets and positions by layout. All of it from the rows, the records and the editions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from punto.game.irregularities.published import Field, Order, fields, published
from punto.game.irregularities.rows import REPORTED, ROWS
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
        told = ", ".join(map(_field, fields(ROWS[kind].facts)))
        lines.append(f"| `{kind.value}` | {told or '–'} | {phases} |")
    return "\n".join(lines)


def _rulings() -> str:
    lines = ["### What a ruling says, by kind", "", RULED, ""]
    lines += ["| kind | remedy | fields | editions |", "|---|---|---|---|"]
    found: dict[tuple[str, str, str], list[str]] = {}
    for kind in REPORTED:
        for rules in EDITIONS:
            for one in (it for it in published(rules) if it.kind is kind):
                for order in one.rulings[1:]:
                    names = found.setdefault((kind.value, order.remedy, ", ".join(_words(order))), [])
                    names += [_year(rules.id)] if _year(rules.id) not in names else []
    for (name, remedy, said), names in found.items():
        lines.append(f"| `{name}` | {remedy} | {said or '–'} | {', '.join(names)} |")
    return "\n".join(lines)


def _year(name: str) -> str:
    return "Live" if name.startswith("live") else name.rpartition("/")[2][:4]


def _words(order: Order) -> Iterator[str]:
    for name, value in order.says.items():
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        yield f"`{name}` `{shown}`" if value is not True else f"`{name}` `true` or nothing"
    yield from (f"`{one.name}`{'' if one.needed else '?'}" for one in order.fields)


def _field(one: Field) -> str:
    said = f" ({', '.join(f'`{word}`' for word in one.choices)})" if one.choices else ""
    return f"`{one.name}`{'' if one.needed else '?'}{said}"
