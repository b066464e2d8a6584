"""The page in a real browser: Debian's chromium, driven by Selenium."""

import itertools
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner
from web_client import tiny_session, wait_for

from pidm.cli.app import app as commands
from pidm.records.boards import loads
from pidm.web.explore_api import LOOKS

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --window-size=1280,900"
)
SYSTEM = """system: Club
rules:
  - title: Openings
    auction: P*
    bid:
      - 1N: {} hcp, balanced
      - P: 0-14 hcp
"""
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
PATIENCE = 120
"""Seconds; a busy machine must not fail a test."""

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no browser: install chromium and chromium-driver"
)


class Served(NamedTuple):
    """A server that runs."""

    address: str
    folder: Path
    """The folder with what it was told to show."""
    pid: int

    @property
    def workers(self):
        """Its processes."""
        return [int(pid) for pid in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server of its own, at any port that is free."""
    folder = tmp_path_factory.mktemp("serve")
    session = tiny_session(folder / "mine")
    match = session / "match.json"
    asked = [f"two_over_one,refinements={session}", "sayc", "-n", "12", "--no-search", "-q", "-j", "1"]
    done = CliRunner().invoke(commands, ["match", *asked, "--sprt", "-1", "1", "--out", str(match)])
    assert done.exit_code == 0, done.output
    shutil.copy(match, folder / "m.json")
    (folder / "club.yaml").write_text(SYSTEM.format("15-17"), encoding="utf-8")
    named = [str(session), str(folder / "m.json"), str(folder / "club.yaml")]
    process = subprocess.Popen(
        [sys.executable, "-m", "pidm", "serve", *named, "--no-browser", "--port", "0", "--searches", "1"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "PIDM_DATA": str(folder / "data"), "PYTHONUNBUFFERED": "1"},
    )
    line = process.stdout.readline()
    yield Served(line.split()[3].rstrip("/"), folder, process.pid)
    process.terminate()
    process.wait(30)


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in FLAGS.split():
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('profile')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    # A browser without a screen need not have the focus, and then tells no element that it has.
    driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
    yield driver
    driver.quit()


class Page:
    """What a visitor does."""

    def __init__(self, driver, server):
        self.driver = driver
        self.server = server

    def go(self, where):
        self.driver.get("about:blank")
        self.driver.get(self.server.address + "/" + where)

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def find(self, selector, words="", then="true"):
        """Wait until an element of a kind is there with these words in it, then look at it in the page.

        The page may draw itself anew at any moment, so no element is kept here.
        """
        script = (
            "const one = [...document.querySelectorAll(arguments[0])].find("
            f"(one) => one.textContent.includes(arguments[1])); return one ? {then} : null"
        )
        return wait_for(lambda: self.driver.execute_script(script, selector, words), PATIENCE)

    def click(self, selector, words=""):
        self.find(selector, words, "(one.click(), true)")

    @property
    def text(self):
        return self.driver.execute_script("return document.body.innerText")

    def type(self, keys):
        self.driver.find_element("css selector", "body").send_keys(keys)


@pytest.fixture
def page(driver, server):
    page = Page(driver, server)
    yield page
    wrong = [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    # A refused request shows up as failed; anything else would be a mistake of ours.
    assert not [entry for entry in wrong if "status of 4" not in entry["message"]], wrong


def test_practise_a_whole_board(page):
    page.go("#/practise?kind=notrump&seed=5&number=3&seconds=0")
    page.click("button.main", "Deal")
    page.find(".box button:not(:disabled)", "1")
    assert "South (you)" in page.text and "North 1" not in page.text
    page.find("[data-call='1N']", "", "(one.focus(), true)")
    page.find("#meaning", "15-17 HCP")
    page.type("1n")
    page.find(".auction button", "1NT")

    def my_turn_or_over():
        return page.all(".box .pass:not(:disabled)") or page.all("#verdicts")

    while not page.all("#verdicts"):
        wait_for(my_turn_or_over, PATIENCE)
        if page.all(".box .pass:not(:disabled)"):
            page.type("p")
            wait_for(lambda: not page.all(".box .pass:not(:disabled)"), PATIENCE)
    page.find(".facts", "what your calls cost")
    page.find("#session", "This session: 1 board")
    assert "par:" in page.text and "West" in page.text
    assert len(page.all(".diagram .hand")) >= 4
    page.find(".verdict", "1NT")
    page.click("#next")
    page.find("h1", "Board 4")
    page.find("#hand", "South (you)")
    page.go("#/practise")
    page.find("h2", "Your score")


def test_two_partners_by_a_link(page):
    page.go("#/practise?two=1&seed=8&number=1&seconds=0")
    page.click("button.main", "Deal")
    page.find("#hand", "South (you)")
    there = page.find("p a", "this link", "one.href")
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    page.driver.get(there)
    page.find("#hand", "North (you)")
    page.find(".box .pass:not(:disabled)")
    page.type("p")
    page.find(".auction button", "Pass")
    page.driver.close()
    page.driver.switch_to.window(first)
    page.find(".box .pass:not(:disabled)")


def test_a_killed_worker_is_not_noticed(page, server):
    """The processes behind the page are killed between two calls: the board goes on."""
    page.go("#/practise?kind=random&seed=3&number=1&seconds=0&go=1")
    page.find(".box .pass:not(:disabled)")
    for pid in server.workers:
        os.kill(pid, signal.SIGKILL)
    before = page.find(".auction", "", "one.innerText")
    page.type("p")
    wait_for(lambda: page.find(".auction", "", "one.innerText") != before, PATIENCE)
    wait_for(lambda: page.all(".box .pass:not(:disabled)") or page.all("#verdicts"), PATIENCE)
    assert not page.all("[role=alert]")


def test_a_table_that_is_closed(page):
    page.go("#/practise/table/nothing?seat=S")
    page.find("[role=alert]", "closed")


def test_explore_three_calls_deep(page):
    page.go("#/explore/two_over_one")
    steps = (
        ("1 notrump", "asks for a four-card major"),
        ("2 clubs", "no four-card major"),
        ("2 hearts", "4NT"),
    )
    for call, words in steps:
        page.click(f".callink[aria-label='{call}: go on']")
        page.find(".possible", words)
    assert page.driver.current_url.endswith("#/explore/two_over_one/1N-P-2C-P-2H-P")
    page.find(".possible .soft", "hands dealt to fit the auction")
    page.click("button.link", "ten hands")
    page.find("ul.hands li", "♠")
    page.click("a.place", "stayman.yaml")
    page.find(".source .marked")
    page.driver.back()
    page.click("#back")
    page.find(".possible", "no four-card major")


def test_two_systems_side_by_side_and_a_search(page):
    page.go("#/explore/two_over_one/1N-P?beside=sayc")
    page.find(".possible h2", "Two over one: South may call")
    page.find(".possible h2", "SAYC: South may call")
    page.find("#words", "", "(one.value = 'stayman', one.form.requestSubmit(), true)")
    page.find(".aside", "Show the auction")


def test_a_file_that_is_saved_is_followed(page, server):
    file = server.folder / "club.yaml"
    page.go("#/explore/club/")
    page.find(".possible", "15-17 HCP")
    file.write_text(SYSTEM.format("12-14"), encoding="utf-8")
    page.find(".possible", "12-14 HCP")
    page.find("#lint", "Check: ")
    file.write_text(SYSTEM.format("12-14 hpc"), encoding="utf-8")
    page.find("[role=alert]", "club.yaml:6")
    file.write_text(SYSTEM.format("12-14"), encoding="utf-8")


def test_explore_what_does_not_exist(page):
    page.go("#/explore/two_over_one/7N-1C")
    page.find("[role=alert]", "not higher")
    page.find(".aside", "conventions on the card")
    address = page.driver.current_url
    time.sleep(2 * LOOKS)  # whoever follows the files has looked at them: they are as they were
    assert page.driver.current_url == address
    page.go("#/explore/nowhere_club/")
    page.find("[role=alert]", "No system 'nowhere_club' here")
    page.click("a.button", "From the start")
    page.find(".possible h2", "North may call")


LEFT = {
    "#/practise": "/api/history",
    "#/practise?kind=random&seed=3&number=1&seconds=0&go=1": "/api/tables",
    "#/explore/two_over_one/1N-P": "/api/explain",
    "#/explore/two_over_one/?words=stayman": "/api/search",
    "#/review": "/api/reviews",
    "#/review/nothing": "/api/reviews/nothing",
    "#/watch/match/m": "/api/watch/match",
}
HOLD = """
const [start] = arguments, real = window.fetch;
window.held = [];
window.arrived = 0;
window.fetch = (path, options) => !path.startsWith(start) ? real(path, options)
  : new Promise((go) => window.held.push(go)).then(() => real(path, { ...options, signal: undefined }))
    .finally(() => setTimeout(() => { window.arrived += 1; }, 50));
"""


@pytest.mark.parametrize("where", LEFT)
def test_an_answer_that_comes_too_late_is_not_drawn(page, where):
    """A view that is left while it waits for the server neither draws over the next one nor leads back."""
    page.go("#/watch")
    page.find("h1", "Watch")
    page.driver.execute_script(HOLD, LEFT[where])
    page.driver.execute_script("location.hash = arguments[0]", where)
    wait_for(lambda: page.driver.execute_script("return held.length"), PATIENCE)
    page.driver.execute_script("location.hash = '#/watch/session/mine'")
    page.find("#nets summary", "examples")
    shown = page.text
    page.driver.execute_script("for (const go of held) go()")
    wait_for(lambda: page.driver.execute_script("return arrived === held.length"), PATIENCE)
    assert page.driver.current_url.endswith("#/watch/session/mine")
    assert page.text == shown


def test_on_a_phone_what_was_searched_for_is_seen(page):
    """Below a list of twenty calls nobody would find it."""
    try:
        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
        page.go("#/explore/two_over_one/")
        page.find(".possible")
        page.find("#words", "", "(one.value = 'stayman', one.form.requestSubmit(), true)")
        page.find(".aside", "Show the auction")
        assert page.find(".aside", "", "1 + one.getBoundingClientRect().top") < PHONE["height"] / 2
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_hands_of_findings_are_drawn_as_hands(page):
    page.go("#/watch")
    page.find("h1", "Watch")
    signs = (
        "const done = arguments[1]; import('/static/bridge.js').then((bridge) => { const el = "
        "document.createElement('p'); el.append(...bridge.signs(arguments[0], true).flat(9)); "
        "for (const one of el.querySelectorAll('.sr')) one.remove(); done(el.textContent); })"
    )
    text = page.driver.execute_async_script(signs, "1D P: AK83.T5.A5432.AT and 2NT ... 15-17")
    assert text.replace("\ufe0e", "") == "1♦ Pass: ♠AK83 ♥105 ♦A5432 ♣A10 and 2NT ... 15-17"


def test_drop_a_file(page, tmp_path):
    from test_web import FILE

    path = tmp_path / "tuesday.pbn"
    path.write_text(FILE, encoding="utf-8")
    page.go("#/review")
    page.find("#file")
    page.all("#file")[0].send_keys(str(path))
    page.find("h1", "tuesday.pbn")
    page.find("#dearest", "Ann")
    page.click("#dearest a", "3")
    page.find("#verdicts", "the system says")
    page.go("#/review")
    page.find("td a", "tuesday.pbn")


def test_drop_something_else(page, tmp_path):
    path = tmp_path / "song.pbn"
    path.write_text("la la la", encoding="utf-8")
    page.go("#/review")
    page.find("#file")
    page.all("#file")[0].send_keys(str(path))
    page.find("[role=alert]", "la la la")


def test_watch_a_tiny_session(page):
    page.go("#/watch")
    page.click("li a", "mine")
    page.find(".facts", "auctions learned")
    page.find("svg.chart .line")
    page.click("#nets summary", "examples")
    page.find("#nets td", "♠")
    page.click("#matches a", "mine/match")
    page.find(".facts", "for A, a board")
    page.go("#/watch/session/other")
    page.find("[role=alert]", "No session 'other' here")


def test_watch_a_match_with_its_test(page):
    page.go("#/watch/match/m")
    page.find("#sprt", "Undecided")
    assert len(page.all("#sprt .limit")) == 2
    page.click("#swings summary")
    assert len(page.all("#swings details[open] .auction")) == 2


VIEWS = {
    "#/practise": "form.sit-down",
    "#/practise?kind=notrump&seed=5&number=3&seconds=0&go=1": ".box .pass:not(:disabled)",
    "#/explore/two_over_one/1N-P": ".possible .share .bar",
    "#/explore/two_over_one/1N-P?beside=precision": ".possible .share .bar",
    "#/review": "#file",
    "#/watch": "h1",
    "#/watch/session/mine": "#nets",
    "#/watch/match/m": "#swings",
}


@pytest.mark.parametrize("where", VIEWS)
def test_every_view_fits_a_phone(page, where):
    """Nothing is wider than the screen, every control has a name and is not too small for a finger."""
    try:
        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
        page.go(where)
        page.find(VIEWS[where])
        wide = "document.documentElement.scrollWidth - innerWidth + 1"
        assert page.find("body", "", wide) <= 1
        assert page.find("body", "", NAMELESS) == ["end"]
        small = (
            "[...document.querySelectorAll('button, .button, select')].filter((one) => one.offsetHeight && "
            "!one.matches('.link, .slim, .auction *') && one.offsetHeight < 24)"
            ".map((one) => one.outerHTML).concat('end')"
        )
        assert page.find("body", "", small) == ["end"]
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


NAMELESS = (
    "[...document.querySelectorAll('button, a, select, input')].filter((one) => "
    "!(one.getAttribute('aria-label') || one.textContent.trim() || one.title || one.labels?.length))"
    ".map((one) => one.outerHTML).concat('end')"
)


def test_keyboard_and_no_shift(page):
    """The page can be used by keys, and neither pointing nor what arrives later moves anything."""
    page.go("#/practise?kind=notrump&seed=5&number=3&seconds=0&go=1")
    page.find(".box .pass:not(:disabled)")
    before, after = (
        page.find(f"[data-call='{call}']", "", "(one.focus(), document.querySelector('.box').offsetTop)")
        for call in ("1N", "7N")
    )
    assert before == after
    page.type("1")
    page.find("#box h2", "Your call: 1")
    page.go("#/explore/two_over_one/1N-P")
    page.find(".possible h2", "South may call")
    shift = (
        "new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shifted = "
        "(window.shifted || 0) + one.value; }).observe({ type: 'layout-shift' })"
    )
    page.driver.execute_script(shift)
    page.find(".possible .share .bar")
    page.find(".aside", "conventions on the card")
    assert page.driver.execute_script("return window.shifted || 0") < 0.02


def test_focus_stays(page):
    """Who goes by keyboard is not thrown out when something is drawn anew."""
    page.go("#/practise?kind=notrump&seed=5&number=3&seconds=0&go=1")
    page.find(".box .pass:not(:disabled)")
    focus = "return document.activeElement.dataset.call || document.activeElement.className"
    page.find("[data-call='1N']", "", "(one.focus(), true)")
    page.driver.switch_to.active_element.send_keys("7")
    page.find("#box h2", "Your call: 7")
    assert page.driver.execute_script(focus) == "1N"
    page.click("[data-call='1N']")
    page.find(".auction button", "1NT")
    page.find(".box .pass:not(:disabled)")
    assert page.driver.execute_script(focus) == "box"
    page.go("#/review")
    page.find("#file")
    page.find("a.brand", "", "(one.focus(), one.click(), one.blur(), true)")
    page.find("form.sit-down")
    wait_for(lambda: page.driver.execute_script("return document.activeElement.id") == "main", PATIENCE)


CONTRAST = Path(__file__).with_name("contrast.js")


@pytest.mark.parametrize("where", VIEWS)
def test_contrast(page, where):
    """Letters stand out from what is behind them as WCAG asks (4.5, large ones 3), in all colours."""
    page.go(where)
    page.find(VIEWS[where])
    page.driver.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
    for theme, colours in itertools.product(("light", "dark"), "24"):
        look = {"theme": theme, "colours": colours}
        page.driver.execute_script("Object.assign(document.documentElement.dataset, arguments[0])", look)
        assert not page.driver.execute_script(CONTRAST.read_text(encoding="utf-8")), look


def test_light_and_dark_are_kept(page):
    page.go("#/watch")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.find("body", "", colour)
    page.click("#theme")
    dark = page.find("body", "", colour)
    page.go("#/watch")
    assert light != dark == page.find("body", "", colour)
    page.click("#theme")
    assert page.find("body", "", colour) == light


def test_a_board_to_take_along(page):
    """Copied text, PBN and LIN are what our own readers read, remarks and all."""
    board = {
        "hands": {
            "N": "KJ84.QT73.A5.982",
            "E": "Q72.AJ4.QJ94.T76",
            "S": "A95.K85.K72.AQJ3",
            "W": "T63.962.T863.K54",
        },
        "dealer": "S",
        "vul": "EW",
        "calls": ["1N", "P", "P", "P"],
        "number": 3,
        "notes": {"2": 'a "timid" pass'},
    }
    page.go("#/watch")
    share = (
        "const done = arguments[1]; import('/static/share.js').then((share) => "
        "done([share.asText(arguments[0]), share.asPbn(arguments[0]), share.asLin(arguments[0])]))"
    )
    text, pbn, lin = page.driver.execute_async_script(share, board)
    assert "Board 3, dealer South, vulnerable: EW" in text and 'call 3): a "timid" pass' in text
    for written, form in ((pbn, "pbn"), (lin, "lin")):
        (record,) = loads(written, form).boards
        assert str(record.auction) == "1N P P P" and str(record.auction.vul) == "EW"
        assert [str(hand) for hand in record.hands] == [board["hands"][seat] for seat in "NESW"]
        assert record.board == 3 and [(note.at, note.text) for note in record.notes] == [
            (2, 'a "timid" pass')
        ]
