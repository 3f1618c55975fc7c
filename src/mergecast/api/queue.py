"""`GET …/queue`: what is in the queues of a repository, when it will probably merge, and what is wrong."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields

import msgspec
import structlog
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.forecast import recorded_events
from mergecast.api.openapi.operation import DATE_TIME, INTEGER, Operation, json_content, object_of, schema_of
from mergecast.api.parameters import read_input
from mergecast.api.routing import REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.api.statistics import MOST_GROUPS
from mergecast.diagnosis.documents import ShownProblem, Undiagnosed, shown, undiagnosed_queues
from mergecast.errors import FieldError, InvalidInput, MergecastError
from mergecast.judge.errors import ChildError
from mergecast.judge.messages import (
    EXPECTED_MERGES,
    EtaFound,
    ExpectedMergeFound,
    ExpectedMergesAnswer,
    ExpectedMergesQuestion,
    RecordedWindow,
)
from mergecast.process.lru import RecentEntries
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, format_instant, parse_instant
from mergecast.queues.model.window import Window
from mergecast.queues.stats.queue_contents import (
    Entry,
    Eta,
    EtaWindow,
    ExpectedMerge,
    ExpectedState,
    Queue,
    QueueTrust,
    queue_contents,
)
from mergecast.queues.store.reader import Reader

_DAYS = 60
_FRESH = MINUTE  # how long expected merges are shown before they are computed again
_TRUSTED = HOUR  # how long the measured errors of past forecasts are shown
_MOST_BRANCHES = 1000
_MOST_AT_ONCE = 20  # of any number of branches; the others follow when they are asked for again
_OWN_WORK = "expected merges"  # takes turns with the callers

Branch = tuple[int, str]  # a repository and a base ref
# With fewer events there are not enough merged pull requests for a forecast.
_LEAST_EVENTS = 800


@dataclass(frozen=True)
class Expected:
    """The expected merges of the queues of one branch."""

    computed_at: int | None = None
    state: ExpectedState = "pending"
    merges: Mapping[str, ExpectedMerge] = field(default_factory=dict)  # by session
    trust: QueueTrust | None = None
    trust_measured_at: int | None = None
    calibration: tuple[float, float] = (1.0, 1.0)  # measured with the trust

    def state_of(self, entries: Iterable[Entry]) -> ExpectedState:
        """`pending` if a pull request entered after this computation: the next one includes it."""
        if self.state != "known" or self.computed_at is None:
            return self.state
        is_complete = all(parse_instant(entry.entered_at) <= self.computed_at for entry in entries)
        return "known" if is_complete else "pending"


log = structlog.get_logger("mergecast.forecast")


class ExpectedMerges:
    """Answers with the last result, and computes a new one in the background when that is old."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._known: RecentEntries[Branch, Expected] = RecentEntries(_MOST_BRANCHES)
        self._under_way: dict[Branch, asyncio.Task[None]] = {}

    def of_branch(self, branch: Branch, at: int) -> Expected:
        found = self._known.get(branch) or Expected()
        is_fresh = _is_within(_FRESH, found.computed_at, at)
        has_room = len(self._under_way) < _MOST_AT_ONCE
        if not is_fresh and branch not in self._under_way and has_room:
            task = asyncio.create_task(self._compute(branch, at, found))
            self._under_way[branch] = task
            task.add_done_callback(lambda _: self._under_way.pop(branch, None))
        return found

    async def _compute(self, branch: Branch, at: int, before: Expected) -> None:
        repository_id, base_ref = branch
        window = Window(at - _DAYS * DAY, at)
        found = Expected(at, "failed")
        with_trust = not _is_within(_TRUSTED, before.trust_measured_at, at)
        try:
            async with self._services.queries.turn(_OWN_WORK):
                read = recorded_events(repository_id, base_ref, window)
                events = await self._services.database.read(repository_id, read)
            if events is None:
                found = Expected(at, "too_many_events")
            else:
                question = ExpectedMergesQuestion(
                    RecordedWindow(events, *window, None), with_trust, before.calibration
                )
                answer = await self._services.ask_forecaster(
                    _OWN_WORK,
                    lambda child, turn: child.ask(EXPECTED_MERGES, question, ExpectedMergesAnswer, turn=turn),
                )
                found = _known(answer, before, at, is_trust_new=with_trust)
        except (MergecastError, ChildError) as error:
            log.warning("expected merges could not be computed", base_ref=base_ref, error=str(error))
        self._known.put(branch, found)


