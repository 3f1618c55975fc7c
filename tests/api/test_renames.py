"""Webhooks of renamed and transferred repositories: whatever their order, one repository has everything."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, pairwise
from typing import Any

import pytest

from api.signed_webhooks import post_webhook
from builders import entered
from live_server import LiveServer, live_server
from logged_secrets import remember
from mergecast.access.webhook_secrets import WebhookSecret
from sources.github_deliveries import clock
from waiting import wait_for

_OURS = remember("the secret of acme's webhook")
_THEIRS = remember("the secret of umbrella's webhook")
_EVERY = remember("the secret of the operator's app")
_ids = count(910_000)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    secrets = (
        WebhookSecret(_OURS.encode(), frozenset({"acme"})),
        WebhookSecret(_THEIRS.encode(), frozenset({"umbrella"})),
        WebhookSecret(_EVERY.encode()),
    )
    with live_server(tmp_path_factory.mktemp("data"), webhook_secrets=secrets, now=lambda: clock(1)) as live:
        yield live


class _Hook:
    """The webhooks of one repository."""

    def __init__(self, server: LiveServer, secret: str = _OURS, id: int | None = None) -> None:
        self._server, self._secret = server, secret
        self.id = next(_ids) if id is None else id

    def enqueued(self, name: str, number: int) -> None:
        pull = {"number": number, "base": {"ref": "main"}, "updated_at": "2026-09-14T10:00:30Z"}
        self._send("pull_request", name, {"action": "enqueued", "number": number, "pull_request": pull})

    def renamed(self, former: str, name: str) -> None:
        changes = {"repository": {"name": {"from": former.partition("/")[2]}}}
        self._send("repository", name, {"action": "renamed", "changes": changes})

    def transferred(self, former: str, name: str) -> None:
        changes = {"owner": {"from": {"organization": {"login": former.partition("/")[0]}}}}
        self._send("repository", name, {"action": "transferred", "changes": changes})

    def _send(self, event: str, name: str, payload: dict[str, Any]) -> None:
        named = {"id": self.id, "full_name": name}
        answer = post_webhook(self._server, event, {**payload, "repository": named}, self._secret)
        assert 202 == answer.status_code, answer.text


def _queued(server: LiveServer, name: str) -> set[int] | int:
    """The pull requests in the queue of a repository, or the status of an answer that has none."""
    answer = server.http.get(f"/v1/repos/{name}/queue")
    if not answer.is_success:
        return answer.status_code
    return {entry["pull_request"] for queue in answer.json()["queues"] for entry in queue["entries"]}


def _listed(server: LiveServer) -> list[str]:
    return [one["repository"] for one in server.http.get("/v1/repos").json()["repositories"]]


def _expect(server: LiveServer, **expected: set[int] | int) -> None:
    """Names are written as `owner__name`."""
    names = {key: key.replace("__", "/").replace("_", "-") for key in expected}
    wait_for(expected, lambda: {key: _queued(server, name) for key, name in names.items()})


def test_a_late_delivery_does_not_undo_an_announced_rename(server: LiveServer) -> None:
    """The announcement came before anything was stored under the old name."""
    hook = _Hook(server)
    hook.renamed("acme/was", "acme/is")
    assert "is" not in _listed(server)

    hook.enqueued("acme/is", 1)
    hook.enqueued("acme/was", 2)
    hook.enqueued("acme/is", 3)

    _expect(server, acme__is={1, 2, 3}, acme__was=409)


def test_webhooks_that_arrive_during_a_rename(server: LiveServer) -> None:
    """Whatever name they have, and however the server interleaves them, one repository gets them all."""
    hook, names = _Hook(server), [f"acme/step-{place}" for place in range(9)]
    hook.enqueued(names[0], 1)
    with ThreadPoolExecutor(8) as pool:
        for place, (former, name) in enumerate(pairwise(names), start=1):
            numbers = range(place * 10, place * 10 + 7)
            sent = [pool.submit(hook.enqueued, former, number) for number in numbers]
            sent.append(pool.submit(hook.renamed, former, name))
            for one in sent:
                one.result()

    everything = {1, *(place * 10 + number for place in range(1, 9) for number in range(7))}
    wait_for(everything, lambda: _queued(server, names[-1]))
    listed = [one["repository"] for one in server.http.get("/v1/repos").json()["repositories"]]
    assert ["step-8"] == [name for name in listed if name.startswith("step-")]


def test_events_that_are_sent_during_a_rename(server: LiveServer) -> None:
    """They are stored, or refused because the repository has another name; none creates another one."""
    hook, names = _Hook(server), [f"acme/turn-{place}" for place in range(9)]
    hook.enqueued(names[0], 1)
    stored = 0
    with ThreadPoolExecutor(8) as pool:
        for place, (former, name) in enumerate(pairwise(names), start=1):
            events = [entered("2026-09-14T10:00:10Z", f"{place}-{number}", number) for number in range(2, 9)]
            sent = [pool.submit(server.http.post, f"/v1/repos/{former}/events", json=[one]) for one in events]
            pool.submit(hook.renamed, former, name).result()
            answers = [one.result() for one in sent]
            assert {200, 409} >= {answer.status_code for answer in answers}
            stored += sum(answer.is_success for answer in answers)

    listed = server.http.get("/v1/repos").json()["repositories"]
    assert [("turn-8", stored)] == [
        (one["repository"], server.http.get("/v1/repos/acme/turn-8/sources").json()["sent_events"])
        for one in listed
        if one["repository"].startswith("turn-")
    ]


def test_what_is_acknowledged_during_a_rename_is_stored(server: LiveServer) -> None:
    """A change that comes too late for the former name is refused, not acknowledged and dropped."""
    hook, names = _Hook(server), [f"acme/move-{place}" for place in range(25)]
    hook.enqueued(names[0], 1)
    wait_for({1}, lambda: _queued(server, names[0]))
    expected, found = [], []
    with ThreadPoolExecutor(2) as pool:
        for place, (former, name) in enumerate(pairwise(names), start=1):
            body = {"thresholds": [{"figure": "time_in_queue_p95", "value": place}]}
            headers = {"If-Match": "*"}
            setting = pool.submit(server.http.put, f"/v1/repos/{former}/settings", json=body, headers=headers)
            pool.submit(hook.renamed, former, name).result()
            if setting.result().is_success:
                expected.append(place)
                settings = server.http.get(f"/v1/repos/{name}/settings").json()
                found += [threshold["value"] for threshold in settings["thresholds"]]

    assert expected == found


def test_an_announcement_tells_which_of_two_names_is_the_newer_one(server: LiveServer) -> None:
    """Without it, the name that appeared last counts."""
    hook = _Hook(server)
    hook.enqueued("acme/newer", 1)
    hook.enqueued("acme/older", 2)
    hook.renamed("acme/older", "acme/newer")
    hook.enqueued("acme/older", 3)

    _expect(server, acme__newer={1, 2, 3}, acme__older=409)


def test_repositories_that_swap_their_names_are_not_mixed(server: LiveServer) -> None:
    """Also if one has a new name before the other has left it."""
    first, second = _Hook(server), _Hook(server)
    first.enqueued("acme/left", 1)
    second.enqueued("acme/right", 2)
    second.renamed("acme/right", "acme/left")
    second.enqueued("acme/left", 3)
    first.renamed("acme/left", "acme/aside")
    second.enqueued("acme/left", 4)
    first.renamed("acme/aside", "acme/right")
    first.enqueued("acme/left", 5)
    second.enqueued("acme/right", 6)

    _expect(server, acme__right={1, 5}, acme__left={2, 3, 4, 6}, acme__aside=409)


def test_another_spelling_is_the_same_name(server: LiveServer) -> None:
    """The repository is shown as the platform spells it."""
    hook = _Hook(server)
    hook.enqueued("acme/Spelled", 1)
    hook.renamed("acme/Spelled", "acme/spelleD")
    hook.enqueued("ACME/spelleD", 2)

    _expect(server, acme__spelled={1, 2})
    assert ["spelleD"] == [name for name in _listed(server) if name.lower() == "spelled"]


def test_a_transfer_is_followed_if_it_is_announced(server: LiveServer) -> None:
    """And if the secret covers both owners."""
    hook = _Hook(server, _EVERY)
    hook.enqueued("acme/given", 1)
    hook.transferred("acme/given", "umbrella/given")
    hook.enqueued("umbrella/given", 2)
    hook.enqueued("acme/given", 3)
    hook.renamed("umbrella/given", "umbrella/taken")
    hook.enqueued("umbrella/taken", 4)

    _expect(server, umbrella__taken={1, 2, 3, 4}, umbrella__given=409, acme__given=409)


def test_an_id_that_another_owner_sent_first_changes_nothing(server: LiveServer) -> None:
    """Ids are public: someone else's webhook can name a repository of its own with the same id."""
    planted = _Hook(server, _THEIRS)
    planted.enqueued("umbrella/planted", 1)
    planted.enqueued("umbrella/site", 1)
    for secret, before, after in (
        (_OURS, "acme/site", "acme/site-2"),
        (_EVERY, "acme/site-2", "acme/site-3"),
    ):
        hook = _Hook(server, secret, planted.id)
        hook.enqueued(before, 2)
        hook.enqueued(after, 3)

    _expect(server, acme__site_3={2, 3}, acme__site_2=409, acme__site=409, umbrella__site={1})


def test_a_secret_reserves_no_name_of_an_owner_that_it_does_not_cover(server: LiveServer) -> None:
    """Otherwise nothing could be stored under that name any more."""
    _Hook(server, _THEIRS).transferred("acme/wanted", "umbrella/wanted")

    assert 404 == _queued(server, "acme/wanted")
    _Hook(server).enqueued("acme/wanted", 1)
    _expect(server, acme__wanted={1})


@pytest.mark.parametrize("name", ["acme/..", "acme/.", "acme/a/b", "acme/", "a_b/c"])
def test_a_name_that_no_repository_has_is_refused(server: LiveServer, name: str) -> None:
    """Dots alone are folders in a URL: such a repository could not be asked for."""
    payload = {"action": "enqueued", "repository": {"id": next(_ids), "full_name": name}}
    before = _listed(server)

    answer = post_webhook(server, "pull_request", payload, _EVERY)

    is_named = not name.endswith("/")
    assert (422 if is_named else 202) == answer.status_code
    if is_named:
        assert "`repository.full_name` is not the name of a repository" in answer.text
    assert before == _listed(server)
