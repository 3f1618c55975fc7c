"""Examples for the pages of docs/language; a test validates each of them."""

from collections.abc import Iterator

from mergecast.language.conditions.attribute import Attribute, ValueKind

_BY_KIND = {
    ValueKind.BOOLEAN: "{name}",
    ValueKind.LOGIN: "{name} = octocat",
    ValueKind.CHECK: "{name} = build",
    ValueKind.TIME: "{name} < 14 days ago",
    ValueKind.PERMISSION: "{name} >= write",
}
_BY_NAME = {
    "number": ("number >= 1000",),
    "title": ("title ~= ^(feat|fix):", "#title <= 72"),
    "body": ("body ~= (?i)fixes #[0-9]+",),
    "body-raw": ("body-raw ~= <!-- skip-changelog -->",),
    "author": ("author = dependabot[bot]", "author = @reviewers"),
    "base": ("base = main", "base ~= ^release/"),
    "head": ("head ~= ^hotfix/",),
    "head-repo-full-name": ("head-repo-full-name = octocat/api",),
    "repository-name": ("repository-name = api",),
    "repository-full-name": ("repository-full-name = acme/api",),
    "milestone": ("milestone = v2.1",),
    "label": ("label = ready", "-label ~= ^wip"),
    "merged-by": ("merged-by = mergify[bot]",),
    "merge-commit-sha": ("merge-commit-sha ~= ^3f9c2d1",),
    "depends-on": ("depends-on = acme/api#12",),
    "review-requested": ("review-requested = @reviewers", "#review-requested = 0"),
    "approved-reviews-by": ("#approved-reviews-by >= 2", "approved-reviews-by = @reviewers"),
    "changes-requested-reviews-by": ("#changes-requested-reviews-by = 0",),
    "dismissed-reviews-by": ("#dismissed-reviews-by >= 1",),
    "review-threads-resolved": ("#review-threads-resolved >= 1",),
    "review-threads-unresolved": ("#review-threads-unresolved = 0",),
    "github-review-decision": ("github-review-decision = APPROVED",),
    "check-success": ("check-success = build", "check-success = @github-actions/lint"),
    "check-failure": ("#check-failure = 0",),
    "check-skipped": ("check-skipped = integration",),
    "check-success-or-neutral": ("check-success-or-neutral = coverage",),
    "deployment-success": ("deployment-success = staging",),
    "deployment-failure": ("deployment-failure = production",),
    "files": ("files *= src/**/*.py", "#files <= 20"),
    "added-files": ("added-files *= docs/**",),
    "modified-files": ("modified-files ~= ^src/",),
    "removed-files": ("removed-files *= migrations/*",),
    "added-lines": ("#added-lines < 400",),
    "deleted-lines": ("#deleted-lines < 400",),
    "modified-lines": ("#modified-lines < 400",),
    "scope": ("scope = backend",),
    "commits": ("#commits = 1", "commits[-1].commit_message ~= ^fixup!"),
    "commits-unverified": ("#commits-unverified = 0",),
    "commits-behind": ("#commits-behind = 0",),
    "updates": ("#updates < 10",),
    "dependabot-dependency-name": ("dependabot-dependency-name = django",),
    "dependabot-dependency-type": ("dependabot-dependency-type = direct:production",),
    "dependabot-update-type": ("dependabot-update-type != version-update:semver-major",),
    "queue-position": ("queue-position = 0",),
    "queue-name": ("queue-name = hotfix",),
    "queue-dequeue-reason": ("queue-dequeue-reason = checks-failed",),
    "current-datetime": ("current-datetime = XXXX-12-24T00:00/XXXX-12-26T23:59[UTC]",),
    "schedule": ("schedule = Mon-Fri 09:00-17:30[Europe/Paris]",),
    "sender": ("sender = {{ author }}",),
}


def example_conditions(row: Attribute) -> Iterator[str]:
    """Conditions that use the attribute with plausible values."""
    if row.name in _BY_NAME:
        yield from _BY_NAME[row.name]
    else:
        yield _BY_KIND[row.kind].format(name=row.name)


