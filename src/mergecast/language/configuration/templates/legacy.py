"""Validate templates of the older language, Jinja2 in a sandbox, by rendering them with sample values."""

import re
from datetime import date
from functools import lru_cache
from typing import Any

from jinja2 import TemplateSyntaxError, UndefinedError, meta
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, core_schema

from mergecast.language.conditions.attributes import TEMPLATE_ATTRIBUTES
from mergecast.language.configuration.problems import context_of, invalid
from mergecast.language.configuration.templates.environment import NotDeterministic, brief, make_environment
from mergecast.language.configuration.templates.values import sample_values
from mergecast.queues.model.nearest import nearest

KNOWN_NAMES = frozenset(TEMPLATE_ATTRIBUTES)
POST_CHECK_VARIABLES = ("check_rule_name", "check_succeed", "check_status", "check_conditions")

_PLAIN = re.compile(r"\{\{\s*([A-Za-z_]\w*)\s*\}\}")


class InvalidTemplate(Exception):
    """The text is not a valid template; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Legacy:
    """Marks a field with a template of the older language."""

    def __init__(self, *variables: str) -> None:
        self._variables = variables

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        return {"type": "string", "format": "template"}

    def _check(self, text: str, info: ValidationInfo) -> str:
        try:
            check_legacy(text, self._variables, context_of(info.context).today)
        except InvalidTemplate as error:
            raise invalid(error.reason) from None
        return text


def check_legacy(text: str, variables: tuple[str, ...], today: date) -> None:
    """Render the template with sample attributes and these variables; raises InvalidTemplate."""
    known = KNOWN_NAMES.union(variables)
    # Most templates contain only plain names, and compiling one takes longer than reading the whole document.
    rest, names = _PLAIN.sub("", text), _PLAIN.findall(text)
    if "{" not in rest and all(name in known for name in names):
        return
    values: dict[str, Any] = dict.fromkeys(variables, "") | {"check_succeed": False}
    _render(text, values | sample_values(today))


def _render(text: str, values: dict[str, Any]) -> None:
    try:
        _environment().from_string(text).render(values)
    except TemplateSyntaxError as error:
        raise InvalidTemplate(f"Template syntax error: {brief(error)} (line {error.lineno})") from None
    except UndefinedError as error:
        raise InvalidTemplate(_unknown(error, values)) from None
    except NotDeterministic as error:
        raise InvalidTemplate(f"Template syntax error: {brief(error)}") from None
    except (ArithmeticError, LookupError, ValueError) as error:
        # With another pull request there may be no error: `title.index(':')` needs a title with a colon.
        if not meta.find_undeclared_variables(_environment().parse(text)):
            raise InvalidTemplate(f"Template syntax error: {brief(error)}") from None
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  (a template can raise whatever Python can)
        raise InvalidTemplate(f"Template syntax error: {brief(error)}") from None


def _unknown(error: UndefinedError, values: dict[str, Any]) -> str:
    match = re.match(r"'(\w+)' is undefined", str(error))
    if match is None:
        return f"Template syntax error: {brief(error)}"
    near = nearest(match[1], values)
    hint = f"; did you mean `{near}`?" if near else ""
    return f"Template syntax error: Unknown pull request attribute: {match[1]}{hint}"


@lru_cache(maxsize=1)
def _environment() -> ImmutableSandboxedEnvironment:
    environment = make_environment(has_samples=True)
    # The sample has no description in which to find a section, and no HTML to convert.
    environment.filters["get_section"] = lambda text, title, default="": ""  # noqa: ARG005
    environment.filters["markdownify"] = lambda text: text
    return environment
