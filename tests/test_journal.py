"""Results that are kept as they finish: an interrupted run goes on to the same end."""

import json
import resource

import pytest

from pidm.match.challenge import random_problems, run_challenge
from pidm.match.duplicate import run_match
from pidm.match.kept_results import about, kept_boards, kept_problems
from pidm.play.journal import Journal, JournalError
from pidm.play.match_boards import random_boards
from pidm.play.pair import Pair
from pidm.play.room import Setup

PAIRS = tuple(Pair.from_str(text) for text in ("two_over_one,instances=40", "sayc,no-search"))
BOARDS = random_boards(4, 3)
SETUP = Setup(PAIRS, seed=3)


class PowerFailsError(Exception):
    """In the middle of a match."""


def fails_after(number):
    def progress(results):
        if (results if isinstance(results, int) else len(results)) >= number:
            raise PowerFailsError

    return progress


@pytest.fixture(scope="module")
def whole():
    return run_match(SETUP, BOARDS, solved=True)


def test_a_match_that_was_interrupted_goes_on_to_the_same_end(whole, tmp_path):
    path, what = tmp_path / "match.json.part", about("match", [SETUP], BOARDS)
    kept = kept_boards(path, False, what)
    with pytest.raises(PowerFailsError):
        run_match(SETUP, BOARDS, progress=fails_after(3), solved=True, kept=kept)
    kept.journal.close()
    path.write_bytes(path.read_bytes() + b'{"results": [{"board": 4, "tab')  # killed while writing
    kept = kept_boards(path, True, what)
    found = run_match(SETUP, BOARDS, solved=True, kept=kept)
    assert found.results == whole.results
    for one, other in zip(found.results, whole.results):
        assert one.solved.tolist() == other.solved.tolist()
        assert [table.counters for table in one.tables] == [table.counters for table in other.tables]
    assert found.effort.solved == whole.effort.solved
    kept.journal.finish()
    assert not path.exists()


def test_a_challenge_of_two_pairs_goes_on(tmp_path):
    problems = random_problems(7, 1)
    setups = [Setup((Pair.from_str(f"{name},no-search"),), seed=1) for name in ("sayc", "two_over_one")]
    path, what = tmp_path / "part", about("challenge", setups, problems)
    kept = kept_problems(path, False, what)
    expected = [run_challenge(setup, problems, 0) for setup in setups]
    run_challenge(setups[0], problems, 0, kept=kept)
    kept.journal.close()
    kept = kept_problems(path, True, what)
    found = [run_challenge(setup, problems, 0, kept=kept) for setup in setups]
    assert [one.solutions for one in found] == [one.solutions for one in expected]
    assert [one.variables() for one in found] == [one.variables() for one in expected]


def journal(path, resume=True, **changes):
    return Journal(path, {"kind": "match", "seed": 1, **changes}, resume)


def test_a_journal_is_not_overwritten_nor_mixed(tmp_path):
    path = tmp_path / "part"
    first = journal(path, resume=False)
    first.add([1, 2], {"solving": 0.5})
    with pytest.raises(JournalError, match="another run is writing"):
        journal(path)
    first.close()
    with pytest.raises(JournalError, match="go on with --resume, or remove it"):
        journal(path, resume=False)
    with pytest.raises(JournalError, match="other pairs, boards or options"):
        journal(path, seed=2)
    assert journal(path).take(2) == [(f"{path}:2", {"results": [1, 2], "effort": {"solving": 0.5}})]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[" * 100_000, r"part:2: not JSON"),
        ("7", "part:2: expected an object, not '7'"),
        ('{"results": 3}', "part:2: expected `results`"),
        ('{"results": [{"board": 2}], "effort": {}}', "part:2: expected the result of number 1, not of 2"),
        ('{"results": [{"board": 1}], "effort": {}}', "part:2: 'solved'"),
        ('{"results": [], "effort": {"hope": 1}}', "part:2: .*unexpected keyword argument"),
    ],
)
def test_a_damaged_journal_is_told_with_its_line(tmp_path, line, words):
    path = tmp_path / "part"
    what = about("match", [SETUP], BOARDS)
    path.write_text(json.dumps({"about": what}) + "\n" + line + "\n")
    with pytest.raises(JournalError, match=words):
        run_match(SETUP, BOARDS, kept=kept_boards(path, True, what))


def test_a_disk_that_takes_no_more_is_told_with_the_file(tmp_path):
    path = tmp_path / "part"
    kept = journal(path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 5, hard))
    try:
        with pytest.raises(JournalError, match="part: File too large; go on with --resume"):
            kept.add([1, 2, 3], {"solving": 0.5})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        kept.close()
    assert journal(path).take(9) == [], "what was cut off is gone"
