"""Commands without a running server: each opens the store while it runs."""

import csv
import gzip
import io
import json
import shutil
from pathlib import Path

import pytest

from builders import worked_example
from cli.program import mergecast

pytestmark = pytest.mark.server

DAY = ("--start", "2026-03-02T00:00:00Z", "--end", "2026-03-03T00:00:00Z")
TOKEN = "x" * 40
_LINES = "".join(json.dumps(event) + "\n" for event in worked_example())
_NOTHING = (
    "nothing in this period (2026-02-24 00:00 to 2026-03-03 00:00, UTC); the newest event is from "
    "2026-03-02 11:03: choose a period with --since, --start and --end\n"
)


@pytest.fixture
def events(tmp_path: Path) -> Path:
    file = tmp_path / "events.ndjson"
    file.write_text(_LINES)
    return file


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that no test changes."""
    folder = tmp_path_factory.mktemp("commands") / "data"
    ended = mergecast("import", "events", "acme/widgets", "-", data=folder, stdin=_LINES.encode())
    assert (0, "12 events stored, 0 already known\n") == (ended.code, ended.out)
    return folder


@pytest.fixture
def own_data(data: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(data, tmp_path / "data")


def test_importing_again_imports_only_what_is_missing(own_data: Path, events: Path) -> None:
    """Events are recognized by their ids."""
    more = {**worked_example()[0], "id": "more", "session_id": "c", "pull_request": 3}
    events.write_text(events.read_text() + "\n" + json.dumps(more) + "\n")

    ended = mergecast("import", "events", "acme/widgets", events, data=own_data)

    assert (0, "1 event stored, 12 already known\n") == (ended.code, ended.out)


def test_compressed_files_and_standard_input(own_data: Path, events: Path) -> None:
    """Both are read as NDJSON."""
    packed = events.with_suffix(".ndjson.gz")
    packed.write_bytes(gzip.compress(events.read_bytes()))

    from_file = mergecast("import", "events", "acme/packed", packed, data=own_data)
    from_pipe = mergecast("import", "events", "acme/piped", "-", data=own_data, stdin=events.read_bytes())

    assert "12 events stored, 0 already known\n" == from_file.out == from_pipe.out


def test_a_damaged_file_says_what_is_stored(own_data: Path, events: Path) -> None:
    """Lines before the damage are stored; of a file that is not gzip, nothing is."""
    packed = events.with_suffix(".ndjson.gz")
    packed.write_bytes(events.read_bytes())
    not_gzip = mergecast("import", "events", "acme/text", packed, data=own_data)
    packed.write_bytes(gzip.compress(events.read_bytes())[:-8])
    truncated = mergecast("import", "events", "acme/truncated", packed, data=own_data)
    again = mergecast("import", "events", "acme/truncated", events, data=own_data)

    assert (1, f"mergecast: {packed} is not a gzip file; nothing from it is stored\n") == (
        not_gzip.code,
        not_gzip.err,
    )
    told = f"mergecast: {packed} is truncated or damaged; the lines before the damage are stored\n"
    assert (1, told) == (truncated.code, truncated.err)
    assert "0 events stored, 12 already known\n" == again.out


@pytest.mark.parametrize(
    "content",
    [
        "[\n  1,\n  2\n]\n",
        "id,type\n1,entered\n2,left\n",
        '{"level": 1}\n{"level": 2}\n',
    ],
    ids=["a JSON array", "CSV", "a log"],
)
def test_a_file_of_another_kind_is_one_error(tmp_path: Path, content: str) -> None:
    """And not one for each of its lines."""
    file = tmp_path / "other.txt"
    file.write_text(content)
    ended = mergecast("import", "events", "acme/widgets", file, data=tmp_path / "data")

    lines = len(content.splitlines())
    told = (
        f"mergecast: {file} is not a file of events: none of its first {lines} lines is a JSON "
        "object with the field `type`; write one event per line. Nothing from it is stored\n"
    )
    assert (1, told) == (ended.code, ended.err)


def test_an_invalid_line_is_named(tmp_path: Path, events: Path) -> None:
    """The message has the file, the line number and what is right; nothing of the delivery is stored."""
    lines = events.read_text().splitlines()
    lines[3] = lines[3].replace('"at": "2026', '"at": "1026')
    events.write_text("\n".join([*lines[:4], "", *lines[4:5], "{oops"]))

    not_json = mergecast("import", "events", "acme/widgets", events, data=tmp_path / "data")
    events.write_text("\n".join(lines))
    not_valid = mergecast("import", "events", "acme/widgets", events, data=tmp_path / "data")

    assert (1, 1) == (not_json.code, not_valid.code)
    assert f"\n{events}:7: is not valid JSON: object keys must be strings (byte 1)\n" in not_json.err
    assert f"mergecast: {events}:4: at: must be between 1970 and 10 minutes after now (" in not_json.err
    assert f"mergecast: {events}:4: at: must be between 1970 and 10 minutes after now (" in not_valid.err
    assert "nothing from this file is stored; fix these lines and run the command again\n" in not_valid.err


def test_stats_as_a_table_with_a_chart(data: Path) -> None:
    """The header names the period and the time zone; durations are easy to read."""
    ended = mergecast("stats", "acme/widgets", "total_queue_time", *DAY, data=data)

    expected = (
        "acme/widgets · total_queue_time · 2026-03-02 00:00 to 2026-03-03 00:00, UTC\n"
        "main · default\n"
        "start                avg                      max    min    sum  count    p50    p90    p95    p99\n"
        "2026-03-02 11:00 1h00m ████████████████ 1h02m 58m 2h00m 2 1h00m 1h02m 1h02m 1h02m\n"
    )
    assert (0, "".join(expected.split())) == (ended.code, "".join(ended.out.split()))


def test_stats_as_json_and_csv(data: Path) -> None:
    """The formats for other programs."""
    as_json = mergecast("stats", "acme/widgets", "failure_rate", *DAY, "--json", data=data)
    as_csv = mergecast("stats", "acme/widgets", "failure_rate", *DAY, "--csv", data=data)

    assert {"total": 2, "failures": 0, "failure_rate": 0.0}.items() <= json.loads(as_json.out)["groups"][0][
        "stats"
    ][0].items()
    assert [
        {
            "base_ref": "main",
            "queue_name": "default",
            "priority_rule_name": "",
            "start": "2026-03-02T11:00:00Z",
            "end": "2026-03-02T11:15:00Z",
            "total": "2",
            "failures": "0",
            "failure_rate": "0.0",
        }
    ] == list(csv.DictReader(io.StringIO(as_csv.out)))


@pytest.mark.parametrize(
    "statistic", ["time_to_merge", "branches", "queues", "merge_queue_checks_outcome", "batch_bisection"]
)
def test_every_shape_of_answer_has_a_table(data: Path, statistic: str) -> None:
    """Not all answers are groups of intervals; an empty answer has exit code 1."""
    period = ("--at" if statistic == "time_to_merge" else "--end", "2026-03-03")

    ended = mergecast("stats", "acme/widgets", statistic, *period, data=data)

    assert (
        (1, _NOTHING) == (ended.code, ended.out)
        if statistic == "batch_bisection"
        else (ended.code == 0 and ("default" in ended.out or "main" in ended.out))
    )


def test_export_gives_what_was_imported(data: Path, tmp_path: Path) -> None:
    """Another store that imports the export gives the same answers."""
    exported = mergecast("store", "export", "acme/widgets", "-o", tmp_path / "out.ndjson", data=data)
    mergecast("import", "events", "acme/widgets", tmp_path / "out.ndjson", data=tmp_path / "other")

    one = mergecast("stats", "acme/widgets", "queue_size", *DAY, "--json", data=data)
    other = mergecast("stats", "acme/widgets", "queue_size", *DAY, "--json", data=tmp_path / "other")

    assert 0 == exported.code
    assert one.out == other.out
    written = (tmp_path / "out.ndjson").read_text()
    assert [written] * 2 == [
        mergecast("store", "export", "acme/widgets", *options, data=data).out for options in ((), ("-o", "-"))
    ]


def test_export_writes_tables(data: Path, tmp_path: Path) -> None:
    """For spreadsheets and notebooks: to standard output, or to a file."""
    lines = mergecast("store", "export", "acme/widgets", "--format", "csv", "--table", "stays", data=data)
    file = tmp_path / "runs.parquet"
    table = ("store", "export", "acme/widgets", "--format", "parquet", "--table", "runs", "-o", file)
    written = mergecast(*table, data=data)

    assert 0 == lines.code
    assert "acme/widgets,a,1,2026-03-02T10:00:00Z,main,default" in lines.out
    assert (0, f"wrote the runs of acme/widgets to {file}\n") == (written.code, written.err)
    assert (b"PAR1", b"PAR1") == (file.read_bytes()[:4], file.read_bytes()[-4:])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--format", "csv"),
            "--format needs a table: add --table with stays, checks, runs, bisections, events or ci_checks",
        ),
        (("--table", "runs"), "--table needs a format: add --format with csv or parquet"),
        (
            ("--format", "xlsx", "--table", "runs"),
            "--format: `xlsx` is not a format; write csv or parquet",
        ),
        (
            ("--format", "csv", "--table", "run"),
            "--table: there is no table `run`; write stays, checks, runs, bisections, events or ci_checks",
        ),
    ],
)
def test_an_export_of_a_table_names_table_and_format(
    data: Path, options: tuple[str, ...], message: str
) -> None:
    """The message says what to add."""
    ended = mergecast("store", "export", "acme/widgets", *options, data=data)

    assert (2, "", f"mergecast: {message}\n") == (ended.code, ended.out, ended.err)


def test_a_backup_is_a_store(data: Path, tmp_path: Path) -> None:
    """A data folder with the backup gives the same answers."""
    (tmp_path / "copy").mkdir()
    backed_up = mergecast("store", "backup", tmp_path / "copy" / "mergecast.sqlite", data=data)
    again = mergecast("store", "backup", tmp_path / "copy" / "mergecast.sqlite", data=data)

    one = mergecast("stats", "acme/widgets", "queue_size", *DAY, "--json", data=data)
    other = mergecast("stats", "acme/widgets", "queue_size", *DAY, "--json", data=tmp_path / "copy")

    assert (0, 2) == (backed_up.code, again.code)
    assert one.out == other.out
    files = ["admin-token", "last-backup", "mergecast.sqlite", "mergecast.sqlite.acknowledged", "server.lock"]
    assert files == sorted(path.name for path in data.iterdir())


def test_rebuild_says_how_much_was_done(data: Path) -> None:
    """The rebuild changes no answer."""
    before = mergecast("stats", "acme/widgets", "queue_size", *DAY, "--json", data=data)

    ended = mergecast("store", "rebuild", data=data)

    assert (0, "recomputed the derived data of 1 repository\n") == (ended.code, ended.out)
    assert before.out == mergecast("stats", "acme/widgets", "queue_size", *DAY, "--json", data=data).out


_STATISTICS = (
    "time_to_merge, merge_queue_checks_outcome, queues_checks_outcome_count, queues_entered_count, "
    "queues_merged_count, average_ci_runtime, idle_queue_time, total_queue_time, queue_size, "
    "running_speculative_checks, batch_size, batch_bisection, branches, checks_retries, failure_rate, "
    "skip_intermediate_results, queues_pr_exit_reasons, queues"
)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("stats", "acme/widgets", "size"), 2, f"there is no statistic `size`; there are {_STATISTICS}"),
        (
            ("stats", "acme", "queues"),
            2,
            "`acme` is not a repository; write it as OWNER/REPO, such as acme/widgets",
        ),
        (
            ("stats", "acme/none", "queues"),
            1,
            "the repository acme/none is not known here: it has no events",
        ),
        (
            ("stats", "acme/widgets", "queues", "--since", "soon"),
            2,
            "`soon` is not a length of time; write 90m, 12h, 7d or 4w",
        ),
        (
            ("stats", "acme/widgets", "queues", "--since", "1d", "--end", "2026-01-01T00:00:00Z"),
            2,
            "--since counts back from now; it cannot be combined with --start or --end",
        ),
        (
            ("stats", "acme/widgets", "queues", "--start", "1700000000"),
            2,
            (
                "--start: `1700000000`: a Unix timestamp is not accepted; "
                "write a date-time such as 2026-01-31T09:00:00Z"
            ),
        ),
        (
            ("stats", "acme/widgets", "queues", "--queue", "default"),
            2,
            "queues cannot be filtered with --queue; it has no filters",
        ),
        (
            ("stats", "acme/widgets", "queues", "--url", "http://127.0.0.1:1"),
            2,
            "--url needs a token: add --token, or set MERGECAST_TOKEN",
        ),
        (
            ("stats", "acme/widgets", "queues", "--url", "http://127.0.0.1:1", "--token", TOKEN),
            3,
            "no answer from http://127.0.0.1:1: Connection refused",
        ),
        (
            ("stats", "acme/widgets", "queues", "--url", "http://127.0.0.1:1/v1/", "--token", TOKEN),
            2,
            "--url: leave out `/v1` at the end of `http://127.0.0.1:1/v1/`",
        ),
        (
            ("store", "export", "acme/widgets", "-o", "/nowhere/out.ndjson"),
            2,
            "cannot write `/nowhere/out.ndjson`: there is no folder `/nowhere`",
        ),
        (
            ("store", "backup", "/nowhere/out.sqlite"),
            2,
            "cannot write `/nowhere/out.sqlite`: there is no folder `/nowhere`",
        ),
        (("import", "events", "acme/widgets", "nowhere.ndjson"), 2, "there is no file `nowhere.ndjson`"),
        (("stats",), 2, "Missing argument 'OWNER/REPO'."),
        (("dance",), 2, "No such command 'dance'."),
        (
            ("serve", "--port", "70000"),
            2,
            "Invalid value for '--port': Input should be less than or equal to 65535",
        ),
    ],
)
def test_wrong_usage_is_explained(data: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    """One sentence, and the exit code of the kind of error."""
    ended = mergecast(*arguments, data=data)

    assert (code, "", f"mergecast: {message}\n") == (ended.code, ended.out, ended.err)


def test_a_short_admin_token_is_refused_and_not_shown(tmp_path: Path) -> None:
    """The message says what a token needs."""
    ended = mergecast("serve", data=tmp_path, MERGECAST_ADMIN_TOKEN="short-secret")

    assert 2 == ended.code
    assert (
        "mergecast: MERGECAST_ADMIN_TOKEN: must have at least 32 visible ASCII characters and no spaces\n"
        == ended.err
    )


def test_a_query_does_not_create_a_store(tmp_path: Path) -> None:
    """Only commands that add data create a store."""
    ended = mergecast("stats", "acme/widgets", "queues", data=tmp_path / "none")

    assert 1 == ended.code
    assert (
        f"mergecast: there is no store in `{tmp_path / 'none'}`; name its folder with --data-dir, "
        "name a server with --url, or create a store with `mergecast serve` or `mergecast demo`\n"
    ) == ended.err
    assert not (tmp_path / "none").exists()
