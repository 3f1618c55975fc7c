"""Comments on lines of code, in which people talk to bors too: timelines do not contain them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.platform.github import links
from mergecast.incoming.platform.pages_read import MOST_PAGES, PagesRead
from mergecast.incoming.platform.patient import PatientApi, require_ok
from mergecast.incoming.sources.bors.commands import command_lines
from mergecast.incoming.sources.bors.history.bot import NamedRepository
from mergecast.incoming.sources.github.history.graphql import is_below
from mergecast.incoming.sources.payload import Payload, instant, member, members, text

INLINE = "PullRequestReviewComment"


async def inline_commands(
    api: PatientApi, url: str, repository: NamedRepository, since: int, meanings: Mapping[int, str]
) -> dict[str, list[Payload]]:
    """The comments on lines of code with commands since then, by the number of their pull request.

    GitHub lists 100 comments of the whole repository at once, newest first.
    """
    address = f"{url}/repos/{quote(repository.name)}/pulls/comments?sort=created&direction=desc&per_page=100"
    found: defaultdict[str, list[Payload]] = defaultdict(list)
    following: str | None = address
    read = PagesRead(MOST_PAGES)
    while following is not None:
        read.add(following)
        answer = require_ok(await api.get(following), following, meanings)
        comments = members({"comments": answer.value}, "comments")
        recent = [one for one in comments if (instant(one, "created_at") or 0) >= since]
        for comment in recent:
            if command_lines(text(comment, "body") or "", repository.bot.trigger):
                found[(text(comment, "pull_request_url") or "").rpartition("/")[2]].append(_node(comment))
        following = links(answer.headers).get("next") if len(recent) == len(comments) else None
        if following is not None and not is_below(following, address):
            raise PlatformDown("GitHub links a page to another host")
    return dict(found)


def _node(comment: Payload) -> Payload:
    """The comment, as a timeline would contain it."""
    return {
        "__typename": INLINE,
        "id": text(comment, "node_id"),
        "createdAt": text(comment, "created_at"),
        "body": text(comment, "body"),
        "author": {"login": text(member(comment, "user"), "login")},
        "review": comment.get("pull_request_review_id"),
    }


def with_inline(pull: Payload, comments: Sequence[Payload]) -> Payload:
    """The pull request with these comments in its timeline, each dated to the submission of its review."""
    if not comments:
        return pull
    nodes = members(member(pull, "timelineItems"), "nodes")
    submitted = {node.get("databaseId"): text(node, "submittedAt") for node in nodes if "submittedAt" in node}
    dated = [{**comment, "submittedAt": submitted.get(comment.get("review"))} for comment in comments]
    ordered = sorted([*nodes, *dated], key=lambda node: instant(node, "createdAt") or 0)
    return {**pull, "timelineItems": {"nodes": ordered}}
