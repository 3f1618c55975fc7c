"""Which of two media types a client prefers, by its `Accept` header."""

from starlette.requests import Request


def quality(request: Request, media_type: str) -> float:
    """How much the client wants this media type, from 0 to 1; wildcards do not count."""
    return max((_quality(part) for part in _ranges(request) if _name(part) == media_type), default=0.0)


def _ranges(request: Request) -> list[str]:
    values = (value for name, value in request.scope["headers"] if name == b"accept")
    return [part for value in values for part in value.decode("latin-1").split(",")]


def _name(media_range: str) -> str:
    return media_range.partition(";")[0].strip().lower()


def _quality(media_range: str) -> float:
    for parameter in media_range.split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            try:
                return min(max(float(value), 0.0), 1.0)
            except ValueError:
                return 0.0
    return 1.0
