"""The server's settings, as commands read them."""

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from mergecast.cli.errors import WrongUsage
from mergecast.settings import Settings


def load_settings(**options: Any) -> Settings:
    """The server's settings from the environment; an option that is not None takes precedence."""
    try:
        return Settings(**{name: value for name, value in options.items() if value is not None})
    except ValidationError as error:
        messages = [_message(row["loc"], row["msg"]) for row in error.errors()]
        raise WrongUsage("; ".join(messages)) from None


def _message(place: Sequence[object], message: str) -> str:
    """An error about several settings together names them itself."""
    name = f"MERGECAST_{str(place[0]).upper()}: " if place else ""
    return f"{name}{message.removeprefix('Value error, ')}"
