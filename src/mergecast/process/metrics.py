"""Metrics for the operator; labels never contain the name of a repository."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from mergecast.process.background import Background

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE"})
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class StoreState(NamedTuple):
    """What is known about the store when the metrics are requested; None for what is not."""

    is_ready: bool
    bytes: int | None = None
    newest_event_age: float | None = None
    backup_age: float | None = None  # infinite if there is no backup yet


class _StoreGauges(Collector):
    """Gauges that are read when the metrics are requested."""

    def __init__(self) -> None:
        self.state = StoreState(is_ready=False)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        state = self.state
        for name, description, value in (
            ("ready", "1 while the store answers, otherwise 0", int(state.is_ready)),
            ("store_bytes", "Bytes of the store on disk", state.bytes),
            (
                "newest_event_age_seconds",
                "Time since the newest stored event happened",
                state.newest_event_age,
            ),
            (
                "backup_age_seconds",
                "Time since the last backup of the embedded store, infinite without one",
                state.backup_age,
            ),
        ):
            if value is not None:
                yield GaugeMetricFamily(f"mergecast_{name}", description, value=value)


class _BackgroundCounts(Collector):
    """What each kind of work that a server does by itself has counted."""

    def __init__(self) -> None:
        self.works: Mapping[str, Background] = {}

    def collect(self) -> Iterator[CounterMetricFamily]:
        rounds = CounterMetricFamily(
            "mergecast_background_rounds", "How often the server looked for work", labels=["work"]
        )
        failures = CounterMetricFamily(
            "mergecast_background_failures", "Errors in work that the server does by itself", labels=["work"]
        )
        for name, work in self.works.items():
            rounds.add_metric([name], work.rounds)
            failures.add_metric([name], work.failures)
        yield from (rounds, failures)


class Metrics:
    """What a server counts. The parts of the server that count something share one instance."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._store = _StoreGauges()
        self._registry.register(self._store)
        self._background = _BackgroundCounts()
        self._registry.register(self._background)
        self._requests = Histogram(
            "mergecast_request_duration_seconds",
            "Time from a request's head to the end of its answer",
            ["method", "route", "status"],
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._by_kind: dict[tuple[str, str, int], Histogram] = {}
        self._events = Counter(
            "mergecast_ingested_events", "Events received, by result", ["result"],
            registry=self._registry,
        )  # fmt: skip
        self._documents = Counter(
            "mergecast_judged_documents", "Configuration documents checked, by result", ["result"],
            registry=self._registry,
        )  # fmt: skip

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        kind = (method, route, status)
        histogram = self._by_kind.get(kind)
        if histogram is None:
            # Clients may invent methods; only known ones become labels.
            known = method if method in _METHODS else "other"
            histogram = self._requests.labels(known, route, str(status))
            if known == method:
                self._by_kind[kind] = histogram
        histogram.observe(seconds)

    def read_background(self, works: Mapping[str, Background]) -> None:
        """The work whose counts are read when the metrics are requested."""
        self._background.works = works

    def delivery(self, stored: int, duplicates: int) -> None:
        self._events.labels("stored").inc(stored)
        self._events.labels("duplicate").inc(duplicates)

    def document(self, result: str) -> None:
        """`result` is valid, invalid, or the name of the limit that the document exceeded."""
        self._documents.labels(result).inc()

    def text(self, store: StoreState) -> bytes:
        self._store.state = store
        return generate_latest(self._registry)
