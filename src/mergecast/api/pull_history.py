"""`GET …/pulls/{number}/history`, every stay of a pull request and why it waits; `GET …/pulls`, by title."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import INTEGER, Operation, json_content, object_of, or_null, schema_of
from mergecast.api.parameters import LARGEST_RECORDED, QUERY, read_input
from mergecast.api.responses import json_response
from mergecast.api.routing import PULL_REQUEST_PATH, REPOSITORY_PATH, Route
from mergecast.api.services import Services
from mergecast.errors import NotFound
from mergecast.prediction.expected_merges import Expected
from mergecast.queues.stats.kept_since import schema_with_kept_since, with_kept_since
from mergecast.queues.stats.pull_history import StayInDetail, pull_history
from mergecast.queues.stats.pull_search import FoundPulls, Search, search_pulls
from mergecast.queues.stats.pull_titles import AboutPull, about_from_snapshot, about_from_source
from mergecast.queues.stats.queue_contents import Entry, Queue, queue_contents
from mergecast.queues.stats.waiting_for import Situation, Trouble, waits
from mergecast.queues.stats.waiting_sentence import WaitingFor, described
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.detection.queue_problem import SOURCE_SILENT
from mergecast.signals.diagnosis.documents import ShownProblem, shown

_NOTHING = Expected(state="too_little_history")
_PARAMETERS = ("search", "after", "limit")


@dataclass(frozen=True, slots=True)
class Present:
    """One waiting pull request in the queues now."""

    stay: StayInDetail
    entry: Entry
    queue: Queue
    branch: Sequence[Queue]
    tested: Collection[int]


def read_present(
    reader: Reader, repository_id: int, stays: Iterable[StayInDetail], at: int
) -> Present | None:
    """Where a pull request with these stays waits; None if it is in no queue."""
    open_stays = {stay.session_id: stay for stay in stays if stay.left_at is None}
    if not open_stays:
        return None
    queues = queue_contents(reader, repository_id, at)
    found = [(entry, queue) for queue in queues for entry in queue.entries if entry.session_id in open_stays]
    if not found:
        return None
    entry, queue = max(found, key=lambda place: place[0].entered_at)
    numbers = [one.pull_request for one in queue.entries]
    tested = reader.column("tested_pull_requests", [repository_id, numbers])
    branch = [other for other in queues if other.base_ref == queue.base_ref]
    return Present(open_stays[entry.session_id], entry, queue, branch, frozenset(tested))


async def waiting_for(services: Services, known: KnownRepository, present: Present, at: int) -> WaitingFor:
    """Costs no more than `GET …/queue`: rules and expected merges are computed in the background."""
    problems = [shown(problem) for problem in await services.diagnosis.problems(known)]
    queue = present.queue
    of_branches = services.expected_merges.of_branches(known, [queue.base_ref], at)
    of_branch = of_branches.get(queue.base_ref, _NOTHING)
    situation = Situation(
        entry=present.entry,
        queue=queue,
        branch=present.branch,
        checks=present.stay.checks,
        newest_event_at=known.last_at or 0,
        rules=of_branch.rules.get(queue.queue_name),
        troubles=[*_troubles(problems, queue)],
        tested=present.tested,
        expected=of_branch.recent(present.entry.session_id, at),
        expected_state=of_branch.state_of(queue.entries),
    )
    return described(waits(situation, at), at)


def _troubles(problems: Iterable[ShownProblem], queue: Queue) -> Iterable[Trouble]:
    """The problems of a queue; a source that is silent concerns all queues."""
    for problem in problems:
        is_here = (problem.base_ref, problem.queue_name) == (queue.base_ref, queue.queue_name)
        if is_here or problem.name == SOURCE_SILENT:
            yield Trouble(problem.name, problem.since, problem.evidence.source)


class _Read(NamedTuple):
    stays: Sequence[StayInDetail] = ()
    pull: AboutPull | None = None
    present: Present | None = None


def pull_history_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(segments, request.scope["query_string"])
        known, number, at = await services.known(given.repository), given.values["number"], services.now()

        def read(reader: Reader, known: KnownRepository) -> _Read:
            stays = pull_history(reader, known.id, number, at)
            pull = about_from_source(reader, known.id, number)
            return _Read(stays, pull, read_present(reader, known.id, stays, at))

        stays, pull, present = _Read()
        if number <= LARGEST_RECORDED:
            known, (stays, pull, present) = await services.query_current(request, known, read)
            document = None if pull else await services.snapshot(request, known, number)
            pull = pull if document is None else about_from_snapshot(document)
        if not stays and pull is None:
            message = f"pull request {number} of {given.repository} is not known here: "
            raise NotFound(
                f"{message}it has not been in a queue, and neither a source nor a snapshot describes it"
            )
        waiting = present and await waiting_for(services, known, present, at)
        answer = {"pull_request": number, "pull": pull, "waiting_for": waiting, "stays": stays}
        return json_response(
            answer if known.kept_since is None else with_kept_since(answer, known.kept_since)
        )

    answer = object_of(
        {
            "pull_request": INTEGER,
            "pull": or_null(schema_of(AboutPull)),
            "waiting_for": or_null(schema_of(WaitingFor)),
            "stays": schema_of(list[StayInDetail]),
        }
    )
    operation = Operation(
        "Statistics",
        "Every stay of a pull request, the newest first, and what it waits for",
        json_content(schema_with_kept_since(answer)),
    )
    return Route("GET", f"{PULL_REQUEST_PATH}/history", Right.READ, show, operation)


def pull_search_route(services: Services) -> Route:
    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        given = read_input(segments, request.scope["query_string"], _PARAMETERS)
        search = Search(**{name: value for name, value in given.values.items() if name in _PARAMETERS})
        known = await services.known(given.repository)
        found = await services.query(request, known.id, lambda reader: search_pulls(reader, known.id, search))
        return json_response(found)

    operation = Operation(
        "Statistics",
        "Pull requests by words of their titles, the newest first",
        json_content(schema_of(FoundPulls)),
        tuple(QUERY[name] for name in _PARAMETERS),
    )
    return Route("GET", f"{REPOSITORY_PATH}/pulls", Right.READ, show, operation)
