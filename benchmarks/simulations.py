"""What does a simulation over HTTP cost, compared with parsing and evaluating the document in this process?

    .venv/bin/python benchmarks/simulations.py [rounds, default 200]

Both run alternately in one run; medians. Each round uses a new document, so that no condition is cached. The
report is measured separately.
"""

import http.client
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from documents import interleaved, usual_document
from mergecast.demo.pull_requests import demo_pull_requests
from mergecast.judge.child.time_limits import Searches
from mergecast.language.configuration.read import read_configuration
from mergecast.language.report.markdown import summary
from mergecast.language.report.pull_request import pull_request_report
from mergecast.language.rules.simulate import simulate
from mergecast.queues.model.recorded import read_snapshot
from serving import TOKEN, serving

_REPOSITORY = "demo/harbor"
_ALLOWED = 2.0


class _Http:
    def __init__(self, url: str) -> None:
        self._connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=60)

    def send(self, method: str, path: str, body: object) -> bytes:
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        self._connection.request(method, f"/v1/repos/{_REPOSITORY}{path}", json.dumps(body), headers)
        answer = self._connection.getresponse()
        content = answer.read()
        assert answer.status == http.HTTPStatus.OK, content
        return content


def _documents() -> Callable[[], str]:
    """A typical document, each time with different names in its conditions."""
    number = iter(range(10**9))
    text = usual_document()
    return lambda: text.replace("component", f"part-{next(number)}")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    now = datetime.now(UTC)
    pulls = dict(demo_pull_requests(_REPOSITORY, now))
    number, record = next(iter(pulls.items()))
    recorded = json.dumps(record)
    instant = int(now.timestamp() * 1e6)
    document = _documents()

    def here(*, reported: bool = False) -> None:
        verdict = read_configuration(document(), today=now.date(), repository="harbor")
        snapshot = read_snapshot(msgspec.json.decode(recorded), number=number, now=instant)
        assert verdict.configuration is not None
        simulation = simulate(verdict.configuration, snapshot, instant, Searches().search)
        if reported:
            summary(pull_request_report(simulation, verdict))

    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as client:
        over = _Http(client.server.url)
        for one, content in pulls.items():
            over.send("PUT", f"/pulls/{one}/snapshot", content)

        def over_http() -> None:
            over.send("POST", f"/pulls/{number}/simulator", {"config_yml": document()})

        def whole_repository() -> None:
            over.send("POST", "/simulator", {"config_yml": document()})

        for step in (here, over_http, whole_repository) * 5:
            step()
        alone, with_report, whole, all_open = interleaved(
            here, lambda: here(reported=True), over_http, whole_repository, rounds=rounds
        )
        _show_large(over, record)
    print(
        f"in this process: parsing and evaluating {alone * 1e3:.2f} ms; with report {with_report * 1e3:.2f}"
    )
    within = "yes" if whole <= _ALLOWED * alone else "NO"
    print(
        f"over HTTP {whole * 1e3:.2f} ms: {whole / alone:.2f} times as long (allowed {_ALLOWED:g}: {within})"
    )
    print(f"repository of {len(pulls)} open pull requests over HTTP {all_open * 1e3:.2f} ms")


def _show_large(over: _Http, record: dict[str, object]) -> None:
    """What a pull request with 3,000 files costs, and how long other requests wait meanwhile."""
    patch = "@@ -1 +1 @@\n-old\n+new\n" * 40
    files = [
        {"filename": f"src/component-{place % 40}/{place}.py", "status": "modified", "patch": patch}
        for place in range(3000)
    ]
    large = {**record, "files": files}
    taken = []
    for _ in range(5):
        begun = time.perf_counter()
        over.send("PUT", f"/pulls/{record['pull']['number']}/snapshot", large)  # type: ignore[index]
        taken.append(time.perf_counter() - begun)
    size = len(json.dumps(large)) >> 10
    print(f"recording 3,000 files, {size} KiB: {statistics.median(taken) * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
