"""The products that a repository may have enabled; each evaluates some sections of a document."""

PRODUCTS = {
    "workflow_automation": "Workflow Automation",
    "merge_queue": "Merge Queue",
    "merge_protections": "Merge Protections",
}


def in_order(products: frozenset[str]) -> tuple[str, ...]:
    """These products in the one order in which they are told everywhere."""
    return tuple(product for product in PRODUCTS if product in products)
