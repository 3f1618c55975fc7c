"""Sections without effect, because their product is not enabled."""

from itertools import chain, combinations

import pytest

from configuration.documents import read
from mergecast.language.configuration.models.configuration import SECTIONS, UnusedSection, unused_sections
from mergecast.queues.model.repository import PRODUCTS

_PRODUCT_OF = {
    "scopes": "merge_queue",
    "pull_request_rules": "workflow_automation",
    "queue_rules": "merge_queue",
    "priority_rules": "merge_queue",
    "merge_protections": "merge_protections",
    "merge_queue": "merge_queue",
    "merge_protections_settings": "merge_protections",
    "conflict_resolvers": "merge_queue",
}
_EVERYTHING = """
    conflict_resolvers: [auto: true]
    merge_protections_settings: {post_comment: true}
    merge_queue: {max_parallel_checks: 2}
    merge_protections: [{name: a, if: [], success_conditions: []}]
    priority_rules: [{name: a, conditions: []}]
    queue_rules: [{name: a}]
    pull_request_rules: [{name: a, conditions: [], actions: {queue: {name: a}}}]
    commands_restrictions: {queue: {}}
    scopes: {merge_queue_scope: ci}
    defaults: {queue_rule: {batch_size: 2}}
    shared: {a: 1}
    extends: other
    """
_ENABLED = list(chain.from_iterable(combinations(PRODUCTS, count) for count in range(4)))


def test_sections_are_listed_in_a_fixed_order() -> None:
    assert SECTIONS == read(_EVERYTHING).sections
    assert (
        "extends",
        "shared",
        "defaults",
        "scopes",
        "commands_restrictions",
        "pull_request_rules",
        "queue_rules",
        "priority_rules",
        "merge_protections",
        "merge_queue",
        "merge_protections_settings",
        "conflict_resolvers",
    ) == SECTIONS


@pytest.mark.parametrize("enabled", _ENABLED)
def test_a_section_is_unused_exactly_when_its_product_is_off(enabled: tuple[str, ...]) -> None:
    expected = [
        (section, product, PRODUCTS[product])
        for section, product in _PRODUCT_OF.items()
        if product not in enabled
    ]

    assert [UnusedSection(*row) for row in expected] == [
        *unused_sections(read(_EVERYTHING).sections, set(enabled))
    ]


@pytest.mark.parametrize("section", ["extends", "shared", "defaults", "commands_restrictions"])
def test_sections_of_no_product_are_never_unused(section: str) -> None:
    assert () == unused_sections((section,), ())


def test_a_queue_action_does_not_make_rules_part_of_the_queue() -> None:
    result = read("pull_request_rules: [{name: a, conditions: [], actions: {queue: }}]\n")

    assert () == unused_sections(result.sections, {"workflow_automation"})


@pytest.mark.parametrize(
    "text",
    [
        "queue_rules: []\nmerge_queue: {}\nscopes: {}\n",
        "partition_rules: [{name: a}]\n",
        "extends: null\nshared: {}\n",
        "",
    ],
)
def test_a_section_that_is_empty_does_not_count(text: str) -> None:
    assert () == read(text).sections
