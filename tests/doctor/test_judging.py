"""Judgements about situations that a test cannot bring about, and about many at once."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mergecast.doctor.finding import Finding, Level, error, ok, warning
from mergecast.doctor.judging.deliveries import judge_channels, judge_sources
from mergecast.doctor.judging.machine import judge_clock, judge_disk, judge_extras, judge_folder, judge_memory
from mergecast.doctor.judging.network import judge_provider, judge_server
from mergecast.doctor.masking import masked, masked_url, secrets_of, shown_settings, without_secrets
from mergecast.doctor.observed import Answer, Folder, ProviderAnswers, ServerAnswers, Unknown
from mergecast.queues.model.instant import DAY, HOUR, format_instant

_NOW = 20_000 * DAY
_FOLDER = Folder(
    Path("/data"),
    user="mergecast",
    owner="mergecast",
    is_folder=True,
    may_use=True,
    file_system="ext4",
    free_bytes=50 << 30,
    has_free_files=True,
)
_ADVICE = "free some space, or move the data folder to a larger disk"
_CLOCK = "set the clock of this machine with NTP (`timedatectl set-ntp true`)"


def test_a_network_file_system() -> None:
    assert warning(
        "data folder",
        "/data is on a network file system (nfs4), where locks and writes are not reliable",
        "move it to a local disk, or use PostgreSQL",
    ) == judge_folder(replace(_FOLDER, file_system="nfs4"), has_server_extra=True)


def test_a_folder_that_cannot_be_created() -> None:
    missing = replace(_FOLDER, owner=None, is_folder=False, may_use=False, user="alice")

    assert error(
        "data folder",
        "there is no folder /data, and alice may not create it",
        "create it for the user of the server, or name another with --data-dir or MERGECAST_DATA_DIR",
    ) == judge_folder(missing, has_server_extra=True)


def test_a_disk_that_does_not_answer() -> None:
    unknown = Unknown("no answer within 5 seconds")

    assert error(
        "data folder",
        "no answer within 5 seconds",
        "its disk may not answer: look at `dmesg` and `mount`",
    ) == judge_folder(unknown, has_server_extra=True)
    assert [] == list(judge_disk(unknown))


@pytest.mark.parametrize(
    ("free", "expected"),
    [
        (50 << 30, ok("disk", "50.0 GiB free")),
        ((1 << 30) - 1, warning("disk", "only 1023 MiB free for /data", _ADVICE)),
        (
            (100 << 20) - 1,
            error("disk", "only 99 MiB free for /data; deliveries get 503 when it is full", _ADVICE),
        ),
    ],
)
def test_disk_space(free: int, expected: Finding) -> None:
    assert [expected] == list(judge_disk(replace(_FOLDER, free_bytes=free)))


def test_no_free_inodes() -> None:
    assert [
        error("disk", "the file system of /data has no free inodes, so no file can be created", _ADVICE)
    ] == list(judge_disk(replace(_FOLDER, has_free_files=False)))


def test_no_dashboard() -> None:
    advice = "run `scripts/install` in a clone, or install a released wheel"
    message = "this installation has no dashboard; the HTTP API works without it"

    assert [
        ok("installation", "the server is installed"),
        warning("dashboard", message, advice),
    ] == list(judge_extras((), has_dashboard=False, uses_url=False))


def test_clocks() -> None:
    def judged(ahead: float, jumped: float = 0.0, last: int | None = None) -> list[Finding]:
        return list(judge_clock({"the database": ahead}, jumped, last, _NOW))

    assert [ok("clock", "agrees with the database")] == judged(-9.0)
    assert [warning("clock", "it is 11s behind that of the database", _CLOCK)] == judged(11.0)
    assert [error("clock", "it is 2h00m ahead of that of the database", _CLOCK)] == judged(-7200.0)
    assert [warning("clock", "it was set by -3600 seconds during this check", _CLOCK)] == judged(0, -3600)
    assert [
        error(
            "clock",
            f"the store was last changed at {format_instant(_NOW + DAY)}, which this clock has not reached",
            _CLOCK,
        )
    ] == judged(0, last=_NOW + DAY)
    assert [ok("clock", "no other clock to compare with")] == list(judge_clock({}, 0.0, _NOW, _NOW))


def _server(**answers: Any) -> ServerAnswers:
    ready = Answer(200, {"status": "ready"})
    return ServerAnswers(
        "http://here", **{"ready": ready, "repositories": Answer(200, {"total": 1}), **answers}
    )


@pytest.mark.parametrize(
    ("ready", "expected"),
    [
        (
            Answer(503, {"status": 503, "detail": "a part of the store is damaged"}),
            error("server", "http://here is not ready: a part of the store is damaged", "see its log"),
        ),
        (
            Answer(200, {"status": "degraded", "reason": "the disk of the store is full"}),
            warning("server", "http://here is degraded: the disk of the store is full", "see its log"),
        ),
        (
            Answer(200, {"status": "degraded"}),
            warning("server", "http://here is degraded: it does not say why", "see its log"),
        ),
        (
            Answer(200, None),
            error(
                "server",
                "http://here is not a Mergecast server: http://here/readyz answered 200",
                "check the address, and the path of a proxy before it",
            ),
        ),
    ],
)
def test_a_server_that_is_not_ready(ready: Answer, expected: Finding) -> None:
    assert [expected] == list(judge_server(_server(ready=ready), "0.1.0"))


def test_a_list_of_repositories_that_is_not_there() -> None:
    """A path that a proxy does not pass on is no reason to change the token."""
    found = _server(repositories=Answer(404))

    assert [
        ok("server", "http://here is ready"),
        error(
            "server",
            "its list of repositories cannot be read at http://here/v1/repos: it answered 404",
            "check the address, and the path of a proxy before it",
        ),
    ] == list(judge_server(found, "0.1.0"))


def test_secrets_inside_a_list_are_removed() -> None:
    """A repository may be written as a URL with a token."""
    variables = {"MERGECAST_FOLLOW": '[{"source": "gitlab", "repository": "https://me:glpat-1@x/y"}]'}

    assert {"MERGECAST_FOLLOW": "…"} == shown_settings(variables)
    assert "no project https://me:…@x/y" == without_secrets(
        "no project https://me:glpat-1@x/y", secrets_of(variables)
    )


def test_a_server_of_another_version() -> None:
    found = _server(description=Answer(200, {"info": {"version": "0.2.0"}}))

    assert [
        ok("server", "http://here is ready"),
        warning(
            "server", "it is mergecast 0.2.0, and this program is 0.1.0", "install the same version here"
        ),
    ] == list(judge_server(found, "0.1.0"))


def _source(**fields: Any) -> ServerAnswers:
    source = {"source": "github", "kind": "webhook", "last_at": format_instant(_NOW - HOUR), **fields}
    return _server(sources={"acme/web": [source]})


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ok("sources", "acme/web: github by webhook, last delivery 1h00m ago")),
        (
            {"last_at": format_instant(_NOW - 8 * DAY)},
            warning(
                "sources",
                "acme/web: github by webhook, last delivery 8d ago",
                "if pull requests were queued since, see the recent deliveries in the webhook's settings",
            ),
        ),
        (
            {"kind": "import", "last_at": format_instant(_NOW - 8 * DAY)},
            ok("sources", "acme/web: github by import, last delivery 8d ago"),
        ),
        (
            {"hint": "select the events Merge groups"},
            warning(
                "sources",
                "acme/web: github by webhook, last delivery 1h00m ago; select the events Merge groups",
            ),
        ),
        (
            {"following": {"error": "invalid token"}},
            warning(
                "sources",
                "acme/web: github by webhook, last delivery 1h00m ago; following fails: invalid token",
            ),
        ),
        (
            {"untranslated": [{"reason": "a", "count": 2}, {"reason": "b", "count": 1}]},
            warning(
                "sources",
                "acme/web: github by webhook, last delivery 1h00m ago; 3 deliveries could not be translated",
                "see `mergecast admin sources acme/web`",
            ),
        ),
    ],
)
def test_sources(fields: dict[str, Any], expected: Finding) -> None:
    assert [expected] == list(judge_sources(_source(**fields), _NOW))


def test_more_repositories_than_are_asked_about() -> None:
    found = replace(_source(), repositories=Answer(200, {"total": 1020}))

    assert (
        ok("sources", "1,000 more repositories, with older events, were not checked")
        == list(judge_sources(found, _NOW))[-1]
    )


def test_channels() -> None:
    result = {"is_sent": False, "detail": "it answered 404"}
    failed = {
        "id": "c1",
        "kind": "slack",
        "target": "hooks.slack.com/…",
        "state": "ready",
        "last_result": result,
    }
    unreadable = {"id": "c2", "kind": "email", "target": "a…@acme.example", "state": "unreadable"}

    assert [
        warning(
            "channels",
            "acme/web: slack (hooks.slack.com/…) is ready; the last message failed: it answered 404",
            "try it with `mergecast admin channels test acme/web c1`",
        ),
        warning(
            "channels",
            "acme: email (a…@acme.example) is unreadable",
            "set MERGECAST_SECRET_KEY to the key it was created with, or create it again",
        ),
    ] == list(judge_channels(_server(channels={"acme/web": [failed], "acme": [unreadable]})))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://me:hunter2@db:5432/x", "postgresql://me:…@db:5432/x"),
        ("postgresql://db/x?password=hunter2", "postgresql://db/x?…"),
        ("postgresql://db/x?password=hun@ter2", "…"),
        ("postgresql://me:hun/ter2@db/x", "…"),
        ("postgresql://me:hun?ter2@db/x", "…"),
        ("postgresql://me:hun@ter2@db/x", "…"),
        ("postgresql://hunter2@db/x", "postgresql://…@db/x"),
        ("https://me:hunter2", "…"),
        ("hunter2", "…"),
        ("https://[::1]:8443/path", "https://[::1]:8443/path"),
        ("", ""),
    ],
)
def test_masked_urls(url: str, expected: str) -> None:
    assert expected == masked_url(url)
    assert expected == masked("MERGECAST_DATABASE_URL", url)
    assert expected == masked("MERGECAST_OIDC_ISSUER", url)


def test_a_setting_that_this_program_does_not_know_is_hidden() -> None:
    variables = {"MERGECAST_NEW_PASSPHRASE": "hunter2", "PATH": "/bin", "MERGECAST_PORT": "1"}

    assert {"MERGECAST_NEW_PASSPHRASE": "…", "MERGECAST_PORT": "1"} == shown_settings(variables)


def test_secrets_are_removed_from_what_others_say() -> None:
    variables = {"MERGECAST_DATABASE_URL": "postgresql://me:p%40ss1@db/x", "MERGECAST_GITHUB_TOKEN": "ghp_12"}
    said = "no route for ghp_12 to p@ss1, p%40ss1 or postgresql://me:p%40ss1@db/x"

    assert "no route for … to …, … or …" == without_secrets(said, secrets_of(variables))


_NO_LIMIT = -1  # of address space


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (None, ok("memory", "not limited")),
        (9_223_372_036_854_771_712, ok("memory", "not limited")),
        (512 << 20, ok("memory", "limited to 512 MiB")),
        (
            200 << 20,
            error(
                "memory",
                "the server needs at least 256 MiB of memory, and its control group has 200 MiB; raise the "
                "limit (MemoryMax= of systemd, --memory of Docker, resources.limits.memory of Kubernetes)",
            ),
        ),
    ],
)
def test_the_limit_on_memory(limit: int | None, expected: Finding) -> None:
    assert expected == judge_memory(limit, _NO_LIMIT)


def test_too_little_address_space() -> None:
    found = judge_memory(None, 1_000 << 20)

    assert (Level.ERROR, "memory") == (found.level, found.check)
    assert found.message.startswith("the server needs 1,536 MiB of address space, and this process is ")
    assert ok("memory", "not limited") == judge_memory(None, 2_000 << 20)


def test_a_provider_that_takes_too_long() -> None:
    assert error("sign-in", "MERGECAST_OIDC_ISSUER: no answer within 30 seconds") == judge_provider(
        Unknown("no answer within 30 seconds"), "https://mergecast.example.com"
    )


def test_the_keys_of_a_provider() -> None:
    """Each problem names the address of the keys, which differs from the issuer's."""
    keys_url = "https://keys.example.com/all"
    fine = ProviderAnswers(
        "https://login.example.com/", "https://login.example.com/x", Answer(200), None, keys_url, Answer(200)
    )

    assert ok(
        "sign-in",
        "https://login.example.com/ answers as it should; its redirect URI for this server must be "
        "https://mergecast.example.com/v1/session/oidc/return",
    ) == judge_provider(fine, "https://mergecast.example.com/")
    assert error(
        "sign-in",
        f"the keys of the provider cannot be read: {keys_url} answered 503",
        "so no one can sign in: check the provider",
    ) == judge_provider(replace(fine, keys=Answer(503)), None)
    assert error(
        "sign-in",
        f"{keys_url} contains no public key with a `kid` for RS256, ES256 or EdDSA",
        "let the provider sign ID tokens with one of these algorithms",
    ) == judge_provider(
        replace(fine, problem_of_keys="contains no public key with a `kid` for RS256, ES256 or EdDSA"), None
    )
