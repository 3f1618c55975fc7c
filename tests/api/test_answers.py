"""Every response has the documented shape: that of our OpenAPI document and that of the reference."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from api.rich_history import rich_history
from live_server import DAY, LiveServer
from mergecast.queues.stats.published import STATISTICS

_SHAPES = Path(__file__).parents[3] / "shared" / "reference" / "wire-shapes.json"
_REPOSITORY = "acme/rich"


@pytest.fixture(scope="module")
def rich(server: LiveServer) -> LiveServer:
    server.send(rich_history(), _REPOSITORY).raise_for_status()
    return server


@pytest.fixture(scope="module")
def shapes() -> Any:
    if not _SHAPES.exists():
        pytest.skip(f"the reference is not beside the project: {_SHAPES}")
    return json.loads(_SHAPES.read_text(encoding="utf-8"))


def _answer(server: LiveServer, name: str, repository: str = _REPOSITORY) -> Any:
    window = {"at": DAY["end_at"]} if name == "time_to_merge" else DAY
    return server.stats(name, repository, **window)


def _errors(schema: Any, components: Any, answer: Any) -> list[str]:
    validator = Draft202012Validator({**schema, **components})
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(answer)]


@pytest.mark.parametrize("name", STATISTICS)
def test_the_history_has_data_for_every_statistic(rich: LiveServer, name: str) -> None:
    """Without data, the shape tests below would prove little."""
    answer = _answer(rich, name)

    lists = [answer] if isinstance(answer, list) else list(answer.values())
    assert all(lists)


@pytest.mark.parametrize("name", STATISTICS)
def test_answers_match_the_openapi_schema(rich: LiveServer, name: str) -> None:
    """The response validates against the schema in the OpenAPI document."""
    description = rich.http.get("/v1/openapi.json").json()
    operation = description["paths"][f"/v1/repos/{{owner}}/{{repository}}/stats/{name}"]["get"]
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]

    assert [] == _errors(schema, {"components": description["components"]}, _answer(rich, name))


@pytest.mark.parametrize("name", STATISTICS)
def test_answers_match_the_reference(rich: LiveServer, shapes: Any, name: str) -> None:
    """The response validates against the shapes that existing clients read."""
    schema = shapes["paths"][f"/repos/{{owner}}/{{repository}}/stats/{name}"]["response"]
    components = {"components": {"schemas": shapes["schemas"]}}

    assert [] == _errors(schema, components, _answer(rich, name))


@pytest.mark.parametrize("name", STATISTICS)
def test_empty_answers_match_the_reference(rich: LiveServer, shapes: Any, name: str) -> None:
    """The response for a window without events validates too."""
    schema = shapes["paths"][f"/repos/{{owner}}/{{repository}}/stats/{name}"]["response"]
    components = {"components": {"schemas": shapes["schemas"]}}
    early = {"end_at": "2020-01-01T00:00:00Z"} if name != "time_to_merge" else {"at": "2020-01-01T00:00:00Z"}

    answer = rich.stats(name, _REPOSITORY, **early)

    assert [] == _errors(schema, components, answer)
    assert not any(answer.values() if isinstance(answer, dict) else [answer[0]["queues"]])


@pytest.mark.parametrize("name", STATISTICS)
def test_statistics_take_the_parameters_of_the_reference(shapes: Any, name: str) -> None:
    """Every statistic takes exactly the parameters that the reference lists."""
    listed = shapes["paths"][f"/repos/{{owner}}/{{repository}}/stats/{name}"]["query"]

    assert {one["name"] for one in listed} == set(STATISTICS[name].parameters)


def test_all_statistics_of_the_reference_exist(shapes: Any) -> None:
    """All eighteen exist."""
    prefix = "/repos/{owner}/{repository}/stats/"

    named = {path.removeprefix(prefix) for path in shapes["paths"] if path.startswith(prefix)}

    assert named == STATISTICS.keys()


def test_exported_events_equal_the_imported_ones(rich: LiveServer) -> None:
    """The export holds every event; another repository that receives it gives the same answers."""
    lines = rich.http.get(f"/v1/repos/{_REPOSITORY}/events").content
    copied = rich.http.post(
        "/v1/repos/acme/copy/events", content=lines, headers={"Content-Type": "application/x-ndjson"}
    )

    assert {"stored": len(rich_history()), "duplicates": 0} == copied.json()
    for name in STATISTICS:
        assert _answer(rich, name) == _answer(rich, name, "acme/copy"), name
