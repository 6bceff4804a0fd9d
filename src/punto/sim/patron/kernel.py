"""The compiled patron. It has no rules, only arrays and whole cents that `sessions` makes from edition and strategy."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np
from numba import njit, uint32, uint64

from punto.sim.kernel import loop as kernel

NOT_PLAYED: Final = int(np.iinfo(np.int64).min)
UNBOUND: Final = int(np.iinfo(np.int64).max)
ALWAYS_OPEN: Final = 1 << 30

_draw, _redraw, LOW16 = kernel._draw, kernel._redraw, kernel.LOW16


class Field(IntEnum):
    """Columns of a session's figures. Amounts are cents."""

    NET = 0
    ROUNDS = 1
    STAKED = 2
    DRAWDOWN = 3
    """The largest fall of the net result below an earlier peak."""
    ENDED = 4
    """Index in `sessions.Ended`."""
    COUNTED_TIMES = 5
    COUNTED_NET = 6
    INSURED_TIMES = 7
    INSURED_STAKED = 8
    INSURED_NET = 9


# Numba needs plain integers as constants.
_NET, _ROUNDS, _STAKED, _DRAWDOWN, _ENDED, _COUNTED, _COUNTED_NET, _INSURED, _INSURED_STAKED, _INSURED_NET = range(10)
_SHOES, _MOST_ROUNDS, _STOP_WIN, _STOP_LOSS, _RUINED = range(5)
_NEVER, _ALWAYS, _WORTH = range(3)


