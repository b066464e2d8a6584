"""The store of what was read: the same as from the files, never out of date, and damage does no harm."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_floors import MODULES, imported

from pidm import Auction, System
from pidm.language import loading, schema, store
from pidm.language.loading import load_file, load_system
from pidm.language.rules import Block
from pidm.reading.table import Table

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


OPENINGS = """\
rules:
  - title: Opening bids
    auction: P*
    bid:
      - 1N: 15-17 hcp, balanced
      - 1M: 12-21 hcp, 5+ M
      - either:
          - 1C: 12-21 hcp
          - 1D: 12-21 hcp, 4+ D
      - P: 0-11 hcp
"""
SYSTEM = """\
system: Two files
include: openings
rules:
  - title: Raises
    auction: [1M, "P 1M"]
    for: M = S
    bid:
      - 3M: {shows: "10-12 points(M), 4+ M", forcing: invite, when: not passed hand}
      - 2M: 6-9 points(M), 3+ M
    never:
      - P: vul
  - title: Otherwise
    auction: ...
    bid:
      - cheapest X: 13+ hcp, 4+ X
      - P: any
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


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "openings.yaml").write_text(OPENINGS)
    (tmp_path / "mine.yaml").write_text(SYSTEM)
    return tmp_path / "mine.yaml"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were not taken from the store."""
    read, names = loading.load_file, []

    def counting(path, *rest):
        names.append(path.name)
        return read(path, *rest)

    monkeypatch.setattr(loading, "load_file", counting)
    return names


AUCTIONS = ["", "1S P", "P P 1S P", "1H P", "1S P 3S P", "1C 1D P", "1S P 2S X", "P 1N P P 2C P"]


def said(system: System) -> list[str]:
    """All that the system says about some auctions."""
    found = []
    for text in AUCTIONS:
        situation = Table.of(system).situation(Auction.from_str(text))
        rules = [(str(a.call), str(a.rule), a.rule.binding, a.order, a.speaks) for a in situation.applied]
        found.append(f"{rules} {situation.forbidden} {situation.bounds} {situation.net}")
    return found


# ---------------------------------------------------------------------- files


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
    monkeypatch.setattr(store, "_version", lambda: b"another")
    load_file(mine(tmp_path), [])
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
    assert store.directory() == tmp_path / "xdg" / "pidm"


def test_old_entries_go(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MAX_FILES", 4)
    for number in range(12):
        load_file(mine(tmp_path, f"system: Number {number}\n"), [])
        assert len(list(folder.glob("*"))) <= 5
    assert store.load_file(b"system: Number 11\n", "x") is not None


def test_a_system_from_the_cache_needs_neither_pydantic_nor_yaml(tmp_path: Path) -> None:
    path = mine(tmp_path)
    load_system(path)
    code = (
        f"import sys; from pidm.language.loading import load_system; load_system({str(path)!r})\n"
        "sys.exit('pydantic' in sys.modules or 'yaml' in sys.modules)"
    )
    # from another folder, or a checkout here would be found before what is installed
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=tmp_path).returncode == 0


def test_texts_that_were_checked_before_are_read_when_they_are_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


# ---------------------------------------------------------------------- whole systems


def test_the_same_system_twice(path: Path, reads: list[str]) -> None:
    first = System.load(path)
    assert reads == ["mine.yaml", "openings.yaml"]
    second = System.load(path)
    assert len(reads) == 2
    assert second.spec == first.spec == load_system(path)
    assert said(second) == said(first)
    assert [rule.place for _, rule in second.rules()] == [rule.place for _, rule in first.rules()]


def test_a_shipped_system_from_the_cache_is_the_same() -> None:
    fresh, kept = System.load("sayc"), System.load("sayc")
    assert kept.spec == fresh.spec
    assert said(kept) == said(fresh)


def test_what_a_call_means_does_not_depend_on_what_was_asked_before(path: Path) -> None:
    for system in (System.load(path), System.load(path)):
        lazily = [Table.of(system).situation(Auction.from_str(text)).meant for text in AUCTIONS[1:]]
        system = System.load(path)
        said(system)  # now all rules are there
        situations = [Table.of(system).situation(Auction.from_str(text)) for text in AUCTIONS[1:]]
        for one, other in zip(lazily, situations):
            assert one is not None and other.parent is not None
            again = other.parent.meaning_of(other.auction.calls[-1])
            assert list(map(str, one.rules)) == list(map(str, again.rules))
            assert one.shown == again.shown


def test_cards_are_kept_apart(reads: list[str]) -> None:
    assert "stayman" in System.load("sayc").conventions
    assert "stayman" not in System.load("sayc", {"stayman": False}).conventions
    asked = len(reads)
    assert "stayman" not in System.load("sayc", {"stayman": False}).conventions
    assert "stayman" in System.load("sayc").conventions
    assert len(reads) == asked


@pytest.mark.parametrize("name", ["mine.yaml", "openings.yaml"])
def test_a_system_with_a_changed_file_is_read_again(path: Path, reads: list[str], name: str) -> None:
    System.load(path)
    changed = path.with_name(name)
    changed.write_text(changed.read_text().replace("any", "0-40 hcp").replace("15-17", "14-16"))
    again = System.load(path)
    assert len(reads) == 4
    assert again.spec == load_system(path)
    assert said(again) == said(System.load(path))


def test_a_file_that_now_comes_first_is_found(path: Path, tmp_path: Path) -> None:
    path.write_text("system: Mine\ninclude: natural\n")
    assert len(System.load(path).blocks) > 1  # the shipped file of that name
    (tmp_path / "natural.yaml").write_text(OPENINGS)
    assert [block.title for block in System.load(path).blocks] == ["Opening bids"]


def test_a_removed_file_is_missed(path: Path) -> None:
    System.load(path)
    path.with_name("openings.yaml").unlink()
    with pytest.raises(Exception, match="no file `openings`"):
        System.load(path)


def test_a_file_that_changes_while_it_is_read_is_not_mistaken(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = store.keep_system

    def late(*arguments):
        path.write_text(SYSTEM.replace("6-9", "6-10"))
        keep(*arguments)

    monkeypatch.setattr(store, "keep_system", late)
    System.load(path)
    monkeypatch.undo()
    monkeypatch.setenv("PIDM_CACHE", str(path.parent / "cache"))
    assert "6-10" in str(System.load(path).spec.blocks[0].lines[1])


def test_a_system_with_mistakes_is_not_kept(path: Path, folder: Path) -> None:
    path.write_text(SYSTEM.replace("3+ M", "3+ Q"))
    for _ in range(2):
        with pytest.raises(Exception, match="Q"):
            System.load(path)
    assert not list(folder.glob("*.system"))


def test_what_is_found_through_a_link_is_not_kept(path: Path, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "openings.yaml").rename(tmp_path / "real.yaml")
    (tmp_path / "openings.yaml").symlink_to(tmp_path / "real.yaml")
    System.load(path)
    assert not list(folder.glob("*.system"))


def test_places_are_named_from_where_one_stands(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert System.load(path).blocks[0].spec.mark.path == str(path)
    monkeypatch.chdir(path.parent)
    assert System.load(path).blocks[0].spec.mark.path == "mine.yaml"
    assert System.load(path).spec.blocks[0].lines[0].call.mark.path == "mine.yaml"


# ---------------------------------------------------------------------- damage


def damaged(whole: bytes, number: int, seed: int) -> Iterator[bytes]:
    """Random damage of the kinds that disks and people do."""
    rng = random.Random(seed)
    for _ in range(number):
        start = rng.randrange(len(whole))
        length = min(rng.choice((1, 1, 2, 8, 100)), len(whole) - start)
        kind = rng.randrange(6)
        if kind == 0:  # cut short
            yield whole[:start]
        elif kind == 1:  # a piece lost
            yield whole[:start] + whole[start + length :]
        elif kind == 2:  # a piece twice
            yield whole[: start + length] + whole[start:]
        elif kind == 3:  # zeros
            yield whole[:start] + bytes(length) + whole[start + length :]
        elif kind == 4:  # a digit for a digit: still JSON, but of something else
            at = rng.choice([k for k, byte in enumerate(whole) if chr(byte).isdigit()])
            yield whole[:at] + rng.choice(b"0123456789").to_bytes(1, "big") + whole[at + 1 :]
        else:  # a bit
            flipped = whole[start] ^ 1 << rng.randrange(8)
            yield whole[:start] + flipped.to_bytes(1, "big") + whole[start + 1 :]


def test_thousands_of_damaged_entries_count_as_not_there(path: Path, folder: Path) -> None:
    System.load(path)
    (entry,) = folder.glob(f"*{store.SYSTEM}")
    whole = entry.read_bytes()
    for bad in damaged(whole, 3000, seed=1):
        entry.write_bytes(bad)
        assert (store.load_system(path, {}) is None) == (bad != whole)
    data = path.read_bytes()
    for entry in folder.glob(f"*{store.FILE}"):
        whole = entry.read_bytes()
        kept = store.load_file(data, "x")
        for bad in damaged(whole, 1000, seed=2):
            entry.write_bytes(bad)
            assert store.load_file(data, "x") in ((kept,) if bad == whole else (None, kept))
        entry.write_bytes(whole)


def test_after_damage_everything_is_as_before_and_the_entry_is_made_anew(path: Path, folder: Path) -> None:
    first = System.load(path)
    expected = said(first)
    whole = {entry: entry.read_bytes() for entry in folder.iterdir()}
    assert sorted(entry.suffix for entry in whole) == [store.FILE, store.FILE, store.SYSTEM]
    several = zip(*(damaged(data, 40, seed=number) for number, data in enumerate(whole.values())))
    for bad in (*several, (b"",) * 3, (b"null",) * 3, (b"\xff" * 40,) * 3):
        for entry, data in zip(whole, bad):
            entry.write_bytes(data)
        again = System.load(path)
        assert again.spec == first.spec and said(again) == expected
        untouched = {entry for entry, data in zip(whole, bad) if data == whole[entry]}
        if any(entry.suffix == store.SYSTEM for entry in untouched):
            continue  # the damage left the bytes as they were: the entries of files are not even asked for
        assert {entry: entry.read_bytes() for entry in folder.iterdir()} == whole


# ---------------------------------------------------------------------- the code that reads


def test_the_key_covers_all_code_that_shapes_what_is_kept() -> None:
    """Whatever the language imports, and what that imports: an edit anywhere there must make entries anew."""
    waiting = [name for name in MODULES if name.startswith("pidm.language.")]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in reached and name in MODULES:
            reached.add(name)
            waiting += [other for _, other in imported(MODULES[name])]
    covered = {path.resolve() for path in store.readers()}
    assert {"pidm.language.pattern", "pidm.features.declare", "pidm.bridge.calls", "pidm.core.box"} <= reached
    assert not {name for name in reached if MODULES[name].resolve() not in covered}