def _is_within(term: int, since: int | None, at: int) -> bool:
    return since is not None and at - since < term


def _known(answer: ExpectedMergesAnswer, before: Expected, at: int, *, is_trust_new: bool) -> Expected:
    if answer.is_too_little:
        return Expected(at, "too_little_history")
    merges = {merge.session_id: expected for merge in answer.merges if (expected := _expected(merge, at))}
    if not is_trust_new:
        return replace_fields(before, computed_at=at, state="known", merges=merges)
    trust = None if answer.eta is None else QueueTrust(_eta(answer.eta))
    return Expected(at, "known", merges, trust, at, answer.calibration)


def _eta(found: EtaFound) -> Eta:
    windows = tuple(EtaWindow(round(p50, 3), round(p90, 3), cases) for p50, p90, cases in found.windows)
    return Eta(round(found.p50, 3), round(found.p90, 3), found.cases, windows)


def _expected(found: ExpectedMergeFound, at: int) -> ExpectedMerge | None:
    if found.p50 is None or found.p90 is None:
        return None
    p50, p90 = (format_instant(at + int(seconds) * SECOND) for seconds in (found.p50, found.p90))
    return ExpectedMerge(p50, p90, round(found.chance, 3))


def queue_route(services: Services) -> Route:
    expected = ExpectedMerges(services)

    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        repository = read_input(segments, request.scope["query_string"]).repository
        known, at = await services.known(repository), services.now()
        queues = await services.query(request, known.id, lambda reader: _queues(reader, known.id, at))
        merges: dict[str, Expected] = {}
        if known.events >= _LEAST_EVENTS:
            branches = dict.fromkeys(queue.base_ref for queue in queues)
            merges = {base_ref: expected.of_branch((known.id, base_ref), at) for base_ref in branches}
        problems = [shown(problem) for problem in await services.diagnosis.problems(known)]
        undiagnosed = undiagnosed_queues(await services.diagnosis.levels(known))
        head = {
            "at": format_instant(at),
            "version": known.version,
            "queue_problems": problems,
            "undiagnosed": undiagnosed,
        }
        # In a thread: there may be many entries, and other requests are answered meanwhile.
        body = await asyncio.to_thread(_encode, head, queues, merges)
        return Response(body, media_type="application/json")

    answer = object_of(
        {
            "at": DATE_TIME,
            "version": INTEGER,
            "queues": schema_of(list[Queue]),
            "queue_problems": schema_of(list[ShownProblem]),
            "undiagnosed": schema_of(list[Undiagnosed]),
        }
    )
    operation = Operation("Statistics", "What is in the queues now", json_content(answer))
    return Route("GET", f"{REPOSITORY_PATH}/queue", Right.READ, show, operation)


def _queues(reader: Reader, repository_id: int, at: int) -> Sequence[Queue]:
    queues = queue_contents(reader, repository_id, at)
    if len(queues) > MOST_GROUPS:
        message = (
            f"{len(queues):,} queues hold pull requests, more than the {MOST_GROUPS:,} that can be listed"
        )
        raise InvalidInput([FieldError("path", "", message)])
    return queues


def _encode(head: Mapping[str, object], queues: Sequence[Queue], merges: Mapping[str, Expected]) -> bytes:
    shown = [
        _with_expected(queue, merges[queue.base_ref]) if queue.base_ref in merges else queue
        for queue in queues
    ]
    return msgspec.json.encode({**head, "queues": shown})


def _with_expected(queue: Queue, expected: Expected) -> Queue:
    entries = (
        replace(entry, expected_merge=expected.merges.get(entry.session_id)) for entry in queue.entries
    )
    state = expected.state_of(queue.entries)
    return replace(queue, entries=tuple(entries), expected_merges=state, trust=expected.trust)
