"""Documents designed to exhaust their reader, by name."""

from collections.abc import Callable

MOST = 1_048_576


def _filled(part: str) -> str:
    """Repeat a text up to the size limit of a document."""
    return part * (MOST // len(part))


def _rule(condition: str) -> str:
    """A document whose only rule has this condition, quoted for YAML."""
    quoted = condition.replace("\\", "\\\\").replace('"', '\\"')
    return f'pull_request_rules:\n  - name: x\n    conditions: ["{quoted}"]\n    actions: {{}}\n'


def _comment(template: str) -> str:
    return (
        "pull_request_rules:\n  - name: x\n    conditions: []\n    actions:\n"
        f"      comment:\n        message: {template!r}\n"
    )


def _alias_bomb(width: int, depth: int) -> str:
    levels = [f"  a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, depth)]
    return "\n".join(["shared:", "  a0: &a0 [x, x, x]", *levels, f"queue_rules: *a{depth - 1}"])


def _merge_key_bomb(width: int, depth: int) -> str:
    first = "  a0: &a0 {" + ", ".join(f"k{n}: {n}" for n in range(100)) + "}"
    levels = [f"  a{n}: &a{n}\n    <<: [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, depth)]
    return "\n".join(["shared:", first, *levels, f"defaults: *a{depth - 1}"])


def _keys(number: int) -> str:
    return "".join(f"{n:x}:\n" for n in range(number))


def _groups(depth: int) -> str:
    return (
        "pull_request_rules:\n  - name: x\n    actions: {}\n    conditions: "
        + '[{"and": ' * depth + "[draft]" + "}]" * depth
    )  # fmt: skip


# The server rejects each of these.
HOSTILE_DOCUMENTS: dict[str, Callable[[], str]] = {
    "a megabyte of [": lambda: "[" * MOST,
    "a megabyte of {": lambda: "{" * MOST,
    "a megabyte of - ": lambda: _filled("- "),
    "a megabyte of ? ": lambda: _filled("? "),
    "a megabyte of [{": lambda: _filled("[{"),
    "a megabyte of ? [": lambda: _filled("? ["),
    "a megabyte of [],": lambda: "[" + "[]," * 349_000 + "]",
    "a megabyte of {},": lambda: "[" + "{}," * 349_000 + "]",
    "a megabyte of a,": lambda: "[" + "a," * 524_000 + "]",
    "a megabyte of &a": lambda: _filled("&a"),
    "a megabyte of *a": lambda: "[&a b, " + "*a," * 349_000 + "]",
    "a megabyte of !": lambda: _filled("!"),
    "a megabyte of |": lambda: _filled("|\n"),
    "a megabyte of # ": lambda: "a: b\n" + _filled("#")[:-10],
    "a megabyte of :": lambda: _filled(": "),
    "a megabyte of ---": lambda: _filled("---\n"),
    "a megabyte of %": lambda: _filled("%A\n"),
    "a megabyte of quotes": lambda: _filled('"'),
    "a megabyte of one string": lambda: '"' + "x" * (MOST - 2) + '"',
    "a megabyte of escapes": lambda: '"' + "\\U0001F600" * 104_000 + '"',
    "a megabyte of tabs": lambda: _filled("\t"),
    "a megabyte of blanks and a key": lambda: " " * (MOST - 3) + "a: ",
    "indentation that grows": lambda: "\n".join(" " * n + "a:" for n in range(1_400)),
    "groups, 1,000 deep": lambda: _groups(1_000),
    "groups, 80,000 deep": lambda: _groups(80_000),
    "groups, 33 deep": lambda: _groups(33),
    "as many keys as fit": lambda: _keys(155_000),
    "a mapping as a key, nested": lambda: "? " * 90 + "a",
    "duplicate keys": lambda: "queue_rules: 1\n" * 69_000,
    "billion laughs": lambda: _alias_bomb(10, 12),
    "billion laughs, wide": lambda: _alias_bomb(1_000, 6),
    "billion laughs, deep": lambda: _alias_bomb(2, 95),
    "a list in itself": lambda: "queue_rules: &a [*a]",
    "a mapping in itself": lambda: "defaults: &a {actions: *a}",
    "merge keys": lambda: _merge_key_bomb(10, 12),
    "merge keys, wide": lambda: _merge_key_bomb(1_000, 5),
    "merge keys, deep": lambda: _merge_key_bomb(2, 95),
    "a merge key of itself": lambda: "defaults: &a\n  <<: *a\n",
    "a huge integer": lambda: "queue_rules: " + "9" * (MOST - 20),
    "a huge octal": lambda: "queue_rules: 0" + "7" * (MOST - 20),
    "a huge hexadecimal": lambda: "queue_rules: 0x" + "f" * (MOST - 20),
    "a huge binary": lambda: "queue_rules: 0b" + "1" * (MOST - 20),
    "a huge sexagesimal": lambda: "queue_rules: 1" + ":59" * 349_000,
    "a huge float": lambda: "queue_rules: " + "9" * 500_000 + ".9e+9999999",
    "a huge batch size": lambda: "queue_rules: [{name: a, batch_size: 1" + "0" * 4_000 + "}]",
    "a date that is none": lambda: "queue_rules: 2026-13-45",
    "a huge timestamp": lambda: "queue_rules: 2026-01-01T00:00:00." + "9" * 1_000_000,
    "base 64": lambda: "queue_rules: !!binary " + "A" * 1_000_001,
    "a Python object": lambda: "queue_rules: !!python/object/apply:os.system ['touch /tmp/hostile']",
    "a Python name": lambda: "queue_rules: !!python/name:os.system",
    "an unknown tag": lambda: "queue_rules: !foo bar",
    "a tag directive": lambda: "%TAG ! tag:yaml.org,2002:python/\n---\nqueue_rules: !object:os.system []",
    "an ordered mapping": lambda: "queue_rules: !!omap " + "[a: 1]",
    "a set": lambda: "queue_rules: !!set {a, b}",
    "two documents": lambda: "a: b\n---\nc: d\n",
    "a NUL": lambda: "queue_rules: \0",
    "a NUL in a string": lambda: _rule("title = \0"),
    "an escaped NUL": lambda: 'queue_rules: "\\0"',
    "control characters": lambda: "queue_rules: \x01\x02\x1b[31m",
    "an escaped half of a pair": lambda: 'queue_rules: "\\ud800"',
    "a noncharacter": lambda: "queue_rules: \ufffe",
    "only a byte-order mark inside": lambda: "queue_rules:\n  - \ufeff[",
    "a template that repeats": lambda: _comment("{{ 'a' * 10 ** 9 }}"),
    "a template with a long loop": lambda: _comment("{% for i in range(10 ** 9) %}x{% endfor %}"),
    "a template with nested loops": lambda: _comment(
        "{% for i in range(9999) %}" * 12 + "x" + "{% endfor %}" * 12
    ),
    "a template that formats": lambda: _comment("{{ '%1000000000d' % 1 }}"),
    "a template that centers": lambda: _comment("{{ 'a' | center(10 ** 9) }}"),
    "a template that joins": lambda: _comment("{{ range(10 ** 8) | join }}"),
    "a template that reaches out": lambda: _comment("{{ ''.__class__.__mro__[1].__subclasses__() }}"),
    "a template nested deeply": lambda: _comment("{{ " + "(" * 100_000 + " }}"),
    "a template of many blocks": lambda: _comment("{% if 1 %}" * 50_000),
    "a template of many names": lambda: _comment("{{ a }}" * 140_000),
    "a template of operators": lambda: _comment("{{ " + "not " * 200_000 + "a }}"),
    "a pattern of many groups": lambda: _rule("title ~= " + "(a|bc)" * 170_000),
    "a pattern nested deeply": lambda: _rule("title ~= " + "(" * 100_000 + ")" * 100_000),
    "a pattern with a huge count": lambda: _rule("title ~= a{99999999999}"),
    "a pattern that looks behind": lambda: _rule("title ~= (?<=a*)b"),
    "a pattern that is case-blind": lambda: _rule("title ~= (?i)" + "[\\u0000-\\uffff]" * 5_000),
    "a glob of braces": lambda: _rule("files *= " + "{a,b}" * 40),
    "a glob of many braces": lambda: _rule("files *= " + "{a,b}" * 100_000),
    "a glob nested deeply": lambda: _rule("files *= " + "{a," * 100_000 + "}" * 100_000),
    "a glob of stars": lambda: _rule("files *= " + "**/" * 300_000),
    "a long condition": lambda: _rule("a" * 1_000_000),
    "a condition of blanks": lambda: _rule(" " * 1_000_000),
    "a condition of negations": lambda: _rule("-" * 1_000_000 + "draft"),
    "a condition of numbers": lambda: _rule("#" * 500_000 + "files>" + "9" * 500_000),
    "a schedule of numbers": lambda: _rule("schedule = " + "Mon-" * 200_000),
    "a long duration": lambda: _rule("created-at >= " + "9" * 100_000 + " days ago"),
    "a long time": lambda: _rule("current-datetime >= " + "2026-" * 100_000),
    "500 conditions more than allowed": lambda: (
        "pull_request_rules:\n  - name: x\n    actions: {}\n    conditions:\n" + "      - draft\n" * 1_000
    ),
    "80,000 conditions": lambda: (
        "pull_request_rules:\n  - name: x\n    actions: {}\n    conditions:\n" + "      - drft\n" * 80_000
    ),
    "25,000 rules": lambda: "pull_request_rules:\n" + "  - {name: x, conditions: [x], y: 1}\n" * 25_000,
    "33,000 unknown fields": lambda: "".join(f"some_unknown_field_{n:05}: {n}\n" for n in range(33_000)),
    "misspelt fields": lambda: "queue_rules: [{" + ", ".join(f"nam{n:x}: 1" for n in range(60_000)) + "}]",
    "long unknown fields": lambda: f"{'queue_rule' * 50_000}: 1",
}  # fmt: skip

# These may be valid: they are expensive only to evaluate.
SLEEPING_DOCUMENTS: dict[str, Callable[[], str]] = {
    "a template with a huge power": lambda: _comment("{{ 9 ** 9 ** 9 ** 9 }}"),
    "a pattern that backtracks": lambda: _rule("title ~= (a+)+$"),
    "a pattern that explodes": lambda: _rule("title ~= " + "(?:" * 4 + "a{1,1000}" + "){1,1000}" * 4),
    "a pattern of alternatives": lambda: _rule("title ~= " + "|".join("ab" * 200_000)),
    "a pattern with a huge class": lambda: _rule("title ~= [" + "a-zA-Z" * 100_000 + "]"),
    "many patterns": lambda: (
        "pull_request_rules:\n  - name: x\n    actions: {}\n    conditions:\n"
        + "".join(f"      - title ~= (a{n}|b)+[c-z]{{1,9}}\n" for n in range(499))
    ),
    "deprecations": lambda: "pull_request_rules:\n" + "".join(
        f"- {{name: r{n}, actions: {{}}, conditions: [{','.join(['status-success=a'] * 300)}]}}\n"
        for n in range(200)
    ),
    "characters outside the basic plane": lambda: "#" + "\U0001f600" * (MOST - 1),
    "a glob of numbers": lambda: _rule("files *= {1..999999999}"),
}  # fmt: skip
