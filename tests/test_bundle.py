"""Whole systems from the cache: the same as from their files, and never out of date."""

from __future__ import annotations

from pathlib import Path

import pytest

from pidm import Auction, System
from pidm.language import kept_systems as bundle
from pidm.language import loading as files
from pidm.language.loading import load_system
from pidm.reading.table import Table

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
def path(tmp_path: Path) -> Path:
    (tmp_path / "openings.yaml").write_text(OPENINGS)
    (tmp_path / "mine.yaml").write_text(SYSTEM)
    return tmp_path / "mine.yaml"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were not taken from a bundle."""
    read, names = files.load_file, []

    def counting(path, *rest):
        names.append(path.name)
        return read(path, *rest)

    monkeypatch.setattr(files, "load_file", counting)
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
def test_a_changed_file_is_read_again(path: Path, reads: list[str], name: str) -> None:
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


@pytest.mark.parametrize("damage", [b"", b"{}\n", b"[]\n", b"\xff", b"null\nnull"])
def test_a_damaged_entry_is_written_again(path: Path, folder: Path, damage: bytes) -> None:
    first = System.load(path)
    (entry,) = folder.glob("*.bundle")
    whole = entry.read_bytes()
    for bad in (damage, whole[:-1], whole[:-9] + b"x" + whole[-8:]):
        entry.write_bytes(bad)
        assert System.load(path).spec == first.spec
        assert entry.read_bytes() == whole


def test_a_file_that_changes_while_it_is_read_is_not_mistaken(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = bundle.store

    def late(*arguments):
        path.write_text(SYSTEM.replace("6-9", "6-10"))
        store(*arguments)

    monkeypatch.setattr(bundle, "store", late)
    System.load(path)
    monkeypatch.undo()
    monkeypatch.setenv("PIDM_CACHE", str(path.parent / "cache"))
    assert "6-10" in str(System.load(path).spec.blocks[0].lines[1])


def test_mistakes_are_reported_every_time(path: Path, folder: Path) -> None:
    path.write_text(SYSTEM.replace("3+ M", "3+ Q"))
    for _ in range(2):
        with pytest.raises(Exception, match="Q"):
            System.load(path)
    assert not list(folder.glob("*.bundle"))


def test_what_is_found_through_a_link_is_not_kept(path: Path, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "openings.yaml").rename(tmp_path / "real.yaml")
    (tmp_path / "openings.yaml").symlink_to(tmp_path / "real.yaml")
    System.load(path)
    assert not list(folder.glob("*.bundle"))


def test_places_are_named_from_where_one_stands(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert System.load(path).blocks[0].spec.mark.path == str(path)
    monkeypatch.chdir(path.parent)
    assert System.load(path).blocks[0].spec.mark.path == "mine.yaml"
    assert System.load(path).spec.blocks[0].lines[0].call.mark.path == "mine.yaml"
