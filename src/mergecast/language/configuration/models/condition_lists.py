"""Parse and validate lists of conditions."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, core_schema

from mergecast.language.conditions.attribute import Section
from mergecast.language.conditions.errors import InvalidCondition, excerpt
from mergecast.language.conditions.parser import parse_condition
from mergecast.language.conditions.slips import slips
from mergecast.language.conditions.tree import All, AnyOf, Condition, Leaf, Not
from mergecast.language.configuration.deprecations import STATUS_ATTRIBUTES
from mergecast.language.configuration.errors import as_text
from mergecast.language.configuration.problems import InvalidField, Problem, ReadContext, Steps, context_of
from mergecast.language.configuration.wording import found
from mergecast.queues.model.nearest import nearest

MOST_CONDITIONS = 500
DEEPEST_GROUP = 32
# A marker for the recursive schema of condition lists, replaced when the whole schema is built.
CONDITIONS_FORMAT = "conditions"
LONGEST_SHOWN = 200
# More errors help no one, and finding the nearest name for each takes time.
MOST_ERRORS = 1000

_GROUPS: dict[str, type[All | AnyOf]] = {"and": All, "or": AnyOf}
_NODE = "a condition such as `base = main`, or a mapping with one key: `and`, `or` or `not`"


@dataclass(frozen=True, slots=True)
class Conditions:
    """Marks a field with a list of conditions, which becomes a tree."""

    section: Section = Section.RULES

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._read)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        return {"format": CONDITIONS_FORMAT}

    def _read(self, value: Any, info: ValidationInfo) -> All:
        if isinstance(value, All):
            return value
        return read_conditions(value, self.section, context_of(info.context))


ConditionList = Annotated[All, Conditions()]


def read_conditions(value: Any, section: Section, context: ReadContext) -> All:
    """The tree of a condition list; raises InvalidField with all its problems."""
    reader = _Reader(section, context)
    members = reader.members(value, (), 0)
    if reader.problems:
        raise InvalidField(*reader.problems)
    return All(members)


class _Reader:
    def __init__(self, section: Section, context: ReadContext) -> None:
        self._section, self._context = section, context
        self.problems: list[Problem] = []

    def members(self, value: Any, steps: Steps, depth: int) -> tuple[Condition, ...]:
        if value is True:
            return ()
        if not isinstance(value, list):
            hint = f"; write `[{value[:LONGEST_SHOWN]!r}]`" if isinstance(value, str) else ""
            hint = "; write `[]` for no conditions" if value is None else hint
            self._wrong(f"Input should be a valid list of conditions, or `true`, {found(value)}{hint}", steps)
            return ()
        if len(value) > MOST_CONDITIONS:
            self._wrong(f"List should have at most {MOST_CONDITIONS} items, found {len(value)}", steps)
            return ()
        nodes = [self._node(item, (*steps, index), depth) for index, item in enumerate(value)]
        return tuple(node for node in nodes if node is not None)

    def _node(self, value: Any, steps: Steps, depth: int) -> Condition | None:
        if isinstance(value, str):
            return self._leaf(value, steps)
        if isinstance(value, dict):
            return self._group(value, steps, depth + 1)
        self._wrong(f"Input should be {_NODE}, {found(value)}{_hint(value)}", steps)
        return None

    def _group(self, value: dict[Any, Any], steps: Steps, depth: int) -> Condition | None:
        if depth > DEEPEST_GROUP:
            self._wrong(f"Maximum number of nested conditions reached: at most {DEEPEST_GROUP} levels", steps)
            return None
        if unknown := [key for key in value if key not in ("and", "or", "not")]:
            for key in unknown:
                message = _unknown_key(key, value[key])
                self.problems.append(Problem(message, (*steps, key), at_key=True))
            return None
        if len(value) != 1:
            keys = " and ".join(f"`{key}`" for key in value) or "no key"
            self._wrong(f"Input should be a mapping with one key, `and`, `or` or `not`, found {keys}", steps)
            return None
        ((key, body),) = value.items()
        if key == "not":
            return self._negation(body, (*steps, key), depth)
        return _GROUPS[key](self.members(body, (*steps, key), depth))

    def _negation(self, body: Any, steps: Steps, depth: int) -> Condition | None:
        if isinstance(body, dict) and "not" in body:
            self._wrong(
                "`not` cannot contain another `not` directly; put the inner one in an `and`", (*steps, "not")
            )
            return None
        if not isinstance(body, str | dict):
            hint = "; write `not: {and: [...]}` or `not: {or: [...]}`" if isinstance(body, list) else ""
            self._wrong(
                f"Input should be one condition, or an `and` or `or` group, {found(body)}{hint}", steps
            )
            return None
        node = self._node(body, steps, depth)
        return None if node is None else Not(node)

    def _leaf(self, text: str, steps: Steps) -> Leaf | None:
        if len(self.problems) > MOST_ERRORS:
            return None
        result = parsed(text, self._section)
        if isinstance(result, InvalidCondition):
            self._wrong(f"Invalid condition '{excerpt(text, LONGEST_SHOWN)}'. {result.reason}", steps)
            return None
        leaf, slipped = result
        self._context.slips += bool(slipped)
        if spelling := leaf.written_name:
            problem = self._context.deprecated_use(STATUS_ATTRIBUTES, spelling)
            if problem is not None:
                self.problems.append(replace(problem, steps=steps))
        return leaf

    def _wrong(self, message: str, steps: Steps) -> None:
        self.problems.append(Problem(message, steps))


# Rules often share conditions, and a document with defaults is validated twice.
@lru_cache(maxsize=4096)
def parsed(text: str, section: Section) -> tuple[Leaf, tuple[str, ...]] | InvalidCondition:
    """A condition and its probable mistakes, or the error; errors are cached too."""
    try:
        leaf = parse_condition(text, section)
    except InvalidCondition as error:
        return error
    return leaf, slips(leaf)


_MEANT = {"any": "or", "any of": "or", "one of": "or", "all": "and", "all of": "and"}


def _unknown_key(written: Any, value: Any) -> str:
    key = as_text(written)
    message = f"Extra inputs are not permitted: `{key[:LONGEST_SHOWN]}` is not `and`, `or` or `not`"
    near = _MEANT.get(key) or nearest(key, ("and", "or", "not"))
    if near:
        return f"{message}; did you mean `{near}`?"
    if isinstance(written, str) and isinstance(value, str | int):
        text = f"{key}={as_text(value)}"[:LONGEST_SHOWN]
        return f"{message}; a condition is a single string, write `{text}`"
    return message


def _hint(value: Any) -> str:
    if value is None:
        return "; `#` starts a comment in YAML, so put a condition that starts with `#` in quotes"
    if isinstance(value, list):
        return "; write `and:` before the list to make it a group"
    return "; put the condition in quotes"
