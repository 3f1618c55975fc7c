"""What commands read from answers is what the server's OpenAPI document says that it sends."""

from typing import Any

import msgspec
import pytest
from msgspec import inspect

from live_server import TOKEN, LiveServer
from local_http import Reply, local_server
from mergecast.client import answers
from mergecast.client.client import Client
from mergecast.client.errors import UnknownAnswer
from mergecast.queues.answers.alerts import Alerts
from mergecast.queues.answers.channels import AddedChannel, Channel, TriedChannel
from mergecast.queues.answers.ci_checks import CiChecks
from mergecast.queues.answers.keys import Key, MadeKey
from mergecast.queues.answers.pulls import FoundPulls, Stays
from mergecast.queues.answers.repositories import ListedRepository, RowFigures
from mergecast.queues.answers.settings import CiPrices
from mergecast.queues.answers.sources import SourceCursor, SourceOverview

Schema = dict[str, Any]
_REPOSITORY = "/v1/repos/{owner}/{repository}"
_SOURCE = f"{_REPOSITORY}/sources/{{source}}"
# The type that commands read, the operation that answers with it, and the member of the answer.
_READ: tuple[tuple[Any, str, str], ...] = (
    (answers.Readiness, "get /readyz", ""),
    (list[ListedRepository], "get /v1/repos", "repositories"),
    (RowFigures, "get /v1/repos", "repositories/figures"),
    (str, "post /v1/session/codes", "url"),
    (list[answers.Group], f"get {_REPOSITORY}/stats/queues_entered_count", "groups"),
    (answers.Summary, f"get {_REPOSITORY}/summary", ""),
    (answers.Receipt, f"post {_REPOSITORY}/events", ""),
    (dict[str, int], f"post {_SOURCE}/deliveries", ""),
    (SourceCursor, f"get {_SOURCE}/cursor", ""),
    (list[SourceOverview], f"get {_REPOSITORY}/sources", "sources"),
    (int, f"post {_SOURCE}/translate", "events"),
    (MadeKey, "post /v1/keys", ""),
    (list[Key], "get /v1/keys", "keys"),
    (answers.Queues, f"get {_REPOSITORY}/queue", ""),
    (Alerts, f"get {_REPOSITORY}/alerts", ""),
    (answers.PullHistory, f"get {_REPOSITORY}/pulls/{{number}}/history", ""),
    (FoundPulls, f"get {_REPOSITORY}/pulls", ""),
    (Stays, f"get {_REPOSITORY}/stays", ""),
    (CiChecks, f"get {_REPOSITORY}/ci-checks", ""),
    (list[str] | None, f"get {_REPOSITORY}/products", "products"),
    (list[Channel], f"get {_REPOSITORY}/channels", "channels"),
    (list[Channel], "get /v1/owners/{owner}/channels", "channels"),
    (AddedChannel, f"post {_REPOSITORY}/channels", ""),
    (TriedChannel, f"post {_REPOSITORY}/channels/{{id}}/test", ""),
)
_KINDS: dict[str, tuple[type[inspect.Type], ...]] = {
    "string": (inspect.StrType,),
    "integer": (inspect.IntType, inspect.FloatType),
    "number": (inspect.FloatType,),
    "boolean": (inspect.BoolType,),
    "null": (inspect.NoneType,),
    "array": (inspect.ListType, inspect.VarTupleType),
    "object": (inspect.StructType, inspect.DataclassType, inspect.DictType),
}


@pytest.fixture(scope="module")
def openapi(server: LiveServer) -> Any:
    return server.http.get("/v1/openapi.json").json()


@pytest.mark.parametrize(("type", "operation", "member"), _READ, ids=[" ".join(one[1:]) for one in _READ])
def test_the_server_sends_what_commands_read(openapi: Schema, type: Any, operation: str, member: str) -> None:
    """Every value that the schema allows can be read, and every required field is always there."""
    method, path = operation.split(" ")
    responses = openapi["paths"][path][method]["responses"]
    (status,) = (status for status in responses if status.startswith("2"))
    schema = responses[status]["content"]["application/json"]["schema"]
    for name in filter(None, member.split("/")):
        schema = _resolved(openapi, schema)
        schema = _resolved(openapi, schema.get("items", schema))["properties"][name]

    assert [] == _problems(openapi, inspect.type_info(type), schema, "answer")


