"""Simulates a document on one pull request, or on all open pull requests of a repository.

Every simulation raises DocumentRefused if the submitted document is invalid, LimitReached if it exceeds a
limit, and whatever reading a pull request raises.
"""

from contextlib import suppress
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from mergecast.errors import Conflict, NotFound
from mergecast.judge.messages import (
    PULL_REQUEST,
    REPOSITORY,
    ForecastFound,
    NeedsAnswer,
    PullRequestQuestion,
    Record,
    RepositoryQuestion,
    Setting,
    SimulationAnswer,
)
from mergecast.process.concurrently import run_both
from mergecast.queues.model.snapshot import Needs
from mergecast.simulation.documents import CurrentDocument, accepted, read_current, read_needs, with_extended
from mergecast.simulation.ports import AskChild, Forecast, Live, OpenRecords, Recorded

_NO_ACCESS = "the service has no access to the code-hosting platform"
_NOT_SHOWN = "the code-hosting platform does not show it"
_NOT_COMPARED = CurrentDocument()


@dataclass(frozen=True, slots=True)
class LiveSimulation:
    """Simulates documents on pull requests as the code-hosting platform shows them now."""

    ask: AskChild
    live: Live
    forecast: Forecast | None = None

    async def pull_request(self, setting: Setting, number: int) -> SimulationAnswer:
        setting = replace(setting, is_live=True)
        setting, needs = await self._with_extended(setting, await self._needs(setting))
        record = await self.live.pull_request(number, needs)
        return await _simulate_pull_request(self.ask, setting, number, record)

    async def repository(self, setting: Setting) -> SimulationAnswer:
        """All open pull requests, compared with what the current document does to them.

        Both documents are simulated on the same facts, so everything that either of them needs is read.
        """
        setting = replace(setting, is_live=True)
        own = await self._needs(setting)  # an invalid document costs no call to the platform
        (setting, needs), current = await run_both(
            self._with_extended(setting, own), read_current(self.ask, setting, self.live)
        )
        setting = replace(setting, remotes={**setting.remotes, **current.remotes})
        found, forecast = await run_both(
            self.live.open_pull_requests(needs | current.needs), self._forecast(setting, current.text)
        )
        return await _simulate_repository(self.ask, setting, found, forecast, current)

    async def _needs(self, setting: Setting) -> NeedsAnswer:
        return accepted(await read_needs(self.ask, setting))

    async def _with_extended(self, setting: Setting, own: NeedsAnswer) -> tuple[Setting, Needs]:
        """The setting with the document that this one extends, and what both need together."""
        setting, found = await with_extended(self._needs, setting, own, self.live)
        return setting, Needs(found.parts, found.teams)

    async def _forecast(self, setting: Setting, current: str | None) -> ForecastFound | None:
        return None if self.forecast is None else await self.forecast(setting, current)


@dataclass(frozen=True, slots=True)
class RecordedSimulation:
    """Simulates documents on recorded pull requests. The current document is not recorded."""

    ask: AskChild
    recorded: Recorded
    forecast: Forecast | None = None

    async def pull_request(self, setting: Setting, number: int, why_not_live: str = "") -> SimulationAnswer:
        try:
            record = await self._record(setting, number, why_not_live)
        except (NotFound, Conflict):
            await self._refuse_invalid(setting)  # an invalid document is reported first
            raise
        return await _simulate_pull_request(self.ask, setting, number, record)

    async def _record(self, setting: Setting, number: int, why_not_live: str) -> bytes:
        record = await self.recorded.pull_request(number)
        if record is None:
            raise NotFound(
                f"pull request {number} of {setting.owner}/{setting.repository} is not known here: "
                f"no snapshot of it is recorded, and {why_not_live}"
            )
        return record

    async def repository(self, setting: Setting) -> SimulationAnswer:
        forecast = None
        if self.forecast is not None:
            await self._refuse_invalid(setting)  # an invalid document waits for no forecast
            forecast = await self.forecast(setting, None)
        found = await self.recorded.open_pull_requests()
        return await _simulate_repository(self.ask, setting, found, forecast)

    async def _refuse_invalid(self, setting: Setting) -> None:
        accepted(await read_needs(self.ask, setting))


@dataclass(frozen=True, slots=True)
class Simulation:
    """Simulates documents on live pull requests, or on recorded ones if the platform does not show them."""

    live: LiveSimulation | None  # None without access to the platform
    recorded: RecordedSimulation

    async def pull_request(self, setting: Setting, number: int) -> SimulationAnswer:
        if self.live is None:
            return await self.recorded.pull_request(setting, number, _NO_ACCESS)
        with suppress(NotFound):
            return await self.live.pull_request(setting, number)
        return await self.recorded.pull_request(setting, number, _NOT_SHOWN)

    async def repository(self, setting: Setting) -> SimulationAnswer:
        if self.live is not None:
            with suppress(NotFound):
                return await self.live.repository(setting)
        return await self.recorded.repository(setting)


async def _simulate_pull_request(
    ask: AskChild, setting: Setting, number: int, record: bytes
) -> SimulationAnswer:
    question = PullRequestQuestion(setting, number, msgspec.Raw(record))
    return accepted(await ask(PULL_REQUEST, question, SimulationAnswer))


async def _simulate_repository(
    ask: AskChild,
    setting: Setting,
    found: OpenRecords,
    forecast: ForecastFound | None,
    current: CurrentDocument = _NOT_COMPARED,
) -> SimulationAnswer:
    records = tuple(Record(number, msgspec.Raw(record)) for number, record in found.records)
    question = RepositoryQuestion(
        setting, records, found.not_looked_at, current.text, current.remarks, forecast
    )
    return accepted(await ask(REPOSITORY, question, SimulationAnswer))
