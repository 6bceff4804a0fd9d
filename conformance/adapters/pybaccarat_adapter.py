"""PyPI pybaccarat: its hands, its drawing rule and its scoreboards, asked through its public classes.

The package imports Windows' `msvcrt` for its interactive game. Nothing of that is asked here, so an empty one will do.
"""

import json
import subprocess  # noqa: F401 (before msvcrt: it takes a machine that has one for Windows)
import sys
import types

sys.modules["msvcrt"] = types.ModuleType("msvcrt")
sys.modules["msvcrt"].getch = lambda: b""

from pybaccarat.baccarat import Game, Hand, Scoreboard, __version__  # noqa: E402
from pybaccarat.playingcards import Card  # noqa: E402

RANKS = "A23456789TJQK"


class StackedShoe:
    """A shoe with the cards of the question."""

    def __init__(self, cards):
        self.left = [Card(RANKS.index(card[0]) + 1, card[1].lower()) for card in cards]

    def deal(self):
        return self.left.pop(0)


def cards_of(hand):
    cards = (hand.get_card(at) for at in range(3))
    return [RANKS[card.get_rank() - 1] + card.get_suit().upper() for card in cards if card is not None]


def deal(question):
    player, banker = Hand(), Hand()
    Game(shoe=StackedShoe(question["cards"]), player=player, banker=banker).play_hand()
    return {"player": cards_of(player), "banker": cards_of(banker)}


def outcome(question):
    """It knows who won and the totals; bets are not its business, but for the tie."""
    in_order = [question["player"][0], question["banker"][0], question["player"][1], question["banker"][1]]
    in_order += question["player"][2:] + question["banker"][2:]
    player, banker = Hand(), Hand()
    win, _, _ = Game(shoe=StackedShoe(in_order), player=player, banker=banker).play_hand()
    winner = {"P": "player", "B": "banker", "T": "tie"}[win]
    bets = {bet: "won" if bet == winner else "lost" for bet in question["bets"] if bet == "tie"}
    return {"winner": winner, "player_points": player.value(), "banker_points": banker.value(), "bets": bets}


def derived(question):
    big = Scoreboard(0)
    boards = {"big_eye": Scoreboard(1), "small": Scoreboard(2), "cockroach": Scoreboard(3)}
    marks = dict.fromkeys(boards, "")
    for result in question["results"].replace("T", ""):
        big.mark(result)
        for name, board in boards.items():
            mark = board.get_cs_mark(big.get_array())
            marks[name] += {"C": "B", "s": "R"}.get(mark, "")
    return marks


ANSWERS = {"deal": deal, "outcome": outcome, "derived": derived}


def reply(request):
    if "hello" in request:
        about = {"protocol": 1, "name": "pybaccarat", "version": str(__version__)}
        claims = {"levels": ["deal", "outcome", "roads"], "editions": ["live-baccarat-insurance-commission/undated"]}
        return {"hello": {**about, **claims}}
    if request["ask"] not in ANSWERS:
        return {"question": request["question"], "unsupported": "the package has no such answer"}
    return {"question": request["question"], "answer": ANSWERS[request["ask"]](request["input"])}


for line in sys.stdin:
    print(json.dumps(reply(json.loads(line))), flush=True)
