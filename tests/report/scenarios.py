"""Scenarios a team would recognise: a document, a recorded pull request, and what is answered.

Each folder of `tests/scenarios` is one. Its instant is the `recorded_at` of the snapshot. With UPDATE_GOLDEN
in the environment the answers are written instead of compared.
"""

import json
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

SCENARIOS = Path(__file__).parents[1] / "scenarios"
NAMES = sorted(folder.name for folder in SCENARIOS.iterdir() if folder.is_dir())


@dataclass(frozen=True)
class Scenario:
    """What one folder holds, read."""

    folder: Path
    verdict: ReadResult
    snapshot: Snapshot

    @property
    def simulation(self) -> Simulation:
        assert self.verdict.configuration is not None, [error.text for error in self.verdict.errors]
        return simulate(self.verdict.configuration, self.snapshot, self.snapshot.recorded_at, search)


def scenario(name: str) -> Scenario:
    folder = SCENARIOS / name
    record = json.loads((folder / "snapshot.json").read_text(encoding="utf-8"))
    snapshot = read_snapshot(record, number=record["pull"]["number"], now=0)
    text = (folder / "document.yml").read_text(encoding="utf-8")
    return Scenario(folder, verdict(text, snapshot), snapshot)


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
