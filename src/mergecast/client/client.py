"""Requests from commands to a server."""

import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, NamedTuple, Never, Self, TypedDict, TypeVar, Unpack
from urllib.parse import quote

import httpx
import msgspec

from mergecast.client import answers
from mergecast.client.answers import Answer
from mergecast.client.errors import ErrorResponse, UnknownAnswer, Unreachable
from mergecast.process.certificates import failure, trusted_certificates
from mergecast.queues.answers.alerts import (
    Alerts,
    ReferencePeriod,
    ReferencePreview,
    ThresholdPreview,
    Thresholds,
)
from mergecast.queues.answers.audit import Audit, AuditQuestion
from mergecast.queues.answers.changes import Changes
from mergecast.queues.answers.channels import AddedChannel, Channel, TriedChannel
from mergecast.queues.answers.ci_checks import CiChecks
from mergecast.queues.answers.keys import Key, MadeKey
from mergecast.queues.answers.pulls import FoundPulls, Stays
from mergecast.queues.answers.repositories import ListedRepository
from mergecast.queues.answers.settings import AuditLine, ChangedSettings, Settings
from mergecast.queues.answers.sources import ListedSource, SourceCursor, SourceOverview, TestedSource
from mergecast.queues.answers.verdicts import Verdicts

# Storing and rebuilding may take long, connecting may not.
_TIMEOUT = httpx.Timeout(300, connect=10)
# The server closes a connection that is idle for 5 seconds. A request sent at that moment would fail.
_KEPT_CONNECTIONS = httpx.Limits(keepalive_expiry=2)
_PART = 1 << 20
_KEPT_SINCE = "Mergecast-Kept-Since"
_PRECONDITION_FAILED = 412
_UNAVAILABLE = 503
_MOST_TRIES = 5  # to change what others change at the same time
_AS_JSON = {"Content-Type": "application/json"}
_IN_STEPS = {"Accept": "application/x-ndjson"}

T = TypeVar("T")
Parameters = Mapping[str, str | int | Sequence[str]]


class _Request(TypedDict, total=False):
    params: Parameters
    json: object
    content: bytes
    headers: Mapping[str, str]


class _Options(TypedDict):
    headers: dict[str, str]
    timeout: httpx.Timeout
    limits: httpx.Limits
    verify: ssl.SSLContext | bool
    trust_env: bool


def _ignore(_: str) -> None:
    """For callers that do not report how far back the history is kept."""


