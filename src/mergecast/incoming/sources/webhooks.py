"""How a source's webhooks are authenticated and read."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from mergecast.queues.model.delivery import Delivery


class NotAWebhook(ValueError):
    """The body is not a payload of the platform that can be read; the message says why."""


class RepositoryNamed(NamedTuple):
    """The repository that a webhook names; only GitHub's ids count, see `HistoryReader.identity`."""

    owner: str
    name: str
    id: int | None = None


class ReadWebhook(NamedTuple):
    """What a webhook says, and which repository it is about, if any."""

    delivery: Delivery
    repository: RepositoryNamed | None
    former_name: str | None = None  # `owner/name` before a rename or transfer


class Webhooks(NamedTuple):
    """How requests to `POST /v1/hooks/NAME` are authenticated and read. Names of headers ignore case."""

    summary: str  # in the description of the API
    example: dict[str, object]  # a body
    headers: Mapping[str, re.Pattern[str]]  # the headers that a request must have
    # headers, body, a secret of the operator → whether the sender knows the secret; takes the same time
    # whatever the headers contain
    is_signed: Callable[[Mapping[str, str], bytes, bytes], bool]
    # headers, body, instant of reception → what it says; `NotAWebhook` if that cannot be read
    read: Callable[[Mapping[str, str], bytes, int], ReadWebhook]
    # headers → whether it says where a GitHub App is installed; None: the source has no Apps
    is_about_app: Callable[[Mapping[str, str]], bool] | None = None
