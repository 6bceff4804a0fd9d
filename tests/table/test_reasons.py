"""Why a command is refused: one code has many reasons, and each is given with its facts and its paragraph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from punto.codes import Code
from punto.game.refusals import Refusal, refuse
from tests.every import of_every
from tests.table import test_commands as t
from tests.table.test_commands import BETS, CLOSE, Command, Scene, bet, by_dora, deal, init_scene, insure

FACES: Final = ("P1", "B1", "P2", "B2")
TURNED: Final = [by_dora("expose-card", place=place) for place in FACES]
PLAYER: Final = bet("ann", 1, "player", "100.00")
SUE: Final[Command] = {"do": "start-duty", "name": "sue", "rank": "pit-supervisor"}


class RefusalCase(NamedTuple):
    """At the table that `at` makes, `command` is refused with this sentence, paragraph and facts."""

    name: str
    at: Callable[[], Scene]
    command: Command
    sentence: str
    paragraph: str
    facts: dict[str, Any] | None = None

    def __str__(self) -> str:
        return self.name


def squeezed() -> Scene:
    """ann has asked to squeeze the Player's first card, and was granted it; it lies face down."""
    request = {"do": "ask-squeeze", "patron": "ann", "places": ["P1"]}
    return init_scene(BETS, PLAYER, CLOSE, request, by_dora("grant-squeeze"), *deal("KH"), facing="down")


def banker_first() -> Scene:
    """Player 4 against Banker 2: the Banker draws in any case, and the third card is opened first."""
    request = {"do": "ask-banker-first", "patron": "ann", "way": "expose"}
    granted = {"do": "grant-banker-first", "by": "sue"}
    return init_scene(SUE, BETS, PLAYER, CLOSE, *deal("KH KS 4D 2C"), *TURNED, request, granted, facing="down")


def cut_card_first() -> Scene:
    """The cut card came before the first card in a high-limit area, and then a card."""
    scene = init_scene(BETS, PLAYER, CLOSE, high_limit=True)
    return scene.and_then(by_dora("draw-cut-card"), *deal("KH"))


def rich(stake: str) -> Scene:
    """eve stands at a table with a Differential of twenty billion, and has this stake on Player."""
    high = {"minimum": "1.00", "maximum_differential": "20000000000.00"}
    joined = {"do": "join", "patron": "eve", "chips": "30000000000.00"}
    return init_scene(joined, BETS, bet("eve", 1, "player", stake), limits=high)


def opening(**settings: Any) -> Command:
    plain = {"do": "open-table", "by": "sam", "table": "T1", "edition": t.C25, "limits": t.LIMITS, "positions": 6}
    return plain | {"layout": "A"} | settings


def closed() -> Scene:
    return init_scene(by_dora("close-table"))


def late(maximum: dict[str, str], cards_left: int = 100, **bets: dict[str, str]) -> Command:
    return opening(limits={**t.LIMITS, "bets": bets, "late": {"cards_left": cards_left, "maximum": maximum}})


NO_INSURANCE: Final = {"insurance": False, "asked_by": "ann"}

