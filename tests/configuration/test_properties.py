"""Properties of every document."""

from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from configuration.document_places import (
    STYLES,
    Place,
    as_path,
    dumped,
    mappings,
    required_fields,
    shuffled,
    with_value,
    without,
)
from configuration.documents import TODAY, lines, places
from configuration.valid_documents import Document, defined, documents, in_harmony
from mergecast.language.configuration.errors import DocumentError
from mergecast.language.configuration.models.actions import Actions
from mergecast.language.configuration.read import read_configuration
from mergecast.language.configuration.read_result import Deprecation, Hint, ReadResult

pytestmark = pytest.mark.thorough

_many = settings(deadline=None, derandomize=True, max_examples=150)
_some = settings(deadline=None, derandomize=True, max_examples=40)
_few = settings(deadline=None, derandomize=True, max_examples=12)

_ACTIONS = {field.alias or name: name for name, field in Actions.model_fields.items()}
_DEFINITIONS = {name: "".join(word.capitalize() for word in name.split("_")) for name in _ACTIONS}
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.dates()
    | st.text(max_size=8)
    | st.binary(max_size=4)
    | st.sampled_from(
        ["and", "or", "not", "draft", "name", "queue_rules", "{{ x }}", "{{ author }}", "#files > 3"]
    )
)
_ANYTHING = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_SCALARS, inner, max_size=4),
    max_leaves=12,
)
_UNKNOWN = "zebra_crossing"


def _read(text: str) -> ReadResult:
    return read_configuration(text, today=TODAY)


def _is_sound(result: ReadResult, text: str) -> None:
    """There is a configuration or errors, never both, and every position is inside the text."""
    assert (result.configuration is None) is bool(result.errors)
    rows = text.split("\n")
    told: list[DocumentError | Deprecation | Hint] = [*result.errors, *result.deprecations, *result.hints]
    for place in told:
        assert place.message
        assert "\n" not in place.message
        assert 1 <= place.line <= len(rows) + 1
        assert 1 <= place.column <= max(map(len, rows)) + 1
    order = [(error.line, error.column, error.text) for error in result.errors]
    assert sorted(order) == order


def _judgement(result: ReadResult) -> Any:
    """Everything except positions."""
    return (
        result.configuration,
        sorted((error.path, error.message) for error in result.errors),
        sorted((use.path_to_field or (), use.message) for use in result.deprecations),
        sorted((hint.path, hint.message) for hint in result.hints),
        result.sections,
    )


@_many
@given(documents())
def test_a_document_made_from_the_models_is_valid(document: Document) -> None:
    result = _read(dumped(document))

    assert [] == lines(result)
    _is_sound(result, dumped(document))


@pytest.mark.parametrize("action", _ACTIONS)
@_few
@given(st.data())
def test_every_action_with_any_of_its_options_is_valid(action: str, data: st.DataObject) -> None:
    options = data.draw(st.none() | defined(_DEFINITIONS[action]))
    rule = {"name": "a", "conditions": [], "actions": {action: options}}
    result = _read(dumped(in_harmony({"pull_request_rules": [rule]})))

    assert [] == lines(result)
    assert result.configuration is not None
    actions = result.configuration.pull_request_rules[0].actions
    assert {_ACTIONS[action]} == actions.model_fields_set


@_many
@given(documents(), st.data())
def test_an_unknown_key_is_found_wherever_it_is(document: Document, data: st.DataObject) -> None:
    place = data.draw(st.sampled_from(list(mappings(document))))
    text = dumped(with_value(document, (*place, _UNKNOWN), 1))

    assert [(".".join(as_path((*place, _UNKNOWN))), *_position(text, f"{_UNKNOWN}:"))] == places(_read(text))
    assert _read(text).errors[0].message.startswith("Extra inputs are not permitted")


@_many
@given(documents(), st.data())
def test_an_unknown_key_does_not_hide_an_unknown_queue(document: Document, data: st.DataObject) -> None:
    """Errors that do not depend on each other are reported together."""
    rules = document.get("pull_request_rules", [])
    rule = {"name": "the last rule", "conditions": [], "actions": {"queue": {"name": "nowhere"}}}
    document = document | {"pull_request_rules": [*rules, rule]}
    place = data.draw(st.sampled_from(list(mappings(document))))
    unknown: Place = (*place, _UNKNOWN)
    result = _read(dumped(with_value(document, unknown, 1)))

    queue: Place = ("pull_request_rules", len(rules), "actions", "queue", "name")
    assert {as_path(unknown), as_path(queue)} == {error.path for error in result.errors}


