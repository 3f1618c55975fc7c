"""What a forecast requires: valid settings and enough history. This module loads no numerical library."""

from dataclasses import dataclass
from typing import Final

from mergecast.queues.model.instant import SECONDS_PER_DAY, SECONDS_PER_MINUTE, SECONDS_PER_WEEK

LEAST_MERGED: Final = 200
LEAST_DAYS: Final = 14
# A back-test forecasts 14 days from the 42 before, at 6 cut points two weeks apart.
MOST_PARTS: Final = 6
FITTED_DAYS: Final = 42
TESTED_DAYS: Final = 14
WANTED_DAYS: Final = FITTED_DAYS + MOST_PARTS * TESTED_DAYS


@dataclass(frozen=True)
class Number:
    """A whole number in a range."""

    lowest: int
    highest: int
    is_nullable: bool = False


@dataclass(frozen=True)
class Ratio:
    """A factor on what was recorded: 1 changes nothing."""

    lowest: float
    highest: float
    meaning: str


# What happens around the queue rather than in its configuration.
RATIOS: Final = {
    "ci_speed": Ratio(0.05, 20, "How long CI runs take: 0.8 is 20 % shorter"),
    "arrivals": Ratio(0.1, 5, "How many pull requests enter: 1.3 is 30 % more"),
    "flakes": Ratio(0, 20, "How often runs fail by chance: 0 is never"),
}
NUMBERS: Final = {
    "batch_max_wait_time": Number(0, SECONDS_PER_DAY),
    "max_parallel_checks": Number(1, 128),
    "max_checks_retries": Number(0, 20),
    "batch_max_failure_resolution_attempts": Number(0, 1000, is_nullable=True),
    "max_entries_to_build": Number(1, 100),
    "min_entries_to_merge": Number(1, 100),
    "max_entries_to_merge": Number(1, 100),
    "wait_minutes": Number(0, 360),
    "parallel_pipelines": Number(1, 1000),
}
TIMEOUT: Final = Number(SECONDS_PER_MINUTE, SECONDS_PER_WEEK, is_nullable=True)
BATCH_SIZE: Final = Number(1, 128)
CHOICES: Final = {
    "kind": ("mergify", "github", "gitlab"),
    "mode": ("serial", "parallel", "isolated"),
    "grouping_strategy": ("ALLGREEN", "HEADGREEN"),
}
NAMES: Final = (*CHOICES, "batch_size", "checks_timeout", "skip_intermediate_results", *NUMBERS, *RATIOS)
# Settings that only one kind of queue has.
OF_KIND: Final = {
    "mergify": (
        *("mode", "batch_size", "batch_max_wait_time", "max_parallel_checks", "max_checks_retries"),
        *("batch_max_failure_resolution_attempts", "skip_intermediate_results"),
    ),
    "github": (
        *("max_entries_to_build", "min_entries_to_merge", "max_entries_to_merge", "wait_minutes"),
        "grouping_strategy",
    ),
    "gitlab": ("parallel_pipelines",),
}
KIND_OF: Final = {name: kind for kind, names in OF_KIND.items() for name in names}
