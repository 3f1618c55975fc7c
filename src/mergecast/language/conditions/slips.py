"""Conditions that are valid but probably do not mean what the author intended."""

from collections.abc import Iterator

from mergecast.language.conditions.attribute import Attribute, ValueKind
from mergecast.language.conditions.errors import excerpt
from mergecast.language.conditions.globs import Glob
from mergecast.language.conditions.operators import ORDER, REVERSED, Operator
from mergecast.language.conditions.tree import Condition, Leaf, leaves
from mergecast.language.conditions.values import CheckName
from mergecast.queues.model.nearest import nearest

_MEANT = REVERSED | {"=~": "~="}


def slips(condition: Condition) -> tuple[str, ...]:
    """One sentence per probable mistake, in the order of the conditions."""
    return tuple(slip for leaf in leaves(condition) for slip in _of_leaf(leaf))


def _of_leaf(leaf: Leaf) -> Iterator[str]:
    attribute = leaf.attribute
    text = leaf.value.name if isinstance(leaf.value, CheckName) else leaf.value
    if isinstance(text, str):
        if (
            leaf.operator in ORDER
            and attribute.count
            and not leaf.commit
            and text.isascii()
            and text.isdecimal()
        ):
            advice = f"Without `#` the value is compared with the text `{excerpt(text)}`"
            yield f"did you mean #{attribute.name}? {advice}"
        if leaf.operator is Operator.EQUAL:
            yield from _misspelled_operator(leaf, text)
        if leaf.compared.kind is ValueKind.ENUMERATION and leaf.operator is not Operator.MATCHES:
            yield from _unknown_member(attribute, text)
    if isinstance(leaf.value, Glob) and not leaf.value.alternatives:
        yield f"the glob `{excerpt(leaf.value.pattern)}` matches nothing: its braces contain no alternative"


def _misspelled_operator(leaf: Leaf, text: str) -> Iterator[str]:
    """`=~ x` is valid and means: equal to the text `~ x`."""
    written = f"={text[:1]}"
    meant = _MEANT.get(written)
    if meant and written in leaf.text:
        yield f"did you mean `{meant}`? `{written}` compares with the text `{excerpt(text)}`"


def _unknown_member(attribute: Attribute, text: str) -> Iterator[str]:
    if text in attribute.members:
        return
    near = nearest(text, attribute.members)
    if near and attribute.is_folded:
        near = near.lower().replace("_", "-")
    advice = f"; did you mean `{near}`?" if near else ""
    yield f"`{excerpt(text)}` is not a value of `{attribute.name}` and never matches{advice}"
