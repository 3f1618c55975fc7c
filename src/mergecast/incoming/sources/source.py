"""What a source consists of. Each source's package exports one as `SOURCE`."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from mergecast.incoming.sources.history_reader import HistoryReader, SavedPages
    from mergecast.incoming.sources.translation import Translator
    from mergecast.incoming.sources.webhooks import Webhooks


@dataclass(frozen=True, slots=True)
class TokenProbe:
    """How to find out whether a platform accepts a token, and what the token may read."""

    path: str = "/"  # answers 200 if the token is valid
    # A path for each thing that an import reads; braces stand for the repository.
    rights: Mapping[str, str] = field(default_factory=dict)
    unquoted: str = "/"  # characters of a repository's name that stay as they are in a path
    optional_suffix: str = ""  # of the platform's URL; paths here include it

    def rights_urls(self, url: str, repository: str) -> dict[str, str]:
        """A URL for each thing that an import reads of a repository."""
        place = quote(re.split("[@:]", repository)[0], safe=self.unquoted)
        root = url.removesuffix(self.optional_suffix)
        return {what: root + path.format(place) for what, path in self.rights.items()}


@dataclass(frozen=True, slots=True)
class Source:
    """A platform that reports about merge queues.

    Every command loads this description, to know the names of commands and settings. So its parts are
    functions that load the modules they need when they are called.
    """

    name: str  # in paths, event ids and settings, and as a command: `mergecast import NAME`
    title: str  # in messages
    queue: str  # what its users call the queue, where they choose one
    history_of: str  # what an import reads, in messages
    question: str  # with which the help of its command begins
    url: str  # where its API is, unless a setting says otherwise
    history: Callable[[], "HistoryReader"]
    translator: Callable[[], "Translator"]
    webhooks: "Callable[[], Webhooks] | None" = None
    saved_pages: "Callable[[], SavedPages] | None" = None
    # How the platform calls a repository: the argument of the command, and its help.
    repository: tuple[str, str] = ("OWNER/REPO", "Repository, by its name on the platform")
    # The settings with the id and the key file of a GitHub App, if one can be used in place of a token.
    app_settings: tuple[str, str] | None = None
    probe: TokenProbe = TokenProbe()
    empty_statistics: tuple[str, ...] = ()  # it never reports what these count
    forecast_kind: str | None = None  # the kind of queue that forecasts infer from its events

    @property
    def url_setting(self) -> str:
        return f"{self._prefix}_url"

    @property
    def token_setting(self) -> str:
        return f"{self._prefix}_token"

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of its settings; in the environment, they are in upper case after `MERGECAST_`."""
        return (self.url_setting, self.token_setting, *(self.app_settings or ()))

    @property
    def _prefix(self) -> str:
        return self.name.replace("-", "_")
