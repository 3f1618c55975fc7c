"""URLs of GitHub: its APIs and its pages, on github.com, on ghe.com and on Enterprise Server."""

from urllib.parse import quote, urlencode

API = "https://api.github.com"
_WEB = "https://github.com"
_ENTERPRISE = "/api/v3"  # the path of the REST API on Enterprise Server
_TENANT = ("https://api.", ".ghe.com")  # around the name of an enterprise on ghe.com


def graphql_url(rest_url: str) -> str:
    """The URL of the GraphQL API for that of the REST API."""
    root = rest_url.removesuffix(_ENTERPRISE)
    return f"{rest_url}/graphql" if root == rest_url else f"{root}/api/graphql"


def is_tenant(rest_url: str) -> bool:
    """Whether this is the REST API of an enterprise on ghe.com."""
    before, after = _TENANT
    return rest_url.startswith(before) and rest_url.endswith(after)


def web_url(rest_url: str) -> str:
    """Where people see GitHub's pages, for the URL of the REST API.

    >>> web_url("https://api.github.com"), web_url("https://ghe.acme.example/api/v3")
    ('https://github.com', 'https://ghe.acme.example')
    >>> web_url("https://api.acme.ghe.com")
    'https://acme.ghe.com'
    """
    if rest_url == API:
        return _WEB
    if is_tenant(rest_url):
        return f"https://{rest_url.removeprefix(_TENANT[0])}"
    return rest_url.removesuffix(_ENTERPRISE)


def new_app_url(rest_url: str, organization: str | None, state: str) -> str:
    """Where a form with a manifest is sent: to an organization, or to the account of whoever sends it."""
    owner = "" if organization is None else f"/organizations/{quote(organization, safe='')}"
    return f"{web_url(rest_url)}{owner}/settings/apps/new?{urlencode({'state': state})}"


def install_url(rest_url: str, slug: str) -> str:
    """The page that installs an App; Enterprise Server has its Apps elsewhere."""
    folder = "github-apps" if rest_url.endswith(_ENTERPRISE) else "apps"
    return f"{web_url(rest_url)}/{folder}/{quote(slug, safe='')}/installations/new"
