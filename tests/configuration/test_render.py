"""Rendering templates for a pull request."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from mergecast.language.configuration.templates.filters import section, to_markdown
from mergecast.language.configuration.templates.render import (
    LONGEST_TEXT,
    CannotRender,
    render_legacy,
    render_message,
    render_placeholders,
)

TODAY = date(2026, 11, 15)
AFTERWARDS = date(2027, 4, 1)
VALUES = {"author": "ann", "title": "A {{ author }} B", "body": "", "number": "7"}
BODY = "Intro\n# Notes\n one \n## Deeper\ntwo by {{ author }}\n# Other\nthree"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{author}} {{  author  }} {{\tauthor\n}}", "ann ann ann"),
        ("{{ title }}", "A {{ author }} B"),
        ("{ author } {% literal %} \\ {{{ author }}}", "{ author } {% literal %} \\ {ann}"),
        ("", ""),
    ],
)
def test_plain_variables_are_filled_in_a_single_pass(text: str, expected: str) -> None:
    assert expected == render_placeholders(text, VALUES)


@pytest.mark.parametrize(
    ("text", "today", "expected"),
    [
        ("by {{ author }}", TODAY, "by ann"),
        ("{{ author | upper }}", TODAY, "ANN"),
        ("{% if author %}yes{% endif %} {{ number + 1 }}", TODAY, "yes 8"),
        ("{% if author %}{{ author }}{% endif %}", AFTERWARDS, "{% if author %}ann{% endif %}"),
        ("{{ milestone }}", TODAY, "v1"),
    ],
)
def test_expressions_are_legacy_templates_up_to_the_deadline(text: str, today: date, expected: str) -> None:
    attributes = {"author": "ann", "number": 7, "milestone": "v1"}

    assert expected == render_message(text, VALUES, attributes, today)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ body | get_section('# Notes') }}", "one\n## Deeper\ntwo by ann"),
        ("{{ body | get_section('# notes ') }}", "one\n## Deeper\ntwo by ann"),
        ("{{ body | get_section('## Deeper') }}", "two by ann\n# Other\nthree"),
        ("{{ body | get_section('# None', 'nothing') }}", "nothing"),
        ("{{ body | get_section('# None', '') }}", ""),
        ("{{ '<b>x</b>' | markdownify }}", "**x**"),
        ("{% for label in labels %}{{ label }};{% endfor %}", "a;b;"),
        ("{{ body.split('#')[0] | trim }}", "Intro"),
    ],
)
def test_legacy_templates(text: str, expected: str) -> None:
    assert expected == render_legacy(text, {"body": BODY, "author": "ann", "labels": ("a", "b")})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ body | get_section('# None') }}", "section not found: `# None`"),
        ("{{ missing }}", "Template syntax error: 'missing' is undefined"),
        ("{% if %}", "Template syntax error: Expected an expression, got 'end of statement block' (line 1)"),
        ("{{ 1 // 0 }}", "Template syntax error: integer division or modulo by zero"),
        (
            "{{ body.__class__ }}",
            "Template syntax error: access to attribute '__class__' of 'str' object is unsafe.",
        ),
        (
            "{{ labels.append('x') }}",
            "Template syntax error: access to attribute 'append' of 'list' object is unsafe.",
        ),
        ("{{ ('x' * 300) + 1 }}", 'Template syntax error: can only concatenate str (not "int") to str'),
        ("{{ {}['x' * 300] }}", f"Template syntax error: 'dict object' has no attribute '{'x' * 168}…"),
    ],
)
def test_a_template_that_cannot_be_rendered_says_why(text: str, expected: str) -> None:
    with pytest.raises(CannotRender) as raised:
        render_legacy(text, {"body": BODY, "labels": ["a"]})

    assert expected == str(raised.value)


def test_the_text_of_a_section_cannot_print_an_address() -> None:
    """The author of a pull request writes that text, and the report must not depend on the process."""
    with pytest.raises(CannotRender, match="the function `upper` cannot be printed"):
        render_legacy("{{ body | get_section('# A') }}", {"body": "# A\n{{ [body.upper] }}"})


def test_a_section_cannot_include_another_one() -> None:
    body = "# A\n{{ body | get_section('# A') }}"

    with pytest.raises(CannotRender, match="No filter named 'get_section'"):
        render_legacy("{{ body | get_section('# A') }}", {"body": body})


def test_long_texts_are_truncated() -> None:
    assert LONGEST_TEXT == len(render_legacy("{% for n in range(99999) %}ab{% endfor %}", {}))
    assert LONGEST_TEXT == len(render_placeholders("{{ body }}", {"body": "x" * 99_999}))


def test_only_named_variables_are_read() -> None:
    class Picky(Mapping[str, Any]):
        def __getitem__(self, name: str) -> Any:
            if name == "author":
                return "ann"
            raise AssertionError(name)

        def __contains__(self, name: object) -> bool:
            return True

        def __iter__(self) -> Any:
            raise AssertionError

        def __len__(self) -> int:
            raise AssertionError

    assert "ann" == render_legacy("{{ author }}{% set body = 1 %}", Picky())


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("# A\nx", "# B", None),
        ("# A\nx\n# A\ny", "# A", "x"),
        ("A\nx\n# B", "A", "x\n# B"),
        ("#A\nx", "#A", "x"),
    ],
)
def test_sections(text: str, title: str, expected: str | None) -> None:
    assert expected == section(text, title)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("plain", "plain"),
        ("<p>one</p><p>two<br>three</p>", "one\n\ntwo\nthree"),
        ("<h1>A</h1><h3>B</h3>", "# A\n\n### B"),
        ("<em>a</em> <i>b</i> <strong>c</strong> <code>d</code> <del>e</del>", "*a* *b* **c** `d` ~~e~~"),
        ("<ol><li>a</li><li>b<ul><li>c</li></ul></li></ol>end", "1. a\n2. b\n  - c\n\nend"),
        ("<pre><code>x  y\n z</code></pre>", "```\nx  y\n z\n```"),
        ("<blockquote>said</blockquote>", "> said"),
        ('<img src="a.png" alt="A"><hr>', "![A](a.png)\n\n---"),
        ("<script>evil()</script><style>x</style>kept &amp; safe", "kept & safe"),
        ("<a>no target</a></a></ul></pre></script>", "[no target]()"),
        ("<span>text</span> <unknown>more</unknown>", "text more"),
        ("<li>alone</li>", "- alone"),
    ],
)
def test_html_to_markdown(html: str, expected: str) -> None:
    assert expected == to_markdown(html)
