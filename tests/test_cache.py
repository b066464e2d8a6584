"""Files that were read before come from a cache that is never stale and may be deleted or damaged."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pidm.language import kept_files as cache
from pidm.language import schema
from pidm.language.loading import load_file, load_system

JACOBY = """\
system: Little club system
card: []
rules:
  - title: Raises
    auction: 1M
    forcing: invite
    bid:
      - 2N:
          shows: 4+ M, 13+ points(M)
          forcing: game
          agrees: M
          starts: [jacoby_2nt]
          when: not passed hand
          examples: ["1S: K842.A5.KQJ3.Q42"]
          note: The strongest raise.
      - either:
          - 3M: [4+ M, {shows: 3 M, priority: 10}]
          - 2M: 3+ M
    never:
      - X: not vul
    examples: K842.A5.KQJ3.Q42 -> 2N
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PIDM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files that were read afresh."""
    read, paths = schema.read, []

    def counting(data, path, errors):
        paths.append(Path(path).name)
        return read(data, path, errors)

    monkeypatch.setattr(schema, "read", counting)
    return paths


def mine(tmp_path: Path, text: str = JACOBY, name: str = "mine.yaml") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def test_what_was_kept_equals_what_was_read(tmp_path: Path, counted: list[str]) -> None:
    path = mine(tmp_path)
    first, second = load_file(path, []), load_file(path, [])
    assert first == second
    assert counted == ["mine.yaml"]
    assert first is not None and second is not None
    shows = second.blocks[0].lines[0].alternatives[0].shows
    assert shows.mark == first.blocks[0].lines[0].alternatives[0].shows.mark == (str(path), 9, 18)


def test_the_same_text_elsewhere_has_its_own_places(tmp_path: Path, counted: list[str]) -> None:
    load_file(mine(tmp_path), [])
    other = load_file(mine(tmp_path, name="other.yaml"), [])
    assert counted == ["mine.yaml"]
    assert other is not None
    assert other.path == other.blocks[0].mark.path == str(tmp_path / "other.yaml")


def test_a_changed_file_is_read_again(tmp_path: Path, counted: list[str]) -> None:
    path = mine(tmp_path)
    before = path.stat()
    load_file(path, [])
    path.write_text(JACOBY.replace("13+ points", "14+ points"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    again = load_file(path, [])
    assert again is not None
    assert again.blocks[0].lines[0].alternatives[0].shows == "4+ M, 14+ points(M)"
    assert len(counted) == 2


def test_a_changed_reader_reads_again(
    tmp_path: Path, counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_file(mine(tmp_path), [])
    monkeypatch.setattr(cache, "_version", lambda: b"another")
    load_file(mine(tmp_path), [])
    assert len(counted) == 2


@pytest.mark.parametrize("damage", [b"", b"{", b"[1,2]", b"null", b"\xff\xfe", b'["system"]'])
def test_a_damaged_entry_is_written_again(
    tmp_path: Path, folder: Path, counted: list[str], damage: bytes
) -> None:
    path = mine(tmp_path)
    first = load_file(path, [])
    (entry,) = folder.glob("*.json")
    whole = entry.read_bytes()
    entry.write_bytes(damage)
    assert load_file(path, []) == first
    assert entry.read_bytes() == whole
    assert len(counted) == 2


def test_mistakes_are_reported_every_time(tmp_path: Path, folder: Path) -> None:
    path = mine(tmp_path, "sytem: Mine\n")
    for _ in range(2):
        errors: list = []
        load_file(path, errors)
        assert len(errors) == 1
    assert not list(folder.glob("*"))


def test_a_directory_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PIDM_CACHE", str(tmp_path / "file" / "below"))
    assert load_file(mine(tmp_path), []) is not None


def test_off_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counted: list[str]) -> None:
    monkeypatch.setenv("PIDM_CACHE", "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    path = mine(tmp_path)
    load_file(path, [])
    load_file(path, [])
    assert len(counted) == 2
    assert not (tmp_path / "xdg").exists()


def test_the_usual_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIDM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.directory() == tmp_path / "xdg" / "pidm"


def test_old_entries_go(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_ENTRIES", 4)
    for number in range(12):
        load_file(mine(tmp_path, f"system: Number {number}\n"), [])
        assert len(list(folder.glob("*"))) <= 5
    assert cache.load(b"system: Number 11\n", "x") is not None


def test_a_system_from_the_cache_needs_neither_pydantic_nor_yaml(tmp_path: Path) -> None:
    path = mine(tmp_path)
    load_system(path)
    code = (
        f"import sys; from pidm.language.loading import load_system; load_system({str(path)!r})\n"
        "sys.exit('pydantic' in sys.modules or 'yaml' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_texts_that_were_checked_before_are_read_when_they_are_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pidm.language.rules import Block
    from pidm.language.system import System

    checks: list[int] = []
    check = Block.check
    monkeypatch.setattr(Block, "check", lambda block: (checks.append(1), check(block)))
    path = mine(tmp_path)
    System.load(path)
    assert checks
    checks.clear()
    System.load(path)
    assert not checks
    path.write_text(JACOBY.replace("13+", "14+"))
    System.load(path)
    assert checks
