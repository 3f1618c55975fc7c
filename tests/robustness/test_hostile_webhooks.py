"""Webhooks of someone who has a secret: they cost little, and do not delay others."""

import json
import random
from collections.abc import Callable, Iterator
from hashlib import sha256

import httpx
import pytest

from api.problem_documents import error, invalid
from api.signed_webhooks import HOOK, signed_headers
from cpu_time import cpu_time
from local_client import local_client
from logged_secrets import remember
from robustness.server_process import ServerProcess, server_process
from sources.github_deliveries import Story

_SECRET = remember("a secret of acme for hostile webhooks")
_MIB = 1 << 20
# Reading a body of 24 MiB and its signature takes a fifth of it. It took several times as long before.
_MOST_CPU_TIME = 2.0
_MOST_MEMORY = 300 * _MIB  # more than before; a body is in memory two or three times


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MERGECAST_WEBHOOK_SECRETS", json.dumps([{"secret": _SECRET}]))
        with server_process(tmp_path_factory.mktemp("hostile")) as started:
            _post(started, _check(b"{}"))
            yield started


def _check(padding: bytes, commit: str | None = None) -> bytes:
    """The webhook of a check with one more member; JSON has it in front, where compressors begin."""
    story = Story("acme/web")
    story.check(5, 7, "g", "success", began=1)
    body = story.deliveries[0].body
    if commit is not None:
        payload = json.loads(body)
        payload["check_run"]["head_sha"] = commit
        body = json.dumps(payload).encode()
    return b'{"padding": %b, ' % padding + body[1:]


def _post(server: ServerProcess, body: bytes) -> httpx.Response:
    with local_client(server.url, timeout=600) as http:
        headers = signed_headers("check_run", sha256(body).hexdigest(), body, _SECRET)
        return http.post(HOOK, content=body, headers=headers)


def _deliveries(server: ServerProcess) -> int:
    with server.client() as http:
        (source,) = http.get("/v1/repos/acme/web/sources").json()["sources"]
    return int(source["deliveries"])


def _letters(length: int) -> Callable[[], bytes]:
    """A text that takes a compressor very long."""
    return lambda: b'"%b"' % random.Random(7).randbytes(length).translate(b"ab" * 128)


def _lists(length: int) -> Callable[[], bytes]:
    """Many small values, each of which takes many times its size in memory."""
    return lambda: b"[%b[]]" % (b"[]," * (length // 3))


@pytest.mark.parametrize(
    "padding",
    [_letters(_MIB - 2048), _letters(24 * _MIB), _lists(24 * _MIB)],
    ids=["letters", "many letters", "lists"],
)
def test_a_large_webhook_takes_little_time_and_memory(
    server: ServerProcess, padding: Callable[[], bytes]
) -> None:
    """It is accepted: GitHub sends bodies of up to 25 MB."""
    body = _check(padding())
    server.reset_peak_memory()
    memory, begun = server.peak_memory(), cpu_time(server.process.pid)

    answer = _post(server, body)

    assert 202 == answer.status_code
    assert cpu_time(server.process.pid) - begun < _MOST_CPU_TIME
    assert server.peak_memory() - memory < _MOST_MEMORY


@pytest.mark.parametrize(
    ("commit", "message"),
    [
        ("a" * 65, "head_sha may have at most 64 characters"),
        ("a" * (2 * _MIB), "the parts of the body that Mergecast reads have more than 1 MiB"),
    ],
)
def test_a_commit_of_any_length_is_refused(server: ServerProcess, commit: str, message: str) -> None:
    """Nothing is stored."""
    before = _deliveries(server)

    answer = _post(server, _check(b"{}", commit))

    assert invalid(error("body", "", message)) == answer.json()
    assert before == _deliveries(server)
