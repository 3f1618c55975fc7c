"""Every page of the dashboard, in a real browser, on the demo."""

import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Route, expect

from browser_windows import Window, sign_in_link
from builders import entered, started
from dashboard import texts
from dashboard.conftest import ADVISED, HOSTILE
from dashboard.screen import at_rest, cut_off
from live_server import LiveServer
from mergecast.incoming.sources.registry import SOURCES
from sources.activity_log_stories import STORIES

DEMO = "/r/demo/harbor"
_WITHOUT_PROBLEMS = "/r/acme/odd"  # too little history to learn from
# The overview asks for the audit, and nothing is kept of how that repository is set up.
_NO_SET_UP = "Failed to load resource: the server responded with a status of 404 (Not Found)"
pytestmark = pytest.mark.server


def _some_pull_request(server: LiveServer) -> int:
    """One that left the queue in the last week."""
    since = (datetime.now(UTC) - timedelta(days=7)).isoformat()
    found = server.http.get("/v1/repos/demo/harbor/stays", params={"start_at": since, "limit": 1}).json()
    return int(found["stays"][0]["pull_request"])


PAGES = {
    "/": "demo/harbor",
    "/r/demo": "Repositories of demo",
    DEMO: "Time in queue",
    f"{DEMO}?open=load.ci.queues.slowest": "CI runs saved",
    f"{DEMO}/queue": "as of",
    f"{DEMO}/ci-checks": "CI checks",
    f"{DEMO}/pulls/{{number}}": "Stay 1",
    f"/r/{ADVISED}/forecast": "What if the queue had other settings?",
    f"{DEMO}/set-up": "2 settings are sure to break",
    f"{DEMO}/configuration": "The configuration is valid",
    f"{DEMO}/sources": "stored events to the API",
    f"{DEMO}/alerts": "Past alerts",
    f"{DEMO}/settings": "Reference periods",
    "/settings": "Application keys",
    "/sources": "Which queue do you use?",
    "/sources?queue=github": "Create the app on GitHub",
    "/sources?queue=gitlab": "Test and add",
    "/sources?queue=other": "Create a key",
    _WITHOUT_PROBLEMS: "little data",
}
WIDTHS = (1440, 1024, 360)
# The server computes these after the first request, and pages ask again until it has.
_ASKED_AGAIN = re.compile(r"/(queue|recommendation|history) $")
# Every minute, pages ask for news.
_NO_MINUTES = "const every = setInterval; setInterval = (f, ms) => ms === 60000 ? 0 : every(f, ms);"
# The server finds problems of a queue whenever it measures it, and pages ask again when it announces that.
_NO_NEWS = """delete window.SharedWorker;
const listen = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (name, ...more) {
  if (name !== 'version') listen.call(this, name, ...more);
};"""


@pytest.mark.parametrize("path", PAGES)
def test_page_is_accessible_and_fits(signed_in: Window, advised: LiveServer, path: str) -> None:
    """In every width, and in the dark: no finding of axe-core, nothing too wide, no request sent twice."""
    signed_in.page.add_init_script(_NO_MINUTES)
    if path != _WITHOUT_PROBLEMS:
        signed_in.page.add_init_script(_NO_NEWS)
    found = _findings(signed_in, path.format(number=_some_pull_request(advised)), PAGES[path])
    assert ([_NO_SET_UP] if path == _WITHOUT_PROBLEMS else []) == found


def _findings(window: Window, path: str, expected: str) -> list[str]:
    page = window.page
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    window.open(path)
    window.sees(expected)
    window.settles()
    expect(page.locator(".loading")).to_have_count(0)
    found = [f"sent twice: {one}" for one in _sent_twice(window)]
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        found += [] if window.width() == width else [f"{window.width()} pixels wide, not {width}"]
        found += [f"{width} pixels, light: {one}" for one in window.violations()]
        found += [f"{width} pixels, cut off: {one}" for one in cut_off(page)]
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {one}" for one in window.violations("color-contrast")]
    return found + window.messages


