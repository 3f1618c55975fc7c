"""The check that made a CI run fail, as far as a source reported it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FailedCheck:
    name: str
    url: str | None = None
