"""Decodes the parts of a webhook's body that are read; the rest of it costs hardly any time or memory.

A webhook may have 25 MiB, most of it commits of a push. Decoding lists in lists of that size takes ten
seconds and 800 MiB, and nothing else runs in the server meanwhile.
"""

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from mergecast.incoming.sources.payload import Payload
from mergecast.incoming.sources.webhooks import NotAWebhook

# A pull request with the longest description that GitHub accepts has less than half of it.
LONGEST_READ = 1 << 20

_Part = Raw | UnsetType


class _Parts(Struct, frozen=True):
    """The members of a body that some reader of `webhook.py` asks for, in JSON."""

    action: _Part = UNSET
    after: _Part = UNSET
    before: _Part = UNSET
    branches: _Part = UNSET
    changes: _Part = UNSET
    check_run: _Part = UNSET
    check_suite: _Part = UNSET
    context: _Part = UNSET
    created_at: _Part = UNSET
    deleted: _Part = UNSET
    head_commit: _Part = UNSET
    id: _Part = UNSET
    merge_group: _Part = UNSET
    pull_request: _Part = UNSET
    pusher: _Part = UNSET
    reason: _Part = UNSET
    ref: _Part = UNSET
    repository: _Part = UNSET
    sender: _Part = UNSET
    sha: _Part = UNSET
    state: _Part = UNSET
    target_url: _Part = UNSET
    workflow_job: _Part = UNSET
    workflow_run: _Part = UNSET


_parts = msgspec.json.Decoder(_Parts)


def read_payload(body: bytes) -> Payload:
    """The members of the body that are read."""
    try:
        parts = _parts.decode(body)
        found = {
            name: part
            for name in _Parts.__struct_fields__
            if not isinstance(part := getattr(parts, name), UnsetType)
        }
        if len(body) > LONGEST_READ and sum(map(len, map(bytes, found.values()))) > LONGEST_READ:
            raise NotAWebhook(
                f"the parts of the body that Mergecast reads have more than {LONGEST_READ >> 20} MiB"
            )
        return {name: msgspec.json.decode(part) for name, part in found.items()}
    except msgspec.ValidationError:
        raise NotAWebhook("the body is not a JSON object") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NotAWebhook("the body is not valid JSON") from None
