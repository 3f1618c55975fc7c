"""The exported JSON schema is valid and has the shape of the published one."""

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from configuration.documents import SHARED
from mergecast.language.configuration.deprecations import DEPRECATIONS
from mergecast.language.configuration.schema import configuration_schema

_PUBLISHED = SHARED / "reference" / "configuration-schema-2026-10.json"
_DOCUMENTS = sorted((SHARED / "corpus" / "configs").glob("*.yml"))
_HAVE = pytest.mark.skipif(not _PUBLISHED.exists(), reason=f"not beside the project: {_PUBLISHED}")
_HAVE_DOCUMENTS = pytest.mark.skipif(not _DOCUMENTS, reason="the documents are not beside the project")

_BOUNDS = (
    "type",
    "enum",
    "const",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "minLength",
    "pattern",
    "maxProperties",
    "propertyNames",
    "patternProperties",
)
# Documented, but not in the published schema.
_ONLY_DOCUMENTED = {("conflict_resolvers", "*", "auto")}
# Where this schema says more than the published one, and why.
_STRICTER = {"branches": "strings, where the published schema leaves the type open"}


@cache
def _ours() -> dict[str, Any]:
    return configuration_schema()


@cache
def _published() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(_PUBLISHED.read_text(encoding="utf-8"))
    return schema


@cache
def _validators() -> tuple[Draft202012Validator, Draft202012Validator]:
    return Draft202012Validator(_published()), Draft202012Validator(_ours())


