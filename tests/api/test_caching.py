"""Entity tags: a client does not download again what it already has."""

import pytest

from builders import entered
from live_server import DAY, LiveServer
from mergecast.queues.stats.published import STATISTICS

_PATH = "/v1/repos/acme/widgets/stats/queue_size"


@pytest.fixture(scope="module")
def tag(server: LiveServer) -> str:
    return str(server.http.get(_PATH, params=DAY).headers["etag"])


@pytest.mark.parametrize("name", STATISTICS)
def test_headers_of_every_statistic(server: LiveServer, name: str) -> None:
    """Every response has a weak entity tag and tells caches to revalidate each time."""
    window = {"at": DAY["end_at"]} if name == "time_to_merge" else DAY

    answer = server.http.get(f"/v1/repos/acme/widgets/stats/{name}", params=window)

    assert answer.headers["etag"].startswith('W/"')
    assert "private, no-cache" == answer.headers["cache-control"]


@pytest.mark.parametrize(
    "header",
    ["{tag}", "{strong}", '"other", {tag}', '{tag} , W/"other"', "*", '"a","b",{strong}'],
    ids=["weak", "strong", "last of a list", "first of a list", "any", "strong in a list"],
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_matching_tag(server: LiveServer, tag: str, method: str, header: str) -> None:
    """The response is 304 without a body; tags compare weakly."""
    sent = {"If-None-Match": header.format(tag=tag, strong=tag.removeprefix("W/"))}

    answer = server.http.request(method, _PATH, params=DAY, headers=sent)

    assert (304, b"", tag) == (answer.status_code, answer.content, answer.headers["etag"])
    assert "private, no-cache" == answer.headers["cache-control"]
    assert "content-type" not in answer.headers


@pytest.mark.parametrize("header", ['W/"other"', '"', "", "W/", "nonsense", '"*"', "{bare}"])
def test_a_tag_that_does_not_match(server: LiveServer, tag: str, header: str) -> None:
    """The response is 200 with the body; a malformed tag is not an error."""
    sent = {"If-None-Match": header.format(bare=tag.removeprefix("W/").strip('"'))}

    answer = server.http.get(_PATH, params=DAY, headers=sent)

    assert (200, tag) == (answer.status_code, answer.headers["etag"])
    assert answer.content


def test_a_new_event_changes_the_tag(server: LiveServer, repository: str) -> None:
    """So does an event outside the window; a duplicate does not."""
    path = f"/v1/repos/{repository}/stats/queue_size"
    event = entered("2026-03-02T10:00:00Z", "a", 1)
    server.send([event], repository).raise_for_status()
    first = server.http.get(path, params=DAY).headers["etag"]

    server.send([event], repository).raise_for_status()
    after_duplicate = server.http.get(path, params=DAY, headers={"If-None-Match": first})
    server.send([entered("2026-03-02T10:01:00Z", "b", 2)], repository).raise_for_status()
    after_new = server.http.get(path, params=DAY, headers={"If-None-Match": first})

    assert 304 == after_duplicate.status_code
    assert (200, False) == (after_new.status_code, after_new.headers["etag"] == first)


def test_a_deletion_changes_the_tag(server: LiveServer, repository: str) -> None:
    """The cache forgets deleted events, and a repository that is deleted and sent again has a new tag."""
    path = f"/v1/repos/{repository}/stats/queue_size"
    events = [entered("2026-03-02T10:00:00Z", "a", 1), entered("2026-03-02T10:01:00Z", "b", 2, source="x")]
    server.send(events, repository).raise_for_status()
    tags = [server.http.get(path, params=DAY).headers["etag"]]

    server.http.delete(f"/v1/repos/{repository}/events", params={"source": "x"}).raise_for_status()
    tags.append(server.http.get(path, params=DAY).headers["etag"])
    server.http.delete(f"/v1/repos/{repository}").raise_for_status()
    server.send(events, repository).raise_for_status()
    tags.append(server.http.get(path, params=DAY).headers["etag"])

    assert 3 == len(set(tags))


def test_different_queries_have_different_tags(server: LiveServer) -> None:
    """The tag depends on the statistic, the window and every filter, but not on the order of values."""
    day = dict(DAY)
    questions = [
        (_PATH, day),
        (_PATH.replace("queue_size", "total_queue_time"), day),
        (_PATH, {**day, "end_at": "2026-03-03T00:00:00.000001Z"}),
        (_PATH, {**day, "base_ref": "main"}),
        (_PATH, {**day, "queue_name": "main"}),
        (_PATH, {**day, "priority_rule_name": "main"}),
    ]

    tags = [server.http.get(path, params=parameters).headers["etag"] for path, parameters in questions]
    one, other = (
        server.http.get(_PATH, params={**day, "base_ref": names}).headers["etag"]
        for names in (["a", "b"], ["b", "a", "b"])
    )

    assert len(questions) == len(set(tags))
    assert one == other


def test_errors_have_no_tag(server: LiveServer) -> None:
    """An error response is never 304."""
    answer = server.http.get(_PATH, params={"start_at": "1"}, headers={"If-None-Match": "*"})
    missing = server.http.get("/v1/repos/acme/missing/stats/queues", headers={"If-None-Match": "*"})

    assert (422, False) == (answer.status_code, "etag" in answer.headers)
    assert (404, False) == (missing.status_code, "etag" in missing.headers)
