"""Reading many files in parallel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import holotape
import pytest
from conftest import TESTDATA


@pytest.fixture
def study() -> Path:
    folder = Path("study/day one")
    folder.mkdir(parents=True)
    for seed in range(40):
        holotape.demo(seconds=0.5, seed=seed).save(folder / f"{seed:02}.bin")
    return folder


def test_recordings_are_yielded_in_order(study: Path) -> None:
    found = list(holotape.read_many("study/**/*.bin", jobs=4))
    assert [path.stem for path, _ in found] == [f"{seed:02}" for seed in range(40)]
    assert all(recording == holotape.demo(seconds=0.5, seed=int(path.stem)) for path, recording in found)
    paths = [path for path, _ in found]
    assert [path for path, _ in holotape.read_many(reversed(paths))] == paths[::-1]
    assert len(list(holotape.read_many(paths[0]))) == 1
    assert list(holotape.read_many("study/*.nothing")) == []


def test_unreadable_files_are_skipped_with_a_warning(study: Path) -> None:
    (study / "07.bin").write_bytes(b"GIF89a")
    (study / "09.bin").unlink()
    paths = [study / f"{seed:02}.bin" for seed in range(40)]
    reader = holotape.read_many(paths, errors="skip")
    with pytest.warns(holotape.UnreadableFileWarning) as caught:
        names = {path.stem for path, _ in reader}
    assert len(names) == 38
    assert list(reader.failed) == [study / "07.bin", study / "09.bin"]
    assert isinstance(reader.failed[study / "09.bin"], FileNotFoundError)
    assert {warning.filename for warning in caught} == {__file__}
    with pytest.raises(holotape.NotARecordingError, match=r"07\.bin"):
        list(holotape.read_many(paths))
    with pytest.raises(ValueError, match="errors must be"):
        holotape.read_many(paths, errors="ignore")  # type: ignore[arg-type]


def test_losses_are_warned_about() -> None:
    with pytest.warns(holotape.LossWarning, match="hl2ss_spatial_input") as caught:
        found = list(holotape.read_many([TESTDATA / "import/hl2ss_spatial_input.bin"]))
    assert len(caught) == len(found[0][1].losses)


def test_progress_bar_is_optional(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(list(holotape.read_many("study/**/*.bin", progress=True))) == 40
    assert "40/40" in capsys.readouterr().err
    list(holotape.read_many("study/**/*.bin"))
    assert capsys.readouterr().err == ""


# Runs in a process of its own: other tests leave the memory of a shared one unsettled.
OPEN_MANY_TIMES = """
import gc, sys
import holotape, psutil

def open_times(count):
    for _ in range(count):
        recording = holotape.open(sys.argv[1])
        recording["camera.position.x"].keys
        recording.sample([0.5])
    del recording
    gc.collect()
    return psutil.Process().memory_info().rss

settled = open_times(1_000)
print(open_times(10_000) - settled)
"""


def test_opening_files_does_not_leak_memory() -> None:
    holotape.demo(seconds=2).save("take.bin")
    command = [sys.executable, "-c", OPEN_MANY_TIMES, "take.bin"]
    growth = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    # A recording takes 350 kB, so leaking one in a thousand would fail.
    assert growth < 4 << 20, f"{growth} bytes more after 10,000 opens"