def test_text_that_is_cut_off_is_found(window: Window) -> None:
    """Unless a tooltip has it or it is hidden on purpose."""
    look = "style='width: 3rem; overflow: hidden; white-space: nowrap'"
    window.page.set_content(
        f"<p {look} title='a tooltip'>without the text</p>"
        f"<p {look} title='with all the text'>with all the text</p>"
        f"<p {look}>fits</p><p class='visually-hidden' {look}>for screen readers alone</p>"
    )
    assert ["P: without the text"] == cut_off(window.page)


def _sent_twice(window: Window) -> list[str]:
    sent = Counter(one for one in window.requests if not _ASKED_AGAIN.search(one))
    return [one for one, times in sent.items() if times > 1]


def test_the_overview_asks_for_its_figures_first(signed_in: Window) -> None:
    """Beside nine other requests, the server would answer that one last."""
    signed_in.open(DEMO)
    signed_in.sees("Time in queue")
    sent = [one for one in signed_in.requests if f"/v1/repos{DEMO[2:]}/" in one and "/live" not in one]
    assert "/summary?" in sent[0]
    assert len(sent) > 9


def test_a_narrow_header_shows_every_page_and_the_age_of_data(signed_in: Window) -> None:
    """Without scrolling sideways."""
    signed_in.page.set_viewport_size({"width": 360, "height": 800})
    signed_in.open(DEMO)
    for label in ("Overview", "Queue", "CI checks", "Forecast", "Set-up", "Configuration", "Sources"):
        expect(signed_in.page.get_by_role("link", name=label, exact=True)).to_be_in_viewport(ratio=1)
    expect(signed_in.page.get_by_role("banner").get_by_text("newest event")).to_be_in_viewport(ratio=1)


def test_runs_of_a_pull_request_list_the_others(signed_in: Window, demo: LiveServer) -> None:
    """Not itself."""
    number = _some_pull_request(demo)
    signed_in.open(f"{DEMO}/pulls/{number}")
    signed_in.sees("together with")
    expect(signed_in.page.locator(f"td a[href$='/pulls/{number}']")).to_have_count(0)


def test_sign_in_page_is_accessible(window: Window) -> None:
    """It is what a visitor sees at any address."""
    assert [] == _findings(window, f"{DEMO}/queue", "Application key, admin token or platform token")


