"""Badges: one figure of the last seven days as a small image, for a README."""

from collections.abc import Callable, Mapping
from hashlib import blake2b

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast import __version__
from mergecast.access.rights import Right
from mergecast.api.fair_shares import while_connected
from mergecast.api.openapi.operation import STRING, Content, Operation
from mergecast.api.responses import matches_etag
from mergecast.api.routing import REPOSITORY_PATH, Handler, Route, admission_of
from mergecast.api.services import Services, current_state
from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.instant import DAY, MINUTE, SECOND, Window, format_instant, grid_for
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.kept_since import kept_since_headers
from mergecast.queues.stats.summary import SUMMARY
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository

_LENGTH = 7 * DAY
# A page with a badge requests it again and again: the same answer holds for five minutes.
_FRESH = 5 * MINUTE
_MEDIA_TYPE = "image/svg+xml"
_VISITORS = "without a credential for the repositories that the operator lists"
_NO_DATA = "no data"
_CHARACTER_WIDTH, _PADDING = 6.6, 8
_PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img">
<title>{label}: {text}{note}</title>
<rect width="{width}" height="20" rx="3" fill="#444"/>
<path d="M{middle} 0h{right}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{right}z" fill="#1a6fb0"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="{label_x}" y="14">{label}</text>
<text x="{text_x}" y="14">{text}</text>
</g>
</svg>
"""

Figure = Callable[[Reader, Question], float | None]
_Badge = tuple[str, Figure, Callable[[float], str]]


def _from_summary(name: str) -> _Badge:
    def figure(reader: Reader, question: Question) -> float | None:
        answer = msgspec.to_builtins(SUMMARY.answer(reader, question))
        value: float | None = answer["all"][name]["value"]
        return value

    return FIGURES[name].words, figure, FIGURES[name].written


def _mean_size(reader: Reader, question: Question) -> float | None:
    """The mean number of pull requests in all queues together, over the observed part of the window."""
    observed = question.observed.end - question.observed.start
    if observed <= 0:
        return None
    rows = reader.rows("queue_size", question.observed_by_interval())
    return sum(int(row[2]) for row in rows) / observed


# The name of a badge, its label, its figure, and how the figure is formatted.
_BADGES: dict[str, _Badge] = {
    "total_queue_time": _from_summary("time_in_queue_p50"),
    "queue_size": ("queue size, mean", _mean_size, "{:.1f}".format),
    "failure_rate": _from_summary("failure_rate"),
}


def badge_routes(services: Services) -> list[Route]:
    picture: Content = {_MEDIA_TYPE: {"schema": STRING}}
    return [
        Route(
            "GET",
            f"{REPOSITORY_PATH}/badges/{name}.svg",
            Right.BADGE,
            _handler(services, name),
            Operation(
                "Statistics", f"A badge: {label} of the last 7 days; {_VISITORS}", picture, is_cached=True
            ),
        )
        for name, (label, _, _) in _BADGES.items()
    ]


def _handler(services: Services, name: str) -> Handler:
    label, figure, spell = _BADGES[name]

    async def show(request: Request, segments: Mapping[str, str]) -> Response:
        known = await services.asked(request, segments)
        end = services.now() // _FRESH * _FRESH
        tag = blake2b(
            repr((__version__, name, known.id, known.version, known.kept_since, end)).encode(), digest_size=16
        )
        etag = f'W/"{tag.hexdigest()}"'
        # A shared cache would show the badge of a private repository to everyone.
        is_public = admission_of(request).credential is None
        keep = f"{'public' if is_public else 'private'}, max-age={_FRESH // SECOND}"
        since = known.kept_since if (known.kept_since or 0) > end - _LENGTH else None
        headers = {"ETag": etag, "Cache-Control": keep, **kept_since_headers(since)}
        if matches_etag(request, etag):
            return Response(None, 304, headers)

        def read(reader: Reader) -> bytes:
            question = _question(reader, current_state(reader, known), end)
            return msgspec.json.encode(figure(reader, question))

        async def make() -> bytes:
            async with services.queries.turn(admission_of(request).caller.identity):
                return await services.database.read(known.id, read)

        found = services.answers.cached(etag)
        if found is None:
            found = await while_connected(request, services.answers.get(etag, make))
        value: float | None = msgspec.json.decode(bytes(found.body))
        text = _NO_DATA if value is None else spell(value)
        note = "" if since is None else f"; what ended before {format_instant(since)} is not kept"
        return Response(draw(label, text, note), headers=headers, media_type=_MEDIA_TYPE)

    return show


def _question(reader: Reader, known: KnownRepository, end: int) -> Question:
    window = Window(end - _LENGTH, end)
    since = end if known.first_at is None else known.first_at
    observed = Window(max(window.start, since), end)
    return Question(known.id, window, observed, grid_for(window), reader.groups(known.id), known.first_at)


def draw(label: str, text: str, note: str = "") -> str:
    """All texts consist of digits and our own words, so nothing has to be escaped."""
    left, right = (round(len(part) * _CHARACTER_WIDTH) + 2 * _PADDING for part in (label, text))
    return _PICTURE.format(
        label=label,
        text=text,
        note=note,
        width=left + right,
        middle=left,
        right=right - 3,
        label_x=left / 2,
        text_x=left + right / 2,
    )
