"""A message as each kind of channel wants it: Slack's blocks, an Adaptive Card, or an email. All pure."""

from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from html import escape
from typing import Any

from mergecast.queues.model.instant import SECOND
from mergecast.signals.notices.message import Line, Message, Span, clean

_HEADER = 150  # characters that Slack allows
_SECTION = 3000
_SCHEMA = "http://adaptivecards.io/schemas/adaptive-card.json"


def slack(message: Message) -> dict[str, Any]:
    """Block Kit for an incoming webhook."""
    sections = [_slack_line(line) for line in message.lines]
    return {
        # For notifications, which show nothing else.
        "text": _slack_text(" · ".join([message.title, *_plain(message)[:1]])),
        "blocks": [
            {
                "type": "header",
                "text": {"type": "plain_text", "text": clean(message.title, _HEADER), "emoji": False},
            },
            *({"type": "section", "text": _mrkdwn(text)} for text in _packed(sections)),
            {"type": "context", "elements": [_mrkdwn(_slack_line((message.link,)))]},
        ],
    }


def _mrkdwn(text: str) -> dict[str, Any]:
    # Verbatim: addresses and names in the text of a pull request do not become links or mentions.
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def _packed(lines: list[str]) -> list[str]:
    """Lines joined to as few texts as fit."""
    texts: list[str] = []
    for line in lines:
        if texts and len(texts[-1]) + 1 + len(line) <= _SECTION:
            texts[-1] += f"\n{line}"
        else:
            texts.append(line)
    return texts


def _slack_line(line: Line) -> str:
    """A line that fits into a section; no link and no escaped character is cut."""
    told = ""
    for span in line:
        shown = _fitting(span, _SECTION - len(told))
        told += _slack_span(shown)
        if shown.text != span.text:
            break
    return told


def _fitting(span: Span, room: int) -> Span:
    """A piece that fits: as it is, without its link, or shortened."""
    for whole in (span, span._replace(url=None)):
        if len(_slack_span(whole)) <= room:
            return whole
    for length in range(len(span.text) - 1, -1, -1):
        short = Span(f"{span.text[:length]}…", None, span.is_bold)
        if len(_slack_span(short)) <= room:
            return short
    return Span("")


def _slack_span(span: Span) -> str:
    text = _slack_text(span.text)
    if span.url is not None:
        text = f"<{_slack_text(span.url).replace('|', '%7C')}|{text.replace('|', '¦')}>"
    return f"*{text}*" if span.is_bold else text


def _slack_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def teams(message: Message) -> dict[str, Any]:
    """An Adaptive Card for a workflow. Runs of text are not read as Markdown."""
    title = {"type": "TextRun", "text": message.title, "weight": "Bolder", "size": "Medium"}
    card = {
        "$schema": _SCHEMA,
        "type": "AdaptiveCard",
        "version": "1.4",
        "msteams": {"width": "Full"},
        "body": [
            {"type": "RichTextBlock", "inlines": [title]},
            *({"type": "RichTextBlock", "inlines": [_run(span) for span in line]} for line in message.lines),
        ],
        "actions": [{"type": "Action.OpenUrl", "title": message.link.text, "url": message.link.url}],
    }
    attachment = {
        "contentType": "application/vnd.microsoft.card.adaptive",
        "contentUrl": None,
        "content": card,
    }
    return {"type": "message", "attachments": [attachment]}


def _run(span: Span) -> dict[str, Any]:
    bold = {"weight": "Bolder"} if span.is_bold else {}
    link = {} if span.url is None else {"selectAction": {"type": "Action.OpenUrl", "url": span.url}}
    return {"type": "TextRun", "text": span.text, **bold, **link}


def text(message: Message) -> str:
    """Plain text."""
    lines = ["".join(map(_text_span, line)) for line in message.lines]
    return "\n".join([message.title, "", *lines, "", _text_span(message.link), ""])


def _plain(message: Message) -> list[str]:
    """The lines without links."""
    return ["".join(span.text for span in line) for line in message.lines]


def _text_span(span: Span) -> str:
    return span.text if span.url is None else f"{span.text} <{span.url}>"


def html(message: Message) -> str:
    lines = "".join(f"<p>{''.join(map(_html_span, line))}</p>\n" for line in message.lines)
    return (
        f'<!doctype html>\n<html><head><meta charset="utf-8"><title>{escape(message.title)}</title></head>\n'
        f"<body>\n<h1>{escape(message.title)}</h1>\n{lines}<p>{_html_span(message.link)}</p>\n</body></html>\n"
    )


def _html_span(span: Span) -> str:
    shown = escape(span.text)
    if span.url is not None:
        shown = f'<a href="{escape(span.url)}">{shown}</a>'
    return f"<strong>{shown}</strong>" if span.is_bold else shown


def email(message: Message, id: str, sender: str, recipients: tuple[str, ...], now: int) -> EmailMessage:
    """An email with text and HTML; the same notice always has the same message id."""
    mail = EmailMessage()
    domain = sender.rpartition("@")[2]
    mail["From"] = _address(sender, "Mergecast")
    mail["To"] = [_address(recipient) for recipient in recipients]
    mail["Subject"] = message.title
    mail["Date"] = datetime.fromtimestamp(now // SECOND, UTC)
    mail["Message-ID"] = f"<{id}@{domain}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text(message))
    mail.add_alternative(html(message), subtype="html")
    return mail


def _address(address: str, name: str = "") -> Address:
    user, _, domain = address.rpartition("@")
    return Address(name, user, domain)
