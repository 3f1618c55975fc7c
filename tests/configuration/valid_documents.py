"""Valid documents generated from the exported schema, with all sections, actions and options."""

from copy import deepcopy
from functools import cache
from typing import Any

from hypothesis import strategies as st

from mergecast.language.configuration.schema import configuration_schema

Document = dict[str, Any]
Values = st.SearchStrategy[Any]

_TEXTS = st.sampled_from(["main", "bug", "ann", "core-team", "stable_1", "a-b"])
_KEYS = st.sampled_from(["api", "web-ui", "e2e", "docs_2"])
_BY_FORMAT = {
    "duration": ["30 s", "5 min", "1 d 15 h", "2h", "0 s"],
    "glob": ["src/**", "*.md", "docs/{a,b}/*.rst", "[!x]?"],
    "regex": ["^stable", "v[0-9]+", "(?i)x"],
    "template": ["{{ title }}", "{{ body | trim }}", "plain", "{% if draft %}{{ head }}{% endif %}"],
}
_BY_NAME = {
    "checks_timeout": st.sampled_from(["auto", "60 s", "2 h", None]),
    "merge_queue_scope": _KEYS,
    "priority": st.sampled_from(["low", "medium", "high"]) | st.integers(1, 10_000),
    "extends": st.none(),
    "shared": st.none() | st.dictionaries(_KEYS, st.integers() | _TEXTS, max_size=2),
    # The valid values of these depend on other options; `in_harmony` and separate tests cover them.
    "merge_method": st.sampled_from(["merge", "rebase", "squash", None]),
    "branch_protection_injection_mode": st.sampled_from(["queue", "merge"]),
    "queue_branch_merge_method": st.none(),
    "allow_queue_branch_edit": st.just(False),
}
_CONDITIONS = st.sampled_from(
    [
        "base = main",
        "-draft",
        "label != wip",
        "#approved-reviews-by >= 2",
        "files *= src/**",
        "title ~= ^(feat|fix)",
        "check-success = ci",
        "author = @acme/core",
        "updated-at < 7 days ago",
        "schedule = Mon-Fri 09:00-17:00[Europe/Paris]",
        "commits[*].author = {{ author }}",
    ]
)
_MOST_OPTIONS = 4


def _groups(inner: Values) -> Values:
    lists = st.lists(inner, max_size=3) | st.just(True)
    group = st.builds(lambda key, members: {key: members}, st.sampled_from(["and", "or"]), lists)
    return group | st.builds(lambda body: {"not": body}, _CONDITIONS | group)


_NODES = st.recursive(_CONDITIONS, _groups, max_leaves=5)
condition_lists = st.lists(_NODES, max_size=3) | st.just(True)


@cache
def _schema() -> Document:
    return configuration_schema()


@cache
def defined(name: str) -> Values:
    """Values of one definition of the schema."""
    return condition_lists if name == "Conditions" else st.deferred(lambda: _of(_schema()["$defs"][name]))


def _of(node: Document, name: str = "") -> Values:
    if name in _BY_NAME:
        return _BY_NAME[name]
    if "$ref" in node:
        return defined(node["$ref"].removeprefix("#/$defs/"))
    if alternatives := node.get("anyOf") or node.get("oneOf"):
        return st.one_of([_of(alternative, name) for alternative in alternatives])
    if "const" in node:
        return st.just(node["const"])
    if "enum" in node:
        return st.sampled_from(node["enum"])
    return _of_type(node)


def _of_type(node: Document) -> Values:
    match node["type"]:
        case "string":
            return _strings(node)
        case "integer":
            return st.integers(node.get("minimum", 0), min(node.get("maximum", 500), 500))
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case "array":
            return st.lists(_of(node["items"]), min_size=node.get("minItems", 0), max_size=2)
        case _:
            return _mappings(node)


def _strings(node: Document) -> Values:
    if variables := node.get("x-template-variables"):
        return st.sampled_from(["robot", *(f"{{{{ {name} }}}}" for name in variables)])
    return st.sampled_from(_BY_FORMAT[node["format"]]) if "format" in node else _TEXTS


def _mappings(node: Document) -> Values:
    if "properties" not in node:
        values = node.get("additionalProperties") or next(iter(node["patternProperties"].values()))
        return st.dictionaries(_KEYS, _of(values), max_size=2)
    fields = {name: _of(field, name) for name, field in node["properties"].items()}
    required = node.get("required", [])
    optional = sorted(fields.keys() - set(required))
    if not optional:
        return st.fixed_dictionaries(fields)
    return _some_of(
        fields, required, st.lists(st.sampled_from(optional), unique=True, max_size=_MOST_OPTIONS)
    )


# Making a strategy for the chosen fields would take longer than drawing them.
@st.composite
def _some_of(draw: st.DrawFn, fields: dict[str, Values], required: list[str], chosen: Values) -> Document:
    return {name: draw(fields[name]) for name in (*required, *draw(chosen))}


@cache
def documents() -> st.SearchStrategy[Document]:
    return st.deferred(lambda: _of(_schema())).map(in_harmony)


def in_harmony(document: Document) -> Document:
    """The same document without conflicts between fields."""
    result = deepcopy(document)
    for section in ("pull_request_rules", "queue_rules", "priority_rules", "merge_protections"):
        for index, rule in enumerate(result.get(section, ())):
            rule["name"] = f"{rule['name']} {index}"
    defaults = result.get("defaults", {})
    _settle_queues(result, defaults)
    _settle_actions(result, defaults)
    _settle_modes(result)
    return result


def _settle_queues(document: Document, defaults: Document) -> None:
    for queue in [*document.get("queue_rules", ()), defaults.get("queue_rule") or {}]:
        _settle_message(queue)
        size = queue.get("batch_size")
        if isinstance(size, dict):
            size["min"], size["max"] = sorted((size["min"], size["max"]))


def _settle_actions(document: Document, defaults: Document) -> None:
    queues = [rule["name"] for rule in document.get("queue_rules", ())]
    rules = [rule["actions"] for rule in document.get("pull_request_rules", ())]
    for actions in [*rules, defaults.get("actions", {})]:
        _settle_message(actions.get("merge") or {})
        queue = actions.get("queue") or {}
        if queue.get("name") is not None:
            queue["name"] = queues[0] if queues else "default"


def _settle_message(options: Document) -> None:
    written = options.get("commit_message_format")
    if written is not None:
        options.pop("commit_message_template", None)
        if written.get("trailers"):
            written["body"] = "empty"


def _settle_modes(document: Document) -> None:
    queue, scopes = document.get("merge_queue", {}), document.get("scopes", {})
    source = scopes.get("source")
    if queue.get("mode") == "parallel" and source is None:
        queue["mode"] = "serial"
    if queue.get("mode") == "isolated":
        queue.pop("skip_intermediate_results", None)
    if "files" not in (source or {}):
        scopes.pop("barrier_files", None)
