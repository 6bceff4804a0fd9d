"""docs/generated/phases.md and phases.svg: the phase table of src/punto/game/round.py as grid, Mermaid and drawing.

This module sets the positions of the phases. The arrows and their labels come from the table.
"""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

from punto.game.round import HEARD
from punto.game.table import Phase

IN_WORDS: Final = (Phase.IRREGULARITY, Phase.OPTIONS)
"""Phases after which play continues where it was. Their moves are text beside the box, not arrows."""
REPORT: Final = "report-irregularity"
"""It leads from many phases to irregularity: a mark in the box, no arrow."""

Move = tuple[Phase, Phase]
Point = tuple[float, float]


def tag(command: type) -> str:
    return str(command.__struct_config__.tag)  # type: ignore[attr-defined]


def moves() -> dict[Move, list[str]]:
    """(from, to) → the commands that lead there."""
    by_move: dict[Move, list[str]] = {}
    for phase, commands in HEARD.items():
        for command, targets in commands.items():
            for target in targets if targets != (phase,) and tag(command) != REPORT else ():
                by_move.setdefault((phase, target), []).append(tag(command))
    return by_move


def drawn() -> dict[Move, list[str]]:
    return {move: commands for move, commands in moves().items() if move[0] not in IN_WORDS}


def in_words(phase: Phase) -> list[str]:
    """Where the commands of a phase without arrows lead."""
    if phase not in IN_WORDS:
        return []
    lines = []
    for command, targets in HEARD[phase].items():
        if targets != (phase,):
            lines.append(f"{tag(command)} → {', '.join(target.value for target in targets)}")
    return lines


def reporting() -> list[Phase]:
    return [phase for phase in Phase if any(tag(command) == REPORT for command in HEARD[phase])]


# The page


def page() -> str:
    parts = [
        "# Phases of a table",
        "Drawn from `HEARD` in `src/punto/game/round.py` by `make docs`; not written by hand. "
        "A command that is not heard in a phase is refused with a code and a paragraph, and changes nothing.",
        "![The phases of a table and the commands that lead from one to the next](phases.svg)",
        "## Which commands are heard in which phase",
        grid(),
        "## The same diagram as text",
        mermaid(),
    ]
    words = [f"- {phase.value}: {text}." for phase in IN_WORDS for text in in_words(phase)]
    if reporting():
        heard = ", ".join(phase.value for phase in reporting())
        words.append(
            f"- report-irregularity is heard in {heard}. It leads to {Phase.IRREGULARITY.value}, or at once on."
        )
    if words:
        parts += ["Not drawn as arrows:", "\n".join(words)]
    return "\n\n".join(parts) + "\n"


def grid() -> str:
    """Phase × command. A dot: heard; an arrow: heard, and it can lead to another phase."""
    phases = [phase for phase in Phase if phase in HEARD]
    commands = list(dict.fromkeys(tag(kind) for phase in phases for kind in sorted(HEARD[phase], key=tag)))
    lines = [
        "| command | " + " | ".join(phase.value for phase in phases) + " |",
        "|---|" + ":-:|" * len(phases),
    ]
    heard = {phase: {tag(kind): leads for kind, leads in HEARD[phase].items()} for phase in phases}
    for command in sorted(commands):
        cells = []
        for phase in phases:
            targets = heard[phase].get(command, ())
            leads = any(target is not phase for target in targets)
            cells.append("" if command not in heard[phase] else "→" if leads else "·")
        lines.append(f"| {command} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", "· heard, the phase stays · → heard, and it can lead to another phase"])


def mermaid() -> str:
    def name(phase: Phase) -> str:
        return phase.value.replace("-", "_")

    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> closed"]
    lines += [f"    {name(phase)} : {phase.value}" for phase in Phase if "-" in phase.value]
    lines += [
        f"    {name(start)} --> {name(end)} : {', '.join(commands)}" for (start, end), commands in drawn().items()
    ]
    return "\n".join([*lines, "```"])


# The drawing

WIDTH, HEIGHT = 1300, 740
BOX: Final = (144.0, 50.0)

PLACES: Final[dict[Phase, Point]] = {
    Phase.CLOSED: (110, 110),
    Phase.NO_SHOE: (420, 110),
    Phase.COMMENCING: (760, 50),
    Phase.READY: (1100, 110),
    Phase.BETTING: (1100, 350),
    Phase.DEALING: (760, 350),
    Phase.OFFER: (590, 530),
    Phase.COMPLETE: (420, 350),
    Phase.SETTLED: (110, 350),
    Phase.CUT_CARD: (930, 530),
    Phase.IRREGULARITY: (110, 690),
    Phase.OPTIONS: (520, 690),
}

