"""Which product evaluates which section of the document."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from mergecast.model.products import PRODUCTS

_EVALUATED_BY = {
    "scopes": "merge_queue",
    "pull_request_rules": "workflow_automation",
    "queue_rules": "merge_queue",
    "priority_rules": "merge_queue",
    "merge_protections": "merge_protections",
    "merge_queue": "merge_queue",
    "merge_protections_settings": "merge_protections",
}


@dataclass(frozen=True, slots=True)
class UnusedSection:
    """A section that nothing evaluates, because its product is not enabled."""

    section: str
    product: str
    product_name: str


def unused_sections(sections: Collection[str], enabled: Collection[str]) -> tuple[UnusedSection, ...]:
    """Of the sections that are present, those that none of the enabled products reads."""
    return tuple(
        UnusedSection(section, product, PRODUCTS[product])
        for section in sections
        if (product := _EVALUATED_BY.get(section)) and product not in enabled
    )
