"""Texts with plain variables such as `{{ author }}`; each field has its own list of variables."""

import re
from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, core_schema

from mergecast.language.configuration.deprecations import TEMPLATE_LANGUAGE
from mergecast.language.configuration.problems import InvalidField, ReadContext, context_of, invalid
from mergecast.language.configuration.templates.legacy import KNOWN_NAMES, InvalidTemplate, check_legacy
from mergecast.queues.model.nearest import nearest

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Placeholders:
    """Marks a field whose text may contain these variables."""

    variables: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        return template_schema(self.variables)

    def _check(self, text: str, info: ValidationInfo) -> str:
        if "{" in text:
            check_placeholders(text, self.variables, context_of(info.context))
        return text


def template_schema(variables: tuple[str, ...]) -> dict[str, Any]:
    """The schema for editors: a text with these variables."""
    return {"type": "string", "format": "simple-template", "x-template-variables": list(variables)}


def check_placeholders(text: str, variables: tuple[str, ...], context: ReadContext) -> None:
    """Raise InvalidField for what neither language knows; record the use of the older language."""
    names, unterminated = _variables(text)
    plain = all(name in variables for name in names)
    has_blocks = "{%" in text or "{#" in text
    if plain and not unterminated and (not has_blocks or context.has_expired(TEMPLATE_LANGUAGE)):
        return
    try:
        check_legacy(text, variables, context.today)
    except InvalidTemplate as error:
        raise _explained(error, names, variables, unterminated=unterminated) from None
    if problem := context.deprecated_use(TEMPLATE_LANGUAGE, ""):
        raise InvalidField(problem)


def _variables(text: str) -> tuple[list[str], bool]:
    """The texts in double braces, and whether the last braces are unclosed; runs in linear time."""
    names: list[str] = []
    start = text.find("{{")
    while start >= 0:
        end = text.find("}}", start + 2)
        if end < 0:
            return names, True
        names.append(text[start + 2 : end].strip())
        start = text.find("{{", end + 2)
    return names, False


def _explained(
    error: InvalidTemplate, names: list[str], variables: tuple[str, ...], *, unterminated: bool
) -> InvalidField:
    if unterminated:
        return invalid("Unterminated variable: `}}` is missing after `{{`")
    for name in names:
        if name not in variables and _NAME.fullmatch(name) and name not in KNOWN_NAMES:
            return invalid(f"Unknown variable: {name[:_LONGEST_NAME]}; {_suggestion(name, variables)}")
    return invalid(error.reason)


def _suggestion(name: str, variables: tuple[str, ...]) -> str:
    allowed = ", ".join(f"`{variable}`" for variable in variables)
    near = nearest(name, variables)
    return f"did you mean `{near}`?" if near else f"allowed variables: {allowed}"
