import io
import os
import sys

import pytest

from core.cli import safe_stdout


def test_a_reader_that_has_gone_ends_nothing():
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as stream:
        out = safe_stdout.Outlet(stream)
        for _ in range(3):
            out.write("x" * 100_000)
            out.flush()
        assert isinstance(out.fault, BrokenPipeError)
        assert out.complaint == ""  # whoever closed it knows


class Full(io.StringIO):
    def write(self, text):
        raise OSError(28, "No space left on device")


def test_another_fault_is_remembered():
    out = safe_stdout.Outlet(Full())
    assert out.write("abc") == 3
    assert out.complaint == "No space left on device"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_characters_that_an_encoding_lacks_are_replaced(monkeypatch, encoding):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
    before = sys.stdout
    with safe_stdout.steady():
        print("int8 × 变体 —")
    assert sys.stdout is before
    assert raw.getvalue().startswith(b"int8 ")
    assert b"?" in raw.getvalue()


def test_streams_that_are_closed_are_no_fault(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with safe_stdout.steady() as out:
        print("nobody reads this")
    assert out is None