def test_differences_are_found() -> None:
    """The comparison itself."""
    schema = {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "name": {"type": ["string", "null"]}},
        "required": ["id"],
    }

    class Read(msgspec.Struct):
        id: str
        name: str
        other: str

    assert [
        "answer.id: integer cannot be read",
        "answer.name: null cannot be read",
        "answer.name is not always there",
        "answer.other is not in the schema",
    ] == _problems({}, inspect.type_info(Read), schema, "answer")


def _resolved(document: Schema, schema: Schema) -> Schema:
    if "$ref" not in schema:
        return schema
    return _resolved(document, document["components"]["schemas"][schema["$ref"].rpartition("/")[2]])


def _forms(document: Schema, schema: Schema) -> list[Schema]:
    """The alternatives of a schema, each of one type."""
    schema = _resolved(document, schema)
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return [form for one in schema[word] for form in _forms(document, one)]
    if "enum" in schema:
        return [{"type": "null" if value is None else "string"} for value in schema["enum"]]
    kinds = schema.get("type", [])
    return [{**schema, "type": kind} for kind in ([kinds] if isinstance(kinds, str) else kinds)]


def _problems(document: Schema, type: inspect.Type, schema: Schema, place: str) -> list[str]:
    if isinstance(type, inspect.CustomType) and type.cls is object:
        return []
    types = [_plain(one) for one in (type.types if isinstance(type, inspect.UnionType) else (type,))]
    found = []
    for form in _forms(document, schema) or [{"type": "anything"}]:
        fitting = [one for one in types if isinstance(one, _KINDS.get(form["type"], ()))]
        if not fitting:
            found.append(f"{place}: {form['type']} cannot be read")
        elif isinstance(fitting[0], (inspect.ListType, inspect.VarTupleType)):
            found += _problems(document, fitting[0].item_type, form["items"], f"{place}[]")
        elif isinstance(fitting[0], inspect.DictType):
            for name, inner in _members(form).items():
                found += _problems(document, fitting[0].value_type, inner, f"{place}.{name}")
        elif isinstance(fitting[0], (inspect.StructType, inspect.DataclassType)):
            for field in fitting[0].fields:
                found += _field_problems(document, field, form, f"{place}.{field.encode_name}")
    return found


def _plain(type: inspect.Type) -> inspect.Type:
    """Without its description."""
    return type.type if isinstance(type, inspect.Metadata) else type


def _members(form: Schema) -> dict[str, Schema]:
    others = form.get("additionalProperties")
    return {**form.get("properties", {}), **({"*": others} if isinstance(others, dict) else {})}


def _field_problems(document: Schema, field: inspect.Field, form: Schema, place: str) -> list[str]:
    if field.encode_name not in form["properties"]:
        return [f"{place} is not in the schema"]
    found = _problems(document, field.type, form["properties"][field.encode_name], place)
    if field.required and field.encode_name not in form["required"]:
        found.append(f"{place} is not always there")
    return found


def test_what_a_newer_server_adds() -> None:
    """Commands ignore it, and `--json` prints it."""
    sent = {"currency": "USD", "per_minute": "0.008", "by_runner": {}, "per_gigabyte": "0.1"}

    answer = answers.Answer(CiPrices, sent)

    assert CiPrices("USD", "0.008", {}) == answer.value
    assert sent == answer.raw


def test_what_an_older_server_lacks() -> None:
    """It has a default."""
    run = {"batch_id": "b1", "attempt": 1, "pull_requests": [7], "outcome": None}
    times = {"started_at": None, "ended_at": None}

    assert answers.Answer(answers.CiRun, {**run, **times}).value.failed_ci_check is None
    assert answers.Answer(answers.Queues, {"queues": []}).value.alerts is None


def test_an_answer_of_another_form() -> None:
    """A command ends with a sentence about versions, not with an internal error."""
    with pytest.raises(UnknownAnswer) as error:
        _ = answers.Answer(CiPrices, {"currency": "USD"}).value

    assert (
        "the server's answer has another form than this command expects "
        "(Object missing required field `per_minute`); use a command and a server of the same version"
    ) == str(error.value)


def test_an_answer_in_steps_of_another_form() -> None:
    """For example, a proxy has written the answer in several lines."""
    with (
        local_server(lambda _: Reply(200, b'{\n "merged": 1\n}')) as server,
        Client(server.url, TOKEN) as client,
        pytest.raises(UnknownAnswer) as error,
    ):
        list(client.replayed("acme/widgets", "forecast", {}, object))

    assert (
        "the server's answer has another form than this command expects "
        "(Input data was truncated); use a command and a server of the same version"
    ) == str(error.value)
