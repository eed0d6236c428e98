"""Kills `record` and `dataset build` of an installed command. `repair` must recover the take, and a second build must complete the dataset.

    killed.py COMMAND
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RECORDINGS = 300


def main() -> None:
    command = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        holotape = Holotape(command, Path(folder))
        holotape.run("demo", "--no-page", "demo.bin")
        record(holotape)
        build_dataset(holotape)


class Holotape:
    """The command, in a folder."""

    def __init__(self, command: str, folder: Path) -> None:
        self.command = command
        self.folder = folder

    def run(self, *args: str) -> bytes:
        return subprocess.run([self.command, *args], check=True, stdout=subprocess.PIPE, cwd=self.folder).stdout

    def start(self, *args: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([self.command, *args], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=self.folder)


def record(holotape: Holotape) -> None:
    frames = holotape.run("sample", "demo.bin", "--rate", "60")
    subprocess.run([holotape.command, "record", "whole.bin"], input=frames, check=True, cwd=holotape.folder)
    process = holotape.start("record", "take.bin")
    assert process.stdin is not None
    process.stdin.write(frames)
    process.stdin.flush()
    journal = holotape.folder / "take.journal"
    wait_until(lambda: is_complete(holotape, journal))
    kill(process)
    holotape.run("repair", "take.journal", "take.bin")
    take, whole = (Path(holotape.folder, name).read_bytes() for name in ("take.bin", "whole.bin"))
    assert take == whole, "the recovered take differs from one that was not killed"
    print(f"record: killed after {len(frames.splitlines())} frames; repair recovered all")


def is_complete(holotape: Holotape, journal: Path) -> bool:
    """Whether the journal has all frames: those of a copy, which can be recovered at any time."""
    if not journal.exists():
        return False
    shutil.copy(journal, holotape.folder / "copy.journal")
    subprocess.run(
        [holotape.command, "repair", "copy.journal", "copy.bin", "--force"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=holotape.folder,
    )
    copy, whole = holotape.folder / "copy.bin", holotape.folder / "whole.bin"
    return copy.exists() and copy.stat().st_size == whole.stat().st_size


def build_dataset(holotape: Holotape) -> None:
    study = holotape.folder / "study"
    study.mkdir()
    for number in range(RECORDINGS):
        shutil.copy(holotape.folder / "demo.bin", study / f"{number:03}.bin")
    process = holotape.start("dataset", "build", "study", "dataset")
    dataset = holotape.folder / "dataset"
    wait_until(lambda: has_tables(dataset))
    kill(process)
    holotape.run("dataset", "build", "study", "dataset")
    holotape.run("dataset", "build", "study", "scratch")
    assert tables(dataset) == tables(holotape.folder / "scratch"), "the dataset differs from one whose build was not killed"
    print(f"dataset build: killed; a second run completed the dataset of {RECORDINGS} recordings")


def has_tables(dataset: Path) -> bool:
    try:
        return any(dataset.rglob("*.parquet*"))
    except FileNotFoundError:
        # The build has renamed a folder meanwhile.
        return False


def tables(dataset: Path) -> "dict[str, bytes]":
    return {str(path.relative_to(dataset)): path.read_bytes() for path in sorted(dataset.rglob("*.parquet"))}


def kill(process: "subprocess.Popen[bytes]") -> None:
    assert process.poll() is None, "the process has ended before it was killed"
    process.kill()
    process.wait()


def wait_until(condition) -> None:
    end = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < end, "nothing happens"
        time.sleep(0.01)


main()
