"""URLs of GitHub's APIs, on github.com and on Enterprise Server."""

_ENTERPRISE = "/api/v3"  # the path of the REST API on Enterprise Server


def graphql_url(rest_url: str) -> str:
    """The URL of the GraphQL API for that of the REST API."""
    root = rest_url.removesuffix(_ENTERPRISE)
    return f"{rest_url}/graphql" if root == rest_url else f"{root}/api/graphql"
