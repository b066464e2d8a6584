"""docs/games.md: the game of one's own runs under every solver, and the page names what there is."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pidm.cli.app import app
from pidm.games.catalogue import GAMES, load
from pidm.games.solvers import SOLVERS

PAGE = (Path(__file__).parent.parent / "docs" / "games.md").read_text()


@pytest.fixture
def my_game(tmp_path):
    (code,) = re.findall(r"<!-- file: my_game.py -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "my_game.py"
    path.write_text(code)
    return path


def pidm(*args, text=None):
    return CliRunner().invoke(app, ["games", *map(str, args)], input=text)


def test_all_solvers_run_on_a_game_of_ones_own(my_game):
    done = pidm(my_game, "--solver", ",".join(SOLVERS), "--iterations", 100)
    assert done.exit_code == 0, done.output
    values = {line.split()[1]: float(line.split()[3]) for line in done.output.splitlines()[1:]}
    assert set(values) == set(SOLVERS)
    assert max(values.values()) == values["exact"] == values["joint"]


def test_it_can_be_played(my_game):
    done = pidm(my_game, "--seed", 3, text="1\n0\n3\n")
    assert done.exit_code == 0, done.output
    assert "Player 1, you have the number" in done.output and "1 0 3 is worth" in done.output


def test_a_wrong_game_is_refused(my_game):
    code = my_game.read_text().replace("(0, 1, 0, None)", "(0, (0, 1), 0, None)")
    my_game.write_text(code)
    done = pidm(my_game, "--solver", "exact")
    assert done.exit_code == 2
    assert "Sum, after (0,): one seat acts, found (0, 1)" in done.output or "after (1,)" in done.output


def test_files_with_several_games_must_say_which(my_game):
    code = my_game.read_text()
    my_game.write_text(code + "\n\nclass Other(Sum):\n    optimum = 1.0\n")
    assert load(f"{my_game}:Other").optimum == 1.0
    done = pidm(my_game, "--solver", "exact")
    assert done.exit_code == 2 and "2 subclasses of SmallGame, expected one" in done.output.replace("\n", " ")
    done = pidm(f"{my_game}:Third", "--solver", "exact")
    assert "has no game Third, found Sum, Other" in done.output.replace("\n", " ")


def test_the_page_names_all_games_and_solvers():
    for solver in SOLVERS:
        assert f"`{solver}`" in PAGE
    for name in GAMES:
        assert name in PAGE or name.rpartition("_")[0] in PAGE
