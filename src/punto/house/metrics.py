"""Metrics, served at /metrics in the text format of Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import accumulate
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

CONTENT_TYPE: Final = "text/plain; version=0.0.4"
_LATENCY: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

registry: Final = CollectorRegistry(auto_describe=True)


class Latency(Collector):
    """Seconds of what happens thousands of times a second, as a histogram. Only the event loop observes: no lock."""

    def __init__(self, name: str, says: str) -> None:
        self._name, self._says = name, says
        self._counts = [0] * (len(_LATENCY) + 1)
        self._sum = 0.0
        registry.register(self)

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(_LATENCY, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        bounds = (*map(str, _LATENCY), "+Inf")
        buckets = list(zip(bounds, accumulate(self._counts), strict=True))
        yield HistogramMetricFamily(self._name, self._says, buckets=buckets, sum_value=self._sum)


class Commands(Collector):
    """Commands by kind and result; both have few values. Counted without a lock, as in `Latency`."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}
        registry.register(self)

    def count(self, kind: str, result: str) -> None:
        self._counts[kind, result] = self._counts.get((kind, result), 0) + 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        says = "Commands by kind and result (accepted, or the refusal's code)"
        family = CounterMetricFamily("punto_commands", says, labels=("kind", "result"))
        for labels, count in self._counts.items():
            family.add_metric(labels, count)
        yield family


commands: Final = Commands()
command_seconds: Final = Latency("punto_command_seconds", "From command to answer, commit included")
_counter: Final = partial(Counter, registry=registry)
_gauge: Final = partial(Gauge, registry=registry)
requests: Final = _counter("punto_requests", "HTTP requests by method and status", ["method", "status"])
request_seconds: Final = Latency("punto_request_seconds", "HTTP requests, from first byte to last")
sockets: Final = _gauge("punto_sockets", "Live sockets open on this node")
socket_closes: Final = _counter("punto_socket_closes", "Live sockets closed by the server, by code", ["code"])
logins: Final = _counter("punto_logins", "Logins by result", ["result"])
tables: Final = _gauge("punto_tables", "Tables on record")
store_broken: Final = _gauge("punto_store_broken", "1 once a flush has failed and the node takes no more commands")
clock_steps: Final = _counter("punto_clock_steps", "Steps of the clock that this node recorded, by why", ["why"])
unsure: Final = _gauge(
    "punto_unsure",
    "1 while this node can't renew its row in the database: it is not ready, closes no betting and does not deal",
)
became_unsure: Final = _counter("punto_places_lost", "How often this node became unsure: it could not renew its row")
commits: Final = _counter("punto_commits", "Commits that this node was told of, its own and others'")
commit_seconds: Final = Latency("punto_commit_seconds", "A commit of this node's own events, until it is on disk")
commit_streams: Final = Histogram(
    "punto_commit_streams",
    "Streams that moved in one commit: the size of its batch",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
    registry=registry,
)


@cache
def requested(method: str, status: int) -> Counter:
    """The counter of requests of a method with a status."""
    return requests.labels(method, status)


def moved(streams: Sequence[tuple[str, int]]) -> None:
    """Count a commit. The store calls this for each."""
    if streams:
        commits.inc()
        commit_streams.observe(len(streams))


def text() -> bytes:
    return generate_latest(registry)
