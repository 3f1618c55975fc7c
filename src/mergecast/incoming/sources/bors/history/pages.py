"""The history of a bors-ng queue, newest first: comments on the pull requests that have changed."""

from collections.abc import AsyncGenerator

from mergecast.incoming.platform.github import headers_for
from mergecast.incoming.platform.patient import PatientApi
from mergecast.incoming.sources.bors.history.bot import named_repository
from mergecast.incoming.sources.bors.history.inline_comments import inline_commands, with_inline
from mergecast.incoming.sources.bors.history.timelines import LONGEST_STAY, TIMELINES, read_timeline
from mergecast.incoming.sources.github.history.graphql import AT_ONCE, MEANINGS, GraphQL, PullList
from mergecast.incoming.sources.github.history.position import begin, joined, written
from mergecast.incoming.sources.history_reader import HistoryReader
from mergecast.incoming.sources.page import Identity, Page, Part
from mergecast.incoming.sources.payload import is_number

_MEANINGS = {
    **MEANINGS,
    401: "GitHub does not accept the token; set MERGECAST_BORS_TOKEN or pass --from-token-file",
    403: "the token may not read this; it needs read access to contents and pull requests",
}


async def history(api: PatientApi, url: str, repository: str, part: Part) -> AsyncGenerator[Page]:
    """Everything that was said about the queue in a part that has not been read."""
    graphql, named = _graphql(api, url, repository), named_repository(repository)
    since, position = part.window.start, begin(part)
    listed, inline = PullList(graphql, position, since), None
    while True:
        if returning := position.to_return_to(since)[:AT_ONCE]:
            pulls = await listed.again(returning)
        elif not position.are_pulls_read(since):
            pulls = await listed.following()
        else:
            return
        if inline is None:
            inline = await inline_commands(api, url, named, since - LONGEST_STAY, _MEANINGS)
        items = []
        for pull in pulls:
            whole, number = await graphql.with_timeline(pull, since - LONGEST_STAY), pull.get("number")
            whole = with_inline(whole, inline.get(str(number), ()))
            found, left_out_at = read_timeline(whole, since, named.bot)
            items += found
            if is_number(number):
                position.note(number, left_out_at)
        yield Page(tuple(items), written(position), max(position.pulls_until, since))


async def identity(api: PatientApi, url: str, repository: str) -> Identity | None:
    return await _graphql(api, url, repository).identity()


def _graphql(api: PatientApi, url: str, repository: str) -> GraphQL:
    return GraphQL(api, url, named_repository(repository).name, TIMELINES, _MEANINGS)


HISTORY = HistoryReader(pages=history, headers=headers_for, join=joined, identity=identity)
