"""Render a template for one pull request.

Both languages: plain variables, replaced in a single pass, and Jinja2 in a sandbox. The process limits the
memory and time of a template; this module limits only the length of the text.
"""

import re
from collections import ChainMap
from collections.abc import Mapping
from datetime import date
from typing import Any

from jinja2 import TemplateSyntaxError, meta
from jinja2.sandbox import ImmutableSandboxedEnvironment

from mergecast.errors import MergecastError
from mergecast.language.configuration.deprecations import TEMPLATE_LANGUAGE
from mergecast.language.configuration.problems import ReadContext
from mergecast.language.configuration.templates.environment import brief, make_environment
from mergecast.language.configuration.templates.filters import section, to_markdown

LONGEST_TEXT = 65_535

_VARIABLE = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")


class CannotRender(MergecastError):
    """A valid template cannot be rendered for this pull request; the message says why."""


def render_message(text: str, plain: Mapping[str, str], attributes: Mapping[str, Any], today: date) -> str:
    """Render a field for plain variables; anything else in it is Jinja2, while that is still supported."""
    rest, names = _VARIABLE.sub("", text), _VARIABLE.findall(text)
    has_blocks = "{%" in rest or "{#" in rest
    is_plain = "{{" not in rest and all(name in plain for name in names)
    if is_plain and (not has_blocks or ReadContext(today).has_expired(TEMPLATE_LANGUAGE)):
        return render_placeholders(text, plain)
    # The chain is only read, although its type asks for mutable mappings.
    return render_legacy(text, ChainMap(attributes, plain))  # type: ignore[arg-type]


def render_placeholders(text: str, values: Mapping[str, str]) -> str:
    """Replace every variable by its value; variables inside values are not replaced.

    >>> render_placeholders("{{ title }} by {{author}}", {"title": "Use {{ author }}", "author": "ann"})
    'Use {{ author }} by ann'
    """
    return _VARIABLE.sub(lambda match: values[match[1]], text)[:LONGEST_TEXT]


def render_legacy(text: str, values: Mapping[str, Any]) -> str:
    """Render Jinja2, reading only the variables that the template names.

    Raises CannotRender; errors from reading a value are not caught.
    """

    def get_section(body: str, title: str, default: str | None = None) -> str:
        found = section(body, title)
        if found is not None:
            # The text of a section may contain variables, but not another `get_section`.
            return _render(_environment(), found, values)
        if default is None:
            raise CannotRender(f"section not found: `{title}`")
        return default

    environment = _environment()
    environment.filters["get_section"] = get_section
    return _render(environment, text, values)


def _environment() -> ImmutableSandboxedEnvironment:
    environment = make_environment()
    environment.filters["markdownify"] = to_markdown
    return environment


def _render(environment: ImmutableSandboxedEnvironment, text: str, values: Mapping[str, Any]) -> str:
    try:
        named = meta.find_undeclared_variables(environment.parse(text))
        template = environment.from_string(text)
    except TemplateSyntaxError as error:
        raise CannotRender(f"Template syntax error: {brief(error)} (line {error.lineno})") from None
    known = {name: values[name] for name in sorted(named) if name in values}
    rendered: list[str] = []
    length = 0
    try:
        for piece in template.generate(known):
            rendered.append(piece)
            length += len(piece)
            if length > LONGEST_TEXT:
                break
    except (CannotRender, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001  (a template can raise whatever Python can)
        raise CannotRender(f"Template syntax error: {brief(error)}") from None
    return "".join(rendered)[:LONGEST_TEXT]