KINDS: Final[dict[Phase, str]] = {
    Phase.CLOSED: "idle",
    Phase.NO_SHOE: "idle",
    Phase.COMMENCING: "shoe",
    Phase.READY: "shoe",
    Phase.BETTING: "bets",
    Phase.DEALING: "cards",
    Phase.OFFER: "bets",
    Phase.CUT_CARD: "bets",
    Phase.COMPLETE: "cards",
    Phase.SETTLED: "shoe",
    Phase.IRREGULARITY: "wrong",
    Phase.OPTIONS: "wrong",
}

# Path, text position and text anchor of each arrow that has a route of its own.
ROUTES: Final[dict[Move, tuple[str, Point, str]]] = {
    (Phase.CLOSED, Phase.NO_SHOE): ("M182 100 L346 100", (264, 91), "middle"),
    (Phase.NO_SHOE, Phase.CLOSED): ("M348 120 L184 120", (264, 138), "middle"),
    (Phase.NO_SHOE, Phase.READY): ("M492 112 L1026 112", (760, 128), "middle"),
    (Phase.NO_SHOE, Phase.COMMENCING): ("M492 94 Q590 56 686 52", (590, 52), "middle"),
    (Phase.COMMENCING, Phase.READY): ("M832 52 Q930 60 1026 98", (942, 58), "middle"),
    (Phase.COMMENCING, Phase.NO_SHOE): ("M688 64 Q620 86 494 104", (624, 98), "middle"),
    (Phase.COMMENCING, Phase.CLOSED): ("M700 25 C600 -2 240 2 130 83", (420, 18), "middle"),
    (Phase.READY, Phase.NO_SHOE): ("M1040 135 C960 176 560 176 470 137", (760, 160), "middle"),
    (Phase.READY, Phase.CLOSED): ("M1070 135 C960 226 260 226 146 137", (600, 198), "middle"),
    (Phase.READY, Phase.BETTING): ("M1100 135 L1100 323", (1108, 224), "start"),
    (Phase.SETTLED, Phase.CLOSED): ("M96 325 L96 137", (88, 236), "end"),
    (Phase.SETTLED, Phase.NO_SHOE): ("M136 325 C160 220 330 196 392 137", (250, 236), "middle"),
    (Phase.SETTLED, Phase.BETTING): ("M176 325 C280 224 940 224 1044 323", (560, 240), "middle"),
    (Phase.BETTING, Phase.DEALING): ("M1028 350 L834 350", (931, 341), "middle"),
    (Phase.DEALING, Phase.COMPLETE): ("M688 350 L494 350", (591, 334), "middle"),
    (Phase.COMPLETE, Phase.SETTLED): ("M348 350 L184 350", (266, 341), "middle"),
    (Phase.DEALING, Phase.OFFER): ("M716 375 L616 503", (652, 434), "end"),
    (Phase.OFFER, Phase.DEALING): ("M642 505 L742 377", (706, 450), "start"),
    (Phase.OFFER, Phase.COMPLETE): ("M540 505 L440 377", (478, 446), "end"),
    (Phase.DEALING, Phase.CUT_CARD): ("M804 375 L904 503", (868, 434), "start"),
    (Phase.CUT_CARD, Phase.DEALING): ("M878 505 L778 377", (818, 474), "end"),
    (Phase.CUT_CARD, Phase.SETTLED): ("M900 555 C800 628 204 620 146 377", (310, 566), "end"),
}

LOOPS: Final[dict[Phase, str]] = {
    Phase.READY: "right",
    Phase.DEALING: "up",
    Phase.OFFER: "down",
    Phase.CUT_CARD: "right",
    Phase.SETTLED: "corner",
}

STYLE: Final = """\
    text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 13px; }
    text { fill: #1d2733; }
    .phase { font-weight: 700; font-size: 16px; text-anchor: middle; }
    .word { font-size: 12.5px; paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; }
    .quiet-word { fill: #6a7886; }
    .page { fill: #ffffff; }
    .idle { fill: #f2f5f8; stroke: #7d8c9b; }
    .shoe { fill: #e6f0fb; stroke: #2f6db5; }
    .bets { fill: #e5f4ea; stroke: #2c7d4f; }
    .cards { fill: #fff6df; stroke: #a9780f; }
    .wrong { fill: #fbeae8; stroke: #b5372d; }
    rect { stroke-width: 1.6; }
    .move { fill: none; stroke: #3a4957; stroke-width: 1.8; }
    .quiet { fill: none; stroke: #9aa7b3; stroke-width: 1.3; stroke-dasharray: 5 4; }
    .move-head { fill: #3a4957; }
    .quiet-head { fill: #9aa7b3; }
    .mark { fill: #b5372d; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e4e9ee; }
      .word { stroke: #11161c; }
      .quiet-word { fill: #98a6b3; }
      .page { fill: #11161c; }
      .idle { fill: #222c37; stroke: #7a8998; }
      .shoe { fill: #17304c; stroke: #6ba6e8; }
      .bets { fill: #16351f; stroke: #63bd87; }
      .cards { fill: #3a2e10; stroke: #e0b04a; }
      .wrong { fill: #3d1b19; stroke: #ee7c72; }
      .move { stroke: #c3cdd6; }
      .quiet { stroke: #6a7886; }
      .move-head { fill: #c3cdd6; }
      .quiet-head { fill: #6a7886; }
      .mark { fill: #ee7c72; }
    }"""

