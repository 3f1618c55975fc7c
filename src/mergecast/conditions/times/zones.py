"""Time zones by IANA name or offset."""

import re
from datetime import UTC, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from mergecast.conditions.errors import InvalidValue, excerpt
from mergecast.model.nearest import nearest

# Only valid names reach the file system; `localtime` would be the zone of this machine.
_NAME = re.compile(r"(?!localtime)[A-Za-z][A-Za-z0-9_+-]{0,31}(?:/[A-Za-z0-9_+-]{1,31}){0,2}")
_OFFSET = re.compile(r"([+-])([0-9]{2}):([0-9]{2})")


@lru_cache(maxsize=256)
def zone(name: str) -> tzinfo:
    """The zone of an IANA name, or of an offset such as `+02:00`.

    >>> zone("+02:00").utcoffset(None)
    datetime.timedelta(seconds=7200)
    """
    if name == "UTC":
        return UTC
    if match := _OFFSET.fullmatch(name):
        offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
        return timezone(-offset if match[1] == "-" else offset)
    if _NAME.fullmatch(name):
        try:
            return ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            pass  # Unknown, or the name of a folder.
    raise InvalidValue(_unknown(name))


def _unknown(name: str) -> str:
    known = nearest(name, _known_zones())
    advice = f"did you mean `{known}`?" if known else "a zone is an IANA name such as `Europe/Paris`"
    return f"Invalid timezone: `{excerpt(name)}`; {advice}"


@lru_cache(maxsize=1)
def _known_zones() -> frozenset[str]:
    return frozenset(available_timezones())
