"""How a bors-ng bot is called, and the word that people address it with."""

import re
from typing import NamedTuple

from mergecast.incoming.sources.bors.commands import TRIGGER

_BOT_SUFFIX = "[bot]"


class Bot(NamedTuple):
    """A bot, by its login; without one, every account with the word bors in its login is the bot."""

    login: str | None = None
    trigger: str = TRIGGER

    def is_called(self, login: str) -> bool:
        """Whether this login is the bot's.

        >>> [Bot().is_called(login) for login in ("bors[bot]", "bors", "mathlib-bors", "bors-ng", "borsuk")]
        [True, True, True, True, False]
        """
        if self.login is not None:
            return _plain(login) == _plain(self.login)
        return "bors" in re.split(r"[^a-z0-9]+", _plain(login))


class NamedRepository(NamedTuple):
    name: str
    bot: Bot


def named_repository(text: str) -> NamedRepository:
    """The parts of `OWNER/REPO[@BOT][:WORD]`.

    >>> named_repository("acme/web@merge-helper:mergebot")
    NamedRepository(name='acme/web', bot=Bot(login='merge-helper', trigger='mergebot'))
    >>> named_repository("acme/web:@acme")
    NamedRepository(name='acme/web', bot=Bot(login=None, trigger='@acme'))
    """
    place, _, trigger = text.partition(":")
    name, _, login = place.partition("@")
    return NamedRepository(name, Bot(login or None, trigger.strip() or TRIGGER))


def _plain(login: str) -> str:
    """GraphQL leaves out a suffix that REST and the web pages show."""
    return login.lower().removesuffix(_BOT_SUFFIX)
