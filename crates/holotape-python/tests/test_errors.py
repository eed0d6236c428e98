"""Exceptions."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import holotape
import pytest

ERRORS = [
    holotape.InvalidError,
    holotape.LimitExceededError,
    holotape.LossError,
    holotape.NotARecordingError,
    holotape.RecordingIOError,
    holotape.TruncatedError,
    holotape.UnsupportedVersionError,
]


def test_errors_have_one_base_class() -> None:
    assert all(issubclass(error, holotape.HolotapeError) for error in ERRORS)
    assert len({error.kind for error in ERRORS}) == len(ERRORS)


def test_os_errors_match_python_classes() -> None:
    with pytest.raises(FileNotFoundError) as raised:
        holotape.open("nowhere.bin")
    error = raised.value
    assert isinstance(error, holotape.RecordingIOError)
    assert (error.kind, error.path, error.filename) == ("io", "nowhere.bin", "nowhere.bin")
    assert error.errno == 2
    assert str(error).startswith("nowhere.bin: ")
    with pytest.raises(FileNotFoundError):
        holotape.demo(seconds=0).save("no/such/folder/take.bin")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot open folders")
def test_folder_is_rejected() -> None:
    Path("folder").mkdir()
    with pytest.raises(holotape.HolotapeError, match="folder"):
        holotape.open("folder")


def test_errors_can_be_pickled() -> None:
    for source in (b"GIF89a", "nowhere.bin", holotape.demo(seconds=0).to_bytes()[:-1]):
        with pytest.raises(holotape.HolotapeError) as raised:
            holotape.open(source)
        again = pickle.loads(pickle.dumps(raised.value))
        assert type(again) is type(raised.value)
        assert str(again) == str(raised.value)
        for name in ("kind", "offset", "location", "path"):
            assert getattr(again, name) == getattr(raised.value, name)
        assert getattr(again, "errno", None) == getattr(raised.value, "errno", None)


def test_truncated_files_raise_errors(recording: holotape.Recording) -> None:
    data = recording[:0.2].to_bytes()
    for length in range(0, len(data), 97):
        with pytest.raises((holotape.TruncatedError, holotape.InvalidError)):
            holotape.open(data[:length])
