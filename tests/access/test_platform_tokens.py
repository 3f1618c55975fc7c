"""Platform tokens: the platform decides, its answer is cached for a minute, and failures grant nothing."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_hex

import pytest

from access.conftest import Asking, Surroundings
from access.hosting_platform import INSTALLATION, INVALID, READER, STRANGER, WRITER, described
from api.problem_documents import FORBIDDEN, error, invalid, problem
from api.raw_http import exchange, head_of, status_of
from builders import entered, worked_example
from live_server import NO_LIMITS, LiveServer, live_server
from local_http import LocalServer, Reply
from mergecast import __version__
from mergecast.access.policy import Policy
from tools.messages import call, post
from waiting import wait_until

STATISTIC = "/v1/repos/{}/stats/queues"
EVENTS = "/v1/repos/acme/widgets/events"


def _new_token() -> str:
    """A token about which no answer is cached."""
    return f"ghp_{token_hex(18)}"


def _asked(surroundings: Surroundings) -> list[str]:
    return [asked.path for asked in surroundings.platform_server.asked]


@pytest.mark.parametrize(
    ("token", "read", "send"),
    [
        (READER, 200, 403),
        (WRITER, 200, 200),
        (STRANGER, 403, 403),
        (INVALID, 403, 403),
        (INSTALLATION, 200, 403),
    ],
    ids=["reader", "writer", "stranger", "invalid", "installation"],
)
def test_rights_on_the_platform(server: LiveServer, token: str, read: int, send: int) -> None:
    """Read access on the platform allows reading here; push access allows sending events."""
    assert read == server.ask(token, STATISTIC.format("acme/widgets")).status_code
    sent = server.ask(token, EVENTS, "POST", json=[entered("2026-03-02T10:00:00Z", "s", 1)])
    assert send == sent.status_code
    for method, path in (
        ("DELETE", "/v1/repos/acme/widgets"),
        ("GET", "/v1/keys"),
        ("POST", "/v1/admin/rebuild"),
    ):
        assert FORBIDDEN == server.ask(token, path, method).json()


def test_tools_are_listed_without_asking_the_platform(
    own_server: LiveServer, surroundings: Surroundings
) -> None:
    """The form of the token is enough; the request behind a tool asks about one repository."""
    surroundings.platform_server.asked.clear()
    assert 200 == post(own_server, "tools/list", token=STRANGER).status_code
    assert [] == _asked(surroundings)

    for token, is_refused in ((READER, False), (STRANGER, True), (_new_token(), True)):
        found = call(own_server, "queue_status", token=token, repository="acme/widgets")
        assert is_refused == found["isError"]
    assert {"/repos/acme/widgets"} == set(_asked(surroundings))


def test_existence_is_not_revealed(server: LiveServer) -> None:
    """The response is the same for a known repository and an unknown one."""
    paths = [STATISTIC.format(name) for name in ("umbrella/secret", "umbrella/nobody-knows")]

    assert [FORBIDDEN] * 2 == [server.ask(STRANGER, path).json() for path in paths]


def test_the_answer_is_cached(own_server: LiveServer, surroundings: Surroundings) -> None:
    """Both positive and negative answers, per token and repository; names are case-insensitive."""
    for token in (READER, STRANGER):
        for name in ("acme/widgets", "ACME/widgets", "acme/Widgets"):
            own_server.ask(token, STATISTIC.format(name))

    assert ["/repos/acme/widgets"] * 2 == _asked(surroundings)


def test_concurrent_first_uses_share_one_request(own_server: LiveServer, surroundings: Surroundings) -> None:
    """The server asks the platform once, however many requests arrive."""
    surroundings.platform.may_answer.clear()

    with ThreadPoolExecutor(8) as clients:
        asked = [clients.submit(own_server.ask, READER) for _ in range(8)]
        wait_until(lambda: _asked(surroundings), "the request to the platform")
        surroundings.platform.may_answer.set()
        statuses = [one.result().status_code for one in asked]

    assert ([200] * 8, ["/repos/acme/widgets"]) == (statuses, _asked(surroundings))


def test_the_token_is_sent_as_github_requires(own_server: LiveServer, surroundings: Surroundings) -> None:
    """It is sent to the platform only."""
    own_server.ask(READER)

    (asked,) = surroundings.platform_server.asked
    assert f"Bearer {READER}" == asked.headers["Authorization"]
    assert "application/vnd.github+json" == asked.headers["Accept"]
    assert "2022-11-28" == asked.headers["X-GitHub-Api-Version"]
    # GitHub rejects requests without one, which would look like an invalid token.
    assert f"mergecast/{__version__}" == asked.headers["User-Agent"]


_LIMITED = "the code-hosting platform is limiting requests"
_ODD = "the answer of the code-hosting platform does not look like GitHub's"
_TROUBLE = {
    "500": (Reply(500), "the code-hosting platform answered 500", "5"),
    "502": (Reply(502, b"<html>"), "the code-hosting platform answered 502", "5"),
    "429": (Reply(429, headers={"Retry-After": "17"}), _LIMITED, "17"),
    "limit": (
        Reply(403, headers={"X-RateLimit-Remaining": "0"}),
        _LIMITED, "60",
    ),
    "second limit": (
        Reply(403, headers={"Retry-After": "3600"}),
        _LIMITED, "60",
    ),
    "limit in words": (
        Reply(403, b'{"message": "You have exceeded a secondary rate limit."}'),
        _LIMITED, "60",
    ),
    "not JSON": (Reply(200, b"<html>"), _ODD, "5"),
    "other JSON": (Reply(200, b"{}"), _ODD, "5"),
    "odd name": (
        Reply(200, b'{"full_name": "a/b/c"}'), _ODD, "5",
    ),
    "without end": (
        Reply(200, b" " * (2 << 20)),
        "the code-hosting platform is unreachable: the answer is larger than 1 MiB", "5",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "detail", "wait"), _TROUBLE.values(), ids=_TROUBLE.keys())
def test_a_failing_platform(
    own_server: LiveServer, surroundings: Surroundings, reply: Reply, detail: str, wait: str
) -> None:
    """The response is 503, access is not granted, and the server pauses before it asks again."""
    surroundings.platform.trouble = reply

    answers = [own_server.ask(READER) for _ in range(3)]

    expected = (503, problem(503, detail), wait)
    assert [expected] * 3 == [
        (answer.status_code, answer.json(), answer.headers["retry-after"]) for answer in answers
    ]
    assert 1 == len(surroundings.platform_server.asked)


def test_a_rate_limit_does_not_count_as_a_failed_credential(
    tmp_path: Path, surroundings: Surroundings
) -> None:
    """Callers who ask in the meantime are not locked out for it."""
    words = b'{"message": "You have exceeded a secondary rate limit."}'
    surroundings.platform.trouble = Reply(403, words)
    policy = replace(surroundings.policy, failed_credentials_per_minute=2)
    with live_server(tmp_path, policy) as server:
        statuses = [server.ask(f"ghp_{number:036}").status_code for number in range(4)]

    assert [503] * 4 == statuses


def test_a_platform_that_is_down(own_server: LiveServer, surroundings: Surroundings) -> None:
    """The response is 503, and access is not granted; other credentials still work."""
    key = own_server.key()["key"]
    surroundings.platform_server.stop()

    answer = own_server.ask(READER)

    assert (503, "5") == (answer.status_code, answer.headers["retry-after"])
    assert answer.json()["detail"].startswith("the code-hosting platform is unreachable: ")
    assert 200 == own_server.ask(key).status_code


def test_others_do_not_wait_for_a_slow_platform(own_server: LiveServer, surroundings: Surroundings) -> None:
    surroundings.platform.may_answer.clear()
    with ThreadPoolExecutor(1) as waiting:
        slow = waiting.submit(own_server.ask, READER)
        wait_until(lambda: _asked(surroundings), "the request to the platform")
        with own_server.anonymous() as http:
            other = http.get("/healthz")
        meanwhile = slow.done()
        surroundings.platform.may_answer.set()
        answer = slow.result()

    assert (200, 200, False) == (other.status_code, answer.status_code, meanwhile)


def test_a_platform_that_is_too_slow(tmp_path: Path, surroundings: Surroundings) -> None:
    """The server waits five seconds for it; here a tenth of that."""
    assert 5 == Policy().answer_seconds
    surroundings.platform.may_answer.clear()
    with live_server(tmp_path, replace(surroundings.policy, answer_seconds=0.5)) as server:
        answer = server.ask(READER)
        surroundings.platform.may_answer.set()

    detail = "the code-hosting platform is unreachable: no complete answer within 0.5 seconds"
    assert (503, problem(503, detail)) == (answer.status_code, answer.json())


@pytest.mark.parametrize("status", [401, 403, 404, 410, 451])
def test_a_refusal_of_the_platform(asking: Asking, status: int) -> None:
    """Whatever its reason, the response here is the usual 403."""
    asking.surroundings.platform.trouble = Reply(status, b"{}")

    assert FORBIDDEN == asking.server.ask(_new_token()).json()
    assert ["/repos/acme/widgets"] == asking.asked()


def test_a_renamed_repository(own_server: LiveServer, surroundings: Surroundings) -> None:
    """A caller who may read it gets its new name; others get the usual 403."""
    surroundings.platform.renamed = {"acme/widgets": 74}
    surroundings.platform.by_number = {74: "acme/gadgets"}

    told, refused = own_server.ask(WRITER), own_server.ask(READER)

    message = "the repository acme/widgets has been renamed to acme/gadgets; use that name"
    assert (409, invalid(error("path", "repository", message), status=409)) == (told.status_code, told.json())
    assert FORBIDDEN == refused.json()
    assert ["/repos/acme/widgets", "/repositories/74"] * 2 == _asked(surroundings)


def test_a_repository_renamed_in_case_only(own_server: LiveServer, surroundings: Surroundings) -> None:
    """It is the same repository, also after a redirect."""
    surroundings.platform.renamed = {"acme/widgets": 74}
    surroundings.platform.by_number = {74: "ACME/Widgets"}

    assert 200 == own_server.ask(READER).status_code


def test_an_answer_about_another_repository(own_server: LiveServer, surroundings: Surroundings) -> None:
    """Rights on that one grant nothing on this one."""
    surroundings.platform.trouble = Reply(200, json.dumps(described("evil/public", push=True)).encode())

    assert 409 == own_server.ask(STRANGER).status_code


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_elsewhere_are_not_followed(asking: Asking, status: int) -> None:
    """The token is sent to no other host and no other path."""
    with LocalServer(lambda _: Reply(200, b"{}")) as elsewhere:
        for place in (
            f"{elsewhere.url}/repositories/74",
            "/repositories/74",
            f"{asking.surroundings.platform.url}/user",
            "",
        ):
            asking.surroundings.platform.trouble = Reply(status, headers={"Location": place})
            assert FORBIDDEN == asking.server.ask(_new_token()).json()

        assert [] == elsewhere.asked
    assert ["/repos/acme/widgets"] * 4 == asking.asked()


@pytest.mark.parametrize("name", [".", "..", "%2e%2e", "%2E"])
def test_dot_segments_are_not_sent_to_the_platform(asking: Asking, name: str) -> None:
    """They match the pattern of names, but would change the path of the request."""
    head = head_of("GET", f"/v1/repos/acme/{name}/stats/queues", f"Authorization: Bearer {_new_token()}")

    assert 403 == status_of(exchange(asking.server, head))
    assert [] == asking.asked()


def test_requests_that_cannot_be_allowed_are_not_sent(asking: Asking) -> None:
    """Neither are names that no repository can have."""
    token = _new_token()
    for method, path in (
        ("DELETE", "/v1/repos/acme/widgets"),
        ("GET", "/v1/keys"),
        ("GET", STATISTIC.format("a_b/c")),
    ):
        assert FORBIDDEN == asking.server.ask(token, path, method).json()

    assert [] == asking.asked()


def test_the_list_has_what_the_platform_shows(own_server: LiveServer, surroundings: Surroundings) -> None:
    """The server asks once per known repository; a token that the platform rejects lists nothing."""
    for name in ("acme/gadgets", "umbrella/secret"):
        own_server.send(worked_example(), name)

    names = {
        token: [
            f"{one['owner']}/{one['repository']}"
            for one in own_server.ask(token, "/v1/repos").json()["repositories"]
        ]
        for token in (READER, WRITER, STRANGER)
        for _ in range(2)
    }
    refused = own_server.ask(INVALID, "/v1/repos")

    assert {READER: ["acme/widgets"], WRITER: ["acme/gadgets", "acme/widgets"], STRANGER: []} == names
    assert FORBIDDEN == refused.json()
    repositories = {"/repos/acme/widgets": 3, "/repos/acme/gadgets": 3, "/repos/umbrella/secret": 3}
    assert {**repositories, "/rate_limit": 4} == Counter(_asked(surroundings))


def test_the_list_asks_about_at_most_a_hundred(own_server: LiveServer, surroundings: Surroundings) -> None:
    """It asks about those with the newest events."""
    surroundings.platform.readable[READER] = {f"many/r{number}" for number in range(110)}
    with ThreadPoolExecutor(8) as clients:
        list(clients.map(partial(_send_event, own_server), range(110)))

    listed = own_server.ask(READER, "/v1/repos").json()["repositories"]

    assert {f"r{number}" for number in range(10, 110)} == {one["repository"] for one in listed}
    assert 101 == len(_asked(surroundings))


def _send_event(server: LiveServer, number: int) -> None:
    event = entered(f"2026-04-01T10:00:00.{number:03}Z", "s", 1)
    server.send([event], f"many/r{number}").raise_for_status()


def test_an_incomplete_list_is_an_error(own_server: LiveServer, surroundings: Surroundings) -> None:
    """If the platform fails halfway, the response is 503."""
    answer = surroundings.platform.answer
    surroundings.platform_server.answer = lambda asked: (
        answer(asked) if asked.path == "/rate_limit" else Reply(500)
    )

    assert 503 == own_server.ask(READER, "/v1/repos").status_code


def test_without_a_platform_its_tokens_are_refused(tmp_path: Path) -> None:
    """The operator can switch the platform off."""
    with live_server(tmp_path, NO_LIMITS) as server:
        assert FORBIDDEN == server.ask(READER).json()


def test_invalid_tokens_cause_a_limited_number_of_requests(
    tmp_path: Path, surroundings: Surroundings
) -> None:
    """After too many failures of an address, only tokens in the cache are accepted."""
    policy = replace(surroundings.policy, failed_credentials_per_minute=5)
    # No time passes: otherwise another failure would be allowed after a while.
    with live_server(tmp_path, policy, passed=lambda: 0) as server:
        server.send(worked_example())
        known = server.ask(READER).status_code
        made_up = Counter(server.ask(f"ghp_{number:036}").status_code for number in range(30))
        still = server.ask(READER).status_code

    assert (200, {403: 5, 429: 25}, 200) == (known, made_up, still)
    assert 6 == len(_asked(surroundings))
