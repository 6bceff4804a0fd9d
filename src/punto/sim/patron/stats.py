"""Statistics of sessions: distributions of results, drawdown, chance of ruin, each with its error. Amounts in cents."""

from __future__ import annotations

from math import sqrt
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from punto.sim.patron.kernel import NOT_PLAYED, Field
from punto.sim.patron.sessions import Ended, Sessions

SHARES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)

Int64 = npt.NDArray[np.int64]


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """A distribution of amounts."""

    count: int
    mean: float
    standard_error: float | None
    deviation: float | None
    least: int
    most: int
    quantiles: dict[float, int]
    """Share → the amount that this share of the values does not exceed."""


class Chance(msgspec.Struct, frozen=True, kw_only=True):
    """How often something happened."""

    times: int
    share: float
    standard_error: float


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    sessions: int
    rounds: int
    staked: int
    net: int
    net_of_stakes: float | None
    """Won per unit staked, insurance included."""
    net_of_stakes_error: float | None
    per_session: Spread
    per_shoe: Spread
    drawdown: Spread
    rounds_a_session: Spread
    won: Chance
    """Sessions that ended above where they began."""
    ended: dict[Ended, Chance]
    counted: tuple[int, int]
    """How often the counted bet was placed, and its net result."""
    insured: tuple[int, int, int]
    """How often insurance was taken, the amount staked on it, and its net result."""

    @property
    def ruin(self) -> Chance:
        return self.ended[Ended.RUINED]


def summary(sessions: Sessions) -> Summary:
    """All figures of some sessions."""
    net, staked = sessions[Field.NET], sessions[Field.STAKED]
    share, error = _ratio(net, staked)
    return Summary(
        sessions=len(net),
        rounds=int(sessions[Field.ROUNDS].sum()),
        staked=_total(staked),
        net=_total(net),
        net_of_stakes=share,
        net_of_stakes_error=error,
        per_session=spread(net),
        per_shoe=_per_shoe(net, sessions.shoes),
        drawdown=spread(sessions[Field.DRAWDOWN]),
        rounds_a_session=spread(sessions[Field.ROUNDS]),
        won=chance(int((net > 0).sum()), len(net)),
        ended={ending: chance(int((sessions[Field.ENDED] == at).sum()), len(net)) for at, ending in enumerate(Ended)},
        counted=(_total(sessions[Field.COUNTED_TIMES]), _total(sessions[Field.COUNTED_NET])),
        insured=(
            _total(sessions[Field.INSURED_TIMES]),
            _total(sessions[Field.INSURED_STAKED]),
            _total(sessions[Field.INSURED_NET]),
        ),
    )


def spread(values: Int64) -> Spread:
    """The distribution of some amounts. Without amounts, all figures are 0 or None."""
    count = len(values)
    if not count:
        zeros = dict.fromkeys(SHARES, 0)
        return Spread(count=0, mean=0.0, standard_error=None, deviation=None, least=0, most=0, quantiles=zeros)
    deviation = float(values.std(ddof=1)) if count > 1 else None
    quantiles = np.quantile(values, SHARES, method="inverted_cdf")
    return Spread(
        count=count,
        mean=float(values.mean()),
        standard_error=None if deviation is None else deviation / sqrt(count),
        deviation=deviation,
        least=int(values.min()),
        most=int(values.max()),
        quantiles={share: int(value) for share, value in zip(SHARES, quantiles, strict=True)},
    )


def _per_shoe(net: Int64, shoes: Int64) -> Spread:
    """The distribution per shoe. Shoes of one session are not independent, because of its stops, so the error of their
    mean is computed over sessions."""
    played = shoes != NOT_PLAYED
    _, error = _ratio(net, played.sum(axis=1))
    return msgspec.structs.replace(spread(shoes[played]), standard_error=error)


def chance(times: int, of: int) -> Chance:
    """A share with its standard error. If something never or always happened, the error is computed from a share of
    1 or `of` in `of` + 1, so that it is not 0."""
    share = times / of
    kept = min(max(share, 1 / (of + 1)), of / (of + 1))
    return Chance(times=times, share=share, standard_error=sqrt(kept * (1 - kept) / of))


def _ratio(net: Int64, staked: Int64) -> tuple[float | None, float | None]:
    """Won per unit staked (or per shoe), and its error over sessions, which are independent; their rounds are not."""
    total = _total(staked)
    if not total:
        return None, None
    share = _total(net) / total
    off = net - share * staked
    error = float(np.sqrt((off**2).sum() / max(1, len(net) - 1) * len(net))) / total if len(net) > 1 else None
    return share, error


def _total(values: Any) -> int:
    return sum(values.tolist())