def _rule(action: str) -> str:
    lines = "\n".join(f"      {line}" for line in action.strip().splitlines())
    return f"pull_request_rules:\n  - name: example\n    conditions: [base = main]\n    actions:\n{lines}\n"


ACTION_EXAMPLES = {
    "assign": _rule("assign:\n  add_users: ['{{ author }}']"),
    "backport": _rule("backport:\n  branches: [stable/2]\n  labels: [backport]"),
    "close": _rule("close:\n  message: Thank you @{{ author }}, another pull request replaces this one."),
    "comment": _rule("comment:\n  message: '@{{ author }}, please rebase on {{ base }}.'"),
    "copy": _rule("copy:\n  regexes: [^release/]"),
    "delete_head_branch": _rule("delete_head_branch:"),
    "dismiss_reviews": _rule("dismiss_reviews:\n  approved: [octocat]\n  when: always"),
    "edit": _rule("edit:\n  draft: true"),
    "github_actions": _rule(
        "github_actions:\n  workflow:\n    dispatch:\n      - workflow: deploy.yml\n"
        "        inputs: {number: '{{ number }}'}"
    ),
    "label": _rule("label:\n  add: [ready]\n  toggle: [needs-review]"),
    "merge": _rule("merge:\n  method: squash\n  commit_message_format: {title: pr-title, body: pr-body}"),
    "post_check": _rule("post_check:\n  success_conditions: ['title ~= ^(feat|fix):']"),
    "queue": _rule("queue:"),
    "rebase": _rule("rebase:"),
    "request_reviews": _rule("request_reviews:\n  users: {octocat: 2, hubot: 1}\n  random_count: 1"),
    "review": _rule("review:\n  type: APPROVE\n  message: Looks good, {{ author }}."),
    "squash": _rule("squash:\n  commit_message: title+body"),
    "update": _rule("update:"),
}

SECTION_EXAMPLES = {
    "extends": "extends: shared-configuration",
    "shared": """
shared:
  checks: &checks
    - check-success = build
    - check-success = test
queue_rules:
  - name: default
    merge_conditions: [{and: *checks}]
""",
    "defaults": """
defaults:
  actions:
    comment: {bot_account: robot}
  queue_rule: {batch_size: 4}
""",
    "scopes": """
scopes:
  source:
    files:
      api: {include: ["api/**"], exclude: ["api/**/*.md"]}
      web: {include: ["web/**"]}
  barrier_files: {include: [Makefile]}
""",
    "commands_restrictions": """
commands_restrictions:
  backport:
    conditions: [sender-permission >= maintain]
""",
    "pull_request_rules": """
pull_request_rules:
  - name: queue approved pull requests
    description: Two approvals, or one if no source file changes
    conditions:
      - base = main
      - or:
          - "#approved-reviews-by >= 2"
          - and: ["#approved-reviews-by >= 1", not: "files ~= ^src/"]
    actions:
      queue:
""",
    "queue_rules": """
queue_rules:
  - name: hotfix
    queue_conditions: [label = hotfix]
  - name: default
    batch_size: {min: 1, max: 8}
    batch_max_wait_time: 5 min
    checks_timeout: 2 h
    merge_conditions: [check-success = integration]
""",
    "priority_rules": """
priority_rules:
  - name: urgent
    conditions: [label = urgent]
    priority: high
    allow_checks_interruption: true
""",
    "merge_protections": """
merge_protections:
  - name: no merge on weekends
    if: [base = main]
    success_conditions: ["schedule = Mon-Fri 09:00-17:30[Europe/Paris]"]
""",
    "merge_queue": """
merge_queue:
  max_parallel_checks: 3
  skip_intermediate_results: true
""",
    "merge_protections_settings": """
merge_protections_settings:
  auto_merge_conditions: [label = automerge]
""",
    "conflict_resolvers": """
conflict_resolvers:
  - paths: [CHANGELOG.md]
    strategy: union
  - package-manager: npm
    directories: [/, /web]
  - language: python
  - auto: true
""",
}
