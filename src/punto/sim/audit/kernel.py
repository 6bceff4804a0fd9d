"""The compiled pass over recorded rounds. It has no rules, only arrays that `tables` made from an edition.

A round is six card codes (an index in `cards.DECK`, NO_CARD or UNKNOWN) and a range of wagers.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np
from numba import njit

from punto.money import MAXIMUM_CENTS

BLOCK: Final = 2_048
"""Rounds judged before their insurance is judged: few enough that their wagers are still in the processor's cache."""
NO_CARD: Final = 52
UNKNOWN: Final = 255
NO_AMOUNT: Final = int(np.iinfo(np.int64).min)
"""The value for null. It is not a valid stake and equals no payment."""
MOST_STAKE_CENTS: Final = MAXIMUM_CENTS - 1
_SATURATED: Final = 10**17
"""Sums of a patron's stakes in one round are capped here: a hundred times the largest amount, far below 64 bits."""

_POINTS: Final = np.array([min(code // 4 + 1, 10) % 10 for code in range(52)] + [10], np.int64)


class Fault(IntEnum):
    """What can be wrong with a round or a wager."""

    WRONG_PAYMENT = 0
    UNKNOWN_LAYOUT = 1
    UNKNOWN_CARD = 2
    TOO_MANY_OF_A_CARD = 3
    TABLE_OF_PLAY = 4
    BAD_AMOUNT = 5
    BAD_MOMENT = 6
    UNKNOWN_BET = 7
    BET_NOT_ON_LAYOUT = 8
    NO_ORIGINAL_BET = 9
    BOTH_HANDS = 10
    NO_SUCH_OFFER = 11
    INSURANCE_FORGONE = 12
    INSURANCE_OVER_LIMIT = 13


# Numba needs plain integers as constants.
_WRONG_PAYMENT, _UNKNOWN_LAYOUT, _UNKNOWN_CARD, _TOO_MANY = 0, 1, 2, 3
_TABLE_OF_PLAY, _BAD_AMOUNT, _BAD_MOMENT, _UNKNOWN_BET, _NOT_ON_LAYOUT = 4, 5, 6, 7, 8
_NO_ORIGINAL, _BOTH_HANDS, _NO_OFFER, _FORGONE, _OVER_LIMIT = 9, 10, 11, 12, 13

ROW, WAGER, FAULT, EXPECTED, VERDICT = range(5)
"""Columns of a finding. WAGER is -1 if the round itself has the fault, VERDICT is -1 if there is no verdict."""

WAGERS, STAKED, HANDED_BACK, DUE = 0, 1, 3, 5
TOTALS: Final = 7
"""Columns of a bet's totals. Each amount takes two, cents div 2³² and the remainder, so that no file can overflow them.
HANDED_BACK holds only the difference between the recorded payments and what is due."""
MOST_RETURNED: Final = 4_000
"""Largest numerator of what a verdict hands back, so that twice its product with the largest stake fits 64 bits."""


@njit(nogil=True, cache=True, error_model="numpy")
def judge(cards, layout, start, bet, after, stake, paid, patron, decks, main, table, terms, tally, totals, findings):  # type: ignore[no-untyped-def]
    """Judge every round: count outcomes in `tally` and money in `totals`, and write findings. In each block, findings
    on insurance come last. Returns the number of findings, and of wagers not judged because of their round's cards."""
    wagered, offered = table
    faults = unjudged = np.int64(0)  # a literal 0 has another type, and Numba would compile everything for it too
    deals = np.empty(BLOCK, np.int16)
    for first in range(0, len(layout), BLOCK):
        last = min(first + BLOCK, len(layout))
        faults, without, insured = _judge_wagers(
            first, last, cards, layout, start, bet, stake, paid, decks, wagered, deals, tally, totals, findings, faults
        )
        unjudged += without
        if insured:
            faults = _judge_insurance(
                first, last, deals, start, bet, after, stake, paid, patron, main, wagered, offered, terms, totals,
                findings, faults,
            )  # fmt: skip
    return faults, unjudged


@njit(nogil=True, cache=True, error_model="numpy")
def _judge_wagers(  # type: ignore[no-untyped-def]
    first, last, cards, layout, start, bet, stake, paid, decks, wagered, deals, tally, totals, findings, faults
):
    """Judge some rounds except for their insurance, and store in `deals` the deal of each round that has insurance.

    The functions called for every round or wager take numbers, not arrays: Numba counts the references to an array that
    is passed on, which costs more than the judging.
    """
    on_layout, back, deal_at, outcome_at, verdict_at = wagered
    bets = on_layout.shape[1]
    unjudged = insured = 0
    for row in range(first, last):
        lo, hi, sheet = start[row], start[row + 1], layout[row]
        deals[row - first] = -1
        if sheet == on_layout.shape[0] - 1:
            faults = _note(findings, faults, row, -1, _UNKNOWN_LAYOUT, 0, -1)
        place, flag, fault = _dealt(
            cards[0, row], cards[1, row], cards[2, row], cards[3, row], cards[4, row], cards[5, row], decks
        )
        deal = deal_at[place]
        if fault or deal < 0:
            faults = _note(findings, faults, row, -1, fault or _TABLE_OF_PLAY, 0, -1)
            unjudged += hi - lo
            continue
        outcome = outcome_at[deal, flag]
        tally[outcome] += 1
        for i in range(lo, hi):
            kind, cents = bet[i], stake[i]
            if not 0 < cents <= MOST_STAKE_CENTS:
                faults = _note(findings, faults, row, i, _BAD_AMOUNT, 0, -1)
            elif kind < bets and on_layout[sheet, kind]:
                verdict = verdict_at[outcome, kind]
                due = _due(cents, paid[i], back[verdict, 0], back[verdict, 1], back[verdict, 2])
                totals[kind, WAGERS] += 1
                totals[kind, STAKED] += cents >> 32
                totals[kind, STAKED + 1] += cents & 0xFFFFFFFF
                totals[kind, DUE] += due >> 32
                totals[kind, DUE + 1] += due & 0xFFFFFFFF
                if due != paid[i]:
                    faults = _note_payment(findings, faults, row, i, due, verdict, paid[i], kind, totals)
            elif kind < bets:
                faults = _note(findings, faults, row, i, _NOT_ON_LAYOUT, 0, -1)
            elif kind < bets + 2:
                deals[row - first] = deal
                insured += 1
            else:
                faults = _note(findings, faults, row, i, _UNKNOWN_BET, 0, -1)
    return faults, unjudged, insured


@njit(nogil=True, cache=True, error_model="numpy")
def _note(findings, at, row, wager, fault, expected, verdict):  # type: ignore[no-untyped-def]
    findings[at, ROW], findings[at, WAGER], findings[at, FAULT] = row, wager, fault
    findings[at, EXPECTED], findings[at, VERDICT] = expected, verdict
    return at + 1


@njit(nogil=True, cache=True, error_model="numpy")
def _note_payment(findings, at, row, wager, due, verdict, paid, kind, totals):  # type: ignore[no-untyped-def]
    """Note a wrong payment. Null counts as a payment of nothing."""
    recorded = 0 if paid == NO_AMOUNT else paid
    totals[kind, HANDED_BACK] += (recorded >> 32) - (due >> 32)
    totals[kind, HANDED_BACK + 1] += (recorded & 0xFFFFFFFF) - (due & 0xFFFFFFFF)
    return _note(findings, at, row, wager, _WRONG_PAYMENT, due, verdict)


@njit(inline="always")
def _dealt(p1, p2, p3, b1, b2, b3, decks):  # type: ignore[no-untyped-def]
    """The index of these cards in `deal_at`, their pair flag in the order of `Pairs`, and the fault in them or 0."""
    if max(p1, p2, p3, b1, b2, b3) > NO_CARD:
        return 0, 0, _UNKNOWN_CARD
    if decks < 6 and _too_many(p1, p2, p3, b1, b2, b3, decks):
        return 0, 0, _TOO_MANY
    if max(p1, p2, b1, b2) == NO_CARD:
        return 0, 0, _TABLE_OF_PLAY
    a = (_POINTS[p1] + _POINTS[p2]) % 10
    b = (_POINTS[b1] + _POINTS[b2]) % 10
    player, banker = p1 >> 2 == p2 >> 2, b1 >> 2 == b2 >> 2
    flag = player + 2 * banker + (player and banker and p1 >> 2 == b1 >> 2)
    return ((10 * a + b) * 11 + _POINTS[p3]) * 11 + _POINTS[b3], flag, 0


@njit(nogil=True, cache=True)
def _too_many(p1, p2, p3, b1, b2, b3, decks):  # type: ignore[no-untyped-def]
    dealt = (p1, p2, p3, b1, b2, b3)
    for card in dealt:
        same = 0
        for other in dealt:
            same += card == other
        if card != NO_CARD and same > decks:
            return True
    return False


@njit(inline="always")
def _due(stake, paid, numerator, denominator, most):  # type: ignore[no-untyped-def]
    """M1, M2: what must be handed back, to the cent, halves in favour of the patron. The recorded payment is tried
    first: if it is right, no division is needed. A payment above `most` can't be right, and its product might
    overflow."""
    exact, whole = 2 * stake * numerator + denominator, 2 * denominator
    if 0 <= paid <= most and 0 <= exact - paid * whole < whole:
        return paid
    return exact // whole


@njit(nogil=True, cache=True, error_model="numpy")
def _judge_insurance(  # type: ignore[no-untyped-def]
    first, last, deals, start, bet, after, stake, paid, patron, main, wagered, offered, terms, totals, findings, faults
):
    """Judge the insurance of these rounds, the first moment of each before the second."""
    on_layout, back = wagered[0], wagered[1]
    offer_at, insured_at, offer_hand, offer_odds, scale = offered
    bets = on_layout.shape[1]
    for at in range(2 * (last - first)):
        row, moment = first + at // 2, at % 2
        lo, hi, deal = start[row], start[row + 1], deals[row - first]
        for i in range(lo, hi if deal >= 0 else lo):
            kind, cents = bet[i], stake[i]
            if kind < bets or kind >= bets + 2 or not 0 < cents <= MOST_STAKE_CENTS:
                continue
            if after[i] > 1 and moment == 0:
                faults = _note(findings, faults, row, i, _BAD_MOMENT, 0, -1)
            if after[i] != moment:
                continue
            fault = _insured(
                lo, hi, i, bet, after, stake, patron, bets, main, terms,
                offer_at[deal, moment], offer_at[deal, 0], offer_hand, offer_odds, scale,
            )  # fmt: skip
            if fault:
                faults = _note(findings, faults, row, i, fault, 0, -1)
                continue
            verdict = insured_at[deal, moment]
            due = _due(cents, paid[i], back[verdict, 0], back[verdict, 1], back[verdict, 2])
            totals[kind, WAGERS] += 1
            totals[kind, STAKED] += cents >> 32
            totals[kind, STAKED + 1] += cents & 0xFFFFFFFF
            totals[kind, DUE] += due >> 32
            totals[kind, DUE + 1] += due & 0xFFFFFFFF
            if due != paid[i]:
                faults = _note_payment(findings, faults, row, i, due, verdict, paid[i], kind, totals)
    return faults


@njit(nogil=True, cache=True, error_model="numpy")
def _insured(  # type: ignore[no-untyped-def]
    lo, hi, i, bet, after, stake, patron, bets, main, terms, offer, first_offer, offer_hand, offer_odds, scale
):
    """P2–P4, P6: the fault of this insurance; 0 if it was offered, the patron had a right to it and kept to the limit.

    `main` has the indices of player and banker among the bets.
    """
    both_hands, forgone, winnings, per_round, cap_cents = terms
    hand, moment = bet[i] - bets, after[i]
    on_hand, on_other, staked, could_win, took_first = 0, 0, 0, 0, False
    for j in range(lo, hi):
        if patron[j] != patron[i] or stake[j] <= 0 or stake[j] > MOST_STAKE_CENTS:
            continue
        if bet[j] == main[hand]:
            on_hand = min(on_hand + stake[j], _SATURATED)
        elif bet[j] == main[1 - hand]:
            on_other = min(on_other + stake[j], _SATURATED)
        elif bets <= bet[j] < bets + 2:
            took_first |= after[j] == 0
            if bet[j] == bet[i] and after[j] == moment and j < i:
                staked = min(staked + stake[j], _SATURATED)
            elif bet[j] == bet[i] and after[j] < moment and first_offer >= 0:
                could_win = min(could_win + stake[j] * offer_odds[first_offer], _SATURATED)
    if on_hand == 0:
        return _NO_ORIGINAL
    if not both_hands and on_other:
        return _BOTH_HANDS
    if offer < 0 or offer_hand[offer] != hand:
        return _NO_OFFER
    if forgone and moment == 1 and first_offer >= 0 and not took_first:
        concerned = on_hand if offer_hand[first_offer] == hand else on_other
        if concerned:
            return _FORGONE
    together = staked + stake[i]
    if winnings:
        room = on_hand * scale - (could_win if per_round else 0)
        return _OVER_LIMIT if together * offer_odds[offer] > room else 0
    return _OVER_LIMIT if together > min(on_hand, cap_cents[offer]) else 0


@njit(nogil=True, cache=True)
def look_up(indices, bits, offset, places, codes):  # type: ignore[no-untyped-def]
    """Replace each index by its entry in `places`; by the last entry if its validity bit, from `offset` on, is 0.
    Without bits all indices are valid."""
    for i in range(len(codes)):
        at = offset + i
        here = len(bits) == 0 or bits[at >> 3] >> (at & 7) & 1
        codes[i] = places[indices[i] if here else len(places) - 1]
