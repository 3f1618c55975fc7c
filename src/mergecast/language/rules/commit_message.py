"""Which commit message would a merge have?"""

import re
from collections.abc import Iterator

from mergecast.language.configuration.models.options import CommitMessageFormat
from mergecast.language.rules.context import Context
from mergecast.language.rules.sentence import Passage, Sentence, sentence
from mergecast.language.rules.variables import co_authors, fill_legacy

_HEADING = re.compile(r"^(#+)[ \t]*commit message:?[ \t]*$", re.IGNORECASE | re.MULTILINE)
_AS_REPOSITORY = "as the repository is set up"


def written_message(body: str) -> str | None:
    """The section `Commit Message` of the description, if it has one."""
    heading = _HEADING.search(body)
    if heading is None:
        return None
    rest = body[heading.end() :]
    end = re.search(rf"^{heading[1]}[ \t]", rest, re.MULTILINE)
    return rest[: end.start() if end else None].strip() or None


def commit_message(
    template: str | None, parts: CommitMessageFormat | None, context: Context
) -> Sentence | None:
    """The message that the document or the description sets; None if the repository's default is used."""
    if parts is not None:
        return _formatted(parts, context)
    template = template or written_message(context.view.body)
    message = fill_legacy(template, context).strip() if template else ""
    if not message:
        return None
    title, _, body = message.partition("\n")
    return sentence("With the commit message: ", Passage(f"{title}\n\n{body.lstrip()}".strip()))


def _formatted(parts: CommitMessageFormat, context: Context) -> Sentence | None:
    pull = context.pull
    if parts.title == "inherit" and parts.body == "inherit":
        return None
    title = f"{pull.title} (#{pull.number})" if parts.title == "pr-title" else f"(title {_AS_REPOSITORY})"
    body = {"inherit": f"(body {_AS_REPOSITORY})", "pr-body": context.view.body.strip(), "empty": ""}
    trailers = "\n".join(dict.fromkeys(line for name in parts.trailers for line in _trailer(name, context)))
    paragraphs = (title, body[parts.body], trailers)
    return sentence("With the commit message: ", Passage("\n\n".join(filter(None, paragraphs))))


def _trailer(name: str, context: Context) -> Iterator[str]:
    if name == "co-authored-by":
        yield from (f"Co-authored-by: {author}" for author in co_authors(context))
    elif name == "approved-by":
        approvers = context.view.reviewers.in_state("APPROVED")
        yield from (f"Approved-by: {login}" for login in sorted(approvers))
    else:
        yield "Merged-by: (the account that merges)"
