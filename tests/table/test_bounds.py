"""Every bound from both sides: the last figure that is taken, and the first that is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from punto.game.refusals import Refusal
from tests.every import of_every
from tests.table import test_commands as t
from tests.table.test_commands import BETS, CLOSE, SETTLE, Command, Scene, bet, by_dora, deal, init_scene, insure
from tests.table.test_reasons import PLAYER, SUE, TURNED, closed, late, opening, rich

TAKEN: Final = None
MOST: Final = 10**15
"""The most cents that a table can hold (M1)."""
ISSUED: Final = 40_000_00
"""The cents in chips that the four patrons of a scene have bought."""


class Bound(NamedTuple):
    """At the table that `at` makes, `command` is accepted, or refused with this code."""

    name: str
    at: Callable[[], Scene]
    command: Command
    code: str | None

    def __str__(self) -> str:
        return f"{self.name}: {self.command}"


def chips(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def opened(name: str, taken: list[Command], refused: list[Command], code: str) -> Iterator[Bound]:
    """Ways to open a table that was closed."""
    for settings in taken:
        yield Bound(name, closed, opening(**settings), TAKEN)
    for settings in refused:
        yield Bound(name, closed, opening(**settings), code)


def with_limits(**limits: Any) -> Command:
    return {"limits": {**t.LIMITS, **limits}}


OPENING: Final = (
    *opened("P9 positions of a layout", [{"positions": 1}, {"positions": 6}], [{"positions": 0}], "bad-positions"),
    *opened("P9 positions of layout A", [], [{"positions": 7}, {"positions": -1}], "bad-positions"),
    *opened(
        "P9 positions of layout K",
        [{"layout": "K", "positions": 10}, {"layout": "K", "positions": 16}],
        [{"layout": "K", "positions": 9}, {"layout": "K", "positions": 17}],
        "bad-positions",
    ),
    *opened("2.2.1 four to ten decks", [{"decks": 4}, {"decks": 10}], [{"decks": 3}, {"decks": 11}], "bad-decks"),
    *opened("a name of 1 to 64 letters", [{"by": "x"}, {"by": "x" * 64}], [{"by": ""}, {"by": "x" * 65}], "bad-name"),
    *opened("a table's own", [{"table": "x"}, {"table": "x" * 64}], [{"table": ""}, {"table": "x" * 65}], "bad-name"),
    *opened("what it is called", [{"name": "x"}, {"name": "x" * 40}], [{"name": ""}, {"name": "x" * 41}], "bad-name"),
    *opened("in letters that can be seen", [{"name": "A B"}], [{"name": "A\u0007B"}, {"name": "A "}], "bad-name"),
    *opened("staff are no patrons", [{"by": "eve"}], [{"by": "ann"}], "bad-name"),
    *opened("words", [], [{"device": "hat"}, {"facing": "left"}, {"source": "dream"}], "bad-setting"),
    *opened("scopes", [with_limits(scope="box-and-table")], [with_limits(scope="room")], "bad-setting"),
    *opened(
        "D1 a minimum is above nothing, and no maximum under it",
        [with_limits(minimum="0.01"), with_limits(maximum="50.00")],
        [with_limits(minimum="0.00"), with_limits(maximum="49.99")],
        "bad-limits",
    ),
    *opened(
        "D1 the Differential is the minimum at least, and can be written",
        [with_limits(maximum_differential="50.00"), with_limits(maximum_differential=chips(MOST - 1))],
        [with_limits(maximum_differential="49.99")],
        "bad-limits",
    ),
    *opened(
        "D1 a bet's own minimum is no more than its maximum",
        [with_limits(bets={"tie": {"minimum": "5.00", "maximum": "5.00"}})],
        [
            with_limits(bets={"tie": {"minimum": "5.01", "maximum": "5.00"}}),
            with_limits(bets={"tiger_tie": {"maximum": "5.00"}}),
        ],
        "bad-limits",
    ),
)


def by_depth(name: str, taken: list[Command], refused: list[Command]) -> Iterator[Bound]:
    for command in taken:
        yield Bound(f"O142 {name}", closed, command, TAKEN)
    for command in refused:
        yield Bound(f"O142 {name}", closed, command, "bad-limits")


TIE: Final = {"minimum": "5.00", "maximum": "100.00"}
LATE: Final = (
    *by_depth(
        "from 1 to 520 cards left",
        [late({"tie": "9.00"}, cards_left=1), late({"tie": "9.00"}, cards_left=520)],
        [late({"tie": "9.00"}, cards_left=0), late({"tie": "9.00"}, cards_left=521), late({}, cards_left=9)],
    ),
    *by_depth(
        "between what holds before",
        [late({"tie": "5.00"}, tie=TIE), late({"tie": "100.00"}, tie=TIE)],
        [late({"tie": "4.99"}, tie=TIE), late({"tie": "100.01"}, tie=TIE)],
    ),
    *by_depth("where nothing holds before", [late({"tie": "0.01"})], [late({"tie": "0.00"})]),
    *by_depth(
        "of side bets of the layout", [], [late({"tie": "9.00", "banker": "99.00"}), late({"tiger_tie": "9.00"})]
    ),
)


def heard(
    name: str, at: Callable[[], Scene], taken: list[Command], refused: list[Command], code: str
) -> Iterator[Bound]:
    for command in taken:
        yield Bound(name, at, command, TAKEN)
    for command in refused:
        yield Bound(name, at, command, code)


def duty(name: str) -> Command:
    return {"do": "start-duty", "name": name, "rank": "dealer"}


def join(name: str, cents: int = 0) -> Command:
    return {"do": "join", "patron": name, "chips": chips(cents)}


def buy(cents: int) -> Command:
    return {"do": "buy-chips", "patron": "ann", "chips": chips(cents)}


def cash(cents: int) -> Command:
    return {"do": "cash-chips", "patron": "ann", "chips": chips(cents)}


def sit(box: int) -> Command:
    return {"do": "sit", "patron": "ben", "box": box}


def staffed(number: int) -> Callable[[], Scene]:
    """A table with sam, dora and this many more staff."""
    return lambda: init_scene(*(duty(f"staff {at}") for at in range(number)))


def crowd(number: int, *more: Command) -> Callable[[], Scene]:
    """A table with the four patrons of a scene and this many more."""
    return lambda: init_scene(*(join(f"guest {at}") for at in range(number)), *more)


PEOPLE: Final = (
    *heard("a staff member's name", init_scene, [duty("x"), duty("x" * 64)], [duty(""), duty("x" * 65)], "bad-name"),
    *heard("is no patron's", init_scene, [duty("eve")], [duty("ann")], "bad-name"),
    *heard("63 staff take one more", staffed(61), [duty("eve")], [], ""),
    *heard("64 take none", staffed(62), [], [duty("eve")], "bad-name"),
    *heard(
        "a patron's name", init_scene, [join("x"), join("x" * 64)], [join(""), join("x" * 65), join("sam")], "bad-name"
    ),
    *heard("255 patrons take one more", crowd(251), [join("eve")], [], ""),
    *heard("256 take none", crowd(252), [], [join("eve")], "table-full"),
    *heard(
        "unless one of them has gone without anything",
        crowd(252, {"do": "leave", "patron": "guest 7"}),
        [join("eve"), join("guest 7")],
        [],
        "",
    ),
    *heard(
        "M1 chips to join with",
        init_scene,
        [join("eve", MOST - ISSUED)],
        [join("eve", MOST - ISSUED + 1)],
        "bad-amount",
    ),
    *heard("M1 chips to buy", init_scene, [buy(1), buy(MOST - ISSUED)], [buy(0), buy(MOST - ISSUED + 1)], "bad-amount"),
    *heard("chips to cash", init_scene, [cash(1), cash(10_000_00)], [cash(0), cash(10_000_01)], "not-enough-chips"),
    *heard("2.1.1 boxes", init_scene, [sit(3), sit(6)], [sit(0), sit(7)], "no-such-box"),
    *heard("1.27 a seat", init_scene, [], [sit(1), sit(2)], "seat-taken"),
)


def rounds(number: int | None) -> Command:
    return {"do": "announce-closing", "by": "sam", "rounds": number}


def cut(after: int) -> Command:
    return by_dora("place-cut-card", after=after)


def last_announced(number: int) -> Callable[[], Scene]:
    """This many rounds were announced as the last ones, and one was played."""
    return lambda: init_scene(rounds(number), BETS, CLOSE, *deal("KH KS 8D 5C"), SETTLE)


def taken_out(number: int) -> Callable[[], Scene]:
    """This many aces of spades have come out of a shoe of four decks."""
    return lambda: init_scene(BETS, CLOSE, *deal(" ".join(["AS"] * number)), decks=4)


CARDS: Final = (
    *heard("O106 rounds ahead", init_scene, [rounds(0), rounds(100)], [rounds(101), rounds(-1)], "bad-amount"),
    *heard("O106 nothing new", init_scene, [], [rounds(None)], "nothing-to-do"),
    *heard("O106 the last but one", last_announced(2), [BETS], [], ""),
    *heard("O106 the last", last_announced(1), [rounds(None)], [BETS], "table-closes"),
    *heard("1.9 before any card", init_scene, [cut(1), cut(415)], [cut(0), cut(416)], "bad-cut"),
    *heard(
        "1.9 after four cards",
        lambda: init_scene(BETS, CLOSE, *deal("KH KS 8D 5C"), SETTLE),
        [cut(5), cut(415)],
        [cut(4), cut(416)],
        "bad-cut",
    ),
    *heard("2.2.1 as many as the decks hold", taken_out(3), [by_dora("draw-card", card="AS")], [], ""),
    *heard(
        "2.2.1 and no more",
        lambda: taken_out(4)(),
        [by_dora("draw-card", card="AH")],
        [by_dora("draw-card", card="AS")],
        "too-many-of-a-card",
    ),
)


def on_player(stake: str, patron: str = "ann") -> Command:
    return bet(patron, 1, "player", stake)


def less(stake: str) -> Command:
    return t.less_on("ann", 1, "player", stake)


WAGERS: Final = (
    *heard(
        "a stake of a cent at least, and of all that there is",
        lambda: init_scene(BETS, limits={"minimum": "0.01", "maximum_differential": "20000.00"}),
        [on_player("0.01"), on_player("10000.00")],
        [on_player("0.00")],
        "bad-amount",
    ),
    *heard(
        "more than there is",
        lambda: init_scene(BETS, limits={"minimum": "0.01", "maximum_differential": "20000.00"}),
        [],
        [on_player("10000.01")],
        "not-enough-chips",
    ),
    *heard(
        "2.1.1 boxes",
        lambda: init_scene({"do": "sit", "patron": "ben", "box": 6}, BETS),
        [bet("ann", 1, "player", "50.00"), bet("ann", 6, "player", "50.00")],
        [bet("ann", 0, "player", "50.00"), bet("ann", 7, "player", "50.00")],
        "no-such-box",
    ),
    *heard("nobody sits there", lambda: init_scene(BETS), [], [bet("ann", 3, "player", "50.00")], "box-empty"),
    *heard(
        "M1 ten billion",
        lambda: rich("9999999999.99"),
        [t.more_on("eve", 1, "player", "0.01")],
        [t.more_on("eve", 1, "player", "0.02"), t.more_on("eve", 1, "player", "10000000000.01")],
        "bad-amount",
    ),
    *heard(
        "a part is taken off",
        lambda: init_scene(BETS, PLAYER),
        [less("0.01"), less("99.99")],
        [less("0.00"), less("100.00"), less("100.01")],
        "bad-amount",
    ),
    *heard(
        "P4 a stake on insurance",
        lambda: init_scene(BETS, PLAYER, CLOSE, *deal("KH KS 7D 5C")),
        [insure("ann", "player", "0.01"), insure("ann", "player", "100.00")],
        [insure("ann", "player", "100.01")],
        "insurance-over-limit",
    ),
    *heard(
        "P4 a stake of nothing",
        lambda: init_scene(BETS, PLAYER, CLOSE, *deal("KH KS 7D 5C")),
        [],
        [insure("ann", "player", "0.00")],
        "bad-amount",
    ),
)


def shoe(count: int = 416, *, shuffled: bool = True, **more: Any) -> Command:
    return by_dora("load-shoe", count=count, shuffled=shuffled, **more)


def bare() -> Scene:
    return init_scene(by_dora("end-shoe"))


def bare_virtual() -> Scene:
    return init_scene(by_dora("end-shoe"), shoe=t.virtual(""), source="virtual")


ORDER: Final = t.virtual("")["order"]
SHOES: Final = (
    *heard("2.2.1 whole decks", bare, [shoe()], [shoe(415), shoe(417)], "wrong-card-count"),
    *heard("5.5.5 shuffled", bare, [], [shoe(shuffled=False)], "not-shuffled"),
    *heard("a live shoe has no order", bare, [], [shoe(order=ORDER)], "bad-shoe"),
    *heard("a virtual one has", bare_virtual, [shoe(order=ORDER)], [shoe()], "bad-shoe"),
    *heard(
        "of whole decks",
        bare_virtual,
        [],
        [shoe(order=[*ORDER[1:], ORDER[1]]), shoe(order=ORDER[1:]), shoe(order=[*ORDER, "AS"])],
        "wrong-card-count",
    ),
    *heard("of cards", bare_virtual, [], [shoe(order=[*ORDER[1:], "1S"])], "unknown-card"),
)


def squeeze(*places: str) -> Command:
    return {"do": "ask-squeeze", "patron": "ann", "places": [*places]}


def face_down(cards: str = "", turned: int = 0) -> Callable[[], Scene]:
    return lambda: init_scene(SUE, BETS, PLAYER, CLOSE, *deal(cards), *TURNED[:turned], facing="down")


LATE_ASKED: Final = "too-late-to-squeeze"
FIRST: Final[Command] = {"do": "ask-banker-first", "patron": "ann", "way": "squeeze"}
FACE_DOWN: Final = (
    *heard("3.9 no card twice", face_down(), [squeeze("P1", "P2")], [squeeze("P1", "P1"), squeeze()], LATE_ASKED),
    *heard(
        "3.9 of cards to come", face_down("KH"), [squeeze("B1", "P3")], [squeeze("P1"), squeeze("B1", "P1")], LATE_ASKED
    ),
    *heard(
        "3.9 of places that there are", face_down(), [squeeze("B3")], [squeeze("P4"), squeeze("P1", "X1")], LATE_ASKED
    ),
    *heard("3.14 four cards lie open", face_down("KH KS 4D 2C", 4), [FIRST], [], ""),
    *heard("3.14 one lies face down", face_down("KH KS 4D 2C", 3), [], [FIRST], LATE_ASKED),
    *heard("3.14 three cards", face_down("KH KS 4D", 3), [], [FIRST], LATE_ASKED),
    *heard("3.14 Banker 2", face_down("KH KS 5D 2C", 4), [FIRST | {"way": "expose"}], [], ""),
    *heard("3.14 in one of two ways", face_down("KH KS 5D 2C", 4), [], [FIRST | {"way": "look"}], "bad-setting"),
    *heard("3.14 Banker 3", face_down("KH KS 5D 3C", 4), [], [FIRST], "banker-may-stand"),
    *heard("3.14 Player 6", face_down("KH KS 6D 2C", 4), [], [FIRST], "banker-may-stand"),
)


@of_every((*OPENING, *LATE, *PEOPLE, *CARDS, *WAGERS, *SHOES, *FACE_DOWN))
def test_a_bound_takes_its_last_figure_and_refuses_the_next(bound: Bound) -> None:
    answer = bound.at().when(bound.command)
    assert (answer.code if isinstance(answer, Refusal) else TAKEN) == bound.code
