"""One line of the report: how bad it is, what was found, and what to do about it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    OK = "ok"
    WARNING = "warning"  # something does not work, or may stop working
    ERROR = "error"  # the service, or this command line, cannot work like this


@dataclass(frozen=True, slots=True)
class Finding:
    level: Level
    check: str
    message: str
    advice: str = ""

    @property
    def text(self) -> str:
        return f"{self.message}; {self.advice}" if self.advice else self.message


def ok(check: str, message: str) -> Finding:
    return Finding(Level.OK, check, message)


def warning(check: str, message: str, advice: str = "") -> Finding:
    return Finding(Level.WARNING, check, message, advice)


def error(check: str, message: str, advice: str = "") -> Finding:
    return Finding(Level.ERROR, check, message, advice)


def has_error(findings: Iterable[Finding]) -> bool:
    return any(finding.level is Level.ERROR for finding in findings)
