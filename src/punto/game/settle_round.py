"""The end of a round at the table: a line for every wager, and the record that `punto settle` would be given."""

from __future__ import annotations

from typing import Any

from punto import money
from punto.game import commands as c
from punto.game import events as e
from punto.game import insurance as insured
from punto.game import limits as judged
from punto.game.irregularities.lines import collected
from punto.game.moves import replace
from punto.game.outcome import outcome_of
from punto.game.refusals import Refusal
from punto.game.settlement import Line, Verdict, Wager, line, pay_table
from punto.game.table import Laid, Round, SettledLine, Table, Taken
from punto.money import Cents
from punto.rulebook.model import Insurance, Rulebook


def settle(rules: Rulebook, table: Table, command: c.Settle) -> tuple[e.AnyEvent, ...] | Refusal:
    """M3: won, lost or returned, each under its paragraph; what was not in play is returned (5.1.1)."""
    coup = table.current.coup
    verdicts = pay_table(rules)[outcome_of(coup)]
    lines: list[SettledLine] = []
    for laid in table.current.wagers.values():
        lines += settled_wager(rules, table.current, laid, verdicts[laid.bet])
    for taken in table.current.insurance:
        lines += insurance_lines(rules, taken, coup.winner)
    score = f"Player {coup.player_points}, Banker {coup.banker_points}"
    end = "a tie" if coup.winner == "tie" else f"{coup.winner.capitalize()} wins"
    cite = rules.paragraph("define.tie" if coup.winner == "tie" else "hand.ranking")
    settled = e.RoundSettled(
        paragraph=cite,
        winner=coup.winner,
        player_points=coup.player_points,
        banker_points=coup.banker_points,
        lines=tuple(lines),
        says=f"{score}, {end}",
        by=command.by,
    )
    return (settled, *collected(rules, table, tuple(lines)))


def settled_wager(rules: Rulebook, current: Round, laid: Laid, verdict: Verdict) -> list[SettledLine]:
    """The line of what was in play, and one of what was not."""
    lines = []
    if verdict.result != "won" and would_have_won(rules, current, laid):
        verdict = Verdict("returned", None, rules.paragraph("insurance-missed.after"))
    if laid.in_play_cents:
        lines.append(_shown(laid.id, line(Wager(laid.bet, laid.in_play_cents, laid.patron, laid.id), verdict)))
    excess = laid.stake_cents - laid.in_play_cents
    if excess:
        back = Verdict("returned", None, rules.paragraph("limit.pro-rata"))
        lines.append(_shown(laid.id, line(Wager(laid.bet, excess, laid.patron, laid.id), back)))
    return lines


def would_have_won(rules: Rulebook, current: Round, laid: Laid) -> bool:
    """5.17.2: whether insurance of this wager was missed that the cards, as they lie now, call for and pay."""
    after = current.spared.get(laid.id)
    offer = None if after is None else insured.offer(rules, after, current.coup)
    if offer is None or offer.bet.side.value != laid.bet.value:
        return False
    return insured.result(rules, offer, current.coup.winner)[0] == "won"


def insurance_lines(rules: Rulebook, taken: Taken, winner: str) -> list[SettledLine]:
    """The line of what was in play, and one of what the Original Bet no longer allowed (3.12.2)."""
    lines = []
    if taken.in_play_cents:
        lines.append(settled_insurance(rules, replace(taken, stake_cents=taken.in_play_cents), winner))
    excess = taken.stake_cents - taken.in_play_cents
    if excess:
        never = not taken.in_play_cents and rules.insurance.both_hands == "none"
        cite = rules.insurance.both_hands_cite if never else rules.insurance.limit.cite
        back = Verdict("returned", None, cite)
        lines.append(_shown(taken.id, line(Wager(taken.bet, excess, taken.patron, taken.id), back)))
    return lines


def settled_insurance(rules: Rulebook, taken: Taken, winner: str, area: Insurance | None = None) -> SettledLine:
    verdict = insurance_verdict(rules, taken, winner, area)
    return _shown(taken.id, line(Wager(taken.bet, taken.stake_cents, taken.patron, taken.id), verdict))


def insurance_verdict(rules: Rulebook, taken: Taken, winner: str, area: Insurance | None = None) -> Verdict:
    """Insurance settles where its chips lie; those on the wrong side are put right when it is noticed (5.18)."""
    lies = area or taken.area
    offer = insured.Offer(
        bet=lies,
        after=taken.after,
        player_points=taken.player_points,
        banker_points=taken.banker_points,
        odds=taken.odds,
        paragraph=taken.paragraph,
        tie_paragraph=taken.tie_paragraph if lies is taken.bet else None,
    )
    result, paragraph = insured.result(rules, offer, winner)
    return Verdict(result, taken.odds if result == "won" else None, paragraph)


def _shown(wager: str, line: Line) -> SettledLine:
    return SettledLine(
        wager=wager,
        patron=line.patron,
        bet=line.bet,
        result=line.result,
        paragraph=line.paragraph,
        odds=line.odds,
        stake_cents=Cents(line.stake_cents),
        winnings_cents=Cents(line.winnings_cents),
        handed_back_cents=Cents(line.handed_back_cents),
    )


def record(table: Table) -> dict[str, Any]:
    """The current round as `punto settle` takes it, so that the two can be compared."""
    current, settings, limits = table.current, table.opened, table.limits
    game, _, edition = current.edition.partition("/")
    written: dict[str, Any] = {
        "id": f"round {current.number}",
        "game": game,
        "edition": edition,
        "layout": settings.layout,
        "decks": settings.decks,
        "player": [str(card) for card in current.coup.player],
        "banker": [str(card) for card in current.coup.banker],
        "wagers": [
            {
                "id": wager.id,
                "patron": wager.patron,
                "bet": wager.bet,
                "stake": money.amount(wager.in_play_cents),
                **({"found": True} if wager.found else {}),
            }
            for wager in current.wagers.values()
            if wager.in_play_cents
        ],
        "insurance": [
            {
                "id": taken.id,
                "patron": taken.patron,
                "bet": taken.bet,
                "after": taken.after,
                "stake": money.amount(taken.in_play_cents),
            }
            for taken in current.insurance
            if taken.in_play_cents
        ],
    }
    written["limits"] = {"maximum_differential": money.amount(limits.maximum_differential_cents)}
    if limits.maximum_cents is not None:
        written["limits"]["maximum"] = money.amount(limits.maximum_cents)
    for bet in judged.MAIN:
        own = limits.bets.get(bet, judged.NO_LIMITS).maximum_cents
        if own is not None:
            written["limits"][f"{bet}_maximum"] = money.amount(own)
    return written