QUIET: Final = {"close-table", "end-shoe"}
"""They end the shoe or the table. Light arrows let the round stand out."""


def drawing() -> str:
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'role="img" aria-labelledby="title what">',
        '  <title id="title">The phases of a table</title>',
        f'  <desc id="what">{escape(_described())}</desc>',
        f"  <style>\n{STYLE}\n  </style>",
        "  <defs>",
        *(_head(kind) for kind in ("move", "quiet")),
        "  </defs>",
        f'  <rect class="page" width="{WIDTH}" height="{HEIGHT}"/>',
    ]
    ordered = sorted(drawn().items(), key=lambda arrow: not set(arrow[1]) <= QUIET)
    lines += [text for move, commands in ordered for text in _arrow(move, commands)]
    lines += [text for phase in Phase for text in _box(phase)]
    return "\n".join([*lines, *_legend(), "</svg>"]) + "\n"


def _described() -> str:
    return " ".join(f"{start.value} to {end.value} by {', '.join(names)}." for (start, end), names in moves().items())


def _head(kind: str) -> str:
    return (
        f'    <marker id="{kind}-end" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path class="{kind}-head" d="M0 0 L10 5 L0 10 z"/></marker>'
    )


def _arrow(move: Move, commands: list[str]) -> list[str]:
    kind = "quiet" if set(commands) <= QUIET else "move"
    path, (x, y), anchor = _loop(move[0]) if move[0] is move[1] else ROUTES.get(move) or _straight(move)
    word = "word quiet-word" if kind == "quiet" else "word"
    step = 15
    texts = [
        f'  <text class="{word}" x="{x:g}" y="{y + step * at - (len(commands) - 1) * step / 2:g}" '
        f'text-anchor="{anchor}">{escape(command)}</text>'
        for at, command in enumerate(commands)
    ]
    return [f'  <path class="{kind}" d="{path}" marker-end="url(#{kind}-end)"/>', *texts]


def _straight(move: Move) -> tuple[str, Point, str]:
    """An arrow for a move that has no route of its own yet."""
    (x1, y1), (x2, y2) = (PLACES[phase] for phase in move)
    sign = 1 if y2 > y1 else -1 if y2 < y1 else 0
    across = 0 if sign else 1 if x2 > x1 else -1
    start = (x1 + across * BOX[0] / 2, y1 + sign * BOX[1] / 2)
    end = (x2 - across * BOX[0] / 2, y2 - sign * BOX[1] / 2)
    path = f"M{start[0]:g} {start[1]:g} L{end[0]:g} {end[1]:g}"
    return path, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2 - 8), "middle"


def _loop(phase: Phase) -> tuple[str, Point, str]:
    x, y = PLACES[phase]
    wide, high = BOX[0] / 2, BOX[1] / 2
    side = LOOPS.get(phase, "down")
    if side == "right":
        x += wide
        return f"M{x:g} {y - 12:g} c26 -14 26 38 2 24", (x + 26, y + 4), "start"
    if side == "corner":
        x, y = x - 40, y + high
        return f"M{x - 14:g} {y:g} c-16 28 44 28 28 2", (x - 22, y + 38), "start"
    sign, below = (1, 30) if side == "down" else (-1, -26)
    y += sign * high
    return f"M{x - 14:g} {y:g} c-16 {sign * 28} 44 {sign * 28} 28 {sign * 2}", (x + 26, y + below), "start"


def _box(phase: Phase) -> list[str]:
    x, y = PLACES[phase]
    left, top = x - BOX[0] / 2, y - BOX[1] / 2
    lines = [
        f'  <rect class="{KINDS[phase]}" x="{left:g}" y="{top:g}" width="{BOX[0]:g}" height="{BOX[1]:g}" rx="9"/>',
        f'  <text class="phase" x="{x:g}" y="{y + 5:g}">{escape(phase.value)}</text>',
    ]
    if phase in reporting():
        lines.append(f'  <circle class="mark" cx="{left + 11:g}" cy="{top + 11:g}" r="4"/>')
    texts = in_words(phase)
    for at, text in enumerate(texts):
        down = y + 5 + 18 * at - 9 * (len(texts) - 1)
        lines.append(f'  <text class="word" x="{x + BOX[0] / 2 + 12:g}" y="{down:g}">{escape(text)}</text>')
    return lines


def _legend() -> list[str]:
    lines = ['  <text class="quiet-word" x="1060" y="686">dashed: the shoe or the table ends</text>']
    if reporting():
        lines += [
            '  <circle class="mark" cx="1066" cy="702" r="4"/>',
            '  <text class="quiet-word" x="1078" y="706">report-irregularity is heard</text>',
        ]
    return lines