@njit(nogil=True, cache=True, error_model="numpy")
def play(first, figures, shoe_net, walked, shoe, deal, insurance, plan, stops):  # type: ignore[no-untyped-def]
    """Play the sessions from number `first` on, a row of `figures` and of `shoe_net` each. If `walked` has rows, it
    gets the net result after every round."""
    key0, key1, fresh, burn, needed, stop = shoe
    bankroll, stop_win, stop_loss, most_rounds = stops
    cards, unseen, points = np.empty(len(fresh), np.uint8), np.empty(10, np.int64), np.empty(6, np.int64)
    words = np.empty(4 * ((needed + 7) // 8), np.uint32)
    lasts = shoe_net.shape[1]
    for session in range(len(figures)):
        figure = figures[session]
        peak, ended = 0, _SHOES
        for number in range(lasts):
            index = uint64((first + session) * lasts + number)
            _shuffled(key0, key1, index, fresh, needed, words, cards)
            running = _opened(fresh, cards, burn, plan, unseen)
            at, hand, before = burn[cards[0] >> 4], 0, figure[_NET]
            while at < stop and ended == _SHOES:
                hand += 1
                money = UNBOUND if bankroll == UNBOUND else bankroll + figure[_NET]
                wants_counted = _threshold_reached(running, unseen, plan)
                wanted = _wanted(plan, hand, wants_counted)
                if figure[_ROUNDS] >= most_rounds:
                    ended = _MOST_ROUNDS
                elif wanted > money:
                    ended = _RUINED
                else:
                    row, v, w, used = _dealt(cards, at, deal, points)
                    for card in range(4):
                        unseen[points[card]] -= 1
                    _round(
                        figure, cards, at, row, v, w, unseen, money - wanted, hand, wants_counted, deal, insurance, plan
                    )
                    for card in range(4, used):
                        unseen[points[card]] -= 1
                    for card in range(at, at + used):
                        running += plan[5][cards[card] >> 4]
                    at += used
                    figure[_ROUNDS] += 1
                    peak = max(peak, figure[_NET])
                    figure[_DRAWDOWN] = max(figure[_DRAWDOWN], peak - figure[_NET])
                    shoe_net[session, number] = figure[_NET] - before
                    if len(walked):
                        walked[session, figure[_ROUNDS]] = figure[_NET]
                    if stop_win != UNBOUND and figure[_NET] >= stop_win:
                        ended = _STOP_WIN
                    elif stop_loss != UNBOUND and figure[_NET] <= -stop_loss:
                        ended = _STOP_LOSS
            if ended != _SHOES:
                break
        figure[_ENDED] = ended


@njit(nogil=True, cache=True)
def _shuffled(key0, key1, index, fresh, needed, words, cards):  # type: ignore[no-untyped-def]
    """Shuffle the first `needed` cards of one shoe, the same as `rng.shuffled` gives."""
    cards[:] = fresh
    _draw(key0, key1, index, words)
    halves = words.view(np.uint16)
    for i in range(needed):
        n = uint32(len(fresh) - i)
        product = uint32(uint32(halves[i]) * n)
        if (product & LOW16) < uint32(65536 % (len(fresh) - i)):
            product = _redraw(key0, key1, index, i, n)
        j = i + int(product >> uint32(16))
        kept = cards[i]
        cards[i] = cards[j]
        cards[j] = kept


@njit(nogil=True, cache=True)
def _opened(fresh, cards, burn, plan, unseen):  # type: ignore[no-untyped-def]
    """Fill `unseen` with all cards by points, less the first card if it is opened for the burn. Returns the count."""
    unseen[:] = 0
    for card in fresh:
        unseen[card & 15] += 1
    if burn[cards[0] >> 4] == 0:
        return 0
    unseen[cards[0] & 15] -= 1
    return plan[5][cards[0] >> 4]


@njit(inline="always")
def _threshold_reached(running, unseen, plan):  # type: ignore[no-untyped-def]
    has_count, factor, threshold, true_count = plan[4], plan[6], plan[7], plan[8]
    if not has_count:
        return False
    return running * factor >= threshold * (unseen.sum() if true_count else 1)


@njit(inline="always")
def _wanted(plan, hand, wants_counted):  # type: ignore[no-untyped-def]
    """Cents that the strategy stakes before the round is dealt."""
    stakes, lasts, has_count = plan[1], plan[2], plan[4]
    total = 0
    for at in range(len(stakes)):
        if hand <= lasts[at] and (at < len(stakes) - 1 or wants_counted or not has_count):
            total += stakes[at]
    return total


@njit(nogil=True, cache=True)
def _dealt(cards, at, deal, points):  # type: ignore[no-untyped-def]
    """Deal one coup from place `at`: two-card points as 10 a + b, points of the third cards or 10, and cards used."""
    player_draws, banker_draws = deal[0], deal[1]
    for card in range(6):
        points[card] = cards[min(at + card, len(cards) - 1)] & 15
    row = 10 * ((points[0] + points[2]) % 10) + (points[1] + points[3]) % 10
    used, v, w = 4, 10, 10
    if player_draws[row]:
        v = points[used]
        used += 1
    if banker_draws[row, v]:
        w = points[used]
        used += 1
    return row, v, w, used


@njit(nogil=True, cache=True, error_model="numpy")
def _round(figure, cards, at, row, v, w, unseen, left, hand, wants_counted, deal, insurance, plan):  # type: ignore[no-untyped-def]
    """Settle every stake of the round, then its insurance, which is decided on the cards open at its moment."""
    deal_at, outcome_at, verdict_at, handed_back = deal[2], deal[3], deal[4], deal[5]
    bets, stakes, lasts, has_count = plan[0], plan[1], plan[2], plan[4]
    p1, b1, p2, b2 = cards[at] >> 4, cards[at + 1] >> 4, cards[at + 2] >> 4, cards[at + 3] >> 4
    flag = (p1 == p2) + 2 * (b1 == b2) + (p1 == p2 and b1 == b2 and p1 == b1)
    number = deal_at[(row * 11 + v) * 11 + w]
    original = np.zeros(2, np.int64)
    outcome = outcome_at[number, flag]
    for wager in range(len(bets)):
        counted = has_count and wager == len(bets) - 1
        if hand > lasts[wager] or (counted and not wants_counted):
            continue
        for side in range(2):
            original[side] += stakes[wager] * (bets[wager] == plan[3][side])
        won = _net(stakes[wager], handed_back[verdict_at[outcome, bets[wager]]])
        figure[_NET] += won
        figure[_STAKED] += stakes[wager]
        if counted:
            figure[_COUNTED] += 1
            figure[_COUNTED_NET] += won
    if insurance[10] != _NEVER and original.sum() > 0:
        _insured(figure, original, left, number, row, v, unseen, deal, insurance)


@njit(inline="always")
def _net(stake, back):  # type: ignore[no-untyped-def]
    """M1, M2: what a stake wins, to the cent, halves in favour of the patron. A loss is negative."""
    return (2 * stake * back[0] + back[1]) // (2 * back[1]) - stake


@njit(nogil=True, cache=True, error_model="numpy")
def _insured(figure, original, left, number, row, v, unseen, deal, insurance):  # type: ignore[no-untyped-def]
    """P2–P6: insure at both moments, for the largest stake that is allowed and that the money left covers."""
    offer_at, insured_at, offer_hand, offer_odds, scale, both_hands, forgone, winnings, per_round, caps, when = (
        insurance
    )
    handed_back = deal[5]
    if not both_hands and original[0] > 0 and original[1] > 0:
        return
    could_win, earlier_hand = 0, -1
    for moment in range(2):
        offer = offer_at[number, moment]
        if offer < 0 or original[offer_hand[offer]] == 0:
            continue
        side = offer_hand[offer]
        if winnings:
            earlier = could_win if per_round and earlier_hand == side else 0
            stake = max(0, original[side] * scale - earlier) // offer_odds[offer]
        else:
            stake = min(original[side], caps[offer])
        stake = min(stake, left)
        if when == _WORTH and stake > 0:
            if moment == 1:
                unseen[v] -= 1
            if not _worth(row, v, moment, unseen, deal, insured_at):
                stake = 0
            if moment == 1:
                unseen[v] += 1
        if stake > 0:
            won = _net(stake, handed_back[insured_at[number, moment]])
            figure[_NET] += won
            figure[_STAKED] += stake
            figure[_INSURED] += 1
            figure[_INSURED_STAKED] += stake
            figure[_INSURED_NET] += won
            left -= stake
            could_win, earlier_hand = could_win + stake * offer_odds[offer], side
        elif forgone:
            return


@njit(nogil=True, cache=True, error_model="numpy")
def _worth(row, v, moment, unseen, deal, insured_at):  # type: ignore[no-untyped-def]
    """Whether the offer has a positive expectation on the unseen cards. All draws that may follow are counted."""
    player_draws, banker_draws, deal_at, handed_back = deal[0], deal[1], deal[2], deal[5]
    left = unseen.sum()
    draws_now = moment == 0 and player_draws[row]
    low, high = (0, 10) if draws_now else (v, v + 1)
    won = lost = numerator = 0
    denominator = 1
    for third in range(low, high):
        ways = unseen[third] if draws_now else 1
        for last in range(11):
            if banker_draws[row, third] == (last == 10):
                continue
            if last == 10:
                more = left - 1 if draws_now else 1
            else:
                more = unseen[last] - (1 if draws_now and last == third else 0)
            verdict = insured_at[deal_at[(row * 11 + third) * 11 + last], moment]
            back, unit = handed_back[verdict, 0], handed_back[verdict, 1]
            if back == 0:
                lost += ways * more
            elif back > unit:
                numerator, denominator = back - unit, unit
                won += ways * more
    return won * numerator > lost * denominator
