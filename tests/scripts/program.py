"""Stands in for the program `mergecast`: it notes how it is called and which signals it gets."""

import json
import os
import signal
import sys
from pathlib import Path
from types import FrameType


def _note(line: str) -> None:
    with Path("called").open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def _stop(number: int, _: FrameType | None) -> None:
    _note(signal.Signals(number).name)
    if number == signal.SIGTERM:
        sys.exit()


def main() -> None:
    _note(" ".join(sys.argv[1:]))
    data = Path(os.environ["MERGECAST_DATA_DIR"])
    data.mkdir(exist_ok=True)
    if sys.argv[1] == "serve":
        signal.signal(signal.SIGINT, _stop)
        signal.signal(signal.SIGTERM, _stop)
        (data / "server.json").write_text(json.dumps({"url": f"http://127.0.0.1:{sys.argv[3]}"}))
        sys.stdout.write("mergecast is serving\n")
        sys.stdout.flush()
    while sys.argv[1] == "serve" or "--live" in sys.argv:
        signal.pause()


if __name__ == "__main__":
    main()
