"""Write the pages of docs/language from the tables that the program itself reads.

Run it after changing an attribute, an action, a section or a deprecation; a test compares the pages.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from language_examples import ACTION_EXAMPLES, SECTION_EXAMPLES, example_conditions
from mergecast.conditions.attribute import AllowedIn, Attribute
from mergecast.conditions.attributes import ATTRIBUTES, COMMIT_ATTRIBUTES, DEPRECATED_NAMES, REMOVED_NAMES
from mergecast.configuration.deprecations import DEPRECATIONS, STATUS_ATTRIBUTES, TEMPLATE_LANGUAGE
from mergecast.configuration.model_lookup import models_at
from mergecast.configuration.removed import REMOVED
from mergecast.configuration.schema import configuration_schema

PAGES = Path(__file__).parents[1] / "docs" / "language"
_WRITTEN = "<!-- Written by scripts/language_docs.py; change the tables in the code, not this page. -->"


def main() -> None:
    """Write every page."""
    for name, text in pages().items():
        (PAGES / name).write_text(text, encoding="utf-8")


def pages() -> dict[str, str]:
    """The text of every page by its file name."""
    writers: dict[str, Callable[[], Iterator[str]]] = {
        "attributes.md": _attributes,
        "actions.md": _actions,
        "sections.md": _sections,
        "deprecations.md": _deprecations,
    }
    return {name: "\n".join((_WRITTEN, "", *write())) + "\n" for name, write in writers.items()}


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def _attributes() -> Iterator[str]:
    yield "# Attributes of conditions"
    yield ""
    yield "A condition is `[-][#]attribute operator value`: `-` turns it around, `#` counts."
    yield "`=` on a list holds when some element is equal, `!=` when none is."
    yield ""
    rows = [row for row in ATTRIBUTES.values() if row.allowed_in in {AllowedIn.ANYWHERE, AllowedIn.COMMANDS}]
    yield from _table(("Attribute", "Kind", "Operators", "What it is", "Examples"), map(_attribute_row, rows))
    yield from ("", "`sender` and `sender-permission` are known in `commands_restrictions` only.")
    yield from ("", "## Fields of commits", "")
    yield "`commits[0]` is the first commit, `commits[-1]` the last, `commits[*]` means all of them."
    yield ""
    yield from _table(
        ("Field", "Kind", "Operators", "What it is"),
        (
            (f"`commits[*].{row.name}`", row.kind.title, _operators(row.operators), row.help)
            for row in COMMIT_ATTRIBUTES.values()
        ),
    )
    yield from ("", "## Names of the past", "")
    yield from _table(("Name", "What became of it"), sorted(_past_names()))


def _attribute_row(row: Attribute) -> tuple[str, ...]:
    kind = f"list of {row.kind.title}" if row.is_list else row.kind.title
    examples = ", ".join(f"`{example}`" for example in example_conditions(row))
    return f"`{row.name}`", kind, _operators(row.operators), row.help, examples


def _operators(operators: Iterable[Any]) -> str:
    return " ".join(f"`{operator}`" for operator in operators) or "none"


def _past_names() -> Iterator[tuple[str, str]]:
    for old, new in DEPRECATED_NAMES.items():
        yield f"`{old}`", f"deprecated; write `{new}`"
    for old, advice in REMOVED_NAMES.items():
        yield f"`{old}`", advice


def _actions() -> Iterator[str]:
    yield "# Actions of pull request rules"
    yield ""
    yield "An action without options (`queue:`) has its defaults, or those of `defaults.actions`."
    properties = configuration_schema()["$defs"]["Actions"]["properties"]
    for name, schema in properties.items():
        yield from ("", f"## `{name}`", "")
        (model,) = models_at(("pull_request_rules", 0, "actions", name))
        deprecated = " Deprecated: see [deprecations](deprecations.md)." if schema.get("deprecated") else ""
        yield f"{(model.__doc__ or '').strip()}{deprecated}"
        yield ""
        yield from _fields(model.__name__)
        yield from _example(ACTION_EXAMPLES[name])


def _sections() -> Iterator[str]:
    yield "# Sections of the document"
    for name, schema in configuration_schema()["properties"].items():
        yield from ("", f"## `{name}`", "", _description(schema))
        if models := models_at((name, 0)) or models_at((name,)):
            yield ""
            yield from _fields(models[0].__name__)
        yield from _example(SECTION_EXAMPLES[name])


def _fields(model: str) -> Iterator[str]:
    definition = configuration_schema()["$defs"][model]
    required = definition.get("required", [])
    yield from _table(
        ("Option", "Value", "Default", "Meaning"),
        (
            (f"`{name}`", _value(schema), _default(name, schema, required), _description(schema))
            for name, schema in definition["properties"].items()
        ),
    )


def _description(schema: dict[str, Any]) -> str:
    text = schema.get("description")
    if text is None:
        text = configuration_schema()["$defs"][schema["$ref"].rpartition("/")[2]]["description"]
    return f"{text} *Deprecated.*" if schema.get("deprecated") else str(text)


def _default(name: str, schema: dict[str, Any], required: list[str]) -> str:
    if name in required:
        return "required"
    default = schema.get("default")
    if default is None or default == []:
        return ""
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    text = ", ".join(map(str, default)) if isinstance(default, list) else str(default)
    return f"`{text.strip()}`"


def _value(schema: dict[str, Any]) -> str:
    choices = schema.get("anyOf") or schema.get("oneOf")
    kinds = [_value(choice) for choice in choices] if choices else [_kind(schema)]
    return " or ".join(dict.fromkeys(kinds))


def _kind(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return "conditions" if name == "Conditions" else "mapping"
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    kind = {"array": "list", "object": "mapping", "string": "text"}.get(schema["type"], schema["type"])
    if "minimum" in schema:
        return f"{kind} from {schema['minimum']}" + (
            f" to {schema['maximum']}" if "maximum" in schema else ""
        )
    if "maxItems" in schema:
        return f"{kind}, at most {schema['maxItems']}"
    return {"duration": "duration", "simple-template": "text with variables", "template": "template"}.get(
        schema.get("format", ""), str(kind)
    )


def _example(document: str) -> Iterator[str]:
    yield from ("", "```yaml", *document.strip().splitlines(), "```")


def _deprecations() -> Iterator[str]:
    yield "# Deprecated and removed options"
    yield ""
    yield "A deprecated option is accepted until its deadline, that day included, and refused afterwards."
    yield ""
    yield from _table(
        ("Deprecated", "Where", "Since", "Deadline", "What to do"),
        (
            (
                f"`{row.name}`",
                ", ".join(f"`{holder}`" for holder in row.holders) or "inside a condition or template",
                str(row.since),
                str(row.deadline),
                row.replacement,
            )
            for row in (*DEPRECATIONS, STATUS_ATTRIBUTES, TEMPLATE_LANGUAGE)
        ),
    )
    yield from ("", "These options are gone:", "")
    yield from _table(
        ("Removed", "Where", "Since", "What to do"),
        (
            (
                ", ".join(f"`{name}`" for name in row.names),
                ", ".join(f"`{holder}`" if holder else "top level" for holder in row.holders),
                row.since,
                row.replacement,
            )
            for row in REMOVED
        ),
    )


if __name__ == "__main__":
    main()
