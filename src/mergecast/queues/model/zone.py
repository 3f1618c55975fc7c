"""A time zone, and instants as people in it read them."""

import re
from dataclasses import dataclass
from datetime import datetime, tzinfo

_UTC_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?Z")


@dataclass(frozen=True, slots=True)
class Zone:
    """A time zone, and the name that is shown for it."""

    tz: tzinfo
    name: str

    def shown(self, moment: datetime) -> str:
        """Date and minute in this zone."""
        return moment.astimezone(self.tz).strftime("%Y-%m-%d %H:%M")

    def shown_text(self, instant: str | None) -> str:
        """The same for a time in an answer of the server; a dash if there is none."""
        return "-" if instant is None else self.shown(datetime.fromisoformat(instant))

    def translated(self, sentence: str, now: datetime | None = None) -> str:
        """A sentence of the server with its times in this zone, without the date if that is today's."""
        today = "" if now is None else f"{self.shown(now).partition(' ')[0]} "

        def shown(match: re.Match[str]) -> str:
            return self.shown_text(match[0]).removeprefix(today)

        return _UTC_TIME.sub(shown, sentence)


def kept_since_text(instant: str, zone: Zone) -> str:
    return f"what ended before {zone.shown_text(instant)}, {zone.name}, was deleted because of its age"
