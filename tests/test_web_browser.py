"""The page in a real browser: Debian's chromium, driven by Selenium."""

import os
import shutil
import subprocess
import sys

import pytest
from web_client import tiny_session, wait_for

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --window-size=1280,900"
)
PATIENCE = 120
"""Seconds; a busy machine must not fail a test."""

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no browser: install chromium and chromium-driver"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server of its own, at any port that is free."""
    folder = tmp_path_factory.mktemp("serve")
    session = str(tiny_session(folder / "mine"))
    process = subprocess.Popen(
        [sys.executable, "-m", "pidm", "serve", session, "--no-browser", "--port", "0", "--searches", "1"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "PIDM_DATA": str(folder / "data"), "PYTHONUNBUFFERED": "1"},
    )
    line = process.stdout.readline()
    yield line.split()[3].rstrip("/")
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
    yield driver
    driver.quit()


class Page:
    """What a visitor does."""

    def __init__(self, driver, server):
        self.driver = driver
        self.server = server

    def go(self, where):
        self.driver.get("about:blank")
        self.driver.get(self.server + "/" + where)

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
    assert "par:" in page.text and "West" in page.text
    assert len(page.all(".diagram .hand")) >= 4
    page.find(".verdict", "1NT")
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


def test_explore_what_does_not_exist(page):
    page.go("#/explore/two_over_one/7N-1C")
    page.find("[role=alert]", "not higher")
    page.go("#/explore/nowhere_club/")
    page.find("[role=alert]", "no system 'nowhere_club' here")


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
    page.go("#/watch/session/other")
    page.find("[role=alert]", "no session 'other' here")


def test_keyboard_labels_and_no_shift(page):
    """Every control has a name, the page can be walked through by keys, and pointing moves nothing."""
    page.go("#/practise?kind=notrump&seed=5&number=3&seconds=0&go=1")
    page.find(".box .pass:not(:disabled)")
    nameless = page.find(
        "body",
        "",
        "[...document.querySelectorAll('button, a, select, input')].filter((one) => "
        "!(one.getAttribute('aria-label') || one.textContent.trim() || one.title || one.labels?.length))"
        ".map((one) => one.outerHTML).concat('end')",
    )
    assert nameless == ["end"]
    before, after = (
        page.find(f"[data-call='{call}']", "", "(one.focus(), document.querySelector('.box').offsetTop)")
        for call in ("1N", "7N")
    )
    assert before == after
    assert page.find("body", "", "document.documentElement.scrollWidth <= innerWidth")