def _resolved(schema: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        name = node["$ref"].removeprefix("#/$defs/")
        node = {**schema["$defs"][name], **{key: value for key, value in node.items() if key != "$ref"}}
    return node


def _alternatives(schema: dict[str, Any], node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    node = _resolved(schema, node)
    inner = node.get("anyOf") or node.get("oneOf")
    if inner is None:
        yield node
    else:
        for alternative in inner:
            yield from _alternatives(schema, alternative)


def _fields(
    schema: dict[str, Any], node: dict[str, Any], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Every field below a node; condition lists count as one field."""
    for alternative in _alternatives(schema, node):
        if "items" in alternative:
            yield from _fields(schema, alternative["items"], (*path, "*"))
        for name, field in alternative.get("properties", {}).items():
            yield (*path, name), field
            if not _is_condition_list(name):
                yield from _fields(schema, field, (*path, name))


def _is_condition_list(name: str) -> bool:
    return name.endswith("conditions") or name == "if"


def _bounds(schema: dict[str, Any], field: dict[str, Any]) -> list[str]:
    """The bounds of each alternative of a field, in a fixed order."""
    found = []
    for node in _alternatives(schema, field):
        kept = {key: node[key] for key in _BOUNDS if key in node}
        if "patternProperties" in kept:
            kept["patternProperties"] = sorted(kept["patternProperties"])
        if "enum" in kept:
            kept["enum"] = sorted(kept["enum"])
        if {"enum", "const"} & kept.keys():
            kept.pop("type", None)
        found.append(json.dumps(kept, sort_keys=True))
    return sorted(found)


def test_the_schema_is_valid_draft_2020_12() -> None:
    Draft202012Validator.check_schema(_ours())

    assert "https://json-schema.org/draft/2020-12/schema" == _ours()["$schema"]


def test_the_schema_is_plain_json_and_deterministic() -> None:
    assert json.dumps(_ours()) == json.dumps(configuration_schema())


def test_every_field_has_a_description() -> None:
    fields = list(_fields(_ours(), _ours()))

    assert len(fields) > 200
    assert [] == [path for path, field in fields if not _resolved(_ours(), field).get("description")]


def test_mappings_with_known_keys_allow_no_others() -> None:
    open_ones = [
        name
        for name, node in _ours()["$defs"].items()
        if "properties" in node and node.get("additionalProperties") is not False
    ]

    assert [] == open_ones
    assert _ours()["additionalProperties"] is False


def test_deprecated_options_are_marked_and_no_others() -> None:
    marked = {".".join(path) for path, field in _fields(_ours(), _ours()) if field.get("deprecated")}
    aliases = {"conditions", "routing_conditions"}  # never part of the schema

    assert marked == {
        f"{parent}.{row.name}"
        for row in DEPRECATIONS
        if row.name not in aliases | {"requeue"}
        for parent in row.parents
    }


@_HAVE
def test_the_schema_marks_the_same_options_as_deprecated_as_the_published_one() -> None:
    ours = {path for path, field in _fields(_ours(), _ours()) if field.get("deprecated")}
    marks = {"deprecated", "configuration_deprecated_attribute"}  # some options have only the second
    published = {path for path, field in _fields(_published(), _published()) if marks & field.keys()}

    assert published == ours


@_HAVE
def test_the_schema_has_the_fields_of_the_published_one() -> None:
    ours = {path for path, _ in _fields(_ours(), _ours())}
    published = {path for path, _ in _fields(_published(), _published())}

    assert published == ours - _ONLY_DOCUMENTED


@_HAVE
def test_fields_have_the_bounds_and_choices_of_the_published_schema() -> None:
    published = dict(_fields(_published(), _published()))
    different = {
        ".".join(path): (_bounds(_published(), published[path]), _bounds(_ours(), field))
        for path, field in _fields(_ours(), _ours())
        if path in published and path[-1] not in _STRICTER and not _is_condition_list(path[-1])
    }

    assert {} == {path: (theirs, ours) for path, (theirs, ours) in different.items() if theirs != ours}


@_HAVE
def test_fields_have_the_defaults_of_the_published_schema() -> None:
    """Except that an empty list or mapping is stated here even if the published schema leaves it out."""
    ours = dict(_fields(_ours(), _ours()))
    published = {
        path: field["default"] for path, field in _fields(_published(), _published()) if "default" in field
    }

    assert published == {path: ours[path].get("default") for path in published}
    assert [] == [
        path for path in ours.keys() - published.keys() if ours[path].get("default") not in (None, [], {})
    ]


@_HAVE
@_HAVE_DOCUMENTS
def test_real_documents_are_valid_in_both_schemas_or_in_neither() -> None:
    """Without exception."""
    documents = {}
    for file in _DOCUMENTS:
        with suppress(yaml.YAMLError):
            documents[file.stem] = yaml.load(file.read_bytes(), yaml.CSafeLoader) or {}

    published, ours = _validators()
    assert {name: published.is_valid(document) for name, document in documents.items()} == {
        name: ours.is_valid(document) for name, document in documents.items()
    }


@pytest.mark.parametrize(
    ("document", "is_valid"),
    [
        ({}, True),
        ({"queue_rules": [{"name": "a", "queue_conditions": True}]}, True),
        ({"queue_rules": [{"name": "a", "queue_conditions": False}]}, False),
        ({"queue_rules": [{"name": "a", "queue_conditions": [{"not": {"and": ["draft"]}}]}]}, True),
        ({"queue_rules": [{"name": "a", "queue_conditions": [{"not": ["draft"]}]}]}, False),
        ({"queue_rules": [{"name": "a", "queue_conditions": [{"not": {"not": "draft"}}]}]}, False),
        ({"queue_rules": [{"name": "a", "queue_conditions": [{"and": [], "or": []}]}]}, False),
        ({"queue_rules": [{"name": "a", "batch_size": {"min": 1, "max": 2}}]}, True),
        ({"queue_rules": [{"name": "a", "batch_size": {"min": 1}}]}, False),
        ({"queue_rules": [{"name": "a", "checks_timeout": "auto"}]}, True),
        ({"queue_rules": [{}]}, False),
        ({"scopes": {"source": {"manual": None}}}, True),
        ({"scopes": {"source": {"manual": None, "files": {}}}}, False),
        ({"scopes": {"source": {"files": {"a": {}}}}}, False),
        ({"scopes": {"merge_queue_scope": "x"}}, False),
        ({"scopes": {"capacities": {"x": 1}}}, False),
        ({"scopes": {"capacities": {"a b": 1}}}, False),
        ({"scopes": {"capacities": {"e2e": 1, "api-*": 2, "?": 3}}}, True),
        ({"scopes": {"capacities": {"e2e": 0}}}, False),
        ({"scopes": {"capacities": {"x": 1}, "source": {"manual": None}}}, True),
        ({"scopes": {"capacities": {"x" * 1025: 1}, "source": {"manual": None}}}, False),
        ({"scopes": {"capacities": {"x": 1}, "source": {"files": {}}}}, False),
        ({"conflict_resolvers": []}, True),
        ({"conflict_resolvers": [{"paths": ["a"], "strategy": "union"}]}, True),
        ({"conflict_resolvers": [{"paths": [], "strategy": "union"}]}, False),
        ({"conflict_resolvers": [{"paths": ["a"]}]}, False),
        ({"conflict_resolvers": [{"package-manager": "npm", "directories": ["/"]}]}, True),
        ({"conflict_resolvers": [{"package-manager": "npm"}]}, False),
        ({"conflict_resolvers": [{"language": "go"}, {"language": "go", "directories": ["a"]}]}, True),
        ({"conflict_resolvers": [{"language": "go", "strategy": "union"}]}, False),
        ({"queue_rules": [{"name": "a", "autoqueue": False}]}, False),
        ({"queue_rules": [{"name": "a", "autosquash": True}]}, False),
        ({"defaults": {"actions": {"rebase": {"autosquash": True}}}}, False),
        ({"merge_protections_settings": {"auto_merge": True}}, False),
        ({"priority_rules": [{"name": "a", "conditions": [], "priority": "low"}]}, True),
        ({"priority_rules": [{"name": "a", "conditions": [], "priority": True}]}, False),
        ({"defaults": {"queue_rule": {"name": "a"}}}, False),
        ({"defaults": None}, False),
        ({"extends": None, "shared": None}, True),
    ],
)
def test_small_documents(document: Any, *, is_valid: bool) -> None:
    assert is_valid is Draft202012Validator(_ours()).is_valid(document)
    if _PUBLISHED.exists():
        assert is_valid is Draft202012Validator(_published()).is_valid(document)


@pytest.mark.parametrize(
    ("entry", "is_valid"), [({"auto": True}, True), ({"auto": False}, False), ({"auto": None}, False)]
)
def test_automatic_resolvers_of_conflicts(entry: Any, *, is_valid: bool) -> None:
    assert is_valid is Draft202012Validator(_ours()).is_valid({"conflict_resolvers": [entry]})
