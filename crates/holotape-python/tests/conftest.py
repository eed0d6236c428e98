"""Fixtures and helpers."""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import holotape
import pytest

TESTDATA = Path(__file__).parents[3] / "testdata"


def valid_pairs() -> Iterator[tuple[str, Path, dict[str, Any]]]:
    """Yields name, path and expected contents of each file in ``testdata/valid``."""
    for path in sorted((TESTDATA / "valid").glob("*.bin")):
        yield path.stem, path, json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True, scope="session")
def _own_index_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keeps the user's cache out of the tests, also of processes that they start."""
    os.environ["HOLOTAPE_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs each test in its own folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve recordings of four participants, one truncated, one without hands."""
    folder = tmp_path_factory.mktemp("corpus") / "study"
    for participant in range(1, 5):
        (folder / f"p{participant:02}").mkdir(parents=True)
        for n in range(3):
            recording = holotape.demo(seconds=5 + 2 * n, seed=10 * participant + n)
            recording.save(folder / f"p{participant:02}/take{n}.bin")
    data = (folder / "p04/take2.bin").read_bytes()
    (folder / "p04/take2.bin").write_bytes(data[: len(data) // 2])
    holotape.demo(seconds=4, seed=7).select("camera", "gaze").save(folder / "p03/take1.bin")
    return folder


@pytest.fixture(scope="session")
def dataset(study: Path) -> Path:
    """The study as a dataset, with keys."""
    out = study.parent / "dataset"
    holotape.build_dataset(study, out, keys=True, progress=False)
    return out


def example_queries() -> list[tuple[str, str]]:
    """Returns titles and SQL of the example queries in the documentation."""
    text = (TESTDATA.parent / "docs/corpus.md").read_text(encoding="utf-8")
    return re.findall(r"### (\d+\. .*?)\n\n```sql\n(.*?)```", text, re.DOTALL)


def assert_same(rows: list[Any], expected: list[Any]) -> None:
    """Compares rows. Floats may differ in the last digits, as sums depend on the order."""
    assert len(rows) == len(expected)
    for row, other in zip(rows, expected):
        assert len(row) == len(other), (row, other)
        for value, expected_value in zip(row, other):
            if isinstance(expected_value, float) and isinstance(value, float):
                assert value == pytest.approx(expected_value, rel=1e-9, abs=1e-12)
            else:
                assert value == expected_value, (row, other)


# Columns that do not depend on how a recording is stored.
STORED_DATA = {
    "recordings": ["key_count", "duration_secs", "error"],
    "frames": ["time", "right.Palm.position.x", "left.tracked"],
    "events": ["kind", "hand", "start_secs"],
    "keys": ["curve", "time", "value"],
}


def write_stored_forms() -> None:
    """Writes the folder ``stored`` with files that are compressed or not ``.bin``, and ``plain`` with the same recordings."""
    recording = holotape.demo(seconds=2)
    for folder in ("stored", "plain"):
        Path(folder).mkdir()
    for n, extension in enumerate(["bin", "bin.gz", "bin.zst", "handsbin"]):
        with warnings.catch_warnings():
            # Hand captures have no gaze and no markers.
            warnings.simplefilter("ignore", holotape.LossWarning)
            recording.save(f"stored/take{n}.{extension}")
            holotape.open(f"stored/take{n}.{extension}").save(f"plain/take{n}.bin")


@pytest.fixture(scope="session")
def recording() -> holotape.Recording:
    """Synthetic motion of 12 s."""
    return holotape.demo()
