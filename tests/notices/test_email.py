"""Channels of the kind email, with a real SMTP server."""

import asyncio
import email
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP

from live_server import LiveServer
from mergecast.notices.mailing import read_smtp_url
from mergecast.queues.model.instant import SECOND
from notices.receivers import CHANNELS, Clock, listed, make_channel, remove_pull_request, serving
from waiting import MOST_SECONDS, wait_for, wait_until

pytestmark = pytest.mark.server


class _Mailbox:
    """Keeps what arrives; answers with its replies first."""

    def __init__(self) -> None:
        self.mails: list[tuple[list[str], EmailMessage]] = []
        self.replies: list[str] = []
        self.refusals: list[str] = []  # of recipients

    async def handle_RCPT(  # noqa: N802
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        if self.refusals:
            return self.refusals.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        if self.replies:
            return self.replies.pop(0)
        mail = email.message_from_bytes(envelope.content, policy=default)
        self.mails.append((envelope.rcpt_tos, mail))
        return "250 OK"


@pytest.fixture
def mailbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[_Mailbox, str]]:
    """An SMTP server on a free port, and its URL; the server of the test is patient with it."""
    monkeypatch.setattr("mergecast.notices.mailing.SECONDS", MOST_SECONDS)
    box, loop = _Mailbox(), asyncio.new_event_loop()
    # The name is that of this machine otherwise, which takes seconds to look up on some.
    server = loop.run_until_complete(
        loop.create_server(lambda: SMTP(box, hostname="localhost", loop=loop), "127.0.0.1", 0)
    )
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    port = server.sockets[0].getsockname()[1]
    yield box, f"smtp://127.0.0.1:{port}?from=mergecast@acme.example"
    server.close()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def _mailing(folder: Path, clock: Clock, url: str) -> Any:
    domains = frozenset({"acme.example"})
    return serving(folder, clock, mail_server=read_smtp_url(url), mail_domains=domains)


def test_an_email_has_text_and_html(tmp_path: Path, mailbox: tuple[_Mailbox, str]) -> None:
    box, url = mailbox
    clock = Clock()
    with _mailing(tmp_path, clock, url) as server:
        to = ["ines@acme.example", "team@acme.example"]
        assert "i…@acme.example, t…@acme.example" == make_channel(server, kind="email", to=to)["target"]
        remove_pull_request(server, clock, 7)
        clock.pass_seconds(16)
        wait_until(lambda: box.mails)

        ((recipients, mail),) = box.mails
        text, html = mail.get_body(("plain",)), mail.get_body(("html",))
        assert text is not None
        assert html is not None
        assert to == recipients
        assert "Mergecast <mergecast@acme.example>" == mail["From"]
        assert clock.now // SECOND == mail["Date"].datetime.timestamp()
        assert "#7 left the queue default · acme/widgets" == mail["Subject"]
        assert [
            "#7 left the queue default · acme/widgets",
            "",
            "#7",
            "Why: checks failed",
            "It left default (main) after 20m00s.",
            "",
            f"Open in Mergecast <{server.url}/r/acme/widgets/pulls/7>",
        ] == text.get_content().splitlines()
        assert "<p>Why: checks failed</p>" in html.get_content()


def test_an_email_is_tried_again_after_a_temporary_error(
    tmp_path: Path, mailbox: tuple[_Mailbox, str]
) -> None:
    box, url = mailbox
    box.replies = ["451 try later"]
    clock = Clock()
    with _mailing(tmp_path, clock, url) as server:
        make_channel(server, kind="email", to=["ines@acme.example"])
        remove_pull_request(server, clock, 7)
        clock.pass_seconds(16)
        wait_for("127.0.0.1 answered 451; it is tried again", lambda: _detail(server))
        clock.pass_seconds(11)

        wait_for("127.0.0.1 took the email", lambda: _detail(server))


def test_a_recipient_that_is_refused_for_now_is_tried_again(
    tmp_path: Path, mailbox: tuple[_Mailbox, str]
) -> None:
    """Many servers refuse the first email of an unknown sender (greylisting)."""
    box, url = mailbox
    box.refusals = ["450 greylisted", "550 unknown"]
    clock = Clock()
    with _mailing(tmp_path, clock, url) as server:
        make_channel(server, kind="email", to=["ines@acme.example"])
        remove_pull_request(server, clock, 7)
        clock.pass_seconds(16)
        refused = "127.0.0.1 refused all recipients"
        wait_for(f"{refused} for now; it is tried again", lambda: _detail(server))
        clock.pass_seconds(11)

        wait_for(refused, lambda: _detail(server))


def test_an_email_that_is_refused_is_given_up(tmp_path: Path, mailbox: tuple[_Mailbox, str]) -> None:
    box, url = mailbox
    box.replies = ["554 no"]
    with _mailing(tmp_path, Clock(), url) as server:
        id = make_channel(server, kind="email", to=["ines@acme.example"])["id"]

        answer = server.http.post(f"{CHANNELS}/{id}/test").json()

        assert {"is_sent": False, "detail": "127.0.0.1 answered 554"} == answer


def test_only_recipients_in_the_domains_of_the_operator_are_accepted(
    tmp_path: Path, mailbox: tuple[_Mailbox, str]
) -> None:
    with _mailing(tmp_path, Clock(), mailbox[1]) as server:
        to = [
            "ines@acme.example",
            "eve@evil.example",
            "x\r\nBcc: y@acme.example",
            "eve@evil.example,a@acme.example",
        ]

        answer = server.http.post(CHANNELS, json={"kind": "email", "to": to})

        assert 422 == answer.status_code
        assert [(f"/to/{place}", "must be an email address at acme.example") for place in (1, 2, 3)] == [
            (error["name"], error["message"]) for error in answer.json()["errors"]
        ]


def test_a_server_without_smtp_has_no_channels_of_this_kind(tmp_path: Path) -> None:
    with serving(tmp_path, Clock()) as server:
        answer = server.http.post(CHANNELS, json={"kind": "email", "to": ["ines@acme.example"]})

        assert (
            422,
            "/kind: this server sends no email: set MERGECAST_SMTP_URL and MERGECAST_MAIL_DOMAINS",
        ) == (
            answer.status_code,
            answer.json()["detail"],
        )


def _detail(server: LiveServer) -> str | None:
    result = listed(server)[0]["last_result"]
    return None if result is None else str(result["detail"])


@pytest.mark.parametrize(
    "url",
    ["smtp.example.com", "http://smtp.example.com?from=a@b.example", "smtp://host", "smtp://host?from=mergecast",
     "smtp://host:x?from=a@b.example"],
)  # fmt: skip
def test_a_wrong_smtp_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="must look like smtps://user:password@smtp"):
        read_smtp_url(url)
