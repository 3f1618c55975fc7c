"""What a soak has seen so far, counted by all its clients."""

import threading
from collections import defaultdict
from dataclasses import dataclass, field
from statistics import quantiles

_MOST_FAILURES = 20


@dataclass
class Tally:
    requests: int = 0
    kills: int = 0
    survived: int = 0
    peak_memory: int = 0
    slowest: float = 0.0
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    rounds: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answered(self, round_name: str | None, seconds: float) -> None:
        """Count a correct answer; `round_name` is None while the server is stopped on purpose."""
        with self.lock:
            self.requests += 1
            if round_name is not None:
                self.slowest = max(self.slowest, seconds)
                self.seconds[round_name].append(seconds)

    def survive(self) -> None:
        """Count an error that a client must expect: a closed connection or a 503."""
        with self.lock:
            self.survived += 1

    def fail(self, what: str) -> None:
        with self.lock:
            if len(self.failures) < _MOST_FAILURES:
                self.failures.append(what)

    def p99(self, round_name: str) -> float:
        samples = self.seconds.get(round_name, [])
        return quantiles(samples, n=100)[98] if len(samples) > 1 else 0.0