@_many
@given(documents(), st.data())
def test_a_missing_field_is_found_wherever_it_was(document: Document, data: st.DataObject) -> None:
    fields = required_fields(document)
    assume(fields)
    place = data.draw(st.sampled_from(fields))
    text = dumped(without(document, place))
    result = _read(text)

    # An empty source could have been either kind; the message asks for `files`.
    missing: Place = (*place[:-1], "files") if place[-1] == "manual" else place
    assert [as_path(missing)] == [error.path for error in result.errors]
    assert result.errors[0].message.startswith("Field required")
    _is_sound(result, text)


@_some
@given(documents())
def test_yaml_style_does_not_matter(document: Document) -> None:
    expected = _judgement(_read(dumped(document)))

    for style, write in STYLES.items():
        assert expected == _judgement(_read(write(document))), style


@_some
@given(documents(), st.data())
def test_yaml_style_does_not_change_errors(document: Document, data: st.DataObject) -> None:
    assume(document)
    place = data.draw(st.sampled_from(_all_places(document)[1:]))
    wrong = with_value(document, place, data.draw(_ANYTHING))
    expected = _judgement(_read(dumped(wrong)))

    for style, write in STYLES.items():
        if style != "json":
            assert expected == _judgement(_read(write(wrong))), style


@_some
@given(documents(), st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(document: Document, chance: Random) -> None:
    assert _judgement(_read(dumped(document))) == _judgement(_read(dumped(shuffled(document, chance))))


@_some
@given(defined("QueueOptions"), defined("QueueOptions"), defined("QueueOptions"))
def test_merge_keys_equal_their_content(first: Document, second: Document, own: Document) -> None:
    shared = {"first": first, "second": second}
    anchors = "".join(f"  {key}: &{key} {_flow(value)}\n" for key, value in shared.items())
    queue = _flow({"name": "q", **own})[1:]
    merged = f"shared:\n{anchors}queue_rules: [{{<<: [*first, *second], {queue}]\n"
    expanded = dumped({"shared": shared, "queue_rules": [{"name": "q", **second, **first, **own}]})

    assert _judgement(_read(expanded)) == _judgement(_read(merged))


@_some
@given(defined("Conditions"))
def test_aliases_equal_their_content(conditions: Any) -> None:
    used = f"shared: {{c: &c {_flow(conditions)}}}\nqueue_rules: [{{name: q, queue_conditions: *c}}]\n"
    used += "priority_rules: [{name: p, conditions: [{and: *c}]}]\n"
    expanded = {
        "shared": {"c": conditions},
        "queue_rules": [{"name": "q", "queue_conditions": conditions}],
        "priority_rules": [{"name": "p", "conditions": [{"and": conditions}]}],
    }

    assert _judgement(_read(dumped(expanded))) == _judgement(_read(used))


@_many
@given(documents(), st.data())
def test_any_value_at_any_place_gives_a_result(document: Document, data: st.DataObject) -> None:
    place = data.draw(st.sampled_from(_all_places(document)))
    value = data.draw(_ANYTHING)
    text = dumped(with_value(document, place, value) if place else value)

    _is_sound(_read(text), text)


@_many
@given(_ANYTHING)
def test_any_value_gives_a_result(value: Any) -> None:
    text = dumped(value)

    _is_sound(_read(text), text)


@_many
@given(st.text() | st.text(alphabet="abn: -[]{}\n\t'\"#&*!|>%@`,?<~0123456789.\ufeff\x00\ud800"))
def test_any_text_gives_a_result(text: str) -> None:
    _is_sound(_read(text), text)


@_many
@given(
    documents(), st.integers(0, 10_000), st.integers(0, 3), st.text("abn: -[]{}\n\t'\"#&*!|>%", max_size=3)
)
def test_a_damaged_text_gives_a_result(document: Document, start: int, length: int, inserted: str) -> None:
    text = dumped(document)
    start %= len(text)
    slipped = text[:start] + inserted + text[start + length :]

    _is_sound(_read(slipped), slipped)


@_some
@given(documents())
def test_reading_is_deterministic(document: Document) -> None:
    assert _read(dumped(document)) == _read(dumped(document))


def _position(text: str, word: str) -> tuple[int, int]:
    before = text[: text.index(word)].split("\n")
    return len(before), len(before[-1]) + 1


def _flow(value: Any) -> str:
    return dumped(value, default_flow_style=True, width=10_000).removesuffix("\n").removesuffix("\n...")


def _all_places(value: Any, place: Place = ()) -> list[Place]:
    found = [place]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in items:
        found += _all_places(item, (*place, step))
    return found


def test_the_styles_are_different_texts() -> None:
    document = {"queue_rules": [{"name": "a", "queue_conditions": ["draft", "closed"]}]}

    assert all(document == yaml.safe_load(style(document)) for style in STYLES.values())
    assert len(STYLES) - 1 == len({style(document) for style in STYLES.values()})
