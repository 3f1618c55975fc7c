"""Reads the pull request, its files and its commits from the platform's answers."""

from mergecast.queues.model.plain_data import Node
from mergecast.queues.model.snapshot import ChangedFile, Commit, PullRequest

STATES = ("open", "closed")


def read_pull(node: Node) -> PullRequest:
    merged = node.member("merged").boolean()
    head, base = node.member("head"), node.member("base")
    source, repository = head.member("repo"), base.member("repo")
    return PullRequest(
        number=node.member("number").integer(at_least=1),
        title=node.member("title").text(),
        body=node.member("body").text_or_null() or "",
        author=login(node.member("user")),
        base=base.member("ref").text(),
        head=head.member("ref").text(),
        head_sha=head.member("sha").text(),
        head_repository=_named(source, "full_name"),
        from_fork=_is_from_fork(source, repository),
        owner=repository.member("owner").member("login").text(),
        repository=repository.member("name").text(),
        default_branch=repository.member("default_branch").text(),
        milestone=_named(node.member("milestone"), "title"),
        labels=_texts(node.member("labels"), "name"),
        assignees=_texts(node.member("assignees"), "login"),
        requested_reviewers=_texts(node.member("requested_reviewers"), "login"),
        requested_teams=_texts(node.member("requested_teams"), "slug"),
        locked=node.member("locked").boolean(),
        draft=node.member("draft").boolean_or_null() or False,
        closed=node.member("state").choice(STATES) == "closed" or merged,
        merged=merged,
        merged_by=login(node.member("merged_by")),
        merge_commit_sha=node.member("merge_commit_sha").text_or_null(),
        mergeable=node.member("mergeable").boolean_or_null(),
        changed_files=node.member("changed_files").integer(),
        additions=node.member("additions").integer(),
        deletions=node.member("deletions").integer(),
        commits=node.member("commits").integer(),
        created_at=node.member("created_at").instant(),
        updated_at=node.member("updated_at").instant(),
        closed_at=node.member("closed_at").instant_or_null(),
        merged_at=node.member("merged_at").instant_or_null(),
    )


def read_file(node: Node) -> ChangedFile:
    return ChangedFile(
        path=node.member("filename").text(),
        status=node.member("status").text(),
        previous_path=node.member("previous_filename").text_or_null(),
    )


def read_commit(node: Node) -> Commit:
    commit = node.member("commit")
    author, committer = commit.member("author"), commit.member("committer")
    verification = commit.member("verification")
    return Commit(
        sha=node.member("sha").text(),
        message=commit.member("message").text(),
        parents=_texts(node.member("parents"), "sha"),
        is_verified=False if verification.is_null else verification.member("verified").boolean(),
        author=_named(author, "name"),
        author_email=_named(author, "email"),
        authored_at=_date(author),
        committer=_named(committer, "name"),
        committer_email=_named(committer, "email"),
        committed_at=_date(committer),
        author_login=login(node.member("author")),
    )


def login(account: Node) -> str | None:
    """The login of an account; None if the account was deleted."""
    return _named(account, "login")


def _named(node: Node, key: str) -> str | None:
    # The platform sends an empty object for an unknown account.
    return None if node.is_null or node.value == {} else node.member(key).text()


def _date(person: Node) -> int | None:
    return None if person.is_null else person.member("date").instant_or_null()


def _texts(node: Node, key: str) -> tuple[str, ...]:
    return tuple(item.member(key).text() for item in node.items())


def _is_from_fork(head: Node, base: Node) -> bool:
    """Also true if the repository of the head was deleted."""
    return head.is_null or head.member("id").integer() != base.member("id").integer()
