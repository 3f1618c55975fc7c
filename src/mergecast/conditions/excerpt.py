"""What a message shows of a text that may be endless."""

_LONGEST = 80


def excerpt(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
