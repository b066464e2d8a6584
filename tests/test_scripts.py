"""What the scripts say on a machine that lacks something. That they work is seen by running them."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parent.parent / "scripts"


def run(script, **environment):
    return subprocess.run(
        ["bash", str(script)],
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def a_copy_of(script, folder):
    """The script in a folder that looks like a new clone."""
    (folder / "scripts").mkdir()
    for name in (script, "lib.sh"):
        (folder / "scripts" / name).write_text((SCRIPTS / name).read_text())
    (folder / "setup.cfg").write_text("")
    return folder / "scripts" / script


def a_python(folder, body):
    path = folder / "python-of-this-test"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.mark.parametrize("script", ["test", "demo"])
def test_an_old_python_is_named(tmp_path, script):
    old = a_python(tmp_path, 'case "$1" in --version) echo Python 3.8.10;; *) exit 1;; esac')
    done = run(a_copy_of(script, tmp_path), PYTHON=old)
    assert done.returncode == 1
    assert "needs Python 3.10 or newer; found: Python 3.8.10" in done.stderr
    assert "apt install python3" in done.stderr


@pytest.mark.parametrize("script", ["test", "demo"])
def test_a_missing_venv_is_named(tmp_path, script):
    body = 'case "$*" in *ensurepip*) exit 1;; *"import sys"*) exit 0;; *) cat >/dev/null; echo key;; esac'
    done = run(a_copy_of(script, tmp_path), PYTHON=a_python(tmp_path, body))
    assert done.returncode == 1
    assert "lacks venv" in done.stderr
    assert "apt install python3-venv" in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_a_python_that_is_not_there_is_named(tmp_path):
    done = run(a_copy_of("demo", tmp_path), PYTHON="/nowhere/a python")
    assert done.returncode == 1
    assert "found: no /nowhere/a python, which $PYTHON names." in done.stderr


def test_a_moved_clone_gets_a_new_environment(tmp_path):
    made = 'mkdir -p "$4/bin"; for name in python pidm; do printf "#!/bin/sh\\n" >"$4/bin/$name"; done'
    body = f'case "$*" in "-m venv"*) {made}; chmod +x "$4"/bin/*;; -\\ *) exec python3 "$@";; esac'
    python = a_python(tmp_path, body)
    (tmp_path / "here").mkdir()
    script = a_copy_of("demo", tmp_path / "here")
    said = [run(script, PYTHON=python).stderr for _ in range(2)]
    (tmp_path / "here").rename(tmp_path / "there")
    said.append(run(tmp_path / "there" / "scripts" / "demo", PYTHON=python).stderr)
    assert ["Installing" in text for text in said] == [True, False, True]


def test_processes_of_a_benchmark_use_what_is_installed_not_the_checkout():
    """`python -m` looks where it is started first, and the checkout has `pidm` without its features."""
    code = (
        f"import sys; sys.path.append({str(SCRIPTS)!r}); from bench_engine import _output\n"
        "print(_output([sys.executable, '-c', 'import os; print(os.getcwd())'], None))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=SCRIPTS.parent, capture_output=True, text=True, check=True
    )
    assert not done.stdout.startswith(str(SCRIPTS.parent))


def test_benchmarks_that_are_not_there_are_refused():
    done = subprocess.run(
        ["python3", str(SCRIPTS / "benchmark"), "flying"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "no benchmark flying" in done.stderr


def test_every_script_in_python_is_linted():
    linted = (SCRIPTS.parent / "pyproject.toml").read_text()
    scripts = [path for path in SCRIPTS.iterdir() if path.is_file() and not path.suffix]
    written = [path.name for path in scripts if "python" in path.read_text().split("\n", 1)[0]]
    assert written and [name for name in written if f'"scripts/{name}"' not in linted] == []
