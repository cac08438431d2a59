import contextlib
import os
import resource
import threading
from pathlib import Path

import pytest

from core.base.files import check_writable, parse_json, read_text, read_whole, write_whole


@contextlib.contextmanager
def tiny_files():
    """No file of this process may grow beyond 10 bytes: what a full disk does, without one. For a moment only: the
    test's own report may go to a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_write_that_fails_leaves_the_old_file(tmp_path):
    target = tmp_path / "c.csv"
    target.write_text("old")
    with tiny_files(), pytest.raises(OSError, match="too large"):
        write_whole(target, "x" * 1000)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text("utf-8")))
    reader.start()
    check_writable(pipe)
    write_whole(pipe, "é")
    reader.join(10)
    assert read == ["é"]
    assert pipe.is_fifo()


def test_what_has_no_end_is_not_read_whole(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(ValueError, match="a pipe or a device"):
            read_whole(path)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "target")
    for text in ("one", "two"):
        write_whole(tmp_path / "link", text)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "target").read_text() == text


def test_a_file_of_the_users_beside_it_is_left_alone(tmp_path):
    (tmp_path / "c.csv.part").write_text("mine")
    write_whole(tmp_path / "c.csv", "x")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c.csv", "c.csv.part"]
    assert (tmp_path / "c.csv.part").read_text() == "mine"


def test_what_can_be_written_is_known_before(tmp_path):
    check_writable(tmp_path / "new.csv")
    assert list(tmp_path.iterdir()) == []  # nothing is left of the attempt
    with pytest.raises(OSError, match="is a folder"):
        check_writable(tmp_path)
    with pytest.raises(OSError, match="No such file"):
        check_writable(tmp_path / "absent" / "c.csv")
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="Not a directory"):
        check_writable(tmp_path / "file" / "c.csv")
    with pytest.raises(OSError, match="too long"):
        check_writable(tmp_path / ("x" * 300))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"9" * 5000, "too long"),
    ],
)
def test_json_that_cannot_be_read_is_said(text, words):
    with pytest.raises(ValueError, match=words) as caught:
        parse_json(text)
    assert "sys." not in str(caught.value)


def test_a_byte_order_mark_is_no_fault():
    assert parse_json(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


def test_what_has_no_end_is_not_read_to_it(tmp_path, monkeypatch):
    monkeypatch.setattr("core.base.files.LARGEST", 1 << 20)
    (tmp_path / "long.txt").write_text("x" * (1 << 20))
    assert len(read_text(tmp_path / "long.txt")) == 1 << 20
    (tmp_path / "longer.txt").write_text("x" * ((1 << 20) + 1))
    with pytest.raises(ValueError, match="cannot be read: it is larger than 1 MiB"):
        read_text(tmp_path / "longer.txt")
    assert read_text(tmp_path / "longer.txt", 3) == "xxx"