def test_signing_in_by_key_and_out(window: Window, demo: LiveServer) -> None:
    """A wrong credential says so; a key sees what it may, and nothing else; signing out ends that."""
    window.open(DEMO)
    field = window.page.get_by_label("Application key")
    field.fill("mck_000000000000_wrong")
    field.press("Enter")
    window.refuses(field, "This key or token is invalid, revoked or expired.")
    field.fill(demo.key("demo")["key"])
    field.press("Enter")
    window.sees("Time in queue")

    window.open("/r/acme/odd")
    window.sees("You may not see this")
    window.open("/settings")
    window.sees("Signed in as")
    expect(window.page.get_by_text("Application keys")).to_have_count(0)
    window.page.get_by_role("button", name="Sign out").click()
    expect(window.page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_link_works_once_and_leaves_the_address(window: Window, demo: LiveServer) -> None:
    """Also in a window that shows the sign-in page. The code disappears; a second use is refused."""
    link = sign_in_link(demo)
    window.open("/")
    expect(window.page.get_by_role("heading", name="Sign in")).to_be_visible()
    window.page.goto(link)
    window.sees("Repositories")
    expect(window.page).to_have_url(f"{demo.url}/")

    window.page.context.clear_cookies()
    window.page.goto(f"{demo.url}/settings")
    window.page.goto(link)
    window.sees("the link was already used or is older than ten minutes")


def test_address_restores_the_view_and_back_undoes_it(signed_in: Window) -> None:
    """The URL contains window, filters and open sections."""
    page = signed_in.page
    signed_in.open(DEMO)
    page.get_by_role("button", name="28d").click()
    page.get_by_label("Queue", exact=True).select_option("hotfix")
    page.get_by_role("heading", name="Slowest stays").click()
    expect(page.get_by_role("region", name="Stays")).to_be_visible()
    expect(page).to_have_url(f"{signed_in.url}{DEMO}?window=28d&queue=hotfix&open=slowest")

    page.reload()
    expect(page.get_by_role("button", name="28d")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_label("Queue", exact=True)).to_have_value("hotfix")
    expect(page.get_by_role("region", name="Stays")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Queue", exact=True)).to_have_value("")
    page.go_back()
    expect(page.get_by_role("button", name="7d")).to_have_attribute("aria-pressed", "true")


def test_priority_rule_filters_the_overview(signed_in: Window) -> None:
    """Even the charts whose statistic has no such filter are drawn."""
    page = signed_in.page
    signed_in.open(f"{DEMO}?window=28d&open=load")
    rules = page.get_by_label("Priority rule", exact=True)
    rules.locator("option").nth(1).wait_for(state="attached")
    rules.select_option(index=1)
    expect(page.get_by_text("of all priority rules together")).to_be_visible()
    expect(page).to_have_url(re.compile(f"&priority={rules.input_value()}"))


def test_queue_says_why_a_merge_is_not_expected(signed_in: Window, demo: LiveServer) -> None:
    """One pull request is no history."""
    demo.send([entered(datetime.now(UTC).isoformat(), "stay-1", 1)], "acme/waiting").raise_for_status()
    signed_in.open("/r/acme/waiting/queue")
    signed_in.sees("No expected merge: a forecast needs 14 days and 200 merges on this branch")


def test_hostile_queue_name_stays_text(signed_in: Window) -> None:
    """It is shown as it is, in filters and tables."""
    signed_in.open("/r/acme/odd?open=queues.slowest")
    expect(signed_in.page.get_by_role("region", name="Queues").get_by_text(HOSTILE)).to_be_visible()
    signed_in.page.get_by_label("Queue", exact=True).select_option(HOSTILE)
    expect(signed_in.page.get_by_label("Queue", exact=True)).to_have_value(HOSTILE)

    assert 0 == signed_in.page.locator("img").count()
    merged = signed_in.page.locator(".tile", has=signed_in.page.get_by_text("merged", exact=True))
    expect(merged.locator("dd.number")).to_have_text(["1in 7 days", "1 in 28 days"])


def test_click_on_an_interval_lists_its_stays(signed_in: Window) -> None:
    """So does the table behind the chart, for the keyboard."""
    page = signed_in.page
    signed_in.open(f"{DEMO}?window=28d")
    expect(page.locator(".u-over")).to_have_count(3)
    at_rest(signed_in)
    page.locator(".u-over").first.click(position={"x": 300, "y": 60})
    expect(page.get_by_role("heading", name=re.compile(r"^Left "))).to_be_visible()
    expect(page).to_have_url(re.compile("&at="))
    page.get_by_role("button", name="Close").click()

    page.get_by_role("button", name="Table: Flow").press("Enter")
    page.get_by_role("region", name="Flow, table").get_by_role("button").first.press("Enter")
    expect(page.get_by_role("heading", name=re.compile(r"^Left "))).to_be_visible()


def test_new_events_appear_without_reloading(signed_in: Window, demo: LiveServer) -> None:
    """The page of the queue follows the queue."""
    signed_in.open("/r/acme/odd/queue")
    signed_in.sees("The queue is empty.")

    answer = demo.send([entered(datetime.now(UTC).isoformat(), "stay-2", 77)], "acme/odd")

    assert 200 == answer.status_code
    signed_in.sees("1 pull request in queue")
    signed_in.sees("#77")
    news = signed_in.page.get_by_role("status").filter(has_text="#77")
    expect(news).to_have_text("#77 entered the queue. 1 pull request in queue")


def test_events_between_the_answers_and_the_stream_appear(signed_in: Window, demo: LiveServer) -> None:
    """At once, and not only after a minute."""
    signed_in.page.add_init_script(_NO_MINUTES)
    # Playwright does not see requests of a shared worker.
    signed_in.page.add_init_script("delete window.SharedWorker")
    held = signed_in.hold("**/live")
    demo.send([entered(datetime.now(UTC).isoformat(), "first", 1)], "acme/gap").raise_for_status()
    signed_in.open("/r/acme/gap/queue")
    signed_in.sees("1 pull request in queue")
    stream = held()
    demo.send([entered(datetime.now(UTC).isoformat(), "second", 2)], "acme/gap").raise_for_status()
    stream.continue_()
    signed_in.sees("2 pull requests in queue")


@pytest.mark.parametrize("path", ["", "/queue", "/configuration"])
def test_settings_are_those_of_the_repository_on_display(signed_in: Window, path: str) -> None:
    """Those of the session, keys and owners are one click away, with links to each repository."""
    page = signed_in.page
    signed_in.open(f"/r/demo/harbor{path}")
    page.get_by_role("link", name="Settings", exact=True).click()
    expect(page).to_have_url(re.compile(r"/r/demo/harbor/settings"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings of demo/harbor")
    page.get_by_role("link", name="Session, keys and channels of owners").click()
    expect(page).to_have_url(f"{signed_in.url}/settings")
    page.get_by_role("link", name="acme/odd").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings of acme/odd")


@pytest.mark.parametrize("kind", ["sent", "delivered"])
def test_sources_say_how_events_arrive(signed_in: Window, demo: LiveServer, kind: str) -> None:
    name = f"acme/{kind}"
    at = datetime.now(UTC).isoformat()
    if kind == "sent":
        demo.send([entered(at, "first", 1), entered(at, "second", 2)], name).raise_for_status()
    else:
        demo.http.put(f"/v1/repos/{name}/products", json={"products": ["merge_queue"]}).raise_for_status()
    signed_in.open(f"/r/{name}/sources")
    signed_in.sees(
        {
            "sent": "Clients sent 2 stored events to the API.",
            "delivered": "No events of acme/delivered have arrived yet.",
        }[kind]
    )


def test_sources_say_how_far_translating_again_is(
    signed_in: Window, demo: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an upgrade that changes translation; the line disappears once everything is done."""
    path, source = "/v1/repos/acme/upgraded", SOURCES["activity-log"]
    items = [{"id": str(item["id"]), "kind": item["type"], "body": item} for item in STORIES[0]().items]
    demo.http.post(f"{path}/sources/activity-log/deliveries", json={"items": items}).raise_for_status()
    newer = source.translator()._replace(version=source.translator().version + 1)
    with monkeypatch.context() as patched:
        patched.setitem(SOURCES, "activity-log", replace(source, translator=lambda: newer))
        (found,) = demo.http.get(f"{path}/sources").json()["sources"]
        threads = found["translating"]["threads"]
        signed_in.open("/r/acme/upgraded/sources")
        signed_in.sees(f"Translating again after an upgrade: 0 of {texts.plural(threads, 'pull request')}")
        assert [] == signed_in.violations()
    expect(signed_in.page.locator("progress")).to_have_count(0)


def test_number_jumps_to_a_pull_request(signed_in: Window, demo: LiveServer) -> None:
    """From the keyboard, with or without the hash sign."""
    number = _some_pull_request(demo)
    signed_in.open(DEMO)
    field = signed_in.page.get_by_label("Find a pull request by number, address or title")
    field.fill(f"#{number}")
    field.press("Enter")

    signed_in.sees(f"#{number} ")
    expect(signed_in.page).to_have_url(f"{signed_in.url}{DEMO}/pulls/{number}")


def test_editor_marks_errors_as_one_types_and_completes(signed_in: Window) -> None:
    """A wrong key is an error at its line, with the right one; completion knows the keys of the place."""
    page = signed_in.page
    signed_in.open(f"{DEMO}/configuration")
    signed_in.sees("The configuration is valid")
    editor = page.get_by_role("textbox", name="Configuration document")
    editor.press("Control+a")
    editor.press_sequentially("queue_rules:\n- name: default\nbatchsize: 3")
    signed_in.sees("batchsize is not known here, did you mean batch_size?")
    expect(page).to_have_url(re.compile("#document="))

    page.reload()
    signed_in.sees("batchsize is not known here, did you mean batch_size?")
    page.get_by_role("button", name="line 3").click()
    editor.press("Control+a")
    editor.press_sequentially("queue_rules:\n- batch_ma")
    expect(page.get_by_role("option", name="batch_max_wait_time")).to_be_visible()


def test_unknown_repository_shows_how_to_connect_a_queue(signed_in: Window) -> None:
    """Each way leads to a form that knows the repository."""
    signed_in.open("/r/acme/nothing")
    signed_in.sees("No events of acme/nothing have arrived yet.")
    signed_in.page.get_by_role("link", name="GitLab merge trains").click()
    expect(signed_in.page.get_by_label("Repository")).to_have_value("acme/nothing")


@pytest.mark.parametrize("page", ["ci-checks", "ci-checks?window=all", "sources"])
def test_other_pages_of_an_unknown_repository_show_the_same(signed_in: Window, page: str) -> None:
    signed_in.open(f"/r/acme/nothing/{page}")
    signed_in.sees("No events of acme/nothing have arrived yet.")


def test_ci_checks_of_all_time_say_why_their_beginning_is_not_known(signed_in: Window) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=422, json={"title": "Refused", "status": 422, "detail": "not today"})

    signed_in.page.route("**/v1/repos/demo/harbor/summary*", refuse)
    signed_in.open(f"{DEMO}/ci-checks?window=all")
    signed_in.sees("Not today")


def test_an_owner_has_a_page(signed_in: Window, demo: LiveServer) -> None:
    """It lists what the API lists for this owner; the name in the header leads to it."""
    page = signed_in.page
    signed_in.open(DEMO)
    page.get_by_role("link", name="demo", exact=True).click()
    expect(page.get_by_role("heading", name="Repositories of demo")).to_be_visible()
    expect(page).to_have_url(f"{signed_in.url}/r/demo")
    listed = demo.http.get("/v1/repos", params={"owner": "demo"}).json()["repositories"]
    names = page.locator("tbody th")
    expect(names).to_have_text([f"{one['owner']}/{one['repository']}" for one in listed])
    names.first.get_by_role("link").click()
    signed_in.sees("Time in queue")

    signed_in.open("/r/strangers")
    signed_in.sees("No repository of strangers has events, or you may not see it.")


def test_there_is_no_such_page(window: Window) -> None:
    """A visitor need not sign in to learn that."""
    for path in ("/nowhere", f"{DEMO}/nothing"):
        window.open(path)
        expect(window.page.get_by_role("heading", name="There is no such page")).to_be_visible()


def test_the_keyboard_skips_to_the_content(signed_in: Window) -> None:
    page = signed_in.page
    signed_in.open("/settings")
    signed_in.sees("Application keys")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    expect(page).to_have_url(f"{signed_in.url}/settings")


def test_a_phone_shows_the_state_of_each_pull_request(signed_in: Window, demo: LiveServer) -> None:
    """Below its title, because there is no room for a column."""
    page = signed_in.page
    page.set_viewport_size({"width": 390, "height": 844})
    now = datetime.now(UTC).isoformat()
    tested = [entered(now, "tested", 1), started(now, "tested", 1, "first", [1]), entered(now, "waits", 2)]
    demo.send(tested, "acme/phone").raise_for_status()
    signed_in.open("/r/acme/phone/queue")
    for number, state in ((1, "in CI, batch A"), (2, "waiting")):
        row = page.get_by_role("row").filter(has=page.get_by_role("link", name=f"#{number}"))
        expect(row.get_by_text(state).filter(visible=True)).to_have_count(1)


def test_escape_closes_the_dates(signed_in: Window) -> None:
    page = signed_in.page
    signed_in.open(DEMO)
    button, form = page.get_by_role("button", name="Dates"), page.get_by_role("form", name="Dates")
    button.click()
    expect(form).to_be_visible()
    page.keyboard.press("Escape")
    expect(form).to_be_hidden()
    expect(button).to_be_focused()