class Client:
    def __init__(self, url: str, token: str | None) -> None:
        self.url = url.rstrip("/")
        self._options: _Options = {
            "headers": {} if token is None else {"Authorization": f"Bearer {token}"},
            "timeout": _TIMEOUT,
            "limits": _KEPT_CONNECTIONS,
            # Loading certificates takes 50 ms. Redirects are not followed, so plain HTTP needs none.
            "verify": False if url.lower().startswith("http:") else trusted_certificates(),
            "trust_env": False,
        }
        self._http = httpx.Client(**self._options)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self._http.close()

    def at_once(self) -> httpx.AsyncClient:
        """For a command that sends requests while it waits for others."""
        return httpx.AsyncClient(**self._options)

    def readiness(self) -> answers.Readiness:
        return self._ask(answers.Readiness, "GET", "/readyz").value

    def repositories(self) -> Answer[list[ListedRepository]]:
        return self._ask(list[ListedRepository], "GET", "/v1/repos", "repositories")

    def repository(self, repository: str) -> ListedRepository | None:
        """What the list of repositories says about this one; None if the server does not have it."""
        listed, wanted = self.repositories().value, repository.lower()
        return next((row for row in listed if row.name.lower() == wanted), None)

    def repositories_in_order(
        self, order: str, search: str | None
    ) -> Answer[list[answers.RepositoryInOrder]]:
        """All of them, with the figures of each."""
        query = {"figures": "true", "order": order, **({} if search is None else {"search": search})}
        page = self._page("/v1/repos", "repositories", query)
        listed = page.items
        while page.next is not None:
            page = self._page("/v1/repos", "repositories", {**query, "after": page.next})
            listed += page.items
        return Answer(list[answers.RepositoryInOrder], listed)

    def sign_in_link(self) -> str:
        """A link that signs a browser in with this client's credential, once."""
        return self._ask(str, "POST", "/v1/session/codes", "url").value

    def statistic(self, repository: str, name: str, parameters: Parameters) -> object:
        """The whole answer: each statistic has a form of its own."""
        path = f"/v1/repos/{repository}/stats/{_segment(name)}"
        return self._ask(object, "GET", path, params=parameters).raw

    def groups(self, repository: str, parameters: Parameters) -> list[answers.Group]:
        """The queues that pull requests entered."""
        path = f"/v1/repos/{repository}/stats/queues_entered_count"
        return self._ask(list[answers.Group], "GET", path, "groups", params=parameters).value

    def report(self, repository: str, parameters: Parameters) -> bytes:
        """A period as a page."""
        return b"".join(self._file(f"/v1/repos/{repository}/report", parameters))

    def summary(self, repository: str, parameters: Parameters) -> Answer[answers.Summary]:
        return self._ask(answers.Summary, "GET", f"/v1/repos/{repository}/summary", params=parameters)

    def send(self, repository: str, lines: Sequence[bytes]) -> answers.Receipt:
        """Send events, one per line."""
        path, headers = f"/v1/repos/{repository}/events", {"Content-Type": "application/x-ndjson"}
        return self._ask(answers.Receipt, "POST", path, content=b"\n".join(lines), headers=headers).value

    def describe(self, repository: str, pulls: Sequence[Mapping[str, object]]) -> None:
        """Send titles and authors of pull requests."""
        path, body = f"/v1/repos/{repository}/pulls", msgspec.json.encode(pulls)
        self._ask(dict[str, int], "POST", path, content=body, headers=_AS_JSON)

    def events(self, repository: str, tell: Callable[[str], None] = _ignore) -> Iterator[bytes]:
        """The bytes of an export, in parts; `tell` gets the instant since which all are kept."""
        return self._file(f"/v1/repos/{repository}/events", {}, tell)

    def table(
        self, repository: str, table: str, format: str, tell: Callable[[str], None] = _ignore
    ) -> Iterator[bytes]:
        """The bytes of an exported table, in parts; `tell` as for `events`."""
        return self._file(f"/v1/repos/{repository}/export/{table}", {"format": format}, tell)

    def _file(self, path: str, asked: Parameters, tell: Callable[[str], None] = _ignore) -> Iterator[bytes]:
        with self._stream("GET", path, params=asked) as response:
            if _KEPT_SINCE in response.headers:
                tell(response.headers[_KEPT_SINCE])
            yield from response.iter_bytes(_PART)

    def deliver(self, repository: str, source: str, body: bytes) -> dict[str, int]:
        """Send items of an import; returns how many were new, already known and not about a stay."""
        path = f"/v1/repos/{repository}/sources/{source}/deliveries"
        return self._ask(dict[str, int], "POST", path, content=body, headers=_AS_JSON).value

    def cursor(self, repository: str, source: str) -> str | None:
        """Where the import of a source resumes."""
        path = f"/v1/repos/{repository}/sources/{source}/cursor"
        return self._ask(SourceCursor, "GET", path).value.cursor

    def sources(self, repository: str) -> Answer[list[SourceOverview]]:
        return self._ask(list[SourceOverview], "GET", f"/v1/repos/{repository}/sources", "sources")

    def added_sources(self) -> Answer[list[ListedSource]]:
        """The queues that the server reads itself."""
        return self._ask(list[ListedSource], "GET", "/v1/sources", "sources")

    def try_source(self, wanted: Mapping[str, object]) -> TestedSource:
        """Whether a token may read a queue; nothing is stored."""
        return self._ask(TestedSource, "POST", "/v1/sources/test", json=wanted).value

    def add_source(self, wanted: Mapping[str, object]) -> Answer[ListedSource]:
        return self._ask(ListedSource, "POST", "/v1/sources", json=wanted)

    def pause_source(self, id: str, *, is_paused: bool) -> Answer[ListedSource]:
        path = f"/v1/sources/{_segment(id)}"
        return self._ask(ListedSource, "PUT", path, json={"is_paused": is_paused})

    def remove_source(self, id: str) -> None:
        self._content("DELETE", f"/v1/sources/{_segment(id)}")

    def translate(self, repository: str, source: str) -> int:
        """Translate everything that a source has delivered again; returns the number of events."""
        return self._ask(int, "POST", f"/v1/repos/{repository}/sources/{source}/translate", "events").value

    def first_event(self, repository: str, source: str) -> answers.StoredEvent | None:
        """The first stored event of a source, if there is one."""
        with self._stream("GET", f"/v1/repos/{repository}/events") as response:
            events = (msgspec.json.decode(line, type=answers.StoredEvent) for line in response.iter_lines())
            return next((event for event in events if event.source == source), None)

    def delete_events(self, repository: str, source: str) -> None:
        """Delete all events of a source."""
        self._content("DELETE", f"/v1/repos/{repository}/events", params={"source": source})

    def make_key(self, wanted: Mapping[str, object]) -> Answer[MadeKey]:
        """Create an application key; the answer includes its secret."""
        return self._ask(MadeKey, "POST", "/v1/keys", json=wanted)

    def keys(self) -> Answer[list[Key]]:
        return self._ask(list[Key], "GET", "/v1/keys", "keys")

    def revoke_key(self, id: str) -> None:
        self._content("DELETE", f"/v1/keys/{_segment(id)}")

    def record(self, repository: str, number: int, document: bytes) -> None:
        """Store a recorded pull request."""
        path = f"/v1/repos/{repository}/pulls/{number}/snapshot"
        self._content("PUT", path, content=document, headers=_AS_JSON)

    def simulate(self, repository: str, number: int | None, document: str, form: str) -> bytes:
        """What a document would do to a pull request or to all open ones, as the media type `form`."""
        place = f"/v1/repos/{repository}" + ("" if number is None else f"/pulls/{number}")
        body = {"config_yml": document}
        return self._content("POST", f"{place}/simulator", json=body, headers={"Accept": form})

    def replayed(
        self, repository: str, what: str, asked: Mapping[str, object], type: type[T]
    ) -> Iterator[Answer[T]]:
        """What replays answer: the places in line, a value per part of the work, and the whole answer last.

        `what` is a forecast, a search, a capacity or an explanation; only the last value has this type.
        """
        path = f"/v1/repos/{repository}/{what}"
        for step in self._steps(dict[str, object], "POST", path, json=asked, headers=_IN_STEPS):
            yield Answer(type, step)

    def queue(self, repository: str) -> Answer[answers.Queues]:
        """What is in the queues now."""
        return self._ask(answers.Queues, "GET", f"/v1/repos/{repository}/queue")

    def pull(self, repository: str, number: int) -> Answer[answers.PullHistory]:
        """Every stay of a pull request, and what it waits for."""
        return self._ask(answers.PullHistory, "GET", f"/v1/repos/{repository}/pulls/{number}/history")

    def pulls(self, repository: str, search: str, most: int) -> Answer[FoundPulls]:
        """Pull requests whose titles contain some words; a page may end early in a large repository."""
        path = f"/v1/repos/{repository}/pulls"
        page = self._page(path, "pulls", {"search": search, "limit": most})
        found = page.items
        while page.next is not None and len(found) < most:
            page = self._page(
                path, "pulls", {"search": search, "after": page.next, "limit": most - len(found)}
            )
            found += page.items
        return Answer(FoundPulls, {**page.raw, "pulls": found})

    def stays(self, repository: str, parameters: Parameters) -> Answer[Stays]:
        """The stays that ended in a period."""
        return self._ask(Stays, "GET", f"/v1/repos/{repository}/stays", params=parameters)

    def ci_checks(self, repository: str, parameters: Parameters) -> Answer[CiChecks]:
        """The CI checks that ended in a period; with `name`, one of them and its last failures."""
        return self._ask(CiChecks, "GET", f"/v1/repos/{repository}/ci-checks", params=parameters)

    def audit(self, repository: str, base_ref: str | None) -> Answer[Audit]:
        """What is wrong with how a branch was set up when that was last read."""
        asked: Parameters = {} if base_ref is None else {"base_ref": base_ref}
        return self._ask(Audit, "GET", f"/v1/repos/{repository}/audit", params=asked)

    def send_set_up(self, repository: str, set_up: AuditQuestion) -> Answer[Audit]:
        """Send the workflow files and rules of a branch; answers what is wrong with them."""
        content = msgspec.json.encode(
            {name: getattr(set_up, name) for name in ("base_ref", "commit", "files", "rules")}
        )
        path = f"/v1/repos/{repository}/audit"
        return self._ask(Audit, "PUT", path, content=content, headers=_AS_JSON)

    def products(self, repository: str) -> Answer[list[str]] | None:
        """The enabled products; None if they were never set."""
        found = self._ask(list[str], "GET", f"/v1/repos/{repository}/products", "products")
        return None if found.raw is None else found

    def set_products(self, repository: str, products: Sequence[str]) -> None:
        self._content("PUT", f"/v1/repos/{repository}/products", json={"products": products})

    def log(self, parameters: Parameters) -> tuple[Answer[list[AuditLine]], bool]:
        """Who deleted something or changed a setting, newest first, and whether there are older lines."""
        page = self._page("/v1/log", "lines", parameters)
        return Answer(list[AuditLine], page.items), page.next is not None

    def channels(self, scope: str) -> Answer[list[Channel]]:
        """The channels of a repository, or of an owner."""
        return self._ask(list[Channel], "GET", f"{_place(scope)}/channels", "channels")

    def add_channel(self, scope: str, **channel: object) -> Answer[AddedChannel]:
        """Add a channel; the answer includes the secret of a webhook."""
        return self._ask(AddedChannel, "POST", f"{_place(scope)}/channels", json=channel)

    def change_channel(self, scope: str, id: str, **change: object) -> Answer[Channel]:
        """Change the name, the rules or the schedule of a channel, which has this id or name."""
        path = f"{_place(scope)}/channels/{_segment(id)}"
        return self._ask(Channel, "PUT", path, json=change)

    def delete_channel(self, scope: str, id: str) -> None:
        self._content("DELETE", f"{_place(scope)}/channels/{_segment(id)}")

    def try_channel(self, scope: str, id: str) -> TriedChannel:
        """Send a sample; the answer says whether it arrived."""
        path = f"{_place(scope)}/channels/{_segment(id)}/test"
        return self._ask(TriedChannel, "POST", path).value

    def alerts(self, repository: str, asked: Parameters) -> Answer[Alerts]:
        """Which figures are beyond their thresholds, and in a period were."""
        return self._ask(Alerts, "GET", f"/v1/repos/{repository}/alerts", params=asked)

    def thresholds(self, repository: str) -> Answer[Thresholds]:
        return self._ask(Thresholds, "GET", f"/v1/repos/{repository}/thresholds")

    def preview_threshold(self, repository: str, asked: Mapping[str, object]) -> Answer[ThresholdPreview]:
        """Which alerts a threshold would have raised."""
        path = f"/v1/repos/{repository}/thresholds/preview"
        return self._ask(ThresholdPreview, "POST", path, json=asked)

    def reference_periods(self, repository: str) -> Answer[list[ReferencePeriod]]:
        path = f"/v1/repos/{repository}/reference-periods"
        return self._ask(list[ReferencePeriod], "GET", path, "reference_periods")

    def preview_reference(self, repository: str, asked: Mapping[str, object]) -> Answer[ReferencePreview]:
        """What a period would be pinned with."""
        return self._ask(
            ReferencePreview, "POST", f"/v1/repos/{repository}/reference-periods/preview", json=asked
        )

    def settings(self, repository: str) -> Answer[Settings]:
        return self._ask(Settings, "GET", f"/v1/repos/{repository}/settings")

    def change_settings(
        self, repository: str, change: Callable[[dict[str, Any]], dict[str, Any]], *, dry_run: bool = False
    ) -> Answer[ChangedSettings]:
        """Change sections of the settings; if others change them meanwhile, `change` gets those.

        It gets all that the server sent, so that fields of a newer server are not lost.
        """
        path, query = f"/v1/repos/{repository}/settings", {"dry_run": "true"} if dry_run else {}
        for _ in range(_MOST_TRIES):
            with reaching(self.url):
                present = self._http.get(self.url + path)
                check(present)
                # A proxy that compresses answers makes their tags weak, and no weak tag matches.
                matching = {"If-Match": present.headers["ETag"].removeprefix("W/")}
                wanted = change(present.json())
                response = self._http.put(self.url + path, json=wanted, headers=matching, params=query)
            if response.status_code != _PRECONDITION_FAILED:
                break
        check(response)
        return Answer(ChangedSettings, msgspec.json.decode(response.content))

    def verdicts(self, repository: str, period: Parameters) -> Answer[Verdicts]:
        """What was said about the removals of a period, and what came of it."""
        return self._ask(Verdicts, "GET", f"/v1/repos/{repository}/verdicts", params=period)

    def changes(self, repository: str, asked: Parameters) -> Answer[Changes]:
        """Since when figures have had another level."""
        return self._ask(Changes, "GET", f"/v1/repos/{repository}/changes", params=asked)

    def backup(self) -> Iterator[tuple[bytes, int]]:
        """The bytes of a copy of the store in parts, each with the total length."""
        with self._stream("GET", "/v1/admin/backup") as response:
            length = int(response.headers["Content-Length"])
            for part in response.iter_bytes(_PART):
                yield part, length

    def rebuild(self) -> Iterator[answers.RebuiltRepository]:
        """One value per repository, as soon as it is done."""
        return self._steps(answers.RebuiltRepository, "POST", "/v1/admin/rebuild")

    def verify(self) -> Iterator[answers.VerifiedRepository]:
        """One value per repository, as soon as it is read."""
        return self._steps(answers.VerifiedRepository, "GET", "/v1/admin/verify")

    def _steps(self, type: type[T], method: str, path: str, **request: Unpack[_Request]) -> Iterator[T]:
        with self._stream(method, path, **request) as response:
            for line in response.iter_lines():
                step = _step(line)
                if "error" in step:
                    problem = msgspec.convert(step.get("problem", {}), dict[str, object])
                    status = msgspec.convert(problem.get("status", _UNAVAILABLE), int)
                    _raise(status, {"detail": step["error"], **problem})
                yield msgspec.convert(step, type)

    def _ask(
        self, type: type[T], method: str, path: str, member: str | None = None, **request: Unpack[_Request]
    ) -> Answer[T]:
        """The answer, or one member of it."""
        content = self._content(method, path, **request)
        if member is None:
            return Answer(type, msgspec.json.decode(content))
        return Answer(type, msgspec.json.decode(content, type=dict[str, object])[member])

    def _page(self, path: str, member: str, parameters: Parameters) -> "_Page":
        raw = self._ask(dict[str, object], "GET", path, params=parameters).value
        return _Page(
            raw, msgspec.convert(raw[member], list[object]), msgspec.convert(raw["next"], str | int | None)
        )

    def _content(self, method: str, path: str, **request: Unpack[_Request]) -> bytes:
        with reaching(self.url):
            response = self._http.request(method, self.url + path, **request)
        check(response)
        return response.content

    @contextmanager
    def _stream(self, method: str, path: str, **request: Unpack[_Request]) -> Iterator[httpx.Response]:
        with reaching(self.url), self._http.stream(method, self.url + path, **request) as response:
            if response.is_error:
                response.read()
            check(response)
            yield response


