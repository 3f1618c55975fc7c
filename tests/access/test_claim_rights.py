"""The operator's mapping from claims to owners and rights: what it gives, and what is wrong with one."""

import pytest

from mergecast.access.claim_rights import parse_rights
from mergecast.access.oidc_settings import check_scopes, check_shown
from mergecast.access.rights import Right
from mergecast.settings import Settings

_OBJECT = 'must be a JSON object such as {"groups": {"platform": {"owners": ["acme"], "rights": "admin"}}}'
_GRANT = 'must have exactly owners and rights: {"owners": ["acme"], "rights": "read"}'
_VALUES = (
    "must map values of this claim, or * for everyone who has it, to owners and rights: "
    '{"groups": {"platform": {"owners": ["acme"], "rights": "admin"}}}'
)


def test_everyone_who_has_a_claim() -> None:
    """A star as the value; another value of the same claim adds to it."""
    star, more = '{"owners": ["acme"], "rights": "read"}', '{"owners": ["acme"], "rights": "ingest"}'
    rights = parse_rights(f'{{"sub": {{"*": {star}, "7": {more}}}}}')
    assert rights is not None
    found = [rights.by_owner(rights.matched(claims)) for claims in ({"sub": "1"}, {"sub": "7"}, {"sub": ""})]

    read = frozenset({Right.LIST, Right.READ})
    assert [{"acme": read}, {"acme": read | {Right.INGEST}}, {}] == found


def test_a_value_that_is_no_longer_mapped() -> None:
    """It gives nothing, nor does a claim that is no longer mapped."""
    rights = parse_rights('{"groups": {"a": {"owners": ["acme"], "rights": "read"}}}')
    assert rights is not None

    assert {} == rights.by_owner({"groups": ["b"], "roles": ["a"]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", _OBJECT),
        ("[]", _OBJECT),
        ("{}", _OBJECT),
        ("[" * 100_000, _OBJECT),
        ('{"groups": {}, "groups": {}}', "`groups` occurs twice; list it once, with everything"),
        ('{"groups": []}', f"groups: {_VALUES}"),
        ('{"groups": {}}', f"groups: {_VALUES}"),
        ('{"groups": {"a": "acme"}}', f"groups, a: {_GRANT}"),
        ('{"groups": {"a": {"owners": ["acme"]}}}', f"groups, a: {_GRANT}"),
        ('{"groups": {"a": {"owners": ["acme"], "right": "read"}}}', f"groups, a: {_GRANT}"),
        ('{"groups": {"a": {"owners": "acme", "rights": "read"}}}',
         'groups, a, owners: must be a list such as ["acme"], or ["*"] for all owners'),
        ('{"groups": {"a": {"owners": [], "rights": "read"}}}',
         'groups, a, owners: must be a list such as ["acme"], or ["*"] for all owners'),
        ('{"groups": {"a": {"owners": ["acme/web"], "rights": "read"}}}',
         "groups, a, owners: `acme/web` is not the name of an owner; * means all owners"),
        ('{"groups": {"a": {"owners": [null], "rights": "read"}}}',
         "groups, a, owners: `null` is not the name of an owner; * means all owners"),
        ('{"groups": {"a": {"owners": ["acme"], "rights": "write"}}}',
         "groups, a, rights: must be one of read, ingest, admin, sources, not `write`"),
        ('{"groups": {"a": {"owners": ["acme"], "rights": ["read"]}}}',
         'groups, a, rights: must be one of read, ingest, admin, sources, not `["read"]`'),
        ('{"groups": {"a": {"owners": ["acme"], "rights": "sources"}}}',
         'groups, a, owners: must be ["*"] with the rights sources, which belong to no owner'),
    ],
)  # fmt: skip
def test_a_wrong_mapping(text: str, message: str) -> None:
    """The message says where it is wrong, and what would be right."""
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the whole message is compared
        parse_rights(text)

    assert message == str(raised.value)


@pytest.mark.parametrize("text", ["", "profile", "openid  email", "openid\nemail", 'openid "email"'])
def test_wrong_scopes(text: str) -> None:
    """The scope that makes it OpenID Connect cannot be left out."""
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the whole message is compared
        check_scopes(text)

    message = "must be words separated by one space, among them openid: openid profile email"
    assert message == str(raised.value)


def test_a_wrong_name() -> None:
    with pytest.raises(ValueError, match="must be one line of at most 100 characters"):
        check_shown("two\nlines")


def test_the_secret_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by the settings nor by what is made of them."""
    values = {
        "PUBLIC_URL": "https://mergecast.example", "OIDC_ISSUER": "https://login.example/",
        "OIDC_CLIENT_ID": "mergecast", "OIDC_CLIENT_SECRET": "the-secret",
        "OIDC_RIGHTS": '{"groups": {"a": {"owners": ["acme"], "rights": "read"}}}',
        "OIDC_SCOPES": "openid groups",
    }  # fmt: skip
    for name, value in values.items():
        monkeypatch.setenv(f"MERGECAST_{name}", value)
    settings = Settings()

    assert settings.oidc is not None
    assert ("https://login.example/", "openid groups", "the-secret", "login.example") == (
        settings.oidc.issuer, settings.oidc.scopes, settings.oidc.app.client_secret, settings.oidc.shown_name,
    )  # fmt: skip
    assert "the-secret" not in f"{settings!r}{settings}{settings.policy!r}"
