"""The section *Forecast* in the simulation of a repository."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from api.recorded_pulls import NOON, Simulator, record, simulator
from mergecast.forecasting.forecast.answer import ForecastAnswer
from mergecast.forecasting.forecast.wording import COLUMNS, forecast_rows, headline
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.queues.model.instant import format_instant
from worlds.events import history_of
from worlds.wire import wire_event
from worlds.world import World

REPOSITORY = "acme/two-weeks"
# As few days and merges as a forecast needs.
TWO_WEEKS = World(5, days=15, pulls_per_day=24, length_median=20, weekend=0.5)
ONE_WEEK = World(6, days=7, pulls_per_day=60, length_median=20, weekend=0.5)
TWO_DAYS = World(7, days=2, pulls_per_day=24)
DOCUMENT = """\
queue_rules:
  - name: default
    batch_size: 3
  - name: hotfix
"""
# Enough on a busy machine.
PATIENT = 300.0


def _events(world: World, base_ref: str = "main", queue_name: str = "default") -> list[dict[str, Any]]:
    """What happens in a queue until noon."""
    played = world.play(Policy(rules=(QueueRule(2, 2, 60_000_000),), max_parallel_checks=2))
    return [
        wire_event(
            event._replace(
                happened_at=event.happened_at + NOON - world.end,
                base_ref=base_ref,
                queue_name=queue_name,
                id=f"{base_ref} {queue_name} {event.id}",
                session_id=event.session_id and f"{base_ref} {queue_name} {event.session_id}",
                batch_id=event.batch_id and f"{base_ref} {queue_name} {event.batch_id}",
            )
        )
        for event in history_of(world, played)
    ]


def _send(simulating: Simulator, repository: str, world: World) -> str:
    """Play a world on `main`, beside two quiet queues; returns the instant of the first event."""
    events = [
        *_events(world),
        *_events(TWO_DAYS, queue_name="hotfix"),
        *_events(TWO_DAYS, base_ref="release"),
    ]
    assert simulating.server.send(events, repository).status_code < 300
    simulating.record(repository, record(7)).raise_for_status()
    return str(min(event["at"] for event in events))


@contextmanager
def _waiting(folder: Path, seconds: float) -> Iterator[Simulator]:
    with simulator(folder, simulated_forecast_seconds=seconds) as made:
        made.server.http.timeout = PATIENT
        yield made


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    with _waiting(tmp_path_factory.mktemp("patient"), PATIENT) as made:
        yield made


@pytest.fixture(scope="module")
def start(patient: Simulator) -> str:
    """The first instant of `REPOSITORY`, which holds two weeks."""
    return _send(patient, REPOSITORY, TWO_WEEKS)


def _section(simulating: Simulator, repository: str, document: str = DOCUMENT) -> str | None:
    """What the summary ends with."""
    answer = simulating.repository(repository, document)
    assert answer.status_code == 200, answer.text
    _, heading, section = answer.json()["summary"].partition("### Forecast\n\n")
    return section if heading else None


def _forecast(simulating: Simulator, repository: str, start: str) -> Any:
    asked = {"base_ref": "main", "start_at": start, "candidate": {"config_yml": DOCUMENT}}
    answer = simulating.server.http.post(f"/v1/repos/{repository}/forecast", json=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_document_is_forecast_on_the_busiest_branch(patient: Simulator, start: str) -> None:
    """The same figures as the forecast of that branch for the recorded time, the grade first."""
    section = _section(patient, REPOSITORY)

    answer = msgspec.convert(_forecast(patient, REPOSITORY, start), ForecastAnswer)
    assert answer.merged > 200
    table = [COLUMNS, ("---",) * 5, *forecast_rows(answer)]
    notes = " ".join(answer.notes)
    assert section == (
        f"{headline(answer)}. This is the branch `main` from {start[:10]} to {format_instant(NOON)[:10]}: "
        "the baseline replays this time under the settings inferred from the history, "
        f"the candidate under this document. Intervals are 90%. {notes}\n\n"
        + "\n".join(f"| {' | '.join(row)} |" for row in table)
    )


@pytest.mark.usefixtures("start")
def test_a_document_without_a_queue_of_the_branch(patient: Simulator) -> None:
    """The section says which of the branch's queues is missing from the document."""
    section = _section(patient, REPOSITORY, "queue_rules: [{name: default}]\n")

    assert section == (
        "The forecast is left out: the document has no queue named hotfix, which the history has."
    )


def test_no_section_without_enough_history(patient: Simulator, repository: str) -> None:
    """A week has enough merges, but not enough days; a repository without events has neither."""
    _send(patient, repository, ONE_WEEK)
    patient.record("acme/no-events", record(7)).raise_for_status()

    assert _section(patient, repository) is None
    assert _section(patient, "acme/no-events") is None


@pytest.mark.usefixtures("start")
def test_a_document_that_extends_another_one(patient: Simulator) -> None:
    """Without access to the platform only this document is forecast, and the section says so."""
    section = _section(patient, REPOSITORY, f"extends: shared\n{DOCUMENT}")

    assert section is not None
    assert (
        " The document extends the one of acme/shared, which could not be read; "
        "the forecast does not include it. "
    ) in section.partition("\n")[0]


def test_a_forecast_that_takes_too_long(tmp_path: Path, repository: str) -> None:
    """The simulation does without it, and the process that forecasts is free for others."""
    with _waiting(tmp_path, 0.1) as hasty:
        start = _send(hasty, repository, TWO_WEEKS)

        assert _section(hasty, repository) == "The forecast is left out: it takes more than 0.1 seconds."
        assert _forecast(hasty, repository, start)["merged"] > 200
