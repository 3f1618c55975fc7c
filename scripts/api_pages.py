"""Pages that describe every request of the HTTP API, one per tag, from the OpenAPI description; pure."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from api_types import operations, type_of

_REFERENCE = re.compile(r'Schemas\["(\w+)"\]')
_NAME_OF_REPOSITORY = ("owner", "repository")


def api_pages(described: Any) -> dict[str, str]:
    """The text of each page, by its path."""
    tags = [tag["name"] for tag in described["tags"]]
    pages = {f"api/{_file(tag['name'])}": _tag_page(described, tag) for tag in described["tags"]}
    return {"api/index.md": _index(described, tags), "api/types.md": _types(described), **pages}


def _file(tag: str) -> str:
    return f"{tag.lower()}.md"


def _of_tag(described: Any, tag: str) -> Iterator[tuple[str, Any]]:
    return ((name, operation) for name, operation in operations(described) if tag in operation["tags"])


def _index(described: Any, tags: list[str]) -> str:
    lines = ["# Requests", "", "Every request of the [HTTP API](../http-api.md), by subject. "]
    lines[-1] += (
        "A running server describes itself at `/docs`, where you can try them, and at `/v1/openapi.json`."
    )
    for tag in tags:
        lines += ["", f"## [{tag}]({_file(tag)})", "", "| request | |", "|---|---|"]
        lines += [
            f"| `{name}` | {_cell(operation['summary'])} |" for name, operation in _of_tag(described, tag)
        ]
    return "\n".join([*lines, ""])


def _tag_page(described: Any, tag: Mapping[str, Any]) -> str:
    lines = [f"# {tag['name']}", ""]
    if "description" in tag:
        lines += [tag["description"], ""]
    for name, operation in _of_tag(described, tag["name"]):
        lines += [f"## {operation['summary']}", "", "```", name, "```", ""]
        if "description" in operation:
            lines += [operation["description"], ""]
        lines += [*_parameters(operation), *_body(operation), *_answers(operation)]
    return "\n".join(lines)


def _parameters(operation: Any) -> Iterator[str]:
    """All but the name of the repository, which most paths contain."""
    listed = [one for one in operation.get("parameters", ()) if one["name"] not in _NAME_OF_REPOSITORY]
    if not listed:
        return
    yield from ("| parameter | in | type | |", "|---|---|---|---|")
    for one in listed:
        needed = "Required. " if one.get("required") and one["in"] != "path" else ""
        cells = (
            f"`{one['name']}`",
            one["in"],
            _code(_type(one["schema"])),
            needed + one.get("description", ""),
        )
        yield f"| {' | '.join(map(_cell, cells))} |"
    yield ""


def _body(operation: Any) -> Iterator[str]:
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        yield from _described("Body", media, content.get("schema", {}))


def _answers(operation: Any) -> Iterator[str]:
    others = []
    for status, response in operation["responses"].items():
        if not status.startswith("2"):
            others.append(f"{status} ({response['description'].lower()})")
            continue
        contents = response.get("content", {})
        if not contents:
            yield from (f"Answer {status}: no body.", "")
        for media, content in contents.items():
            yield from _described(f"Answer {status}", media, content.get("schema", {}))
    if others:
        yield from (f"Or: {', '.join(others)}.", "")


def _described(what: str, media: str, schema: Any) -> Iterator[str]:
    """A type with a name is described on the page of types."""
    if "$ref" in schema:
        name = _type(schema)
        yield from (f"{what}, `{media}`: [{name}](types.md#{name.lower()})", "")
    else:
        yield from (f"{what}, `{media}`:", "", *_block(schema), "")


def _block(schema: Any) -> list[str]:
    return ["```typescript", _type(schema), "```"]


def _type(schema: Any) -> str:
    return _REFERENCE.sub(r"\1", type_of(schema, 0))


def _types(described: Any) -> str:
    lines = ["# Types", "", "What requests and answers consist of, in the notation of TypeScript.", ""]
    for name, schema in sorted(described["components"]["schemas"].items()):
        lines += [f"## {name}", "", *_block(schema), ""]
    return "\n".join(lines)


def _code(text: str) -> str:
    return f"`{text}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
