"""The OpenAPI document describes the whole API, and nothing else."""

from pathlib import Path
from typing import Any, cast

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from api.rich_history import rich_history
from builders import entered
from live_server import LiveServer
from mergecast.api.openapi.description import security
from mergecast.api.routes import all_routes
from mergecast.api.routing import PUBLIC_PATHS
from mergecast.api.services import Services
from mergecast.forecasting.forecast.requirements import SETTINGS
from mergecast.forecasting.forecast.settings import errors_of

_METHODS = {"get", "put", "post", "delete", "options", "head", "patch", "trace"}


@pytest.fixture(scope="module")
def description(server: LiveServer) -> Any:
    return server.http.get("/v1/openapi.json").json()


def _operations(description: Any) -> dict[tuple[str, str], Any]:
    return {
        (method.upper(), path): operation
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    }


def _schemas(value: Any) -> list[Any]:
    """Every value of a key `schema`, at any depth."""
    if isinstance(value, list):
        return [found for one in value for found in _schemas(one)]
    if not isinstance(value, dict):
        return []
    below = [found for one in value.values() for found in _schemas(one)]
    return [*below, value["schema"]] if "schema" in value else below


def test_every_route_is_described(description: Any, tmp_path: Path) -> None:
    """The routes and the described operations are the same set, but for MCP, which describes itself."""
    routes = {(route.method, route.path) for route in all_routes(cast("Services", None), tmp_path)}

    assert routes - {("POST", "/mcp")} == _operations(description).keys()


def test_required_sections(description: Any) -> None:
    """The document has what OpenAPI 3.1 requires."""
    assert description["openapi"].startswith("3.1.")
    assert {"title", "version"} <= description["info"].keys()
    assert all(path.startswith("/") for path in description["paths"])
    assert {method for methods in description["paths"].values() for method in methods} <= _METHODS
    names = {tag["name"] for tag in description["tags"]}
    assert all(set(operation["tags"]) <= names for operation in _operations(description).values())


def test_path_parameters(description: Any) -> None:
    """Every name in braces is a required path parameter; no parameter is listed twice."""
    for (_, path), operation in _operations(description).items():
        parameters = operation.get("parameters", [])
        braces = {part[1:-1] for part in path.split("/") if part.startswith("{")}

        assert braces == {one["name"] for one in parameters if one["in"] == "path" and one["required"]}, path
        assert len(parameters) == len({(one["in"], one["name"]) for one in parameters}), path


def test_each_id_says_what_it_names(description: Any) -> None:
    """Ids of keys, sources, apps and channels have the same name in a path, and descriptions of their own."""
    found = {
        path: one["description"]
        for (_, path), operation in _operations(description).items()
        for one in operation.get("parameters", [])
        if (one["in"], one["name"]) == ("path", "id")
    }
    kinds = {"keys": "key", "sources": "source", "github-apps": "GitHub App"}

    assert {path: kinds.get(path.split("/")[2], "channel") for path in found} == {
        path: next((kind for kind in (*kinds.values(), "channel") if kind in text), None)
        for path, text in found.items()
    }


def test_responses(description: Any) -> None:
    """Every operation describes its success; every protected one describes its rejection."""
    for (_, path), operation in _operations(description).items():
        responses = operation["responses"]
        expected = set() if path in PUBLIC_PATHS else {"403", "404", "409", "422", "429", "503"}

        assert expected <= responses.keys(), path
        assert 1 == len(responses.keys() & {"200", "201", "202", "204", "302", "303"}), path
        assert all(response["description"] for response in responses.values()), path


def test_every_error_response_has_an_example(description: Any) -> None:
    """The example is a problem document with that status, and matches the schema of problems."""
    schema = {"$ref": "#/components/schemas/Problem", "components": description["components"]}
    for operation in _operations(description).values():
        for status, response in operation["responses"].items():
            if status[0] in "45":
                example = response["content"]["application/problem+json"]["example"]

                Draft202012Validator(schema).validate(example)
                assert int(status) == example["status"]


def test_public_operations_need_no_credential(description: Any) -> None:
    """The document agrees with the constant of public paths."""
    open_paths = {path for (_, path), one in _operations(description).items() if one.get("security") == []}

    assert open_paths == {path for path in PUBLIC_PATHS if path in description["paths"]}


def test_the_four_security_schemes(description: Any, tmp_path: Path) -> None:
    """Every operation names the kinds of credentials that its right accepts."""
    schemes = description["components"]["securitySchemes"]
    rights = {
        (route.method, route.path): route.right for route in all_routes(cast("Services", None), tmp_path)
    }

    assert {
        "AdminTokenBearerAuth",
        "ApplicationKeyBearerAuth",
        "ServiceTokenBearerAuth",
        "CodeHostingTokenBearerAuth",
    } == schemes.keys()
    assert {("http", "bearer")} == {(one["type"], one["scheme"]) for one in schemes.values()}
    for place, operation in _operations(description).items():
        assert security(rights[place]) == operation["security"], place


