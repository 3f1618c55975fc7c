"""Which settings there are, and which values each may have."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Number:
    """A whole number in a range; `of_kind` is the only kind of queue that has this setting."""

    lowest: int
    highest: int
    of_kind: str
    is_nullable: bool = False


NUMBERS: Final = {
    "batch_max_wait_time": Number(0, 86_400, "mergify"),
    "max_parallel_checks": Number(1, 128, "mergify"),
    "max_checks_retries": Number(0, 20, "mergify"),
    "batch_max_failure_resolution_attempts": Number(0, 1000, "mergify", is_nullable=True),
    "max_entries_to_build": Number(1, 100, "github"),
    "min_entries_to_merge": Number(1, 100, "github"),
    "max_entries_to_merge": Number(1, 100, "github"),
    "wait_minutes": Number(0, 360, "github"),
    "parallel_pipelines": Number(1, 1000, "gitlab"),
}
TIMEOUT: Final = Number(60, 604_800, "", is_nullable=True)
BATCH_SIZE: Final = Number(1, 128, "mergify")
CHOICES: Final = {
    "kind": ("mergify", "github", "gitlab"),
    "mode": ("serial", "parallel", "isolated"),
    "grouping_strategy": ("ALLGREEN", "HEADGREEN"),
}
NAMES: Final = (*CHOICES, "batch_size", "checks_timeout", "skip_intermediate_results", *NUMBERS)
