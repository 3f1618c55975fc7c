"""The secrets used in a test run, what was logged, and which secrets appear there."""

import re
from io import BytesIO
from pathlib import Path

_SECRETS: set[str] = set()
_FILES: set[Path] = set()
# An id without its secret and the subject of a token may be logged; no part of a secret or of a signed token.
_FORMS = re.compile(
    r"mck_[0-9a-f]{12}_[0-9a-f]{8,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|eyJ[\w-]{20,}"
    r"|(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])"
)

LOGGED = BytesIO()


def remember(secret: str) -> str:
    """Fail the run if this secret appears in a log."""
    _SECRETS.add(secret)
    return secret


def watch_file(log: Path) -> None:
    """Search this log of another process for secrets at the end of the run."""
    _FILES.add(log)


def leaks(text: str) -> list[str]:
    """The secrets in a text, truncated so that they do not leak here."""
    found = {secret for secret in _SECRETS if secret in text} | set(_FORMS.findall(text))
    return sorted(f"{secret[:8]}…" for secret in found)


def logged() -> str:
    """Everything logged so far."""
    files = (log.read_bytes() for log in sorted(_FILES) if log.exists())
    return b"\n".join([LOGGED.getvalue(), *files]).decode("utf-8", "replace")
