"""Requests from commands to a server."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx
import msgspec

from mergecast.client.errors import ErrorResponse, Unreachable
from mergecast.process.certificates import failure, trusted_certificates

# Storing and rebuilding may take long, connecting may not.
_TIMEOUT = httpx.Timeout(300, connect=10)
# The server closes a connection that is idle for 5 seconds. A request sent at that moment would fail.
_KEPT_CONNECTIONS = httpx.Limits(keepalive_expiry=2)
_PART = 1 << 20
_KEPT_SINCE = "Mergecast-Kept-Since"
_UNAVAILABLE = 503
_ERROR_NUMBER = re.compile(r"^\[Errno -?\d+\] ")


def _ignore(_: str) -> None:
    """For callers to whom it does not matter from when on everything is kept."""


class Client:
    def __init__(self, url: str, token: str | None) -> None:
        self._url = url.rstrip("/")
        self._http = httpx.Client(
            headers={} if token is None else {"Authorization": f"Bearer {token}"},
            timeout=_TIMEOUT,
            limits=_KEPT_CONNECTIONS,
            # Loading certificates takes 50 ms. Redirects are not followed, so plain HTTP needs none.
            verify=False if url.lower().startswith("http:") else trusted_certificates(),
            trust_env=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self._http.close()

    def readiness(self) -> str:
        """`ready`, or `degraded` with the reason."""
        ready = self._json("GET", "/readyz")
        return f"{ready['status']}: {ready['reason']}" if "reason" in ready else str(ready["status"])

    def repositories(self) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = self._json("GET", "/v1/repos")["repositories"]
        return listed

    def repositories_in_order(self, order: str, search: str | None) -> Iterator[dict[str, Any]]:
        """All of them, with the figures of each; a page is asked for when it is needed."""
        query = {"figures": "true", "order": order, **({} if search is None else {"search": search})}
        page = self._json("GET", "/v1/repos", params=query)
        yield from page["repositories"]
        while page["next"] is not None:
            page = self._json("GET", "/v1/repos", params={**query, "after": page["next"]})
            yield from page["repositories"]

    def sign_in_link(self) -> str:
        """A link that signs a browser in with this client's credential, once."""
        return str(self._json("POST", "/v1/session/codes")["url"])

    def statistic(self, repository: str, name: str, parameters: Mapping[str, object]) -> Any:
        return self._json("GET", f"/v1/repos/{repository}/stats/{_segment(name)}", params=parameters)

    def summary(self, repository: str, parameters: Mapping[str, object]) -> dict[str, Any]:
        found: dict[str, Any] = self._json("GET", f"/v1/repos/{repository}/summary", params=parameters)
        return found

    def send(self, repository: str, lines: Sequence[bytes]) -> tuple[int, int, int]:
        """Send events, one per line. Returns how many were new, were already known, and were too old."""
        answer = self._json(
            "POST",
            f"/v1/repos/{repository}/events",
            content=b"\n".join(lines),
            headers={"Content-Type": "application/x-ndjson"},
        )
        return answer["stored"], answer["duplicates"], answer.get("expired", 0)

    def events(self, repository: str, tell: Callable[[str], None] = _ignore) -> Iterator[bytes]:
        """The bytes of an export, in parts; `tell` gets from when on all are kept, if that is limited."""
        return self._file(f"/v1/repos/{repository}/events", {}, tell)

    def table(
        self, repository: str, table: str, format: str, tell: Callable[[str], None] = _ignore
    ) -> Iterator[bytes]:
        """The bytes of an exported table, in parts; `tell` as for `events`."""
        return self._file(f"/v1/repos/{repository}/export/{table}", {"format": format}, tell)

    def _file(self, path: str, asked: Mapping[str, str], tell: Callable[[str], None]) -> Iterator[bytes]:
        with self._stream("GET", path, params=asked) as response:
            if _KEPT_SINCE in response.headers:
                tell(response.headers[_KEPT_SINCE])
            yield from response.iter_bytes(_PART)

    def deliver(self, repository: str, source: str, body: bytes) -> dict[str, int]:
        """Send items of an import; returns how many were new, already known and not about a stay."""
        answer: dict[str, int] = self._json(
            "POST",
            f"/v1/repos/{repository}/sources/{source}/deliveries",
            content=body,
            headers={"Content-Type": "application/json"},
        )
        return answer

    def cursor(self, repository: str, source: str) -> str | None:
        """Where the import of a source resumes."""
        found: str | None = self._json("GET", f"/v1/repos/{repository}/sources/{source}/cursor")["cursor"]
        return found

    def sources(self, repository: str) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = self._json("GET", f"/v1/repos/{repository}/sources")["sources"]
        return listed

    def translate(self, repository: str, source: str) -> dict[str, Any]:
        """Translate everything that a source has delivered again."""
        done: dict[str, Any] = self._json("POST", f"/v1/repos/{repository}/sources/{source}/translate")
        return done

    def first_event(self, repository: str, source: str) -> dict[str, Any] | None:
        """The first stored event of a source, if there is one."""
        with self._stream("GET", f"/v1/repos/{repository}/events") as response:
            for line in response.iter_lines():
                event = msgspec.json.decode(line, type=dict[str, Any])
                if event["source"] == source:
                    return event
        return None

    def delete_events(self, repository: str, source: str) -> None:
        """Delete all events of a source."""
        self._json("DELETE", f"/v1/repos/{repository}/events", params={"source": source})

    def make_key(self, wanted: Mapping[str, object]) -> dict[str, Any]:
        """Create an application key; the answer includes its secret."""
        made: dict[str, Any] = self._json("POST", "/v1/keys", json=wanted)
        return made

    def keys(self) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = self._json("GET", "/v1/keys")["keys"]
        return listed

    def revoke_key(self, id: str) -> None:
        self._json("DELETE", f"/v1/keys/{_segment(id)}")

    def record(self, repository: str, number: int, document: bytes) -> None:
        """Store a recorded pull request."""
        self._json(
            "PUT",
            f"/v1/repos/{repository}/pulls/{number}/snapshot",
            content=document,
            headers={"Content-Type": "application/json"},
        )

    def simulate(self, repository: str, number: int | None, document: str, form: str) -> bytes:
        """What a document would do to a pull request or to all open ones, as the media type `form`."""
        place = f"/v1/repos/{repository}" + ("" if number is None else f"/pulls/{number}")
        body = {"config_yml": document}
        with _reaching(self._url):
            response = self._http.post(f"{self._url}{place}/simulator", json=body, headers={"Accept": form})
        _check(response)
        return response.content

    def forecast(self, repository: str, asked: Mapping[str, object]) -> dict[str, Any]:
        """The figures of a candidate beside those of the unchanged settings."""
        answer: dict[str, Any] = self._json("POST", f"/v1/repos/{repository}/forecast", json=asked)
        return answer

    def search(self, repository: str, asked: Mapping[str, object]) -> Iterator[dict[str, Any]]:
        """One value per combination as soon as it is known, and the whole answer last."""
        headers = {"Accept": "application/x-ndjson"}
        return self._steps("POST", f"/v1/repos/{repository}/forecast/search", json=asked, headers=headers)

    def capacity(self, repository: str, asked: Mapping[str, object]) -> Iterator[dict[str, Any]]:
        """One value per step, and the whole answer last."""
        headers = {"Accept": "application/x-ndjson"}
        return self._steps("POST", f"/v1/repos/{repository}/forecast/capacity", json=asked, headers=headers)

    def queue(self, repository: str) -> dict[str, Any]:
        """What is in the queues now."""
        answer: dict[str, Any] = self._json("GET", f"/v1/repos/{repository}/queue")
        return answer

    def pull(self, repository: str, number: int) -> dict[str, Any]:
        """Every stay of a pull request, and what it waits for."""
        found: dict[str, Any] = self._json("GET", f"/v1/repos/{repository}/pulls/{number}/history")
        return found

    def pulls(self, repository: str, parameters: Mapping[str, object]) -> dict[str, Any]:
        """The pull requests whose titles contain some words."""
        found: dict[str, Any] = self._json("GET", f"/v1/repos/{repository}/pulls", params=parameters)
        return found

    def stays(self, repository: str, parameters: Mapping[str, object]) -> dict[str, Any]:
        """The stays that ended in a period."""
        found: dict[str, Any] = self._json("GET", f"/v1/repos/{repository}/stays", params=parameters)
        return found

    def ci_checks(self, repository: str, parameters: Mapping[str, object]) -> dict[str, Any]:
        """The CI checks that ended in a period; with `name`, one of them and its last failures."""
        found: dict[str, Any] = self._json("GET", f"/v1/repos/{repository}/ci-checks", params=parameters)
        return found

    def products(self, repository: str) -> list[str] | None:
        enabled: list[str] | None = self._json("GET", f"/v1/repos/{repository}/products")["products"]
        return enabled

    def set_products(self, repository: str, products: Sequence[str]) -> None:
        self._json("PUT", f"/v1/repos/{repository}/products", json={"products": products})

    def audit(self, parameters: Mapping[str, object]) -> dict[str, Any]:
        """Who deleted something or changed a setting: a page of lines, newest first."""
        found: dict[str, Any] = self._json("GET", "/v1/audit", params=parameters)
        return found

    def channels(self, scope: str) -> list[dict[str, Any]]:
        """The channels of a repository, or of an owner."""
        found: list[dict[str, Any]] = self._json("GET", f"{_place(scope)}/channels")["channels"]
        return found

    def add_channel(self, scope: str, **channel: Any) -> dict[str, Any]:
        """Add a channel; the answer includes the secret of a webhook."""
        made: dict[str, Any] = self._json("POST", f"{_place(scope)}/channels", json=channel)
        return made

    def delete_channel(self, scope: str, id: str) -> None:
        self._json("DELETE", f"{_place(scope)}/channels/{_segment(id)}")

    def try_channel(self, scope: str, id: str) -> dict[str, Any]:
        """Send a sample; the answer says what came of it."""
        outcome: dict[str, Any] = self._json("POST", f"{_place(scope)}/channels/{_segment(id)}/test")
        return outcome

    def baselines(self, repository: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._json("GET", f"/v1/repos/{repository}/baselines")["baselines"]
        return found

    def pin_baseline(self, repository: str, name: str, wanted: Mapping[str, object]) -> dict[str, Any]:
        path = f"/v1/repos/{repository}/baselines/{_segment(name)}"
        pinned: dict[str, Any] = self._json("PUT", path, json=wanted)
        return pinned

    def delete_baseline(self, repository: str, name: str) -> None:
        self._json("DELETE", f"/v1/repos/{repository}/baselines/{_segment(name)}")

    def alerts(self, repository: str, period: Mapping[str, object]) -> list[dict[str, Any]]:
        """Current and past alerts, newest first."""
        path = f"/v1/repos/{repository}/alerts"
        found: list[dict[str, Any]] = self._json("GET", path, params=period)["alerts"]
        return found

    def queue_problems(self, repository: str, period: Mapping[str, object]) -> list[dict[str, Any]]:
        """The problems that queues had in a period."""
        path = f"/v1/repos/{repository}/queue-problems"
        found: list[dict[str, Any]] = self._json("GET", path, params=period)["queue_problems"]
        return found

    def thresholds(self, repository: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._json("GET", f"/v1/repos/{repository}/thresholds")["queues"]
        return found

    def set_thresholds(
        self, repository: str, base_ref: str, queue_name: str, levels: Mapping[str, float]
    ) -> list[dict[str, Any]]:
        """Set levels of a queue, in place of those that were set before."""
        wanted = {"base_ref": base_ref, "queue_name": queue_name, "levels": levels}
        answer = self._json("PUT", f"/v1/repos/{repository}/thresholds", json=wanted)
        found: list[dict[str, Any]] = answer["queues"]
        return found

    def delete_thresholds(self, repository: str, base_ref: str, queue_name: str) -> int:
        """How many levels of the queue were deleted."""
        queue = {"base_ref": base_ref, "queue_name": queue_name}
        return int(self._json("DELETE", f"/v1/repos/{repository}/thresholds", params=queue)["deleted"])

    def targets(self, repository: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._json("GET", f"/v1/repos/{repository}/targets")["targets"]
        return found

    def set_targets(self, repository: str, targets: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Set targets, in place of all that were set before."""
        answer = self._json("PUT", f"/v1/repos/{repository}/targets", json={"targets": targets})
        found: list[dict[str, Any]] = answer["targets"]
        return found

    def prices(self, repository: str) -> dict[str, Any] | None:
        """What a minute of CI costs; None if that was never set."""
        found: dict[str, Any] | None = self._json("GET", f"/v1/repos/{repository}/prices")["prices"]
        return found

    def delete_prices(self, repository: str) -> int:
        """How many prices were deleted."""
        return int(self._json("DELETE", f"/v1/repos/{repository}/prices")["deleted"])

    def set_prices(self, repository: str, prices: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = self._json("PUT", f"/v1/repos/{repository}/prices", json=prices)["prices"]
        return found

    def backup(self) -> Iterator[tuple[bytes, int]]:
        """The bytes of a copy of the store in parts, each with the total length."""
        with self._stream("GET", "/v1/admin/backup") as response:
            length = int(response.headers["Content-Length"])
            for part in response.iter_bytes(_PART):
                yield part, length

    def rebuild(self) -> Iterator[dict[str, Any]]:
        """One value per repository, as soon as it is done."""
        return self._steps("POST", "/v1/admin/rebuild")

    def verify(self) -> Iterator[dict[str, Any]]:
        """One value per repository, as soon as it is read."""
        return self._steps("GET", "/v1/admin/verify")

    def _steps(self, method: str, path: str, **request: Any) -> Iterator[dict[str, Any]]:
        with self._stream(method, path, **request) as response:
            for line in response.iter_lines():
                step = msgspec.json.decode(line, type=dict[str, Any])
                if "error" in step:
                    raise Unreachable(str(step["error"]))
                yield step

    def _json(self, method: str, path: str, **request: Any) -> Any:
        with _reaching(self._url):
            response = self._http.request(method, self._url + path, **request)
        _check(response)
        return msgspec.json.decode(response.content) if response.content else None

    @contextmanager
    def _stream(self, method: str, path: str, **request: Any) -> Iterator[httpx.Response]:
        with _reaching(self._url), self._http.stream(method, self._url + path, **request) as response:
            if response.is_error:
                response.read()
            _check(response)
            yield response


def _place(scope: str) -> str:
    """The path of a repository, or of an owner if there is no slash."""
    return f"/v1/repos/{scope}" if "/" in scope else f"/v1/owners/{scope}"


def _segment(text: str) -> str:
    """One part of a path. A plain `..` would be removed together with the part before it."""
    return quote(text, safe="").replace(".", "%2E")


@contextmanager
def _reaching(url: str) -> Iterator[None]:
    try:
        yield
    except httpx.TransportError as error:
        reason = _ERROR_NUMBER.sub("", failure(error))
        raise Unreachable(f"no answer from {url}: {reason}") from error
    except httpx.InvalidURL as error:
        raise Unreachable(f"`{url}` is not the URL of a server: {error}") from error


def _check(response: httpx.Response) -> None:
    if response.is_success:
        return
    try:
        problem = msgspec.json.decode(response.content, type=dict[str, object])
    except msgspec.MsgspecError:
        problem = {
            "detail": f"this is not a Mergecast server: it answered with status {response.status_code}"
        }
    if response.status_code == _UNAVAILABLE:
        raise Unreachable(str(problem.get("detail")))
    raise ErrorResponse(response.status_code, problem)
