"""`mergecast doctor` with more time for each answer: a test machine may be very busy."""

from pathlib import Path
from unittest.mock import patch

from cli.program import Ending, mergecast
from mergecast.doctor import limits


def patient_doctor(data: Path, *arguments: str, seconds: float = 60.0, **environment: str) -> Ending:
    """Run the command; one question may take `seconds`, and everything else a minute."""
    with patch.object(limits, "SECONDS", seconds), patch.object(limits, "SECONDS_FOR_ALL", 60.0):
        return mergecast("doctor", *arguments, data=data, stdin=b"", **environment)
