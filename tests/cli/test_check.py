"""`mergecast check` and `mergecast config schema`."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from cli.program import Ending, mergecast
from mergecast.cli.check_formats import Finding, Severity, SourceLines, annotations
from mergecast.cli.documents import LONGEST_DOCUMENT
from mergecast.cli.output import escape
from mergecast.judge.messages import LONGEST_DOCUMENT as LIMIT_OF_THE_CHILD
from mergecast.queues.model.repository import DOCUMENT_PATHS

_VALID = "queue_rules: [{name: default}]\n"
_INVALID = "queue_rules:\n  - name: default\n    batch_size: 0\n"
_DEPRECATED = "queue_rules:\n  - name: default\n    conditions: [check-success = build]\n"
_ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Commands run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _check(*arguments: str | Path, stdin: bytes = b"") -> Ending:
    ended = mergecast("check", *arguments, data=Path("nowhere"), stdin=stdin)
    # A server that other tests left running in this process may log meanwhile.
    lines = [
        line for line in ended.err.splitlines(keepends=True) if not line.startswith('{"event":"request"')
    ]
    return Ending(ended.code, ended.out, "".join(lines))


def _write(path: str, content: str | bytes) -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def test_a_valid_document(folder: Path) -> None:
    """The command says so, and creates no data folder."""
    _write("a.yml", _VALID)

    assert Ending(0, "a.yml is valid\n", "") == _check("a.yml")
    assert ["a.yml"] == os.listdir(folder)  # noqa: PTH208


def test_an_invalid_document() -> None:
    """Each error is printed with its place, its line and a caret."""
    _write("a.yml", _INVALID)

    assert Ending(
        1,
        "a.yml:3:17: error: Input should be greater than or equal to 1, found the number 0\n"
        "    3 |     batch_size: 0\n"
        "      |                 ^\n"
        "a.yml is invalid: 1 error\n",
        "",
    ) == _check("a.yml")


def test_a_deprecation() -> None:
    """A deprecation is a warning with a deadline; the document is valid."""
    _write("a.yml", _DEPRECATED)

    ended = _check("a.yml")

    first, source, caret, last = ended.out.splitlines()
    assert 0 == ended.code
    assert re.fullmatch(r"a\.yml:3:5: warning: .+; accepted here until 2027-03-31", first)
    assert ("    3 |     conditions: [check-success = build]", "      |     ^") == (source, caret)
    assert "a.yml is valid: 1 deprecation" == last


def test_a_note() -> None:
    """A note about the whole document has no line."""
    _write("a.yml", "extends: template\n")

    ended = _check("a.yml")

    note, last = ended.out.splitlines()
    assert 0 == ended.code
    assert note.startswith("a.yml: note: ")
    assert "a.yml is valid" == last


_USUAL_PATHS = (
    ".mergify.yml",
    ".mergify.yaml",
    ".mergify/config.yml",
    ".mergify/config.yaml",
    ".github/mergify.yml",
    ".github/mergify.yaml",
)


@pytest.mark.parametrize("path", _USUAL_PATHS)
def test_usual_paths(path: str) -> None:
    """A document is found at each path where the hosted service looks for it."""
    _write(path, _VALID)

    assert Ending(0, f"{path} is valid\n", "") == _check()


@pytest.mark.parametrize("read", _USUAL_PATHS[:-1])
def test_several_documents(read: str) -> None:
    """They are an error that lists them and names the one that is read; it is checked all the same."""
    present = _USUAL_PATHS[_USUAL_PATHS.index(read) :]
    for path in reversed(present):
        _write(path, _DEPRECATED if path == read else _INVALID)

    ended = _check()

    *most, last = (f"`{path}`" for path in present)
    first, warning, *_, conclusion = ended.out.splitlines()
    assert (1, "") == (ended.code, ended.err)
    assert (
        f"{read}: error: several configuration documents are in place: {', '.join(most)} and {last}; "
        f"only `{read}` is read, so remove the other{'s' if most[1:] else ' one'}"
    ) == first
    assert warning.startswith(f"{read}:3:5: warning: ")
    assert f"{read} is invalid: 1 error" == conclusion


def test_several_documents_as_an_annotation() -> None:
    """It concerns the whole file, and a named file is checked by itself."""
    for path in (".mergify.yml", ".github/mergify.yaml"):
        _write(path, _VALID)

    assert (
        "::error file=.mergify.yml::several configuration documents are in place: `.mergify.yml` and "
        "`.github/mergify.yaml`; only `.mergify.yml` is read, so remove the other one\n"
        ".mergify.yml is invalid: 1 error\n"
    ) == _check("--format", "github").out
    assert Ending(0, ".mergify.yml is valid\n", "") == _check(".mergify.yml")


def test_no_document() -> None:
    """The message lists the paths."""
    assert (
        Ending(
            1,
            "",
            f"mergecast: no document found in {', '.join(_USUAL_PATHS)}; name one: mergecast check FILE\n",
        )
        == _check()
    )


def test_no_document_for_a_comment() -> None:
    """The advice is about the command that was run."""
    ended = mergecast("config", "comment", "acme/widgets", data=Path("nowhere"))

    assert (1, "") == (ended.code, ended.out)
    assert ended.err.endswith("; name one: mergecast config comment OWNER/REPO#NUMBER -f FILE\n")


def test_standard_input() -> None:
    """The file name `-` reads standard input."""
    assert Ending(0, "<stdin> is valid\n", "") == _check("-", stdin=_VALID.encode())
    assert 1 == _check("-", stdin=_INVALID.encode()).code


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (
            b"# a\n# \xc3\xa4\xff\n",
            "a.yml:2:4: error: the file is not UTF-8: byte 0xff\n    2 | # ä\ufffd\n      |    ^\n",
        ),
        (b"\xff\xfe#\x00", "a.yml:1:1: error: the file is not UTF-8: byte 0xff\n"),
        (b"#" * 1_048_577, "a.yml:1:1: error: a document has at most 1048576 characters\n"),
        (b"#" * 5_000_000, "a.yml:1:1: error: a document has at most 1048576 characters\n"),
    ],
    ids=lambda value: str(value[:20]),
)
def test_files_that_hold_no_document(content: bytes, shown: str) -> None:
    """They are invalid, and the message has a place."""
    _write("a.yml", content)

    ended = _check("a.yml")

    assert 1 == ended.code
    assert ended.out.startswith(shown)
    assert ended.out.endswith("\na.yml is invalid: 1 error\n")


@pytest.mark.parametrize(
    ("name", "message"),
    [("missing.yml", "missing.yml: No such file or directory"), ("folder", "folder: Is a directory")],
)
def test_files_that_cannot_be_read(name: str, message: str) -> None:
    """A file that cannot be opened is a usage error."""
    Path("folder").mkdir()

    assert Ending(2, "", f"mergecast: {message}\n") == _check(name)


def test_byte_order_marks_and_line_ends() -> None:
    """They change neither places nor excerpts."""
    contents = [_INVALID, f"\ufeff{_INVALID}", _INVALID.replace("\n", "\r\n"), _INVALID.replace("\n", "\r")]
    names = [f"{letter}.yml" for letter in "abcd"]
    for name, content in zip(names, contents, strict=True):
        _write(name, content)

    out = _check(*names).out

    findings = [re.findall(rf"^{name}(:.*\n.*\n.*)$", out, re.MULTILINE) for name in names]
    assert 1 == len(findings[0])
    assert [findings[0]] * 4 == findings


def test_a_document_beyond_a_limit() -> None:
    """The document is invalid, and the message names the limit."""
    _write(
        "a.yml",
        "pull_request_rules:\n  - name: x\n    conditions: []\n    actions:\n"
        "      comment:\n        message: \"{{ 'a' * 10 ** 9 }}\"\n",
    )

    ended = _check("a.yml")

    assert 1 == ended.code
    assert ended.out.startswith("a.yml:1:1: error: reading this document takes more than 300 MiB of memory")


def test_json() -> None:
    """One JSON object with all findings."""
    _write("a.yml", _DEPRECATED)
    _write("b.yml", _INVALID)

    valid, invalid = _check("--json", "a.yml"), _check("--json", "b.yml")

    first, second = json.loads(valid.out), json.loads(invalid.out)
    assert (0, 1) == (valid.code, invalid.code)
    assert {"file", "valid", "errors", "more_errors", "deprecations", "hints", "notes"} == first.keys()
    assert ("a.yml", True, []) == (first["file"], first["valid"], first["errors"])
    assert [("2027-03-31", ["queue_rules", "0", "conditions"], 3, 5)] == [
        (one["deadline"], one["path_to_field"], one["line"], one["column"]) for one in first["deprecations"]
    ]
    assert ("b.yml", False) == (second["file"], second["valid"])
    assert [
        {
            "message": "Input should be greater than or equal to 1, found the number 0",
            "text": "Input should be greater than or equal to 1, found the number 0 "
            "@ root → queue_rules → item 0 → batch_size",
            "path": ["queue_rules", "0", "batch_size"],
            "line": 3,
            "column": 17,
        }
    ] == second["errors"]


def test_annotations() -> None:
    """Workflow commands of GitHub Actions, and a conclusion."""
    _write(".github/mergify.yml", _INVALID)

    assert Ending(
        1,
        "::error file=.github/mergify.yml,line=3,col=17::"
        "Input should be greater than or equal to 1, found the number 0\n"
        ".github/mergify.yml is invalid: 1 error\n",
        "",
    ) == _check("--format", "github")


def test_escapes_in_annotations() -> None:
    """No name or message can end a workflow command or start another."""
    found = [
        Finding(Severity.WARNING, "100%: a,b\r\n::error::x", 1, 2),
        Finding(Severity.NOTE, "whole"),
    ]

    assert [
        "::warning file=a%25%3A%2C%0A.yml,line=1,col=2::100%25: a,b%0D%0A::error::x",
        "::notice file=a%25%3A%2C%0A.yml::whole",
    ] == annotations("a%:,\n.yml", found)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--json", "--format", "github"), '{"error":{"status":null,"title":"Wrong usage",'),
        (("--format", "xml"), "mergecast: "),
        (("--nonsense",), "mergecast: "),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], message: str) -> None:
    """The exit code is 2 and there is a message."""
    ended = _check(*arguments)

    assert (2, "") == (ended.code, ended.out)
    assert ended.err.startswith(message)


@pytest.mark.parametrize(
    ("text", "line", "column", "excerpt"),
    [
        ("a: b\n", 1, 4, ["    1 | a: b", "      |    ^"]),
        ("a:\tb", 1, 4, ["    1 | a:    b", "      |       ^"]),
        ("日本: x", 1, 5, ["    1 | 日本: x", "      |       ^"]),
        ("e\u0301: x", 1, 5, ["    1 | e\u0301: x", "      |    ^"]),
        ("a\x1b[31mb: c", 1, 9, ["    1 | a\\x1b[31mb: c", "      |            ^"]),
        ("a: \u202eb", 1, 5, ["    1 | a: \\u202eb", "      |          ^"]),
        ("a\nb\r\nc\rd\u2028e", 5, 1, ["    5 | e", "      | ^"]),
        ("a", 1, 99, ["    1 | a", "      |  ^"]),
        ("a\n", 2, 1, ["    2 |", "      | ^"]),
        ("a", 7, 1, []),
        (
            "x" * 300 + "!" + "y" * 300,
            1,
            301,
            ["    1 | …" + "x" * 50 + "!" + "y" * 49 + "…", "      | " + " " * 51 + "^"],
        ),
        (
            "本" * 300,
            1,
            101,
            ["    1 | …" + "本" * 25 + "本" * 25 + "…", "      | " + " " * 51 + "^"],
        ),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_excerpts(text: str, line: int, column: int, excerpt: list[str]) -> None:
    """The caret is below the place; no character of the text controls the terminal."""
    assert excerpt == SourceLines(text).excerpt(line, column)


def test_escape() -> None:
    """Characters that control a terminal appear as their codes."""
    assert "a\\x1b[0m\\x0a\\x7f\\u2028 ä€😀" == escape("a\x1b[0m\n\x7f\u2028 ä€😀")


def test_a_foreign_folder() -> None:
    """Python modules in the checked repository are not imported."""
    for name in ("yaml", "jinja2", "msgspec", "mergecast", "sitecustomize"):
        _write(f"{name}.py", f"raise SystemExit('{name} of another repository')")
    _write(".mergify.yml", _VALID)
    program = Path(sys.executable).with_name("mergecast")

    ended = subprocess.run([program, "check"], capture_output=True, text=True, check=False)

    assert (0, ".mergify.yml is valid\n", "") == (ended.returncode, ended.stdout, ended.stderr)


@pytest.mark.parametrize("target", ["../secret.yml", ".git/config"])
def test_a_document_that_is_a_link_to_a_secret(folder: Path, target: str) -> None:
    """A pull request can add any link, and messages quote what they are about."""
    (folder / "checkout" / ".git").mkdir(parents=True)
    os.chdir("checkout")
    for name in ("../secret.yml", ".git/config"):
        _write(name, "token_of_someone: 1\n")
    Path(".mergify.yml").symlink_to(target)
    message = ".mergify.yml is a link that leads out of this folder; name the file itself"

    assert Ending(1, "", f"mergecast: {message}\n") == _check()
    assert Ending(1, "", f"mergecast: {message}\n") == _check(".mergify.yml")


def test_links_inside_the_folder_and_files_elsewhere(folder: Path) -> None:
    """A link to another file of the repository is followed, and so is a path that a person names."""
    _write("elsewhere.yml", _VALID)
    (folder / "checkout").mkdir()
    os.chdir("checkout")
    _write("queue.yml", _VALID)
    Path(".mergify.yml").symlink_to("queue.yml")

    assert Ending(0, ".mergify.yml is valid\n", "") == _check()
    assert Ending(0, "../elsewhere.yml is valid\n", "") == _check("../elsewhere.yml")
    assert 0 == _check(folder / "elsewhere.yml").code


def test_the_schema() -> None:
    """The JSON schema accepts a valid document and rejects an invalid one."""
    ended = mergecast("config", "schema", data=Path("nowhere"))

    schema = json.loads(ended.out)
    Draft202012Validator.check_schema(schema)
    assert 0 == ended.code
    assert Draft202012Validator(schema).is_valid(yaml.safe_load(_VALID))
    assert not Draft202012Validator(schema).is_valid(yaml.safe_load(_INVALID))


def test_the_hook() -> None:
    """The hook has all fields that pre-commit needs, and its command works."""
    (hook,) = yaml.safe_load((_ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    _write(".mergify/config.yml", _INVALID)
    name, *arguments = shlex.split(hook["entry"])

    assert {"id", "name", "entry", "language", "files"} <= hook.keys()
    assert ("mergecast-check", "python", "mergecast", False) == (
        hook["id"],
        hook["language"],
        name,
        hook["pass_filenames"],
    )
    assert 1 == mergecast(*arguments, data=Path("nowhere")).code
    others = ("mergify.yml", ".mergifyyml", "docs/.mergify.yml", ".github/mergify.yml.bak", ".mergify.yaaml")
    assert [*_USUAL_PATHS] == [
        path for path in (*_USUAL_PATHS, *others) if re.search(hook["files"], path) is not None
    ]


def test_the_usual_paths_are_the_same_everywhere() -> None:
    """In the program and in the documentation, in the order in which they are read."""
    page = (_ROOT / "docs" / "simulation.md").read_text(encoding="utf-8")
    paragraph = page[page.index("Without a file") :].partition("It reports all errors")[0]

    assert _USUAL_PATHS == DOCUMENT_PATHS
    assert [*_USUAL_PATHS] == re.findall(r"`([^`]*ya?ml)`", paragraph)


def test_several_files() -> None:
    """All are checked; one that is invalid decides the exit code."""
    _write("a.yml", _VALID)
    _write("b.yml", _INVALID)

    ended = _check("a.yml", "b.yml")

    assert 1 == ended.code
    assert "a.yml is valid" == ended.out.splitlines()[0]
    assert ["b.yml is invalid: 1 error", "2 files checked, 1 failed"] == ended.out.splitlines()[-2:]


def test_strict() -> None:
    """Deprecations and hints fail."""
    _write("a.yml", _DEPRECATED)
    _write("b.yml", _VALID)

    deprecated, valid = _check("--strict", "a.yml"), _check("--strict", "b.yml")

    assert (1, 0) == (deprecated.code, valid.code)
    assert "a.yml is valid but fails --strict: 1 deprecation" == deprecated.out.splitlines()[-1]


def test_json_of_several_files() -> None:
    """One object per line and file; --format json is --json."""
    _write("a.yml", _VALID)
    _write("b.yml", _INVALID)

    ended = _check("--format", "json", "a.yml", "b.yml")

    assert [("a.yml", True), ("b.yml", False)] == [
        (one["file"], one["valid"]) for one in map(json.loads, ended.out.splitlines())
    ]


def test_sarif() -> None:
    """One run whose results have levels and places."""
    _write("a b.yml", _INVALID)
    _write("b.yml", _DEPRECATED)

    ended = _check("--format", "sarif", "a b.yml", "b.yml")

    log = json.loads(ended.out)
    (run,) = log["runs"]
    first, second = run["results"]
    assert (1, "2.1.0", "mergecast") == (ended.code, log["version"], run["tool"]["driver"]["name"])
    assert ("error", "warning") == (first["level"], second["level"])
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} >= {first["ruleId"], second["ruleId"]}
    assert {
        "artifactLocation": {"uri": "a%20b.yml"},
        "region": {"startLine": 3, "startColumn": 17},
    } == first["locations"][0]["physicalLocation"]


def test_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a terminal, the severity has a colour; NO_COLOR switches that off."""
    _write("a.yml", _INVALID)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")

    coloured = _check("a.yml")
    monkeypatch.setenv("NO_COLOR", "1")
    plain = _check("a.yml")

    assert "\x1b[1;31merror:\x1b[0m" in coloured.out
    assert "31m" not in plain.out


def test_the_limit_is_that_of_the_child() -> None:
    """The command states it itself, because importing the child's is slow."""
    assert LIMIT_OF_THE_CHILD == LONGEST_DOCUMENT
