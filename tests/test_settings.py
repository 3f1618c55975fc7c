"""Settings: valid values take effect; an invalid one ends the start with code 2 and a reason."""

import json
from pathlib import Path

import pytest

from access.token_issuer import key_set
from cli.program import mergecast
from mergecast.access.policy import Issuer, Policy
from mergecast.settings import Settings

pytestmark = pytest.mark.server

_LIST = (
    'must be a JSON list such as [{"issuer": "https://token.actions.githubusercontent.com", '
    '"audience": "mergecast", "jwks": "https://token.actions.githubusercontent.com/.well-known/jwks"}]'
)
_ENTRY = "entry 1 must have exactly the strings issuer, audience and jwks"
_HTTPS = "must begin with https://; http:// is allowed for this machine only"


_FOLLOW_LIST = 'must be a JSON list such as [{"source": "github", "repository": "acme/web", "as": null}]'


def _followed(**fields: object) -> str:
    return json.dumps([{"source": "github", "repository": "acme/web", **fields}])


def _issuer(jwks: str, issuer: str = "https://ci.example") -> str:
    return f'{{"issuer": "{issuer}", "audience": "mergecast", "jwks": "{jwks}"}}'


def test_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default GitHub tokens are accepted, no issuer or proxy is trusted, and the policy's limits apply."""
    for name in Settings.model_fields:
        monkeypatch.delenv(f"MERGECAST_{name.upper()}", raising=False)

    assert Policy(platform_url="https://api.github.com") == Settings().policy


