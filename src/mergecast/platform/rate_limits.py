"""Whether an answer means "try later", and how long to wait."""

import re

from mergecast.model.instant import SECOND
from mergecast.platform.fetch import Fetched

_OK, _FORBIDDEN, _TOO_MANY = 200, 403, 429
_BUSY = (502, 503, 504)
SERVER_ERROR = 500  # and above
_DEFAULT_SECONDS = 60.0  # GitHub's advice for a rate limit without a time
_LONGEST_SECONDS = 3600.0
_FIRST_PAUSE_SECONDS = 0.25


def is_limit(answer: Fetched) -> bool:
    """Whether the answer is a rate limit. GitHub also uses 403; headers or the text distinguish the two."""
    if answer.status == _TOO_MANY:
        return True
    if answer.status == _OK:
        # GraphQL: the answer is an error, in spite of its status.
        may_be = answer.headers.get("x-ratelimit-remaining") == "0" or "retry-after" in answer.headers
        return may_be and (
            b'"RATE_LIMIT' in answer.body or (b'"errors"' in answer.body and b"rate limit" in answer.body)
        )
    return answer.status == _FORBIDDEN and (
        "retry-after" in answer.headers
        or answer.headers.get("x-ratelimit-remaining") == "0"
        or b"rate limit" in answer.body
    )


def is_busy(answer: Fetched) -> bool:
    return answer.status in _BUSY


def pause_seconds(answer: Fetched, attempt: int, now: int) -> float:
    """How long to wait after the answer to this attempt, which is a rate limit or says that it is busy."""
    wanted = _number(answer, "retry-after")
    if wanted is not None:
        return min(wanted, _LONGEST_SECONDS)
    if answer.status >= SERVER_ERROR:
        return _FIRST_PAUSE_SECONDS * 2.0**attempt
    reset = _number(answer, "x-ratelimit-reset")
    if reset is not None and answer.headers.get("x-ratelimit-remaining") == "0":
        return min(max(reset - now / SECOND, 1.0), _LONGEST_SECONDS)
    return min(_DEFAULT_SECONDS * 2.0 ** (attempt - 1), _LONGEST_SECONDS)


def _number(answer: Fetched, header: str) -> float | None:
    text = answer.headers.get(header, "")
    return float(text) if re.fullmatch(r"[0-9]{1,12}", text) else None