REFUSALS: Final = (
    RefusalCase(
        "4.2.2 is about private tables",
        closed,
        opening(**NO_INSURANCE),
        "only a private table may do without insurance",
        "4.2.2",
    ),
    RefusalCase(
        "Live 5.3 knows no table without insurance, private or not",
        lambda: init_scene(by_dora("close-table"), edition=t.LIVE),
        opening(edition=t.LIVE, layout="live", private=True, **NO_INSURANCE),
        "these rules offer insurance at every table",
        "5.3",
    ),
    RefusalCase(
        "3.9 nobody has a wager",
        lambda: init_scene(BETS, CLOSE, facing="down"),
        {"do": "ask-squeeze", "patron": "ann", "places": ["P1"]},
        "nobody has a wager on Player or Banker",
        "3.9",
    ),
    RefusalCase(
        "3.9 another has the highest wager",
        lambda: init_scene(BETS, PLAYER, CLOSE, facing="down"),
        {"do": "ask-squeeze", "patron": "cat", "places": ["P1"]},
        "another patron has the highest wager",
        "3.9",
    ),
    RefusalCase(
        "3.9 one squeeze at a time",
        squeezed,
        {"do": "ask-squeeze", "patron": "ann", "places": ["P2"]},
        "a squeeze was granted, and its cards are not all turned yet",
        "3.9",
    ),
    RefusalCase(
        "3.14 granted already",
        banker_first,
        {"do": "ask-banker-first", "patron": "ann", "way": "expose"},
        "it has been granted that the Banker's third card is opened first",
        "3.14",
    ),
    RefusalCase(
        "3.14 the Player draws no third card",
        lambda: init_scene(BETS, PLAYER, CLOSE, *deal("KH KS 6D 2C"), *TURNED, facing="down"),
        {"do": "ask-banker-first", "patron": "ann", "way": "expose"},
        "the Player draws no third card, so the Banker's third card can't be opened first",
        "3.14",
        {"points": 2},
    ),
    RefusalCase(
        "3.14 the second offer is waived for all",
        lambda: banker_first().and_then(by_dora("draw-card", card="5H")),
        insure("ann", "player", "10.00"),
        "the Banker's third card is opened first, which waives the second offer for all",
        "3.14",
    ),
    RefusalCase(
        "3.15 the Banker's third card lies face down, and no other is due",
        lambda: init_scene(BETS, CLOSE, *deal("KH KS 6D 5C"), *TURNED, t.DRAW, facing="down"),
        t.DRAW,
        "no card is due",
        "3.15",
    ),
    RefusalCase(
        "5.7.2 a card has been dealt",
        cut_card_first,
        t.withdraw("ann", 1, "player"),
        "a card has been dealt: the withdrawal that the cut card allowed is over",
        "5.7.2",
    ),
    RefusalCase(
        "5.8 wagers wait for a ruling",
        lambda: init_scene(BETS, by_dora("report-irregularity", kind="excess-card", cards=["9C"])),
        PLAYER,
        "wagers wait until what went wrong is put right",
        "5.8",
    ),
    RefusalCase(
        "3.8 cards wait for the close",
        lambda: init_scene(BETS),
        t.DRAW,
        "cards wait for “No more Bets”",
        "3.8",
    ),
    RefusalCase(
        "5.18 only staff put chips on the wrong side",
        lambda: init_scene(BETS, PLAYER, CLOSE, *deal("KH KS 7D 5C")),
        insure("ann", "player", "10.00") | {"area": "banker_insurance"},
        "banker_insurance is not on offer to ann: only staff can have put the chips on the wrong side",
        "3.11",
        {"patron": "ann", "bet": "banker_insurance"},
    ),
    RefusalCase(
        "P2 insurance of the other hand",
        lambda: init_scene(BETS, PLAYER, bet("ann", 1, "banker", "100.00"), CLOSE, *deal("KH KS 7D 5C")),
        insure("ann", "banker", "10.00"),
        "banker_insurance is not on offer to ann",
        "3.12",
        {"patron": "ann", "bet": "banker_insurance"},
    ),
    RefusalCase(
        "5.3 insurance that was let pass, where none is open any more",
        lambda: init_scene(BETS, PLAYER, CLOSE, *deal("KH KS 5D 4C AH")),
        insure("ann", "player", "10.00"),
        "ann let insurance pass and is offered none for the rest of the round",
        "5.3",
        {"patron": "ann"},
    ),
    RefusalCase(
        "a staff member has a name",
        closed,
        opening(by=""),
        "a name has 1 to 64 characters, and staff and patrons can't share one",
        "1.18",
        {"longest": 64},
    ),
    RefusalCase(
        "a table is called without blanks around it",
        closed,
        opening(name=" High "),
        "a table's name has 1 to 40 printable characters, without blanks around them",
        "2.1.1",
        {"longest": 40},
    ),
    RefusalCase(
        "M1 one currency",
        closed,
        opening(currency="USD"),
        "what was played at this table is in SGD: a table has one currency",
        "1.14",
        {"currency": "SGD"},
    ),
    RefusalCase(
        "M1 more chips than can be written",
        init_scene,
        {"do": "join", "patron": "eve", "chips": "9999999999999.99"},
        "that is more than a table can hold",
        "1.19",
    ),
    RefusalCase(
        "O142 a depth that no shoe has",
        closed,
        late({"tie": "100.00"}, cards_left=0),
        "limits by depth hold from 1 to 520 cards left, for one bet at least",
        "3.4",
        {"bet": "banker"},
    ),
    RefusalCase(
        "O142 of side bets only",
        closed,
        late({"player": "100.00"}),
        "player is no side bet of the layout, and has no limit by depth",
        "3.4",
        {"bet": "player"},
    ),
    RefusalCase(
        "O142 never above what held before",
        closed,
        late({"tie": "100.01"}, tie={"maximum": "100.00"}),
        "the late maximum on tie must be between its minimum and its usual maximum",
        "3.4",
        {"bet": "tie"},
    ),
    RefusalCase(
        "1.9 one cut card",
        lambda: init_scene(BETS, CLOSE, *deal("KH"), by_dora("draw-cut-card")),
        by_dora("draw-cut-card"),
        "the cut card has come out already",
        "5.7",
    ),
    RefusalCase(
        "5.2 chips of no round",
        init_scene,
        t.report("ann", 1, "player", "100.00"),
        "no round was played, or it ended without result",
        "1.26",
    ),
    RefusalCase(
        "O106 a closing is announced once",
        lambda: init_scene({"do": "announce-closing", "by": "sam", "rounds": 1}),
        {"do": "announce-closing", "by": "sam", "rounds": 1},
        "this closing is already announced",
        "1.14",
    ),
    RefusalCase(
        "M1 a wager of ten billion and a cent",
        lambda: rich("10000000000.00"),
        t.more_on("eve", 1, "player", "0.01"),
        "a wager is ten billion at most",
        "3.5",
    ),
)


@of_every(REFUSALS)
def test_a_refusal_says_what_is_wrong_and_under_which_paragraph(case: RefusalCase) -> None:
    answer = case.at().when(case.command)
    assert isinstance(answer, Refusal), f"carried out: {answer}"
    assert (answer.message, answer.paragraph, answer.facts) == (case.sentence, case.paragraph, case.facts or {})


def test_a_sentence_has_an_end() -> None:
    """It has at most six hundred bytes, and no letter is cut in two; a name in the facts keeps forty letters."""
    long = refuse(Code.NOT_NOW, "é" * 600, name="x" * 41)
    assert long.message == "é" * 298 + "…"
    assert len(long.message.encode()) == 599
    assert long.facts == {"name": "x" * 40 + "…"}
    assert refuse(Code.NOT_NOW, "x" * 600, name="x" * 40) == Refusal(Code.NOT_NOW, "x" * 600, None, {"name": "x" * 40})
