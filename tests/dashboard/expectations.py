"""What each page should show: the API's answers to the question in its address, as text."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import httpx

from dashboard import texts
from dashboard.address import Address
from dashboard.api_questions import Api
from dashboard.overview import overview, with_change
from dashboard.screen import Figures, Rows


def expected(http: httpx.Client, address: Address) -> Figures:
    return PAGES[address.page](Api(http, address))


def _queue(api: Api) -> Figures:
    queues = [queue for queue in api.about("/queue")["queues"] if queue["entries"]]
    waiting = sum(len(queue["entries"]) for queue in queues)
    running = sum(len(queue["batches"]) for queue in queues)
    entered = (
        f"{texts.plural(waiting, 'pull request')} in queue, {texts.plural(running, 'CI run')} in progress."
    )
    tables: dict[str, str | Rows | re.Pattern[str]] = {
        f"Pull requests in {queue['queue_name']}": [
            {"#": str(entry["position"]), "pull request": f"#{entry['pull_request']}"}
            for entry in queue["entries"]
        ]
        for queue in queues
    }
    return {"heading": entered if waiting else "The queue is empty."} | tables


def _pull(api: Api) -> Figures:
    history = api.about(f"/pulls/{api.address.number}/history")
    (stay,) = history["stays"]
    runs = [
        {
            "took": texts.duration(_seconds(run)),
            "ended": {"SUCCESS": "passed"}.get(run["outcome"], "checks failed"),
        }
        for run in stay["checks"]
    ]
    waits = [
        f"{name} {texts.duration(stay['waiting'][name.lower()])}"
        for name in ("CI", "capacity", "schedule", "freeze")
    ]
    spent = f"{texts.duration(stay['seconds'])}: {' · '.join(waits)}"
    return {"CI runs of stay 1": runs, "lines": re.compile(f"^{spent}", re.MULTILINE)}


def _seconds(run: Any) -> float:
    began, ended = (datetime.fromisoformat(run[name]) for name in ("started_at", "ended_at"))
    return (ended - began).total_seconds()


def _repositories(api: Api) -> Figures:
    """Each row equals the answers about its repository."""
    rows: Rows = []
    asked = {name: value for name, value in api.address.query.items() if name in ("order", "search")}
    for one in api.get("/v1/repos", figures="true", **asked)["repositories"]:
        name = f"{one['owner']}/{one['repository']}"
        week = api.week_of(name)
        figures = week["all"]
        queues = api.get(f"/v1/repos/{name}/queue")["queues"]
        rows.append(
            {
                "repository": name,
                "state": week["state"]["name"],
                "in queue": texts.count(sum(len(queue["entries"]) for queue in queues)),
                "merged, 7 days": with_change(figures["merged"], texts.count),
                "p50 in queue": with_change(figures["time_in_queue_p50"]),
                "p95 in queue": with_change(figures["time_in_queue_p95"]),
            }
        )
    return {"table": rows}


def _settings(api: Api) -> Figures:
    keys = api.get("/v1/keys")["keys"]
    rows = [{"name": key["name"], "owner": key["owner"], "may": _may(key["scopes"])} for key in keys]
    return {"Application keys": rows} if rows else {}


def _may(scopes: list[str]) -> str:
    words = {"read": "read and simulate", "ingest": "send events", "admin": "change settings"}
    return ", ".join(words[scope] for scope in scopes)


def _sources(api: Api) -> Figures:
    (source,) = api.about("/sources")["sources"]
    return {
        "deliveries": texts.count(source["deliveries"]),
        "events": texts.count(source["events"]),
        "not translated": texts.count(sum(one["count"] for one in source["untranslated"])),
    }


PAGES: dict[str, Callable[[Api], Figures]] = {
    "repositories": _repositories,
    "overview": overview,
    "queue": _queue,
    "pull": _pull,
    "sources": _sources,
    "settings": _settings,
}
