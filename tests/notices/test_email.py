"""Channels of the kind email, with a real SMTP server."""

import asyncio
import email
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiosmtpd.smtp import SMTP

from live_server import LiveServer
from mergecast.process.sealing import Seal
from mergecast.queues.model.instant import SECOND, format_instant
from mergecast.queues.store.channel_rows import add_channel
from mergecast.signals.notices.channel import Channel, Options, Target, to_row
from mergecast.signals.notices.mailing import read_smtp_url
from notices.receivers import CHANNELS, Clock, listed, make_channel, remove_pull_request, serving
from waiting import MOST_SECONDS, wait_for, wait_until

pytestmark = pytest.mark.server


_KEYS = ("key-of-at-least-32-characters-in-a-test",)
_ALLOWED = "before the @ only letters and digits of ASCII and . _ + - are allowed"
# How an address in another domain can look like one in ours.
_DISGUISED = (
    "=?utf-8?q?victim=40evil.example=2C=20x?=@acme.example",
    "=?utf-8?q?x?=@acme.example",
    "victim%evil.example@acme.example",
    "evil.example!victim@acme.example",
    "victim/evil@acme.example",
)


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
    monkeypatch.setattr("mergecast.signals.notices.mailing.SECONDS", MOST_SECONDS)
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
    return serving(folder, clock, mail_server=read_smtp_url(url), mail_domains=domains, secret_keys=_KEYS)


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
            "Cannot tell whether it was this change. No failed run of it is recorded. Look at the log.",
            "Look into it",
            "It left default (main) after 20m.",
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

        wait_for("127.0.0.1 accepted the email", lambda: _detail(server))


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
            *_DISGUISED,
        ]

        answer = server.http.post(CHANNELS, json={"kind": "email", "to": to})

        assert 422 == answer.status_code
        message = f"must be an email address at acme.example; {_ALLOWED}"
        assert [(f"/to/{place}", message) for place in range(1, len(to))] == [
            (error["name"], error["message"]) for error in answer.json()["errors"]
        ]
        assert [] == listed(server)


@pytest.mark.parametrize("recipient", _DISGUISED)
def test_a_stored_recipient_in_disguise_is_invalid_and_gets_nothing(
    tmp_path: Path, mailbox: tuple[_Mailbox, str], recipient: str
) -> None:
    """Earlier versions accepted it. A message to it is not tried again, and the sample says why."""
    box, url = mailbox
    clock = Clock()
    with _mailing(tmp_path, clock, url) as server:
        id = _store_channel(server, clock, "ines@acme.example", recipient)
        assert ["invalid"] == [channel["state"] for channel in listed(server)]

        answer = server.http.post(f"{CHANNELS}/{id}/test")

        detail = f"1 of the recipients is not valid: {_ALLOWED}"
        assert (200, {"is_sent": False, "detail": detail}) == (answer.status_code, answer.json())
        clock.pass_seconds(1)
        remove_pull_request(server, clock, 7)
        clock.pass_seconds(16)
        at = format_instant(clock.now)
        wait_for({"at": at, "is_sent": False, "detail": detail}, lambda: listed(server)[0]["last_result"])
        wait_for(0, lambda: listed(server)[0]["waiting"])
        assert [] == box.mails


def test_a_channel_whose_domain_is_no_longer_allowed_is_invalid(
    tmp_path: Path, mailbox: tuple[_Mailbox, str]
) -> None:
    with _mailing(tmp_path, Clock(), mailbox[1]) as server:
        id = make_channel(server, kind="email", to=["ines@acme.example"])["id"]
    domains = frozenset({"other.example"})
    mail_server = read_smtp_url(mailbox[1])
    with serving(
        tmp_path, Clock(), mail_server=mail_server, mail_domains=domains, secret_keys=_KEYS
    ) as server:
        assert "invalid" == listed(server)[0]["state"]
        answer = server.http.post(f"{CHANNELS}/{id}/test").json()

    detail = "1 of the recipients is in no domain of MERGECAST_MAIL_DOMAINS"
    assert {"is_sent": False, "detail": detail} == answer


@pytest.mark.parametrize("user", ["a.b+c-d_e", "a..b", ".a", "a.", "-f", "0"])
def test_a_recipient_gets_the_email_that_is_addressed_to_it(
    tmp_path: Path, mailbox: tuple[_Mailbox, str], user: str
) -> None:
    box, url = mailbox
    with _mailing(tmp_path, Clock(), url) as server:
        id = make_channel(server, kind="email", to=[f"{user}@acme.example", "ines@acme.example"])["id"]

        server.http.post(f"{CHANNELS}/{id}/test")

        assert [[f"{user}@acme.example", "ines@acme.example"]] == [recipients for recipients, _ in box.mails]


def _store_channel(server: LiveServer, clock: Clock, *recipients: str) -> str:
    """A channel as an earlier version could store it, which checked less."""
    sealed = Seal(_KEYS).close(msgspec.json.encode(Target(to=recipients)), "c1")
    channel = Channel(
        "c1", "acme", "widgets", "email", sealed, Options("?", "email"), clock.now, digest_at=clock.now
    )
    asyncio.run(add_channel(server.store, to_row(channel)))
    return channel.id


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