def test_schemas_are_valid(description: Any) -> None:
    """Every schema is valid, and every reference resolves."""
    components = description["components"]["schemas"]
    for schema in [*_schemas(description["paths"]), *components.values()]:
        Draft202012Validator.check_schema(schema)
    references = {one["$ref"] for one in _schemas(description["paths"]) if "$ref" in one}
    assert {one.removeprefix("#/components/schemas/") for one in references} <= components.keys()


def test_the_event_schema(description: Any) -> None:
    """It accepts the events that the server accepts, and rejects some that the server rejects."""
    validator = Draft202012Validator(
        {"$ref": "#/components/schemas/Event", "components": description["components"]}
    )
    good = entered("2026-03-02T10:00:00Z", "s", 1)

    assert all(validator.is_valid(event) for event in rich_history())
    for change in ({"extra": 1}, {"pull_request": -1}, {"id": ""}, {"type": "queue"}, {"base_ref": None}):
        assert not validator.is_valid({**good, **change}), change


_SOME_VALUES = [
    None, True, "x", -1, 0, 1, 10, 20, 21, 59, 60, 100, 128, 129, 360, 361, 1000, 1001,
    86_400, 86_401, 604_800, 604_801, {"min": 1, "max": 3}, {"min": 1}, {"min": 0, "max": 129},
    "github", "serial", "HEADGREEN",
]  # fmt: skip


def test_the_settings_of_a_forecast(description: Any) -> None:
    """The schema accepts the values that a forecast accepts, of every setting."""
    schema = {"$ref": "#/components/schemas/ForecastSettings", "components": description["components"]}
    validator = Draft202012Validator(schema)

    for name in (*SETTINGS, "no_setting"):
        for value in _SOME_VALUES:
            assert validator.is_valid({name: value}) == (not errors_of({name: value})), (name, value)


@pytest.mark.parametrize(
    ("path", "good", "bad"),
    [
        (
            "forecast",
            {"candidate": {"config_yml": "queue_rules: []"}, "baseline": {"settings": {}}, "seed": None},
            [{"candidate": {}}, {"candidate": None}, {"base_ref": ""}, {"seed": -1}, {"vary": {}}],
        ),
        (
            "forecast/search",
            {
                "vary": {"batch_size": [1, {"min": 1, "max": 2}]},
                "limit": {"time_to_merge_p95": 3600},
                "queue_name": None,
            },
            [
                {"vary": {}},
                {"vary": {"mode": []}},
                {"limit": {"time_to_merge_p95": 0}},
                {"limit": {}},
                {"end_at": 1},
            ],
        ),
    ],
)
def test_the_bodies_of_forecasts(
    server: LiveServer, description: Any, path: str, good: dict[str, Any], bad: list[dict[str, Any]]
) -> None:
    """Their schemas refuse what the server refuses; a valid body fails only because the history is short."""
    server.send([entered("2026-03-02T10:00:00Z", "a", 1)])
    described = description["paths"][f"/v1/repos/{{owner}}/{{repository}}/{path}"]["post"]["requestBody"]
    content = described["content"]["application/json"]
    validator = Draft202012Validator({**content["schema"], "components": description["components"]})
    validator.validate(content["example"])
    whole = {"base_ref": "main", **good}

    for body in (whole, *({**whole, **change} for change in bad)):
        answer = server.http.post(f"/v1/repos/acme/widgets/{path}", json=body)
        is_refused = "errors" in answer.json()
        assert (422, validator.is_valid(body)) == (answer.status_code, not is_refused), body


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/nowhere"), ("GET", "/v1/repos?x=1"), ("PUT", "/docs"), ("GET", "/v1/repos/a/b/stats/queues")],
)
def test_the_problem_schema(server: LiveServer, description: Any, method: str, path: str) -> None:
    """Error responses match the schema."""
    schema = {"$ref": "#/components/schemas/Problem", "components": description["components"]}

    Draft202012Validator(schema).validate(server.http.request(method, path).json())


def test_examples_can_be_sent(server: LiveServer, description: Any, repository: str) -> None:
    """The server accepts the examples unchanged."""
    body = description["paths"]["/v1/repos/{owner}/{repository}/events"]["post"]["requestBody"]["content"]

    for type, content in body.items():
        example = content["example"]
        sent = {"json": example} if type == "application/json" else {"content": example}
        answer = server.http.post(
            f"/v1/repos/{repository}/events", headers={"Content-Type": type}, **cast("Any", sent)
        )
        assert 200 == answer.status_code, type
