"""Changes that were tuned, written into the files of a system."""

import textwrap

import pytest
from tuned_club import LIGHTER, RULES, by_title

from pidm.language.system import System
from pidm.tuning import files
from pidm.tuning.changes import (
    Change,
    ChangeError,
    Drop,
    Switch,
)
from pidm.tuning.proposals import Proposer
from systems import write_system


@pytest.fixture
def club(tmp_path):
    return write_system(tmp_path, RULES)


NOTE = "tuned, +0.250 (0.050) IMPs a board on 400 others"


@pytest.mark.parametrize(
    "words, before, after",
    [
        (
            LIGHTER,
            "    - 3N: 14+ hcp  # far too heavy\n",
            f"    - 3N:\n        shows: 13+ hcp  # far too heavy\n        note: {NOTE}\n",
        ),
        (
            "Answers ({place}), 2S: the most points +1",
            "        shows: 0-11 hcp, 6+ S\n        note: to play\n",
            f"        shows: 0-12 hcp, 6+ S\n        note: to play; {NOTE}\n",
        ),
        (
            "2S: a card fewer",
            "        shows:\n          - 5-9 hcp, 6 S, 3+ hcp(S)\n          - 10-11 hcp, 7+ S\n",
            f"        note: {NOTE}\n        shows:\n          - 5-9 hcp, 5-6 S, 3+ hcp(S)\n"
            "          - 10-11 hcp, 6+ S\n",
        ),
        (
            "without `10-11 hcp, 7+ S`",
            "        shows:\n          - 5-9 hcp, 6 S, 3+ hcp(S)\n          - 10-11 hcp, 7+ S\n",
            f"        note: {NOTE}\n        shows:\n          - 5-9 hcp, 6 S, 3+ hcp(S)\n",
        ),
        (
            "Answers ({place}), 2S: without this line",
            "    - 2S:\n        shows: 0-11 hcp, 6+ S\n        note: to play\n",
            f"    # without 2S: {NOTE}\n",
        ),
        ("2S: vulnerable, too", "when: seat 1-3, not vul\n", "when: seat 1-3\n"),
    ],
)
def test_changes_are_written_in_place(club, words, before, after):
    system = System.load(club)
    place = next(block.mark for block in system.spec.blocks if block.title == "Answers")
    change = by_title(system, words.format(place=f"{place.path}:{place.line}"))
    text = club.read_text()
    if "vulnerable" not in words:
        before, after = (textwrap.indent(one, "  ") for one in (before, after))
    assert text.count(before) == 1
    assert files.write(system, [(change, NOTE)]) == [club]
    written = club.read_text()
    if "vulnerable" in words:
        assert before not in written and after in written and f"note: {NOTE}" in written
    else:
        assert written == text.replace(before, after)
    assert "# What stands here stays." in written and '"KQJ864.32.432.32"' in written


def test_a_text_that_was_changed_twice_is_written_once(club):
    system = System.load(club)
    first = by_title(system, LIGHTER)
    again = next(one for one in Proposer(system, ["games"]).after([first]) if one.title.endswith(LIGHTER))
    files.write(system, [(first, "one"), (again, "two")])
    assert "shows: 12+ hcp  # far too heavy\n          note: one; two\n" in club.read_text()


def test_of_a_line_that_went_no_earlier_change_is_left(club):
    system = System.load(club)
    first = by_title(system, "2S: a card fewer")
    gone = next(one for one in Proposer(system, ["lines"]).after([first]))
    files.write(system, [(first, "one"), (gone, "two")])
    assert "# without 2S: two" in club.read_text() and "one" not in club.read_text().split()


def test_a_card_is_written(tmp_path):
    path = write_system(tmp_path, RULES, "card:\n  - stayman\n")
    system = System.load(path)
    changes = [
        (Change("count", "", (Switch("count_by_tricks", True),)), NOTE),
        (Change("conventions", "", (Switch("stayman", False),)), NOTE),
    ]
    files.write(system, changes)
    assert System.load(path).conventions == {"count_by_tricks"}
    assert f"  # without stayman: {NOTE}\n  - count_by_tricks  # {NOTE}\n" in path.read_text()


def test_what_does_not_read_as_tried_is_put_back(club, monkeypatch):
    system = System.load(club)
    text = club.read_text()
    monkeypatch.setattr(files._Page, "edit", lambda self, edit, note: None)
    with pytest.raises(ChangeError, match="its files are as before"):
        files.write(system, [(by_title(system, LIGHTER), NOTE)])
    assert club.read_text() == text


def test_a_text_that_stands_elsewhere_is_not_touched(club):
    system = System.load(club)
    change = by_title(system, LIGHTER)
    club.write_text("# one line more\n" + club.read_text())
    with pytest.raises(ChangeError, match="does not stand here on one line"):
        files.write(system, [(change, NOTE)])


def test_a_line_that_is_not_there_cannot_go(club):
    system = System.load(club)
    with pytest.raises(ChangeError, match="does not have all the texts"):
        files.write(system, [(Change("lines", "", (Drop(system.spec.blocks[0].mark, "1N"),)), NOTE)])
