"""Simulates the scenarios and compares what is answered with `summary.md` in their folders.

The instant of a scenario is the `recorded_at` of its pull request. With UPDATE_GOLDEN in the environment the
answers are written instead of compared.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mergecast.language.configuration.inheritance import CannotRead
from mergecast.language.configuration.read import read_configuration
from mergecast.language.configuration.read_result import ReadResult
from mergecast.language.rules.simulate import simulate
from mergecast.language.rules.simulation import Simulation
from mergecast.queues.model.instant import SECOND
from mergecast.queues.model.recorded import read_snapshot
from mergecast.queues.model.snapshot import Snapshot
from scenario_files import SCENARIOS, document_text, recorded_pull


@dataclass(frozen=True)
class Scenario:
    """What the files of a scenario mean."""

    folder: Path
    verdict: ReadResult
    snapshot: Snapshot

    @property
    def simulation(self) -> Simulation:
        assert self.verdict.configuration is not None, [error.text for error in self.verdict.errors]
        return simulate(self.verdict.configuration, self.snapshot, self.snapshot.recorded_at, search)


def scenario(name: str) -> Scenario:
    record = recorded_pull(name)
    snapshot = read_snapshot(record, number=record["pull"]["number"], now=0)
    return Scenario(SCENARIOS / name, verdict(document_text(name), snapshot), snapshot)


def verdict(text: str, snapshot: Snapshot) -> ReadResult:
    today = datetime.fromtimestamp(snapshot.recorded_at // SECOND, UTC).date()
    return read_configuration(
        text, today=today, repository=snapshot.pull.repository, load=_recorded_documents(snapshot)
    )


def _recorded_documents(snapshot: Snapshot) -> Callable[[str], str]:
    def load(name: str) -> str:
        text = (snapshot.extends or {}).get(f"{snapshot.pull.owner}/{name}")
        if text is None:
            raise CannotRead("it was not recorded")
        return text

    return load


def search(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.search(text) is not None


def assert_golden(file: Path, text: str) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text


def simulated(document: str, snapshot: Snapshot, **options: Any) -> tuple[Simulation, ReadResult]:
    found = verdict(document, snapshot)
    assert found.configuration is not None, [error.text for error in found.errors]
    return simulate(found.configuration, snapshot, snapshot.recorded_at, search, **options), found
