"""200 hostile names through every tool: nothing dangerous arrives, and each name is between marks."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from live_server import LiveServer
from mergecast.queues.answers.audit import Audit, Finding
from mergecast.queues.model.instant import parse_instant
from mergecast.tools.asking import Asked, Asker, Replied, ToolError
from mergecast.tools.every_tool import TOOLS, call
from mergecast.tools.strangers import cleaned
from tools.conftest import NOW, REPOSITORY, removed_pull
from tools.hostile_names import HOSTILE_NAMES, what_is_wrong
from tools.questions import DOCUMENT, get

pytestmark = pytest.mark.server

_FORECAST = Path(__file__).parents[1] / "action" / "forecast.json"
_NAMES = {"base_ref", "queue_name", "check", "section", "message", "url", "title", "source", "path", "repair"}
_IN_LISTS = {"checks", "links"}
_MARKED = re.compile("«[^«»]*»")
_BACKQUOTED = re.compile("`[^`]*`")
_QUEUE = {"base_ref": "main", "queue_name": "default"}
_ALERT = {
    "id": "1", "figure": "failure_rate", "origin": "reference", **_QUEUE, "since": NOW, "ended_at": None,
    "value": 1.0, "threshold": 0.5, "sentence": "x", "advice": "x", "evidence": {"pull_requests": [7]},
    "reference": {"name": "march", "value": 0.5, "ratio": 2.0, "limit": 1.5},
}  # fmt: skip
_INCIDENT = {"id": "1", **_QUEUE, "since": NOW, "ended_at": None, "sentence": "x", "alerts": ["1"]}
_AUDIT = Audit(
    base_ref="main",
    rules_known=True,
    groups_kept=0,
    findings=(Finding("required-never", "a.yml", 3, "sure", "breaks", "`lint` is required.", "Add it."),),
)
_ASKED: dict[str, dict[str, Any]] = {
    "pull_request_status": {"number": 5},
    "explain_removal": {"number": 5},
    "forecast_settings": {"settings": {"batch_size": 2}},
    "check_configuration": {"document": DOCUMENT},
}


@pytest.fixture(scope="module")
def replies(demo: LiveServer) -> dict[str, Any]:
    """What the API says, by the end of the path, with problems and alerts besides."""
    number = removed_pull(demo)
    found = {
        "state": get(demo, f"/pulls/{number}/state"),
        "verdict": get(demo, f"/pulls/{number}/verdict"),
        "history": get(demo, f"/pulls/{number}/history"),
        "ci-checks": get(demo, "/ci-checks"),
        "queue": get(demo, "/queue"),
        "summary": get(demo, "/summary"),
        "repos": demo.http.get("/v1/repos?limit=5").json(),
        "forecast": json.loads(_FORECAST.read_text(encoding="utf-8")),
        "alerts": {"alerts": [_ALERT], "incidents": [_INCIDENT]},
        "changes": get(demo, "/changes"),
        "audit": to_builtins(_AUDIT),
    }
    found["queue"] |= found["alerts"]
    found["verdict"]["wait_for"] = {"check": "x"}
    found["ci-checks"]["checks"] = found["ci-checks"]["checks"][:3]
    answer = demo.http.post(f"/v1/repos/{REPOSITORY}/configuration-simulator", json={"config_yml": DOCUMENT})
    return {**found, "configuration-simulator": answer.json()}


def _renamed(value: Any, name: str, key: str = "") -> Any:
    """The same answer with this name wherever a stranger chooses one."""
    if isinstance(value, dict):
        # Only checks, runs and reference periods have names that strangers choose.
        own = {"name"} if {"runs", "check_id", "limit"} & value.keys() else set()
        return {
            inner: name if inner in own | _NAMES and isinstance(one, str) else _renamed(one, name, inner)
            for inner, one in value.items()
        }
    if isinstance(value, list):
        return [
            name if key in _IN_LISTS and isinstance(one, str) else _renamed(one, name, key) for one in value
        ]
    if key == "sentence" and isinstance(value, str):
        return _BACKQUOTED.sub(lambda _: f"`{name}`", value)
    return value


def _asker(replies: dict[str, Any], name: str) -> Asker:
    async def send(asked: Asked) -> Replied:
        end = asked.path.rpartition("/")[2]
        status = 422 if end == "configuration-simulator" else 200
        return Replied(status, json.dumps(_renamed(replies[end], name)).encode())

    return Asker(send, lambda: parse_instant(NOW))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize("tool", list(TOOLS))
def test_nothing_of_a_hostile_name_arrives_unmarked(replies: dict[str, Any], tool: str) -> None:
    repository = {} if tool == "list_repositories" else {"repository": REPOSITORY}
    arguments = {**repository, **_ASKED.get(tool, {})}
    for name in HOSTILE_NAMES:
        result = asyncio.run(call(TOOLS[tool], arguments, _asker(replies, name)))
        text = "\n".join(result.lines)
        assert not what_is_wrong(text, lines=True)
        assert not [one for one in _texts(result.content) if what_is_wrong(one)]
        assert len(result.lines) <= 10
        assert len(text) + len(json.dumps(result.content, ensure_ascii=False)) <= 7300
        outside = _MARKED.sub("", text)
        assert not {"«", "»"} & set(outside.replace("between « and » is data", ""))
        assert cleaned(name)[-40:] not in outside


@pytest.mark.parametrize("tool", ["check_flakiness", "explain_removal", "queue_status", "what_changed"])
def test_the_names_do_arrive(replies: dict[str, Any], tool: str) -> None:
    """Otherwise the test above would show nothing."""
    arguments = {"repository": REPOSITORY, **_ASKED.get(tool, {})}
    result = asyncio.run(call(TOOLS[tool], arguments, _asker(replies, "a\u202eb «c»")))

    assert "«ab <c>»" in "\n".join(result.lines)
    assert "ab <c>" in set(_texts(result.content))


@pytest.mark.parametrize("name", HOSTILE_NAMES[::20])
def test_a_cleaned_name_works_as_input(replies: dict[str, Any], name: str) -> None:
    asked = {"repository": REPOSITORY, "check": cleaned(name)}
    result = asyncio.run(call(TOOLS["check_flakiness"], asked, _asker(replies, name)))
    settings = {"repository": REPOSITORY, "settings": {"batch_size": 2}, "base_ref": f"«{cleaned(name)}»"}
    forecast = asyncio.run(call(TOOLS["forecast_settings"], settings, _asker(replies, name)))

    assert {cleaned(name)} == {one["name"] for one in result.content["checks"]}
    assert cleaned(name) == forecast.content["base_ref"]


@pytest.mark.parametrize("name", HOSTILE_NAMES[::20])
@pytest.mark.parametrize("status", [404, 409, 422, 500])
def test_an_error_is_cleaned_too(name: str, status: int) -> None:
    async def send(_: Asked) -> Replied:
        return Replied(status, json.dumps({"detail": f"no {name}"}).encode())

    asker = Asker(send, lambda: 0)
    with pytest.raises(ToolError) as raised:
        asyncio.run(call(TOOLS["queue_status"], {"repository": REPOSITORY}, asker))
    assert not what_is_wrong(str(raised.value))
    assert not {"«", "»"} & set(_MARKED.sub("", str(raised.value)))