def test_everything_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each setting reaches the policy."""
    file = tmp_path / "jwks.json"
    file.write_bytes(key_set())
    both = f"[{_issuer('https://ci.example/keys')}, {_issuer(str(file), 'other')}]"
    values = {
        "GITHUB_URL": "https://github.example/api/v3/", "SERVICE_ISSUERS": both,
        "TRUSTED_PROXIES": "10.0.0.0/8",
        "REQUESTS_PER_SECOND": "0.5", "REQUESTS_BURST": "7", "FAILED_CREDENTIALS_PER_MINUTE": "8",
        "SIMULATIONS_AT_ONCE": "9",
    }  # fmt: skip
    for name, value in values.items():
        monkeypatch.setenv(f"MERGECAST_{name}", value)

    policy = Settings().policy

    issuers = (
        Issuer("https://ci.example", "mergecast", "https://ci.example/keys"),
        Issuer("other", "mergecast", str(file)),
    )
    assert (issuers, "https://github.example/api/v3") == (policy.issuers, policy.platform_url)
    assert ("10.0.0.0/8",) == tuple(map(str, policy.trusted_proxies))
    assert (0.5, 7, 8, 9) == (
        policy.requests_per_second,
        policy.requests_burst,
        policy.failed_credentials_per_minute,
        policy.simulations_at_once,
    )


def test_the_platform_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty address turns platform tokens off."""
    monkeypatch.setenv("MERGECAST_GITHUB_URL", "")

    assert Settings().policy.platform_url is None


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("SERVICE_ISSUERS", "{", _LIST),
        ("SERVICE_ISSUERS", "{}", _LIST),
        ("SERVICE_ISSUERS", "[1]", _ENTRY),
        ("SERVICE_ISSUERS", '[{"issuer": "a", "audience": "b"}]', _ENTRY),
        ("SERVICE_ISSUERS", '[{"issuer": "a", "audience": "", "jwks": "c"}]', _ENTRY),
        ("SERVICE_ISSUERS", '[{"issuer": "a", "audience": "b", "jwks": "c", "more": 1}]', _ENTRY),
        ("SERVICE_ISSUERS", f"[{_issuer('http://ci.example/keys')}]",
         f"entry 1, jwks: `http://ci.example/keys` {_HTTPS}"),
        ("SERVICE_ISSUERS", f"[{_issuer('file:///etc/passwd')}]",
         f"entry 1, jwks: `file:///etc/passwd` {_HTTPS}"),
        ("SERVICE_ISSUERS", f"[{_issuer('https://a')}, {_issuer('https://b')}]",
         "lists an issuer twice; each has one audience and one key set"),
        ("SERVICE_ISSUERS", f"[{_issuer('/nowhere/jwks.json')}]",
         "the keys of https://ci.example cannot be read: /nowhere/jwks.json: No such file or directory"),
        ("SERVICE_ISSUERS", f"[{_issuer('/dev/null')}]",
         "the keys of https://ci.example cannot be read: /dev/null is not a JSON object"),
        ("FOLLOW", "{", _FOLLOW_LIST),
        ("FOLLOW", "{}", _FOLLOW_LIST),
        ("FOLLOW", '[{"source": "github"}]',
         "entry 1 must have the fields source and repository, and may have as"),
        ("FOLLOW", _followed(source="svn"),
         "entry 1, source: must be one of github, activity-log, gitlab, bors"),
        ("FOLLOW", _followed(source=["github"]),
         "entry 1, source: must be one of github, activity-log, gitlab, bors"),
        ("FOLLOW", _followed(repository="acme"), "entry 1, repository: must look like OWNER/REPO"),
        *(("FOLLOW", _followed(repository=name), "entry 1, repository: must look like OWNER/REPO")
          for name in ("../../user", "acme/..", "acme/./web", "acme/web?a=b", "acme/web#b", "acme/%2e%2e")),
        ("FOLLOW", _followed(source="gitlab", repository="a/b/c"),
         "entry 1, repository: must look like OWNER/REPO; choose a name for it with `as`"),
        ("FOLLOW", f"{_followed()[:-1]}, {_followed()[1:]}",
         "lists a source twice for the same repository"),
        ("GITLAB_URL", "http://gitlab.example", f"`http://gitlab.example` {_HTTPS}"),
        ("GITHUB_URL", "github.example", f"`github.example` {_HTTPS}"),
        ("GITHUB_URL", "http://github.example", f"`http://github.example` {_HTTPS}"),
        ("GITHUB_URL", "https://user:secret@github.example",
         "a URL here has no user, query, fragment, `%`, or segment `.` or `..`; write https://HOST/PATH"),
        *(("GITHUB_URL", url,
           "a URL here has no user, query, fragment, `%`, or segment `.` or `..`; write https://HOST/PATH")
          for url in ("https://github.example/..", "https://github.example/./api", "https://github.example/api?",
                      "https://github.example/api#", "https://github.example/%2e%2e/api")),
        ("GITHUB_URL", "https://[", "`https://[` is not a URL; write https://HOST/PATH"),
        ("OIDC_ISSUER", "http://login.example", f"`http://login.example` {_HTTPS}"),
        ("OIDC_RIGHTS", '{"groups": {"a": {"owners": ["acme"], "rights": "write"}}}',
         "groups, a, rights: must be one of read, ingest, admin, sources, not `write`"),
        *(("PUBLIC_URL", url,
           "must look like https://mergecast.example.com/path, without user, query and fragment")
          for url in ("ftp://x", "mergecast.example", "https://", "https:///path", "https://me:pw@x", "https://x?y",
                      "https://x/#y", "https://x y", "http://x:", "//x")),
        ("PUBLIC_URL", "https://x:70000", "Port out of range 0-65535"),
        ("TRUSTED_PROXIES", "proxy",
         "`proxy` is neither an address nor a network; write 10.0.0.7, 10.0.0.0/8 or ::1"),
        ("REQUESTS_PER_SECOND", "-1", "Input should be greater than or equal to 0"),
        ("REQUESTS_PER_SECOND", "nan", "Input should be less than or equal to 1000000"),
        ("REQUESTS_BURST", "0", "Input should be greater than or equal to 1"),
        ("FAILED_CREDENTIALS_PER_MINUTE", "few",
         "Input should be a valid integer, unable to parse string as an integer"),
        ("CHECKS_KEEP", "a year", "must be a number of days such as 400d, or 0 to store no reports"),
        ("CHECKS_KEEP", "-1d", "must be a number of days such as 400d, or 0 to store no reports"),
        ("SIMULATIONS_AT_ONCE", "0", "Input should be greater than or equal to 1"),
        ("EVENTS_KEEP", "a year", "must be a number of days such as 90d"),
        ("EVENTS_KEEP", "400", "must be a number of days such as 90d"),
        ("EVENTS_KEEP", "", "must be a number of days such as 90d"),
        ("EVENTS_KEEP", "0d",
         "must be at least one day, such as 400d; without it, events are kept for ever"),
        ("ADMIN_TOKEN", "short", "must have at least 32 visible ASCII characters and no spaces"),
    ],
)  # fmt: skip
def test_wrong_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str, message: str
) -> None:
    """The server does not start; it says which setting is invalid and what would be valid."""
    monkeypatch.setenv(f"MERGECAST_{name}", value)

    ended = mergecast("serve", "--port", "0", data=tmp_path)

    # Servers of other tests in this process may log something meanwhile.
    said = "".join(line for line in ended.err.splitlines(keepends=True) if not line.startswith('{"'))
    assert (2, f"mergecast: MERGECAST_{name}: {message}\n") == (ended.code, said)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"FOLLOW": _followed()},
            "MERGECAST_FOLLOW: github needs a token: set MERGECAST_GITHUB_TOKEN",
        ),
        (
            {"GITHUB_APP_ID": "42"},
            "MERGECAST_GITHUB_APP_ID and MERGECAST_GITHUB_APP_KEY_FILE must be set together",
        ),
        (
            {"FOLLOW": _followed(), "GITHUB_APP_ID": "42", "GITHUB_APP_KEY_FILE": "/nowhere/key.pem"},
            "MERGECAST_GITHUB_APP_KEY_FILE: cannot be read: No such file or directory",
        ),
        (
            {"OIDC_ISSUER": "https://login.example", "OIDC_CLIENT_ID": "mergecast"},
            "signing in with OpenID Connect also needs MERGECAST_OIDC_CLIENT_SECRET, MERGECAST_OIDC_RIGHTS",
        ),
        (
            {
                "OIDC_ISSUER": "https://login.example",
                "OIDC_CLIENT_ID": "mergecast",
                "OIDC_CLIENT_SECRET": "secret",
                "OIDC_RIGHTS": '{"sub": {"*": {"owners": ["*"], "rights": "read"}}}',
            },
            "signing in with OpenID Connect needs MERGECAST_PUBLIC_URL, to redirect back to",
        ),
    ],
)
def test_settings_that_need_each_other(tmp_path: Path, values: dict[str, str], message: str) -> None:
    """The message names the settings themselves."""
    given = {f"MERGECAST_{name}": value for name, value in values.items()}
    ended = mergecast(
        "serve", "--data-dir", tmp_path / "data", "--port", "0", data=tmp_path, stdin=b"", **given
    )

    assert (2, f"mergecast: {message}\n") == (ended.code, ended.err)