class _Page(NamedTuple):
    """A part of a long answer: the whole of it, the items in it, and where the next one begins."""

    raw: dict[str, object]
    items: list[object]
    next: str | int | None


def _place(scope: str) -> str:
    """The path of a repository, or of an owner if there is no slash."""
    return f"/v1/repos/{scope}" if "/" in scope else f"/v1/owners/{scope}"


def _segment(text: str) -> str:
    """One part of a path. A plain `..` would be removed together with the part before it."""
    return quote(text, safe="").replace(".", "%2E")


@contextmanager
def reaching(url: str) -> Iterator[None]:
    """What a library says about a request that cannot be sent contains the request: credentials too."""
    try:
        yield
    except httpx.LocalProtocolError as error:
        raise Unreachable(f"the request to {url} cannot be sent: its token or path is not valid") from error
    except (httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
        raise Unreachable(f"`{url}` is not the URL of a server") from error
    except httpx.TransportError as error:
        raise Unreachable(f"no answer from {url}: {failure(error)}") from error


def check(response: httpx.Response) -> None:
    if response.is_success:
        return
    try:
        problem = msgspec.json.decode(response.content, type=dict[str, object])
    except msgspec.MsgspecError:
        problem = {
            "detail": f"this is not a Mergecast server: it answered with status {response.status_code}"
        }
    _raise(response.status_code, problem)


def _step(line: str) -> dict[str, object]:
    """One line of an answer in steps; a proxy or another version may send something else."""
    try:
        return msgspec.json.decode(line, type=dict[str, object])
    except msgspec.DecodeError as error:
        raise UnknownAnswer(str(error)) from error


def _raise(status: int, problem: dict[str, object]) -> Never:
    error = ErrorResponse(status, problem)
    if status == _UNAVAILABLE:
        raise Unreachable(str(error)) from error
    raise error


class Response(NamedTuple):
    status: int
    content: bytes
    retry_after: str


class ConcurrentClient:
    """A client of the same server with the same credential; a server ends the work of a cancelled request."""

    def __init__(self, client: Client) -> None:
        self._url, self._http = client.url, client.at_once()

    async def request(self, method: str, path: str, query: Parameters, body: object = None) -> Response:
        """The response, errors included."""
        content = None if body is None else msgspec.json.encode(body)
        with reaching(self._url):
            found = await self._http.request(
                method, self._url + path, params=query, content=content, headers=_AS_JSON
            )
        return Response(found.status_code, found.content, found.headers.get("Retry-After", ""))

    async def close(self) -> None:
        await self._http.aclose()
