"""Metrics of queues for Prometheus: of one repository, or of all that a credential may read.

The lines of a repository are kept until its data changes, so a scrape costs what has changed since the last.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Caller, CredentialKind, Right
from mergecast.api.fair_shares import while_connected
from mergecast.api.openapi.operation import STRING, Operation
from mergecast.api.parameters import refuse_query
from mergecast.api.problems import HttpError
from mergecast.api.responses import quality
from mergecast.api.routing import REPOSITORY_PATH, Route, admission_of
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput
from mergecast.incoming.intake.overview import SourceState, source_states
from mergecast.process.lru import BoundedCache
from mergecast.queues.metrics.lines import (
    OLDEST,
    OPEN_METRICS,
    PLAIN,
    PROBLEM,
    SOURCE_AGE,
    SOURCE_PROBLEM,
    SOURCE_UNTRANSLATED,
    Family,
    Lines,
    QueueLines,
    alert_lines,
    document,
    gauge_line,
    problem_lines,
    queue_lines,
    read_counts,
    read_figures,
    waiting_lines,
)
from mergecast.queues.store.alerts import open_alerts_of
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.thresholds.judged import ALERTED_NOW

MOST_SERIES = 200_000
_AT_ONCE = 50  # repositories that are read in one turn of the caller
_KEPT_BYTES = 64 << 20
_ALL_OF = (CredentialKind.ADMIN, CredentialKind.APPLICATION, CredentialKind.OIDC)


class _Kept(NamedTuple):
    """The lines of a repository, and the state that they describe."""

    name: str
    version: int
    lines: QueueLines


class QueueMetrics:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._kept: BoundedCache[int, _Kept] = BoundedCache(_KEPT_BYTES, lambda kept: kept.lines.bytes)

    async def of_one(self, request: Request, segments: Mapping[str, str]) -> Response:
        """The metrics of one repository."""
        known = await self._services.asked(request, segments)
        return await self._answer(request, [known])

    async def of_all(self, request: Request, _: Mapping[str, str]) -> Response:
        """The metrics of all repositories that the caller may read."""
        refuse_query(request)
        return await self._answer(request, await self._repositories(admission_of(request).caller))

    async def _repositories(self, caller: Caller) -> list[KnownRepository]:
        if caller.kind not in _ALL_OF:
            message = (
                f"a {caller.kind} cannot list the metrics of all repositories: use an application key, or "
                f"{REPOSITORY_PATH}/metrics for each repository"
            )
            raise HttpError(403, message)
        found = await self._services.database.repositories(caller.owner)
        return [known for known in found if known.is_listed and caller.reaches(known.repository)]

    async def _answer(self, request: Request, repositories: Sequence[KnownRepository]) -> Response:
        parts = await while_connected(request, self._parts(request, repositories))
        of_open_metrics, of_plain = (
            quality(request, media_type) for media_type in ("application/openmetrics-text", "text/plain")
        )
        is_open_metrics = of_open_metrics > 0 and of_open_metrics >= of_plain
        text = document(parts, is_open_metrics=is_open_metrics)
        # The header is set as it is: a media type would get a second charset.
        return Response(text, headers={"Content-Type": OPEN_METRICS if is_open_metrics else PLAIN})

    async def _parts(self, request: Request, repositories: Sequence[KnownRepository]) -> list[Lines]:
        """The lines of each repository. The caller's turns are short, however many repositories there are."""
        parts: list[Lines] = []
        store = self._services.database
        series, caller = 0, admission_of(request).caller.identity
        for start in range(0, len(repositories), _AT_ONCE):
            chunk, at = repositories[start : start + _AT_ONCE], self._services.now()
            async with self._services.queries.turn(caller):
                states = await source_states(store, chunk, at)
                ids = [known.id for known in chunk]
                alerts = await store.read(None, partial(open_alerts_of, repository_ids=ids))
                found = await self._lines(chunk, at)
            for known, lines in zip(chunk, found, strict=True):
                series += lines.series
                held = alerts.get(known.id, ())
                parts.append(
                    {
                        **lines.lines,
                        OLDEST: waiting_lines(lines.queues, at),
                        PROBLEM: problem_lines(lines.queues, ALERTED_NOW, held),
                        **alert_lines(lines.queues, held),
                    }
                )
                parts.append(_lines_of_sources(str(known.repository), states.get(known.id, ())))
            if series > MOST_SERIES:
                raise InvalidInput([FieldError("path", "", _too_many(len(repositories)))])
        return parts

    async def _lines(self, chunk: Sequence[KnownRepository], at: int) -> list[QueueLines]:
        """The lines about the queues of each repository, made again where its data has changed."""
        kept = {known.id: self._current(known) for known in chunk}
        made = await self._make([known for known in chunk if kept[known.id] is None], at)
        return [kept[known.id] or made[known.id] for known in chunk]

    def _current(self, known: KnownRepository) -> QueueLines | None:
        """The kept lines, unless they are out of date."""
        kept = self._kept.get(known.id)
        if kept is None or (kept.name, kept.version) != (str(known.repository), known.version):
            return None
        return kept.lines

    async def _make(self, changed: Sequence[KnownRepository], at: int) -> dict[int, QueueLines]:
        if not changed:
            return {}
        store, names = self._services.database, {known.id: str(known.repository) for known in changed}
        counts = await store.read(None, partial(read_counts, repository_ids=list(names)))

        def make(reader: Reader) -> dict[int, QueueLines]:
            figures = read_figures(reader, list(names), counts, at)
            return {id: queue_lines(names[id], own) for id, own in figures.items()}

        made = await store.read(changed[0].id, make)
        for known in changed:
            # What happens later than now changes the figures when its time comes.
            if known.last_at is None or known.last_at <= at:
                self._kept.put(known.id, _Kept(names[known.id], known.version, made[known.id]))
        return made


def _lines_of_sources(repository: str, states: Iterable[SourceState]) -> Lines:
    found: dict[Family, bytes] = {}
    for family, source, value in _gauges(states):
        line = gauge_line(family, {"repository": repository, "source": source}, value)
        found[family] = found.get(family, b"") + line
    return found


def _gauges(states: Iterable[SourceState]) -> Iterator[tuple[Family, str, float]]:
    for state in states:
        if state.age_seconds is not None:
            yield SOURCE_AGE, state.source, state.age_seconds
        yield SOURCE_UNTRANSLATED, state.source, state.untranslated
        yield SOURCE_PROBLEM, state.source, int(state.has_problem)


def _too_many(repositories: int) -> str:
    return (
        f"the metrics of these {repositories:,} repositories have more than {MOST_SERIES:,} series, too many "
        f"for one answer: let Prometheus read {REPOSITORY_PATH}/metrics of the repositories that matter, or "
        "use one application key per owner"
    )


def queue_metrics_routes(services: Services) -> list[Route]:
    metrics, tag = QueueMetrics(services), "Statistics"
    content = {media_type.partition(";")[0]: {"schema": STRING} for media_type in (PLAIN, OPEN_METRICS)}
    one = Operation(tag, "Metrics of the queues of a repository, for Prometheus", content)
    every = Operation(tag, "Metrics of all queues that the credential may read, for Prometheus", content)
    return [
        Route("GET", f"{REPOSITORY_PATH}/metrics", Right.READ, metrics.of_one, one),
        Route("GET", "/v1/metrics", Right.LIST, metrics.of_all, every),
    ]
