import errno
import os

import pytest

from pidm.files import write_atomic


def test_a_file_is_written_whole(tmp_path):
    path = tmp_path / "deals.pbn"
    write_atomic(path, "♠ first")
    write_atomic(str(path), b"second")
    assert path.read_bytes() == b"second"
    assert os.listdir(tmp_path) == ["deals.pbn"]


def test_a_failure_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "deals.pbn"
    write_atomic(path, "first")

    def full(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="disk full"):
        write_atomic(path, "second")
    assert path.read_text() == "first"
    assert os.listdir(tmp_path) == ["deals.pbn"]


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere/deals.pbn'"):
        write_atomic(tmp_path / "nowhere" / "deals.pbn", "text")


def test_a_full_disk_names_the_file(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device.*deals.pbn"):
        write_atomic(tmp_path / "deals.pbn", "text")
