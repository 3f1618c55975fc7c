"""Kill a process that stores causes and sends notices: is anything lost, and how much is sent twice?

.venv/bin/python benchmarks/notice_kills.py [KILLS]
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from notices.kills import kill_often, shown

if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        print(shown(kill_often(Path(folder), int(sys.argv[1]) if len(sys.argv) > 1 else 50)))
