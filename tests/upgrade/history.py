"""What the stores of a release contain, and the answers about it."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from api.signed_webhooks import HOOK, signed_headers
from live_server import LiveServer
from logged_secrets import remember
from mergecast.access.webhook_secrets import WebhookSecret
from mergecast.demo.history import demo_events
from mergecast.demo.pull_requests import demo_pull_requests
from mergecast.queues.model.instant import parse_instant
from mergecast.queues.stats.published import STATISTICS
from sources.activity_log_stories import STORIES as LOG_STORIES
from sources.github_stories import the_first_of_three_failed
from waiting import wait_until

_SECRET = remember("a secret for the webhooks of releases")
SECRETS = (WebhookSecret(_SECRET.encode(), frozenset({"acme-orbit"})),)
NOW = parse_instant("2026-10-06T00:00:00Z")
_MONDAY = date(2026, 10, 5)
_EVENTS_UNTIL = datetime(2026, 10, 5, 9, 30, tzinfo=UTC)
_SENT, _IMPORTED, _HOOKED = "acme/harbor", "acme/log", "acme-orbit/lander"
REPOSITORIES = (_SENT, _IMPORTED, _HOOKED)
_PERIODS = (
    {"start_at": "2026-09-01T00:00:00Z", "end_at": "2026-10-06T00:00:00Z"},
    {"start_at": "2026-10-05T06:00:00Z", "end_at": "2026-10-05T09:00:00Z"},
)


def fill(server: LiveServer) -> None:
    """Use the store in every way that leaves rows in it."""
    checks_since = _EVENTS_UNTIL - timedelta(minutes=20)
    events = list(demo_events(_MONDAY, _EVENTS_UNTIL, checks_since=checks_since))
    server.send(events, _SENT).raise_for_status()
    _import_log(server)
    _deliver_webhooks(server)
    _set_up(server)


def _import_log(server: LiveServer) -> None:
    for place, story in enumerate(LOG_STORIES):
        items = [
            {"id": f"{place}-{item['id']}", "kind": item["type"], "body": item} for item in story().items
        ]
        page = {"items": items, "cursor": "next", "reached": "2026-10-01T00:00:00Z"}
        path = f"/v1/repos/{_IMPORTED}/sources/activity-log/deliveries"
        server.http.post(path, json=page).raise_for_status()


def _deliver_webhooks(server: LiveServer) -> None:
    for sent in the_first_of_three_failed().deliveries:
        headers = signed_headers(sent.event, sent.id, sent.body, _SECRET)
        with server.anonymous() as http:
            http.post(HOOK, content=sent.body, headers=headers).raise_for_status()
    wait_until(lambda: _left(server) == 3)


def _left(server: LiveServer) -> int:
    """How many stays of the webhooks have ended."""
    answer = server.http.get(f"/v1/repos/{_HOOKED}/events")
    return answer.text.count('"queue_left"')


def _set_up(server: LiveServer) -> None:
    path = f"/v1/repos/{_SENT}"
    number, pull = next(iter(demo_pull_requests(_SENT, _EVENTS_UNTIL)))
    for request, body in {
        f"{path}/pulls/{number}/snapshot": pull,
        f"{path}/products": {"products": ["merge_queue"]},
        f"{path}/settings": {
            "thresholds": [{"figure": "time_in_queue_p95", "value": "1h", "alert": False}],
            "prices": {"currency": "USD", "per_minute": "0.008", "by_runner": {}},
        },
    }.items():
        known = server.http.get(request).headers.get("ETag", "*")
        answer = server.http.put(request, json=body, headers={"If-Match": known})
        assert answer.is_success, (request, answer.text)
    server.key("acme", name="a release")


def answers(server: LiveServer) -> dict[str, Any]:
    """The eighteen statistics about each repository and period; some are about its end alone."""
    found = {}
    for repository in REPOSITORIES:
        for name, statistic in STATISTICS.items():
            for period in _PERIODS:
                asked = {"at": period["end_at"]} if "at" in statistic.parameters else period
                found[f"{repository} {name} {asked}"] = server.stats(name, repository, **asked)
    return found
