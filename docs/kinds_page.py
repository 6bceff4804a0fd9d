"""The part of docs/commands.md for people who write a script by hand: bets and positions by layout, and the facts and
rulings of each kind of irregularity. The tables are generated from the rows, the records and the editions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from punto.game.irregularities import rows
from punto.game.irregularities.published import Field, PublishedRuling, fields, published
from punto.game.irregularities.rows import REPORTED, ROWS
from punto.rulebook import load
from punto.rulebook.model import Rulebook

EDITIONS: Final = [load.edition(source.game, source.edition) for source in load.catalogue()]

SCRIPT: Final = """\
### Writing a script

- The first command is `open-table`; every command of staff names somebody on duty in `by`. Ids are in the events: a
  wager's is `w1`, insurance's `i3`, counted together over the table's life, in `wager-placed` and `insurance-taken`.
  A report of `insurance-misplaced` names that id in `insurance`.
- `punto replay` prints a line for each command, with its number (comments are not counted) and its events or refusal.
  The last line is the table as the pit sees it and the `balances`, chips only: what patrons owe is in `owed_by` of
  the table, what the House won or lost in `house`.
- [When something goes wrong](irregularities.md) says which kind is meant, with worked examples. In a report `round`
  is the round that it is about; in every other command it is the one on the table.
- The table makes every offer of insurance by itself, and drawing the next card ends it. So a missed offer is on record
  as one that was let pass: `insurance-missed` says that nobody spoke of it. Who declined it or had walked away has
  missed nothing.
- A field that is left out or null says nothing. A field that belongs to another kind is refused with `wrong-field`.
- `skip` counts further cards that are taken from the shoe unseen, besides the card that was opened and those that
  `burn` skipped on record.
- Money is right again at once where a ruling leads to `round-voided`, `past-round-corrected`,
  `insurance-repositioned`, `original-returned` or `ruling-paid`. After `round-reopened` or `cards-reconstructed` the
  round goes on from its true cards: draw what is due, then `settle`, once more where it was settled. After
  `options-opened` come `choose-option` for each patron who says something, then `resume-play`.
- Cards carried over are drawn first, by `draw-card` with the same face or none. After `replacement-ordered` come
  `end-shoe` and `load-shoe`; after `shoe-ended` only `load-shoe`. A Live shoe is burnt anew.
- A settlement can't be entered wrongly: it follows from the cards and wagers on record. What makes it wrong is a card
  that was misread, chips that were not entered (`report-chips`) or insurance on the wrong side (`area` of
  `take-insurance`). A card is put right by `damaged-card` with its place while the round is current, by `discretion`
  with `round` and both hands once the next one is open (Live: `wrong-dealing`).
- `punto replay` ends with exit status 0 when every command was carried out, 1 when one was refused (it goes on after
  it, and names the first one at the end), 2 when it was called wrongly."""


RULED: Final = """\
Besides `by` and `reason`. Of the rows of a kind that fit the fields and what lies open the first is meant. *By* is the
lowest rank. A kind that an edition has and that is not here for it is carried out with the report: nobody decides.
Every other one also hears `action` `unfounded`, with a reason.

`order`: the cards in the order in which they left the shoe, by face or by their number in the report; once the hands
lie open, all of them. `patrons`: who meant to insure, at least one. `pay`: patron → amount, at least one.
`void_rounds`: finished rounds of the invalid shoe that are void. `card`: what the card truly was. `end_shoe`,
`replace_cards`: new cards come in from the next round."""


def page() -> str:
    return "\n\n".join([SCRIPT, "### Bets and positions by layout", _layouts(), reports(), rulings()])


def _layouts() -> str:
    lines = ["| edition | layout | positions | bets |", "|---|---|---|---|"]
    for rules in EDITIONS:
        for layout in rules.layouts.values():
            low, high = layout.positions
            bets = " ".join(f"`{bet.value}`" for bet in layout.bets)
            lines.append(f"| {rules.id} | {layout.id} | {low}–{high} | {bets} |")
    return "\n".join(lines)


def reports() -> str:
    lines = ["### Facts of a report, by kind", "", "Besides `by`, `kind` and `note`.", ""]
    lines += ["| kind | fields | which are | heard while the table is | editions |", "|---|---|---|---|---|"]
    for kind in REPORTED:
        facts, phases = ROWS[kind].facts, ", ".join(phase.value for phase in ROWS[kind].phases)
        listing = ", ".join(map(_field, fields(facts)))
        years = _years([rules for rules in EDITIONS if any(reported.kind is kind for reported in published(rules))])
        lines.append(f"| `{kind.value}` | {listing or '–'} | {_said(facts) if listing else '–'} | {phases} | {years} |")
    return "\n".join(lines)


def rulings() -> str:
    lines = ["### What a ruling says, by kind", "", RULED, ""]
    lines += ["| kind | remedy | fields | where | by | reason | editions |", "|---|---|---|---|---|---|---|"]
    editions_by_cells: dict[tuple[str, ...], list[Rulebook]] = {}
    for kind in REPORTED:
        for rules in EDITIONS:
            for reported in (
                candidate for candidate in published(rules) if candidate.kind is kind and candidate.rulings
            ):
                row = rules.irregularities[kind]
                own = [ruling for ruling in rows.rulings(row) if row.remedy(ruling.remedy) is not None]
                for order, ruling in zip(reported.rulings[1:], own, strict=True):
                    words, why = ", ".join(_words(order)), "yes" if order.reason_needed else ""
                    key = (f"`{kind}`", order.remedy, words, _said(ruling.fits), order.decided_by, why)
                    editions_by_cells.setdefault(key, []).append(rules)
    for cells, editions in editions_by_cells.items():
        lines.append(f"| {' | '.join(cell or '–' for cell in (*cells, _years(editions)))} |")
    return "\n".join(lines)


def _said(thing: object) -> str:
    """The docstring, in one line."""
    return " ".join((getattr(thing, "__doc__", None) or "").split())


def _years(editions: list[Rulebook]) -> str:
    return ", ".join(dict.fromkeys(year(rules.id) for rules in editions))


def year(name: str) -> str:
    return "Live" if name.startswith("live") else name.rpartition("/")[2][:4]


def _words(order: PublishedRuling) -> Iterator[str]:
    for name, value in order.says.items():
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        yield f"`{name}` `{shown}`" if value is not True else f"`{name}` `true` or nothing"
    yield from (f"`{field.name}`{'' if field.needed else '?'}" for field in order.fields)


def _field(field: Field) -> str:
    said = f" ({', '.join(f'`{word}`' for word in field.choices)})" if field.choices else ""
    return f"`{field.name}`{'' if field.needed else '?'}{said}"
