"""The metrics, read as Prometheus reads them."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from punto.house import metrics


def test_a_latency_is_a_histogram_whose_buckets_hold_all_that_was_quicker(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = CollectorRegistry()
    monkeypatch.setattr(metrics, "registry", registry)
    latency = metrics.Latency("punto_test_seconds", "For this test")
    for seconds in (0.0005, 0.005, 0.0051, 9.0):
        latency.observe(seconds)
    (family,) = text_string_to_metric_families(generate_latest(registry).decode())
    assert (family.name, family.type) == ("punto_test_seconds", "histogram")
    figures = {(sample.name, sample.labels.get("le", "")): sample.value for sample in family.samples}
    within = {float(le): value for (name, le), value in figures.items() if name.endswith("_bucket")}
    assert within[0.001] == within[0.0025] == 1, "what took longer is not in it"
    assert within[0.005] == 2, "a bound is in its own bucket"
    assert within[0.01] == within[2.5] == 3
    assert within[float("inf")] == figures["punto_test_seconds_count", ""] == 4
    assert figures["punto_test_seconds_sum", ""] == pytest.approx(9.0106)


def test_commands_are_counted_by_kind_and_result(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = CollectorRegistry()
    monkeypatch.setattr(metrics, "registry", registry)
    commands = metrics.Commands()
    for kind, result in (("sit", "accepted"), ("sit", "seat-taken"), ("sit", "accepted")):
        commands.count(kind, result)
    (family,) = text_string_to_metric_families(generate_latest(registry).decode())
    assert (family.name, family.type) == ("punto_commands", "counter")
    counts = {(sample.name, sample.labels["kind"], sample.labels["result"]): sample.value for sample in family.samples}
    assert counts == {
        ("punto_commands_total", "sit", "accepted"): 2,
        ("punto_commands_total", "sit", "seat-taken"): 1,
    }
