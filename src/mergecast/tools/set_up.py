"""`queue_audit`: is the queue of a branch set up so that it can merge?"""

from typing import Any

from mergecast.queues.answers.audit import Audit, Finding
from mergecast.queues.model.words import counted
from mergecast.tools.asking import Asker
from mergecast.tools.strangers import cleaned, marked
from mergecast.tools.tool import (
    INTEGER,
    NAME,
    REPOSITORY,
    STRING,
    STRING_OR_NULL,
    Result,
    Tool,
    list_of,
    object_of,
    optional,
)

_FIRST = 6
_WORDS = {"sure": "Sure", "if_required": "If that check is required", "cannot_tell": "Cannot tell"}


async def _audit(asker: Asker, given: dict[str, Any]) -> Result:
    asked = {} if given["base_ref"] is None else {"base_ref": given["base_ref"]}
    found = await asker.read(given["repository"], "/audit", Audit, **asked)
    lines = [_conclusion(found), *(_line(one) for one in found.findings[:_FIRST])]
    if len(found.findings) > _FIRST:
        lines.append(f"{len(found.findings) - _FIRST} more findings are in the structured content.")
    content = {
        "base_ref": cleaned(found.base_ref),
        "commit": found.commit,
        "read_at": found.read_at,
        "findings": [_row(one) for one in found.findings],
    }
    return Result(lines, content)


def _conclusion(found: Audit) -> str:
    branch, commit = marked(found.base_ref), (found.commit or "an unknown commit")[:12]
    sure = sum(one.certainty == "sure" and one.weight == "breaks" for one in found.findings)
    unsure = sum(one.certainty == "cannot_tell" for one in found.findings)
    told = f"{branch} at {commit}: nothing is sure to break"
    if sure:
        told = (
            f"{branch} at {commit}: {counted(sure, 'setting')} will make groups wait, fail or pass untested"
        )
    rules = "" if found.rules_known else " Which checks are required is not known."
    return f"{told}; {counted(unsure, 'thing')} could not be told.{rules}"


def _line(one: Finding) -> str:
    place = f"{one.path}:{one.line}" if one.line else one.path
    # The server puts names of strangers between backquotes, and takes backquotes out of them.
    parts = one.text.split("`")
    if len(parts) % 2 == 0:
        return f"{_WORDS[one.certainty]}, {marked(place)}: {marked(one.text)}"
    text = "".join(marked(part) if number % 2 else part for number, part in enumerate(parts))
    return f"{_WORDS[one.certainty]}, {marked(place)}: {text}"


def _row(one: Finding) -> dict[str, object]:
    return {
        "rule": one.rule,
        "path": cleaned(one.path),
        "line": one.line,
        "certainty": one.certainty,
        "weight": one.weight,
        "repair": None if one.repair is None else cleaned(one.repair),
    }


AUDIT = Tool(
    "queue_audit",
    "Is GitHub's queue of a branch set up so that it can merge? Which workflow files and rules make its "
    "groups wait, be cancelled or pass untested, how sure, what to change. By default the branch read last.",
    {"repository": REPOSITORY, "base_ref": optional(NAME)},
    object_of(
        base_ref=STRING,
        commit=STRING_OR_NULL,
        read_at=STRING_OR_NULL,
        findings=list_of(
            object_of(
                rule=STRING,
                path=STRING,
                line=INTEGER,
                certainty=STRING,
                weight=STRING,
                repair=STRING_OR_NULL,
            )
        ),
    ),
    _audit,
)
